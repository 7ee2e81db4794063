//! Files that brownout does not read, but somebody may well give it: what they are, and the line that
//! makes them readable.

use std::io::Read;
use std::path::Path;

/// A file of a kind that is known.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Foreign {
    /// What it is.
    pub what: String,
    /// What to do.
    pub help: String,
}

/// Processors by their number in ELF files, and whether it is one of our targets.
const PROCESSORS: [(u16, &str); 12] = [
    (3, "i386"),
    (8, "MIPS"),
    (20, "PowerPC"),
    (40, "ARM"),
    (42, "SuperH"),
    (62, "x86-64"),
    (83, "AVR"),
    (94, "Xtensa"),
    (105, "MSP430"),
    (183, "AArch64"),
    (243, "RISC-V"),
    (247, "BPF"),
];

/// What a file is, from its first bytes and its name.
pub(crate) fn recognise(path: &Path) -> Option<Foreign> {
    let mut head = Vec::new();
    let file = std::fs::File::open(path).ok()?;
    file.take(64).read_to_end(&mut head).ok()?;
    let extension = path.extension().and_then(|extension| extension.to_str());
    let stem = path.file_stem().unwrap_or_default().to_string_lossy();
    let from_source = format!(
        "brownout reads sources and LLVM IR: give the .c files, or what \
         `clang -g -emit-llvm -c {stem}.c -o {stem}.bc` makes of them"
    );
    if head.starts_with(b"\x7fELF") {
        return Some(elf(&head, from_source));
    }
    if head.starts_with(b"!<arch>") {
        return Some(Foreign {
            what: "a library of object files".to_owned(),
            help: from_source,
        });
    }
    if head.starts_with(b"BC\xc0\xde") {
        return Some(Foreign {
            what: "LLVM bitcode under another name".to_owned(),
            help: format!("rename it to {stem}.bc"),
        });
    }
    let known = |what: &str, help: String| Foreign {
        what: what.to_owned(),
        help,
    };
    match extension.unwrap_or_default() {
        "rs" => Some(known(
            "Rust is read as LLVM bitcode",
            format!(
                "`rustc --emit=llvm-bc -g -C panic=abort -C codegen-units=1 {0} -o {stem}.bc` makes it of a \
                 `no_std` program; with cargo, `cargo rustc -- --emit=llvm-bc` and target/…/deps/*.bc",
                path.display()
            ),
        )),
        "s" | "S" | "asm" | "s43" => Some(known("assembly is not read", from_source)),
        "hex" | "bin" | "txt" | "titxt" | "srec" => {
            Some(known("an image of memory has no symbols", from_source))
        }
        "h" | "hpp" => Some(known(
            "a header alone is no program",
            "give the files that include it".to_owned(),
        )),
        _ => None,
    }
}

fn elf(head: &[u8], from_source: String) -> Foreign {
    let number = |at: usize| match head.get(at..at + 2) {
        // Most significant byte first if the sixth byte says so.
        Some(&[a, b]) if head.get(5) == Some(&2) => u16::from_be_bytes([a, b]),
        Some(&[a, b]) => u16::from_le_bytes([a, b]),
        _ => 0,
    };
    let kind = match number(16) {
        1 => "an object file",
        3 => "a shared library or program",
        _ => "a linked program",
    };
    let machine = number(18);
    let processor = PROCESSORS.iter().find(|(number, _)| *number == machine);
    let processor = processor.map_or_else(
        || format!("processor number {machine}"),
        |(_, name)| (*name).to_owned(),
    );
    Foreign {
        what: format!("{kind} for {processor}: machine code is not read"),
        help: from_source,
    }
}
