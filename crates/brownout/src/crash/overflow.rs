//! A file for states that memory has no room for. It has no name while it is used, so that nothing is
//! left of it whatever happens.

use std::fs::File;
use std::io::{Read, Seek, SeekFrom, Write};
use std::sync::Mutex;

use brownout_crash::Overflow;

/// The file, once there is one, and where its end is.
#[derive(Default)]
pub(super) struct Spill(Mutex<Option<(File, u64)>>);

fn create() -> Option<File> {
    let folder = std::env::temp_dir();
    let name = format!("brownout-states-{}", std::process::id());
    let path = (0..100).map(|number| folder.join(format!("{name}-{number}")));
    path.into_iter().find_map(|path| {
        let mut options = File::options();
        let file = options.read(true).write(true).create_new(true).open(&path);
        let file = file.ok()?;
        // Where open files cannot be removed, the system removes it some day.
        let _ = std::fs::remove_file(&path);
        Some(file)
    })
}

impl Overflow for Spill {
    fn write(&self, bytes: &[u8]) -> Option<u64> {
        let mut slot = self.0.lock().ok()?;
        if slot.is_none() {
            *slot = Some((create()?, 0));
        }
        let (file, end) = slot.as_mut()?;
        let at = *end;
        file.seek(SeekFrom::Start(at)).ok()?;
        file.write_all(bytes).ok()?;
        *end += bytes.len() as u64;
        Some(at)
    }

    fn read(&self, at: u64, bytes: &mut [u8]) -> bool {
        let Ok(mut slot) = self.0.lock() else {
            return false;
        };
        let Some((file, _)) = slot.as_mut() else {
            return false;
        };
        let found = file.seek(SeekFrom::Start(at));
        found.is_ok() && file.read_exact(bytes).is_ok()
    }
}

#[cfg(test)]
mod tests {
    use super::Spill;
    use brownout_crash::Overflow;

    #[test]
    fn what_is_written_is_read_back() {
        let spill = Spill::default();
        let mut bytes = [0; 3];
        assert!(!spill.read(0, &mut bytes));
        let one = spill.write(b"abc").unwrap();
        let two = spill.write(b"defg").unwrap();
        assert!(spill.read(two + 1, &mut bytes));
        assert_eq!(&bytes, b"efg");
        assert!(spill.read(one, &mut bytes));
        assert_eq!(&bytes, b"abc");
        assert!(!spill.read(two + 2, &mut bytes));
    }
}
