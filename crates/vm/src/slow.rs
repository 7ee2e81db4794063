//! Rare operations: wide values, block copies, services of the machine,
//! functions bound by the scenario, device registers.

use std::ops::ControlFlow;

use brownout_ir::{Func, Service, eval};

use crate::code::{IndirectCall, Op, Slot, Slow, Source};
use crate::fault::{Access, Assertion, Fault};
use crate::image::Binding;
use crate::layout::{FIRST, FREED, USABLE};
use crate::machine::Machine;
use crate::observer::{Moment, Observer, Stream};

/// What comes after a rare operation.
pub(crate) enum Next {
    /// The operation behind it.
    Operation,
    /// Another one.
    Jump(u32),
    /// The one behind it, but later.
    Pause,
    /// Nothing.
    Exit(i32),
}

impl Machine<'_> {
    fn register(&self, slot: Slot) -> u64 {
        self.processor.registers[self.processor.window as usize + usize::from(slot)]
    }

    fn set_register(&mut self, slot: Slot, value: u64) {
        let index = self.processor.window as usize + usize::from(slot);
        self.processor.registers[index] = value;
    }

    fn wide(&self, source: Source, bits: u32) -> u128 {
        match source {
            Source::Slot(slot) if Slow::is_wide(bits) => {
                u128::from(self.register(slot)) | u128::from(self.register(slot + 1)) << 64
            }
            Source::Slot(slot) => self.register(slot).into(),
            Source::Bits(value) => value,
            Source::Frame(offset) => {
                let address = self.processor.fp.wrapping_add(offset as u64);
                (address & self.image.layout.address_mask()).into()
            }
        }
    }

    fn narrow(&self, source: Source) -> u64 {
        self.wide(source, 64) as u64
    }

    fn set_wide(&mut self, slot: Slot, bits: u32, value: u128) {
        self.set_register(slot, value as u64);
        if Slow::is_wide(bits) {
            self.set_register(slot + 1, (value >> 64) as u64);
        }
    }

    fn moment(&self) -> Moment {
        let pc = self.processor.pc;
        Moment {
            time: self.time + u64::from(self.image.code.ticks[pc as usize]),
            pc,
        }
    }

    /// Executes the rare operation `index`.
    pub(crate) fn slow<O: Observer, const JOURNAL: bool>(
        &mut self,
        index: u32,
        observer: &mut O,
    ) -> Result<Next, Fault> {
        let image = self.image;
        match &image.code.slow[index as usize] {
            &Slow::IntBinary {
                op,
                bits,
                dst,
                a,
                b,
            } => {
                let (a, b) = (self.wide(a, bits), self.wide(b, bits));
                let value = eval::wide::binary(op, bits, a, b)
                    .map_err(|eval::DivisionByZero| Fault::DivisionByZero)?;
                let bits = if op.result(brownout_ir::Type::Ptr) == brownout_ir::Type::BOOL {
                    1
                } else {
                    bits
                };
                self.set_wide(dst, bits, value);
            }
            &Slow::IntUnary { op, bits, dst, a } => {
                let value = eval::wide::unary(op, bits, self.wide(a, bits));
                self.set_wide(dst, bits, value);
            }
            &Slow::IntTernary {
                op,
                bits,
                dst,
                a,
                b,
                c,
            } => {
                let value = eval::wide::ternary(
                    op,
                    bits,
                    self.wide(a, bits),
                    self.wide(b, bits),
                    self.wide(c, bits),
                );
                self.set_wide(dst, bits, value);
            }
            &Slow::IntCompare {
                op,
                bits,
                dst,
                a,
                b,
            } => {
                let holds = eval::wide::compare(op, bits, self.wide(a, bits), self.wide(b, bits));
                self.set_register(dst, holds.into());
            }
            &Slow::FloatBinary {
                op,
                kind,
                dst,
                a,
                b,
            } => {
                let bits = kind.bits();
                let value = eval::float_binary(op, kind, self.wide(a, bits), self.wide(b, bits));
                self.set_wide(dst, bits, value);
            }
            &Slow::FloatUnary { op, kind, dst, a } => {
                let value = eval::float_unary(op, kind, self.wide(a, kind.bits()));
                self.set_wide(dst, kind.bits(), value);
            }
            &Slow::FloatFma { kind, dst, a, b, c } => {
                let bits = kind.bits();
                let value = eval::float_fma(
                    kind,
                    self.wide(a, bits),
                    self.wide(b, bits),
                    self.wide(c, bits),
                );
                self.set_wide(dst, bits, value);
            }
            &Slow::FloatCompare {
                op,
                kind,
                dst,
                a,
                b,
            } => {
                let bits = kind.bits();
                let holds = eval::float_compare(op, kind, self.wide(a, bits), self.wide(b, bits));
                self.set_register(dst, holds.into());
            }
            &Slow::Cast {
                op,
                from,
                from_bits,
                to,
                to_bits,
                dst,
                a,
            } => {
                let value = eval::cast(op, from, from_bits, to, to_bits, self.wide(a, from_bits));
                self.set_wide(dst, to_bits, value);
            }
            &Slow::WideSelect {
                dst,
                condition,
                a,
                b,
            } => {
                let chosen = if self.narrow(condition) != 0 { a } else { b };
                let value = self.wide(chosen, 128);
                self.set_wide(dst, 128, value);
            }
            &Slow::Load { bits, dst, address } => {
                let size = bits.div_ceil(8);
                let bytes = self.read_bytes(self.narrow(address), size, observer)?;
                let mut value = [0; 16];
                value[..bytes.len()].copy_from_slice(&bytes);
                let value = u128::from_le_bytes(value) & eval::wide::mask(bits);
                self.set_wide(dst, bits, value);
            }
            &Slow::Store {
                bits,
                address,
                value,
            } => {
                let size = bits.div_ceil(8) as usize;
                let bytes = self.wide(value, bits).to_le_bytes();
                self.write_bytes::<O, JOURNAL>(self.narrow(address), &bytes[..size], observer)?;
            }
            &Slow::Copy { to, from, length } => {
                let (to, from, length) = (self.narrow(to), self.narrow(from), self.narrow(length));
                self.copy::<O, JOURNAL>(to, from, length, observer)?;
            }
            &Slow::Fill { to, byte, length } => {
                let (to, byte, length) = (
                    self.narrow(to),
                    self.narrow(byte) as u8,
                    self.narrow(length),
                );
                let length = self.checked_length(to, length, Access::Write)?;
                let bytes = vec![byte; length as usize];
                self.write_bytes::<O, JOURNAL>(to, &bytes, observer)?;
                self.pass_time(length);
            }
            &Slow::StackAlloc { dst, size, align } => {
                let size = self.narrow(size);
                let room =
                    self.processor.sp - (image.layout.base + u64::from(image.layout.stack.start));
                let align = u64::from(align.max(u32::from(image.layout.pointer_bits / 8)));
                if size.saturating_add(align) > room {
                    return Err(Fault::StackOverflow);
                }
                self.processor.sp = (self.processor.sp - size) & !(align - 1);
                self.deepest = self.deepest.min(self.processor.sp);
                self.set_register(dst, self.processor.sp);
                observer.stack(
                    self.moment(),
                    (self.processor.sp - image.layout.base) as u32,
                );
            }
            &Slow::StackSave { dst } => self.set_register(dst, self.processor.sp),
            &Slow::StackRestore { pointer } => {
                let pointer = self.narrow(pointer);
                let stack = &image.layout.stack;
                let low = image.layout.base + u64::from(stack.start);
                if pointer < low || pointer > image.layout.base + u64::from(stack.end) {
                    return Err(Fault::StackOverflow);
                }
                self.processor.sp = pointer;
                observer.stack(self.moment(), (pointer - image.layout.base) as u32);
            }
            Slow::Service { service, dst, args } => {
                return self.service::<O>(*service, *dst, args, observer);
            }
            Slow::External {
                function,
                args,
                dst,
            } => {
                let args: Vec<u64> = args
                    .iter()
                    .map(|&(source, bits)| self.wide(source, bits) as u64)
                    .collect();
                let (next, value) = self.call_external(*function, &args, observer)?;
                for (index, &(slot, bits)) in dst.iter().enumerate() {
                    let value = if index == 0 {
                        value & eval::narrow::mask(bits.min(64))
                    } else {
                        0
                    };
                    self.set_wide(slot, bits, value.into());
                }
                return Ok(next);
            }
            Slow::Computed {
                address,
                targets,
                cost,
            } => {
                let address = self.narrow(*address);
                let Some(&(_, target)) = targets.iter().find(|(label, _)| *label == address) else {
                    return Err(Fault::WildJump { address });
                };
                self.time += u64::from(*cost);
                return Ok(Next::Jump(target));
            }
            Slow::Unreachable => return Err(Fault::Unreachable),
        }
        Ok(Next::Operation)
    }

    /// Copies and fills take as long as a loop over words would.
    fn pass_time(&mut self, bytes: u32) {
        self.time += u64::from(bytes / u32::from(self.image.layout.pointer_bits / 8));
    }

    /// A length that stays inside memory, so that nothing huge is allocated for it.
    fn checked_length(&self, address: u64, length: u64, access: Access) -> Result<u32, Fault> {
        match u32::try_from(length) {
            Ok(length) if length <= self.image.layout.size => Ok(length),
            _ => Err(Fault::Unmapped {
                address,
                size: u32::try_from(length).unwrap_or(u32::MAX),
                access,
            }),
        }
    }

    fn copy<O: Observer, const JOURNAL: bool>(
        &mut self,
        to: u64,
        from: u64,
        length: u64,
        observer: &mut O,
    ) -> Result<(), Fault> {
        let length = self.checked_length(from, length, Access::Read)?;
        if length == 0 {
            return Ok(());
        }
        let bytes = self.read_bytes(from, length, observer)?;
        self.write_bytes::<O, JOURNAL>(to, &bytes, observer)?;
        self.pass_time(length);
        Ok(())
    }

    /// Reads a stretch of memory, observed.
    fn read_bytes<O: Observer>(
        &mut self,
        address: u64,
        size: u32,
        observer: &mut O,
    ) -> Result<Vec<u8>, Fault> {
        if size == 0 {
            return Ok(Vec::new());
        }
        let offset = self.read_slowly(address, size, self.moment(), observer)?;
        if O::ACCESSES {
            observer.load(self.moment(), &self.memory, offset, size);
        }
        Ok(self.memory[offset as usize..(offset + size) as usize].to_vec())
    }

    /// Writes a stretch of memory, observed and journalled.
    fn write_bytes<O: Observer, const JOURNAL: bool>(
        &mut self,
        address: u64,
        bytes: &[u8],
        observer: &mut O,
    ) -> Result<(), Fault> {
        let size = bytes.len() as u32;
        if size == 0 {
            return Ok(());
        }
        let offset = self.resolve(address, size, Access::Write)?;
        if O::ACCESSES {
            observer.store(self.moment(), &self.memory, offset, bytes);
        }
        if JOURNAL {
            self.journal.record(&self.memory, offset, size);
        }
        self.memory[offset as usize..(offset + size) as usize].copy_from_slice(bytes);
        let mut value = [0; 8];
        let low = bytes.len().min(8);
        value[..low].copy_from_slice(&bytes[..low]);
        self.wrote_slowly(offset, u64::from_le_bytes(value), self.moment(), observer);
        Ok(())
    }

    /// The offset of a read that the fast path does not serve; an input register gets its next value.
    pub(crate) fn read_slowly<O: Observer>(
        &mut self,
        address: u64,
        size: u32,
        at: Moment,
        observer: &mut O,
    ) -> Result<u32, Fault> {
        let offset = self.resolve(address, size, Access::Read)?;
        if let Some(&(_, _, input)) = self
            .image
            .input_ranges
            .iter()
            .find(|(start, end, _)| (*start..*end).contains(&offset))
        {
            let value = self.next_input(input, size * 8, at, observer);
            let width = (size as usize).min(8);
            if self.journaling {
                self.journal.record(&self.memory, offset, width as u32);
            }
            self.memory[offset as usize..offset as usize + width]
                .copy_from_slice(&value.to_le_bytes()[..width]);
        }
        Ok(offset)
    }

    /// Tells the observer of writes to output registers.
    pub(crate) fn wrote_slowly<O: Observer>(
        &mut self,
        offset: u32,
        value: u64,
        at: Moment,
        observer: &mut O,
    ) {
        let ranges = &self.image.output_ranges;
        if let Some(&(_, _, output)) = ranges
            .iter()
            .find(|(start, end, _)| (*start..*end).contains(&offset))
        {
            observer.output(at, output, &[value]);
        }
    }

    fn next_input<O: Observer>(
        &mut self,
        input: u32,
        bits: u32,
        at: Moment,
        observer: &mut O,
    ) -> u64 {
        let index = self.inputs_read[input as usize];
        self.inputs_read[input as usize] += 1;
        let value = self.image.bindings.inputs[input as usize].value(index, bits.min(64));
        observer.input(at, input, value);
        value
    }

    /// A function the scenario binds: what comes next, and its value.
    fn call_external<O: Observer>(
        &mut self,
        function: Func,
        args: &[u64],
        observer: &mut O,
    ) -> Result<(Next, u64), Fault> {
        let at = self.moment();
        let image = self.image;
        match image.bindings.functions.get(&function) {
            Some(Binding::Checkpoint) => Ok((next(observer.checkpoint(at, &[])), 0)),
            Some(&Binding::Input(input)) => {
                let bits = image.program.functions[function]
                    .results
                    .first()
                    .map_or(64, |ty| ty.bits(&image.program.target));
                Ok((Next::Operation, self.next_input(input, bits, at, observer)))
            }
            Some(&Binding::Output(output)) => {
                observer.output(at, output, args);
                Ok((Next::Operation, 0))
            }
            Some(Binding::Ignore) => Ok((Next::Operation, 0)),
            // The pipeline refuses programs that can get here.
            None => Err(Fault::WildCall {
                address: image.layout.function(function),
            }),
        }
    }

    /// The same through a pointer: arguments lie in the outgoing registers.
    pub(crate) fn call_external_indirectly<O: Observer, const JOURNAL: bool>(
        &mut self,
        function: Func,
        call: &IndirectCall,
        out: u32,
        observer: &mut O,
    ) -> Result<Next, Fault> {
        let mut slot = out as Slot;
        let mut args = Vec::with_capacity(call.arg_bits.len());
        for &bits in &call.arg_bits {
            args.push(self.register(slot));
            slot += 1 + Slot::from(Slow::is_wide(bits));
        }
        let (next, value) = self.call_external(function, &args, observer)?;
        let mut slot = out as Slot;
        for (index, &bits) in call.result_bits.iter().enumerate() {
            let value = if index == 0 {
                value & eval::narrow::mask(bits.min(64))
            } else {
                0
            };
            self.set_wide(slot, bits, value.into());
            slot += 1 + Slot::from(Slow::is_wide(bits));
        }
        Ok(next)
    }

    fn service<O: Observer>(
        &mut self,
        service: Service,
        dst: Option<Slot>,
        args: &[Source],
        observer: &mut O,
    ) -> Result<Next, Fault> {
        let image = self.image;
        let args: Vec<u64> = args.iter().map(|&source| self.narrow(source)).collect();
        let at = self.moment();
        let arg = |index: usize| args.get(index).copied().unwrap_or(0);
        let int_bits = image.program.target.int().bits(&image.program.target);
        let give = |machine: &mut Self, value: u64| {
            if let Some(dst) = dst {
                machine.set_register(dst, value);
            }
        };
        match service {
            Service::Write => {
                let length = self.checked_length(arg(1), arg(2), Access::Read)?;
                let bytes = self.read_bytes(arg(1), length, observer)?;
                let stream = if arg(0) == 2 {
                    Stream::Error
                } else {
                    Stream::Output
                };
                observer.write(at, stream, &bytes);
            }
            Service::Exit => return Ok(Next::Exit(eval::narrow::signed(int_bits, arg(0)) as i32)),
            Service::Abort => return Err(Fault::Aborted),
            Service::Trap => return Err(Fault::Trap),
            Service::AssertFail => {
                let (expression, file) = (self.guest_text(arg(0)), self.guest_text(arg(1)));
                return Err(Fault::AssertionFailed {
                    assertion: Assertion::Written {
                        expression,
                        place: format!("{file}:{}", arg(2)),
                    },
                });
            }
            Service::HeapStart => {
                give(self, image.layout.base + u64::from(image.layout.heap.start))
            }
            Service::HeapSize => give(
                self,
                (image.layout.heap.end - image.layout.heap.start).into(),
            ),
            Service::HeapAllocated => {
                let (offset, size) = self.mark_heap(arg(0), arg(1), FIRST, USABLE)?;
                self.heap_used.1 += u64::from(size);
                self.heap_used.0 = self.heap_used.0.max(self.heap_used.1);
                observer.allocate(at, offset, size);
            }
            Service::HeapFreed => {
                let size = self.usable_length(arg(0));
                let (offset, size) = self.mark_heap(arg(0), size, FREED, 0)?;
                self.heap_used.1 = self.heap_used.1.saturating_sub(size.into());
                observer.free(at, offset);
            }
            Service::BadFree => {
                let address = arg(0);
                let assertion = match self.heap_marks(address).first() {
                    Some(&FREED) => Assertion::NotFreed { address },
                    _ => Assertion::IsBlock { address },
                };
                return Err(Fault::AssertionFailed { assertion });
            }
            Service::SetJump => {
                // The buffer holds: frame number, frame pointer, stack pointer, operation, register of the result.
                let frames = self.processor.frames.len() as u64;
                let slot = dst.map_or(0, u64::from);
                let words = [
                    frames,
                    self.processor.fp,
                    self.processor.sp,
                    u64::from(self.processor.pc),
                    slot,
                ];
                self.write_words(arg(0), &words, observer)?;
                give(self, 0);
            }
            Service::LongJump => return self.long_jump(arg(0), arg(1), observer),
            Service::FrameAddress => give(self, if arg(0) == 0 { self.processor.fp } else { 0 }),
            Service::ReturnAddress => {
                let token = self.processor.frames.last().map_or(0, |frame| frame.token);
                give(self, if arg(0) == 0 { token } else { 0 });
            }
            Service::Clock => give(self, at.time),
            Service::CheckpointWith => {
                let saves = self.saved_ranges(arg(0), arg(1), observer)?;
                return Ok(next(observer.checkpoint(at, &saves)));
            }
        }
        Ok(Next::Operation)
    }

    /// Words as wide as a pointer; the operation number of `setjmp` needs two on small targets.
    fn write_words<O: Observer>(
        &mut self,
        address: u64,
        words: &[u64],
        observer: &mut O,
    ) -> Result<(), Fault> {
        let width = usize::from(self.image.layout.pointer_bits / 8);
        let mut bytes = Vec::new();
        for (index, word) in words.iter().enumerate() {
            let width = if index == 3 { width.max(4) } else { width };
            bytes.extend_from_slice(&word.to_le_bytes()[..width]);
        }
        if self.journaling {
            self.write_bytes::<O, true>(address, &bytes, observer)
        } else {
            self.write_bytes::<O, false>(address, &bytes, observer)
        }
    }

    fn long_jump<O: Observer>(
        &mut self,
        buffer: u64,
        value: u64,
        observer: &mut O,
    ) -> Result<Next, Fault> {
        let width = usize::from(self.image.layout.pointer_bits / 8);
        let widths = [width, width, width, width.max(4), width];
        let bytes = self.read_bytes(buffer, widths.iter().sum::<usize>() as u32, observer)?;
        let mut words = [0u64; 5];
        let mut at = 0;
        for (word, width) in words.iter_mut().zip(widths) {
            let mut padded = [0; 8];
            padded[..width].copy_from_slice(&bytes[at..at + width]);
            *word = u64::from_le_bytes(padded);
            at += width;
        }
        let [frames, fp, sp, pc, slot] = words;
        let depth = usize::try_from(frames).unwrap_or(usize::MAX);
        let target = depth
            .checked_sub(1)
            .and_then(|last| self.processor.frames.get(last))
            .copied();
        let alive = target.and_then(|frame| {
            self.function_code(frame.function as usize)
                .map(|code| (frame, code))
        });
        let low = self.image.layout.base + u64::from(self.image.layout.stack.start);
        match alive {
            // The buffer is the guest's to overwrite: nothing in it is trusted.
            Some((frame, code))
                if frame.frame_pointer == fp
                    && (low..=fp).contains(&sp)
                    && (u64::from(code.entry)..u64::from(code.end)).contains(&pc)
                    && self.is_set_jump(pc as u32, slot) =>
            {
                // The window of a frame is where its callee's caller window points.
                let window = match self.processor.frames.get(depth) {
                    Some(callee) => callee.caller_window,
                    None => self.processor.window,
                };
                self.processor.frames.truncate(depth);
                // The generated start function is not a call.
                observer.unwind(self.moment(), depth - 1);
                self.processor.window = window;
                self.processor.fp = fp;
                self.processor.sp = sp;
                // Time since the `setjmp` was counted when its stretch of code ended.
                self.time += u64::from(self.image.code.ticks[self.processor.pc as usize]);
                self.time = self
                    .time
                    .saturating_sub(self.image.code.ticks[pc as usize].into());
                self.set_register(slot as Slot, if value == 0 { 1 } else { value });
                Ok(Next::Jump(pc as u32 + 1))
            }
            _ => Err(Fault::DeadJump),
        }
    }

    /// Whether an operation is a `setjmp` that leaves its result in `slot`.
    fn is_set_jump(&self, pc: u32, slot: u64) -> bool {
        let code = &self.image.code;
        let Some(&Op::Slow { index }) = code.ops.get(pc as usize) else {
            return false;
        };
        match &code.slow[index as usize] {
            Slow::Service {
                service: Service::SetJump,
                dst,
                ..
            } => dst.map_or(0, u64::from) == slot,
            _ => false,
        }
    }

    /// Marks the first byte and the rest of a stretch of heap; gives offset and size.
    fn mark_heap(
        &mut self,
        address: u64,
        size: u64,
        first: u8,
        rest: u8,
    ) -> Result<(u32, u32), Fault> {
        let layout = &self.image.layout;
        let offset = address.wrapping_sub(layout.base + u64::from(layout.heap.start));
        let length = u64::from(layout.heap.end - layout.heap.start);
        if offset.checked_add(size).is_none_or(|end| end > length) {
            return Err(Fault::Unmapped {
                address,
                size: size as u32,
                access: Access::Write,
            });
        }
        let (offset, size) = (offset as u32, size as u32);
        let start = layout.heap_map + offset;
        if self.journaling {
            self.journal.record(&self.memory, start, size);
        }
        self.memory[start as usize..(start + size) as usize].fill(rest);
        if size > 0 {
            self.memory[start as usize] = first;
        }
        Ok((layout.heap.start + offset, size))
    }

    /// The marks of the heap from `address` on; none for addresses outside.
    fn heap_marks(&self, address: u64) -> &[u8] {
        let layout = &self.image.layout;
        let offset = address.wrapping_sub(layout.base + u64::from(layout.heap.start));
        if offset >= u64::from(layout.heap.end - layout.heap.start) {
            return &[];
        }
        let start = (u64::from(layout.heap_map) + offset) as usize;
        &self.memory[start..layout.size as usize]
    }

    /// The length of the block at `address`.
    fn usable_length(&self, address: u64) -> u64 {
        self.heap_marks(address)
            .iter()
            .enumerate()
            .take_while(|&(index, &mark)| mark == if index == 0 { FIRST } else { USABLE })
            .count() as u64
    }

    /// A string of the guest, for messages.
    fn guest_text(&self, address: u64) -> String {
        let mut text = Vec::new();
        for at in address..address.saturating_add(200) {
            match self.resolve(at, 1, Access::Read) {
                Ok(offset) if self.memory[offset as usize] != 0 => {
                    text.push(self.memory[offset as usize])
                }
                _ => break,
            }
        }
        String::from_utf8_lossy(&text).into_owned()
    }

    /// The (address, size) pairs of `brownout_checkpoint_with`, as offsets.
    fn saved_ranges<O: Observer>(
        &mut self,
        list: u64,
        count: u64,
        observer: &mut O,
    ) -> Result<Vec<(u32, u32)>, Fault> {
        let width = u32::from(self.image.layout.pointer_bits / 8);
        // `unsigned long` has four bytes on the smallest targets.
        let size_width = width.max(4);
        let mut saves = Vec::new();
        for index in 0..count.min(64) {
            let at = list + index * u64::from(width + size_width);
            let bytes = self.read_bytes(at, width + size_width, observer)?;
            let number = |bytes: &[u8]| {
                bytes
                    .iter()
                    .rev()
                    .fold(0u64, |value, byte| value << 8 | u64::from(*byte))
            };
            let (address, size) = (
                number(&bytes[..width as usize]),
                number(&bytes[width as usize..]),
            );
            let size = self.checked_length(address, size, Access::Read)?;
            if size > 0 {
                saves.push((self.resolve(address, size, Access::Read)?, size));
            }
        }
        Ok(saves)
    }
}

fn next(flow: ControlFlow<()>) -> Next {
    match flow {
        ControlFlow::Continue(()) => Next::Operation,
        ControlFlow::Break(()) => Next::Pause,
    }
}
