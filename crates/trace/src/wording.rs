//! What analyses see, in the words of findings: operations as source places,
//! differences as effects.

use brownout_diag::{Crash, Effect, Named, ObjectRef, Outlet, OutputChange, SourcePlace, When};
use brownout_explore::{Difference, Object, Objects, Part};
use brownout_ir::source::Place;
use brownout_vm::{Fault, Image, Machine, SegmentKind};

/// The source place of an operation; inlined code is where the user wrote it.
pub fn place(image: &Image, pc: u32) -> Option<SourcePlace> {
    in_source(image, image.place(pc)?)
}

/// Where a global variable is declared.
pub(crate) fn declaration(image: &Image, object: Object) -> Option<SourcePlace> {
    match object {
        Object::Global(global) => in_source(image, image.program().globals[global].place?),
        _ => None,
    }
}

fn in_source(image: &Image, place: Place) -> Option<SourcePlace> {
    let source = &image.program().source;
    let data = source.places.get(place)?;
    Some(SourcePlace {
        file: source.files.get(data.file)?.clone(),
        line: data.line,
        column: data.column,
        function: data.function.clone(),
        stack: Vec::new(),
    })
}

/// A whole object, as findings name it.
pub(crate) fn object(objects: &Objects<'_>, object: Object, size: u64) -> ObjectRef {
    let Named { name, whole, id } = objects.named(Part {
        object,
        start: 0,
        end: size,
    });
    ObjectRef {
        name,
        whole,
        id,
        segment: objects.segment(object),
        offset: 0,
        size,
    }
}

/// The arguments of an output.
pub(crate) fn arguments(image: &Image, output: u32, args: &[u64]) -> String {
    let args = image.output_arguments(output, args);
    let args: Vec<String> = args.iter().map(i64::to_string).collect();
    args.join(", ")
}

/// The functions that were inlined into the one of the operation, outermost first.
pub(crate) fn inlined(image: &Image, pc: u32) -> Vec<String> {
    let places = &image.program().source.places;
    let mut names = Vec::new();
    let mut place = image.place(pc).and_then(|place| places.get(place));
    while let Some(data) = place
        && let Some(outer) = data.inlined_at
    {
        names.push(data.function.clone());
        place = places.get(outer);
    }
    names.reverse();
    names
}

/// A difference as effects, of bit-fields as many as there are that differ; `branch` is where the
/// paths parted, if that is known.
pub(crate) fn effects(
    image: &Image,
    objects: &Objects<'_>,
    difference: &Difference,
    branch: Option<&SourcePlace>,
    when: When,
) -> Vec<Effect> {
    let Difference::Value {
        part,
        continuous,
        intermittent,
        ..
    } = difference
    else {
        return vec![effect(image, objects, difference, branch, when)];
    };
    let fields = objects.bit_fields(*part);
    if fields.is_empty() {
        return vec![effect(image, objects, difference, branch, when)];
    }
    let whole = objects.named(*part);
    fields
        .into_iter()
        .map(|(name, bits, ty)| Effect::Value {
            object: Named {
                name,
                ..whole.clone()
            },
            when,
            continuous: objects.bits_value(ty, continuous, bits.clone()),
            intermittent: objects.bits_value(ty, intermittent, bits),
        })
        .filter(|effect| match effect {
            Effect::Value {
                continuous,
                intermittent,
                ..
            } => continuous != intermittent,
            _ => true,
        })
        .collect()
}

/// A difference as one effect.
fn effect(
    image: &Image,
    objects: &Objects<'_>,
    difference: &Difference,
    branch: Option<&SourcePlace>,
    when: When,
) -> Effect {
    match difference {
        Difference::Value {
            part,
            continuous,
            intermittent,
            ..
        } => Effect::Value {
            when,
            object: objects.named(*part),
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
            ..
        } => Effect::Output {
            output: Outlet::Text,
            change: OutputChange::Changed {
                continuous: text(continuous),
                intermittent: text(intermittent),
            },
        },
        Difference::Lost { output, args } => {
            let args = image.output_arguments(*output, args);
            let args: Vec<String> = args.iter().map(i64::to_string).collect();
            let outputs = &image.bindings().outputs;
            Effect::Output {
                output: Outlet::Named(
                    outputs
                        .get(*output as usize)
                        .map_or_else(String::new, |output| output.name.clone()),
                ),
                change: OutputChange::Lost {
                    continuous: args.join(", "),
                },
            }
        }
        Difference::Crash { fault, pc } => Effect::Crash {
            crash: crash(fault),
            place: place(image, *pc),
        },
        Difference::Broken { invariant } => Effect::Invariant {
            expression: (image.bindings().invariants)
                .get(*invariant as usize)
                .map_or_else(String::new, |invariant| invariant.text.clone()),
        },
        Difference::NoProgress { budget } => Effect::NoProgress { budget: *budget },
    }
}

/// Values of the surroundings that differ between two executions.
pub(crate) fn surroundings(continuous: &Machine<'_>, intermittent: &Machine<'_>) -> Vec<Effect> {
    let names = &continuous.image().bindings().environment.names;
    let values = continuous
        .environment()
        .iter()
        .zip(intermittent.environment());
    names
        .iter()
        .zip(values)
        .filter(|(_, (continuous, intermittent))| continuous != intermittent)
        .map(|(name, (continuous, intermittent))| Effect::Value {
            object: Named::outside(name),
            continuous: continuous.to_string(),
            intermittent: intermittent.to_string(),
            when: When::Elsewhere,
        })
        .collect()
}

/// The differences that mean something to the user: places of the compiler's only if there are no
/// others.
pub(crate) fn worth_telling<'d>(
    image: &Image,
    differences: &'d [Difference],
) -> impl Iterator<Item = &'d Difference> {
    let any_named = differences
        .iter()
        .any(|difference| !is_nameless(image, difference));
    differences
        .iter()
        .filter(move |difference| !any_named || !is_nameless(image, difference))
}

/// Whether it is a place of the compiler's, which the user cannot know.
pub(crate) fn is_nameless(image: &Image, difference: &Difference) -> bool {
    let Difference::Value { part, .. } = difference else {
        return false;
    };
    match part.object {
        Object::Local(func, slot) => {
            let body = image.program().functions[func].body.as_ref();
            let slot = body.and_then(|body| body.slots.get(slot));
            slot.is_none_or(|slot| slot.name.is_none())
        }
        Object::Segment(kind) => kind != SegmentKind::Window,
        Object::Stack(_) => true,
        Object::Global(_) | Object::Linkage(_) | Object::Block { .. } => false,
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
        | Fault::Flash { .. }
        | Fault::InputEnded
        | Fault::Script { .. } => Crash::Trap,
    }
}
