//! Compiles the guest's C library to bitcode for every target, and links libLLVM.

use std::path::{Path, PathBuf};
use std::process::{Command, exit};

// A build script has no dependencies for the sake of one table.
#[allow(dead_code, unreachable_pub, reason = "only the table is needed")]
#[path = "../ir/src/targets.rs"]
mod targets;

fn main() {
    // The exact name: then the one package `clang-22` is all that is needed, without llvm-dev.
    println!("cargo:rustc-link-lib=dylib:+verbatim=libLLVM.so.22.1");
    println!("cargo:rerun-if-changed=runtime");
    println!("cargo:rerun-if-changed=../ir/src/targets.rs");
    println!("cargo:rerun-if-env-changed=BROWNOUT_CLANG");
    let clang = std::env::var("BROWNOUT_CLANG").unwrap_or_else(|_| "clang-22".to_owned());
    let out = PathBuf::from(std::env::var_os("OUT_DIR").unwrap_or_default());
    let mut sources: Vec<PathBuf> = list(Path::new("runtime/src"), "c");
    sources.sort();
    let mut table = String::from("pub(crate) const LIBRARIES: &[Library] = &[\n");
    for targets::KnownTarget { name, triple, .. } in targets::TARGETS {
        table.push_str(&format!("    ({name:?}, &[\n"));
        for source in &sources {
            let stem = source
                .file_stem()
                .unwrap_or_default()
                .to_string_lossy()
                .into_owned();
            let object = out.join(format!("{name}-{stem}.bc"));
            compile(&clang, triple, source, &object);
            table.push_str(&format!(
                "        ({stem:?}, include_bytes!({:?})),\n",
                object.display().to_string()
            ));
        }
        table.push_str("    ]),\n");
    }
    table.push_str("];\n\npub(crate) const HEADERS: &[(&str, &str, &str)] = &[\n");
    for folder in ["include", "include-c++", "include-brownout"] {
        let mut headers = Vec::new();
        walk(&Path::new("runtime").join(folder), &mut headers);
        headers.sort();
        for header in headers {
            let full = std::env::current_dir().unwrap_or_default().join(&header);
            let name = header
                .strip_prefix(Path::new("runtime").join(folder))
                .unwrap_or(&header)
                .display()
                .to_string();
            table.push_str(&format!(
                "    ({folder:?}, {name:?}, include_str!({:?})),\n",
                full.display().to_string()
            ));
        }
    }
    table.push_str("];\n");
    write(&out.join("library.rs"), &table);
}

fn compile(clang: &str, triple: &str, source: &Path, object: &Path) {
    let status = Command::new(clang)
        .arg(format!("--target={triple}"))
        .args([
            "-std=gnu11",
            "-ffreestanding",
            "-nostdlibinc",
            "-O1",
            "-fno-builtin",
            "-fno-vectorize",
        ])
        .args([
            "-fno-slp-vectorize",
            "-gline-tables-only",
            "-w",
            "-isystem",
            "runtime/include",
        ])
        .args([
            "-fdebug-prefix-map=runtime/src=<library>",
            "-fdebug-compilation-dir=.",
        ])
        .args(["-emit-llvm", "-c", "-o"])
        .arg(object)
        .arg(source)
        .status();
    match status {
        Ok(status) if status.success() => {}
        Ok(_) => fail(&format!(
            "{clang} could not compile {} for {triple}",
            source.display()
        )),
        Err(error) => fail(&format!(
            "{clang} could not be started ({error}); `make setup` installs it"
        )),
    }
}

fn list(folder: &Path, extension: &str) -> Vec<PathBuf> {
    let mut all = Vec::new();
    walk(folder, &mut all);
    all.retain(|path| path.extension().is_some_and(|found| found == extension));
    all
}

fn walk(folder: &Path, all: &mut Vec<PathBuf>) {
    let Ok(entries) = std::fs::read_dir(folder) else {
        return;
    };
    for entry in entries.flatten() {
        let path = entry.path();
        if path.is_dir() {
            walk(&path, all)
        } else {
            all.push(path)
        }
    }
}

fn write(path: &Path, text: &str) {
    if let Err(error) = std::fs::write(path, text) {
        fail(&format!("cannot write {}: {error}", path.display()));
    }
}

fn fail(message: &str) -> ! {
    println!("cargo:warning={message}");
    exit(1);
}
