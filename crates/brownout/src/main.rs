//! The command line program; everything is in the library.

use std::alloc::{GlobalAlloc, Layout, System};
use std::process::ExitCode;

use clap::Parser;

/// The system's allocator, except that having no more memory is the end of the program, with one
/// message and exit code 2.
struct OrEnd;

#[global_allocator]
static ALLOCATOR: OrEnd = OrEnd;

fn or_end(block: *mut u8) -> *mut u8 {
    if block.is_null() {
        brownout::out_of_memory();
    }
    block
}

// SAFETY: every function is the system's, with the same arguments; none returns null.
unsafe impl GlobalAlloc for OrEnd {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        or_end(unsafe { System.alloc(layout) })
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        or_end(unsafe { System.alloc_zeroed(layout) })
    }

    unsafe fn realloc(&self, block: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        or_end(unsafe { System.realloc(block, layout, size) })
    }

    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        unsafe { System.dealloc(block, layout) }
    }
}

fn main() -> ExitCode {
    let arguments = brownout::cli::with_response_files(std::env::args_os());
    brownout::main(brownout::cli::Arguments::parse_from(arguments))
}
