//! The command line program; everything is in the library.

use clap::Parser;
use std::process::ExitCode;

fn main() -> ExitCode {
    brownout::main(brownout::cli::Arguments::parse())
}
