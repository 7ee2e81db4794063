//! Loops that count, and which bytes of an object their rounds touch.
//!
//! Property: a counter that starts at a number, grows by one in every round and is compared with something that
//! the loop does not change goes through all numbers from the first up to that bound. An access that is a
//! multiple of the counter away from an address that the loop does not change stays within one stretch of its
//! object. If every round makes it, and it is as wide as it moves, then it overwrites all of that stretch.
//!
//! The bound is what it is when the loop is entered: a term, not a number. So "the loop fills as much of the buffer
//! as there is to receive" is told from "the loop writes somewhere in the buffer".
//!
//! A program that does not leave its objects does not do so here: where the loop is left by its test only, the bound is
//! not further than the object goes.
//!
//! **Invariants**: what is not of this shape has no stretch, and counts as touching all of its cells. An execution
//! that would leave the object, or go once around all numbers, is given the whole object.

use brownout_flow::contexts::{Instance, Site};
use brownout_flow::objects::Object;
use brownout_ir::{
    Block, Body, CastOp, Edge, Id, IntBinary, IntPredicate, Op, Operand, Terminator, Value,
};
use brownout_solver::{Binary, Term};

use crate::execute::Attempt;
use crate::state::State;

/// How many operations deep an address may depend on the counter.
const DEPTH: u32 = 6;

/// A stretch of bytes of an object: the first, and one past the last.
pub(crate) type Stretch = (Term, Term);

/// A loop that counts.
#[derive(Clone, Debug)]
pub(crate) struct Counted {
    instance: Instance,
    header: Block,
    latch: Block,
    inside: Vec<Block>,
    counter: Value,
    /// How many bits the counter has.
    width: u32,
    first: u128,
    bound: Operand,
    /// Another round begins if this holds of the counter and the bound.
    goes_on: IntPredicate,
    /// The block that asks, and where it leads when the loop is left.
    test: Block,
    exit: Block,
}

/// Which bytes an access touches in all rounds together.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Touched {
    /// All of them lie here.
    pub(crate) may: Stretch,
    /// All of these are touched when the loop is left by its test.
    pub(crate) must: Option<Stretch>,
    /// Whether the rounds up to the bound stay in the object, if every round touches it.
    pub(crate) inside: Option<Term>,
}

/// An address: something that the loop does not change, a multiple of the counter, and a number.
#[derive(Clone, Copy)]
struct Form {
    root: Option<Operand>,
    factor: u128,
    plus: u128,
}

impl Counted {
    /// Whether the loop is left by its test on the way from one block to another.
    pub(crate) fn is_left(&self, instance: Instance, from: Block, to: Block) -> bool {
        instance == self.instance && from == self.test && to == self.exit
    }

    /// Whether the test comes after the round, so that there is a first round in any case.
    fn tests_after(&self) -> bool {
        self.test == self.latch
    }

    fn definition(body: &Body, value: Value) -> Option<&Op> {
        let mut insts = body.blocks.values().flat_map(|block| &block.insts);
        let inst = insts.find(|inst| inst.results.contains(&value))?;
        Some(&inst.op)
    }

    fn is_invariant(&self, body: &Body, operand: Operand) -> bool {
        is_invariant(body, &self.inside, operand)
    }

    /// A number that grows with the counter.
    fn index(&self, body: &Body, operand: Operand, depth: u32) -> Option<Form> {
        let number = |plus| Form {
            root: None,
            factor: 0,
            plus,
        };
        let value = match operand {
            Operand::Bits(bits) => return Some(number(bits)),
            Operand::Value(value) => value,
            _ => return None,
        };
        if value == self.counter {
            let factor = 1;
            return Some(Form {
                factor,
                ..number(0)
            });
        }
        match Self::definition(body, value)? {
            Op::Cast { op, a, .. } if depth < DEPTH => match op {
                CastOp::ZExt => self.index(body, *a, depth + 1),
                // The counter is below something: as a number with a sign it is not negative.
                CastOp::SExt if self.goes_on == IntPredicate::SLt => {
                    self.index(body, *a, depth + 1)
                }
                _ => None,
            },
            // The counter is below something, so that one more does not wrap.
            Op::IntBinary {
                op: IntBinary::Add,
                a,
                b: Operand::Bits(1),
                ..
            } if *a == Operand::Value(self.counter) => Some(Form {
                factor: 1,
                ..number(1)
            }),
            _ => None,
        }
    }

    fn address(&self, body: &Body, operand: Operand, depth: u32) -> Option<Form> {
        if self.is_invariant(body, operand) {
            return Some(Form {
                root: Some(operand),
                factor: 0,
                plus: 0,
            });
        }
        let definition = Self::definition(body, operand.value()?)?;
        let Op::Address {
            base,
            index,
            scale,
            offset,
        } = definition
        else {
            return None;
        };
        let base = self
            .address(body, *base, depth + 1)
            .filter(|_| depth < DEPTH)?;
        let index = self.index(body, *index, 0)?;
        let (scale, offset) = (*scale as u128, *offset as u128);
        let moved = base.plus.wrapping_add(offset);
        Some(Form {
            root: base.root,
            factor: base.factor.wrapping_add(index.factor.wrapping_mul(scale)),
            plus: moved.wrapping_add(index.plus.wrapping_mul(scale)),
        })
    }
}

fn is_invariant(body: &Body, inside: &[Block], operand: Operand) -> bool {
    let Operand::Value(value) = operand else {
        return true;
    };
    !inside.iter().any(|block| {
        let block = &body.blocks[*block];
        let mut results = block.insts.iter().flat_map(|inst| &inst.results);
        block.params.contains(&value) || results.any(|result| *result == value)
    })
}

impl Attempt<'_, '_> {
    /// The loop with a head, if it counts.
    pub(crate) fn counted(&self, head: u32) -> Option<Counted> {
        let model = self.world.model;
        let (instance, header) = (model.node(head).instance?, model.node(head).block);
        if model.node(head).first != 0 {
            return None;
        }
        let body = model.contexts.body(instance)?;
        let members = self.graph.members(head).into_iter();
        let nodes = members.map(|node| model.node(node));
        let nodes = nodes.filter(|node| node.instance == Some(instance));
        let mut inside: Vec<Block> = nodes.map(|node| node.block).collect();
        inside.sort_unstable();
        inside.dedup();
        let (mut back, mut start): (Vec<(Block, &Edge)>, Vec<&Edge>) = (Vec::new(), Vec::new());
        for (block, data) in body.blocks.iter() {
            for edge in data.terminator.edges() {
                match edge.block == header {
                    true if inside.contains(&block) => back.push((block, edge)),
                    true => start.push(edge),
                    false => {}
                }
            }
        }
        let &[(latch, next)] = &back[..] else {
            return None;
        };
        let mut tests = vec![latch];
        tests.extend((header != latch).then_some(header));
        for (position, &counter) in body.blocks[header].params.iter().enumerate() {
            let mut firsts = start.iter().map(|edge| edge.args.get(position));
            let Some(Some(&Operand::Bits(first))) = firsts.next() else {
                continue;
            };
            let is_first = |arg: Option<&Operand>| arg == Some(&Operand::Bits(first));
            let width = body.values[counter].bits(&model.program.target);
            let is_small = width <= self.world.pointer && first < 1 << (width - 1).min(31);
            let grown = next.args.get(position).and_then(|next| next.value());
            let Some(grown) = grown.filter(|_| is_small && firsts.all(is_first)) else {
                continue;
            };
            let grows = Counted::definition(body, grown).is_some_and(|op| {
                let one = Operand::Bits(1);
                matches!(op, Op::IntBinary { op: IntBinary::Add, a, b, .. }
                    if *a == Operand::Value(counter) && *b == one)
            });
            if !grows {
                continue;
            }
            for &test in &tests {
                let compared = if test == latch { grown } else { counter };
                let asked = self.asked(body, &inside, test, compared);
                if let Some((goes_on, bound, exit)) = asked {
                    return Some(Counted {
                        instance,
                        header,
                        latch,
                        inside,
                        counter,
                        width,
                        first,
                        bound,
                        goes_on,
                        test,
                        exit,
                    });
                }
            }
        }
        None
    }

    /// What a block compares a value with, how it has to be so that another round begins, and where the loop is
    /// left otherwise.
    fn asked(
        &self,
        body: &Body,
        inside: &[Block],
        test: Block,
        compared: Value,
    ) -> Option<(IntPredicate, Operand, Block)> {
        let Terminator::Branch {
            condition,
            then,
            otherwise,
        } = &body.blocks[test].terminator
        else {
            return None;
        };
        let (stays, exit) = match (
            inside.contains(&then.block),
            inside.contains(&otherwise.block),
        ) {
            (true, false) => (true, otherwise.block),
            (false, true) => (false, then.block),
            _ => return None,
        };
        let mut definition = Counted::definition(body, condition.value()?)?;
        // A truth value that was widened and is held against zero.
        if let Op::IntCompare {
            op: IntPredicate::Ne,
            a,
            b: Operand::Bits(0),
            ..
        } = definition
            && let Some(Op::Cast {
                op: CastOp::ZExt,
                from,
                a,
                ..
            }) = Counted::definition(body, a.value()?)
            && from.bits(&self.world.model.program.target) == 1
        {
            definition = Counted::definition(body, a.value()?)?;
        }
        let Op::IntCompare { op, a, b, .. } = definition else {
            return None;
        };
        let compared = Operand::Value(compared);
        let (op, bound) = match (*a == compared, *b == compared) {
            (true, false) => (*op, *b),
            (false, true) => (op.swapped(), *a),
            _ => return None,
        };
        let goes_on = if stays { op } else { op.negated() };
        let is_known = matches!(
            goes_on,
            IntPredicate::ULt | IntPredicate::SLt | IntPredicate::Ne
        );
        (is_known && is_invariant(body, inside, bound)).then_some((goes_on, bound, exit))
    }

    /// The bytes of an object that an access of so many bytes touches while a loop counts.
    pub(crate) fn touched(
        &mut self,
        counted: &Counted,
        site: Site,
        (address, bytes): (Operand, u128),
        object: Object,
        state: &State,
    ) -> Option<Touched> {
        let model = self.world.model;
        let tests_before = !counted.tests_after();
        // The header has one more round than there are.
        if site.instance != counted.instance || tests_before && site.at.block == counted.header {
            return None;
        }
        let body = model.contexts.body(site.instance)?;
        let Form { root, factor, plus } = counted.address(body, address, 0)?;
        let data = model.points_to.objects.data(object);
        let size = u128::try_from(data.size?).ok()?;
        let (kind, pointer) = (data.kind, self.world.pointer);
        if !(1..=1024).contains(&factor) || size >= 1 << (pointer - 1).min(40) {
            return None;
        }
        let root = self.operand(site.instance, root?, pointer, state);
        let bound = self.operand(site.instance, counted.bound, counted.width, state);
        let base = self.world.base(kind);
        let terms = &mut self.world.terms;
        // From the first number to the last that there are rounds for.
        let first = terms.constant(counted.width, counted.first);
        let least = terms.offset(first, u128::from(!tests_before));
        let (end, counts) = match counted.goes_on {
            // It counts through all numbers if the bound is below where it starts.
            IntPredicate::Ne => {
                let below = terms.binary(Binary::ULess, bound, least);
                (bound, terms.not(below))
            }
            order => {
                let less = match order {
                    IntPredicate::SLt => Binary::SLess,
                    _ => Binary::ULess,
                };
                let more = terms.binary(less, least, bound);
                (terms.choice(more, bound, least), terms.yes())
            }
        };
        let end = terms.zero_extend(end, pointer);
        let room = terms.constant(pointer, size / factor + 2);
        let fits = terms.binary(Binary::ULess, end, room);
        let fits = terms.and(fits, counts);
        let from = terms.sub(root, base);
        let start = terms.offset(from, plus.wrapping_add(factor * counted.first));
        let stop = terms.linear(&[(from, 1), (end, factor)], plus);
        let further = terms.offset(stop, bytes.saturating_sub(factor));
        let (nothing, all) = (terms.constant(pointer, 0), terms.constant(pointer, size));
        let may = (
            terms.choice(fits, start, nothing),
            terms.choice(fits, further, all),
        );
        let code = model.contexts.code[model.func(site.instance).index()].as_ref()?;
        let always = code.dominators.dominates(site.at.block, counted.latch);
        let is_dense = bytes == factor && always;
        let must = is_dense.then(|| (start, terms.choice(fits, stop, start)));
        // The last round touches the last bytes.
        let before = terms.value(from).map(|from| from.wrapping_add(plus));
        let before = before.filter(|before| always && *before < size);
        let room = before.and_then(|before| (size - before).checked_sub(bytes));
        // Without a round nothing is said.
        let room = room.filter(|room| counted.first <= room / factor);
        let inside = room.map(|room| {
            let limit = terms.constant(pointer, room / factor + 2);
            let fine = terms.binary(Binary::ULess, end, limit);
            let not = terms.not(counts);
            terms.or(not, fine)
        });
        Some(Touched { may, must, inside })
    }
}
