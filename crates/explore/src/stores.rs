//! What one instruction stores, and the states that a failure in the middle of it leaves
//! (`memory.atomic-write`).
//!
//! A store that is wider than what the device writes at once is torn between two such parts, which
//! are aligned as the device has them. An instruction with several stores makes them in order.

use brownout_vm::{Layout, Machine};

/// One store: where, and what it overwrites.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Store {
    pub(super) offset: u32,
    pub(super) old: Vec<u8>,
}

/// What a torn instruction did not write.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Tear {
    /// Bytes that it wrote.
    pub written: u32,
    /// Bytes that it was to write.
    pub size: u32,
    /// What to put back, the last store first.
    undone: Vec<Store>,
}

impl Tear {
    /// The tear of `stores` after `written` bytes; none if that is nothing or everything.
    pub(super) fn after(stores: &[Store], written: u32) -> Option<Self> {
        let size = size(stores);
        if written == 0 || written >= size {
            return None;
        }
        let mut before = 0;
        let mut undone = Vec::new();
        for store in stores {
            let done = written.saturating_sub(before).min(store.old.len() as u32);
            before += store.old.len() as u32;
            if let Some(old) = store.old.get(done as usize..).filter(|old| !old.is_empty()) {
                undone.push(Store {
                    offset: store.offset + done,
                    old: old.to_vec(),
                });
            }
        }
        undone.reverse();
        Some(Self {
            written,
            size,
            undone,
        })
    }

    /// Takes back, on a machine right after the instruction, what was not written.
    pub fn apply(&self, machine: &mut Machine<'_>) {
        for store in &self.undone {
            machine.tear(store.offset, &store.old);
        }
    }
}

/// The bytes of all stores.
pub(super) fn size(stores: &[Store]) -> u32 {
    stores.iter().map(|store| store.old.len() as u32).sum()
}

/// After how many bytes `stores` can be torn if `atomic` bytes are written at once.
pub(super) fn tears(layout: &Layout, stores: &[Store], atomic: u32) -> Vec<u32> {
    let atomic = atomic.max(1);
    let mut tears = Vec::new();
    let mut before = 0;
    for store in stores {
        let length = store.old.len() as u32;
        // What is written at once lies at a multiple of its size: also a short store may not.
        let inside = (layout.address(store.offset) % u64::from(atomic)) as u32;
        let parts = (atomic - inside..length).step_by(atomic as usize);
        tears.extend(parts.map(|part| before + part));
        before += length;
    }
    tears
}
