//! `brownout completions` and `brownout man`: what a shell and `man` want to know, from the same
//! description of the command line.

use std::process::ExitCode;

use clap::CommandFactory;

use crate::cli::{Arguments, CompletionsOptions};
use crate::console;
use crate::error::Error;

pub(crate) fn completions(options: &CompletionsOptions) -> Result<ExitCode, Error> {
    let mut script = Vec::new();
    clap_complete::generate(
        options.shell,
        &mut Arguments::command(),
        "brownout",
        &mut script,
    );
    console::result(None, |out| out.write_all(&script))?;
    Ok(ExitCode::SUCCESS)
}

pub(crate) fn manual() -> Result<ExitCode, Error> {
    let command = Arguments::command();
    console::result(None, |out| clap_mangen::Man::new(command).render(out))?;
    Ok(ExitCode::SUCCESS)
}
