//! Safe, thin handles on libLLVM's C API: the only file with `unsafe`.
//!
//! A handle borrows its [`Module`] (`'m`), so it cannot outlive it. Only what the
//! lowering asks for is here.

use std::ffi::{CStr, CString, c_char};
use std::marker::PhantomData;
use std::ptr;
use std::rc::Rc;

use llvm::analysis::{LLVMVerifierFailureAction, LLVMVerifyModule};
use llvm::core::*;
pub(crate) use llvm::debuginfo::LLVMMetadataKind as MetadataKind;
use llvm::debuginfo::*;
use llvm::ir_reader::LLVMParseIRInContext2;
use llvm::linker::LLVMLinkModules2;
use llvm::prelude::*;
use llvm::target::*;
pub(crate) use llvm::{
    LLVMAtomicRMWBinOp as RmwOp, LLVMIntPredicate as IntPredicate, LLVMLinkage as Linkage,
    LLVMOpcode as Opcode, LLVMRealPredicate as RealPredicate, LLVMTypeKind as TypeKind,
    LLVMValueKind as ValueKind,
};
use llvm_sys_22 as llvm;

/// Takes ownership of a message that LLVM allocated.
fn message(text: *mut c_char) -> String {
    if text.is_null() {
        return String::new();
    }
    // SAFETY: LLVM hands out a NUL-terminated string that we free exactly once.
    unsafe {
        let owned = CStr::from_ptr(text).to_string_lossy().into_owned();
        LLVMDisposeMessage(text);
        owned
    }
}

/// Bytes that LLVM keeps, as text.
fn text(data: *const c_char, length: usize) -> String {
    if data.is_null() {
        return String::new();
    }
    // SAFETY: LLVM returned `length` readable bytes at `data`.
    let bytes = unsafe { std::slice::from_raw_parts(data.cast::<u8>(), length) };
    String::from_utf8_lossy(bytes).into_owned()
}

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

    /// Links another module of the same context into this one.
    pub(crate) fn link(&mut self, addition: Self) -> Result<(), String> {
        // What is twice strong is named here, because LLVM only says so to its diagnostic handler.
        let clash = self.first_clash(&addition);
        // SAFETY: both modules share the context; the source is consumed whatever happens.
        let failed = unsafe { LLVMLinkModules2(self.module, addition.module) } != 0;
        let mut addition = addition;
        addition.module = ptr::null_mut();
        if failed {
            return Err(match clash {
                Some(symbol) => format!("`{symbol}` is defined twice"),
                None => "the files do not fit together".to_owned(),
            });
        }
        Ok(())
    }

    fn first_clash(&self, other: &Self) -> Option<String> {
        let strong = |value: &Value<'_>| {
            !value.is_declaration() && value.linkage() == Linkage::LLVMExternalLinkage
        };
        other
            .functions()
            .into_iter()
            .chain(other.globals())
            .filter(strong)
            .map(|value| value.name())
            .find(|name| self.named(name).is_some_and(|mine| strong(&mine)))
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
        Layout(unsafe { LLVMGetModuleDataLayout(self.module) }, PhantomData)
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
        Value(
            unsafe { LLVMMetadataAsValue(self.context.0.0, metadata.0) },
            PhantomData,
        )
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

/// The data layout.
#[derive(Clone, Copy)]
pub(crate) struct Layout<'m>(LLVMTargetDataRef, PhantomData<&'m ()>);

impl Layout<'_> {
    pub(crate) fn pointer_bits(self) -> u8 {
        // SAFETY: valid layout, here and below.
        unsafe { LLVMPointerSize(self.0) as u8 * 8 }
    }
    pub(crate) fn size(self, ty: Type<'_>) -> u64 {
        unsafe { LLVMABISizeOfType(self.0, ty.0) }
    }
    pub(crate) fn align(self, ty: Type<'_>) -> u32 {
        unsafe { LLVMABIAlignmentOfType(self.0, ty.0) }
    }
    pub(crate) fn field_offset(self, ty: Type<'_>, field: u32) -> u64 {
        unsafe { LLVMOffsetOfElement(self.0, ty.0, field) }
    }
}

/// A type.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Type<'m>(LLVMTypeRef, PhantomData<&'m ()>);

impl<'m> Type<'m> {
    fn new(ty: LLVMTypeRef) -> Self {
        Self(ty, PhantomData)
    }
    // SAFETY (this impl): every call gets a valid type of the kind LLVM asks for,
    // which callers establish by matching on `kind` first.
    pub(crate) fn kind(self) -> TypeKind {
        unsafe { LLVMGetTypeKind(self.0) }
    }
    pub(crate) fn is_sized(self) -> bool {
        unsafe { LLVMTypeIsSized(self.0) != 0 }
    }
    pub(crate) fn int_bits(self) -> u32 {
        unsafe { LLVMGetIntTypeWidth(self.0) }
    }
    pub(crate) fn element(self) -> Self {
        Self::new(unsafe { LLVMGetElementType(self.0) })
    }
    pub(crate) fn array_length(self) -> u64 {
        unsafe { LLVMGetArrayLength2(self.0) }
    }
    pub(crate) fn vector_length(self) -> u64 {
        unsafe { LLVMGetVectorSize(self.0).into() }
    }
    pub(crate) fn fields(self) -> Vec<Self> {
        unsafe {
            let mut fields = vec![ptr::null_mut(); LLVMCountStructElementTypes(self.0) as usize];
            LLVMGetStructElementTypes(self.0, fields.as_mut_ptr());
            fields.into_iter().map(Self::new).collect()
        }
    }
    pub(crate) fn params(self) -> Vec<Self> {
        unsafe {
            let mut params = vec![ptr::null_mut(); LLVMCountParamTypes(self.0) as usize];
            LLVMGetParamTypes(self.0, params.as_mut_ptr());
            params.into_iter().map(Self::new).collect()
        }
    }
    pub(crate) fn result(self) -> Self {
        Self::new(unsafe { LLVMGetReturnType(self.0) })
    }
    pub(crate) fn is_variadic(self) -> bool {
        unsafe { LLVMIsFunctionVarArg(self.0) != 0 }
    }
    pub(crate) fn print(self) -> String {
        message(unsafe { LLVMPrintTypeToString(self.0) })
    }
}

/// A value: function, global, constant, argument, instruction.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Value<'m>(LLVMValueRef, PhantomData<&'m ()>);

impl<'m> Value<'m> {
    fn some(value: LLVMValueRef) -> Option<Self> {
        (!value.is_null()).then_some(Self(value, PhantomData))
    }
    fn new(value: LLVMValueRef) -> Self {
        Self(value, PhantomData)
    }
    fn list(mut at: LLVMValueRef, next: impl Fn(LLVMValueRef) -> LLVMValueRef) -> Vec<Self> {
        let mut all = Vec::new();
        while let Some(value) = Self::some(at) {
            all.push(value);
            at = next(at);
        }
        all
    }

    // SAFETY (this impl): handles are valid while the module lives; each accessor is
    // called only on values whose `value_kind`/`opcode` LLVM requires, as callers check.
    pub(crate) fn value_kind(self) -> ValueKind {
        unsafe { LLVMGetValueKind(self.0) }
    }
    pub(crate) fn ty(self) -> Type<'m> {
        Type::new(unsafe { LLVMTypeOf(self.0) })
    }
    pub(crate) fn name(self) -> String {
        let mut length = 0;
        let data = unsafe { LLVMGetValueName2(self.0, &mut length) };
        text(data, length)
    }
    pub(crate) fn print(self) -> String {
        message(unsafe { LLVMPrintValueToString(self.0) })
    }
    pub(crate) fn operand(self, index: usize) -> Self {
        Self::new(unsafe { LLVMGetOperand(self.0, index as u32) })
    }
    pub(crate) fn operand_count(self) -> usize {
        unsafe { LLVMGetNumOperands(self.0).max(0) as usize }
    }
    pub(crate) fn operands(self) -> impl Iterator<Item = Self> {
        (0..self.operand_count()).map(move |index| self.operand(index))
    }

    // Constants.
    pub(crate) fn is_undefined(self) -> bool {
        unsafe { LLVMIsUndef(self.0) != 0 || LLVMIsPoison(self.0) != 0 }
    }
    pub(crate) fn is_null(self) -> bool {
        unsafe { LLVMIsNull(self.0) != 0 }
    }
    pub(crate) fn low_word(self) -> u64 {
        unsafe { LLVMConstIntGetZExtValue(self.0) }
    }
    pub(crate) fn as_double(self) -> f64 {
        let mut inexact = 0;
        unsafe { LLVMConstRealGetDouble(self.0, &mut inexact) }
    }
    pub(crate) fn constant_opcode(self) -> Opcode {
        unsafe { LLVMGetConstOpcode(self.0) }
    }
    pub(crate) fn aggregate_element(self, index: u64) -> Option<Self> {
        Self::some(unsafe { LLVMGetAggregateElement(self.0, u32::try_from(index).ok()?) })
    }
    pub(crate) fn raw_bytes(self) -> Vec<u8> {
        let mut length = 0usize;
        // The binding declares the out-parameter as a number: it is the address of the length.
        let data = unsafe { LLVMGetRawDataValues(self.0, (&raw mut length).expose_provenance()) };
        unsafe { std::slice::from_raw_parts(data.cast::<u8>(), length).to_vec() }
    }
    pub(crate) fn aliasee(self) -> Self {
        Self::new(unsafe { LLVMAliasGetAliasee(self.0) })
    }
    pub(crate) fn block_address(self) -> (Self, Block<'m>) {
        unsafe {
            (
                Self::new(LLVMGetBlockAddressFunction(self.0)),
                Block::new(LLVMGetBlockAddressBasicBlock(self.0)),
            )
        }
    }

    // Globals and functions.
    pub(crate) fn is_declaration(self) -> bool {
        unsafe { LLVMIsDeclaration(self.0) != 0 }
    }
    /// Whether other modules see it.
    pub(crate) fn is_exported(self) -> bool {
        !matches!(
            self.linkage(),
            Linkage::LLVMInternalLinkage | Linkage::LLVMPrivateLinkage
        )
    }
    pub(crate) fn linkage(self) -> Linkage {
        unsafe { LLVMGetLinkage(self.0) }
    }
    pub(crate) fn make_weak(self) {
        unsafe { LLVMSetLinkage(self.0, Linkage::LLVMWeakAnyLinkage) }
    }
    pub(crate) fn section(self) -> Option<String> {
        let section = unsafe { LLVMGetSection(self.0) };
        if section.is_null() {
            return None;
        }
        let section = unsafe { CStr::from_ptr(section).to_string_lossy().into_owned() };
        (!section.is_empty()).then_some(section)
    }
    pub(crate) fn alignment(self) -> u32 {
        unsafe { LLVMGetAlignment(self.0) }
    }
    pub(crate) fn global_type(self) -> Type<'m> {
        Type::new(unsafe { LLVMGlobalGetValueType(self.0) })
    }
    pub(crate) fn initializer(self) -> Option<Self> {
        Self::some(unsafe { LLVMGetInitializer(self.0) })
    }
    pub(crate) fn is_constant_global(self) -> bool {
        unsafe { LLVMIsGlobalConstant(self.0) != 0 }
    }
    pub(crate) fn params(self) -> Vec<Self> {
        (0..unsafe { LLVMCountParams(self.0) })
            .map(|index| Self::new(unsafe { LLVMGetParam(self.0, index) }))
            .collect()
    }
    pub(crate) fn is_intrinsic(self) -> bool {
        unsafe { LLVMGetIntrinsicID(self.0) != 0 }
    }
    pub(crate) fn blocks(self) -> Vec<Block<'m>> {
        let mut all = Vec::new();
        let mut at = unsafe { LLVMGetFirstBasicBlock(self.0) };
        while !at.is_null() {
            all.push(Block::new(at));
            at = unsafe { LLVMGetNextBasicBlock(at) };
        }
        all
    }
    pub(crate) fn subprogram(self) -> Option<Metadata<'m>> {
        Metadata::some(unsafe { LLVMGetSubprogram(self.0) })
    }
    /// The debug descriptions attached to a global.
    pub(crate) fn global_debug(self) -> Vec<Metadata<'m>> {
        unsafe {
            let mut count = 0;
            let entries = LLVMGlobalCopyAllMetadata(self.0, &mut count);
            let all = (0..count as u32)
                .filter(|&index| LLVMValueMetadataEntriesGetKind(entries, index) == 0)
                .filter_map(|index| {
                    Metadata::some(LLVMValueMetadataEntriesGetMetadata(entries, index))
                })
                .collect();
            LLVMDisposeValueMetadataEntries(entries);
            all
        }
    }

    // Instructions.
    pub(crate) fn opcode(self) -> Opcode {
        unsafe { LLVMGetInstructionOpcode(self.0) }
    }
    pub(crate) fn place(self) -> Option<Metadata<'m>> {
        Metadata::some(unsafe { LLVMInstructionGetDebugLoc(self.0) })
    }
    pub(crate) fn int_predicate(self) -> IntPredicate {
        unsafe { LLVMGetICmpPredicate(self.0) }
    }
    pub(crate) fn real_predicate(self) -> RealPredicate {
        unsafe { LLVMGetFCmpPredicate(self.0) }
    }
    pub(crate) fn is_volatile(self) -> bool {
        unsafe { LLVMGetVolatile(self.0) != 0 }
    }
    pub(crate) fn allocated_type(self) -> Type<'m> {
        Type::new(unsafe { LLVMGetAllocatedType(self.0) })
    }
    pub(crate) fn gep_source(self) -> Type<'m> {
        Type::new(unsafe { LLVMGetGEPSourceElementType(self.0) })
    }
    pub(crate) fn indices(self) -> Vec<u32> {
        unsafe {
            std::slice::from_raw_parts(LLVMGetIndices(self.0), LLVMGetNumIndices(self.0) as usize)
                .to_vec()
        }
    }
    pub(crate) fn shuffle_mask(self) -> Vec<i32> {
        unsafe {
            (0..LLVMGetNumMaskElements(self.0))
                .map(|index| LLVMGetMaskValue(self.0, index))
                .collect()
        }
    }
    pub(crate) fn rmw_op(self) -> RmwOp {
        unsafe { LLVMGetAtomicRMWBinOp(self.0) }
    }
    pub(crate) fn incoming(self) -> Vec<(Self, Block<'m>)> {
        unsafe {
            (0..LLVMCountIncoming(self.0))
                .map(|i| {
                    (
                        Self::new(LLVMGetIncomingValue(self.0, i)),
                        Block::new(LLVMGetIncomingBlock(self.0, i)),
                    )
                })
                .collect()
        }
    }
    pub(crate) fn successors(self) -> Vec<Block<'m>> {
        unsafe {
            (0..LLVMGetNumSuccessors(self.0))
                .map(|i| Block::new(LLVMGetSuccessor(self.0, i)))
                .collect()
        }
    }
    /// Case values and targets of a switch; successor 0 is the default.
    pub(crate) fn switch_cases(self) -> Vec<(Self, Block<'m>)> {
        unsafe {
            (1..LLVMGetNumSuccessors(self.0))
                .map(|i| {
                    (
                        Self::new(LLVMGetSwitchCaseValue(self.0, i)),
                        Block::new(LLVMGetSuccessor(self.0, i)),
                    )
                })
                .collect()
        }
    }
    pub(crate) fn is_conditional(self) -> bool {
        unsafe { LLVMIsConditional(self.0) != 0 }
    }
    pub(crate) fn condition(self) -> Self {
        Self::new(unsafe { LLVMGetCondition(self.0) })
    }
    pub(crate) fn called_value(self) -> Self {
        Self::new(unsafe { LLVMGetCalledValue(self.0) })
    }
    pub(crate) fn called_type(self) -> Type<'m> {
        Type::new(unsafe { LLVMGetCalledFunctionType(self.0) })
    }
    pub(crate) fn arguments(self) -> Vec<Self> {
        (0..unsafe { LLVMGetNumArgOperands(self.0) } as usize)
            .map(|index| self.operand(index))
            .collect()
    }
    /// The type given by a `byval` (or similar) attribute of a call argument (from 0).
    pub(crate) fn argument_type_attribute(self, argument: usize, name: &str) -> Option<Type<'m>> {
        unsafe {
            let kind = LLVMGetEnumAttributeKindForName(name.as_ptr().cast(), name.len());
            let attribute = LLVMGetCallSiteEnumAttribute(self.0, argument as u32 + 1, kind);
            if attribute.is_null() {
                None
            } else {
                Some(Type::new(LLVMGetTypeAttributeValue(attribute)))
            }
        }
    }
    pub(crate) fn asm_text(self) -> String {
        let mut length = 0;
        let data = unsafe { LLVMGetInlineAsmAsmString(self.0, &mut length) };
        text(data, length)
    }
    pub(crate) fn asm_constraints(self) -> String {
        let mut length = 0;
        let data = unsafe { LLVMGetInlineAsmConstraintString(self.0, &mut length) };
        text(data, length)
    }
    /// Variables declared to live in memory, from the debug records before this instruction.
    pub(crate) fn declared_variables(self) -> Vec<(Option<Self>, Metadata<'m>)> {
        let mut all = Vec::new();
        unsafe {
            let mut record = LLVMGetFirstDbgRecord(self.0);
            while !record.is_null() {
                if matches!(
                    LLVMDbgRecordGetKind(record),
                    llvm::LLVMDbgRecordKind::LLVMDbgRecordDeclare
                ) && let Some(variable) =
                    Metadata::some(LLVMDbgVariableRecordGetVariable(record))
                {
                    all.push((
                        Self::some(LLVMDbgVariableRecordGetValue(record, 0)),
                        variable,
                    ));
                }
                record = LLVMGetNextDbgRecord(record);
            }
        }
        all
    }

    // Metadata wrapped as a value.
    pub(crate) fn as_metadata(self) -> Option<Metadata<'m>> {
        Metadata::some(unsafe { LLVMValueAsMetadata(self.0) })
    }
    pub(crate) fn metadata_string(self) -> Option<String> {
        unsafe {
            if LLVMIsAMDString(self.0).is_null() {
                return None;
            }
            let mut length = 0;
            let data = LLVMGetMDString(self.0, &mut length);
            Some(text(data, length as usize))
        }
    }
    pub(crate) fn is_constant_int(self) -> bool {
        unsafe { !LLVMIsAConstantInt(self.0).is_null() }
    }
}

/// A basic block.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Block<'m>(LLVMBasicBlockRef, PhantomData<&'m ()>);

impl<'m> Block<'m> {
    fn new(block: LLVMBasicBlockRef) -> Self {
        Self(block, PhantomData)
    }
    pub(crate) fn instructions(self) -> Vec<Value<'m>> {
        // SAFETY: iteration over the block's list.
        let first = unsafe { LLVMGetFirstInstruction(self.0) };
        Value::list(first, |value| unsafe { LLVMGetNextInstruction(value) })
    }
    pub(crate) fn successors(self) -> Vec<Self> {
        // SAFETY: verified modules have a terminator in every block.
        Value::some(unsafe { LLVMGetBasicBlockTerminator(self.0) })
            .map_or_else(Vec::new, Value::successors)
    }
}

/// A metadata node.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Metadata<'m>(LLVMMetadataRef, PhantomData<&'m ()>);

impl<'m> Metadata<'m> {
    fn some(metadata: LLVMMetadataRef) -> Option<Self> {
        (!metadata.is_null()).then_some(Self(metadata, PhantomData))
    }

    // SAFETY (this impl): callers check `kind` before asking kind-specific questions.
    pub(crate) fn kind(self) -> MetadataKind {
        unsafe { LLVMGetMetadataKind(self.0) }
    }
    pub(crate) fn location(self) -> (u32, u32, Option<Self>, Option<Self>) {
        unsafe {
            (
                LLVMDILocationGetLine(self.0),
                LLVMDILocationGetColumn(self.0),
                Self::some(LLVMDILocationGetScope(self.0)),
                Self::some(LLVMDILocationGetInlinedAt(self.0)),
            )
        }
    }
    pub(crate) fn scope_file(self) -> Option<Self> {
        Self::some(unsafe { LLVMDIScopeGetFile(self.0) })
    }
    pub(crate) fn file_name(self) -> String {
        let mut length = 0;
        let data = unsafe { LLVMDIFileGetFilename(self.0, &mut length) };
        text(data, length as usize)
    }
    pub(crate) fn subprogram_line(self) -> u32 {
        unsafe { LLVMDISubprogramGetLine(self.0) }
    }
    pub(crate) fn global_variable(self) -> Option<Self> {
        Self::some(unsafe { LLVMDIGlobalVariableExpressionGetVariable(self.0) })
    }
    pub(crate) fn variable_file(self) -> Option<Self> {
        Self::some(unsafe { LLVMDIVariableGetFile(self.0) })
    }
    pub(crate) fn variable_line(self) -> u32 {
        unsafe { LLVMDIVariableGetLine(self.0) }
    }
    pub(crate) fn tag(self) -> u16 {
        unsafe { LLVMGetDINodeTag(self.0) }
    }
    pub(crate) fn type_name(self) -> String {
        let mut length = 0;
        let data = unsafe { LLVMDITypeGetName(self.0, &mut length) };
        text(data, length)
    }
    pub(crate) fn type_bits(self) -> u64 {
        unsafe { LLVMDITypeGetSizeInBits(self.0) }
    }
    pub(crate) fn member_offset(self) -> u64 {
        unsafe { LLVMDITypeGetOffsetInBits(self.0) }
    }
    pub(crate) fn is_bit_field(self) -> bool {
        const BIT_FIELD: i32 = 1 << 19;
        unsafe { LLVMDITypeGetFlags(self.0) & BIT_FIELD != 0 }
    }
}
