//! The boots of a finding: their last operations, and the blocks of flash parts before and after each
//! as pictures.
//!
//! A row is a block, a cell a stretch of its bytes: erased, as it was before the boot, or changed.
//! Blocks that are erased and stay so are left out. The picture is complete without scripting.

use std::fmt::Write;

use super::markup::{code, escape};
use crate::document::{Boot, BootStep, FlashContents};
use crate::words;

/// Cells of a row.
const CELLS: usize = 64;

/// Rows of a part, at most.
const ROWS: usize = 64;

/// Pixels of a cell, and of the name of a block before it.
const WIDTH: usize = 6;
const HEIGHT: usize = 10;
const LABEL: usize = 52;

/// What a block holds after a boot, and what it held before.
type Block<'b> = (&'b [u8], &'b [u8]);

/// What a cell shows.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Cell {
    Erased,
    Same,
    Changed,
    /// Changed to what an erased byte holds.
    Cleared,
}

impl Cell {
    const fn class(self) -> &'static str {
        match self {
            Self::Erased => "erased",
            Self::Same => "same",
            Self::Changed => "changed",
            Self::Cleared => "cleared",
        }
    }
}

/// All boots of a finding, one after the other.
pub(super) fn boots(boots: &[Boot]) -> String {
    if boots.is_empty() {
        return String::new();
    }
    let mut text = "<h4>Boot by boot</h4><div class=\"flash\">".to_owned();
    for boot in boots {
        let _ = write!(
            text,
            "<figure><figcaption>{}</figcaption>",
            code(&boot.title)
        );
        text += &operations(boot);
        for part in &boot.parts {
            text += &pictures(part);
        }
        text += "</figure>";
    }
    if boots.iter().any(|boot| !boot.parts.is_empty()) {
        text += "<p class=\"legend\"><span class=\"key erased\">erased</span> <span class=\"key same\">as before the boot</span> <span class=\"key changed\">programmed in this boot</span> <span class=\"key cleared\">erased in this boot</span></p>";
    }
    text + "</div>"
}

/// The last operations of a boot and its end, with the calls that led to each.
fn operations(boot: &Boot) -> String {
    let row = |class: &str, step: &BootStep| {
        let way = step.place.as_ref().map_or_else(String::new, words::way);
        format!(
            "<tr{class}><td>{}</td><td class=\"mono\">{}</td></tr>",
            code(&step.text),
            escape(&way)
        )
    };
    let mut rows = match boot.skipped {
        0 => String::new(),
        skipped => format!(
            "<tr><td class=\"soft\" colspan=\"2\">{} before</td></tr>",
            brownout_diag::plural(skipped, "operation")
        ),
    };
    rows.extend(boot.operations.iter().map(|step| row("", step)));
    rows += &row(" class=\"failure\"", &boot.end);
    format!(
        "<div class=\"scroll\"><table><thead><tr><th scope=\"col\">operation</th><th scope=\"col\">calls</th></tr></thead><tbody>{rows}</tbody></table></div>"
    )
}

/// A part before and after a boot, side by side.
fn pictures(part: &FlashContents) -> String {
    let block = (part.block as usize).max(1);
    let blocks = part.after.chunks(block).zip(part.before.chunks(block));
    let is_shown = |(after, before): &Block<'_>| {
        let is_blank = |bytes: &[u8]| bytes.iter().all(|&byte| byte == part.erased);
        !(is_blank(after) && is_blank(before))
    };
    let shown: Vec<(usize, Block<'_>)> = blocks
        .enumerate()
        .filter(|(_, block)| is_shown(block))
        .collect();
    let count = part.after.len().div_ceil(block);
    let rows = &shown[..shown.len().min(ROWS)];
    let hidden = count - rows.len();
    let note = match (hidden, shown.len() > ROWS) {
        (0, _) => String::new(),
        (hidden, false) => {
            format!("<p class=\"soft\">{hidden} of {count} blocks are erased and stay so</p>")
        }
        (hidden, true) => format!("<p class=\"soft\">{hidden} of {count} blocks are not shown</p>"),
    };
    if rows.is_empty() {
        return note;
    }
    let name = escape(&part.name);
    let before = rows
        .iter()
        .map(|(number, (_, before))| (*number, (*before, *before)));
    let after = rows.iter().copied();
    format!(
        "<div class=\"both\">{}{}</div>{note}",
        picture(&format!("{name} before the boot"), part.erased, before),
        picture(&format!("{name} after it"), part.erased, after),
    )
}

fn picture<'b>(
    title: &str,
    erased: u8,
    blocks: impl ExactSizeIterator<Item = (usize, Block<'b>)>,
) -> String {
    let height = blocks.len() * (HEIGHT + 4);
    let width = LABEL + CELLS * WIDTH;
    let rows = blocks.enumerate();
    let rows: String = rows
        .map(|(row, (number, block))| line(row, number, block, erased))
        .collect();
    format!(
        "<div><p class=\"mono\">{title}</p><svg role=\"img\" aria-label=\"blocks of {title}\" width=\"{width}\" height=\"{height}\" viewBox=\"0 0 {width} {height}\">{rows}</svg></div>"
    )
}

/// One block: runs of equal cells.
fn line(row: usize, number: usize, (after, before): Block<'_>, erased: u8) -> String {
    let count = CELLS.min(after.len());
    let cells: Vec<Cell> = (0..count)
        .map(|cell| {
            let range = cell * after.len() / count..(cell + 1) * after.len() / count;
            let (after, before) = (&after[range.clone()], before.get(range).unwrap_or_default());
            let is_erased = after.iter().all(|&byte| byte == erased);
            match (is_erased, after == before) {
                (true, true) => Cell::Erased,
                (true, false) => Cell::Cleared,
                (false, true) => Cell::Same,
                (false, false) => Cell::Changed,
            }
        })
        .collect();
    let top = row * (HEIGHT + 4);
    let mut text = format!(
        "<text x=\"0\" y=\"{}\" class=\"label\">block {number}</text>",
        top + HEIGHT
    );
    let wide = CELLS * WIDTH / cells.len().max(1);
    let mut start = 0;
    while start < cells.len() {
        let same = cells[start..]
            .iter()
            .take_while(|&&cell| cell == cells[start]);
        let length = same.count();
        let _ = write!(
            text,
            "<rect class=\"{}\" x=\"{}\" y=\"{top}\" width=\"{}\" height=\"{HEIGHT}\"/>",
            cells[start].class(),
            LABEL + start * wide,
            length * wide,
        );
        start += length;
    }
    text
}

#[cfg(test)]
mod tests {
    use super::boots;
    use crate::document::{Boot, BootStep, FlashContents};
    use brownout_diag::SourcePlace;

    #[test]
    fn cells_show_what_a_boot_changed() {
        let mut after = vec![0xff; 32];
        after[0] = 1;
        after[8..16].fill(2);
        let mut before = vec![0xff; 32];
        before[0] = 1;
        before[16..24].fill(3);
        let part = FlashContents {
            name: "<flash>".to_owned(),
            block: 8,
            erased: 0xff,
            before,
            after,
        };
        let step = |text: &str| BootStep {
            text: text.to_owned(),
            place: Some(SourcePlace {
                file: "store.c".to_owned(),
                line: 7,
                stack: vec!["main".to_owned(), "put".to_owned()],
                ..SourcePlace::default()
            }),
        };
        let text = boots(&[Boot {
            title: "boot 1".to_owned(),
            skipped: 3,
            operations: vec![step("program `<flash>+0x8`, 8 bytes")],
            end: step("power fails"),
            parts: vec![part],
        }]);
        assert!(text.contains("3 operations before"), "{text}");
        assert!(text.contains("main &gt; put (store.c:7)"), "{text}");
        assert!(text.contains("before the boot</p>"), "{text}");
        assert!(text.contains("&lt;flash&gt;"), "{text}");
        for class in ["erased", "same", "changed", "cleared"] {
            assert!(text.contains(&format!("<rect class=\"{class}\"")), "{text}");
        }
        assert!(
            text.contains("block 2</text>") && !text.contains("block 3</text>"),
            "{text}"
        );
        assert!(
            text.contains("1 of 4 blocks are erased and stay so"),
            "{text}"
        );
    }
}
