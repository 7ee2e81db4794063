//! The output of a program that is executed.

use std::io::{self, Write as _};

use brownout_vm::{Moment, Observer, Stream};

use crate::cli::{Format, RunOptions};
use crate::console;
use crate::error::Error;

/// Passes the program's output on.
pub(crate) struct Terminal {
    /// Kept instead of printed.
    kept: Vec<u8>,
    keep: bool,
    pending: Vec<u8>,
    /// The first failure to write.
    error: Option<io::Error>,
}

impl Terminal {
    pub(crate) fn new(options: &RunOptions) -> Self {
        let keep = options.format == Format::Json || options.output.is_some();
        Self {
            kept: Vec::new(),
            keep,
            pending: Vec::new(),
            error: None,
        }
    }

    /// What was kept instead of printed.
    pub(crate) fn kept(&self) -> &[u8] {
        &self.kept
    }

    pub(crate) fn flush(&mut self) {
        let mut out = io::stdout().lock();
        let written = out.write_all(&self.pending).and_then(|()| out.flush());
        self.pending.clear();
        // A reader that is gone does not stop the program; a full disk is told at the end.
        if let Err(error) = written
            && error.kind() != io::ErrorKind::BrokenPipe
        {
            self.error.get_or_insert(error);
        }
    }

    pub(crate) fn finish(&mut self, options: &RunOptions) -> Result<(), Error> {
        self.flush();
        if let Some(error) = self.error.take() {
            return Err(Error::File {
                path: "stdout".into(),
                error,
            });
        }
        match &options.output {
            Some(path) => console::result(Some(path), |out| out.write_all(&self.kept)),
            None => Ok(()),
        }
    }
}

impl Observer for Terminal {
    fn write(&mut self, _: Moment, stream: Stream, bytes: &[u8]) {
        match stream {
            Stream::Output if self.keep => self.kept.extend_from_slice(bytes),
            Stream::Output => {
                self.pending.extend_from_slice(bytes);
                if self.pending.len() > 1 << 13 || bytes.contains(&b'\n') {
                    self.flush();
                }
            }
            Stream::Error => {
                self.flush();
                let _ = io::stderr().lock().write_all(bytes);
            }
        }
    }
}
