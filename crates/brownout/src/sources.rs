//! The sources of a program, to show lines of them.

use brownout_ir::Program;
use brownout_report::Sources;

/// The texts of the source files that can still be read.
pub(crate) fn read(program: &Program) -> Sources {
    program
        .source
        .files
        .values()
        .filter_map(|name| Some((name.clone(), shown(&std::fs::read(name).ok()?))))
        .collect()
}

/// A source as it is shown. Compilers count bytes: what is no UTF-8, as in comments of old files, is one
/// question mark for each, so that columns stay what they are.
fn shown(bytes: &[u8]) -> String {
    let chunks = bytes.utf8_chunks();
    let texts =
        chunks.flat_map(|chunk| [chunk.valid().to_owned(), "?".repeat(chunk.invalid().len())]);
    texts.collect()
}
