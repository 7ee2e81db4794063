//! Functions that the scenario binds: checkpoints, inputs, outputs.

use brownout_ir::{Func, eval};

use super::{Machine, Next, next};
use crate::code::{IndirectCall, Slot, Slow, Source};
use crate::fault::Fault;
use crate::image::Binding;
use crate::observer::{Moment, Observer};

impl Machine<'_> {
    pub(super) fn next_input<O: Observer>(
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

    /// Calls a function the scenario binds.
    pub(super) fn external<O: Observer>(
        &mut self,
        function: Func,
        args: &[(Source, u32)],
        dst: &[(Slot, u32)],
        observer: &mut O,
    ) -> Result<Next, Fault> {
        let args: Vec<u64> = args
            .iter()
            .map(|&(source, bits)| self.wide(source, bits) as u64)
            .collect();
        let (next, value) = self.call_external(function, &args, observer)?;
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
    pub(super) fn call_external<O: Observer>(
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
}
