//! The headers that come with the tool, put where clang can read them.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// The folder that holds `include` and `include-brownout`. It is written once
/// for every version of the headers and shared by all runs.
pub(crate) fn folder() -> io::Result<PathBuf> {
    let version = brownout_llvm::HEADERS_VERSION;
    let folder = cache().join(format!("headers-{version:016x}"));
    if folder.is_dir() {
        return Ok(folder);
    }
    // Written aside and renamed, so that nobody ever sees half of it.
    let draft = folder.with_extension(format!("draft-{}", std::process::id()));
    write(&draft)?;
    match fs::rename(&draft, &folder) {
        Ok(()) => {}
        // Somebody else was faster.
        Err(_) if folder.is_dir() => fs::remove_dir_all(&draft)?,
        Err(error) => return Err(error),
    }
    Ok(folder)
}

fn cache() -> PathBuf {
    let home = |variable: &str| {
        std::env::var_os(variable)
            .map(PathBuf::from)
            .filter(|path| path.is_absolute())
    };
    let base = home("XDG_CACHE_HOME").or_else(|| home("HOME").map(|home| home.join(".cache")));
    match base {
        Some(base) if fs::create_dir_all(base.join("brownout")).is_ok() => base.join("brownout"),
        // No home: a folder of this user alone.
        _ => std::env::temp_dir().join(format!("brownout-{}", std::process::id())),
    }
}

fn write(folder: &Path) -> io::Result<()> {
    for header in brownout_llvm::headers() {
        let path = folder.join(header.folder).join(header.path);
        if let Some(parent) = path.parent() {
            fs::create_dir_all(parent)?;
        }
        fs::write(path, header.text)?;
    }
    // glibc's headers ask for this file on i386; without the 32-bit library it is missing, and it is empty anyway.
    let stubs = folder.join("include-i386").join("gnu");
    fs::create_dir_all(&stubs)?;
    fs::write(stubs.join("stubs-32.h"), "/* nothing is left out */\n")
}
