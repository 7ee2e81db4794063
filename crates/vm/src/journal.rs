//! The undo log: what every store overwrote.
//!
//! Rolling back costs what was written, not what exists.

/// One overwritten stretch of at most eight bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Entry {
    offset: u32,
    size: u32,
    old: u64,
}

/// The log.
#[derive(Clone, Debug, Default)]
pub(crate) struct Journal {
    entries: Vec<Entry>,
}

impl Journal {
    /// How much is logged: a position to undo to.
    pub(crate) fn position(&self) -> usize {
        self.entries.len()
    }

    /// Logs the bytes at `offset` before they change. Never part of the interpreter's loop, which
    /// would have a copy at every store.
    #[inline(never)]
    pub(crate) fn record(&mut self, memory: &[u8], offset: u32, size: u32) {
        let (mut at, end) = (offset as usize, (offset + size) as usize);
        while at < end {
            let size = (end - at).min(8);
            let mut old = [0; 8];
            old[..size].copy_from_slice(&memory[at..at + size]);
            self.entries.push(Entry {
                offset: at as u32,
                size: size as u32,
                old: u64::from_le_bytes(old),
            });
            at += size;
        }
    }

    /// Undoes everything after `position`, newest first.
    pub(crate) fn undo(&mut self, memory: &mut [u8], position: usize) {
        for entry in self.entries.drain(position..).rev() {
            let at = entry.offset as usize;
            let size = entry.size as usize;
            memory[at..at + size].copy_from_slice(&entry.old.to_le_bytes()[..size]);
        }
    }

    /// What the bytes selected by `wanted` held at `position`: offset and old value, oldest entry
    /// last, so that writing them in this order restores them.
    pub(crate) fn before(&self, position: usize, wanted: impl Fn(u32) -> bool) -> Vec<(u32, u8)> {
        let mut old = Vec::new();
        for entry in self.entries[position.min(self.entries.len())..]
            .iter()
            .rev()
        {
            for (index, byte) in entry.old.to_le_bytes()[..entry.size as usize]
                .iter()
                .enumerate()
            {
                let offset = entry.offset + index as u32;
                if wanted(offset) {
                    old.push((offset, *byte));
                }
            }
        }
        old
    }

    /// The offsets written after `position`, each once, in order.
    pub(crate) fn offsets(&self, position: usize) -> Vec<u32> {
        let entries = &self.entries[position.min(self.entries.len())..];
        let mut offsets: Vec<u32> = entries
            .iter()
            .flat_map(|entry| entry.offset..entry.offset + entry.size)
            .collect();
        offsets.sort_unstable();
        offsets.dedup();
        offsets
    }

    /// Forgets everything.
    pub(crate) fn clear(&mut self) {
        self.entries.clear();
    }
}
