//! Whole modules: symbols, global data, the C library.

use std::collections::{HashMap, HashSet};

use brownout_ir::source::Place;
use brownout_ir::{Func, Function, Global, GlobalData, Origin, Program, Target, known_target};

use crate::call;
use crate::constant;
use crate::debug::DebugInfo;
use crate::error::{Error, Gap, Unsupported};
use crate::function;
use crate::leaves;
use crate::raw::{Layout, Module, Type, Value, ValueKind};

/// The target of a module.
pub(crate) fn target(module: &Module) -> Result<Target, Error> {
    let triple = module.triple();
    let Some(known) = known_target(&triple) else {
        return Err(Error::UnknownTarget { triple });
    };
    let layout = module.layout_text();
    if layout.starts_with('E') {
        return Err(Error::UnknownTarget {
            triple: format!("{triple} (big-endian)"),
        });
    }
    // LLVM's default is right for this one only.
    if layout.is_empty() && known.name != "x86_64" {
        return Err(Error::NoLayout { triple });
    }
    Ok(Target {
        name: known.name.to_owned(),
        pointer_bits: module.layout().pointer_bits(),
    })
}

/// Names of everything the user's files define: the rest comes from the library.
pub(crate) fn user_symbols(module: &Module) -> HashSet<String> {
    let all = module.functions().into_iter().chain(module.globals());
    all.filter(|value| !value.is_declaration())
        .map(|value| value.name())
        .collect()
}

/// State of the translation of one module.
pub(crate) struct Lowering<'m> {
    pub(crate) layout: Layout<'m>,
    pub(crate) program: Program,
    pub(crate) debug: DebugInfo<'m>,
    functions: HashMap<Value<'m>, Func>,
    globals: HashMap<Value<'m>, Global>,
    /// Blocks whose address is taken, by function: known before bodies are lowered.
    pub(crate) block_numbers: HashMap<crate::raw::Block<'m>, brownout_ir::Block>,
    pub(crate) gaps: Vec<Unsupported>,
    /// The function being lowered.
    pub(crate) current: Option<Func>,
    /// Where the instruction being lowered is.
    pub(crate) place: Option<Place>,
}

/// Lowers a linked module.
pub(crate) fn lower(
    module: &Module,
    target: Target,
    user: &HashSet<String>,
) -> (Program, Vec<Unsupported>) {
    let mut lowering = Lowering {
        layout: module.layout(),
        program: Program::new(target),
        debug: DebugInfo::new(module),
        functions: HashMap::new(),
        globals: HashMap::new(),
        block_numbers: HashMap::new(),
        gaps: Vec::new(),
        current: None,
        place: None,
    };
    let origin = |value: Value<'_>| {
        let name = value.name();
        let is_missing = value.is_declaration() && !call::is_of_machine(&name);
        match is_missing || user.contains(&name) {
            true => Origin::User,
            false => Origin::Library,
        }
    };
    let functions: Vec<Value<'_>> = module
        .functions()
        .into_iter()
        .filter(|f| !f.is_intrinsic())
        .collect();
    let globals: Vec<Value<'_>> = module
        .globals()
        .into_iter()
        .filter(|g| !g.name().starts_with("llvm."))
        .collect();
    for &function in &functions {
        lowering.declare_function(function, origin(function));
    }
    for &global in &globals {
        lowering.declare_global(global, origin(global));
    }
    for &global in &globals {
        lowering.initialise(global);
    }
    for (order, name) in [("llvm.global_ctors", true), ("llvm.global_dtors", false)]
        .into_iter()
        .enumerate()
    {
        if let Some(list) = module.global(name.0) {
            let found = lowering.start_up_list(list);
            if order == 0 {
                lowering.program.constructors = found;
            } else {
                // The last to be constructed is the first to be destroyed.
                lowering.program.destructors = found.into_iter().rev().collect();
            }
        }
    }
    if let Some(list) = module.global("llvm.global.annotations") {
        lowering.annotate(list);
    }
    for &function in &functions {
        if !function.is_declaration() {
            function::lower(&mut lowering, function);
        }
    }
    lowering.program.source = std::mem::take(&mut lowering.debug.source);
    (lowering.program, lowering.gaps)
}

impl<'m> Lowering<'m> {
    pub(crate) fn gap(&mut self, gap: Gap, place: Option<Place>) {
        let gap = Unsupported {
            gap,
            function: self.current,
            place,
        };
        // A type is looked at several times for one instruction.
        if self.gaps.last() != Some(&gap) {
            self.gaps.push(gap);
        }
    }

    /// Counts an undefined value in the user's code; the library's are known to be harmless.
    pub(crate) fn note_undefined(&mut self) {
        let user = self
            .current
            .is_none_or(|func| self.program.functions[func].origin == Origin::User);
        self.program.undefined_values += u32::from(user);
    }

    /// The leaves of a type; a type without a translation is noted and has none.
    pub(crate) fn leaves(&mut self, ty: Type<'m>) -> Vec<leaves::Leaf> {
        match leaves::leaves(self.layout, ty) {
            Ok(leaves) => leaves,
            Err(gap) => {
                self.gap(gap, self.place);
                Vec::new()
            }
        }
    }

    /// The scalar types of a type.
    pub(crate) fn types(&mut self, ty: Type<'m>) -> Vec<brownout_ir::Type> {
        self.leaves(ty).into_iter().map(|leaf| leaf.ty).collect()
    }

    fn declare_function(&mut self, function: Value<'m>, origin: Origin) {
        let ty = function.global_type();
        let place = self.debug.function_place(function);
        let origin = match place {
            Some(place) if self.debug.is_of_language(place) => Origin::Library,
            _ => origin,
        };
        let func = self.program.functions.push(Function {
            name: function.name(),
            params: Vec::new(),
            results: Vec::new(),
            variadic: ty.is_variadic(),
            signed: Vec::new(),
            prototype: match function.is_declaration() {
                true => function.declared_type().and_then(|name| prototype(&name)),
                false => None,
            },
            // Whoever calls an inline function has a copy of it.
            exported: function.is_exported() && !function.is_inline(),
            origin,
            annotations: match function.has_text_attribute("interrupt") {
                true => vec!["brownout:interrupt".to_owned()],
                false => Vec::new(),
            },
            place,
            body: None,
        });
        // A type without a translation matters if this function does.
        (self.current, self.place) = (Some(func), place);
        let (mut params, mut signed) = (Vec::new(), Vec::new());
        for (index, param) in ty.params().into_iter().enumerate() {
            if function.parameter_has(index, "signext") {
                signed.push(params.len() as u32);
            }
            params.extend(self.types(param));
        }
        if ty.is_variadic() {
            params.push(brownout_ir::Type::Ptr);
        }
        let results = self.types(ty.result());
        (self.current, self.place) = (None, None);
        let declared = &mut self.program.functions[func];
        (declared.params, declared.results, declared.signed) = (params, results, signed);
        self.functions.insert(function, func);
        function::number_blocks(self, function);
    }

    fn declare_global(&mut self, global: Value<'m>, origin: Origin) {
        let ty = global.global_type();
        let sized = ty.is_sized();
        let (size, natural) = if sized {
            (self.layout.size(ty), self.layout.align(ty))
        } else {
            (0, 1)
        };
        let variable = self.debug.global(global);
        let id = self.program.globals.push(GlobalData {
            name: global.name(),
            size,
            align: match global.alignment() {
                0 => natural.max(1),
                align => align,
            },
            section: global.section(),
            constant: global.is_constant_global(),
            exported: global.is_exported(),
            origin,
            variable: variable.name,
            ty: self.debug.bounded(variable.ty, size),
            place: variable.place,
            annotations: Vec::new(),
            init: None,
        });
        self.globals.insert(global, id);
    }

    fn initialise(&mut self, global: Value<'m>) {
        let Some(value) = global.initializer() else {
            return;
        };
        let init = constant::initializer(
            self,
            value,
            self.program.globals[self.globals[&global]].size,
        );
        let id = self.globals[&global];
        self.program.globals[id].init = Some(init);
    }

    pub(crate) fn func(&self, function: Value<'m>) -> Option<Func> {
        self.functions.get(&function).copied()
    }

    pub(crate) fn global(&self, global: Value<'m>) -> Option<Global> {
        self.globals.get(&global).copied()
    }

    /// `[{ priority, function, data }]`, in order of priority.
    fn start_up_list(&self, list: Value<'m>) -> Vec<Func> {
        let Some(entries) = list.initializer() else {
            return Vec::new();
        };
        let mut found: Vec<(u64, Func)> = entries
            .operands()
            .filter(|entry| entry.operand_count() >= 2)
            .filter_map(|entry| {
                Some((
                    entry.operand(0).low_word(),
                    self.func(resolve_alias(entry.operand(1)))?,
                ))
            })
            .collect();
        found.sort_by_key(|(priority, _)| *priority);
        found.into_iter().map(|(_, func)| func).collect()
    }

    /// `[{ symbol, string, file, line, arguments }]`.
    fn annotate(&mut self, list: Value<'m>) {
        let Some(entries) = list.initializer() else {
            return;
        };
        for entry in entries.operands() {
            if entry.operand_count() < 2 {
                continue;
            }
            let (symbol, Some(text)) = (
                resolve_alias(entry.operand(0)),
                annotation_text(entry.operand(1)),
            ) else {
                continue;
            };
            if let Some(func) = self.func(symbol) {
                self.program.functions[func].annotations.push(text);
            } else if let Some(global) = self.global(symbol) {
                self.program.globals[global].annotations.push(text);
            }
        }
    }
}

/// The string an annotation's pointer points at.
pub(crate) fn annotation_text(pointer: Value<'_>) -> Option<String> {
    let global = resolve_alias(pointer);
    if global.value_kind() != ValueKind::LLVMGlobalVariableValueKind {
        return None;
    }
    let value = global.initializer()?;
    if value.value_kind() != ValueKind::LLVMConstantDataArrayValueKind {
        return None;
    }
    let bytes = value.raw_bytes();
    let end = bytes
        .iter()
        .position(|byte| *byte == 0)
        .unwrap_or(bytes.len());
    Some(String::from_utf8_lossy(&bytes[..end]).into_owned())
}

/// Looks through aliases and the casts of old typed-pointer files.
pub(crate) fn resolve_alias(value: Value<'_>) -> Value<'_> {
    let mut value = value;
    for _ in 0..64 {
        match value.value_kind() {
            ValueKind::LLVMGlobalAliasValueKind => value = value.aliasee(),
            ValueKind::LLVMConstantExprValueKind
                if matches!(
                    value.constant_opcode(),
                    crate::raw::Opcode::LLVMBitCast | crate::raw::Opcode::LLVMAddrSpaceCast
                ) =>
            {
                value = value.operand(0);
            }
            _ => return value,
        }
    }
    value
}

/// The prototype that a mangled type of a function spells, as clang adds it to declarations.
fn prototype(name: &str) -> Option<String> {
    let mangled = name.strip_suffix(".generalized").unwrap_or(name);
    let spelled = cpp_demangle::Symbol::new(mangled).ok()?.demangle().ok()?;
    Some(spelled.strip_prefix("typeinfo name for ")?.to_owned())
}
