//! The guest's C library: which of its files a program needs.
//!
//! `build.rs` compiles it once for every target. As with an archive, a file is
//! linked if it defines something that is still undefined.

use std::collections::BTreeSet;

use crate::csr;
use crate::error::Error;
use crate::module::annotation_text;
use crate::raw::{Module, Opcode, Value, ValueKind};

/// The C library of a target.
type Library = (&'static str, &'static [File]);

/// A file of it.
#[derive(Clone, Copy)]
pub(crate) struct File {
    name: &'static str,
    /// Bitcode.
    bytes: &'static [u8],
    defined: &'static [&'static str],
    undefined: &'static [&'static str],
}

include!(concat!(env!("OUT_DIR"), "/library.rs"));

/// Whether a definition looks like an interrupt handler, or a table of them.
fn is_handler(value: Value<'_>) -> bool {
    let name = value.name();
    let section = value.section().unwrap_or_default();
    !value.is_declaration()
        && (name.ends_with("_Handler")
            || name.ends_with("_IRQHandler")
            || section.contains("vector")
            || section.contains("intvec")
            || value.value_kind() == ValueKind::LLVMFunctionValueKind
                && value.has_text_attribute("interrupt"))
}

/// Whether functions are annotated as interrupt handlers.
fn annotates_handlers(module: &Module) -> bool {
    let list = module.global("llvm.global.annotations");
    let entries = list.and_then(|list| list.initializer());
    let mut entries = entries.into_iter().flat_map(|entries| entries.operands());
    entries.any(|entry| {
        entry.operand_count() > 1
            && annotation_text(entry.operand(1)).as_deref() == Some("brownout:interrupt")
    })
}

/// Whether a function has inline assembly about control and status registers of RISC-V.
fn has_status_assembly(function: Value<'_>) -> bool {
    let insts = function.blocks().into_iter();
    let mut insts = insts.flat_map(|block| block.instructions());
    insts.any(|inst| {
        inst.opcode() == Opcode::LLVMCall
            && inst.called_value().value_kind() == ValueKind::LLVMInlineAsmValueKind
            && inst
                .called_value()
                .asm_text()
                .to_lowercase()
                .contains("csr")
    })
}

/// Links what `module` needs of its target's library, and what interrupts need if there are any. Library
/// definitions yield to the user's.
pub(crate) fn link(module: &mut Module, target: &str, interrupts: bool) -> Result<(), Error> {
    let library = LIBRARIES.iter().find(|(name, _)| *name == target);
    let mut files: Vec<File> = library.map_or_else(Vec::new, |(_, files)| files.to_vec());
    let mut missing = names(module, |value| value.is_declaration());
    // Destructors are run by `exit`, which has to be told of them.
    if module.global("llvm.global_dtors").is_some() {
        missing.insert("atexit".to_owned());
    }
    let is_shown = || names(module, is_handler).first().is_some() || annotates_handlers(module);
    if interrupts || is_shown() {
        missing.insert("__brownout_handle".to_owned());
    }
    if module.functions().into_iter().any(has_status_assembly) {
        missing.insert(csr::FUNCTION.to_owned());
    }
    // What is private to a file of the program is not what the library asks for.
    let mut present = names(module, |value| {
        !value.is_declaration() && value.is_exported()
    });
    let mut wanted = Vec::new();
    while let Some(index) = files
        .iter()
        .position(|file| file.defined.iter().any(|&name| missing.contains(name)))
    {
        let file = files.remove(index);
        let owned = |names: &[&str]| {
            names
                .iter()
                .map(|&name| name.to_owned())
                .collect::<Vec<_>>()
        };
        present.extend(owned(file.defined));
        missing.extend(owned(file.undefined));
        missing = &missing - &present;
        wanted.push(file);
    }
    // To one another first: each link costs as much as the module that is linked to is large.
    let mut whole: Option<Module> = None;
    for File { name, bytes, .. } in wanted {
        let parsed = Module::parse(module.context(), name, bytes);
        let file = parsed.map_err(|message| Error::Parse {
            name: name.to_owned(),
            message,
        })?;
        for value in values(&file) {
            if !value.is_declaration() && value.is_exported() {
                value.make_weak();
            }
        }
        match &mut whole {
            None => whole = Some(file),
            Some(whole) => add(whole, file, name)?,
        }
    }
    let Some(whole) = whole else {
        return Ok(());
    };
    let private = names(module, |value| !value.is_exported());
    for name in private {
        // Two functions of one name: that of the program keeps it.
        if let Some(value) = whole.global(&name).filter(|it| it.is_exported()) {
            value.rename(&format!("library.{name}"));
        }
    }
    add(module, whole, "the C library")
}

fn add(module: &mut Module, addition: Module, name: &str) -> Result<(), Error> {
    module.link(addition).map_err(|message| Error::Link {
        name: format!("library file {name}"),
        message,
    })
}

fn values(module: &Module) -> impl Iterator<Item = Value<'_>> {
    module.functions().into_iter().chain(module.globals())
}

fn names(module: &Module, which: impl Fn(Value<'_>) -> bool) -> BTreeSet<String> {
    values(module)
        .filter(|&value| which(value))
        .map(|value| value.name())
        .collect()
}
