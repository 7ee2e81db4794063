//! `→`: continuous execution (TR §1.2, reconstructed). There is no context, a checkpoint does
//! nothing, and power does not fail.

use crate::program::Program;
use crate::state::{Configuration, Observation};
use crate::syntax::{Command, Form, Instruction, Names, Value};
use crate::system::{System, asks};

/// Execution with power.
#[derive(Clone, Copy, Debug)]
pub struct Continuous;

impl System for Continuous {
    type Context = ();

    fn start(&self, program: &Program) -> Configuration<()> {
        program.start(())
    }

    fn checkpoint(&self, _: &mut Configuration<()>, _: &Names, _: &Command) {}

    fn power_failure(&self, _: &mut Configuration<()>) {}

    fn reboot(&self, _: &mut Configuration<()>) {}
}

/// A step of a continuous execution. It does not observe checkpoints: the relations of §5 have them on
/// the intermittent side only.
pub fn continuous_step(
    from: &Configuration<()>,
    reading: Value,
) -> Option<(Configuration<()>, Vec<Observation>)> {
    let (to, mut observed) = Continuous.step(from, reading)?;
    observed.retain(|observation| *observation != Observation::Checkpoint);
    Some((to, observed))
}

/// Whether a region ends here: at a checkpoint, a jump to one, or the end.
pub fn ends_region(command: &Command) -> bool {
    match command.form() {
        Form::Skip | Form::Goto(_) | Form::ToTask(_) => true,
        Form::Sequence(instruction, _) => matches!(instruction, Instruction::Checkpoint(_)),
        Form::Branch(..) | Form::Reboot(_) => false,
    }
}

/// The values an input can have at this step: all of the domain if it asks for one, and one that
/// nobody sees otherwise.
pub fn readings<'a>(command: &Command, domain: &'a [Value]) -> &'a [Value] {
    const UNSEEN: &[Value] = &[Value::Number(0)];
    if asks(command) { domain } else { UNSEEN }
}
