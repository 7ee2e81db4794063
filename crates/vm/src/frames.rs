//! Windows of registers: room for them, and arguments that fit them.

use brownout_ir::{Func, eval};

use crate::code::{FunctionCode, IndirectCall, words};
use crate::fault::Fault;
use crate::machine::Machine;

impl<'i> Machine<'i> {
    #[inline(always)]
    pub(crate) fn current_function(&self) -> Option<&'i FunctionCode> {
        let frame = self.processor.frames.last()?;
        self.function_code(frame.function as usize)
    }

    /// Registers for a window and its outgoing arguments.
    #[inline(always)]
    pub(crate) fn make_room(&mut self, window: u32, function: &FunctionCode) {
        // Callees of another shape may look at a few arguments more than the caller passed.
        let needed = (window + function.window + function.outgoing) as usize + 64;
        if self.processor.registers.len() < needed {
            self.processor.registers.resize(needed * 2, 0);
        }
    }

    /// Arguments that make no sense to a callee: it takes a variable number of them, which lie in
    /// memory, and the caller, who does not know that, passes some in registers.
    #[cold]
    pub(crate) fn misfit(&self, func: Func, call: &IndirectCall) -> Option<Fault> {
        let function = &self.image.program.functions[func];
        let (passed, params) = (call.arg_bits.len(), function.params.len());
        let has_area = passed == params && call.ends_in_pointer;
        (function.variadic && passed >= params && !has_area).then(|| Fault::WrongSignature {
            function: function.name.clone(),
        })
    }

    /// Makes arguments fit parameters of those widths: what the caller did not pass is zero,
    /// what is too wide loses its upper bits.
    #[cold]
    pub(crate) fn fit_arguments(&mut self, out: u32, passed: u16, param_bits: &[u32]) {
        let start = (self.processor.window + out) as usize;
        let widths: Vec<u32> = param_bits.iter().flat_map(|&bits| words(bits)).collect();
        let end = start + widths.len();
        if self.processor.registers.len() < end {
            self.processor.registers.resize(end * 2, 0);
        }
        for (index, bits) in widths.into_iter().enumerate() {
            let mask = if index < usize::from(passed) {
                eval::narrow::mask(bits)
            } else {
                0
            };
            self.processor.registers[start + index] &= mask;
        }
    }
}
