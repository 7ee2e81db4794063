//! Debug information: places, variables and source types.
//!
//! Metadata is the least checked part of a module (it may be missing, partial
//! or cyclic), so everything here answers with `Option` and looks at a node's
//! kind before it reads it. Every node is translated once.

use std::collections::{HashMap, HashSet};

use brownout_ir::source::{Field, File, Place, PlaceData, SourceMap, SourceType, TypeId, TypeKind};

use crate::raw::{Metadata, MetadataKind, Module, Value};

/// Name, type and place of a variable.
#[derive(Default)]
pub(crate) struct Variable {
    pub(crate) name: Option<String>,
    pub(crate) ty: Option<TypeId>,
    pub(crate) place: Option<Place>,
}

/// Translates debug metadata into a [`SourceMap`].
pub(crate) struct DebugInfo<'m> {
    module: &'m Module,
    pub(crate) source: SourceMap,
    files: HashMap<String, File>,
    places: HashMap<Metadata<'m>, Place>,
    functions: HashMap<Metadata<'m>, String>,
    types: HashMap<Metadata<'m>, TypeId>,
    /// The expression of variables that are values as they are.
    unchanged: Option<Metadata<'m>>,
    /// The expression of variables that lie where a value points to.
    pointed_to: Option<Metadata<'m>>,
    /// Units whose enumerations have been looked at.
    units: HashSet<Metadata<'m>>,
    /// Pointers whose target has not been looked at yet.
    pointees: Vec<(TypeId, Metadata<'m>)>,
}

// An operation of DWARF, and its tags.
const DEREFERENCE: u64 = 0x06;
const ARRAY: u16 = 0x01;
const ENUMERATION: u16 = 0x04;
const MEMBER: u16 = 0x0d;
const POINTER: u16 = 0x0f;
const STRUCTURE: u16 = 0x13;
const TYPEDEF: u16 = 0x16;
const UNION: u16 = 0x17;
const CONST: u16 = 0x26;
const VOLATILE: u16 = 0x35;
const RESTRICT: u16 = 0x37;
const ATOMIC: u16 = 0x47;
const CLASS: u16 = 0x02;
const INHERITANCE: u16 = 0x1c;

/// Enough for the numbers of interrupts, errors and states; names beyond are not shown.
const MOST_ENUMERATORS: usize = 1000;

/// How many virtual functions a class may have.
const MOST_FUNCTIONS: u64 = 1000;

/// How many pointers, qualifiers and names of types lie in front of a type.
const DECLARATORS: usize = 64;

/// Positions of operands in nodes, as LLVM 22 lays them out.
mod operand {
    pub(super) const SCOPE: usize = 1;
    pub(super) const SUBPROGRAM_NAME: usize = 2;
    pub(super) const SUBPROGRAM_TYPE: usize = 4;
    pub(super) const SUBPROGRAM_UNIT: usize = 5;
    pub(super) const UNIT_ENUMERATIONS: usize = 4;
    pub(super) const VARIABLE_SCOPE: usize = 0;
    pub(super) const VARIABLE_NAME: usize = 1;
    pub(super) const VARIABLE_TYPE: usize = 3;
    pub(super) const BASE_TYPE: usize = 5;
    pub(super) const FUNCTION_TYPES: usize = 5;
    pub(super) const ELEMENTS: usize = 6;
}

impl<'m> DebugInfo<'m> {
    pub(crate) fn new(module: &'m Module) -> Self {
        Self {
            module,
            source: SourceMap::default(),
            files: HashMap::new(),
            places: HashMap::new(),
            functions: HashMap::new(),
            types: HashMap::new(),
            units: HashSet::new(),
            pointees: Vec::new(),
            unchanged: module.expression(&mut []),
            pointed_to: module.expression(&mut [DEREFERENCE]),
        }
    }

    fn operand(&self, node: Metadata<'m>, index: usize) -> Option<Value<'m>> {
        self.module.operands(node).get(index).copied().flatten()
    }

    fn node(&self, node: Metadata<'m>, index: usize) -> Option<Metadata<'m>> {
        self.operand(node, index)?.as_metadata()
    }

    fn file(&mut self, file: Option<Metadata<'m>>) -> File {
        let name = match file {
            Some(file) if matches!(file.kind(), MetadataKind::LLVMDIFileMetadataKind) => {
                // Clang says `./b.h` for a header beside the file that includes it.
                file.file_name().trim_start_matches("./").to_owned()
            }
            _ => "<unknown>".to_owned(),
        };
        *self
            .files
            .entry(name)
            .or_insert_with_key(|name| self.source.files.push(name.clone()))
    }

    /// The place of an instruction.
    pub(crate) fn place(&mut self, location: Metadata<'m>) -> Option<Place> {
        if let Some(&place) = self.places.get(&location) {
            return Some(place);
        }
        // Inlining chains can be long: walk them instead of recursing.
        let mut chain = vec![location];
        let mut inlined_at = None;
        while let Some(&location) = chain.last() {
            if !matches!(location.kind(), MetadataKind::LLVMDILocationMetadataKind)
                || chain.len() > 1000
            {
                return None;
            }
            match location.location().3 {
                Some(outer) if self.places.contains_key(&outer) => {
                    inlined_at = self.places.get(&outer).copied();
                    break;
                }
                Some(outer) => chain.push(outer),
                None => break,
            }
        }
        for location in chain.into_iter().rev() {
            let (line, column, scope, _) = location.location();
            let file = self.file(scope.and_then(Metadata::scope_file));
            // What the language's own library does belongs to the code that calls it.
            if let Some(outer) = inlined_at
                && is_of_language(&self.source.files[file])
            {
                self.places.insert(location, outer);
                continue;
            }
            let function = scope.map_or_else(String::new, |scope| self.function_of(scope));
            let place = self.source.places.push(PlaceData {
                file,
                line,
                column,
                function,
                inlined_at,
            });
            self.places.insert(location, place);
            inlined_at = Some(place);
        }
        inlined_at
    }

    /// Whether a place is in the library of the program's language.
    pub(crate) fn is_of_language(&self, place: Place) -> bool {
        let source = &self.source;
        is_of_language(&source.files[source.places[place].file])
    }

    /// The name of the function around a scope.
    fn function_of(&mut self, scope: Metadata<'m>) -> String {
        if let Some(name) = self.functions.get(&scope) {
            return name.clone();
        }
        let mut at = Some(scope);
        let mut name = String::new();
        for _ in 0..256 {
            let Some(node) = at else { break };
            match node.kind() {
                MetadataKind::LLVMDISubprogramMetadataKind => {
                    name = self
                        .operand(node, operand::SUBPROGRAM_NAME)
                        .and_then(Value::metadata_string)
                        .unwrap_or_default();
                    break;
                }
                MetadataKind::LLVMDILexicalBlockMetadataKind
                | MetadataKind::LLVMDILexicalBlockFileMetadataKind => {
                    at = self.node(node, operand::SCOPE);
                }
                _ => break,
            }
        }
        self.functions.insert(scope, name.clone());
        name
    }

    /// Where a function is defined.
    pub(crate) fn function_place(&mut self, function: Value<'m>) -> Option<Place> {
        let subprogram = function.subprogram()?;
        if let Some(&place) = self.places.get(&subprogram) {
            return Some(place);
        }
        self.interrupt_numbers(subprogram);
        let file = self.file(subprogram.scope_file());
        let data = PlaceData {
            file,
            line: subprogram.subprogram_line(),
            column: 0,
            function: self.function_of(subprogram),
            inlined_at: None,
        };
        let place = self.source.places.push(data);
        self.places.insert(subprogram, place);
        Some(place)
    }

    /// Keeps the enumeration in which a device's header has the numbers of its interrupts (`TIM2_IRQn`): no variable
    /// needs to be of that type.
    fn interrupt_numbers(&mut self, subprogram: Metadata<'m>) {
        let unit = self.node(subprogram, operand::SUBPROGRAM_UNIT);
        let is_unit = |unit: &Metadata<'m>| {
            matches!(unit.kind(), MetadataKind::LLVMDICompileUnitMetadataKind)
        };
        let Some(unit) = unit.filter(is_unit).filter(|&unit| self.units.insert(unit)) else {
            return;
        };
        let nodes = |list: Option<Metadata<'m>>| -> Vec<Metadata<'m>> {
            let operands = list.map(|list| self.module.operands(list));
            let operands = operands.into_iter().flatten().flatten();
            operands.filter_map(Value::as_metadata).collect()
        };
        let is_number = |&node: &Metadata<'m>| {
            let name = self.operand(node, 0).and_then(Value::metadata_string);
            name.is_some_and(|name| name.ends_with("_IRQn"))
        };
        let of_interrupts = |&node: &Metadata<'m>| {
            matches!(node.kind(), MetadataKind::LLVMDICompositeTypeMetadataKind)
                && nodes(self.node(node, operand::ELEMENTS))
                    .iter()
                    .any(is_number)
        };
        let mut found = nodes(self.node(unit, operand::UNIT_ENUMERATIONS));
        found.retain(of_interrupts);
        for node in found {
            self.ty(node);
        }
    }

    /// The variable a global stands for.
    pub(crate) fn global(&mut self, global: Value<'m>) -> Variable {
        let found = global
            .global_debug()
            .into_iter()
            .find_map(|node| match node.kind() {
                MetadataKind::LLVMDIGlobalVariableExpressionMetadataKind => node.global_variable(),
                MetadataKind::LLVMDIGlobalVariableMetadataKind => Some(node),
                _ => None,
            });
        found.map_or_else(Variable::default, |variable| self.variable(variable))
    }

    /// The variables that live in memory, and where, from the records before an instruction.
    pub(crate) fn declared(&self, inst: Value<'m>) -> Vec<(Option<Value<'m>>, Metadata<'m>)> {
        let mut declared = inst.declared_variables();
        // Optimised code says it so, of memory that it has not got rid of.
        let also = self.pointed_to.into_iter();
        declared.extend(also.flat_map(|expression| inst.valued_variables(expression)));
        declared
    }

    /// The variables of a function that are values as they are, from the records before an instruction of it.
    pub(crate) fn valued(
        &self,
        function: Value<'m>,
        inst: Value<'m>,
    ) -> Vec<(Option<Value<'m>>, Metadata<'m>)> {
        let Some((unchanged, of)) = self.unchanged.zip(function.subprogram()) else {
            return Vec::new();
        };
        let mut recorded = inst.valued_variables(unchanged);
        recorded.retain(|(_, variable)| {
            let kind = variable.kind();
            // Variables of functions that were inlined are theirs.
            matches!(kind, MetadataKind::LLVMDILocalVariableMetadataKind)
                && self.node(*variable, operand::VARIABLE_SCOPE) == Some(of)
        });
        recorded
    }

    /// A local or global variable.
    pub(crate) fn variable(&mut self, variable: Metadata<'m>) -> Variable {
        use MetadataKind::{LLVMDIGlobalVariableMetadataKind, LLVMDILocalVariableMetadataKind};
        if !matches!(
            variable.kind(),
            LLVMDIGlobalVariableMetadataKind | LLVMDILocalVariableMetadataKind
        ) {
            return Variable::default();
        }
        let name = self
            .operand(variable, operand::VARIABLE_NAME)
            .and_then(Value::metadata_string);
        let ty = self
            .node(variable, operand::VARIABLE_TYPE)
            .and_then(|ty| self.ty(ty));
        // Chains of pointers can be long: they are followed here instead of by recursion.
        while let Some((pointer, base)) = self.pointees.pop() {
            let to = self.ty(base);
            self.source.types[pointer].kind = TypeKind::Pointer(to);
        }
        let function = match self.node(variable, operand::VARIABLE_SCOPE) {
            Some(scope) => self.function_of(scope),
            None => String::new(),
        };
        let file = self.file(variable.variable_file());
        let data = PlaceData {
            file,
            line: variable.variable_line(),
            column: 0,
            function,
            inlined_at: None,
        };
        Variable {
            name,
            ty,
            place: Some(self.source.places.push(data)),
        }
    }

    /// A type; typedefs and qualifiers are looked through.
    fn ty(&mut self, node: Metadata<'m>) -> Option<TypeId> {
        if let Some(&ty) = self.types.get(&node) {
            return Some(ty);
        }
        match node.kind() {
            MetadataKind::LLVMDIDerivedTypeMetadataKind => match node.tag() {
                TYPEDEF | CONST | VOLATILE | RESTRICT | ATOMIC | MEMBER => {
                    let base = self.node(node, operand::BASE_TYPE)?;
                    let ty = self.ty(base)?;
                    // `typedef struct { … } name;` is the only name that such a structure has.
                    let data = &mut self.source.types[ty];
                    let is_record = matches!(data.kind, TypeKind::Struct(_) | TypeKind::Union(_));
                    if node.tag() == TYPEDEF && is_record && data.name.is_empty() {
                        data.name = node.type_name();
                    }
                    self.types.insert(node, ty);
                    Some(ty)
                }
                POINTER => {
                    let ty = self.push(node, TypeKind::Pointer(None));
                    if let Some(base) = self.node(node, operand::BASE_TYPE) {
                        self.pointees.push((ty, base));
                    }
                    Some(ty)
                }
                _ => Some(self.push(node, TypeKind::Opaque)),
            },
            MetadataKind::LLVMDIBasicTypeMetadataKind => {
                let kind = basic_kind(&node.type_name());
                Some(self.push(node, kind))
            }
            MetadataKind::LLVMDICompositeTypeMetadataKind => Some(self.composite(node)),
            MetadataKind::LLVMDISubroutineTypeMetadataKind => {
                let ty = self.push(node, TypeKind::Opaque);
                self.source.types[ty].name = self.prototype(node);
                Some(ty)
            }
            _ => None,
        }
    }

    /// How the type of a function is spelled, see [`brownout_ir::prototype`].
    fn prototype(&self, node: Metadata<'m>) -> String {
        let Some(list) = self.node(node, operand::FUNCTION_TYPES) else {
            return String::new();
        };
        let types = self.module.operands(list).into_iter();
        let spell = |ty: Option<Value<'m>>| self.spelled(ty.and_then(Value::as_metadata));
        let types: Vec<String> = types.map(spell).collect();
        match types.split_first() {
            Some((result, parameters)) => format!("{result} ({})", parameters.join(", ")),
            None => String::new(),
        }
    }

    /// How a type is spelled in C++: qualifiers after what they qualify.
    fn spelled(&self, node: Option<Metadata<'m>>) -> String {
        let mut at = node;
        let mut behind = String::new();
        for _ in 0..DECLARATORS {
            let Some(node) = at else { break };
            use MetadataKind::{LLVMDIDerivedTypeMetadataKind, LLVMDISubroutineTypeMetadataKind};
            match node.kind() {
                LLVMDIDerivedTypeMetadataKind => match node.tag() {
                    POINTER => behind.insert(0, '*'),
                    CONST => behind.insert_str(0, " const"),
                    VOLATILE => behind.insert_str(0, " volatile"),
                    _ => {}
                },
                LLVMDISubroutineTypeMetadataKind => return "void (*)()".to_owned(),
                _ => {
                    let mut name = node.type_name();
                    // `typedef struct { … } name;` is called like that.
                    if let Some(known) = self.types.get(&node) {
                        name = self.source.types[*known].name.clone();
                    }
                    return name + &behind;
                }
            }
            at = self.node(node, operand::BASE_TYPE);
        }
        format!("void{behind}")
    }

    fn push(&mut self, node: Metadata<'m>, kind: TypeKind) -> TypeId {
        let ty = self.source.types.push(SourceType {
            name: node.type_name(),
            size: node.type_bits() / 8,
            kind,
        });
        self.types.insert(node, ty);
        ty
    }

    fn composite(&mut self, node: Metadata<'m>) -> TypeId {
        // Entered before its members: structures refer to themselves through pointers.
        let ty = self.push(node, TypeKind::Opaque);
        let elements: Vec<Metadata<'m>> = match self.node(node, operand::ELEMENTS) {
            Some(list) => self
                .module
                .operands(list)
                .into_iter()
                .flatten()
                .filter_map(Value::as_metadata)
                .collect(),
            None => Vec::new(),
        };
        let kind = match node.tag() {
            STRUCTURE | CLASS => {
                let mut fields = self.fields(&elements);
                let name = node.type_name();
                self.describe_table(&name, &mut fields, &elements);
                TypeKind::Struct(fields)
            }
            UNION => TypeKind::Union(self.fields(&elements)),
            ENUMERATION => TypeKind::Enum(self.enumerators(&elements)),
            ARRAY => self.array(node, &elements),
            _ => TypeKind::Opaque,
        };
        self.source.types[ty].kind = self.fitting(kind, self.source.types[ty].size);
        ty
    }

    /// What there is of a type of so many bytes: members that do not fit into it are left out.
    fn fitting(&self, kind: TypeKind, size: u64) -> TypeKind {
        match kind {
            TypeKind::Struct(mut fields) => {
                fields.retain(|field| self.source.holds(size, field));
                TypeKind::Struct(fields)
            }
            TypeKind::Union(mut fields) => {
                fields.retain(|field| self.source.holds(size, field));
                TypeKind::Union(fields)
            }
            TypeKind::Array { element, count }
                if !self.source.holds_elements(size, element, count) =>
            {
                TypeKind::Opaque
            }
            _ => kind,
        }
    }

    /// The type of an object of so many bytes; none if it does not fit into the object, which may be
    /// a piece of what was declared.
    pub(crate) fn bounded(&self, ty: Option<TypeId>, size: u64) -> Option<TypeId> {
        ty.filter(|&ty| self.source.types[ty].size <= size)
    }

    /// The names of an enumeration.
    fn enumerators(&self, elements: &[Metadata<'m>]) -> Vec<(String, i64)> {
        let enumerators = elements.iter().take(MOST_ENUMERATORS).filter_map(|&node| {
            if !matches!(node.kind(), MetadataKind::LLVMDIEnumeratorMetadataKind) {
                return None;
            }
            let name = self.operand(node, 0)?.metadata_string()?;
            // LLVM gives the number away only in its text: `!DIEnumerator(name: "RUNNING", value: 2)`.
            let text = self.module.metadata_value(node).print();
            let (_, value) = text.rsplit_once("value: ")?;
            let end = value
                .find(|c: char| !c.is_ascii_digit() && c != '-')
                .unwrap_or(value.len());
            Some((name, value[..end].parse().ok()?))
        });
        enumerators.collect()
    }

    fn fields(&mut self, elements: &[Metadata<'m>]) -> Vec<Field> {
        let mut fields = Vec::new();
        for &member in elements {
            // What a class inherits has no name of its own.
            let is_member = matches!(member.kind(), MetadataKind::LLVMDIDerivedTypeMetadataKind)
                && matches!(member.tag(), MEMBER | INHERITANCE);
            if !is_member {
                continue;
            }
            let Some(ty) = self
                .node(member, operand::BASE_TYPE)
                .and_then(|base| self.ty(base))
            else {
                continue;
            };
            fields.push(Field {
                name: member.type_name(),
                ty,
                bit_offset: member.member_offset(),
                bit_size: member.is_bit_field().then(|| member.type_bits()),
            });
        }
        fields
    }

    /// What the pointer to the table of virtual functions of a class points to: a structure that is called like
    /// the class, with a pointer to each function.
    fn describe_table(&mut self, class: &str, fields: &mut [Field], elements: &[Metadata<'m>]) {
        let Some(pointer) = fields
            .iter_mut()
            .find(|field| field.name.starts_with("_vptr$"))
        else {
            return;
        };
        let width = self.source.types[pointer.ty].size;
        let mut functions = Vec::new();
        for &method in elements {
            if !matches!(method.kind(), MetadataKind::LLVMDISubprogramMetadataKind) {
                continue;
            }
            // LLVM gives the number away only in its text.
            let text = self.module.metadata_value(method).print();
            let index = text.split_once("virtualIndex: ").and_then(|(_, rest)| {
                let end = rest.find(|c: char| !c.is_ascii_digit())?;
                rest[..end].parse::<u64>().ok()
            });
            let name = self.operand(method, operand::SUBPROGRAM_NAME);
            let ty = self.node(method, operand::SUBPROGRAM_TYPE);
            let (Some(index), Some(name), Some(ty)) = (
                index.filter(|index| *index < MOST_FUNCTIONS),
                name.and_then(Value::metadata_string),
                ty.and_then(|ty| self.ty(ty)),
            ) else {
                continue;
            };
            functions.push(Field {
                name,
                ty: self.source.types.push(SourceType {
                    name: String::new(),
                    size: width,
                    kind: TypeKind::Pointer(Some(ty)),
                }),
                bit_offset: index * width * 8,
                bit_size: None,
            });
        }
        let size = functions.iter().map(|field| field.bit_offset / 8 + width);
        let table = self.source.types.push(SourceType {
            name: class.to_owned(),
            size: size.max().unwrap_or(0),
            kind: TypeKind::Struct(functions),
        });
        pointer.ty = self.source.types.push(SourceType {
            name: String::new(),
            size: width,
            kind: TypeKind::Pointer(Some(table)),
        });
    }

    /// `int a[2][3]` is an array of two arrays of three.
    fn array(&mut self, node: Metadata<'m>, ranges: &[Metadata<'m>]) -> TypeKind {
        let Some(mut element) = self
            .node(node, operand::BASE_TYPE)
            .and_then(|base| self.ty(base))
        else {
            return TypeKind::Opaque;
        };
        let counts: Vec<u64> = ranges.iter().map(|&range| self.count(range)).collect();
        let (&outer, inner) = match counts.split_first() {
            Some(split) => split,
            None => return TypeKind::Opaque,
        };
        for &count in inner.iter().rev() {
            let size = self.source.types[element].size.saturating_mul(count);
            let kind = TypeKind::Array { element, count };
            element = self.source.types.push(SourceType {
                name: String::new(),
                size,
                kind,
            });
        }
        TypeKind::Array {
            element,
            count: outer,
        }
    }

    fn count(&self, range: Metadata<'m>) -> u64 {
        if !matches!(range.kind(), MetadataKind::LLVMDISubrangeMetadataKind) {
            return 0;
        }
        // Flexible array members have no count, or -1.
        match self.operand(range, 0) {
            Some(count) if count.is_constant_int() => {
                u64::try_from(count.low_word() as i64).unwrap_or(0)
            }
            _ => 0,
        }
    }
}

fn basic_kind(name: &str) -> TypeKind {
    if name.contains("bool") || name.contains("Bool") {
        TypeKind::Bool
    } else if name == "char" || name == "u8 char" {
        TypeKind::Char
    } else if name.contains("float") || name.contains("double") || name.contains("Float") {
        TypeKind::Float
    } else if name.starts_with("unsigned") || name.starts_with('u') {
        TypeKind::Unsigned
    } else {
        TypeKind::Signed
    }
}

/// Whether a source file belongs to the library of a language that is compiled into every program: Rust's.
pub(crate) fn is_of_language(file: &str) -> bool {
    let inside = match file.split_once("/library/") {
        Some((toolchain, inside))
            if toolchain.contains("rustc") || toolchain.contains("rustlib") =>
        {
            Some(inside)
        }
        _ => file.strip_prefix("library/"),
    };
    inside.is_some_and(|inside| {
        let mut crates = ["core/src/", "alloc/src/", "std/src/"].into_iter();
        crates.any(|name| inside.starts_with(name)) && file.ends_with(".rs")
    })
}
