//! Operations of the machine as places in the source, as users know them.

use brownout_diag::SourcePlace;
use brownout_ir::source::Place;
use brownout_ir::{Func, Origin};
use brownout_vm::Image;

use crate::calls::Path;

/// The place of an operation, with the calls that led to it. What happens inside library functions
/// belongs to the call in the user's code.
pub(crate) fn place(image: &Image, path: &Path) -> Option<SourcePlace> {
    // Each function with the operation that it is at.
    let mut at: Vec<(Func, u32)> = Vec::new();
    for (index, &(function, _)) in path.calls.iter().enumerate() {
        let next = path
            .calls
            .get(index + 1)
            .map_or(path.pc, |&(_, called)| called);
        at.push((function, next));
    }
    frames(image, &at)
}

/// The place of the innermost of some calls (outermost first) that is the user's.
pub(crate) fn frames(image: &Image, at: &[(Func, u32)]) -> Option<SourcePlace> {
    let program = image.program();
    let is_user =
        |&&(function, _): &&(Func, u32)| program.functions[function].origin == Origin::User;
    let users: Vec<(Func, u32)> = at.iter().take_while(is_user).copied().collect();
    let &(function, pc) = users.last()?;
    let mut stack: Vec<String> = Vec::new();
    for &(function, pc) in &users {
        stack.extend(inlined(
            image,
            image.place(pc),
            &program.functions[function].name,
        ));
    }
    let name = stack.last().cloned().unwrap_or_default();
    let place = image.place(pc).or(program.functions[function].place);
    let mut found = SourcePlace {
        function: name,
        stack,
        ..SourcePlace::default()
    };
    if let Some(data) = place.and_then(|place| program.source.places.get(place)) {
        found.file = program
            .source
            .files
            .get(data.file)
            .cloned()
            .unwrap_or_default();
        found.line = data.line;
        found.column = data.column;
    }
    Some(found)
}

/// The functions that one function of the program stands for at a place: itself, and what was
/// inlined into it.
fn inlined(image: &Image, place: Option<Place>, name: &str) -> Vec<String> {
    let places = &image.program().source.places;
    let mut names = Vec::new();
    let mut next = place;
    // A chain in debug information that is nonsense may be a circle.
    while let Some(data) = next.and_then(|place| places.get(place))
        && names.len() < 64
    {
        next = data.inlined_at;
        if next.is_some() {
            names.push(data.function.clone());
        }
    }
    names.push(name.to_owned());
    names.reverse();
    names
}
