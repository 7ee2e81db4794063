//! What the scenario says of flash parts, in the terms of the machine.

use brownout_ir::{Global, Program, Type};
use brownout_scenario::{Flash, FlashAction, FlashFunction, FlashOperand, Scenario};
use brownout_vm::{FlashBinding, FlashPart};

/// The object of a part.
fn object(program: &Program, part: &Flash) -> Option<Global> {
    let mut globals = program.globals.iter();
    let found = globals.find(|(_, data)| data.name == part.object);
    found.map(|(global, _)| global)
}

/// The parts, in the order of the scenario, which has checked that their objects exist.
pub(super) fn parts(program: &Program, scenario: &Scenario) -> Vec<FlashPart> {
    let parts = scenario.flash.iter();
    parts
        .filter_map(|part| {
            let global = object(program, part)?;
            let size = u32::try_from(program.globals[global].size).unwrap_or(u32::MAX);
            Some(FlashPart {
                global,
                erase_block: part.erase_block.unwrap_or(size).max(1),
                program_unit: part.program_unit,
                erased: part.erased,
                programming: part.programming,
                reprogram: part.reprogram,
                image: part.image.clone(),
            })
        })
        .collect()
}

/// The functions that read and change parts, by name: those of the scenario and those of
/// `brownout.h`.
pub(super) fn functions(program: &Program, scenario: &Scenario) -> Vec<(String, FlashBinding)> {
    let mut functions = vec![
        (
            "brownout_flash_program".to_owned(),
            own(FlashAction::Program),
        ),
        ("brownout_flash_erase".to_owned(), own(FlashAction::Erase)),
    ];
    for (number, part) in scenario.flash.iter().enumerate() {
        for function in &part.functions {
            let binding = binding(program, number as u32, part, function);
            functions.push((function.name.clone(), binding));
        }
    }
    functions
}

/// A function of `brownout.h`: a pointer says which part it is about.
fn own(action: FlashAction) -> FlashBinding {
    let length = match action {
        FlashAction::Erase => 1,
        FlashAction::Program | FlashAction::Read | FlashAction::Sync => 2,
    };
    FlashBinding {
        action,
        part: None,
        address: Some(FlashOperand::argument(0)),
        by_pointer: true,
        data: Some(FlashOperand::argument(1)),
        length: Some(FlashOperand::argument(length)),
        returns: 0,
    }
}

/// Addresses are pointers where an argument is one that the address is made of.
fn binding(program: &Program, number: u32, part: &Flash, function: &FlashFunction) -> FlashBinding {
    let params = program
        .function(&function.name)
        .map_or(&[][..], |func| &program.functions[func].params);
    let is_pointer = |argument: &u32| params.get(*argument as usize) == Some(&Type::Ptr);
    let address = function.address.as_ref();
    let by_pointer = address.is_some_and(|address| address.arguments().iter().any(is_pointer));
    FlashBinding {
        action: function.action,
        part: Some(number),
        address: function.address.clone(),
        by_pointer,
        data: function.data.clone(),
        length: match (function.action, &function.length) {
            (FlashAction::Erase, None) => {
                let block = part.erase_block.map(i64::from);
                block.map(FlashOperand::number)
            }
            (_, length) => length.clone(),
        },
        returns: function.returns,
    }
}
