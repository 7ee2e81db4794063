//! The blocks of flash parts before and after each boot, as a picture.
//!
//! A row is a block, a cell a stretch of its bytes: erased, as it was before the boot, or changed.
//! Blocks that are erased and stay so are left out. The picture is complete without scripting.

use std::fmt::Write;

use super::markup::escape;
use crate::document::{FlashBoot, FlashContents};

/// Cells of a row.
const CELLS: usize = 64;

/// Rows of a part, at most.
const ROWS: usize = 64;

/// Pixels of a cell.
const CELL: usize = 8;

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

/// All boots of a finding.
pub(super) fn boots(boots: &[FlashBoot]) -> String {
    if boots.iter().all(|boot| boot.parts.is_empty()) {
        return String::new();
    }
    let mut text = "<h4>Flash, boot by boot</h4><div class=\"flash\">".to_owned();
    for boot in boots {
        let _ = write!(
            text,
            "<figure><figcaption>{}</figcaption>",
            escape(&boot.title)
        );
        for part in &boot.parts {
            text += &picture(part);
        }
        text += "</figure>";
    }
    text += "<p class=\"legend\"><span class=\"key erased\">erased</span> <span class=\"key same\">as before the boot</span> <span class=\"key changed\">programmed in this boot</span> <span class=\"key cleared\">erased in this boot</span></p></div>";
    text
}

fn picture(part: &FlashContents) -> String {
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
    let rows: Vec<String> = shown
        .iter()
        .take(ROWS)
        .enumerate()
        .map(|(row, (number, (after, before)))| line(row, *number, after, before, part.erased))
        .collect();
    let hidden = count - rows.len();
    let note = match (hidden, shown.len() > ROWS) {
        (0, _) => String::new(),
        (hidden, false) => {
            format!("<p class=\"soft\">{hidden} of {count} blocks are erased and stay so</p>")
        }
        (hidden, true) => format!("<p class=\"soft\">{hidden} of {count} blocks are not shown</p>"),
    };
    let height = rows.len() * (CELL + 4);
    let width = 60 + CELLS * CELL;
    format!(
        "<p class=\"mono\">{}</p><svg role=\"img\" aria-label=\"blocks of {0}\" width=\"{width}\" height=\"{height}\" viewBox=\"0 0 {width} {height}\">{}</svg>{note}",
        escape(&part.name),
        rows.concat(),
    )
}

/// One block: runs of equal cells.
fn line(row: usize, number: usize, after: &[u8], before: &[u8], erased: u8) -> String {
    let cells: Vec<Cell> = (0..CELLS.min(after.len()))
        .map(|cell| {
            let count = CELLS.min(after.len());
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
    let top = row * (CELL + 4);
    let mut text = format!(
        "<text x=\"0\" y=\"{}\" class=\"label\">block {number}</text>",
        top + CELL
    );
    let wide = CELLS * CELL / cells.len().max(1);
    let mut start = 0;
    while start < cells.len() {
        let same = cells[start..]
            .iter()
            .take_while(|&&cell| cell == cells[start]);
        let length = same.count();
        let _ = write!(
            text,
            "<rect class=\"{}\" x=\"{}\" y=\"{top}\" width=\"{}\" height=\"{CELL}\"/>",
            cells[start].class(),
            60 + start * wide,
            length * wide,
        );
        start += length;
    }
    text
}

#[cfg(test)]
mod tests {
    use super::boots;
    use crate::document::{FlashBoot, FlashContents};

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
        let text = boots(&[FlashBoot {
            title: "boot 1".to_owned(),
            parts: vec![part],
        }]);
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
