//! C programs, compiled by clang as the tool does it.

use std::path::Path;
use std::process::Command;

use brownout_ir::Program;
use brownout_llvm::{Loader, Trust};
use brownout_testkit::Scratch;

thread_local! {
    /// The headers that come with the tool, as files: many, so they are written once.
    static HEADERS: Scratch = {
        let scratch = Scratch::new(&std::env::temp_dir()).expect("a folder");
        for header in brownout_llvm::headers() {
            let file = scratch.path().join(header.folder).join(header.path);
            std::fs::create_dir_all(file.parent().expect("a folder")).expect("a folder");
            std::fs::write(file, header.text).expect("a file");
        }
        scratch
    };
}

/// The program in a file, for msp430.
pub(crate) fn compile(path: &Path, level: &str) -> Program {
    let headers = HEADERS.with(|headers| headers.path().to_owned());
    let include = |folder: &str| headers.join(folder);
    let clang = std::env::var("BROWNOUT_CLANG").unwrap_or_else(|_| "clang-22".to_owned());
    let output = Command::new(clang)
        .args(["--target=msp430", "-isystem"])
        .arg(include("include-brownout"))
        .arg("-isystem")
        .arg(include("include"))
        .args([
            "-ffreestanding",
            "-nostdlibinc",
            "-D__BROWNOUT__",
            "-g",
            level,
        ])
        .args([
            "-fno-vectorize",
            "-fno-slp-vectorize",
            "-mllvm",
            "-unroll-full-max-count=0",
            "-mllvm",
            "-sink-common-insts=false",
            "-emit-llvm",
            "-c",
            "-o",
            "-",
        ])
        .arg(path)
        .output()
        .expect("clang runs");
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success(), "{}: {said}", path.display());
    let mut loader = Loader::new();
    let name = path.display().to_string();
    loader
        .add(&name, &output.stdout, Trust::Verified)
        .unwrap_or_else(|error| panic!("{name}: {error}"));
    let (program, gaps) = loader
        .finish()
        .unwrap_or_else(|error| panic!("{name}: {error}"));
    assert!(gaps.is_empty(), "{name}: {gaps:?}");
    program
}
