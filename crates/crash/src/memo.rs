//! Boots that read the same: a boot is determined by the bytes that it read before it wrote them.
//!
//! Recordings are found by these bytes, in the order in which they were read. Two boots that have
//! read the same so far read the same byte next, so recordings form a tree that branches by the
//! value of a byte.
//!
//! **Invariant**: what is found for a state would be recorded if the state were booted.

use std::sync::Arc;

use rustc_hash::FxHashMap;

use crate::boot::Recording;
use crate::scratch::Scratch;

/// A recording with where its reads begin among the bytes that were read.
struct Entry {
    recording: Arc<Recording>,
    starts: Vec<u32>,
}

impl Entry {
    /// Where the byte that was read at this position is, or nothing after the last one.
    fn offset(&self, position: u32) -> Option<u32> {
        if position as usize >= self.recording.read.len() {
            return None;
        }
        let run = self.starts.partition_point(|&start| start <= position) - 1;
        Some(self.recording.reads[run].0 + position - self.starts[run])
    }

    /// The first position from `from` on, before `to`, at which a state holds another byte.
    fn differs(&self, scratch: &Scratch<'_>, from: u32, to: u32) -> Option<u32> {
        let mut run = self
            .starts
            .partition_point(|&start| start <= from)
            .saturating_sub(1);
        let mut position = from;
        while position < to {
            let (offset, length) = self.recording.reads[run];
            let start = self.starts[run];
            while position < (start + length).min(to) {
                let byte = scratch.byte(offset + position - start);
                if byte != self.recording.read[position as usize] {
                    return Some(position);
                }
                position += 1;
            }
            run += 1;
        }
        None
    }
}

/// A stretch of bytes that several boots have read alike.
struct Node {
    /// A boot that did.
    entry: u32,
    /// How many bytes were read at its end.
    end: u32,
    /// What comes after another byte was read there; a boot that read nothing more has none.
    branches: Vec<(u8, u32)>,
}

/// All recordings.
#[derive(Default)]
pub(crate) struct Memory {
    entries: Vec<Entry>,
    nodes: Vec<Node>,
    /// The first node, by what is outside.
    roots: FxHashMap<u32, u32>,
    bytes: u64,
}

impl Memory {
    /// The boot of a state that reads what another has read.
    pub(crate) fn find(&self, outside: u32, scratch: &Scratch<'_>) -> Option<Arc<Recording>> {
        let mut node = &self.nodes[*self.roots.get(&outside)? as usize];
        let mut position = 0;
        loop {
            let entry = &self.entries[node.entry as usize];
            if entry.differs(scratch, position, node.end).is_some() {
                return None;
            }
            let Some(offset) = entry.offset(node.end) else {
                return Some(Arc::clone(&entry.recording));
            };
            let byte = scratch.byte(offset);
            let &(_, next) = node.branches.iter().find(|(value, _)| *value == byte)?;
            position = node.end + 1;
            node = &self.nodes[next as usize];
        }
    }

    /// Adds the boot of a state, whose memory is in `scratch`.
    pub(crate) fn insert(
        &mut self,
        outside: u32,
        scratch: &Scratch<'_>,
        recording: &Arc<Recording>,
    ) {
        let mut starts = Vec::with_capacity(recording.reads.len());
        let mut total = 0;
        for &(_, length) in &recording.reads {
            starts.push(total);
            total += length;
        }
        let entry = self.entries.len() as u32;
        self.bytes += (recording.reads.len() * 12
            + recording.read.len()
            + recording.bytes.len()
            + recording.operations.len() * size_of::<crate::operation::Operation>()
            + 512) as u64;
        self.entries.push(Entry {
            recording: Arc::clone(recording),
            starts,
        });
        let leaf = |nodes: &mut Vec<Node>| {
            nodes.push(Node {
                entry,
                end: total,
                branches: Vec::new(),
            });
            nodes.len() as u32 - 1
        };
        let Some(&root) = self.roots.get(&outside) else {
            let root = leaf(&mut self.nodes);
            self.roots.insert(outside, root);
            return;
        };
        let (mut at, mut position) = (root, 0);
        loop {
            let node = &self.nodes[at as usize];
            let known = &self.entries[node.entry as usize];
            let end = known
                .differs(scratch, position, node.end)
                .unwrap_or(node.end);
            let Some(byte) = recording.read.get(end as usize).copied() else {
                // The same boot: it is known.
                return;
            };
            if end < node.end {
                // The node is cut in two, and the new boot branches off between them.
                let other = known.recording.read[end as usize];
                let rest = Node {
                    entry: node.entry,
                    end: node.end,
                    branches: node.branches.clone(),
                };
                self.nodes.push(rest);
                let rest = self.nodes.len() as u32 - 1;
                let new = leaf(&mut self.nodes);
                let node = &mut self.nodes[at as usize];
                node.end = end;
                node.branches = vec![(other, rest), (byte, new)];
                return;
            }
            match node.branches.iter().find(|(value, _)| *value == byte) {
                Some(&(_, next)) => (at, position) = (next, end + 1),
                None => {
                    let new = leaf(&mut self.nodes);
                    self.nodes[at as usize].branches.push((byte, new));
                    return;
                }
            }
        }
    }

    /// Bytes that it takes, about.
    pub(crate) fn bytes(&self) -> u64 {
        self.bytes
    }
}
