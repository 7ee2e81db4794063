//! `brownout fix --minimise`: the least that checkpoints have to save, proved to be enough.

use std::fmt::Write as _;
use std::process::ExitCode;

use brownout_flow::Model;
use brownout_verify::minimise::{Baselines, Minimised, Minimum, minimise};
use brownout_verify::{Prover, Why};
use serde_json::{Value, json};

use crate::cli::{CheckFormat, FixOptions};
use crate::console;
use crate::error::Error;
use crate::prove;
use crate::ready;

pub(crate) fn run(options: &FixOptions) -> Result<ExitCode, Error> {
    let prepared = ready::prepare(&options.program, ready::Entry::Optional)?;
    if !options.program.quiet {
        console::note(&ready::assumptions(&prepared.scenario, &prepared.program));
    }
    let setting = prove::setting(&prepared);
    let model = Model::new(&prepared.program, &setting);
    let regions = brownout_flow::regions(&model);
    let question = prove::question(&prepared, &setting);
    let prover = Prover::new(&model, &question, &regions);
    let mut solver = prove::solver(options.solver.as_deref(), None);
    let minimum = minimise(&model, &prover, &regions, &mut *solver);
    let text = match (&minimum, options.format) {
        (Minimum::Found(found), CheckFormat::Json) => format!("{:#}\n", document(&model, found)),
        (Minimum::Found(found), _) => human(&model, found),
        (Minimum::Open(open), CheckFormat::Json) => {
            let reasons: Vec<String> = open
                .iter()
                .map(|open| prove::reason(&model, open))
                .collect();
            let document = json!({
                "format": 1, "verdict": "unknown", "reason": reasons.join("; "), "checkpoints": [],
            });
            format!("{document:#}\n")
        }
        (Minimum::Open(open), _) => {
            let reasons: Vec<String> = open
                .iter()
                .map(|open| prove::reason(&model, open))
                .collect();
            format!("unknown: {}\n", reasons.join("; "))
        }
    };
    console::result(options.output.as_deref(), |out| {
        out.write_all(text.as_bytes())
    })?;
    Ok(match minimum {
        Minimum::Found(_) => ExitCode::SUCCESS,
        Minimum::Open(_) => ExitCode::from(2),
    })
}

/// Bytes that a checkpoint has to save, registers and live locals included.
fn bytes(checkpoint: &Minimised) -> u64 {
    checkpoint.volatile
        + checkpoint
            .saved
            .iter()
            .map(|element| element.bytes)
            .sum::<u64>()
}

fn baselines(baselines: &Baselines) -> Value {
    json!({
        "everything": baselines.everything, "dino": baselines.dino, "emw": baselines.exclusive,
    })
}

fn document(model: &Model<'_>, found: &[Minimised]) -> Value {
    let mut sum = Baselines::default();
    let mut all = Vec::new();
    for checkpoint in found {
        sum.everything += checkpoint.baselines.everything;
        sum.dino += checkpoint.baselines.dino;
        sum.exclusive += checkpoint.baselines.exclusive;
        let saves: Vec<Value> = checkpoint
            .saved
            .iter()
            .map(|element| {
                let object = model.object(element.cell);
                let symbol = object
                    .name
                    .split(['.', '['])
                    .next()
                    .unwrap_or_default()
                    .to_owned();
                // Nothing was replayed: what is known is that the proof fails, and why.
                let reason = match &element.without {
                    Why::Shows => "not repeatable from some state".to_owned(),
                    Why::Limit(why) | Why::Unsupported(why) => why.clone(),
                    Why::NoSolver => "there is no solver".to_owned(),
                };
                json!({
                    "name": object.name, "object": symbol, "offset": object.offset,
                    "bytes": element.bytes, "nonvolatile": true, "needed": "unknown",
                    "reason": reason,
                })
            })
            .collect();
        let place = model.source_place(checkpoint.site);
        let place = place.as_ref();
        all.push(json!({
            "file": place.map(|place| &place.file),
            "line": place.map(|place| place.line),
            "function": place.map(|place| &place.function),
            "saves": saves,
            "volatile": checkpoint.volatile,
            "bytes": bytes(checkpoint),
            "of": checkpoint.baselines.everything,
            "baselines": baselines(&checkpoint.baselines),
        }));
    }
    json!({
        "format": 1, "verdict": "proved", "checkpoints": all,
        "bytes": found.iter().map(bytes).sum::<u64>(), "baselines": baselines(&sum),
    })
}

fn human(model: &Model<'_>, found: &[Minimised]) -> String {
    let mut text = String::new();
    for checkpoint in found {
        let place = model.source_place(checkpoint.site);
        let place = place.map_or_else(String::new, |place| {
            format!("{}:{}", place.file, place.line)
        });
        let names: Vec<String> = checkpoint
            .saved
            .iter()
            .map(|element| model.object(element.cell).name)
            .collect();
        let names = match names.is_empty() {
            true => "nothing".to_owned(),
            false => names.join(", "),
        };
        let _ = writeln!(
            text,
            "checkpoint {place}  saves {names}  {} of {} bytes (registers and live locals included)",
            bytes(checkpoint),
            checkpoint.baselines.everything,
        );
    }
    if text.is_empty() {
        text.push_str("no checkpoints\n");
    }
    text
}
