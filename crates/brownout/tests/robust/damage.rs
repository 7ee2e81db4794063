//! Files that were damaged on the way. The tool may accept or refuse them, but never crash or hang;
//! `cargo xtask damage` tries many more.

use std::fs;
use std::path::Path;
use std::process::Command;
use std::sync::atomic::{AtomicU64, Ordering};

use brownout_testkit::damage::{Kind, Patient};
use brownout_testkit::native;

use crate::{arguments, program, run, scratch, tool};

/// Damages inputs of a kind, two at a time.
#[track_caller]
fn survive(kind: Kind, count: u64) {
    let folder = scratch();
    let patient = Patient::new(kind, &tool(), folder.path()).unwrap();
    let next = AtomicU64::new(0);
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                let folder = scratch();
                loop {
                    let number = next.fetch_add(1, Ordering::Relaxed);
                    if number >= count {
                        return;
                    }
                    if let Err(what) = patient.survive(number, folder.path()) {
                        let kept = Path::new(env!("CARGO_TARGET_TMPDIR"));
                        let kept = kept.join(format!("harmful-{kind}-{number}"));
                        fs::write(&kept, patient.damaged(number)).unwrap();
                        panic!("{kind} {number}: {what}\nkept as {}", kept.display());
                    }
                }
            });
        }
    });
}

#[test]
fn bitcode() {
    survive(Kind::Bitcode, 250);
}

#[test]
fn assembly() {
    survive(Kind::Assembly, 250);
}

#[test]
fn text() {
    survive(Kind::Text, 250);
}

#[test]
fn source() {
    survive(Kind::C, 100);
}

#[test]
fn configuration() {
    survive(Kind::Configuration, 150);
}

#[test]
fn script() {
    survive(Kind::Script, 150);
}

#[test]
fn readings() {
    survive(Kind::Readings, 100);
}

#[test]
fn replay_id() {
    survive(Kind::ReplayId, 100);
}

#[test]
fn linker_script() {
    survive(Kind::LinkerScript, 100);
}

/// LLVM's reader of assembly uses an uninitialised number after this mistake. Whether that
/// crashes depends on the heap, and that on the length of the name.
#[test]
fn assembly_with_a_label_that_is_too_large() {
    let scratch = scratch();
    let text = "int main(int argc, char **argv) { return argc > 3 ? argc : 0; }\n";
    let source = program(&scratch, text);
    let module = scratch.path().join("module.ll");
    let mut command = Command::new(native::CLANG);
    command
        .args(["--target=msp430", "-g", "-S", "-emit-llvm", "-o"])
        .arg(&module)
        .arg(&source);
    native::clang(&mut command).unwrap();
    let text = fs::read_to_string(module).unwrap();
    let start = text.find("br i1 ").unwrap();
    let label = start + text[start..].find("label %").unwrap() + "label %".len();
    let end = label + text[label..].find(',').unwrap();
    let damaged = format!("{}18446744073709551615{}", &text[..label], &text[end..]);
    for length in 1..=24 {
        let name = format!("{}.ll", "a".repeat(length));
        let path = scratch.file(&name, &damaged).unwrap();
        let ended = run(&arguments([&"run", &"-q", &path]));
        assert_eq!(ended.status, Some(2), "{}", ended.stderr);
    }
}

/// What debug information says of sizes is believed as far as the object reaches.
#[test]
fn sizes_of_debug_information_are_bounded_by_the_object() {
    let scratch = scratch();
    let text = "#include <brownout.h>\nstruct cal { int x; int y[3]; } cal; int count;\n\
                int main(void) { brownout_checkpoint(); cal.y[1] = cal.y[1] + 1; count = count + 1 + cal.x;\n\
                brownout_checkpoint(); return 0; }\n";
    let source = program(&scratch, text);
    let module = scratch.path().join("module.ll");
    let mut command = Command::new(native::CLANG);
    let headers = Path::new(env!("CARGO_MANIFEST_DIR")).join("../llvm/runtime/include-brownout");
    command
        .args(["--target=msp430", "-D__BROWNOUT__", "-g", "-S"])
        .args(["-emit-llvm", "-I"])
        .arg(headers)
        .arg("-o")
        .arg(&module)
        .arg(&source);
    native::clang(&mut command).unwrap();
    let text = fs::read_to_string(&module).unwrap();
    for (old, new) in [
        ("size: 16,", "size: 18446744073709551608,"),
        ("size: 48,", "size: 18446744073709551608,"),
        ("size: 64,", "size: 8000000000000,"),
        ("count: 3)", "count: 4611686018427387904)"),
        ("offset: 16)", "offset: 18446744073709551600)"),
    ] {
        assert!(text.contains(old), "{old} is not in {text}");
        let damaged = text.replace(old, new);
        let path = scratch.file("damaged.ll", &damaged).unwrap();
        let ended = run(&arguments([&"check", &path]));
        assert_eq!(ended.status, Some(1), "{new}: {}", ended.stderr);
        let text = String::from_utf8_lossy(&ended.stdout);
        assert!(text.contains("`count` is read"), "{new}: {text}");
        let list = arguments([&"replay", &"-q", &"c1:f6", &path, &"--values=cal,count"]);
        run(&list);
        run(&arguments([&"fix", &path]));
        run(&arguments([&"dump", &"memory", &path]));
    }
}
