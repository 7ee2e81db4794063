//! Whether what a checkpoint saves is really needed: the program without it is emulated.
//!
//! The proof says that it fails without an element; that may also be because the solver gave up. Where power
//! failures are seen to do harm without it, nobody has to wonder.

use brownout_device::Prepared;
use brownout_diag::Finding;
use brownout_explore::Monitor;
use brownout_flow::Model;
use brownout_flow::sets::Cells;
use brownout_flow::summary::{Part, parts};
use brownout_scenario::{Place, Saved, Saves, SavesAt};
use brownout_verify::minimise::{Element, ElementKind, Minimised};

use super::counterexamples;
use crate::check::check;
use crate::options::{Effort, Options};

/// How many instructions of the program without an element are executed.
const INSTRUCTIONS: u64 = 50_000;

/// What goes wrong if all checkpoints save what was found, but one of them not one of its elements; nothing if that
/// was not seen in a short time, or if configuration has no name for what is saved.
pub fn without(
    prepared: &Prepared,
    model: &Model<'_>,
    found: &[Minimised],
    (checkpoint, element): (usize, usize),
    monitor: &dyn Monitor,
) -> Option<Finding> {
    let saves = found.iter().enumerate().map(|(index, minimised)| {
        let left_out = Some(element).filter(|_| index == checkpoint);
        saves_at(model, minimised, left_out)
    });
    let changed = prepared.saving_only(saves.collect::<Option<_>>()?).ok()?;
    harm(changed, monitor)
}

/// What goes wrong whatever checkpoints save: if they save all there is; nothing if that was not seen in a short time.
pub fn despite_everything(prepared: &Prepared, monitor: &dyn Monitor) -> Option<Finding> {
    let mut changed = prepared.saving_only(Vec::new()).ok()?;
    changed.scenario.power.saves = Saves::Everything;
    harm(changed, monitor)
}

/// What power failures are seen to do to a program in a short time.
fn harm(prepared: Prepared, monitor: &dyn Monitor) -> Option<Finding> {
    let options = Options {
        max_instructions: INSTRUCTIONS,
        effort: Effort::Slight,
        ..Options::default()
    };
    let outcome = check(prepared, &options, monitor).ok()?;
    let harm = counterexamples(outcome.checked.findings.iter());
    harm.into_iter().next()
}

/// What a checkpoint saves, but for one element, as configuration says it.
fn saves_at(model: &Model<'_>, minimised: &Minimised, left_out: Option<usize>) -> Option<SavesAt> {
    let place = model.source_place(minimised.site)?;
    let (mut saved, mut volatile) = (Vec::new(), Vec::new());
    for (index, element) in minimised.saved.iter().enumerate() {
        if Some(index) == left_out {
            continue;
        }
        match element.kind {
            ElementKind::Nonvolatile => saved.extend(named(model, element)?),
            ElementKind::Volatile if !element.name.contains("::") => {
                let names = named(model, element)?.into_iter();
                volatile.extend(names.map(|part| part.symbol + &part.path));
            }
            ElementKind::Volatile | ElementKind::Register(..) => {
                volatile.push(element.name.clone())
            }
        }
    }
    Some(SavesAt {
        at: format!("{}:{}", place.file, place.line),
        saved,
        volatile: minimised.volatile.is_none().then_some(volatile),
        // Nobody has said it: whoever gets an error drops it.
        place: Place::Setting {
            number: 0,
            column: 1,
        },
    })
}

/// The parts of an element, as configuration names them.
fn named(model: &Model<'_>, element: &Element) -> Option<Vec<Saved>> {
    let mut cells = Cells::with_capacity(model.accesses.cells.len());
    cells.extend(element.cells.iter().map(|cell| *cell as usize));
    let part = |Part { name, symbol, .. }: Part| {
        let path = name.find(['.', '[']).map_or("", |at| &name[at..]);
        let symbol = symbol.filter(|_| !path.contains(".."))?;
        Some(Saved {
            symbol,
            path: path.to_owned(),
        })
    };
    parts(model, &cells).into_iter().map(part).collect()
}
