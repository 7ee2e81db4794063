//! What an analysis knows at every node, as text or for Graphviz.

use std::fmt::Write;

use brownout_ir::{Id, Operand};

use crate::model::Model;
use crate::patience::Stopped;
use crate::regions::Region;
use crate::sets::{Cells, since, until};
use crate::supergraph::END;

/// What to show.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum What {
    /// The flow of control alone.
    Graph,
    /// Where the addresses of accesses point.
    PointsTo,
    /// What has been overwritten since the start, and what was read before.
    Since,
    /// What is overwritten until the end.
    Until,
    /// What depends on inputs.
    Taint,
}

/// How to show it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Notation {
    /// One paragraph per node.
    Text,
    /// A graph for `dot`.
    Graphviz,
}

/// Shows an analysis. Those that have a start are shown for each region.
///
/// # Errors
/// If it is not wanted any more.
pub fn dump(
    model: &Model<'_>,
    regions: &[Region],
    what: What,
    notation: Notation,
) -> Result<String, Stopped> {
    let mut text = String::new();
    match what {
        What::Graph => show(model, "flow", notation, &mut text, |_| vec![]),
        What::PointsTo => show(model, "points-to", notation, &mut text, |node| {
            addresses(model, node)
        }),
        What::Until => {
            let results = until(model)?;
            show(model, "until the end", notation, &mut text, |node| {
                let state = results.entering(node);
                state.map_or_else(Vec::new, |until| line("writes", model, &until.0))
            });
        }
        What::Since => {
            for region in regions {
                let results = since(model, region.start.node)?;
                let title = model.title(region.start.reason);
                show(model, &title, notation, &mut text, |node| {
                    results.entering(node).map_or_else(
                        || vec!["not in this region".to_owned()],
                        |since| {
                            let mut lines = line("written", model, &since.written);
                            lines.extend(line("exposed", model, &since.exposed));
                            lines
                        },
                    )
                });
            }
        }
        What::Taint => {
            for region in regions {
                let title = model.title(region.start.reason);
                show(model, &title, notation, &mut text, |node| {
                    let cells = region.taint.cells(node);
                    let values = region.taint.values(node);
                    let names: Vec<String> = cells
                        .map(|cell| model.object(cell).name)
                        .chain(values.map(|number| value(model, node, number)))
                        .collect();
                    if names.is_empty() {
                        vec![]
                    } else {
                        vec![format!("tainted: {}", names.join(", "))]
                    }
                });
            }
        }
    }
    Ok(text)
}

/// A value by its name in the body of its function.
fn value(model: &Model<'_>, node: u32, number: u32) -> String {
    let instance = model.node(node).instance;
    let first = instance.map_or(0, |it| model.contexts.activation(it).first_value);
    format!("v{}", number.wrapping_sub(first))
}

fn line(label: &str, model: &Model<'_>, cells: &Cells) -> Vec<String> {
    let names: Vec<String> = cells
        .ones()
        .map(|cell| model.object(cell as u32).name)
        .collect();
    if names.is_empty() {
        vec![]
    } else {
        vec![format!("{label}: {}", names.join(", "))]
    }
}

/// Where the accesses of a node can point.
fn addresses(model: &Model<'_>, node: u32) -> Vec<String> {
    let mut lines = Vec::new();
    for (site, inst) in model.steps(node) {
        inst.op.visit_operands(&model.program.target, |operand, _| {
            if let Operand::Value(value) = operand {
                let targets = model.points_to.of(site.instance, operand).into_iter();
                let names: Vec<String> = targets
                    .map(|target| {
                        let name = model.name(target.object, target.start, target.start);
                        if target.is_exact() {
                            format!("{name}+{}", target.start)
                        } else {
                            format!("{name}[{}..{}]", target.start, target.end)
                        }
                    })
                    .collect();
                let line = format!("v{} -> {}", value.index(), names.join(", "));
                if !names.is_empty() && !lines.contains(&line) {
                    lines.push(line);
                }
            }
        });
    }
    lines
}

fn show(
    model: &Model<'_>,
    title: &str,
    notation: Notation,
    text: &mut String,
    known: impl Fn(u32) -> Vec<String>,
) {
    let graph = &model.flow.graph;
    if notation == Notation::Graphviz {
        let _ = writeln!(
            text,
            "digraph {title:?} {{\n  node [shape=box, fontname=monospace];"
        );
    } else {
        let _ = writeln!(text, "# {title}");
    }
    for node in 0..graph.len() as u32 {
        let label = if node == END {
            "end".to_owned()
        } else {
            model.label(node)
        };
        let lines = known(node);
        match notation {
            Notation::Text => {
                let next: Vec<String> = graph
                    .successors(node)
                    .iter()
                    .map(|to| format!("n{to}"))
                    .collect();
                let _ = writeln!(text, "n{node}: {label} -> {}", next.join(", "));
                for line in lines {
                    let _ = writeln!(text, "    {line}");
                }
            }
            Notation::Graphviz => {
                let all = [vec![label], lines].concat().join("\\l").replace('"', "'");
                let _ = writeln!(text, "  n{node} [label=\"{all}\\l\"];");
                for to in graph.successors(node) {
                    let _ = writeln!(text, "  n{node} -> n{to};");
                }
            }
        }
    }
    text.push_str(if notation == Notation::Graphviz {
        "}\n"
    } else {
        "\n"
    });
}
