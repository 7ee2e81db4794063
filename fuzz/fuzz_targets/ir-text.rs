#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    if let Some(target) = brownout_fuzz::target("ir-text") {
        (target.exercise)(data);
    }
});
