//! Places in sources, as users write and read them.

use std::path::Path;

use brownout_ir::source::{Place, SourceMap};

/// Whether `file:line` means a line; folders can be left out.
pub fn is_at(at: &str, file: &str, line: u32) -> bool {
    at.rsplit_once(':')
        .is_some_and(|(name, number)| number == line.to_string() && Path::new(file).ends_with(name))
}

/// `file:line:column`.
pub fn describe(source: &SourceMap, place: Place) -> String {
    let Some(data) = source.places.get(place) else {
        return "unknown place".to_owned();
    };
    let file = source.files.get(data.file).map_or("?", String::as_str);
    match data.column {
        0 => format!("{file}:{}", data.line),
        column => format!("{file}:{}:{column}", data.line),
    }
}
