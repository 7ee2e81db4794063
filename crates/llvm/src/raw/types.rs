//! Types, their layout, and basic blocks.

use std::marker::PhantomData;
use std::ptr;

use llvm::core::*;
use llvm::prelude::*;
use llvm::target::*;
use llvm_sys_22 as llvm;

use super::{TypeKind, Value, message};

/// The data layout.
#[derive(Clone, Copy)]
pub(crate) struct Layout<'m>(pub(super) LLVMTargetDataRef, PhantomData<&'m ()>);

impl Layout<'_> {
    pub(super) fn new(layout: LLVMTargetDataRef) -> Self {
        Self(layout, PhantomData)
    }
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
pub(crate) struct Type<'m>(pub(super) LLVMTypeRef, PhantomData<&'m ()>);

impl<'m> Type<'m> {
    pub(super) fn new(ty: LLVMTypeRef) -> Self {
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

/// A basic block.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Block<'m>(pub(super) LLVMBasicBlockRef, PhantomData<&'m ()>);

impl<'m> Block<'m> {
    pub(super) fn new(block: LLVMBasicBlockRef) -> Self {
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
