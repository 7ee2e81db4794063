//! Where everything lives in the guest's address space.
//!
//! One flat byte array holds all memory; an *offset* is an index into it. In the
//! main range, address = base + offset:
//!
//! ```text
//! constants | volatile globals | non-volatile globals | stack || heap | registers | windows | heap map
//! ```
//!
//! Everything left of `||` is reached by one comparison. Behind it the machine
//! looks closer: heap blocks have bounds, device registers have behaviour,
//! *windows* are pages at fixed addresses that the program names by number, and
//! the heap map (one byte per byte of heap: usable or not, zero at first) has no address.
//! Objects that have an address of their own lie among the windows ([`crate::outside`]).

use std::collections::BTreeMap;
use std::ops::Range;

use brownout_ir::{Block, Func, Global, Id, Op, Operand, Program, Service, Symbol};

use crate::image::RegisterPlace;
use crate::machine::SLACK;
use crate::outside::{Fixed, Run, main_base};
use crate::windows::windows;

/// Where the main range begins, on 16-bit targets and on others.
pub(crate) const SMALL_BASE: u64 = 0x1c00;
pub(crate) const LARGE_BASE: u64 = 0x3000_0000;

/// What the scenario decides about memory.
#[derive(Clone, Debug, Default)]
pub struct MemoryPlan {
    /// Bytes of stack; none for a default that suits the target.
    pub stack_size: Option<u32>,
    /// Bytes of heap; none for a default that suits the target.
    pub heap_size: Option<u32>,
    /// Globals that keep their contents without power.
    pub nonvolatile: Vec<Global>,
    /// Whether the stack does.
    pub stack_nonvolatile: bool,
    /// Whether the heap does.
    pub heap_nonvolatile: bool,
    /// Addresses whose memory does, for what the program names by number.
    pub nonvolatile_addresses: Vec<Range<u64>>,
    /// Globals that have an address of their own.
    pub placed: Vec<(Global, u64)>,
    /// Addresses where there is memory, whether the program names them or not.
    pub mapped: Vec<Range<u64>>,
    /// What memory holds at first, by address.
    pub contents: Vec<(u64, Vec<u8>)>,
}

/// The kinds of segment.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum SegmentKind {
    /// Read-only data.
    Constants,
    /// Global variables.
    Globals,
    /// The call stack.
    Stack,
    /// What `malloc` hands out.
    Heap,
    /// Undefined external variables: device registers.
    Registers,
    /// Pages at addresses the program names by number.
    Window,
    /// The machine's own map of usable heap.
    HeapMap,
}

/// A stretch of memory with one nature.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Segment {
    /// What it is for.
    pub kind: SegmentKind,
    /// Which offsets it covers.
    pub offsets: Range<u32>,
    /// The address of its first byte.
    pub address: u64,
    /// Whether it keeps its contents without power.
    pub nonvolatile: bool,
}

/// The program does not fit into the target's address space.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct DoesNotFit {
    /// Bytes asked for.
    pub needed: u64,
    /// Bytes there are.
    pub available: u64,
}

impl std::fmt::Display for DoesNotFit {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(
            f,
            "the program needs {} bytes of memory, the target's address space has {}; \
             `memory.stack-size` and `memory.heap-size` can be made smaller",
            self.needed, self.available
        )
    }
}

/// The memory map.
#[derive(Clone, Debug)]
pub struct Layout {
    pub(crate) base: u64,
    pub(crate) pointer_bits: u8,
    globals: Vec<u64>,
    code_base: u64,
    function_count: u64,
    blocks: BTreeMap<(Func, Block), u64>,
    segments: Vec<Segment>,
    /// Memory outside of the main range, by address.
    pub(crate) runs: Vec<Run>,
    /// Offsets below are read-only.
    pub(crate) constants_end: u32,
    pub(crate) stack: Range<u32>,
    pub(crate) heap: Range<u32>,
    pub(crate) registers: Range<u32>,
    pub(crate) heap_map: u32,
    /// Bytes of everything.
    pub(crate) size: u32,
}

/// Marks in the heap map: a byte of a block.
pub(crate) const USABLE: u8 = 1;
/// The first byte of a block, told apart so that neighbours are not taken for one.
pub(crate) const FIRST: u8 = 2;
/// Where a block began that was freed.
pub(crate) const FREED: u8 = 3;

/// Distance between the code addresses of functions.
const CODE_STEP: u64 = 2;

impl Layout {
    /// Places everything in `program`.
    ///
    /// # Errors
    /// If it does not fit.
    pub fn new(program: &Program, plan: &MemoryPlan) -> Result<Self, DoesNotFit> {
        Self::with_addresses(program, plan, &[])
    }

    /// The same, with device registers at `addresses`, whether the program names them or not.
    ///
    /// # Errors
    /// If it does not fit.
    pub fn with_addresses(
        program: &Program,
        plan: &MemoryPlan,
        addresses: &[u64],
    ) -> Result<Self, DoesNotFit> {
        let fixed = Fixed::new(program, plan);
        for base in fixed.bases() {
            if let Ok(layout) = Self::at_base(base, program, plan, addresses, &fixed)
                && !fixed.overlaps(&layout.main())
            {
                return Ok(layout);
            }
        }
        // There is no room beside them: objects are put where there is some.
        let base = main_base(program);
        Self::at_base(base, program, plan, addresses, &Fixed::default())
    }

    /// The same with the main range beginning at `base`.
    fn at_base(
        base: u64,
        program: &Program,
        plan: &MemoryPlan,
        addresses: &[u64],
        fixed: &Fixed,
    ) -> Result<Self, DoesNotFit> {
        let small = program.target.pointer_bits == 16;
        let (limit, code_base) = if small {
            (0x1_0000, 0x100)
        } else {
            (0xf000_0000, 0x0800_0000)
        };
        let mut layout = Self {
            base,
            pointer_bits: program.target.pointer_bits,
            globals: vec![0; program.globals.len()],
            code_base,
            function_count: program.functions.len() as u64,
            blocks: BTreeMap::new(),
            segments: Vec::new(),
            runs: Vec::new(),
            constants_end: 0,
            stack: 0..0,
            heap: 0..0,
            registers: 0..0,
            heap_map: 0,
            size: 0,
        };
        let nonvolatile: std::collections::BTreeSet<Global> =
            plan.nonvolatile.iter().copied().collect();
        let class = |global: Global| {
            let data = &program.globals[global];
            match data.init {
                None => SegmentKind::Registers,
                Some(_) if data.constant => SegmentKind::Constants,
                Some(_) => SegmentKind::Globals,
            }
        };
        let mut at = 0u64;
        let place = |layout: &mut Self, at: &mut u64, kind, keeps: bool| {
            let start = *at;
            for (global, data) in program.globals.iter() {
                let keep = nonvolatile.contains(&global);
                if class(global) != kind || (kind == SegmentKind::Globals && keep != keeps) {
                    continue;
                }
                if let Some(address) = fixed.address(global) {
                    layout.globals[global.index()] = address;
                    continue;
                }
                let align = u64::from(data.align.max(1));
                *at = (base + *at).next_multiple_of(align) - base;
                layout.globals[global.index()] = base + *at;
                // An object without a size of its own (`extern char end[]`) still has an address.
                *at = at.saturating_add(if data.init.is_none() {
                    data.size.max(16)
                } else {
                    data.size.max(1)
                });
            }
            *at = at.next_multiple_of(16);
            start..*at
        };
        let constants = place(&mut layout, &mut at, SegmentKind::Constants, false);
        let volatile = place(&mut layout, &mut at, SegmentKind::Globals, false);
        let kept = place(&mut layout, &mut at, SegmentKind::Globals, true);
        // The sizes not asked for shrink until everything fits.
        let (mut stack, mut heap) = if small {
            (8192u64, 8192u64)
        } else {
            (8 << 20, 64 << 20)
        };
        let heap_size = plan.heap_size.or((!allocates(program)).then_some(0));
        let register_bytes: u64 = program
            .globals
            .values()
            .filter(|g| g.init.is_none())
            .map(|g| g.size.max(16) + 16)
            .sum();
        loop {
            let wanted = plan
                .stack_size
                .map_or(stack, u64::from)
                .next_multiple_of(16)
                + heap_size.map_or(heap, u64::from).next_multiple_of(16);
            let needed = at.saturating_add(wanted).saturating_add(register_bytes);
            if base.saturating_add(needed) <= limit {
                break;
            }
            let can_shrink =
                (plan.stack_size.is_none() && stack > 512) || (heap_size.is_none() && heap > 512);
            if !can_shrink {
                return Err(DoesNotFit {
                    needed,
                    available: limit - base,
                });
            }
            stack = (stack / 2).max(512);
            heap = (heap / 2).max(512);
        }
        let stack = plan
            .stack_size
            .map_or(stack, u64::from)
            .next_multiple_of(16);
        let heap = heap_size.map_or(heap, u64::from).next_multiple_of(16);
        let stack = at..at + stack;
        let heap = stack.end..stack.end + heap;
        at = heap.end;
        let registers = place(&mut layout, &mut at, SegmentKind::Registers, false);
        layout.constants_end = constants.end as u32;
        layout.stack = narrow(&stack);
        layout.heap = narrow(&heap);
        layout.registers = narrow(&registers);
        let mut runs = Vec::new();
        let mut add = |kind, offsets: &Range<u64>, address, nonvolatile| {
            if !offsets.is_empty() {
                layout.segments.push(Segment {
                    kind,
                    offsets: narrow(offsets),
                    address,
                    nonvolatile,
                });
            }
        };
        // Read-only memory survives everything.
        add(
            SegmentKind::Constants,
            &constants,
            base + constants.start,
            true,
        );
        add(
            SegmentKind::Globals,
            &volatile,
            base + volatile.start,
            false,
        );
        add(SegmentKind::Globals, &kept, base + kept.start, true);
        add(
            SegmentKind::Stack,
            &stack,
            base + stack.start,
            plan.stack_nonvolatile,
        );
        add(
            SegmentKind::Heap,
            &heap,
            base + heap.start,
            plan.heap_nonvolatile,
        );
        add(
            SegmentKind::Registers,
            &registers,
            base + registers.start,
            false,
        );
        let named: Vec<u64> = addresses.iter().copied().chain(fixed.pages()).collect();
        for window in windows(program, &named, base..base + at) {
            for (kind, addresses, nonvolatile) in fixed.pieces(&window, plan) {
                let start = at + (addresses.start - window.start);
                let offsets = start..start + (addresses.end - addresses.start);
                add(kind, &offsets, addresses.start, nonvolatile);
            }
            let offset = at as u32;
            at += window.end - window.start;
            runs.push(Run {
                addresses: window,
                offset,
            });
        }
        let map = at..at + (heap.end - heap.start);
        // Offsets have 32 bits, also those of the heap map.
        let offsets = u64::from(u32::MAX - SLACK as u32);
        if map.end > offsets {
            return Err(DoesNotFit {
                needed: map.end,
                available: offsets,
            });
        }
        layout.heap_map = map.start as u32;
        layout.size = map.end as u32;
        layout.segments.push(Segment {
            kind: SegmentKind::HeapMap,
            offsets: narrow(&map),
            address: 0,
            nonvolatile: plan.heap_nonvolatile,
        });
        layout.runs = runs;
        layout.number_blocks(program);
        Ok(layout)
    }

    fn number_blocks(&mut self, program: &Program) {
        let mut taken: Vec<(Func, Block)> = Vec::new();
        for_each_operand(program, |operand| {
            if let Operand::BlockAddress(func, block) = operand {
                taken.push((func, block));
            }
        });
        for data in program.globals.values() {
            for relocation in data.init.iter().flat_map(|init| &init.relocations) {
                for symbol in [Some(relocation.symbol), relocation.minus]
                    .into_iter()
                    .flatten()
                {
                    if let Symbol::Block(func, block) = symbol {
                        taken.push((func, block));
                    }
                }
            }
        }
        for pair in taken {
            let next =
                self.code_base + CODE_STEP * (self.function_count + self.blocks.len() as u64);
            self.blocks.entry(pair).or_insert(next);
        }
    }

    /// All ones in the width of an address.
    pub(crate) const fn address_mask(&self) -> u64 {
        u64::MAX >> (64 - self.pointer_bits)
    }

    /// The address of a global.
    pub fn global(&self, global: Global) -> u64 {
        self.globals[global.index()]
    }

    /// Where a global is in memory.
    pub fn offset_of(&self, global: Global) -> u32 {
        let address = self.global(global);
        match self.main().contains(&address) {
            true => (address - self.base) as u32,
            false => self.window_offset(address, 1).unwrap_or(0),
        }
    }

    /// The addresses of the main range.
    fn main(&self) -> Range<u64> {
        self.base..self.base + u64::from(self.registers.end)
    }

    /// The address of a function.
    pub fn function(&self, func: Func) -> u64 {
        self.code_base + CODE_STEP * func.index() as u64
    }

    /// The function at an address.
    pub fn function_at(&self, address: u64) -> Option<Func> {
        let distance = address.checked_sub(self.code_base)?;
        let index = distance / CODE_STEP;
        (distance % CODE_STEP == 0 && index < self.function_count)
            .then(|| Func::from_index(index as usize))
    }

    /// The address of a block that the program takes the address of; zero for others.
    pub fn block(&self, func: Func, block: Block) -> u64 {
        self.blocks.get(&(func, block)).copied().unwrap_or(0)
    }

    /// The address of something with one.
    pub(crate) fn symbol(&self, symbol: Symbol) -> u64 {
        match symbol {
            Symbol::Global(global) => self.global(global),
            Symbol::Func(func) => self.function(func),
            Symbol::Block(func, block) => self.block(func, block),
        }
    }

    /// How many bytes of memory there are: offsets are below.
    pub const fn bytes(&self) -> u32 {
        self.size
    }

    /// All segments, in order of their offsets.
    pub fn segments(&self) -> &[Segment] {
        &self.segments
    }

    /// Whether a byte is non-volatile and not of the stack, which calls use again and again.
    pub fn outlasts_calls(&self, offset: u32) -> bool {
        self.segment(offset)
            .is_some_and(|segment| segment.nonvolatile && segment.kind != SegmentKind::Stack)
    }

    /// The segment an offset lies in.
    pub fn segment(&self, offset: u32) -> Option<&Segment> {
        let index = self
            .segments
            .partition_point(|segment| segment.offsets.end <= offset);
        self.segments
            .get(index)
            .filter(|segment| segment.offsets.contains(&offset))
    }

    /// The address of an offset.
    pub fn address(&self, offset: u32) -> u64 {
        self.segment(offset).map_or(0, |segment| {
            segment.address + u64::from(offset - segment.offsets.start)
        })
    }

    /// Where the piece of the main range that `offset` lies in ends. No access runs from one piece
    /// into the next; constants, globals and stack are one piece, as in the memory of a device.
    pub(crate) fn piece_end(&self, offset: u32) -> u32 {
        let pieces = [self.stack.end, self.heap.end];
        let end = pieces.into_iter().find(|&end| offset < end);
        end.unwrap_or(self.registers.end)
    }

    /// The offset of an address that the program, or a device register of the scenario, names by
    /// its number.
    pub fn fixed_offset(&self, address: u64) -> Option<u32> {
        self.window_offset(address, 1)
    }

    /// The offset of a device register; none if the program has nothing there.
    pub(crate) fn register(&self, place: RegisterPlace) -> Option<u32> {
        match place {
            RegisterPlace::Global(global) => Some(self.offset_of(global)),
            RegisterPlace::Address(address) => self.fixed_offset(address),
        }
    }

    /// The offset of an address outside of the main range, and how many bytes there are from it on.
    pub(crate) fn run_at(&self, address: u64) -> Option<(u32, u64)> {
        let mut runs = self.runs.iter();
        runs.find_map(|run| Some((run.offset(address, 1)?, run.addresses.end - address)))
    }

    /// The offset of an access outside of the main range.
    pub(crate) fn window_offset(&self, address: u64, size: u32) -> Option<u32> {
        let mut runs = self.runs.iter();
        runs.find_map(|run| run.offset(address, size))
    }
}

/// Whether the program has an allocator: without one, a heap would only be copied and compared for every
/// power failure.
pub fn allocates(program: &Program) -> bool {
    let bodies = program
        .functions
        .values()
        .filter_map(|function| function.body.as_ref());
    let mut insts = bodies
        .flat_map(|body| body.blocks.values())
        .flat_map(|block| &block.insts);
    insts.any(|inst| {
        matches!(
            inst.op,
            Op::Service {
                service: Service::HeapStart,
                ..
            }
        )
    })
}

fn narrow(range: &Range<u64>) -> Range<u32> {
    range.start as u32..range.end as u32
}

pub(crate) fn for_each_operand(program: &Program, mut visit: impl FnMut(Operand)) {
    for body in program
        .functions
        .values()
        .filter_map(|function| function.body.as_ref())
    {
        for block in body.blocks.values() {
            for inst in &block.insts {
                crate::compile::operands(&program.target, &inst.op)
                    .into_iter()
                    .for_each(&mut visit);
            }
            crate::compile::terminator_operands(&block.terminator)
                .into_iter()
                .for_each(&mut visit);
        }
    }
}
