//! What the scenario says of flash parts, in the terms of the machine.

use brownout_ir::source::{SourceMap, TypeId, TypeKind};
use brownout_ir::{Global, Program, Type};
use brownout_scenario::{
    ArgumentExpression, ConfigError, Extent, Fill, Flash, FlashAction, FlashFunction, Member,
    MemberPlace, Problem, Scenario,
};
use brownout_vm::{FlashBinding, FlashPart};

/// The object of a part.
fn object(program: &Program, part: &Flash) -> Option<Global> {
    let mut globals = program.globals.iter();
    let found = globals.find(|(_, data)| data.name == part.object);
    found.map(|(global, _)| global)
}

/// The parts, in the order of the scenario, which has checked that their objects exist.
pub(crate) fn parts(program: &Program, scenario: &Scenario) -> Vec<FlashPart> {
    let parts = scenario.flash.iter();
    parts
        .filter_map(|part| {
            let global = object(program, part)?;
            let size = u32::try_from(program.globals[global].size).unwrap_or(u32::MAX);
            Some(FlashPart {
                global,
                erase_block: part.erase_block.unwrap_or(size).max(1),
                order_block: part.order_block.unwrap_or(size).max(1),
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
pub(crate) fn functions(program: &Program, scenario: &Scenario) -> Vec<(String, FlashBinding)> {
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
        address: Some(ArgumentExpression::argument(0)),
        by_pointer: true,
        data: Some(ArgumentExpression::argument(1)),
        value: None,
        length: Some(ArgumentExpression::argument(length)),
        returns: ArgumentExpression::number(0),
    }
}

/// Addresses are pointers where an argument is one that the address is made of.
fn binding(program: &Program, number: u32, part: &Flash, function: &FlashFunction) -> FlashBinding {
    let params = program
        .function(&function.name)
        .map_or(&[][..], |func| &program.functions[func].params);
    let is_pointer = |argument: u32| params.get(argument as usize) == Some(&Type::Ptr);
    let address = function.address.as_ref();
    let by_pointer = address.is_some_and(|address| address.arguments().any(is_pointer));
    FlashBinding {
        action: function.action,
        part: Some(number),
        address: function.address.clone(),
        by_pointer,
        data: function.data.clone(),
        value: function.value.clone(),
        length: match (function.action, &function.length) {
            (FlashAction::Erase, None) => {
                let block = part.erase_block.map(i64::from);
                block.map(ArgumentExpression::number)
            }
            (_, length) => length.clone(),
        },
        returns: function.returns.clone(),
    }
}

/// Finds out where the members are that expressions about arguments name.
///
/// # Errors
/// If no structure of the program has such a member, or several have it at different places.
pub(crate) fn resolve_members(
    program: &Program,
    scenario: &mut Scenario,
) -> Result<(), Vec<ConfigError>> {
    let inputs = scenario.inputs.iter_mut();
    let fills = inputs.filter_map(|input| input.fills.as_mut());
    let mut errors: Vec<ConfigError> = fills.flat_map(|fill| resolve_fill(program, fill)).collect();
    let parts = scenario.flash.iter_mut();
    for function in parts.flat_map(|part| &mut part.functions) {
        let place = function.place;
        let key = format!("flash.{}", function.action.key());
        let operands = [
            &mut function.address,
            &mut function.data,
            &mut function.value,
            &mut function.length,
        ];
        let operands = operands.into_iter().flatten();
        for members in operands
            .chain([&mut function.returns])
            .flat_map(ArgumentExpression::members_mut)
        {
            if let Err((name, problem)) = resolve(&program.source, members) {
                errors.push(ConfigError {
                    place,
                    key: key.clone(),
                    problem: Problem::BadExpression {
                        found: name,
                        problem,
                    },
                });
            }
        }
    }
    match errors.is_empty() {
        true => Ok(()),
        false => Err(errors),
    }
}

/// The same for the buffers that an input fills.
pub(crate) fn resolve_fill(program: &Program, fill: &mut Fill) -> Vec<ConfigError> {
    let mut errors = Vec::new();
    for buffer in &mut fill.buffers {
        let length = match &mut buffer.length {
            Extent::Computed(length) => Some(length),
            Extent::Result | Extent::Bytes(_) | Extent::Pointee => None,
        };
        let operands = [("fills", Some(&mut buffer.pointer)), ("length", length)];
        for (key, operand) in operands {
            for members in (operand.into_iter()).flat_map(ArgumentExpression::members_mut) {
                if let Err((found, problem)) = resolve(&program.source, members)
                    && let Some(place) = fill.place
                {
                    errors.push(ConfigError {
                        place,
                        key: format!("input.{key}"),
                        problem: Problem::BadExpression { found, problem },
                    });
                }
            }
        }
    }
    errors
}

/// Finds the members on one way from an argument, one after the other.
fn resolve(source: &SourceMap, members: &mut [Member]) -> Result<(), (String, String)> {
    let mut pointed: Option<TypeId> = None;
    for member in members {
        let wrong = |problem: &str| Err((member.path.clone(), problem.to_owned()));
        let structures: Vec<TypeId> = match pointed {
            Some(ty) => vec![ty],
            None => source.types.iter().map(|(id, _)| id).collect(),
        };
        let is_named = |ty: &TypeId| {
            let name = source.types.get(*ty).map_or("", |data| data.name.as_str());
            let name = name.strip_prefix("struct ").unwrap_or(name);
            member
                .structure
                .as_ref()
                .is_none_or(|wanted| wanted == name)
        };
        let structures = structures.into_iter().filter(is_named);
        let found: Vec<(MemberPlace, TypeId)> = structures
            .filter_map(|ty| inside(source, ty, &member.path))
            .collect();
        let Some(&(place, ty)) = found.first() else {
            return wrong("is no number or pointer in any structure that the program uses");
        };
        if found.iter().any(|(other, _)| *other != place) {
            return wrong(
                "is in several structures: say in which one, as in `arg0->flash_dev::base`",
            );
        }
        member.place = place;
        pointed = match source.types.get(ty).map(|data| &data.kind) {
            Some(TypeKind::Pointer(to)) => *to,
            _ => None,
        };
    }
    Ok(())
}

/// Where `geometry.size` is in a structure, and of which type it is.
fn inside(source: &SourceMap, ty: TypeId, path: &str) -> Option<(MemberPlace, TypeId)> {
    let (bytes, ty) = source.part(ty, &format!(".{path}"))?;
    let data = source.types.get(ty)?;
    let is_signed = match data.kind {
        TypeKind::Signed | TypeKind::Enum(_) | TypeKind::Char => true,
        TypeKind::Unsigned | TypeKind::Bool | TypeKind::Pointer(_) => false,
        TypeKind::Float
        | TypeKind::Struct(_)
        | TypeKind::Union(_)
        | TypeKind::Array { .. }
        | TypeKind::Opaque => return None,
    };
    let size = u32::try_from(data.size)
        .ok()
        .filter(|size| (1..=8).contains(size))?;
    let place = MemberPlace {
        offset: bytes.start,
        size,
        is_signed,
    };
    Some((place, ty))
}
