//! Values: functions, globals, constants, arguments, instructions.

use std::ffi::CStr;
use std::marker::PhantomData;

use llvm::core::*;
use llvm::debuginfo::*;
use llvm::prelude::*;
use llvm_sys_22 as llvm;

use super::{
    Block, IntPredicate, Linkage, Metadata, Opcode, RealPredicate, RmwOp, Type, ValueKind, message,
    text,
};

/// A value: function, global, constant, argument, instruction.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Value<'m>(pub(super) LLVMValueRef, PhantomData<&'m ()>);

impl<'m> Value<'m> {
    pub(super) fn some(value: LLVMValueRef) -> Option<Self> {
        (!value.is_null()).then_some(Self(value, PhantomData))
    }
    pub(super) fn new(value: LLVMValueRef) -> Self {
        Self(value, PhantomData)
    }
    pub(super) fn list(
        mut at: LLVMValueRef,
        next: impl Fn(LLVMValueRef) -> LLVMValueRef,
    ) -> Vec<Self> {
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
    /// Whether every module that uses it has it: inline functions of C++, and instances of templates.
    pub(crate) fn is_inline(self) -> bool {
        matches!(
            self.linkage(),
            Linkage::LLVMLinkOnceAnyLinkage | Linkage::LLVMLinkOnceODRLinkage
        )
    }
    pub(crate) fn linkage(self) -> Linkage {
        unsafe { LLVMGetLinkage(self.0) }
    }
    pub(crate) fn make_weak(self) {
        unsafe { LLVMSetLinkage(self.0, Linkage::LLVMWeakAnyLinkage) }
    }
    pub(crate) fn rename(self, name: &str) {
        unsafe { LLVMSetValueName2(self.0, name.as_ptr().cast(), name.len()) }
    }
    /// Makes a variable one that another module defines.
    pub(crate) fn forget_definition(self) {
        unsafe {
            LLVMSetInitializer(self.0, std::ptr::null_mut());
            LLVMSetLinkage(self.0, Linkage::LLVMExternalLinkage);
        }
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

    /// The name of the type of a function, where `!type` metadata has it.
    pub(crate) fn declared_type(self) -> Option<String> {
        // SAFETY: the kind is looked up in the context of the value, and nodes are asked what they are.
        unsafe {
            let context = LLVMGetModuleContext(LLVMGetGlobalParent(self.0));
            let kind = LLVMGetMDKindIDInContext(context, c"type".as_ptr(), 4);
            let mut count = 0;
            let entries = LLVMGlobalCopyAllMetadata(self.0, &mut count);
            let found = (0..count as u32)
                .filter(|&index| LLVMValueMetadataEntriesGetKind(entries, index) == kind)
                .map(|index| LLVMValueMetadataEntriesGetMetadata(entries, index))
                .next();
            LLVMDisposeValueMetadataEntries(entries);
            let node = LLVMMetadataAsValue(context, found?);
            let operands = LLVMGetMDNodeNumOperands(node);
            let mut all = vec![std::ptr::null_mut(); operands as usize];
            LLVMGetMDNodeOperands(node, all.as_mut_ptr());
            Self::some(*all.get(1)?)?.metadata_string()
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
    /// What a call says that a pointer argument (from 0) points to.
    pub(crate) fn element_attribute(self, argument: usize) -> Option<brownout_ir::Type> {
        let ty = self.argument_type_attribute(argument, "elementtype")?;
        crate::leaves::scalar(ty)
    }
    /// The alignment that a call promises of an argument (from 0).
    pub(crate) fn argument_alignment(self, argument: usize) -> Option<u32> {
        let name = "align";
        unsafe {
            let kind = LLVMGetEnumAttributeKindForName(name.as_ptr().cast(), name.len());
            let attribute = LLVMGetCallSiteEnumAttribute(self.0, argument as u32 + 1, kind);
            if attribute.is_null() {
                None
            } else {
                u32::try_from(LLVMGetEnumAttributeValue(attribute)).ok()
            }
        }
    }
    /// Whether a parameter of a function (from 0) has an attribute.
    pub(crate) fn parameter_has(self, parameter: usize, name: &str) -> bool {
        unsafe {
            let kind = LLVMGetEnumAttributeKindForName(name.as_ptr().cast(), name.len());
            !LLVMGetEnumAttributeAtIndex(self.0, parameter as u32 + 1, kind).is_null()
        }
    }
    /// Whether a function has an attribute that is a text, such as `interrupt`.
    pub(crate) fn has_text_attribute(self, name: &str) -> bool {
        unsafe {
            let (text, length) = (name.as_ptr().cast(), name.len() as u32);
            !LLVMGetStringAttributeAtIndex(self.0, llvm::LLVMAttributeFunctionIndex, text, length)
                .is_null()
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
        self.recorded(|record| {
            let kind = unsafe { LLVMDbgRecordGetKind(record) };
            matches!(kind, llvm::LLVMDbgRecordKind::LLVMDbgRecordDeclare)
        })
    }
    /// Variables that `expression` makes from a value, from the debug records before this instruction.
    pub(crate) fn valued_variables(
        self,
        expression: Metadata<'m>,
    ) -> Vec<(Option<Self>, Metadata<'m>)> {
        self.recorded(|record| unsafe {
            let kind = LLVMDbgRecordGetKind(record);
            matches!(kind, llvm::LLVMDbgRecordKind::LLVMDbgRecordValue)
                && Metadata::some(LLVMDbgVariableRecordGetExpression(record)) == Some(expression)
        })
    }
    fn recorded(
        self,
        is_wanted: impl Fn(LLVMDbgRecordRef) -> bool,
    ) -> Vec<(Option<Self>, Metadata<'m>)> {
        let mut all = Vec::new();
        unsafe {
            let mut record = LLVMGetFirstDbgRecord(self.0);
            while !record.is_null() {
                if is_wanted(record)
                    && let Some(variable) = Metadata::some(LLVMDbgVariableRecordGetVariable(record))
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
