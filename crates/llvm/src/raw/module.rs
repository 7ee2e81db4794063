//! Contexts and modules.

use std::ffi::{CStr, CString};
use std::ptr;
use std::rc::Rc;

use llvm::analysis::{LLVMVerifierFailureAction, LLVMVerifyModule};
use llvm::bit_writer::LLVMWriteBitcodeToMemoryBuffer;
use llvm::core::*;
use llvm::debuginfo::{
    LLVMCreateDIBuilderDisallowUnresolved, LLVMDIBuilderCreateExpression, LLVMDisposeDIBuilder,
};
use llvm::ir_reader::LLVMParseIRInContext2;
use llvm::linker::LLVMLinkModules2;
use llvm::prelude::*;
use llvm::target::*;
use llvm_sys_22 as llvm;

use super::{Layout, Linkage, Metadata, MetadataKind, Value, message};

/// Swallows LLVM's own printing: errors come back as values.
extern "C" fn quiet(_: LLVMDiagnosticInfoRef, _: *mut std::ffi::c_void) {}

/// A context. It lives as long as any module that was read in it.
#[derive(Clone)]
pub(crate) struct Context(Rc<OwnedContext>);

struct OwnedContext(LLVMContextRef);

impl Drop for OwnedContext {
    fn drop(&mut self) {
        // SAFETY: ours, and no module refers to it any more.
        unsafe { LLVMContextDispose(self.0) };
    }
}

impl Context {
    pub(crate) fn new() -> Self {
        Module::set_up();
        // SAFETY: a new context with a handler that outlives it.
        unsafe {
            let context = LLVMContextCreate();
            LLVMContextSetDiagnosticHandler(context, Some(quiet), ptr::null_mut());
            Self(Rc::new(OwnedContext(context)))
        }
    }
}

/// An LLVM module.
pub(crate) struct Module {
    // Dropped after the module: fields go in order, and `Drop for Module` comes first.
    context: Context,
    module: LLVMModuleRef,
}

impl Module {
    /// Reads text or bitcode. It may not be well-formed: see [`Self::verify`].
    pub(crate) fn parse(context: &Context, name: &str, bytes: &[u8]) -> Result<Self, String> {
        Ok(Self {
            module: Self::parse_in(context.0.0, name, bytes)?,
            context: context.clone(),
        })
    }

    fn set_up() {
        static ONCE: std::sync::Once = std::sync::Once::new();
        ONCE.call_once(|| {
            let arguments = [
                c"brownout".as_ptr(),
                c"-disable-auto-upgrade-debug-info".as_ptr(),
            ];
            // SAFETY: two valid strings; called once, before any parsing.
            unsafe {
                llvm::support::LLVMParseCommandLineOptions(2, arguments.as_ptr(), ptr::null())
            };
        });
    }

    fn parse_in(
        context: LLVMContextRef,
        name: &str,
        bytes: &[u8],
    ) -> Result<LLVMModuleRef, String> {
        let label = CString::new(name.replace('\0', "")).unwrap_or_default();
        let (mut module, mut error) = (ptr::null_mut(), ptr::null_mut());
        // SAFETY: the buffer is copied and ours to free; out-parameters are valid.
        let failed = unsafe {
            let buffer = LLVMCreateMemoryBufferWithMemoryRangeCopy(
                bytes.as_ptr().cast(),
                bytes.len(),
                label.as_ptr(),
            );
            let failed = LLVMParseIRInContext2(context, buffer, &mut module, &mut error);
            LLVMDisposeMemoryBuffer(buffer);
            failed
        };
        if failed == 0 {
            Ok(module)
        } else {
            Err(message(error))
        }
    }

    pub(crate) fn verify(&self) -> Result<(), String> {
        let mut error = ptr::null_mut();
        // SAFETY: valid module and out-parameter; the message is ours to free.
        let failed = unsafe {
            LLVMVerifyModule(
                self.module,
                LLVMVerifierFailureAction::LLVMReturnStatusAction,
                &mut error,
            )
        };
        let error = message(error);
        if failed == 0 { Ok(()) } else { Err(error) }
    }

    /// Where it was read.
    pub(crate) fn context(&self) -> &Context {
        &self.context
    }

    /// The expression of a variable that these operations make from a value. There is one in each context.
    pub(crate) fn expression(&self, operations: &mut [u64]) -> Option<Metadata<'_>> {
        // SAFETY: a valid module; the builder adds nothing to it, and is disposed of.
        unsafe {
            let builder = LLVMCreateDIBuilderDisallowUnresolved(self.module);
            let expression =
                LLVMDIBuilderCreateExpression(builder, operations.as_mut_ptr(), operations.len());
            LLVMDisposeDIBuilder(builder);
            Metadata::some(expression)
        }
    }

    /// Links another module of the same context into this one.
    pub(crate) fn link(&mut self, addition: Self) -> Result<(), String> {
        // SAFETY: both modules share the context; the source is consumed whatever happens.
        let failed = unsafe { LLVMLinkModules2(self.module, addition.module) } != 0;
        let mut addition = addition;
        addition.module = ptr::null_mut();
        match failed {
            true => Err("the files do not fit together".to_owned()),
            false => Ok(()),
        }
    }

    /// The module in the form of bitcode.
    pub(crate) fn bitcode(&self) -> Vec<u8> {
        // SAFETY: valid module; the buffer is ours to free, and its bytes are copied before.
        unsafe {
            let buffer = LLVMWriteBitcodeToMemoryBuffer(self.module);
            let start = LLVMGetBufferStart(buffer).cast::<u8>();
            let bytes = std::slice::from_raw_parts(start, LLVMGetBufferSize(buffer)).to_vec();
            LLVMDisposeMemoryBuffer(buffer);
            bytes
        }
    }

    /// What the module defines for all others, and nobody else may.
    pub(crate) fn strong_symbols(&self) -> impl Iterator<Item = String> {
        let all = self.functions().into_iter().chain(self.globals());
        all.filter(|value| {
            !value.is_declaration() && value.linkage() == Linkage::LLVMExternalLinkage
        })
        .map(|value| value.name())
    }

    /// Lets everybody call another function instead of one that is defined here.
    pub(crate) fn divert(&self, name: &str) {
        let (Some(old), Ok(symbol)) = (self.named(name), CString::new(name)) else {
            return;
        };
        old.rename(&format!("{name}.replaced"));
        // SAFETY: valid module and string; the new function has the type of the old one.
        unsafe {
            let ty = LLVMGlobalGetValueType(old.0);
            let new = LLVMAddFunction(self.module, symbol.as_ptr(), ty);
            LLVMReplaceAllUsesWith(old.0, new);
        }
    }

    fn named(&self, name: &str) -> Option<Value<'_>> {
        let name = CString::new(name).ok()?;
        // SAFETY: valid module and string.
        let (function, global) = unsafe {
            (
                LLVMGetNamedFunction(self.module, name.as_ptr()),
                LLVMGetNamedGlobal(self.module, name.as_ptr()),
            )
        };
        Value::some(function).or(Value::some(global))
    }

    /// The function or variable of that name.
    pub(crate) fn global(&self, name: &str) -> Option<Value<'_>> {
        self.named(name)
    }

    /// The target triple.
    pub(crate) fn triple(&self) -> String {
        // SAFETY: valid module; the string lives as long as it.
        unsafe {
            CStr::from_ptr(LLVMGetTarget(self.module))
                .to_string_lossy()
                .into_owned()
        }
    }

    /// The data layout in LLVM's notation.
    pub(crate) fn layout_text(&self) -> String {
        // SAFETY: as above.
        unsafe {
            CStr::from_ptr(LLVMGetDataLayoutStr(self.module))
                .to_string_lossy()
                .into_owned()
        }
    }

    /// Sizes and offsets of types.
    pub(crate) fn layout(&self) -> Layout<'_> {
        // SAFETY: the layout belongs to the module.
        Layout::new(unsafe { LLVMGetModuleDataLayout(self.module) })
    }

    /// All functions, declared and defined.
    pub(crate) fn functions(&self) -> Vec<Value<'_>> {
        // SAFETY: iteration over the module's list.
        let first = unsafe { LLVMGetFirstFunction(self.module) };
        Value::list(first, |value| unsafe { LLVMGetNextFunction(value) })
    }

    /// All global variables.
    pub(crate) fn globals(&self) -> Vec<Value<'_>> {
        // SAFETY: as above.
        let first = unsafe { LLVMGetFirstGlobal(self.module) };
        Value::list(first, |value| unsafe { LLVMGetNextGlobal(value) })
    }

    /// Wraps metadata so that its operands can be read.
    pub(crate) fn metadata_value<'m>(&'m self, metadata: Metadata<'m>) -> Value<'m> {
        // SAFETY: metadata of this module's context.
        Value::new(unsafe { LLVMMetadataAsValue(self.context.0.0, metadata.0) })
    }

    /// Operands of a metadata node; absent ones are `None`.
    pub(crate) fn operands<'m>(&'m self, metadata: Metadata<'m>) -> Vec<Option<Value<'m>>> {
        use MetadataKind::*;
        // Strings and wrapped constants are not nodes: asking them for operands would crash.
        if matches!(
            metadata.kind(),
            LLVMMDStringMetadataKind
                | LLVMConstantAsMetadataMetadataKind
                | LLVMLocalAsMetadataMetadataKind
        ) {
            return Vec::new();
        }
        let node = self.metadata_value(metadata);
        // SAFETY: the vector has room for all operands.
        unsafe {
            let count = LLVMGetMDNodeNumOperands(node.0) as usize;
            let mut operands = vec![ptr::null_mut(); count];
            LLVMGetMDNodeOperands(node.0, operands.as_mut_ptr());
            operands.into_iter().map(Value::some).collect()
        }
    }
}

impl Drop for Module {
    fn drop(&mut self) {
        if !self.module.is_null() {
            // SAFETY: ours, and its context is still there.
            unsafe { LLVMDisposeModule(self.module) };
        }
    }
}
