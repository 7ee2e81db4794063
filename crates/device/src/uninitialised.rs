//! Memory that nothing initialises (`.noinit`, backup memory, what a linker script does not load): what it holds before
//! the first boot.
//!
//! Nobody knows that. Zeros would hide that a program takes for valid what it has not written yet, so it
//! holds bytes that look random, the same ones in every analysis, unless the configuration says what
//! it holds (`memory.noinit`). Two objects do not hold the same, so that a copy beside its original
//! is not valid by chance. An object with an initialiser other than zero holds that.

use brownout_ir::{Global, Program};
use brownout_scenario::{Scenario, is_uninitialised};

/// Fills such objects, and says so.
pub(crate) fn fill(program: &mut Program, scenario: &mut Scenario) {
    let is_concerned = |global: &Global| {
        let data = &program.globals[*global];
        let section = data.section.as_deref();
        let is_zero = (data.init.as_ref()).is_some_and(|init| {
            init.relocations.is_empty() && init.bytes.iter().all(|&byte| byte == 0)
        });
        // A flash part is erased at first.
        let is_flash = || scenario.flash.iter().any(|part| part.object == data.name);
        is_zero
            && !data.constant
            && (section.is_some_and(is_uninitialised)
                || scenario.memory.unloaded.contains(&data.name))
            && scenario.memory.is_nonvolatile(&data.name)
            && !is_flash()
    };
    let concerned: Vec<Global> = program.globals.ids().filter(is_concerned).collect();
    for &global in &concerned {
        let data = &mut program.globals[global];
        let size = data.size as usize;
        let bytes = match scenario.memory.noinit {
            Some(byte) => vec![byte; size],
            None => random_looking(&data.name).take(size).collect(),
        };
        if let Some(init) = &mut data.init {
            init.bytes = bytes;
        }
    }
    if scenario.memory.noinit.is_none() && !concerned.is_empty() {
        let names = concerned.iter().map(|&global| {
            let data = &program.globals[global];
            format!("`{}`", data.variable.as_ref().unwrap_or(&data.name))
        });
        let names: Vec<String> = names.collect();
        scenario.notes.push(format!(
            "nothing initialises {}: bytes that look random are there before the first boot (`memory.noinit = 0` if it is cleared)",
            names.join(", ")
        ));
    }
}

/// Bytes that depend on a name and look random.
fn random_looking(name: &str) -> impl Iterator<Item = u8> {
    let seed = name.bytes().fold(0xcbf2_9ce4_8422_2325_u64, |sum, byte| {
        (sum ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    });
    let next = |state: &u64| {
        let mut state = *state;
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        Some(state)
    };
    std::iter::successors(Some(seed | 1), next).map(|state| (state >> 32) as u8)
}
