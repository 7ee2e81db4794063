//! `brownout dump`: what the tool sees.

use std::process::ExitCode;

use crate::cli::{Dump, DumpOptions};
use crate::console;
use crate::error::Error;
use crate::ready;

pub(crate) fn dump(options: &DumpOptions) -> Result<ExitCode, Error> {
    match options.what {
        Dump::Ir => {
            let (program, _, _) = ready::load(&options.program)?;
            let text = match &options.function {
                None => program.to_string(),
                Some(name) => {
                    let Some(func) = program.function(name) else {
                        return Err(Error::NoFunction { name: name.clone() });
                    };
                    brownout_ir::print_function(&program, func)
                }
            };
            console::result(options.output.as_deref(), |out| {
                out.write_all(text.as_bytes())
            })?;
        }
    }
    Ok(ExitCode::SUCCESS)
}
