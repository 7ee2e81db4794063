//! Everything that is printed goes through here: results to stdout or a file,
//! the rest to stderr.

#![allow(
    clippy::print_stderr,
    reason = "this is where the tool talks to its user"
)]

use std::io::{self, BufWriter, Write};
use std::path::Path;

use crate::error::Error;

/// Prints an error with its help.
pub(crate) fn error(error: &Error) {
    line(&format!("error: {error}"));
    if let Some(help) = error.help() {
        line(&format!("help: {help}"));
    }
}

/// Prints a note.
pub(crate) fn note(text: &str) {
    line(&format!("note: {text}"));
}

/// Prints a line as it is.
pub(crate) fn line(text: &str) {
    // Nobody may be listening; the result does not depend on it.
    let text = brownout_ir::readable(text);
    let _ = writeln!(io::stderr().lock(), "{text}");
}

/// Writes a result to `path`, or to stdout.
pub(crate) fn result(
    path: Option<&Path>,
    write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> Result<(), Error> {
    let done = match path {
        Some(path) => std::fs::File::create(path).and_then(|file| {
            let mut file = BufWriter::new(file);
            write(&mut file)?;
            file.flush()
        }),
        None => {
            let mut out = BufWriter::new(io::stdout().lock());
            match write(&mut out).and_then(|()| out.flush()) {
                // Whoever reads us has seen enough (`| head`).
                Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
                other => other,
            }
        }
    };
    done.map_err(|error| Error::File {
        path: path.map_or_else(|| "stdout".into(), Path::to_owned),
        error,
    })
}
