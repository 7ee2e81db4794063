//! Safe, thin handles on libLLVM's C API: the only folder with `unsafe`.
//!
//! A handle borrows its [`Module`] (`'m`), so it cannot outlive it. Only what the
//! lowering asks for is here.

mod metadata;
mod module;
mod types;
mod value;

use std::ffi::{CStr, c_char};

use llvm::core::LLVMDisposeMessage;
pub(crate) use llvm::debuginfo::LLVMMetadataKind as MetadataKind;
pub(crate) use llvm::{
    LLVMAtomicRMWBinOp as RmwOp, LLVMIntPredicate as IntPredicate, LLVMLinkage as Linkage,
    LLVMOpcode as Opcode, LLVMRealPredicate as RealPredicate, LLVMTypeKind as TypeKind,
    LLVMValueKind as ValueKind,
};
use llvm_sys_22 as llvm;

pub(crate) use self::metadata::Metadata;
pub(crate) use self::module::{Context, Module};
pub(crate) use self::types::{Block, Layout, Type};
pub(crate) use self::value::Value;

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
