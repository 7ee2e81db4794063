//! What dynamic taint saw, in words.

use brownout_confirm::Taint;
use brownout_confirm::taint::TaintedWrites;
use brownout_diag::{SourcePlace, plural};
use brownout_explore::Objects;
use brownout_vm::Image;
use serde_json::{Value, json};

/// How many loads are told.
const TOLD: usize = 10;

/// What was seen.
pub(super) struct Report {
    writes: TaintedWrites,
    hits: Vec<Hit>,
}

/// A load of what an attempt that failed has left behind.
struct Hit {
    object: String,
    load: Option<SourcePlace>,
    write: Option<SourcePlace>,
    /// What the input is called, and where it was read.
    input: Option<(String, Option<SourcePlace>)>,
    count: u64,
}

impl Report {
    pub(super) fn new(taint: &Taint<'_>, image: &Image) -> Self {
        let objects = Objects::new(image);
        let name = |input: u32| {
            let names = &image.bindings().input_names;
            names.get(input as usize).cloned().unwrap_or_default()
        };
        let hits = taint.hits().iter().map(|hit| Hit {
            object: objects.name(objects.scalar(hit.offset, None)),
            load: brownout_trace::place(image, hit.load),
            write: brownout_trace::place(image, hit.write),
            input: hit
                .input
                .map(|(pc, input)| (name(input), brownout_trace::place(image, pc))),
            count: hit.count,
        });
        Self {
            writes: taint.tainted_writes(),
            hits: hits.collect(),
        }
    }

    fn loads(&self) -> u64 {
        self.hits.iter().map(|hit| hit.count).sum()
    }

    pub(super) fn lines(&self) -> Vec<String> {
        let TaintedWrites {
            by_data,
            by_control,
        } = self.writes;
        let writes = match by_data + by_control {
            1 => "1 write depends".to_owned(),
            count => format!("{count} writes depend"),
        };
        let mut lines = vec![format!(
            "{writes} on inputs ({by_control} by control); {} of what an attempt that failed has left",
            plural(self.loads(), "read"),
        )];
        let at = |place: &Option<SourcePlace>| match place {
            Some(place) => format!("{}:{}", place.file, place.line),
            None => "the library".to_owned(),
        };
        for hit in self.hits.iter().take(TOLD) {
            let input = match &hit.input {
                Some((name, place)) => format!(" depending on `{name}` at {}", at(place)),
                None => String::new(),
            };
            lines.push(format!(
                "  {} reads `{}`, which {} has written{input} before a power failure",
                at(&hit.load),
                hit.object,
                at(&hit.write),
            ));
        }
        if self.hits.len() > TOLD {
            lines.push(format!("  … and {} more", self.hits.len() - TOLD));
        }
        lines
    }

    pub(super) fn json(&self) -> Value {
        let place = |place: &Option<SourcePlace>| place.as_ref().map(brownout_report::json_place);
        let hits = self.hits.iter().map(|hit| {
            json!({
                "object": hit.object,
                "load": place(&hit.load),
                "write": place(&hit.write),
                "input": hit.input.as_ref().map(|(name, _)| name),
                "read": hit.input.as_ref().and_then(|(_, read)| place(read)),
                "count": hit.count,
            })
        });
        json!({
            "writes": self.writes.by_data + self.writes.by_control,
            "by_data": self.writes.by_data,
            "by_control": self.writes.by_control,
            "loads": self.loads(),
            "hits": hits.collect::<Value>(),
        })
    }
}
