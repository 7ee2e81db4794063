//! The invariants of the representation. Whoever makes a program verifies it;
//! whoever reads one relies on them.
//!
//! Program:
//! - pointers have 16, 32 or 64 bits;
//! - every id names something that exists;
//! - constructors and destructors take no arguments;
//! - a place is not inlined into itself;
//! - integer types have 1 to 128 bits;
//! - members and elements of a source type lie inside it, and the source type
//!   of an object inside the object;
//! - alignments are powers of two.
//!
//! Globals:
//! - initialisers are no longer than their object, and all together hold at
//!   most [`MAX_INITIALIZER_BYTES`];
//! - relocations hold 1 byte to a whole address (differences up to 8 bytes),
//!   lie inside their object and do not overlap.
//!
//! Functions:
//! - the last parameter of a variadic function is a pointer;
//! - a body has an entry block, whose parameters are the function's and to
//!   which nothing jumps, not even a computed jump;
//! - every value is defined once, as a block parameter or a result, and its
//!   definition dominates its uses, except uses in unreachable blocks.
//!
//! Operands:
//! - a value has the type its use asks for;
//! - a constant fits in that type's width;
//! - addresses of globals, slots, functions and blocks stand only where a
//!   pointer is asked for.
//!
//! Operations ([`Op::visit_operands`] and [`Op::result_type`] give the types):
//! - integer operators of two operands and comparisons are on integers or
//!   pointers, of one or three operands on integers; `bswap` is on whole bytes;
//! - floating-point operators are on floats;
//! - `zext` and `sext` widen, `trunc` narrows integers; `fpext` widens,
//!   `fptrunc` narrows floats; `bitcast` keeps the width and turns no integer
//!   into a pointer or back;
//! - results have the number and types the operation gives;
//! - calls have as many argument types as arguments, and those of a known
//!   callee are its signature; services have the arguments they ask for.
//!
//! Terminators:
//! - conditions are `i1`; a switch is on an integer, its cases fit and differ;
//! - edges have one argument of the right type for each parameter;
//! - a computed jump has one edge to each target (or several that are equal);
//! - returned values are the function's results.

mod body;
mod dominators;
mod problem;

pub use dominators::Dominators;
pub use problem::{Problem, Site, VerifyError};

#[cfg(doc)]
use crate::inst::Op;
use crate::program::{Func, Function, Global, GlobalData, Initializer, Program, Symbol};
use crate::source::{Place, SourceType, TypeId, TypeKind};
use crate::types::Type;

/// How many bytes all initialisers of a program may hold together.
pub const MAX_INITIALIZER_BYTES: usize = 1 << 26;

/// Checks all invariants.
///
/// # Errors
///
/// Every broken invariant, in the order of the program.
pub fn verify(program: &Program) -> Result<(), Vec<VerifyError>> {
    let mut verifier = Verifier {
        program,
        errors: Vec::new(),
    };
    verifier.program();
    if verifier.errors.is_empty() {
        Ok(())
    } else {
        Err(verifier.errors)
    }
}

struct Verifier<'p> {
    program: &'p Program,
    errors: Vec<VerifyError>,
}

impl Verifier<'_> {
    fn report(&mut self, site: Site, problem: Problem) {
        self.errors.push(VerifyError { site, problem });
    }

    fn program(&mut self) {
        let program = self.program;
        let bits = program.target.pointer_bits;
        if !matches!(bits, 16 | 32 | 64) {
            // Nothing else makes sense without.
            return self.report(Site::Program, Problem::PointerWidth(bits));
        }
        for hook in program.constructors.iter().chain(&program.destructors) {
            match program.functions.get(*hook) {
                None => self.report(Site::Program, Problem::NoSuchFunction(*hook)),
                Some(function) if !function.params.is_empty() => {
                    self.report(Site::Program, Problem::HookTakesArguments(*hook));
                }
                Some(_) => {}
            }
        }
        self.places();
        for (id, ty) in program.source.types.iter() {
            self.source_type(id, ty);
        }
        let mut bytes = 0;
        for (id, global) in program.globals.iter() {
            self.global(Site::Global(id), global);
            bytes += global.init.as_ref().map_or(0, |init| init.bytes.len());
        }
        if bytes > MAX_INITIALIZER_BYTES {
            self.report(Site::Program, Problem::InitializersTooLong);
        }
        for (id, function) in program.functions.iter() {
            self.function(id, function);
        }
    }

    fn places(&mut self) {
        let places = &self.program.source.places;
        for (id, place) in places.iter() {
            let site = Site::Place(id);
            if self.program.source.files.get(place.file).is_none() {
                self.report(site, Problem::NoSuchFile(place.file));
            }
            self.place(site, place.inlined_at);
        }
        // Follow every chain until it ends or meets one already followed.
        let mut followed = vec![0; places.len()];
        for (start, id) in places.ids().enumerate() {
            let mut next = Some(id);
            while let Some((id, data)) = next.and_then(|id| Some((id, places.get(id)?))) {
                let by = &mut followed[crate::Id::index(id)];
                if *by == start + 1 {
                    self.report(Site::Place(id), Problem::InliningCycle);
                }
                if *by != 0 {
                    break;
                }
                *by = start + 1;
                next = data.inlined_at;
            }
        }
    }

    fn source_type(&mut self, id: TypeId, ty: &SourceType) {
        let site = Site::Type(id);
        match &ty.kind {
            TypeKind::Struct(fields) | TypeKind::Union(fields) => {
                for field in fields {
                    self.type_id(site, Some(field.ty));
                    let source = &self.program.source;
                    if source.types.get(field.ty).is_some() && !source.holds(ty.size, field) {
                        self.report(site, Problem::MemberOutside);
                    }
                }
            }
            TypeKind::Array { element, count } => {
                self.type_id(site, Some(*element));
                let source = &self.program.source;
                if source.types.get(*element).is_some()
                    && !source.holds_elements(ty.size, *element, *count)
                {
                    self.report(site, Problem::MemberOutside);
                }
            }
            TypeKind::Pointer(to) => self.type_id(site, *to),
            TypeKind::Unsigned
            | TypeKind::Signed
            | TypeKind::Char
            | TypeKind::Bool
            | TypeKind::Float
            | TypeKind::Enum(_)
            | TypeKind::Opaque => {}
        }
    }

    fn global(&mut self, site: Site, global: &GlobalData) {
        self.align(site, global.align);
        self.object_type(site, global.ty, global.size);
        self.place(site, global.place);
        if let Some(init) = &global.init {
            self.initializer(site, global.size, init);
        }
    }

    fn initializer(&mut self, site: Site, size: u64, init: &Initializer) {
        let bytes = init.bytes.len();
        if bytes as u64 > size {
            self.report(site, Problem::InitializerTooLong { bytes, size });
        }
        let pointer = self.program.target.pointer_bytes();
        let mut ranges = Vec::new();
        for relocation in &init.relocations {
            let (offset, bytes) = (relocation.offset, relocation.bytes);
            let most = if relocation.minus.is_some() {
                8
            } else {
                pointer
            };
            if bytes == 0 || u32::from(bytes) > most {
                self.report(site, Problem::RelocationWidth(bytes));
            }
            match offset.checked_add(u64::from(bytes)) {
                Some(end) if end <= size => ranges.push((offset, end)),
                _ => self.report(site, Problem::RelocationOutside { offset }),
            }
            for symbol in [Some(relocation.symbol), relocation.minus]
                .into_iter()
                .flatten()
            {
                match symbol {
                    Symbol::Global(global) => self.global_id(site, global),
                    Symbol::Func(function) => self.function_id(site, function),
                    Symbol::Block(function, block) => self.block_address(site, function, block),
                }
            }
        }
        ranges.sort_unstable();
        for pair in ranges.windows(2) {
            if let [(_, end), (offset, _)] = *pair
                && offset < end
            {
                self.report(site, Problem::RelocationsOverlap { offset });
            }
        }
    }

    fn function(&mut self, id: Func, function: &Function) {
        let site = Site::Function(id);
        for ty in function.params.iter().chain(&function.results) {
            self.ty(site, *ty);
        }
        if function.variadic && function.params.last() != Some(&Type::Ptr) {
            self.report(site, Problem::VariadicWithoutArea);
        }
        self.place(site, function.place);
        if let Some(body) = &function.body {
            self.body(id, function, body);
        }
    }

    fn ty(&mut self, site: Site, ty: Type) {
        match ty {
            Type::Int(1..=128) | Type::Ptr | Type::Float(_) => {}
            Type::Int(bits) => self.report(site, Problem::IntegerWidth(bits)),
        }
    }

    fn align(&mut self, site: Site, align: u32) {
        if !align.is_power_of_two() {
            self.report(site, Problem::Alignment(align));
        }
    }

    fn place(&mut self, site: Site, place: Option<Place>) {
        if let Some(place) = place
            && self.program.source.places.get(place).is_none()
        {
            self.report(site, Problem::NoSuchPlace(place));
        }
    }

    /// The source type of an object of so many bytes.
    fn object_type(&mut self, site: Site, ty: Option<TypeId>, size: u64) {
        self.type_id(site, ty);
        let data = ty.and_then(|ty| self.program.source.types.get(ty));
        if data.is_some_and(|data| data.size > size) {
            self.report(site, Problem::TypeTooLarge);
        }
    }

    fn type_id(&mut self, site: Site, ty: Option<TypeId>) {
        if let Some(ty) = ty
            && self.program.source.types.get(ty).is_none()
        {
            self.report(site, Problem::NoSuchType(ty));
        }
    }

    fn global_id(&mut self, site: Site, global: Global) {
        if self.program.globals.get(global).is_none() {
            self.report(site, Problem::NoSuchGlobal(global));
        }
    }

    fn function_id(&mut self, site: Site, function: Func) {
        if self.program.functions.get(function).is_none() {
            self.report(site, Problem::NoSuchFunction(function));
        }
    }

    fn block_address(&mut self, site: Site, function: Func, block: crate::Block) {
        let Some(data) = self.program.functions.get(function) else {
            return self.report(site, Problem::NoSuchFunction(function));
        };
        let found = data.body.as_ref().and_then(|body| body.blocks.get(block));
        if found.is_none() {
            self.report(site, Problem::NoSuchBlockIn(function, block));
        }
    }
}
