//! Small stores over a flash part, plain non-volatile words and a ghost, as data: what a boot
//! does, step by step. Logs, double buffers, journals and programs of no plan at all, with and
//! without mistakes.

use brownout_crash::Operations;
use brownout_scenario::{EraseTear, Order, Programming, Tear};
use brownout_testkit::Choices;

/// Bytes of the flash part, of a block and of a program unit.
pub(crate) const FLASH: usize = 16;
pub(crate) const BLOCK: usize = 8;
/// Words of plain non-volatile memory.
pub(crate) const WORDS: usize = 2;

/// A number.
#[derive(Clone, Debug)]
pub(crate) enum Number {
    Constant(u32),
    /// A byte of the flash part.
    Flash(usize),
    /// A plain word.
    Word(usize),
    Ghost,
    /// The next value of the input.
    Reading,
    /// The sum of two, in 32 bits.
    Sum(Box<Number>, Box<Number>),
}

/// A condition.
#[derive(Clone, Debug)]
pub(crate) enum Condition {
    Equal(Number, Number),
    Less(Number, Number),
}

/// A step of a boot.
#[derive(Clone, Debug)]
pub(crate) enum Step {
    /// Program constants into the flash part.
    Program(usize, Vec<u8>),
    /// Erase one block.
    Erase(usize),
    /// Store to a plain word.
    Store(usize, Number),
    /// Write the notebook.
    Note(Number),
    /// Wait until all operations of the part are done.
    Sync,
    /// Tell somebody a number.
    Say(Number),
    /// Do it in a function of its own.
    Call(Vec<Step>),
    /// Power fails from here on.
    From,
    If(Condition, Vec<Step>, Vec<Step>),
    /// As long as a condition holds, which may be for ever. Loops have numbers.
    While(u32, Condition, Vec<Step>),
    Assert(u32, Condition),
}

/// A store and the part it is on.
#[derive(Clone, Debug)]
pub(crate) struct Store {
    pub(crate) steps: Vec<Step>,
    pub(crate) unit: usize,
    pub(crate) tear: Tear,
    pub(crate) erase_tear: EraseTear,
    pub(crate) order: Order,
    /// How many values the input has, and how many readings are varied.
    pub(crate) values: u64,
    pub(crate) readings: u32,
    /// What the other readings give, over and over.
    pub(crate) rest: Vec<u32>,
    /// Whether calls must be done or not done.
    pub(crate) is_atomic: bool,
    pub(crate) atomic: Option<u32>,
    pub(crate) failures: u32,
    pub(crate) reprogram: bool,
    pub(crate) programming: Programming,
}

impl Store {
    pub(crate) fn choices(&self) -> brownout_crash::Choices {
        brownout_crash::Choices {
            values: vec![(0..self.values).collect()],
            length: self.readings,
        }
    }

    pub(crate) fn atomic_operations(&self) -> Option<Operations> {
        self.is_atomic.then_some(Operations::Calls)
    }
}

fn equal(a: Number, b: u32) -> Condition {
    Condition::Equal(a, Number::Constant(b))
}

/// A record is valid once its flag is programmed; a mistake programs the flag first.
fn log(choices: &mut Choices, unit: usize) -> Vec<Step> {
    let value: Vec<u8> = (0..unit).map(|_| 1 + choices.below(200) as u8).collect();
    let first = u32::from(value[0]);
    let flag = vec![0; unit];
    let mut steps = vec![Step::If(
        equal(Number::Flash(0), 0),
        vec![Step::Assert(1, equal(Number::Flash(unit), first))],
        vec![],
    )];
    let mut writing = vec![Step::Erase(0)];
    let data = Step::Program(unit, value);
    let mark = Step::Program(0, flag);
    match choices.chance(2) {
        true => writing.extend([mark, data]),
        false => writing.extend([data, mark]),
    }
    if choices.chance(2) {
        writing.push(Step::Note(Number::Constant(1)));
        steps.insert(
            0,
            Step::If(
                equal(Number::Ghost, 1),
                vec![Step::Assert(2, equal(Number::Flash(0), 0))],
                vec![],
            ),
        );
    }
    steps.push(Step::If(
        equal(Number::Flash(0), 0),
        if choices.chance(3) {
            writing.clone()
        } else {
            vec![]
        },
        writing,
    ));
    steps
}

/// Two blocks; the one with the mark is valid. A mistake erases the old one before the new one is
/// complete, or trusts one without looking at its end.
fn double(choices: &mut Choices, unit: usize) -> Vec<Step> {
    let block = |start: usize, mistake: bool| {
        let other = BLOCK - start;
        let data = Step::Program(start, vec![1; unit]);
        let end = Step::Program(start + BLOCK - unit, vec![2; unit]);
        let erase_old = Step::Erase(other);
        match mistake {
            true => vec![erase_old, Step::Erase(start), data, end],
            false => vec![Step::Erase(start), data, end, erase_old],
        }
    };
    let end = BLOCK - choices.pick(&[1, unit]);
    let valid = |start: usize| equal(Number::Flash(start + end), 2);
    let (one, two) = (choices.chance(3), choices.chance(3));
    let check = Step::If(
        equal(Number::Ghost, 1),
        vec![Step::If(
            valid(0),
            vec![Step::Assert(1, equal(Number::Flash(0), 1))],
            vec![
                Step::Assert(2, valid(BLOCK)),
                Step::Assert(3, equal(Number::Flash(BLOCK), 1)),
            ],
        )],
        vec![],
    );
    vec![
        check,
        Step::If(valid(0), block(BLOCK, one), block(0, two)),
        Step::Note(Number::Constant(1)),
    ]
}

/// Two words change together, with an entry in between; mistakes leave it out or clear it early.
fn journal(choices: &mut Choices) -> Vec<Step> {
    let word = |index| Number::Word(index);
    let one = Box::new(Number::Constant(0x0101_0101));
    let next = Number::Sum(Box::new(word(0)), one);
    let recover = Step::If(
        Condition::Less(word(1), word(0)),
        vec![Step::Store(1, word(0))],
        vec![],
    );
    let mut steps = Vec::new();
    if !choices.chance(3) {
        steps.push(recover);
    }
    steps.push(Step::Assert(1, Condition::Equal(word(0), word(1))));
    steps.push(Step::If(
        Condition::Less(word(0), Number::Constant(0x0202_0202)),
        vec![Step::Store(0, next), Step::Store(1, word(0))],
        vec![],
    ));
    steps
}

/// Slots are used in turn, so that blocks wear alike; slot k holds k. A mistake erases the block
/// that is still needed, or acknowledges too early.
fn wear(choices: &mut Choices) -> Vec<Step> {
    const SLOT: usize = BLOCK / 2;
    let (early, hasty) = (choices.chance(3), choices.chance(3));
    let write = |slot: u32, mistake: bool| {
        let at = (slot as usize - 1) * SLOT;
        let other = BLOCK - at / BLOCK * BLOCK;
        let mut steps = vec![Step::Program(at, vec![slot as u8; SLOT])];
        if slot == 3 {
            let at = if mistake { 0 } else { 1 };
            steps.insert(at.min(steps.len()), Step::Erase(other));
        }
        let note = Step::Note(Number::Constant(slot));
        match hasty {
            true => steps.insert(0, note),
            false => steps.push(note),
        }
        steps
    };
    let last = |slot: u32| (slot as usize - 1) * SLOT + SLOT - 1;
    let is_there = |slot: u32| equal(Number::Flash(last(slot)), slot);
    let check = |slot: u32| {
        let later = Step::If(
            is_there(slot),
            vec![],
            vec![Step::Assert(slot, is_there((slot + 1).min(4)))],
        );
        Step::If(equal(Number::Ghost, slot), vec![later], vec![])
    };
    let mut steps: Vec<Step> = (1..=4).map(check).collect();
    let mut work = Vec::new();
    for slot in (1..=4).rev() {
        let mut next = write(slot % 4 + 1, early);
        if slot % 4 + 1 == 1 {
            next.insert(0, Step::Erase(0));
        }
        work = vec![Step::If(is_there(slot), next, work)];
        if slot == 1 {
            work = vec![Step::If(
                equal(Number::Ghost, 0),
                {
                    let mut first = vec![Step::Erase(0)];
                    first.extend(write(1, false));
                    first
                },
                work,
            )];
        }
    }
    steps.extend(work);
    steps
}

/// Two words change one after the other, and a boot waits until they agree. A mistake leaves out
/// what makes them agree again; what the loop does meanwhile may go round and round.
fn waits(choices: &mut Choices, unit: usize, number_of_loops: &mut u32) -> Vec<Step> {
    let differ = Condition::Less(Number::Word(1), Number::Word(0));
    let mut body = vec![Step::Sync];
    match choices.below(4) {
        0 => body.push(Step::Store(1, Number::Word(0))),
        1 => body.extend([Step::Erase(0), Step::Program(0, vec![0x0f; unit])]),
        2 => body.push(Step::If(
            equal(Number::Ghost, 5),
            vec![Step::Note(Number::Constant(6))],
            vec![Step::Note(Number::Constant(5))],
        )),
        _ => {}
    }
    *number_of_loops += 1;
    let mut steps = vec![Step::While(*number_of_loops, differ, body)];
    for value in 1..=choices.below(3) as u32 {
        let value = Number::Constant(value * 0x0101);
        steps.push(Step::Store(0, value.clone()));
        if choices.chance(2) {
            steps.push(change(choices, unit));
        }
        steps.push(Step::Store(1, value));
    }
    if choices.chance(4) {
        // The undisturbed program has no end either.
        *number_of_loops += 1;
        let always = Condition::Equal(Number::Constant(0), Number::Constant(0));
        let main_loop = Step::While(*number_of_loops, always, vec![]);
        match choices.chance(2) {
            true => steps.push(main_loop),
            // A mistake: the second boot ends instead.
            false => steps.push(Step::If(
                equal(Number::Ghost, 7),
                vec![],
                vec![Step::Note(Number::Constant(7)), main_loop],
            )),
        }
    }
    steps
}

/// What breaks without a power failure, and only the first time.
fn breaks_at_once(choices: &mut Choices) -> Step {
    let broken = Step::Assert(9, equal(Number::Flash(FLASH - 1), choices.pick(&[0, 0x55])));
    let note = Step::Note(Number::Constant(1));
    Step::If(equal(Number::Ghost, 0), vec![note, broken], vec![])
}

fn number(choices: &mut Choices) -> Number {
    match choices.below(7) {
        6 => Number::Reading,
        0 | 1 => Number::Constant(choices.below(4) as u32),
        2 => Number::Flash(choices.below(FLASH as u64) as usize),
        3 => Number::Word(choices.below(WORDS as u64) as usize),
        4 => Number::Ghost,
        _ => {
            let word = Number::Word(choices.below(WORDS as u64) as usize);
            let more = Number::Constant(choices.pick(&[1, 0x100, 0xffff]));
            Number::Sum(Box::new(word), Box::new(more))
        }
    }
}

/// Something that changes what is kept.
fn change(choices: &mut Choices, unit: usize) -> Step {
    match choices.below(5) {
        0 | 1 => Step::Store(choices.below(WORDS as u64) as usize, number(choices)),
        2 => program(choices, unit),
        3 => Step::Erase(BLOCK * choices.below(2) as usize),
        _ => Step::Note(number(choices)),
    }
}

fn program(choices: &mut Choices, unit: usize) -> Step {
    let units = FLASH / unit;
    let at = choices.below(units as u64) as usize;
    let most = (units - at).min(2) as u64;
    let length = (1 + choices.below(most) as usize) * unit;
    let value = choices.pick(&[0x00, 0x0f, 0x55, 0xfe]);
    Step::Program(at * unit, vec![value; length])
}

/// A loop, of which many never end: it waits for what is not there, or goes round and round between
/// a few states. What it does to the part is done before it goes on.
fn endless(choices: &mut Choices, unit: usize, number_of_loops: &mut u32) -> Step {
    *number_of_loops += 1;
    let condition = match choices.below(3) {
        0 => Condition::Less(
            number(choices),
            Number::Constant(choices.pick(&[1, 2, 0x100])),
        ),
        _ => Condition::Equal(number(choices), number(choices)),
    };
    let mut body = vec![Step::Sync];
    for _ in 0..choices.below(3) {
        body.push(change(choices, unit));
    }
    if choices.chance(3) {
        let condition = Condition::Equal(number(choices), number(choices));
        let (one, other) = (change(choices, unit), change(choices, unit));
        body.push(Step::If(condition, vec![one], vec![other]));
    }
    Step::While(*number_of_loops, condition, body)
}

/// Steps of no plan.
fn any(choices: &mut Choices, unit: usize, depth: u32, number_of_asserts: &mut u32) -> Vec<Step> {
    let count = 1 + choices.below(if depth == 0 { 4 } else { 2 });
    (0..count)
        .map(|_| match choices.below(if depth < 2 { 10 } else { 7 }) {
            5 => match choices.chance(2) {
                true => Step::Say(number(choices)),
                false => Step::Sync,
            },
            6 => Step::Say(number(choices)),
            7 if choices.chance(2) => Step::Call(any(choices, unit, depth + 1, number_of_asserts)),
            0 | 1 => Step::Store(choices.below(WORDS as u64) as usize, number(choices)),
            2 => program(choices, unit),
            3 => Step::Erase(BLOCK * choices.below(2) as usize),
            4 => Step::Note(number(choices)),
            7 | 8 => {
                let condition = Condition::Equal(number(choices), number(choices));
                let then = any(choices, unit, depth + 1, number_of_asserts);
                let otherwise = any(choices, unit, depth + 1, number_of_asserts);
                Step::If(condition, then, otherwise)
            }
            _ => {
                *number_of_asserts += 1;
                let condition = Condition::Less(
                    number(choices),
                    Number::Constant(choices.pick(&[1, 3, 0x100, 0x1_0000])),
                );
                Step::Assert(*number_of_asserts, condition)
            }
        })
        .collect()
}

/// Puts some of the steps into functions, and says what is stored where a boot begins.
fn talkative(choices: &mut Choices, steps: Vec<Step>) -> Vec<Step> {
    let says = [Number::Flash(0), Number::Flash(BLOCK), Number::Word(0)];
    let mut all: Vec<Step> = says.into_iter().map(Step::Say).collect();
    let mut rest = steps;
    while !rest.is_empty() {
        let count = (1 + choices.below(3) as usize).min(rest.len());
        let group: Vec<Step> = rest.drain(..count).collect();
        match choices.chance(2) {
            true => all.push(Step::Call(group)),
            false => all.extend(group),
        }
    }
    all
}

/// A random store.
pub(crate) fn store(choices: &mut Choices) -> Store {
    let unit = choices.pick(&[1, 2, 4]);
    let mut number_of_loops = 0;
    let mut steps = match choices.below(8) {
        7 => waits(choices, unit, &mut number_of_loops),
        0 => log(choices, unit),
        1 => double(choices, unit),
        2 => journal(choices),
        3 => wear(choices),
        _ => any(choices, unit, 0, &mut 0),
    };
    let order = match choices.chance(4) {
        true => Order::UntilSync,
        false => Order::Strict,
    };
    let is_atomic = order == Order::Strict && choices.chance(3);
    if is_atomic {
        steps = talkative(choices, steps);
    }
    if choices.chance(8) {
        let at = choices.below(steps.len() as u64 + 1) as usize;
        steps.insert(at, Step::From);
    }
    if choices.chance(16) {
        let at = choices.below(steps.len() as u64 + 1) as usize;
        steps.insert(at, breaks_at_once(choices));
    }
    while choices.chance(4) {
        let at = choices.below(steps.len() as u64 + 1) as usize;
        let mut step = endless(choices, unit, &mut number_of_loops);
        if choices.chance(2) {
            let condition = Condition::Equal(number(choices), number(choices));
            step = Step::If(condition, vec![step], vec![]);
        }
        if choices.chance(3) {
            let first = change(choices, unit);
            step = Step::Call(vec![first, step]);
        }
        steps.insert(at, step);
    }
    let tear = match unit {
        // More bits are not torn in every way.
        1 => choices.pick(&[Tear::Prefix, Tear::None, Tear::AnyUnit, Tear::Bits]),
        _ => choices.pick(&[Tear::Prefix, Tear::None, Tear::AnyUnit]),
    };
    Store {
        steps,
        unit,
        tear,
        erase_tear: choices.pick(&[EraseTear::Prefix, EraseTear::None, EraseTear::Garbage]),
        order,
        values: 1 + choices.below(3),
        readings: choices.below(3) as u32,
        rest: choices
            .pick(&[&[0][..], &[0], &[1, 0], &[0, 2, 1]])
            .to_vec(),
        is_atomic,
        atomic: choices.pick(&[Some(4), Some(2), Some(1), None]),
        failures: choices.below(4) as u32,
        reprogram: !choices.chance(3),
        programming: choices.pick(&[Programming::And, Programming::And, Programming::Overwrite]),
    }
}
