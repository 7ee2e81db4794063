//! Programs that come to no end, in words.

use brownout_diag::SourcePlace;
use brownout_explore::Objects;
use brownout_vm::{Image, Machine, SegmentKind, Standstill};

use crate::wording;

/// After so many instructions, and twice as many each time, it is found out whether a program does anything new.
pub const FIRST_LOOK: u64 = 1 << 16;

/// How long a loop may be to be known then: longer if much was executed before, so that finding out costs little.
pub(crate) fn longest_loop(instructions: u64) -> u32 {
    (instructions >> 11).clamp(1 << 12, 1 << 16) as u32
}

/// The loop that a machine is in, if nothing new happens in it ever again. The machine stays as it is.
pub fn endless(image: &Image, machine: &mut Machine<'_>) -> Option<Endless> {
    let standstill = machine.standstill(longest_loop(machine.now()));
    standstill.map(|standstill| Endless::new(image, &standstill))
}

/// A loop that a program never leaves, because nothing new happens in it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Endless {
    /// Some place in it.
    pub place: Option<SourcePlace>,
    /// Whether it changes variables, over and over in the same way.
    pub works: bool,
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
    /// An interrupt, while interrupts are disabled.
    Interrupt,
    /// A heap block.
    Nameless,
}

impl Endless {
    pub(crate) fn new(image: &Image, standstill: &Standstill) -> Self {
        let waits = standstill.waits.then(|| awaited(image, standstill));
        // A program without handlers that goes to sleep with interrupts disabled is switched off: it has
        // come to its end.
        let is_off = |awaited: &Awaited| *awaited == Awaited::Interrupt && !has_handlers(image);
        Self {
            place: wording::place(image, standstill.pc),
            works: standstill.works,
            waits: waits.flatten().filter(|awaited| !is_off(awaited)),
        }
    }
}

fn has_handlers(image: &Image) -> bool {
    let interrupts = image.bindings().interrupts.as_ref();
    interrupts.is_some_and(|interrupts| !interrupts.handlers.is_empty())
}

/// Most likely a device register that the loop reads; or else a variable. Nobody else changes what is
/// on the stack.
fn awaited(image: &Image, standstill: &Standstill) -> Option<Awaited> {
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
    let address = |offset| format!("{:#06x}", layout.address(offset));
    let window = read(SegmentKind::Window).map(|offset| Awaited::Register(address(offset)));
    // Whether interrupts are enabled matters to a program that none of them wakes.
    let is_of_runtime = |name: &str| name.starts_with("__brownout_");
    let read_globals = standstill.reads.iter().filter_map(|&(offset, _)| {
        let segment = layout.segment(offset)?;
        (segment.kind == SegmentKind::Globals).then(|| name(offset))
    });
    let mut globals = read_globals.filter(|name| !standstill.is_woken || !is_of_runtime(name));
    window
        .or_else(|| read(SegmentKind::Registers).map(|offset| Awaited::Register(name(offset))))
        .or_else(|| {
            globals.next().map(|name| match is_of_runtime(&name) {
                true => Awaited::Interrupt,
                false => Awaited::Variable(name),
            })
        })
        .or_else(|| read(SegmentKind::Heap).map(|_| Awaited::Nameless))
}
