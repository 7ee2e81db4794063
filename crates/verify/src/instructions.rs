//! What each instruction does to a symbolic state.

use brownout_flow::accesses::is_device;
use brownout_flow::contexts::Site;
use brownout_flow::objects::Kind;
use brownout_flow::{Commits, Length, Role};
use brownout_ir::{Callee, Func, Inst, Op, Operand, Service};
use brownout_solver::{Binary, Term};

use crate::execute::{Attempt, Failure, Obstacle};
use crate::operators::{Opaque, int_binary, int_compare, int_ternary, int_unary};
use crate::question::{self, Difference, Effect, Operator, Output, Seen, Source, Values};
use crate::state::State;
use crate::world::Side;

/// How many bytes a copy, a fill or a text may have.
pub(crate) const STRETCH: u64 = 512;

impl Attempt<'_, '_> {
    fn width(&self, ty: brownout_ir::Type) -> u32 {
        ty.bits(&self.world.model.program.target)
    }

    /// Executes an instruction that goes on to the next one.
    pub(crate) fn instruction(
        &mut self,
        site: Site,
        inst: &Inst,
        state: &mut State,
    ) -> Result<(), Obstacle> {
        let instance = site.instance;
        let result = match &inst.op {
            Op::IntBinary { op, ty, a, b } => {
                let width = self.width(*ty);
                let a = self.operand(instance, *a, width, state);
                let b = self.operand(instance, *b, width, state);
                let (value, defined) = int_binary(&mut self.world.terms, *op, a, b);
                if let Some(defined) = defined {
                    self.require(Difference::Fault, state.guard, defined);
                }
                Some(value)
            }
            Op::IntUnary { op, ty, a } => {
                let a = self.operand(instance, *a, self.width(*ty), state);
                Some(int_unary(&mut self.world.terms, *op, a))
            }
            Op::IntTernary { op, ty, a, b, c } => {
                let width = self.width(*ty);
                let a = self.operand(instance, *a, width, state);
                let b = self.operand(instance, *b, width, state);
                let c = self.operand(instance, *c, width, state);
                Some(int_ternary(&mut self.world.terms, *op, a, b, c))
            }
            Op::IntCompare { op, ty, a, b } => {
                let width = self.width(*ty);
                let a = self.operand(instance, *a, width, state);
                let b = self.operand(instance, *b, width, state);
                Some(int_compare(&mut self.world.terms, *op, a, b))
            }
            Op::FloatBinary { op, ty, a, b } => {
                let width = self.width(*ty);
                let a = self.operand(instance, *a, width, state);
                let b = self.operand(instance, *b, width, state);
                Some(self.opaque(Opaque::Binary(*op), &[a, b], width))
            }
            Op::FloatUnary { op, ty, a } => {
                let width = self.width(*ty);
                let a = self.operand(instance, *a, width, state);
                Some(self.opaque(Opaque::Unary(*op), &[a], width))
            }
            Op::FloatFma { ty, a, b, c } => {
                let width = self.width(*ty);
                let a = self.operand(instance, *a, width, state);
                let b = self.operand(instance, *b, width, state);
                let c = self.operand(instance, *c, width, state);
                Some(self.opaque(Opaque::MultiplyAdd, &[a, b, c], width))
            }
            Op::FloatCompare { op, ty, a, b } => {
                let width = self.width(*ty);
                let a = self.operand(instance, *a, width, state);
                let b = self.operand(instance, *b, width, state);
                Some(self.opaque(Opaque::Compare(*op), &[a, b], 1))
            }
            Op::Cast { op, from, to, a } => {
                let a = self.operand(instance, *a, self.width(*from), state);
                let to = (*to, self.width(*to));
                let world = &mut *self.world;
                Some(world.operators.cast(&mut world.terms, *op, to, a))
            }
            Op::Select {
                ty,
                condition,
                a,
                b,
            } => {
                let width = self.width(*ty);
                let condition = self.operand(instance, *condition, 1, state);
                let a = self.operand(instance, *a, width, state);
                let b = self.operand(instance, *b, width, state);
                Some(self.world.terms.choice(condition, a, b))
            }
            Op::Address {
                base,
                index,
                scale,
                offset,
            } => {
                let width = self.world.pointer;
                let base = self.operand(instance, *base, width, state);
                let index = self.operand(instance, *index, width, state);
                let parts = [(base, 1), (index, *scale as u128)];
                Some(self.world.terms.linear(&parts, *offset as u128))
            }
            Op::Load {
                ty,
                address,
                volatile,
            } => {
                let width = self.width(*ty);
                if self.world.model.accesses.inputs.contains(&site) {
                    if !self.is_device(site, *address, *volatile) {
                        return Err(self.unsupported("a read of a register or of memory", site));
                    }
                    let reading = self.reading(site, 0, width, &[], state, true);
                    Some(match self.register_values(site, *address) {
                        Some(values) => self.world.given(reading, &values),
                        None => reading,
                    })
                } else {
                    Some(self.load(site, *address, width, state)?)
                }
            }
            Op::Store {
                ty, address, value, ..
            } => {
                let value = self.operand(instance, *value, self.width(*ty), state);
                self.store(site, *address, value, state)?;
                None
            }
            Op::Copy { to, from, length } => {
                self.copy(site, *to, *from, *length, state)?;
                None
            }
            Op::Fill { to, byte, length } => {
                let byte = self.operand(instance, *byte, 8, state);
                self.fill(site, *to, byte, *length, state)?;
                None
            }
            Op::StackAlloc { .. } | Op::StackSave | Op::StackRestore { .. } => {
                return Err(self.unsupported("a local of variable size", site));
            }
            Op::Call {
                callee: Callee::Direct(func),
                args,
                ..
            } => {
                return self.external(site, *func, args, inst, state);
            }
            Op::Call {
                callee: Callee::Indirect(_),
                ..
            } => {
                return Err(self.unsupported("a call of an unknown function", site));
            }
            Op::Service { service, args } => {
                return self.service(site, *service, args, inst, state);
            }
        };
        if let (Some(value), Some(result)) = (result, inst.results.first()) {
            state.values.insert((instance, *result), value);
        }
        Ok(())
    }

    fn opaque(&mut self, op: Opaque, operands: &[Term], width: u32) -> Term {
        let world = &mut *self.world;
        world
            .operators
            .opaque(&mut world.terms, op, operands, width)
    }

    /// What an input gives that is asked with some arguments: other arguments, another reading.
    /// `counts` if that was the last thing that this reading gives.
    fn reading(
        &mut self,
        site: Site,
        part: u32,
        width: u32,
        asked: &[Term],
        state: &mut State,
        counts: bool,
    ) -> Term {
        let count = state.readings(self.world, site);
        let operands = [&[count], asked].concat();
        let value = self.world.reading(self.side, site, part, width, &operands);
        if counts {
            let next = self.world.terms.offset(count, 1);
            state.readings.insert(site, next);
        }
        value
    }

    /// Whether an address is that of a device register, and of nothing else.
    pub(crate) fn is_device(&self, site: Site, address: Operand, volatile: bool) -> bool {
        let model = self.world.model;
        let mut targets = model.points_to.of(site.instance, address).into_iter();
        targets.all(|target| {
            let kind = model.points_to.objects.data(target.object).kind;
            is_device(model.program, model.setting, kind, &target, volatile)
        })
    }

    /// What somebody said that the register at an address gives.
    fn register_values(&self, site: Site, address: Operand) -> Option<Values> {
        let model = self.world.model;
        let [target] = &model.points_to.of(site.instance, address)[..] else {
            return None;
        };
        match model.points_to.objects.data(target.object).kind {
            Kind::Global(global) => {
                let given = self.world.question.input_registers.get(&global)?;
                Some(given.values.clone())
            }
            _ => None,
        }
    }

    /// Every result of a call is something that nobody knows, unless somebody said what the function
    /// gives.
    fn read_results(&mut self, site: Site, inst: &Inst, asked: &[Term], state: &mut State) {
        let count = inst.results.len();
        for (index, result) in inst.results.iter().enumerate() {
            let body = self.world.model.contexts.body(site.instance);
            let ty = body.map(|body| body.values[*result]);
            let width = ty.map_or(1, |ty| self.width(ty));
            let counts = index + 1 == count;
            let mut value = self.reading(site, index as u32, width, asked, state, counts);
            if let (
                0,
                Op::Call {
                    callee: Callee::Direct(func),
                    ..
                },
            ) = (index, &inst.op)
                && let Some(given) = self.world.question.inputs.get(func)
            {
                value = self.world.given(value, &given.values);
            }
            state.values.insert((site.instance, *result), value);
        }
        if count == 0 {
            let next = state.readings(self.world, site);
            let next = self.world.terms.offset(next, 1);
            state.readings.insert(site, next);
        }
    }

    /// A call of a function that is not followed.
    fn external(
        &mut self,
        site: Site,
        func: Func,
        args: &[Operand],
        inst: &Inst,
        state: &mut State,
    ) -> Result<(), Obstacle> {
        let model = self.world.model;
        let function = &model.program.functions[func];
        if let Some(output) = self.world.question.outputs.get(&func).cloned() {
            let mut values = Vec::new();
            for (index, (arg, ty)) in args.iter().zip(&function.params).enumerate() {
                let width = self.width(*ty);
                let value = self.operand(site.instance, *arg, width, state);
                let narrow = width < self.width(model.program.int());
                let signed = !narrow || function.signed.contains(&(index as u32));
                values.push((value, signed));
            }
            self.emit(site, Source::Function(func), &output, &values, state)?;
            let asked: Vec<Term> = values.iter().map(|(value, _)| *value).collect();
            self.read_results(site, inst, &asked, state);
            return Ok(());
        }
        let mut asked = Vec::new();
        for (arg, ty) in args.iter().zip(&function.params) {
            asked.push(self.operand(site.instance, *arg, self.width(*ty), state));
        }
        match model.setting.roles.get(&func) {
            Some(Role::Input(fills)) => {
                let count = state.readings(self.world, site);
                let mut read = 0_u32;
                for fill in fills {
                    let length = match fill.length {
                        Length::Bytes(bytes) => Some(u64::from(bytes)),
                        Length::Argument(index, factor) => (self.length(site, args, index, state))
                            .and_then(|length| length.checked_mul(u64::try_from(factor).ok()?)),
                        Length::Result | Length::Unknown | Length::Reachable => None,
                    };
                    let buffer = args.get(fill.argument as usize);
                    let buffer = buffer.filter(|_| fill.members.is_empty());
                    let (Some(length), Some(buffer)) = (length.filter(|it| *it <= STRETCH), buffer)
                    else {
                        return Err(self.unsupported("an input of unknown length", site));
                    };
                    let mut bytes = Vec::new();
                    for _ in 0..length {
                        let index = self.world.terms.constant(32, u128::from(read));
                        read += 1;
                        let operands = [&[count, index], &asked[..]].concat();
                        bytes.push(self.world.reading(self.side, site, u32::MAX, 8, &operands));
                    }
                    self.store_bytes(site, *buffer, &bytes, 1, state)?;
                }
                self.read_results(site, inst, &asked, state);
                Ok(())
            }
            // What it gives may be anything.
            Some(Role::Silent) => {
                self.read_results(site, inst, &asked, state);
                Ok(())
            }
            Some(Role::Checkpoint) if model.setting.commits == Commits::Never => {
                self.read_results(site, inst, &[], state);
                Ok(())
            }
            Some(Role::Checkpoint) => Err(self.unsupported("a checkpoint", site)),
            Some(Role::Pure) => Err(self.unsupported(&format!("`{}`", function.name), site)),
            None => self.library(site, func, args, inst, state),
        }
    }

    fn length(&mut self, site: Site, args: &[Operand], index: u32, state: &State) -> Option<u64> {
        let length = self.operand(
            site.instance,
            *args.get(index as usize)?,
            self.world.pointer,
            state,
        );
        u64::try_from(self.world.terms.value(length)?).ok()
    }

    /// A function of the C library whose body is not followed.
    fn library(
        &mut self,
        site: Site,
        func: Func,
        args: &[Operand],
        inst: &Inst,
        state: &mut State,
    ) -> Result<(), Obstacle> {
        let name = self.world.model.program.functions[func].name.as_str();
        let first = |index: usize| args.get(index).copied().unwrap_or(Operand::Bits(0));
        match name {
            "memcpy" | "memmove" | "__memcpy_chk" | "__memmove_chk" => {
                self.copy(site, first(0), first(1), first(2), state)?;
            }
            "memset" | "__memset_chk" => {
                let value = self.operand(site.instance, first(1), 8, state);
                self.fill(site, first(0), value, first(2), state)?;
            }
            "bzero" | "explicit_bzero" => {
                let zero = self.world.terms.constant(8, 0);
                self.fill(site, first(0), zero, first(1), state)?;
            }
            "putchar" | "putc" | "fputc" | "puts" | "fputs" | "printf" => {
                return self.text(site, func, args, inst, state);
            }
            _ => return Err(self.unsupported(&format!("`{name}`"), site)),
        }
        if let Some(result) = inst.results.first() {
            let value = self.operand(site.instance, first(0), self.world.pointer, state);
            state.values.insert((site.instance, *result), value);
        }
        Ok(())
    }

    /// Text output: what it says depends on its arguments and on the memory that it reads.
    fn text(
        &mut self,
        site: Site,
        func: Func,
        args: &[Operand],
        inst: &Inst,
        state: &mut State,
    ) -> Result<(), Obstacle> {
        let model = self.world.model;
        let mut said = vec![state.outputs];
        for (arg, ty) in args.iter().zip(&model.program.functions[func].params) {
            let width = self.width(*ty);
            said.push(self.operand(site.instance, *arg, width, state));
        }
        let reads = model
            .effects(site)
            .map_or(&[][..], |effects| &effects.reads);
        for cell in reads.iter().flat_map(|touch| touch.cells.clone()) {
            let cell = model.accesses.cells[cell as usize];
            if self.is_constant(cell.object) {
                continue;
            }
            let size = model
                .points_to
                .objects
                .data(cell.object)
                .size
                .unwrap_or(i64::MAX);
            let end = cell.end.min(size);
            if end.saturating_sub(cell.start) > 64 {
                return Err(self.unsupported("text from a large object", site));
            }
            let bytes = state.memory(self.world, cell.object);
            for index in cell.start..end {
                let index = self.world.terms.constant(self.world.pointer, index as u128);
                let world = &mut *self.world;
                said.push(world.arrays.select(&mut world.terms, bytes, index));
            }
        }
        state.outputs = self.world.output(Source::Function(func), &said);
        self.read_results(site, inst, &[], state);
        Ok(())
    }

    fn service(
        &mut self,
        site: Site,
        service: Service,
        args: &[Operand],
        inst: &Inst,
        state: &mut State,
    ) -> Result<(), Obstacle> {
        match service {
            Service::Clock => {
                self.read_results(site, inst, &[], state);
                Ok(())
            }
            // What a handler does meanwhile is told by what is read afterwards.
            Service::AwaitInterrupt => {
                self.read_results(site, inst, &[], state);
                Ok(())
            }
            Service::CheckpointWith if self.world.model.setting.commits == Commits::Never => Ok(()),
            Service::FrameAddress | Service::ReturnAddress if args.len() == 1 => {
                Err(self.unsupported("the address of a frame", site))
            }
            _ => Err(self.unsupported(&format!("service `{}`", service.name()), site)),
        }
    }

    /// An output: the world changes as its effect says.
    pub(crate) fn emit(
        &mut self,
        site: Site,
        source: Source,
        output: &Output,
        args: &[(Term, bool)],
        state: &mut State,
    ) -> Result<(), Obstacle> {
        let values: Vec<Term> = args.iter().map(|(value, _)| *value).collect();
        let number = self.world.question.number(output);
        if output.effect != Effect::AtMostOnce {
            let mut said = vec![state.outputs];
            said.extend(&values);
            state.outputs = self.world.output(source, &said);
        }
        match &output.effect {
            Effect::Repeatable => return Ok(()),
            Effect::Unknown => {
                return Err(self.unsupported(&format!("the effect of `{}`", output.name), site));
            }
            Effect::Absolute => {
                let mut said = vec![self.world.terms.constant(1, 0)];
                said.extend(&values);
                state.environment[number] = self.world.output(source, &said);
            }
            Effect::Relative => {
                // The operands are told apart from those of an absolute one by a constant.
                let mut said = vec![self.world.terms.constant(2, 0), state.environment[number]];
                said.extend(&values);
                state.environment[number] = self.world.output(source, &said);
            }
            Effect::AtMostOnce => {
                if self.side == Side::Last {
                    let again = self.before[number];
                    let fine = self.world.terms.not(again);
                    let what = Difference::Output(Seen::Repeated(number as u32));
                    self.require(what, state.guard, fine);
                }
                state.done[number] = self.world.terms.yes();
            }
            Effect::Changes(changes) => {
                for change in changes {
                    let operand = match change.operand {
                        question::Operand::Argument(index) => match args.get(index as usize) {
                            Some((value, signed)) => self.number(*value, *signed),
                            None => self.world.terms.constant(64, 0),
                        },
                        question::Operand::Number(number) => {
                            self.world.terms.constant(64, number as u128)
                        }
                        question::Operand::Value(value) => state.environment[value],
                    };
                    let old = state.environment[change.value];
                    let terms = &mut self.world.terms;
                    state.environment[change.value] = match change.operator {
                        Operator::Assign => operand,
                        Operator::Add => terms.add(old, operand),
                        Operator::Subtract => terms.sub(old, operand),
                        Operator::Multiply => terms.binary(Binary::Mul, old, operand),
                        Operator::And => terms.and(old, operand),
                        Operator::Or => terms.or(old, operand),
                        Operator::ExclusiveOr => terms.binary(Binary::Xor, old, operand),
                    };
                }
            }
        }
        self.fails(site, state);
        Ok(())
    }

    /// A value as a number of 64 bits.
    fn number(&mut self, value: Term, signed: bool) -> Term {
        let width = self.world.terms.width(value);
        match signed {
            _ if width >= 64 => self.world.terms.extract(value, 0, 64),
            true => self.world.terms.sign_extend(value, 64),
            false => self.world.terms.zero_extend(value, 64),
        }
    }

    /// Power can fail here.
    pub(crate) fn fails(&mut self, site: Site, state: &State) {
        if self.side == Side::Failed {
            self.run.failures.push(Failure {
                site,
                guard: state.guard,
                memory: state.memory.clone(),
                environment: state.environment.clone(),
                done: state.done.clone(),
            });
        }
    }
}
