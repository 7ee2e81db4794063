//! Handlers of RISC-V: functions whose address the program writes to the register for them (`mtvec`), in inline
//! assembly.
//!
//! The address is followed back to where it comes from: through arithmetic (the low bits are a mode), variables that are
//! accessed by their names, and the parameters of helpers. A table that it points to has handlers, too.

use std::collections::BTreeSet;

use brownout_ir::{Callee, Func, Global, Id, Op, Operand, Origin, Program, Slot, Symbol, Value};

/// The library's function for accesses of control and status registers, whose first argument is the register.
const ACCESS: &str = "__brownout_csr";
/// `mtvec` and `stvec`.
const REGISTERS: [u128; 2] = [0x305, 0x105];

/// The names of functions that come when something interrupts the program.
pub(crate) fn traps(program: &Program) -> Vec<String> {
    let Some(access) = program.function(ACCESS) else {
        return Vec::new();
    };
    let mut search = Search {
        program,
        waiting: Vec::new(),
        seen: BTreeSet::new(),
        found: BTreeSet::new(),
    };
    for (func, args) in calls(program, access) {
        if let [Operand::Bits(register), _, value] = args
            && REGISTERS.contains(register)
            && program.functions[func].origin == Origin::User
        {
            search.want(func, *value);
        }
    }
    while let Some(source) = search.waiting.pop() {
        search.follow(source);
    }
    let names = search.found.into_iter();
    names
        .map(|func| program.functions[func].name.clone())
        .collect()
}

/// Something that an address may come from.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Source {
    Value(Func, Value),
    Slot(Func, Slot),
    Variable(Global),
}

struct Search<'p> {
    program: &'p Program,
    waiting: Vec<Source>,
    seen: BTreeSet<Source>,
    found: BTreeSet<Func>,
}

impl Search<'_> {
    fn want(&mut self, func: Func, operand: Operand) {
        match operand {
            Operand::Func(handler) => {
                self.found.insert(handler);
            }
            Operand::Value(value) => self.wait(Source::Value(func, value)),
            Operand::Global(global, _) => self.wait(Source::Variable(global)),
            Operand::Slot(..) | Operand::Bits(_) | Operand::BlockAddress(..) => {}
        }
    }

    fn wait(&mut self, source: Source) {
        if self.seen.insert(source) {
            self.waiting.push(source);
        }
    }

    fn follow(&mut self, source: Source) {
        match source {
            Source::Value(func, value) => self.follow_value(func, value),
            Source::Slot(func, slot) => {
                let is_there =
                    |address| matches!(address, Operand::Slot(other, _) if other == slot);
                self.follow_stores(func, is_there);
            }
            Source::Variable(global) => {
                let init = self.program.globals[global].init.as_ref();
                let relocations = init.map_or(&[][..], |init| &init.relocations);
                self.found
                    .extend(relocations.iter().filter_map(|it| match it.symbol {
                        Symbol::Func(func) => Some(func),
                        _ => None,
                    }));
                let is_there =
                    |address| matches!(address, Operand::Global(other, _) if other == global);
                for func in self.program.functions.ids() {
                    self.follow_stores(func, is_there);
                }
            }
        }
    }

    /// Everything that a function stores where `is_there` says.
    fn follow_stores(&mut self, func: Func, is_there: impl Fn(Operand) -> bool) {
        let body = self.program.functions[func].body.as_ref();
        let blocks = body.into_iter().flat_map(|body| body.blocks.values());
        for inst in blocks.flat_map(|block| &block.insts) {
            if let Op::Store { address, value, .. } = inst.op
                && is_there(address)
            {
                self.want(func, value);
            }
        }
    }

    fn follow_value(&mut self, func: Func, value: Value) {
        let Some(body) = &self.program.functions[func].body else {
            return;
        };
        for (block, data) in body.blocks.iter() {
            if let Some(index) = data.params.iter().position(|&param| param == value) {
                match block == body.entry() {
                    // A parameter of the function is what callers pass.
                    true => {
                        for (caller, args) in calls(self.program, func) {
                            if let Some(&arg) = args.get(index) {
                                self.want(caller, arg);
                            }
                        }
                    }
                    false => {
                        for from in body.blocks.values() {
                            let edges = from.terminator.edges().into_iter();
                            for edge in edges.filter(|edge| edge.block == block) {
                                if let Some(&arg) = edge.args.get(index) {
                                    self.want(func, arg);
                                }
                            }
                        }
                    }
                }
            }
            for inst in data
                .insts
                .iter()
                .filter(|inst| inst.results.contains(&value))
            {
                match inst.op {
                    Op::Load {
                        address: Operand::Slot(slot, _),
                        ..
                    } => self.wait(Source::Slot(func, slot)),
                    Op::Call { .. } => {}
                    _ => {
                        let target = &self.program.target;
                        let mut operands = Vec::new();
                        inst.op
                            .visit_operands(target, |operand, _| operands.push(operand));
                        for operand in operands {
                            self.want(func, operand);
                        }
                    }
                }
            }
        }
    }
}

/// The direct calls of a function: who calls, and with what.
fn calls(program: &Program, wanted: Func) -> impl Iterator<Item = (Func, &[Operand])> {
    program.functions.iter().flat_map(move |(func, function)| {
        let blocks = function.body.iter().flat_map(|body| body.blocks.values());
        let insts = blocks.flat_map(|block| &block.insts);
        insts.filter_map(move |inst| match &inst.op {
            Op::Call {
                callee: Callee::Direct(callee),
                args,
                ..
            } if callee.index() == wanted.index() => Some((func, &args[..])),
            _ => None,
        })
    })
}
