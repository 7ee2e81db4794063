//! `brownout completions` and `brownout man`: what a shell and `man` want to know, from the same
//! description of the command line.

use std::process::ExitCode;

use clap::CommandFactory;

use crate::cli::{Arguments, CompletionsOptions, ManOptions};
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

pub(crate) fn manual(options: &ManOptions) -> Result<ExitCode, Error> {
    let mut command = Arguments::command();
    // Names of pages are those of commands with a dash between.
    command.build();
    let command = match &options.command {
        None => command,
        Some(name) => match command.find_subcommand(name) {
            Some(found) => {
                let page: &'static str = format!("brownout-{name}").leak();
                found
                    .clone()
                    .name(page)
                    .bin_name(format!("brownout {name}"))
            }
            None => return Err(Error::NoCommand { name: name.clone() }),
        },
    };
    console::result(None, |out| clap_mangen::Man::new(command).render(out))?;
    Ok(ExitCode::SUCCESS)
}
