//! The run as a picture: how long each region is against the execution depth, where failures that
//! confirm findings strike, and where the places of the others are.

use std::fmt::Write as _;

use brownout_diag::{ReplayId, ResumePoint, Severity};

use super::grouped;
use super::markup::escape;
use crate::document::{Document, Overview};

const WIDTH: f64 = 1000.0;
const HEIGHT: f64 = 150.0;
/// More bars than this are drawn as columns.
const COLUMNS: usize = 240;
/// Marks that are closer than this, in percent of the width, are put above each other.
const NEAR: f64 = 3.0;
/// Regions that are listed.
const LISTED: usize = 5;

/// The picture and its figures; findings of the document are numbered from `first`.
pub(super) fn section(document: &Document<'_>, first: usize) -> String {
    let overview = &document.overview;
    // Boots are told with their findings: they are many executions.
    let has_boots = document.entries.iter().any(|entry| !entry.boots.is_empty());
    if overview.instructions == 0 || has_boots {
        return String::new();
    }
    let regions = regions(overview);
    let longest = regions
        .iter()
        .map(|(start, end)| end - start)
        .max()
        .unwrap_or(0);
    let scale = longest.max(overview.depth.unwrap_or(0)).max(1) as f64;
    let x = |time: u64| time as f64 / overview.instructions.max(1) as f64 * WIDTH;
    let y = |length: u64| HEIGHT * (1.0 - length as f64 / scale);
    let description = describe(overview, &regions, longest);
    let mut svg = format!(
        "<svg viewBox=\"0 0 {WIDTH} {}\" preserveAspectRatio=\"none\" role=\"img\" aria-label=\"{}\">",
        HEIGHT + 1.0,
        escape(&description)
    );
    for (start, end, length) in bars(&regions, overview.instructions) {
        let _ = write!(
            svg,
            "<rect class=\"bar\" x=\"{:.1}\" y=\"{:.1}\" width=\"{:.1}\" height=\"{:.1}\"><title>{} instructions</title></rect>",
            x(start),
            y(length),
            (x(end) - x(start) - 1.0).max(1.0),
            (HEIGHT - y(length)).max(1.0),
            grouped(length)
        );
    }
    let base = HEIGHT;
    let _ = write!(
        svg,
        "<line class=\"axis\" x1=\"0\" x2=\"{WIDTH}\" y1=\"{base}\" y2=\"{base}\"/>"
    );
    let mut legend = String::new();
    if let Some(depth) = overview.depth {
        let at = y(depth);
        let _ = write!(
            svg,
            "<line class=\"depth\" x1=\"0\" x2=\"{WIDTH}\" y1=\"{at:.1}\" y2=\"{at:.1}\"/>"
        );
        legend = format!(
            "<span><span class=\"dash\"></span> execution depth {}</span>",
            grouped(depth)
        );
    }
    svg += "</svg>";
    let legend = format!(
        "<p class=\"ends soft\"><span>start</span>{legend}<span>{} instructions</span></p>",
        grouped(overview.instructions)
    );
    format!(
        "<h2>The run</h2><section class=\"card overview\" aria-label=\"overview of the run\">{}{svg}{legend}<p class=\"soft\">{}</p>{}</section>",
        pins(document, first),
        escape(&description),
        table(&regions, overview)
    )
}

/// A mark for each finding that has a time, above the picture: it is stretched, they are not.
fn pins(document: &Document<'_>, first: usize) -> String {
    let overview = &document.overview;
    let mut pins = String::new();
    let mut placed: Vec<f64> = Vec::new();
    let mut highest = 0;
    for (number, entry) in (first..).zip(&document.entries) {
        let finding = entry.finding;
        let failure = finding.failure();
        let failure = failure.and_then(|id| time(overview, id));
        let Some(time) = failure.or(entry.first_executed) else {
            continue;
        };
        let severity = match finding.severity {
            Severity::Error | Severity::Warning => "",
            Severity::Note => " note",
        };
        let kind = if failure.is_some() { "" } else { " place" };
        let left = time as f64 * 100.0 / overview.instructions.max(1) as f64;
        // What would lie upon another one is put above it.
        let near = |other: &&f64| (left - **other).abs() < NEAR;
        let level = placed.iter().filter(near).count();
        placed.push(left);
        highest = highest.max(level);
        let _ = write!(
            pins,
            "<a class=\"pin{severity}{kind}\" style=\"left:{left:.2}%;bottom:{level}em\" href=\"#finding-{number}\" \
             aria-label=\"finding {number}: {0}\" title=\"{0}\"></a>",
            escape(&finding.message)
        );
    }
    match pins.is_empty() {
        true => String::new(),
        false => format!(
            "<div class=\"pins\" style=\"height:{:.1}em\">{pins}</div>",
            highest as f64 + 1.5
        ),
    }
}

/// The stretches between commits.
fn regions(overview: &Overview) -> Vec<(u64, u64)> {
    let mut edges = vec![0];
    edges.extend(overview.commits.iter().copied());
    edges.push(overview.instructions);
    let pairs = edges.windows(2).map(|pair| (pair[0], pair[1].max(pair[0])));
    pairs.filter(|(start, end)| end > start).collect()
}

fn describe(overview: &Overview, regions: &[(u64, u64)], longest: u64) -> String {
    let mut text = match regions.len() {
        0 | 1 => "One stretch without a checkpoint".to_owned(),
        count => format!(
            "{} regions between checkpoints, the longest of {} instructions",
            grouped(count as u64),
            grouped(longest)
        ),
    };
    if let Some(depth) = overview.depth {
        let over = regions
            .iter()
            .filter(|(start, end)| end - start > depth)
            .count();
        let _ = write!(
            text,
            "; {} longer than the execution depth of {}",
            match over {
                0 => "none is".to_owned(),
                1 => "one is".to_owned(),
                over => format!("{} are", grouped(over as u64)),
            },
            grouped(depth)
        );
    }
    text + ". Triangles are power failures that confirm a finding; circles, where the place of another one is first executed."
}

/// Bars to draw: from, to, length of the longest region there.
fn bars(regions: &[(u64, u64)], instructions: u64) -> Vec<(u64, u64, u64)> {
    if regions.len() <= COLUMNS {
        let bar = |&(start, end): &(u64, u64)| (start, end, end - start);
        return regions.iter().map(bar).collect();
    }
    let width = instructions.div_ceil(COLUMNS as u64).max(1);
    let mut columns = vec![0; COLUMNS];
    for &(start, end) in regions {
        for column in start / width..=(end - 1) / width {
            if let Some(longest) = columns.get_mut(column as usize) {
                *longest = (end - start).max(*longest);
            }
        }
    }
    (0..)
        .zip(columns)
        .map(|(column, longest)| (column * width, (column + 1) * width, longest))
        .collect()
}

/// When a failure strikes.
fn time(overview: &Overview, id: &ReplayId) -> Option<u64> {
    let resume = match id.resume {
        ResumePoint::Commit(0) => 0,
        ResumePoint::Commit(number) => *overview.commits.get(usize::try_from(number - 1).ok()?)?,
        ResumePoint::Instruction(time) => time,
    };
    Some(resume.saturating_add(id.distance))
}

fn table(regions: &[(u64, u64)], overview: &Overview) -> String {
    if regions.len() < 2 {
        return String::new();
    }
    let mut longest: Vec<(usize, u64)> = regions
        .iter()
        .enumerate()
        .map(|(number, (start, end))| (number, end - start))
        .collect();
    longest.sort_by_key(|&(number, length)| (std::cmp::Reverse(length), number));
    let rows: String = longest
        .iter()
        .take(LISTED)
        .map(|&(number, length)| {
            let share = match overview.depth {
                Some(depth) if depth > 0 => {
                    format!("<td>{:.0} %</td>", length as f64 * 100.0 / depth as f64)
                }
                _ => String::new(),
            };
            let name = match number {
                0 => "start of the program".to_owned(),
                number => format!("checkpoint {number}"),
            };
            format!(
                "<tr><td>{name}</td><td>{}</td>{share}</tr>",
                grouped(length)
            )
        })
        .collect();
    let share = match overview.depth {
        Some(_) => "<th scope=\"col\">of the execution depth</th>",
        None => "",
    };
    format!(
        "<details><summary>Longest regions</summary><table><thead><tr><th scope=\"col\">from</th>\
         <th scope=\"col\">instructions</th>{share}</tr></thead><tbody>{rows}</tbody></table></details>"
    )
}
