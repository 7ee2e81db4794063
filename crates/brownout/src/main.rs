//! The command line program; everything is in the library.

use clap::Parser;
use std::process::ExitCode;

fn main() -> ExitCode {
    let arguments = brownout::cli::with_response_files(std::env::args_os());
    brownout::main(brownout::cli::Arguments::parse_from(arguments))
}
