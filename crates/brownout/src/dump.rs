//! `brownout dump`: what the tool sees.

use std::process::ExitCode;

use brownout_diag::plural;
use brownout_flow::dump::{Notation, What};
use brownout_flow::summary::Summary;
use brownout_flow::{Model, Restart};

use crate::cli::{Dump, DumpOptions};
use crate::console;
use crate::error::Error;
use crate::fix;
use crate::load;
use crate::memory;
use crate::ready;

pub(crate) fn dump(options: &DumpOptions) -> Result<ExitCode, Error> {
    let text = match options.what {
        Dump::Ir => {
            let (linked, _) = load::load(&options.program)?;
            let program = linked.program;
            match &options.function {
                None => program.to_string(),
                Some(name) => {
                    let Some(func) = program.function(name) else {
                        return Err(Error::NoFunction { name: name.clone() });
                    };
                    brownout_ir::print_function(&program, func)
                }
            }
        }
        Dump::Memory => memory::text(&ready::ready(&options.program)?),
        Dump::Regions => {
            let (_, summaries) = fix::summaries(&options.program, options.restart_at)?;
            summaries.iter().map(region).collect()
        }
        Dump::FlowGraph => flow(options, What::Graph)?,
        Dump::FlowPointsTo => flow(options, What::PointsTo)?,
        Dump::FlowSince => flow(options, What::Since)?,
        Dump::FlowUntil => flow(options, What::Until)?,
        Dump::FlowTaint => flow(options, What::Taint)?,
    };
    console::result(options.output.as_deref(), |out| {
        out.write_all(text.as_bytes())
    })?;
    Ok(ExitCode::SUCCESS)
}

/// What an analysis knows at every point.
fn flow(options: &DumpOptions, what: What) -> Result<String, Error> {
    let prepared = ready::prepare(&options.program, brownout_device::Entry::Optional)?;
    let setting = brownout_device::setting(&prepared, options.restart_at.map(Restart::from));
    let model = Model::new(&prepared.program, &setting)?;
    let notation = if options.graphviz {
        Notation::Graphviz
    } else {
        Notation::Text
    };
    let regions = brownout_flow::regions(&model)?;
    let text = brownout_flow::dump::dump(&model, &regions, what, notation)?;
    Ok(text)
}

/// One region, a set in each line.
fn region(summary: &Summary) -> String {
    let mut text = match &summary.place {
        Some(place) => format!("{} at {place}\n", summary.what),
        None => format!("{}\n", summary.what),
    };
    let lines = [
        ("saves", &summary.declared),
        ("needs: read, then overwritten", &summary.war),
        ("needs: inputs decide", &summary.inputs),
        ("if inputs decided every branch", &summary.any_branch),
        ("missing", &summary.missing),
        ("superfluous", &summary.superfluous),
    ];
    for (label, parts) in lines {
        let names: Vec<&str> = parts.iter().map(|part| part.name.as_str()).collect();
        let bytes: u64 = parts.iter().map(|part| part.bytes).sum();
        let what = match names.len() {
            0 => "nothing".to_owned(),
            _ => format!("{} ({})", names.join(", "), plural(bytes, "byte")),
        };
        text += &format!("  {label:<31} {what}\n");
    }
    text + "\n"
}
