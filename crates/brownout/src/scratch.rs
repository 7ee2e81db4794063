//! Folders for files that other processes read, for as long as they do.

use std::path::PathBuf;
use std::sync::atomic::{AtomicU32, Ordering};

use crate::error::Error;

/// A folder of its own that goes away with its owner.
pub(crate) struct Scratch(PathBuf);

impl Scratch {
    /// A new folder among the system's temporary files.
    pub(crate) fn new() -> Result<Self, Error> {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let number = COUNT.fetch_add(1, Ordering::Relaxed);
        let name = format!("brownout-{}-{number}", std::process::id());
        let path = std::env::temp_dir().join(name);
        match std::fs::create_dir_all(&path) {
            Ok(()) => Ok(Self(path)),
            Err(error) => Err(Error::File { path, error }),
        }
    }

    /// Writes a file into the folder and gives its path.
    pub(crate) fn file(&self, name: &str, contents: &[u8]) -> Result<PathBuf, Error> {
        let path = self.0.join(name);
        match std::fs::write(&path, contents) {
            Ok(()) => Ok(path),
            Err(error) => Err(Error::File { path, error }),
        }
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        // Nothing depends on it any more; a failure leaves a few temporary files.
        let _ = std::fs::remove_dir_all(&self.0);
    }
}
