//! Compiling C with clang.

use std::path::Path;
use std::process::{Command, Stdio};

use brownout_ir::TARGETS;

use crate::error::Error;
use crate::headers;

/// The compiler to use.
fn command() -> String {
    std::env::var("BROWNOUT_CLANG").unwrap_or_else(|_| "clang-22".to_owned())
}

/// The triple of one of our targets; other names are taken as triples.
fn triple(target: &str) -> &str {
    let known = TARGETS.iter().find(|known| known.name == target);
    known.map_or(target, |known| known.triple)
}

/// How a target's C environment is found.
fn environment(target: &str, headers: &Path) -> Vec<String> {
    let isystem = |folder: &str| {
        [
            "-isystem".to_owned(),
            headers.join(folder).display().to_string(),
        ]
    };
    let mut arguments = isystem("include-brownout").to_vec();
    if target.starts_with("x86_64") {
        return arguments;
    }
    if target.starts_with('i') && target.contains("86") {
        for folder in [
            "/usr/include/x86_64-linux-gnu".to_owned(),
            headers.join("include-i386").display().to_string(),
        ] {
            arguments.extend(["-idirafter".to_owned(), folder]);
        }
        return arguments;
    }
    arguments.extend(isystem("include"));
    arguments.extend(["-ffreestanding", "-nostdlibinc"].map(str::to_owned));
    if target.starts_with("thumb") || target.starts_with("arm") {
        arguments.push("-mfloat-abi=soft".to_owned());
    }
    arguments
}

/// The flags among these that the compiler refuses.
pub(crate) fn unknown_flags<'f>(
    target: &str,
    flags: impl Iterator<Item = &'f String>,
) -> Result<Vec<String>, Error> {
    // Paths and definitions are never refused.
    let doubtful: Vec<&String> = flags.filter(|flag| flag.starts_with("-f")).collect();
    if doubtful.is_empty() {
        return Ok(Vec::new());
    }
    let command = command();
    let output = Command::new(&command)
        .arg(format!("--target={}", triple(target)))
        .args(["-fno-color-diagnostics", "-fsyntax-only", "-x", "c", "-"])
        .args(&doubtful)
        .stdin(Stdio::null())
        .output()
        .map_err(|error| Error::NoClang { command, error })?;
    let said = String::from_utf8_lossy(&output.stderr);
    let refused = said.lines().filter(|line| line.contains("error: un"));
    Ok(doubtful
        .into_iter()
        .filter(|flag| {
            refused
                .clone()
                .any(|line| line.contains(&format!("'{flag}'")))
        })
        .cloned()
        .collect())
}

/// Compiles one C file to bitcode. What clang has to say goes to stderr.
pub(crate) fn compile(path: &Path, target: &str, extra: &[String]) -> Result<Vec<u8>, Error> {
    let folder = headers::folder().map_err(|error| Error::File {
        path: "the cache of headers".into(),
        error,
    })?;
    let command = command();
    let output = Command::new(&command)
        .arg(format!("--target={}", triple(target)))
        .args(environment(target, &folder))
        // Vector code would be taken apart again; scalar code is faster and keeps its variables.
        .args([
            "-D__BROWNOUT__",
            "-g",
            "-O0",
            "-fno-vectorize",
            "-fno-slp-vectorize",
            "-fno-color-diagnostics",
            // Those of other compilers that matter are understood, see `persistent`.
            "-Wno-unknown-attributes",
            "-Wno-unknown-pragmas",
        ])
        .args(["-Qunused-arguments", "-fno-math-errno", "-emit-llvm", "-c"])
        .args(extra)
        .args(["-o", "-"])
        .arg(path)
        .stdin(Stdio::null())
        .stderr(Stdio::inherit())
        .output()
        .map_err(|error| Error::NoClang { command, error })?;
    if output.status.success() {
        Ok(output.stdout)
    } else {
        Err(Error::Clang {
            path: path.to_owned(),
        })
    }
}
