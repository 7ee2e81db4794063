//! Folders for the files of one test.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};
use std::{fs, process};

use crate::error::Error;

/// A folder of its own that goes away with its owner.
#[derive(Debug)]
pub struct Scratch(PathBuf);

impl Scratch {
    /// A new folder in `base`, which is the build's folder for temporary files.
    ///
    /// # Errors
    /// If it cannot be made.
    pub fn new(base: &Path) -> Result<Self, Error> {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let number = COUNT.fetch_add(1, Ordering::Relaxed);
        let path = base.join(format!("scratch-{}-{number}", process::id()));
        fs::create_dir_all(&path).map_err(|error| Error::file(&path, error))?;
        Ok(Self(path))
    }

    /// The folder.
    pub fn path(&self) -> &Path {
        &self.0
    }

    /// Writes a file into the folder and gives its path.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn file(&self, name: &str, contents: impl AsRef<[u8]>) -> Result<PathBuf, Error> {
        let path = self.0.join(name);
        match fs::write(&path, contents) {
            Ok(()) => Ok(path),
            Err(error) => Err(Error::file(path, error)),
        }
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        // A failure leaves a few temporary files in the build folder.
        let _ = fs::remove_dir_all(&self.0);
    }
}
