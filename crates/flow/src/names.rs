//! What users call things: cells, sites, starts.

use brownout_diag::{ObjectId, ObjectRef, Segment, SourcePlace};
use brownout_ir::source::Place;
use brownout_ir::{BEHIND, Id, Origin, Type};

use crate::accesses::Cell;
use crate::contexts::{Instance, Site};
use crate::model::Model;
use crate::objects::{Kind, Object};
use crate::supergraph::Reason;

impl Model<'_> {
    /// Where a site is in the user's source: code of the library counts for who called it.
    pub fn source_place(&self, site: Site) -> Option<SourcePlace> {
        let mut site = site;
        loop {
            let func = self.func(site.instance);
            if self.program.functions[func].origin == Origin::User
                && let Some(place) = self.place(site)
            {
                return Some(self.describe(place, site.instance));
            }
            site = self.contexts.activation(site.instance).caller?;
        }
    }

    fn describe(&self, place: Place, instance: Instance) -> SourcePlace {
        let source = &self.program.source;
        let Some(data) = source.places.get(place) else {
            return SourcePlace::default();
        };
        let stack = self.stack(instance).into_iter();
        SourcePlace {
            file: source.files.get(data.file).cloned().unwrap_or_default(),
            line: data.line,
            column: data.column,
            function: data.function.clone(),
            stack: stack
                .filter(|func| self.program.functions[*func].origin == Origin::User)
                .map(|func| self.program.functions[func].name.clone())
                .collect(),
        }
    }

    /// A node in one line: function, lines.
    pub(crate) fn label(&self, node: u32) -> String {
        let Some(instance) = self.node(node).instance else {
            return String::new();
        };
        let data = self.node(node);
        let sites = self.steps(node).map(|(site, _)| site);
        let ends = self.terminator(node).map(|(site, _)| site);
        let lines: Vec<u32> = sites
            .chain(ends)
            .filter_map(|site| self.program.source.places.get(self.place(site)?))
            .map(|place| place.line)
            .filter(|line| *line > 0)
            .collect();
        let lines = match (lines.iter().min(), lines.iter().max()) {
            (Some(first), Some(last)) if first == last => format!(" line {first}"),
            (Some(first), Some(last)) => format!(" lines {first}-{last}"),
            _ => String::new(),
        };
        format!(
            "{} {instance} {}{lines}",
            self.function_name(instance),
            data.block
        )
    }

    /// Where a region starts, in one line.
    pub(crate) fn title(&self, reason: Reason) -> String {
        match reason {
            Reason::Entry => "from the start".to_owned(),
            Reason::Checkpoint(site) => match self.source_place(site) {
                Some(place) => format!("from the checkpoint at {place}"),
                None => "from a checkpoint".to_owned(),
            },
            Reason::Function(instance) => format!("from {}", self.function_name(instance)),
            Reason::Input(site) => match self.source_place(site) {
                Some(place) => format!("from before the input at {place}"),
                None => "from before an input".to_owned(),
            },
        }
    }

    /// A cell as users see it.
    pub fn object(&self, cell: u32) -> ObjectRef {
        self.bytes(self.accesses.cells[cell as usize])
    }

    /// A cell as users see it that an instruction writes: of bit-fields that one.
    pub(crate) fn written(&self, cell: u32, write: Site) -> ObjectRef {
        let mut named = self.object(cell);
        let Cell { object, .. } = self.accesses.cells[cell as usize];
        if let Some(&bits) = self.accesses.changed.get(&write)
            && let Some(field) = self.field(object, named.offset, bits)
        {
            let whole = self.name(object, 0, i64::MAX);
            named.name = match whole.strip_prefix('*') {
                Some(pointer) => format!("{pointer}->{}", field.trim_start_matches('.')),
                None => whole + &field,
            };
        }
        named
    }

    /// Some bytes of an object as users see them.
    pub(crate) fn bytes(&self, cell: Cell) -> ObjectRef {
        let Cell { object, start, end } = cell;
        let data = self.points_to.objects.data(object);
        let size = data.size.map_or(end, |size| end.min(size)) - start;
        let segment = match data.kind {
            Kind::Slot(..) | Kind::Stack(_) => Segment::Stack,
            Kind::Heap(_) => Segment::Heap,
            Kind::Absolute => Segment::Registers,
            Kind::Global(_)
            | Kind::Code(_)
            | Kind::Parameter(..)
            | Kind::Returned(_)
            | Kind::Behind(..) => Segment::Globals,
        };
        ObjectRef {
            name: self.name(object, start, end),
            whole: self.whole_name(object),
            id: self.id(object, start),
            segment,
            offset: start as u64,
            size: size as u64,
        }
    }

    /// What users call a whole object.
    pub(crate) fn whole_name(&self, object: Object) -> String {
        let size = self.points_to.objects.data(object).size;
        self.name(object, 0, size.unwrap_or(0))
    }

    /// Which object some bytes belong to, from `start` on, in the terms of findings.
    pub(crate) fn id(&self, object: Object, start: i64) -> ObjectId {
        let program = self.program;
        let function = |instance: Instance| program.functions[self.func(instance)].name.clone();
        match self.points_to.objects.data(object).kind {
            Kind::Global(global) => ObjectId::Variable(program.globals[global].name.clone()),
            Kind::Slot(instance, slot) => ObjectId::Local {
                function: function(instance),
                slot: slot.index() as u32,
            },
            Kind::Stack(site) => ObjectId::Frame(Some(function(site.instance))),
            Kind::Heap(site) => match self.source_place(site) {
                Some(SourcePlace {
                    file, line, column, ..
                }) => ObjectId::Block { file, line, column },
                None => ObjectId::Unknown,
            },
            Kind::Code(func) => ObjectId::Code(program.functions[func].name.clone()),
            Kind::Absolute => ObjectId::Address(start as u64),
            Kind::Parameter(instance, index) => {
                ObjectId::Variable(program.passed(self.func(instance), index as usize))
            }
            Kind::Returned(site) => match self.source_place(site) {
                Some(SourcePlace {
                    file, line, column, ..
                }) => ObjectId::Returned { file, line, column },
                None => ObjectId::Unknown,
            },
            Kind::Behind(above, offset) => match self.id(above, 0) {
                ObjectId::Variable(above) => ObjectId::Variable(format!("{above}{BEHIND}{offset}")),
                _ => ObjectId::Unknown,
            },
        }
    }

    /// The name of some bytes of an object: `cal.x`, `buf[3]`, `dev->mode`.
    pub fn name(&self, object: Object, start: i64, end: i64) -> String {
        let program = self.program;
        let source = &program.source;
        let data = self.points_to.objects.data(object);
        let (first, length) = (start.max(0) as u64, (end - start).max(0) as u64);
        let path = data
            .ty
            .map_or_else(String::new, |ty| source.path(ty, first, length));
        match data.kind {
            Kind::Global(global) => {
                let data = &program.globals[global];
                let name = data.variable.as_deref().unwrap_or(&data.name);
                format!("{name}{path}")
            }
            Kind::Slot(instance, slot) => {
                let slot = self
                    .contexts
                    .body(instance)
                    .and_then(|body| body.slots.get(slot));
                match slot.and_then(|slot| slot.name.as_ref()) {
                    Some(name) => format!("{name}{path}"),
                    None => format!("temporary of {}", self.function_name(instance)),
                }
            }
            Kind::Stack(site) => format!("stack of {}", self.function_name(site.instance)),
            Kind::Heap(site) => match self.source_place(site) {
                Some(place) => format!("heap block from {}:{}", place.file, place.line),
                None => "heap block".to_owned(),
            },
            Kind::Code(func) => program.functions[func].name.clone(),
            Kind::Absolute => format!("{start:#06x}"),
            Kind::Parameter(instance, index) => {
                self.behind(&self.parameter(instance, index), object, start, end)
            }
            Kind::Returned(site) => {
                let place = self.source_place(site);
                let place = place.map_or_else(String::new, |place| format!(" at {place}"));
                format!("memory returned{place}")
            }
            Kind::Behind(above, offset) => {
                let pointer = i64::from(Type::Ptr.bytes(&program.target));
                let pointer = self.name(above, offset, offset + pointer);
                self.behind(&pointer, object, start, end)
            }
        }
    }

    /// The path to the bit-field whose bits, counted from a byte of an object on, these are.
    fn field(&self, object: Object, first: u64, bits: u64) -> Option<String> {
        let ty = self.points_to.objects.data(object).ty?;
        let mut fields = self.program.source.bit_fields(ty, first).into_iter();
        let found = fields.find(|field| {
            let inside = field.bits.start.checked_sub(first * 8);
            let width = field.bits.end - field.bits.start;
            inside.is_some_and(|inside| {
                inside < 64 && width < 64 && bits == ((1 << width) - 1) << inside
            })
        });
        found.map(|field| field.path)
    }

    /// A part of what a pointer points to.
    fn behind(&self, pointer: &str, object: Object, start: i64, end: i64) -> String {
        let source = &self.program.source;
        let data = self.points_to.objects.data(object);
        let (first, length) = (start.max(0) as u64, (end - start).max(0) as u64);
        let pointee = data.ty.and_then(|ty| Some((ty, source.types.get(ty)?)));
        let Some((ty, pointee)) = pointee.filter(|(_, pointee)| pointee.size > 0) else {
            return match start {
                0 => format!("*{pointer}"),
                start => format!("{pointer}[{start}]"),
            };
        };
        // Several cells of one type behind a pointer are an array.
        let cells = self.accesses.cells(object, 0, i64::MAX);
        let last = cells.last().map(|cell| self.accesses.cells[cell as usize]);
        let is_array = last.is_some_and(|cell| cell.start as u64 >= pointee.size);
        let (element, inside) = (first / pointee.size, first % pointee.size);
        let mut path = source.path(ty, inside, length);
        if path.is_empty() {
            path = source.only_member(ty);
        }
        match (is_array, path.strip_prefix('.')) {
            (true, _) => format!("{pointer}[{element}]{path}"),
            (false, Some(field)) => format!("{pointer}->{field}"),
            (false, None) => format!("*{pointer}{path}"),
        }
    }

    fn function_name(&self, instance: Instance) -> &str {
        &self.program.functions[self.func(instance)].name
    }

    /// What a parameter of a function is called in the source.
    fn parameter(&self, instance: Instance, index: u32) -> String {
        let func = self.func(instance);
        let function = &self.program.functions[func];
        let name = self
            .program
            .parameter(func, index as usize)
            .and_then(|parameter| parameter.name);
        name.unwrap_or_else(|| format!("argument {} of {}", index + 1, function.name))
    }
}
