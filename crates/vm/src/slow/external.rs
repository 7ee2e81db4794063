//! Functions that the scenario binds: checkpoints, inputs, outputs.
//!
//! What inputs read and outputs do is told to the observer; what they do to the environment is done
//! here, because the environment belongs to the machine.

use brownout_ir::{Func, eval};
use brownout_scenario::{Effect, Extent, Fill, NoValue, Reading, Surroundings};

use super::{Machine, Next, next};
use crate::code::{IndirectCall, Slot, Slow, Source};
use crate::fault::Fault;
use crate::image::Binding;
use crate::observer::{Arrival, Moment, Observer, Register};

/// No driver fills more at once; a longer length is a slip of the program's.
const LONGEST_FILL: u64 = 1 << 16;

/// A call of a bound function.
pub(super) struct BoundCall<'a> {
    function: Func,
    binding: Option<&'a Binding>,
    args: &'a [u64],
    /// Where the result goes.
    result: Option<Register>,
    /// The registers that the arguments are in.
    registers: &'a [Register],
}

impl Machine<'_> {
    /// The next value of an input, seen by the observer.
    pub(super) fn next_input(
        &mut self,
        input: u32,
        bits: u32,
        at: Moment,
        observer: &mut dyn Observer,
    ) -> Result<u64, Fault> {
        let value = match observer.answer(at, input, bits) {
            Some(value) => self.count_reading(input, bits, value),
            None => self.read_input(input, bits, at)?,
        };
        observer.input(at, input, value);
        Ok(value)
    }

    /// A reading whose value somebody else decided, cut to its width.
    pub(crate) fn count_reading(&mut self, input: u32, bits: u32, value: u64) -> u64 {
        if let Some(read) = self.inputs_read.get_mut(input as usize) {
            *read += 1;
        }
        value & eval::narrow::mask(bits.min(64))
    }

    /// The next value of an input.
    pub(crate) fn read_input(&mut self, input: u32, bits: u32, at: Moment) -> Result<u64, Fault> {
        let image = self.image;
        if self.forced.is_empty()
            && self.attempt.is_none()
            && let Some(source) = image.bindings.inputs.get(input as usize)
            && let Some(read) = self.inputs_read.get_mut(input as usize)
            && let Some(value) = source.value_by_index(*read, bits)
        {
            *read += 1;
            return Ok(value);
        }
        let Some(place) = self.reading_place(input, at.pc) else {
            let number = self.inputs_read[input as usize];
            return self.compute_input(input, bits, number, at);
        };
        let given = self
            .given(place)
            .or_else(|| self.steady_reading(input, bits));
        let value = match given {
            Some(value) => value & eval::narrow::mask(bits.min(64)),
            None => {
                let number = self.reading_number(place);
                self.compute_input(input, bits, number, at)?
            }
        };
        self.note_reading(place, value);
        Ok(value)
    }

    /// The next value of an input that takes longer to make.
    #[inline(never)]
    fn compute_input(
        &mut self,
        input: u32,
        bits: u32,
        number: u64,
        at: Moment,
    ) -> Result<u64, Fault> {
        if let Some(value) = self.forced_value(input, bits) {
            self.inputs_read[input as usize] += 1;
            return Ok(value);
        }
        let bindings = &self.image.bindings;
        let reading = Reading {
            index: number,
            time: at.time.saturating_sub(self.input_delay),
            bits: bits.min(64),
        };
        let mut surroundings = Surroundings {
            names: &bindings.environment.names,
            values: &mut self.environment,
        };
        match bindings.inputs[input as usize].value(reading, &mut surroundings) {
            Ok(value) => {
                self.inputs_read[input as usize] += 1;
                Ok(value)
            }
            Err(none) => Err(self.without_value(input, none)),
        }
    }

    #[cold]
    fn without_value(&self, input: u32, none: NoValue) -> Fault {
        match none {
            NoValue::Ended => Fault::InputEnded,
            NoValue::Script(error) => {
                let name = self.image.bindings.input_names.get(input as usize);
                Fault::Script {
                    name: name.cloned().unwrap_or_default(),
                    error,
                }
            }
        }
    }

    /// Makes an output: the observer sees it, time passes, then the environment changes.
    pub(super) fn make_output(
        &mut self,
        output: u32,
        args: &[u64],
        function: Option<Func>,
        at: Moment,
        observer: &mut dyn Observer,
    ) -> Result<(), Fault> {
        observer.output(at, output, args);
        let image = self.image;
        let Some(binding) = image.bindings.outputs.get(output as usize) else {
            return Ok(());
        };
        self.time += binding.takes;
        if binding.effect.is_empty() {
            return Ok(());
        }
        let args = image.arguments_of(function, args);
        self.apply(output, &binding.effect, &args)
    }

    fn apply(&mut self, output: u32, effect: &Effect, args: &[i64]) -> Result<(), Fault> {
        let bindings = &self.image.bindings;
        let mut surroundings = Surroundings {
            names: &bindings.environment.names,
            values: &mut self.environment,
        };
        effect.apply(args, &mut surroundings).map_err(|error| {
            let name = bindings.outputs[output as usize].name.clone();
            Fault::Script { name, error }
        })
    }

    /// Calls a function the scenario binds.
    pub(super) fn external(
        &mut self,
        (function, binding): (Func, Option<&Binding>),
        args: &[(Source, u32)],
        dst: &[(Slot, u32)],
        observer: &mut dyn Observer,
    ) -> Result<Next, Fault> {
        // Inputs and checkpoints mostly have no arguments: nothing is allocated for them.
        let mut values: Vec<u64> = Vec::new();
        let mut registers: Vec<Register> = Vec::new();
        let flow = observer.flow();
        for &(source, bits) in args {
            values.push(self.wide(source, bits) as u64);
            registers.extend(self.register_of(source).filter(|_| flow));
        }
        let call = BoundCall {
            function,
            binding,
            args: &values,
            result: dst.first().map(|&(slot, _)| self.number(slot)),
            registers: &registers,
        };
        for &(slot, bits) in dst {
            self.flow_wide(slot, bits, &[], observer);
        }
        let (next, value) = self.call_external(&call, observer)?;
        for (index, &(slot, bits)) in dst.iter().enumerate() {
            let value = if index == 0 {
                value & eval::narrow::mask(bits.min(64))
            } else {
                0
            };
            self.set_wide(slot, bits, value.into());
        }
        Ok(next)
    }

    /// A function the scenario binds: what comes next, and its value.
    fn call_external(
        &mut self,
        call: &BoundCall<'_>,
        observer: &mut dyn Observer,
    ) -> Result<(Next, u64), Fault> {
        let at = self.moment();
        let image = self.image;
        let function = &image.program.functions[call.function];
        let bits = |ty: &brownout_ir::Type| ty.bits(&image.program.target);
        match call.binding {
            Some(Binding::Checkpoint) => Ok((next(observer.checkpoint(at, &[])), 0)),
            Some(&Binding::Input(input)) => {
                let bits = function.results.first().map_or(64, bits);
                let value = self.next_input(input, bits, at, observer)?;
                if let Some(result) = call.result {
                    observer.arrive(at, input, Arrival::Register(result));
                }
                Ok((Next::Operation, value))
            }
            Some(Binding::Fill(input, fill, result)) => {
                let mut value = self.fill_buffers(*input, fill, call, observer)?;
                if let Some(number) = *result {
                    let bits = function.results.first().map_or(64, bits);
                    value = self.next_input(number, bits, at, observer)?;
                    if let Some(register) = call.result {
                        observer.arrive(at, number, Arrival::Register(register));
                    }
                }
                Ok((Next::Operation, value))
            }
            Some(&Binding::Output(output)) => {
                observer.spend(at, call.registers);
                self.make_output(output, call.args, Some(call.function), at, observer)?;
                Ok((Next::Operation, 0))
            }
            Some(Binding::Ignore) => Ok((Next::Operation, 0)),
            Some(Binding::Flash(function)) => {
                let value = self.flash(function, call.args, observer)?;
                Ok((Next::Operation, value))
            }
            // The pipeline refuses programs that can get here.
            None => Err(Fault::WildCall {
                address: image.layout.function(call.function),
            }),
        }
    }

    /// An input function that fills buffers; gives what it returns.
    fn fill_buffers(
        &mut self,
        input: u32,
        fill: &Fill,
        call: &BoundCall<'_>,
        observer: &mut dyn Observer,
    ) -> Result<u64, Fault> {
        let at = self.moment();
        let mut returned = fill.returns.unwrap_or(0) as u64;
        let mask = self.image.layout.address_mask();
        let mut filled = 0;
        for buffer in &fill.buffers {
            let length = match &buffer.length {
                Extent::Pointee => buffer.width.into(),
                Extent::Bytes(bytes) => (*bytes).into(),
                Extent::Computed(length) => self.operand(length, call.args, observer)? & mask,
                Extent::Result => {
                    returned = self.next_input(input, 15, at, observer)?;
                    if let Some(result) = call.result {
                        observer.arrive(at, input, Arrival::Register(result));
                    }
                    returned
                }
            };
            let address = self.operand(&buffer.pointer, call.args, observer)? & mask;
            // What may be asked for, and is not, has no address.
            let way = buffer.pointer.as_reference();
            let is_plain = way.is_some_and(|(_, members)| members.is_empty());
            let is_wanted = address != 0 || (is_plain && fill.buffers.len() == 1);
            let length = match is_wanted {
                true => length.min(LONGEST_FILL).min(self.room(address)) as usize,
                false => 0,
            };
            let mut bytes = Vec::with_capacity(length);
            while bytes.len() < length {
                let value = self.next_input(input, buffer.width * 8, at, observer)?;
                let width = (buffer.width as usize).min(length - bytes.len());
                bytes.extend_from_slice(&value.to_le_bytes()[..width]);
            }
            if bytes.is_empty() {
                continue;
            }
            let offset = self.write_bytes(address, &bytes, observer)?;
            let size = bytes.len() as u32;
            observer.arrive(at, input, Arrival::Memory { offset, size });
            filled += size;
        }
        if filled > 0 {
            self.pass_time(filled);
        }
        Ok(returned)
    }

    /// How many bytes can be filled from an address on: all, but in memory that was made up.
    fn room(&self, address: u64) -> u64 {
        let image = self.image;
        let mut invented = image.bindings.invented.iter().map(|&global| {
            let start = image.layout.global(global);
            start..start + image.program.globals[global].size
        });
        let around = invented.find(|bytes| bytes.contains(&address));
        around.map_or(u64::MAX, |bytes| bytes.end - address)
    }

    /// The same through a pointer: arguments lie in the outgoing registers.
    pub(crate) fn call_external_indirectly(
        &mut self,
        function: Func,
        call: &IndirectCall,
        out: u32,
        observer: &mut dyn Observer,
    ) -> Result<Next, Fault> {
        let mut slot = out as Slot;
        let mut args = Vec::with_capacity(call.arg_bits.len());
        let mut registers = Vec::with_capacity(call.arg_bits.len());
        for &bits in &call.arg_bits {
            args.push(self.register(slot));
            registers.push(self.number(slot));
            slot += 1 + Slot::from(Slow::is_wide(bits));
        }
        let bound = BoundCall {
            function,
            binding: self.image.bindings.functions.get(&function),
            args: &args,
            result: (!call.result_bits.is_empty()).then(|| self.number(out as Slot)),
            registers: &registers,
        };
        let (next, value) = self.call_external(&bound, observer)?;
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
}
