//! What analyses see, in the words of findings: operations as source places,
//! differences as effects.

use brownout_diag::{Crash, Effect, OutputChange, SourcePlace};
use brownout_vm::{Fault, Image};

use crate::evaluate::Difference;
use crate::objects::Objects;

/// The source place of an operation; inlined code is where the user wrote it.
pub(crate) fn place(image: &Image, pc: u32) -> Option<SourcePlace> {
    let source = &image.program().source;
    let data = source.places.get(image.place(pc)?)?;
    Some(SourcePlace {
        file: source.files.get(data.file)?.clone(),
        line: data.line,
        column: data.column,
        function: data.function.clone(),
        stack: Vec::new(),
    })
}

/// A difference as an effect; `branch` is where the paths parted, if that is known.
pub(crate) fn effect(
    image: &Image,
    objects: &Objects<'_>,
    difference: &Difference,
    branch: Option<&SourcePlace>,
) -> Effect {
    match difference {
        Difference::Value {
            part,
            continuous,
            intermittent,
        } => Effect::Value {
            object: objects.name(*part),
            continuous: objects.value(*part, continuous),
            intermittent: objects.value(*part, intermittent),
        },
        Difference::Path {
            continuous,
            intermittent,
        } => Effect::Path {
            branch: branch
                .cloned()
                .or_else(|| place(image, *intermittent))
                .unwrap_or_default(),
            continuous: place(image, *continuous),
            intermittent: place(image, *intermittent),
        },
        Difference::Output {
            continuous,
            intermittent,
        } => Effect::Output {
            output: "text".to_owned(),
            change: OutputChange::Changed {
                continuous: text(continuous),
                intermittent: text(intermittent),
            },
        },
        Difference::Crash { fault, pc } => Effect::Crash {
            crash: crash(fault),
            place: place(image, *pc),
        },
        Difference::NoProgress { budget } => Effect::NoProgress { budget: *budget },
    }
}

/// What a program wrote, as text.
pub(crate) fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// The kind of crash a fault is.
pub(crate) fn crash(fault: &Fault) -> Crash {
    match fault {
        Fault::NullAccess { .. }
        | Fault::Unmapped { .. }
        | Fault::OutsideBlock { .. }
        | Fault::ReadOnly { .. } => Crash::BadAccess,
        Fault::AssertionFailed { .. } | Fault::Aborted => Crash::FailedAssertion,
        Fault::WildCall { .. }
        | Fault::WildJump { .. }
        | Fault::WildReturn { .. }
        | Fault::DeadJump => Crash::WildJump,
        Fault::StackOverflow => Crash::StackOverflow,
        Fault::DivisionByZero
        | Fault::Unreachable
        | Fault::Trap
        | Fault::WrongSignature { .. }
        | Fault::InputEnded
        | Fault::Script { .. } => Crash::Trap,
    }
}
