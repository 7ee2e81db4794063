//! What instructions do to memory, in terms of cells.
//!
//! Every object is cut into *cells* at all the offsets where an access of the program begins or
//! ends, so that an access touches whole cells. A write is *sure* if it overwrites its cells
//! whenever it is executed: one exact address in a single object.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use brownout_ir::{Callee, Func, Id, Inst, Op, Operand, Program, Service, Type};
use rustc_hash::FxHashMap;

use crate::contexts::{At, Contexts, Instance, Site};
use crate::kept::keeping;
use crate::library::{self, Effect};
use crate::objects::{Kind, Object, Target, UNBOUNDED};
use crate::patience::Stopped;
use crate::points_to::PointsTo;
use crate::setting::{Fill, Length, Role, Setting};

/// Cells with consecutive numbers, and whether these are the ones, whenever it happens.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Touch {
    /// The cells.
    pub cells: Range<u32>,
    /// Whether one exact place in a single object is touched, all of it: a write overwrites it.
    pub sure: bool,
}

/// What one instruction does to memory.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Effects {
    /// What it may read.
    pub reads: Vec<Touch>,
    /// What it may write.
    pub writes: Vec<Touch>,
}

/// Some bytes of an object.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Cell {
    /// The object.
    pub object: Object,
    /// The first byte.
    pub start: i64,
    /// One past the last byte.
    pub end: i64,
}

/// All cells, and what every instruction does to them.
#[derive(Debug, Default)]
pub struct Accesses {
    /// The cells, by object and offset.
    pub cells: Vec<Cell>,
    /// Where the cells of an object are.
    ranges: BTreeMap<Object, Range<u32>>,
    effects: FxHashMap<Site, Effects>,
    /// The bits that stores change, of those that keep others.
    pub changed: FxHashMap<Site, u64>,
    /// Functions without a body that the program calls, and what was assumed.
    pub unknown: BTreeSet<Func>,
    /// Accesses through pointers that point nowhere we know.
    pub lost: Vec<Site>,
    /// Instructions that read the surroundings.
    pub inputs: BTreeSet<Site>,
}

impl Accesses {
    /// What an instruction does.
    pub fn of(&self, site: Site) -> Option<&Effects> {
        self.effects.get(&site)
    }

    /// The cells that instructions read, each access by itself.
    pub fn reads(&self) -> impl Iterator<Item = &Touch> {
        self.effects.values().flat_map(|effects| &effects.reads)
    }

    /// The cells that instructions write, each access by itself.
    pub fn writes(&self) -> impl Iterator<Item = &Touch> {
        self.effects.values().flat_map(|effects| &effects.writes)
    }

    /// The cells of some bytes of an object.
    pub fn cells(&self, object: Object, start: i64, end: i64) -> Range<u32> {
        let Some(range) = self.ranges.get(&object) else {
            return 0..0;
        };
        let cells = &self.cells[range.start as usize..range.end as usize];
        let first = cells.partition_point(|cell| cell.end <= start) as u32;
        let last = cells.partition_point(|cell| cell.start < end) as u32;
        range.start + first..range.start + last.max(first)
    }
}

/// How many copies in a row keep the parts of what they copy apart.
const COPIES: usize = 8;

/// One access before cells exist.
struct Raw {
    site: Site,
    write: bool,
    target: Target,
    span: (i64, i64),
    sure: bool,
    /// The bits that a store changes, if it keeps others.
    changed: Option<u64>,
}

impl Raw {
    /// The bytes of which object.
    fn part(&self) -> (Object, (i64, i64)) {
        (self.target.object, self.span)
    }
}

/// Collects what all instructions of all instances do.
///
/// # Errors
/// If that is not wanted any more.
pub fn accesses(
    program: &Program,
    setting: &Setting,
    contexts: &Contexts,
    points_to: &PointsTo,
) -> Result<Accesses, Stopped> {
    let mut collector = Collector {
        program,
        setting,
        contexts,
        points_to,
        raw: Vec::new(),
        result: Accesses::default(),
    };
    for instance in contexts.ids() {
        setting.interrupt.go_on()?;
        collector.instance(instance);
    }
    Ok(collector.finish())
}

struct Collector<'p> {
    program: &'p Program,
    setting: &'p Setting,
    contexts: &'p Contexts,
    points_to: &'p PointsTo,
    raw: Vec<Raw>,
    result: Accesses,
}

impl Collector<'_> {
    fn instance(&mut self, instance: Instance) {
        let contexts = self.contexts;
        let Some(body) = contexts.body(instance) else {
            return;
        };
        let keeping = keeping(&self.program.target, body);
        for (block, data) in body.blocks.iter() {
            if !contexts.activation(instance).ranges.is_reached(block) {
                continue;
            }
            for (index, inst) in data.insts.iter().enumerate() {
                let at = At {
                    block,
                    index: index as u32,
                };
                let site = Site { instance, at };
                match (keeping.get(&at), &inst.op) {
                    // What is only put back is not read.
                    (Some(_), Op::Load { .. }) => {}
                    (Some(&changed), _) => {
                        let first = self.raw.len();
                        self.instruction(site, inst);
                        for raw in &mut self.raw[first..] {
                            raw.changed = Some(changed);
                        }
                    }
                    (None, _) => self.instruction(site, inst),
                }
            }
        }
    }

    fn instruction(&mut self, site: Site, inst: &Inst) {
        match &inst.op {
            Op::Load {
                ty,
                address,
                volatile,
            } => {
                let bytes = i64::from(ty.bytes(&self.program.target));
                self.access(site, false, *address, Some(bytes));
                if self.reads_device(site.instance, *address, *volatile) {
                    self.result.inputs.insert(site);
                }
            }
            Op::Store { ty, address, .. } => {
                let bytes = i64::from(ty.bytes(&self.program.target));
                self.access(site, true, *address, Some(bytes));
            }
            Op::Copy { to, from, length } => {
                let length = self.constant(site.instance, *length);
                self.access(site, false, *from, length);
                self.access(site, true, *to, length);
            }
            Op::Fill { to, length, .. } => {
                let length = self.constant(site.instance, *length);
                self.access(site, true, *to, length);
            }
            Op::Service {
                service: Service::Write,
                args,
            } => {
                let length = args
                    .get(2)
                    .and_then(|&arg| self.constant(site.instance, arg));
                if let Some(&address) = args.get(1) {
                    self.access(site, false, address, length);
                }
            }
            Op::Call { callee, args, .. } => {
                let callees = match *callee {
                    Callee::Direct(func) => vec![func],
                    Callee::Indirect(address) => self.points_to.functions(site.instance, address),
                };
                for func in callees {
                    if self.contexts.code[func.index()].is_none() {
                        self.without_body(site, func, args);
                    }
                }
            }
            _ => {}
        }
    }

    /// Whether a load reads a device register that is an input.
    fn reads_device(&self, instance: Instance, address: Operand, volatile: bool) -> bool {
        let mut targets = self.points_to.of(instance, address).into_iter();
        targets.any(|target| {
            let kind = self.points_to.objects.data(target.object).kind;
            is_device(self.program, self.setting, kind, &target, volatile)
        })
    }

    /// The value of an operand of pointer width, if there is only one.
    fn constant(&self, instance: Instance, operand: Operand) -> Option<i64> {
        let ranges = &self.contexts.activation(instance).ranges;
        let bits = u32::from(self.program.target.pointer_bits);
        let value = ranges.of(operand, bits).single()?;
        i64::try_from(value).ok()
    }

    /// An access of `bytes` bytes, or of an unknown number.
    fn access(&mut self, site: Site, write: bool, address: Operand, bytes: Option<i64>) {
        if bytes == Some(0) {
            return;
        }
        if let Some(bytes) = bytes
            && let Some(elements) = self.elements(site.instance, address, bytes)
        {
            for (target, span) in elements {
                self.touch(site, write, target, span, false);
            }
            return;
        }
        let targets = self.points_to.of(site.instance, address);
        let alone = targets.len() == 1;
        if targets.is_empty() && address != Operand::Bits(0) {
            self.result.lost.push(site);
        }
        for target in targets {
            self.access_at(site, write, target, bytes, alone);
        }
    }

    /// What an access can touch whose address has an index of a known range: bytes of what it points to.
    ///
    /// None if the address is exact, or nothing is known of the index.
    fn elements(
        &self,
        instance: Instance,
        address: Operand,
        bytes: i64,
    ) -> Option<Vec<(Target, (i64, i64))>> {
        let ranges = &self.contexts.activation(instance).ranges;
        let (mut at, mut after) = (address, 0_i64);
        let moved = loop {
            let moved = ranges.moved(at.value()?)?;
            if moved.least < moved.most {
                break moved;
            }
            after = after.checked_add(moved.least)?;
            at = moved.base;
        };
        let bases = self.points_to.of(instance, moved.base);
        if !bases.iter().all(|base| base.is_exact()) {
            return None;
        }
        let mut found = Vec::new();
        for target in self.points_to.of(instance, address) {
            let spans = target.spans(bytes);
            for base in bases.iter().filter(|base| base.object == target.object) {
                let start = base.start.checked_add(after)?;
                let last = start.checked_add(moved.most)?.checked_add(bytes)?;
                let reach = (start.checked_add(moved.least)?, last);
                let common = spans
                    .iter()
                    .map(|&(from, to)| (from.max(reach.0), to.min(reach.1)));
                found.extend(
                    common
                        .filter(|(from, to)| from < to)
                        .map(|span| (target, span)),
                );
            }
        }
        // An index that is outside of its array says nothing.
        (!found.is_empty()).then_some(found)
    }

    /// An access to one of the objects that it may be about, or to the only one.
    fn access_at(
        &mut self,
        site: Site,
        write: bool,
        target: Target,
        bytes: Option<i64>,
        alone: bool,
    ) {
        let size = self.size(target);
        let (spans, sure) = match bytes {
            Some(bytes) => (target.spans(bytes), target.is_exact()),
            None if target.is_exact() => (vec![(target.start, size)], false),
            None => (vec![(target.start, target.end)], false),
        };
        for span in spans {
            self.touch(site, write, target, span, sure && alone);
        }
    }

    fn size(&self, target: Target) -> i64 {
        let size = self.points_to.objects.data(target.object).size;
        size.unwrap_or(UNBOUNDED)
    }

    /// Notes an access to bytes of an object; `sure` if it is these and no others.
    fn touch(&mut self, site: Site, write: bool, target: Target, span: (i64, i64), sure: bool) {
        let data = self.points_to.objects.data(target.object);
        let size = self.size(target);
        let span = (span.0.clamp(0, size), span.1.clamp(0, size));
        if span.0 < span.1 && !matches!(data.kind, Kind::Code(_)) {
            self.raw.push(Raw {
                site,
                write,
                target,
                span,
                sure: sure && data.single,
                changed: None,
            });
        }
    }

    fn without_body(&mut self, site: Site, func: Func, args: &[Operand]) {
        let function = &self.program.functions[func];
        match self.setting.roles.get(&func) {
            Some(Role::Input(fills)) => {
                self.result.inputs.insert(site);
                for fill in fills {
                    self.fill(site, fill, args, fills.len() == 1);
                }
                return;
            }
            Some(Role::Pure) => return self.anywhere(site, &function.params, args, &[false]),
            Some(Role::Checkpoint | Role::Silent) => return,
            None => {}
        }
        let Some(effects) = library::model(&function.name) else {
            self.result.unknown.insert(func);
            return self.anywhere(site, &function.params, args, &[false, true]);
        };
        let argument = |index: u32| args.get(index as usize).copied();
        let extent = |this: &Self, extent: library::Extent| match extent {
            library::Extent::Argument(index) => {
                argument(index).and_then(|arg| this.constant(site.instance, arg))
            }
            library::Extent::Any => None,
        };
        for effect in effects {
            match *effect {
                Effect::Read(arg, length) => {
                    let length = extent(self, length);
                    if let Some(arg) = argument(arg) {
                        self.access(site, false, arg, length);
                    }
                }
                Effect::ReadTexts(format, area) => {
                    let format = argument(format).and_then(|arg| self.text(site.instance, arg));
                    if format.is_none_or(library::asks_for_texts)
                        && let Some(area) = argument(area)
                    {
                        for target in self.points_to.inside(site.instance, area) {
                            self.access_at(site, false, target, None, false);
                        }
                    }
                }
                Effect::Write(arg, length) => {
                    let length = extent(self, length);
                    if let Some(arg) = argument(arg) {
                        self.access(site, true, arg, length);
                    }
                }
                Effect::Copies(to, from, length) => {
                    let length = extent(self, length).or_else(|| {
                        let text = argument(from).filter(|_| length == library::Extent::Any)?;
                        let copies_all = function.name == "strcpy" || function.name == "stpcpy";
                        let text = self.text(site.instance, text).filter(|_| copies_all);
                        // With its end.
                        text.and_then(|text| i64::try_from(text.len() + 1).ok())
                    });
                    if let (Some(to), Some(from)) = (argument(to), argument(from)) {
                        self.access(site, false, from, length);
                        self.access(site, true, to, length);
                    }
                }
                Effect::Returns(_)
                | Effect::ReturnsInside(_)
                | Effect::Allocates
                | Effect::Dies => {}
            }
        }
    }

    /// A constant text.
    fn text(&self, instance: Instance, address: Operand) -> Option<&[u8]> {
        let targets = self.points_to.of(instance, address);
        let &[target] = &targets[..] else { return None };
        let Kind::Global(global) = self.points_to.objects.data(target.object).kind else {
            return None;
        };
        let data = Some(&self.program.globals[global]).filter(|data| data.constant)?;
        let start = usize::try_from(target.start)
            .ok()
            .filter(|_| target.is_exact())?;
        let bytes = &data.init.as_ref()?.bytes;
        let text = bytes.get(start.min(bytes.len())..)?;
        // What an initialiser does not say is zero.
        text.split(|&byte| byte == 0).next()
    }

    /// A buffer that an input fills; of several, those that nobody wants have no address.
    fn fill(&mut self, site: Site, fill: &Fill, args: &[Operand], is_only: bool) {
        let length = match fill.length {
            Length::Bytes(bytes) => Some(i64::from(bytes)),
            Length::Argument(index, factor) => args
                .get(index as usize)
                .and_then(|&arg| self.constant(site.instance, arg))
                .and_then(|length| length.checked_mul(factor)),
            Length::Result | Length::Unknown | Length::Reachable => None,
        };
        let Some(&argument) = args.get(fill.argument as usize) else {
            return;
        };
        if fill.length == Length::Reachable {
            for target in self.points_to.inside(site.instance, argument) {
                self.access_at(site, true, target, None, false);
            }
            return;
        }
        let is_there = is_only || argument.value().is_none();
        if fill.members.is_empty() && is_there {
            return self.access(site, true, argument, length);
        }
        let targets = (self.points_to).through(site.instance, argument, &fill.members);
        let alone = targets.len() == 1 && is_there;
        for target in targets {
            self.access_at(site, true, target, length, alone);
        }
    }

    /// A function may read, and write if `writes` has that, all of the objects it is given.
    fn anywhere(&mut self, site: Site, params: &[Type], args: &[Operand], writes: &[bool]) {
        let pointers = args.iter().zip(params).filter(|(_, ty)| **ty == Type::Ptr);
        let targets = pointers.flat_map(|(&arg, _)| self.points_to.of(site.instance, arg));
        for target in targets {
            let data = self.points_to.objects.data(target.object);
            let constant = match data.kind {
                Kind::Global(global) => self.program.globals[global].constant,
                Kind::Code(_) => true,
                _ => false,
            };
            if constant {
                continue;
            }
            // What only computes is told where to read; anything else may know what is around it.
            let whole = self.points_to.objects.anywhere(target);
            let start = match writes.contains(&true) {
                true => whole.start,
                false => target.start.clamp(0, whole.end - 1),
            };
            self.raw.extend(writes.iter().map(|&write| Raw {
                site,
                write,
                target: whole,
                span: (start, whole.end),
                sure: false,
                changed: None,
            }));
        }
    }

    /// What is copied as a whole is cut alike on both sides, so that its parts keep apart.
    fn share_cuts(&self, cuts: &mut BTreeMap<Object, Vec<i64>>) {
        // The read of a copy is noted right before its write.
        let copies: Vec<(&Raw, &Raw)> = self
            .raw
            .windows(2)
            .filter(|pair| pair[0].site == pair[1].site && !pair[0].write && pair[1].write)
            .filter(|pair| pair[0].sure && pair[1].sure)
            .map(|pair| (&pair[0], &pair[1]))
            .collect();
        for _ in 0..COPIES {
            let mut news = false;
            for (from, to) in &copies {
                for (a, b) in [(from, to), (to, from)] {
                    let inside: Vec<i64> = cuts[&a.target.object]
                        .iter()
                        .filter(|&&cut| a.span.0 < cut && cut < a.span.1)
                        .map(|cut| cut - a.span.0 + b.span.0)
                        .collect();
                    let known = cuts.entry(b.target.object).or_default();
                    for cut in inside {
                        if let Err(position) = known.binary_search(&cut) {
                            known.insert(position, cut);
                            news = true;
                        }
                    }
                }
            }
            if !news {
                break;
            }
        }
    }

    /// The bits that are ever changed of what stores with kept bits are to, where that is the same for all
    /// stores there.
    fn parts(&self) -> BTreeMap<(Object, (i64, i64)), Option<u64>> {
        let writes = || self.raw.iter().filter(|raw| raw.write);
        let mut parts = BTreeMap::new();
        for raw in writes().filter(|raw| raw.changed.is_some()) {
            let known = parts.entry(raw.part()).or_insert(raw.changed);
            *known = known.filter(|_| *known == raw.changed);
        }
        let has_parts = !parts.is_empty();
        for raw in writes().filter(|_| has_parts) {
            let (object, span) = raw.part();
            let all = (object, (i64::MIN, i64::MIN))..=(object, (i64::MAX, i64::MAX));
            for (&(_, bytes), known) in parts.range_mut(all) {
                let meets = span.0 < bytes.1 && bytes.0 < span.1;
                if meets && (bytes != span || *known != raw.changed) {
                    *known = None;
                }
            }
        }
        parts
    }

    /// Cuts objects into cells and accesses into cells.
    fn finish(mut self) -> Accesses {
        let mut cuts: BTreeMap<Object, Vec<i64>> = BTreeMap::new();
        for raw in &self.raw {
            let cuts = cuts.entry(raw.target.object).or_default();
            cuts.extend([raw.span.0, raw.span.1]);
        }
        for cuts in cuts.values_mut() {
            cuts.sort_unstable();
            cuts.dedup();
        }
        self.share_cuts(&mut cuts);
        for (object, cuts) in cuts {
            let first = self.result.cells.len() as u32;
            let cells = cuts.windows(2).map(|pair| Cell {
                object,
                start: pair[0],
                end: pair[1],
            });
            self.result.cells.extend(cells);
            let range = first..self.result.cells.len() as u32;
            self.result.ranges.insert(object, range);
        }
        let parts = self.parts();
        for raw in &self.raw {
            let cells = self.result.cells(raw.target.object, raw.span.0, raw.span.1);
            // Another field, or all of them, may be written where only this one is overwritten.
            let is_all = raw.changed.is_none() || parts.get(&raw.part()) == Some(&raw.changed);
            if let Some(changed) = raw.changed {
                self.result.changed.insert(raw.site, changed);
            }
            let effects = self.result.effects.entry(raw.site).or_default();
            let touch = Touch {
                cells,
                sure: raw.sure && is_all,
            };
            if raw.write {
                effects.writes.push(touch);
            } else {
                effects.reads.push(touch);
            }
        }
        self.result
    }
}

/// Whether reading an object of some kind there reads the world outside.
pub fn is_device(
    program: &Program,
    setting: &Setting,
    kind: Kind,
    target: &Target,
    volatile: bool,
) -> bool {
    match kind {
        Kind::Global(global) => {
            let external = program.globals[global].init.is_none();
            setting.input_registers.contains(&global)
                || volatile && external && setting.device_inputs
        }
        Kind::Absolute => {
            let mut addresses = setting.input_addresses.iter();
            let is_input = addresses.any(|&address| {
                let at = i64::try_from(address).unwrap_or(i64::MAX);
                target.start <= at && at <= target.end
            });
            volatile && (setting.device_inputs || is_input)
        }
        // Volatile memory that somebody else made.
        Kind::Parameter(..) | Kind::Behind(..) | Kind::Returned(_) => {
            volatile && setting.device_inputs
        }
        _ => false,
    }
}

/// Whether an object keeps its contents when power fails.
pub fn is_nonvolatile(setting: &Setting, kind: Kind) -> bool {
    match kind {
        Kind::Global(global) => setting.nonvolatile.contains(&global),
        Kind::Slot(..) | Kind::Stack(_) => setting.stack,
        Kind::Heap(_) => setting.heap,
        // Whoever uses a library passes objects that may be anywhere.
        Kind::Parameter(..) | Kind::Behind(..) | Kind::Returned(_) => setting.passed,
        Kind::Code(_) | Kind::Absolute => false,
    }
}
