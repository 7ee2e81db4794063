//! A counter in FRAM, in Rust without its standard library:
//!
//! ```sh
//! rustc --emit=llvm-bc -g -C panic=abort -C codegen-units=1 examples/rust/counter.rs -o counter.bc
//! brownout check counter.bc
//! ```
#![no_std]
#![no_main]

use core::panic::PanicInfo;

#[unsafe(link_section = ".persistent")]
static mut COUNT: u16 = 0;
static mut READINGS: [u16; 4] = [0; 4];

unsafe extern "C" {
    fn brownout_checkpoint();
}

#[panic_handler]
fn panic(_: &PanicInfo) -> ! {
    loop {}
}

#[unsafe(no_mangle)]
pub extern "C" fn main() -> i32 {
    for reading in 0..3 {
        unsafe {
            brownout_checkpoint();
            READINGS[reading] = 7 * reading as u16;
            COUNT = COUNT + 1; // a power failure right after this counts twice
        }
    }
    0
}
