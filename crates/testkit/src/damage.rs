//! Inputs that were damaged on the way: cut off, with flipped bits, with words, lines and pieces
//! exchanged. The tool may accept or refuse them, but it never crashes, panics or hangs, and what it
//! refuses it refuses with exit code 2 and one message.
//!
//! The damage of a number is always the same, so that a number names a case.

use std::ffi::OsString;
use std::fmt;
use std::fs;
use std::os::unix::ffi::OsStringExt;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use crate::error::Error;
use crate::native;
use crate::process::{Ended, execute};
use crate::tool::Tool;

/// What nothing takes that is damaged: longer is hanging.
const LIMIT: Duration = Duration::from_secs(60);

/// A program with a bit of everything; it needs no headers.
const PROGRAM: &str = "int printf(const char *, ...), strcmp(const char *, const char *);\nchar *strcpy(char *, const char *);\n\
    enum color { RED, GREEN = 7 } color = GREEN;\n\
    struct pair { int key; const char *text; } table[] = {{1, \"one\"}, {2, \"two\"}};\n\
    static int (*const order[])(const char *, const char *) = {strcmp};\n\
    static long sum(int n, ...) {\n\
      __builtin_va_list list; __builtin_va_start(list, n);\n\
      long total = 0;\n\
      while (n--) total += __builtin_va_arg(list, long);\n\
      __builtin_va_end(list);\n\
      return total;\n\
    }\n\
    int main(int argc, char **argv) {\n\
      volatile double scale = 0.5;\n\
      char copy[16]; struct pair local = table[argc];\n\
      switch (argc) { case 1: strcpy(copy, local.text); break; case 7: copy[0] = 'x'; break; default: return 3; }\n\
      for (unsigned i = 0; i < 3; i++) printf(\"%s %ld %d\\n\", copy, sum(2, 3L, (long)i), (int)(i * scale));\n\
      return order[0](copy, \"two\");\n\
    }\n";

/// A program with a device around it.
const DEVICE: &str = "int read_temp(void), read_level(void); void rotate(int), valve(int), checkpoint(void);\n\
    int count, last, alarm; int log[8]; struct { int x, y; } cal = {1, 2}; unsigned char flash[1024];\n\
    int main(void) {\n\
      for (int i = 0; i < 6; i++) {\n\
        checkpoint();\n\
        last = read_temp();\n\
        count = count + 1;\n\
        log[i] = read_level() + cal.x;\n\
        if (last > 21) { alarm = 1; rotate(last); } else valve(count);\n\
      }\n\
      return 0;\n\
    }\n";

/// What is said about that device.
const CONFIGURATION: &str = "\
entry = \"main\"
ignore = []
consistent = [\"read_temp\", \"read_level\"]
mmio = \"state\"

[memory]
nonvolatile = [\"globals\", \"!symbol:last\"]
atomic-write = 2
ghost = [\"symbol:alarm\"]
stack-size = 2048
heap-size = 512
map = [ { at = \"0x1800\", size = 512, nonvolatile = true } ]

[power]
policy = \"static\"
checkpoints = [\"checkpoint\"]
execution-depth = 3000
place = \"none\"
saves = [\"cal\"]

[energy]
capacitance = \"10uF\"
v-trigger = 2.2
v-min = 1.88
current = \"270uA\"
clock = \"1MHz\"
checkpoint-time = \"1.4ms\"

[[input]]
function = \"read_temp\"
values = [21, 22, 40]
model = \"most-recent\"

[[input]]
function = \"read_level\"
script = \"level -= 1; if time > 5000 { 0 } else { level + index % 3 }\"

[[output]]
function = \"rotate\"
semantics = \"relative\"
effect = \"angle += arg0\"

[[output]]
function = \"valve\"
semantics = \"absolute\"
effect = \"opened = arg0\"
takes = 40

[environment]
angle = 0
opened = 0
level = 90

[[invariant]]
expr = \"alarm <= 1 && count >= 0\"
at = \"exit\"

[compare]
ignore = [\"symbol:log\"]

[[variable]]
name = \"last\"
model = \"most-recent\"
";

/// What scripts are, in this sample: everything that they can say.
const SCRIPT: &str = "// A tank.\nlet x = level / 2;\nlevel -= 1;\nwhile x > 40 { x -= 3; level += 0; }\n\
    if time > 5000 { 0 } else if index & 1 { (level << 1) % 7 } else { level + index % 3 - -x * 2 }\n";

const READINGS: &str = "read_temp,read_level\n21,90\n22,80\n40,70\n-3,60\n0x10,50\n";

/// Where sections go, in the words of two linkers.
const LAYOUTS: [&str; 2] = [
    "/* GNU */ ENTRY(start)\nMEMORY { RAM (rwx) : ORIGIN = 0x1C00, LENGTH = 2K\n FRAM (rw) : ORIGIN = 0x4400, LENGTH = 0xBB80 }\n\
     SECTIONS {\n  .text : { KEEP(*(.vectors)) *(.text .text.*) } > FRAM\n  .data : { _d = .; *(.data .data.*) } > RAM AT> FRAM\n\
     .log (NOLOAD) : ALIGN(2) { *(SORT(.log.*)) *(.log LOGVARS) } >FRAM =0xff\n  /DISCARD/ : { *(.comment) }\n}\n",
    "MEMORY {\n RAM : origin = 0x1C00, length = 0x0800\n FRAM : origin = 0x4400, length = 0xBB80\n}\n\
     SECTIONS {\n GROUP(ALL) { GROUP(RW) { .TI.persistent : {} .log : {} } ALIGN(0x400), RUN_START(x) } > 0x4400\n\
     .bss : {} > RAM\n .cinit : > FRAM\n .far : {} >> FRAM | RAM\n .stack : {} > RAM (HIGH)\n}\n",
];

const REPLAYS: [&str; 6] = [
    "c1:f5",
    "c3:f41",
    "c0:f4",
    "c2:f10:t1",
    "c1:f5/f3",
    "b1.op22.8/b2.op1",
];

/// What can be damaged.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// LLVM bitcode.
    Bitcode,
    /// LLVM IR as text.
    Assembly,
    /// The tool's own IR.
    Text,
    /// C.
    C,
    /// The configuration.
    Configuration,
    /// Scripts of inputs.
    Script,
    /// Recordings of inputs.
    Readings,
    /// The names of failures.
    ReplayId,
    /// Linker scripts.
    LinkerScript,
}

impl Kind {
    /// All kinds.
    pub const ALL: [Self; 9] = [
        Self::Bitcode,
        Self::Assembly,
        Self::Text,
        Self::C,
        Self::Configuration,
        Self::Script,
        Self::Readings,
        Self::ReplayId,
        Self::LinkerScript,
    ];

    /// What it is called.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Bitcode => "bitcode",
            Self::Assembly => "assembly",
            Self::Text => "text",
            Self::C => "c",
            Self::Configuration => "configuration",
            Self::Script => "script",
            Self::Readings => "readings",
            Self::ReplayId => "replay-id",
            Self::LinkerScript => "linker-script",
        }
    }

    /// The name of the damaged file.
    const fn file(self) -> &'static str {
        match self {
            Self::Bitcode => "damaged.bc",
            Self::Assembly => "damaged.ll",
            Self::Text => "damaged.ir",
            Self::C => "damaged.c",
            Self::Configuration => "damaged.toml",
            Self::Script => "damaged.script",
            Self::Readings => "damaged.csv",
            Self::ReplayId => "damaged.txt",
            Self::LinkerScript => "damaged.ld",
        }
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// What became of a damaged input.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Fate {
    /// The tool did something with it.
    Accepted,
    /// It said what is wrong.
    Refused,
}

/// Healthy inputs of one kind, and what is needed to run the tool on damaged ones.
#[derive(Debug)]
pub struct Patient {
    kind: Kind,
    tool: Tool,
    samples: Vec<Vec<u8>>,
    /// The program with a device around it, in the tool's own IR.
    device: Vec<u8>,
}

impl Patient {
    /// Healthy inputs of a kind; `folder` is for temporary files.
    ///
    /// # Errors
    /// If the compiler or the tool fail.
    pub fn new(kind: Kind, tool: &Tool, folder: &Path) -> Result<Self, Error> {
        let module = |form: &str, flags: &[&str]| module(folder, form, flags);
        let samples = match kind {
            Kind::Bitcode => vec![
                module("-c", &["--target=msp430"])?,
                module("-c", &["--target=msp430", "-g"])?,
                module("-c", &["-O1", "-g"])?,
            ],
            Kind::Assembly => vec![
                module("-S", &["--target=msp430", "-g"])?,
                module("-S", &["-O1"])?,
            ],
            Kind::Text => vec![dump(tool, folder, PROGRAM)?, dump(tool, folder, DEVICE)?],
            Kind::C => vec![PROGRAM.into(), format!("#include <stdio.h>\n#include <msp430.h>\n#pragma PERSISTENT(count)\n__no_init int kept;\n{DEVICE}").into()],
            Kind::Configuration => vec![CONFIGURATION.into()],
            Kind::Script => vec![SCRIPT.into()],
            Kind::Readings => vec![READINGS.into()],
            Kind::ReplayId => REPLAYS.map(Into::into).to_vec(),
            Kind::LinkerScript => LAYOUTS.map(Into::into).to_vec(),
        };
        Ok(Self {
            kind,
            tool: tool.clone(),
            samples,
            device: dump(tool, folder, DEVICE)?,
        })
    }

    /// The damage of a number.
    pub fn damaged(&self, number: u64) -> Vec<u8> {
        let mut dice = Dice::new(number);
        let sample = &self.samples[dice.below(self.samples.len())];
        let is_text = self.kind != Kind::Bitcode;
        let mut bytes = sample.clone();
        // Most are damaged in one place: more is refused early.
        for _ in 0..1 + dice.below(2) * dice.below(2) {
            bytes = match (dice.below(8), is_text) {
                (0, _) => bytes[..dice.below(bytes.len() + 1)].to_vec(),
                (1, _) | (2..6, false) => flipped(bytes, &mut dice),
                (2..6, true) => edited(&bytes, &mut dice),
                _ => moved(&bytes, &mut dice),
            };
        }
        bytes
    }

    /// Runs the tool on the damage of a number; `folder` is for its files.
    ///
    /// # Errors
    /// What it did wrong.
    pub fn survive(&self, number: u64, folder: &Path) -> Result<Fate, String> {
        let mut command = self
            .command(&self.damaged(number), folder)
            .map_err(|error| error.to_string())?;
        let ended = execute(&mut command, LIMIT).map_err(|error| error.to_string())?;
        judged(&ended)
    }

    /// The command that gives a damaged input to the tool; `folder` is for its files.
    ///
    /// # Errors
    /// If the files cannot be written.
    pub fn command(&self, damaged: &[u8], folder: &Path) -> Result<Command, Error> {
        let write = |name: &str, bytes: &[u8]| -> Result<PathBuf, Error> {
            let path = folder.join(name);
            match fs::write(&path, bytes) {
                Ok(()) => Ok(path),
                Err(error) => Err(Error::file(path, error)),
            }
        };
        let input = write(self.kind.file(), damaged)?;
        let limits = ["--max-instructions", "200000"];
        let device = || write("device.ir", &self.device);
        let configuration = |text: &str| write("device.toml", text.as_bytes());
        let mut command = match self.kind {
            Kind::Bitcode | Kind::Assembly | Kind::Text | Kind::C => {
                let mut command = self.tool.command(["run", "-q"]);
                command.args(limits).arg(&input);
                command
            }
            Kind::Configuration => {
                // Searching for inputs may go on for long, and is not what is damaged.
                let mut command = self.tool.command(["check", "-q", "--time-limit", "0.2"]);
                command.arg("--config").arg(&input);
                command.arg(device()?).args(limits);
                command
            }
            Kind::Script => {
                let script = "script = \"damaged.script\"";
                let text: Vec<&str> = CONFIGURATION
                    .lines()
                    .map(|line| match line.starts_with("script") {
                        true => script,
                        false => line,
                    })
                    .collect();
                let mut command = self.tool.command(["run", "-q", "--config"]);
                command
                    .arg(configuration(&text.join("\n"))?)
                    .arg(device()?)
                    .args(limits);
                command
            }
            Kind::Readings => {
                let mut command = self.tool.command(["run", "-q", "--inputs"]);
                command.arg(&input).arg("--config");
                command
                    .arg(configuration(CONFIGURATION)?)
                    .arg(device()?)
                    .args(limits);
                command
            }
            Kind::LinkerScript => {
                let mut command = self.tool.command(["run", "-q", "--config"]);
                command
                    .arg(configuration(CONFIGURATION)?)
                    .arg(device()?)
                    .arg(&input)
                    .args(limits);
                command
            }
            Kind::ReplayId => {
                // An argument has no end in the middle.
                let id: Vec<u8> = damaged.iter().copied().filter(|&byte| byte != 0).collect();
                let mut command = self.tool.command(["replay", "-q", "--config"]);
                command.arg(configuration(CONFIGURATION)?).args(limits);
                command.arg("--values=count");
                command.arg(OsString::from_vec(id)).arg(device()?);
                command
            }
        };
        command.current_dir(folder);
        Ok(command)
    }
}

/// Whether the tool behaved.
///
/// # Errors
/// What it did wrong.
pub fn judged(ended: &Ended) -> Result<Fate, String> {
    let wrong = |what: &str| Err(format!("{what}\n{}", ended.stderr));
    if let Some(signal) = ended.signal {
        return wrong(&format!("ended by signal {signal}"));
    }
    if ended.stderr.contains("panicked at") {
        return wrong("panicked");
    }
    let errors = ended
        .stderr
        .lines()
        .filter(|line| line.starts_with("error: "))
        .count();
    match ended.status {
        // Findings, or a replay that differs.
        Some(0 | 1) => Ok(Fate::Accepted),
        Some(2) if errors > 0 => Ok(Fate::Refused),
        Some(2) => wrong("refused without a message"),
        other => wrong(&format!("exit code {other:?}")),
    }
}

/// The program as LLVM IR.
fn module(folder: &Path, form: &str, flags: &[&str]) -> Result<Vec<u8>, Error> {
    let source = folder.join("sample.c");
    let module = folder.join("sample.module");
    fs::write(&source, PROGRAM).map_err(|error| Error::file(&source, error))?;
    let mut command = Command::new(native::CLANG);
    command
        .args(["-w", "-emit-llvm", form, "-o"])
        .arg(&module)
        .args(flags)
        .arg(&source);
    native::clang(&mut command)?;
    fs::read(&module).map_err(|error| Error::file(module, error))
}

/// A program in the tool's own IR.
fn dump(tool: &Tool, folder: &Path, program: &str) -> Result<Vec<u8>, Error> {
    let source = folder.join("sample.c");
    fs::write(&source, program).map_err(|error| Error::file(&source, error))?;
    let ended = execute(tool.command(["dump", "ir"]).arg(&source), LIMIT)?;
    match ended.status {
        Some(0) => Ok(ended.stdout),
        _ => Err(Error::Failed {
            command: "brownout dump ir".to_owned(),
            message: ended.stderr,
        }),
    }
}

/// Numbers that are the same on every machine.
#[derive(Debug)]
pub struct Dice(u64);

impl Dice {
    /// The numbers of a seed.
    pub const fn new(seed: u64) -> Self {
        // Small seeds are spread over all bits; zero would stay zero.
        Self(seed.wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    /// A number below `limit`; zero if there is none.
    pub const fn below(&mut self, limit: usize) -> usize {
        // xorshift64*
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        let number = (self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 33) as usize;
        if limit == 0 { 0 } else { number % limit }
    }

    fn pick<'a, T>(&mut self, list: &'a [T]) -> Option<&'a T> {
        list.get(self.below(list.len()))
    }
}

/// A few bits are flipped.
fn flipped(mut bytes: Vec<u8>, dice: &mut Dice) -> Vec<u8> {
    for _ in 0..1 + dice.below(2) {
        let at = dice.below(bytes.len());
        if let Some(byte) = bytes.get_mut(at) {
            *byte ^= 1 << dice.below(8);
        }
    }
    bytes
}

/// A piece is taken out, doubled, or put elsewhere.
fn moved(bytes: &[u8], dice: &mut Dice) -> Vec<u8> {
    let start = dice.below(bytes.len());
    let length = dice.below(40).min(bytes.len() - start);
    let (piece, rest) = bytes[start..].split_at(length);
    let mut result = bytes[..start].to_vec();
    match dice.below(3) {
        0 => result.extend(rest),
        1 => {
            result.extend(piece);
            result.extend(piece);
            result.extend(rest);
        }
        _ => {
            result.extend(rest);
            let at = dice.below(result.len() + 1);
            result.splice(at..at, piece.iter().copied());
        }
    }
    result
}

/// Lines or words are exchanged; numbers become extreme ones.
fn edited(whole: &[u8], dice: &mut Dice) -> Vec<u8> {
    const NUMBERS: [&str; 12] = [
        "0",
        "1",
        "2",
        "7",
        "64",
        "129",
        "65536",
        "4294967295",
        "18446744073709551615",
        "-1",
        "-9223372036854775808",
        "1e400",
    ];
    let text = String::from_utf8_lossy(whole);
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    if lines.is_empty() {
        return Vec::new();
    }
    let words = |text: &str| -> Vec<String> {
        let words = text.split(|c: char| !c.is_alphanumeric());
        let words = words.filter(|word| !word.is_empty());
        words.map(str::to_owned).collect()
    };
    let (at, other) = (dice.below(lines.len()), dice.below(lines.len()));
    match dice.below(5) {
        0 => drop(lines.remove(at)),
        1 => lines.swap(at, other),
        2 => lines.insert(at, lines[other].clone()),
        kind => {
            let found = words(&lines[at]);
            let others = words(&lines[other]);
            let new = match kind {
                3 => dice.pick(&others).cloned(),
                _ => dice.pick(&NUMBERS).map(|&number| number.to_owned()),
            };
            if let (Some(old), Some(new)) = (dice.pick(&found), new) {
                lines[at] = lines[at].replacen(old.as_str(), &new, 1);
            }
        }
    }
    lines.join("\n").into_bytes()
}
