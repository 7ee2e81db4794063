//! Debug information.

use std::marker::PhantomData;

use llvm::debuginfo::*;
use llvm::prelude::*;
use llvm_sys_22 as llvm;

use super::{MetadataKind, text};

/// A metadata node.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Metadata<'m>(pub(super) LLVMMetadataRef, PhantomData<&'m ()>);

impl<'m> Metadata<'m> {
    pub(super) fn some(metadata: LLVMMetadataRef) -> Option<Self> {
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
