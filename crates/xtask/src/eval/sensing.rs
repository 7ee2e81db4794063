//! The program that senses, processes and transmits (EWSN'21 §6.3), and how it is checked.

use std::path::Path;
use std::process::Command;

use brownout_testkit::Tool;

/// Rounds of the program.
const ROUNDS: u32 = 2000;

/// One to four sensors.
#[derive(Clone, Copy)]
pub(super) struct Sensing {
    pub(super) inputs: usize,
    /// Whether there are four readings a round, of however many inputs.
    pub(super) spread: bool,
    /// Whether inputs are tagged.
    pub(super) tagged: bool,
    /// Whether the variable is tagged that holds what was read.
    pub(super) variable: bool,
    /// Whether the inputs must agree.
    pub(super) consistent: bool,
}

impl Sensing {
    /// So many inputs, of which nothing is said.
    pub(super) fn of(inputs: usize) -> Self {
        Self {
            inputs,
            spread: false,
            tagged: false,
            variable: false,
            consistent: false,
        }
    }

    /// A check with further arguments.
    pub(super) fn check(self, tool: &Tool, extra: &[&str]) -> Command {
        let program = Path::new(env!("CARGO_MANIFEST_DIR"))
            .join("../brownout/benches/environment/sense_process_transmit.c");
        let mut command = tool.command(["check", "-q", "--format", "json"]);
        command.args(["--nv", "!globals", "--policy", "static"]);
        let list = |item: &dyn Fn(usize) -> String| {
            let items: Vec<String> = (1..=self.inputs).map(item).collect();
            items.join(", ")
        };
        let model = if self.tagged {
            ", model = \"most-recent\""
        } else {
            ""
        };
        let inputs =
            list(&|input| format!("{{ function = \"read{input}\", range = [0, 1023]{model} }}"));
        command.arg("--set").arg(format!("input=[{inputs}]"));
        command.args(["--set", "output=[{ function = \"transmit\" }]"]);
        if self.variable {
            let window = "variable=[{ name = \"window\", model = \"long-term\" }]";
            command.args(["--set", window]);
        }
        if self.consistent {
            let names = list(&|input| format!("\"read{input}\""));
            command.arg("--set").arg(format!("consistent=[[{names}]]"));
        }
        command.args(extra).arg(program).arg("--");
        command.arg(format!("-DINPUTS={}", self.inputs));
        command.arg(format!("-DROUNDS={ROUNDS}"));
        command.args(self.spread.then_some("-DSPREAD"));
        command
    }
}
