//! Programs that come to no end, in words.

use brownout_diag::SourcePlace;
use brownout_vm::{Image, SegmentKind, Standstill};

use crate::objects::Objects;
use crate::wording;

/// A loop that a program never leaves, because nothing changes in it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Endless {
    /// Some place in it.
    pub place: Option<SourcePlace>,
    /// What it waits for; one that waits for nothing is where the program is at its end.
    pub waits: Option<Awaited>,
}

/// What a program waits for, and nothing changes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Awaited {
    /// A device register, by its name or its address.
    Register(String),
    /// A variable.
    Variable(String),
    /// Something without a name.
    Nameless,
}

impl Endless {
    pub(crate) fn new(image: &Image, standstill: &Standstill) -> Self {
        let waits = standstill.waits.then(|| awaited(image, standstill));
        Self {
            place: wording::place(image, standstill.pc),
            waits,
        }
    }
}

/// Most likely a device register that the loop reads; or else a global.
fn awaited(image: &Image, standstill: &Standstill) -> Awaited {
    let objects = Objects::new(image);
    let layout = image.layout();
    let read = |kind: SegmentKind| {
        let mut offsets = standstill.reads.iter().map(|&(offset, _)| offset);
        offsets.find(|&offset| {
            let segment = layout.segment(offset);
            segment.is_some_and(|segment| segment.kind == kind)
        })
    };
    let name = |offset| objects.name(objects.scalar(offset, None));
    if let Some(offset) = read(SegmentKind::Window) {
        Awaited::Register(format!("{:#06x}", layout.address(offset)))
    } else if let Some(offset) = read(SegmentKind::Registers) {
        Awaited::Register(name(offset))
    } else if let Some(offset) = read(SegmentKind::Globals) {
        Awaited::Variable(name(offset))
    } else {
        Awaited::Nameless
    }
}
