//! Linker scripts among the files and flags of the command line.

use std::path::{Path, PathBuf};

use crate::cli::ProgramOptions;

/// Whether a file is a linker script, by its name.
fn is_script(path: &Path) -> bool {
    let extension = path.extension().and_then(|extension| extension.to_str());
    extension.is_some_and(|extension| matches!(extension, "ld" | "lds" | "cmd"))
}

/// Takes linker scripts out of the files that are to be compiled, and finds those that flags name:
/// `-T app.ld`, `-Wl,-T,app.ld`, `-Wl,--script=app.ld`.
pub(crate) fn take_scripts(options: &mut ProgramOptions) -> Vec<PathBuf> {
    let given = options.inputs.iter().filter(|input| is_script(input));
    let mut scripts: Vec<PathBuf> = given.cloned().collect();
    options.inputs.retain(|input| !is_script(input));
    let words = options.clang.iter().flat_map(|flag| flag.split(','));
    let named = words.map(|word| {
        let name = word.strip_prefix("--script=").unwrap_or(word);
        Path::new(name.strip_prefix("-T").unwrap_or(name))
    });
    scripts.extend(named.filter(|path| is_script(path)).map(Path::to_owned));
    scripts
}
