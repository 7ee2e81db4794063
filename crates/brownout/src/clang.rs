//! Compiling C and C++ with clang.

use std::path::{Path, PathBuf};
use std::process::Command;

use brownout_ir::TARGETS;
use serde_json::json;

use crate::child::{self, Ended, NoResult};
use crate::console;
use crate::dialect::Dialect;
use crate::error::Error;
use crate::headers;
use crate::language::Language;
use crate::limits;
use crate::missing::Missing;
use crate::redefined;
use crate::scratch::Scratch;
use crate::sketch;

/// The compiler that the tool is made for.
const CLANG: &str = "clang-22";

/// Declarations say which types their parameters have. Other compilers may not know these arguments.
const DECLARED_TYPES: [&str; 2] = ["-Xclang", "-fexperimental-call-graph-section"];
/// Lets locals that optimised code keeps in memory have their names and tags: what clang says of them instead, its
/// interface in C does not tell.
const DECLARED_LOCALS: [&str; 2] = ["-Xclang", "-fexperimental-assignment-tracking=disabled"];

/// Loops stay those of the source: they say what a round is (SEMANTICS §2, `restart`). A loop that is written out has no
/// head any more, and code before a loop that ends like a round of it would become a part of the loop.
const LOOPS_AS_WRITTEN: [&str; 4] = [
    "-mllvm",
    "-unroll-full-max-count=0",
    "-mllvm",
    "-sink-common-insts=false",
];

/// Builtins of which clang makes calls that LLVM refuses to read where `int` has 16 bits.
const SMALL_INT: [&str; 3] = [
    "-D__builtin_prefetch(address, ...)=((void)(address))",
    "-D__builtin_return_address(level)=(__extension__({ \
        void *__brownout_return_address(int) __asm__(\"__brownout_return_address\"); \
        __brownout_return_address(level); }))",
    "-D__builtin_frame_address(level)=(__extension__({ \
        void *__brownout_frame_address(int) __asm__(\"__brownout_frame_address\"); \
        __brownout_frame_address(level); }))",
];

/// The compiler to use.
fn command() -> String {
    std::env::var("BROWNOUT_CLANG").unwrap_or_else(|_| CLANG.to_owned())
}

/// The triple of one of our targets; other names are taken as triples.
fn triple(target: &str) -> &str {
    let known = TARGETS.iter().find(|known| known.name == target);
    known.map_or(target, |known| known.triple)
}

/// How a target's C environment is found.
fn environment(target: &str, language: Language, headers: &Path) -> Vec<String> {
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
    if language != Language::C {
        arguments.extend(isystem("include-c++"));
        arguments.push("-nostdinc++".to_owned());
    }
    arguments.extend(isystem("include"));
    // In C++, `main` of a freestanding program is a function like any other and has another name.
    let freestanding = match language {
        Language::C => "-ffreestanding",
        Language::Cpp | Language::Sketch => "-fno-builtin",
    };
    arguments.extend([freestanding, "-nostdlibinc"].map(str::to_owned));
    if target.starts_with("thumb") || target.starts_with("arm") {
        arguments.push("-mfloat-abi=soft".to_owned());
    }
    if target.starts_with("msp430") {
        arguments.extend(SMALL_INT.map(str::to_owned));
        // Sketches are written for an AVR, which aligns nothing: structures have no gaps there.
        if language == Language::Sketch {
            arguments.push("-fpack-struct=1".to_owned());
        }
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
    let name = command();
    let mut command = Command::new(&name);
    command
        .arg(format!("--target={}", triple(target)))
        .args(["-fno-color-diagnostics", "-fsyntax-only", "-x", "c", "-"])
        .args(&doubtful);
    let ended = child::run(&mut command, &[]).map_err(|error| not_run(&name, error))?;
    let said = String::from_utf8_lossy(&ended.stderr);
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

/// What came of a file.
pub(crate) struct Compiled {
    /// The module.
    pub(crate) bitcode: Vec<u8>,
    /// The text after the preprocessor.
    pub(crate) expanded: String,
}

/// A file to compile.
pub(crate) struct Source<'s> {
    pub(crate) path: &'s Path,
    pub(crate) language: Language,
    pub(crate) target: &'s str,
    /// Arguments of the user.
    pub(crate) flags: &'s [String],
    /// Further files of a sketch, which Arduino's builder appends to it.
    pub(crate) joined: &'s [PathBuf],
}

impl Source<'_> {
    /// Compiles the file to bitcode. What clang has to say goes to stderr.
    pub(crate) fn compile(&self) -> Result<Compiled, Error> {
        let folder = headers::folder().map_err(|error| Error::File {
            path: "the cache of headers".into(),
            error,
        })?;
        let rewritten = match self.language {
            Language::Sketch => self.joined(),
            Language::C | Language::Cpp => Vec::new(),
        };
        let as_written = Dialect::of("", self.target, rewritten);
        let expanded = self.run(&folder, &as_written, &["-E", "-w"])?.stdout;
        let expanded = String::from_utf8_lossy(&expanded).into_owned();
        let dialect = Dialect::of(&expanded, self.target, as_written.rewritten);
        let bitcode = self.bitcode(&folder, dialect)?;
        Ok(Compiled { bitcode, expanded })
    }

    /// The text of a sketch of several files, or with functions that are used before they are defined.
    fn joined(&self) -> Vec<(PathBuf, String)> {
        let mut texts = Vec::new();
        for path in std::iter::once(self.path).chain(self.joined.iter().map(PathBuf::as_path)) {
            // A file that cannot be read is clang's to complain about.
            let Ok(bytes) = std::fs::read(path) else {
                return Vec::new();
            };
            texts.push((path, String::from_utf8_lossy(&bytes).into_owned()));
        }
        let joined = sketch::joined(&texts);
        let declared = sketch::with_declarations(&joined);
        let text = declared.or_else(|| (texts.len() > 1).then_some(joined));
        let text = text.map(|text| (self.path.to_owned(), text));
        text.into_iter().collect()
    }

    /// Lets clang make something of the file.
    fn run(&self, folder: &Path, dialect: &Dialect, what: &[&str]) -> Result<Ended, Error> {
        let name = command();
        let mut command = Command::new(&name);
        command
            .arg(format!("--target={}", triple(self.target)))
            .args(environment(self.target, self.language, folder))
            // Vector code would be taken apart again; scalar code is faster and keeps its variables.
            .args([
                "-D__BROWNOUT__",
                "-g",
                // Files are named as they were given, whatever folder this is.
                "-fdebug-compilation-dir=.",
                "-O0",
                "-fno-vectorize",
                "-fno-slp-vectorize",
                "-fno-color-diagnostics",
                "-fno-crash-diagnostics",
                // Those of other compilers that matter are understood, see `persistent`.
                "-Wno-unknown-attributes",
                "-Wno-unknown-pragmas",
            ])
            .args(DECLARED_TYPES.iter().filter(|_| name == CLANG))
            .args(DECLARED_LOCALS.iter().filter(|_| name == CLANG))
            .args(LOOPS_AS_WRITTEN.iter().filter(|_| name == CLANG))
            .args(["-Qunused-arguments", "-fno-math-errno"])
            .args(self.language.arguments())
            .args(&dialect.definitions)
            .args(self.flags)
            .args(what)
            .args(["-o", "-"]);
        if self.language == Language::Sketch {
            command.args(["-x", "c++"]);
        }
        command.arg(self.path);
        let overlay = overlay(&dialect.rewritten)?;
        if let Some((_, path)) = &overlay {
            command.arg("-ivfsoverlay").arg(path);
        }
        child::run(&mut command, &[]).map_err(|error| not_run(&name, error))
    }

    /// The module that clang makes of the file. What clang has to say goes to stderr.
    fn bitcode(&self, folder: &Path, mut dialect: Dialect) -> Result<Vec<u8>, Error> {
        let mut ended = self.run(folder, &dialect, &["-emit-llvm", "-c"])?;
        let mut said = String::from_utf8_lossy(&ended.stderr);
        // Of many conflicts clang tells the first ones.
        while !ended.status.success() && dialect.give_way(&redefined::names(&said, folder)) {
            ended = self.run(folder, &dialect, &["-emit-llvm", "-c"])?;
            said = String::from_utf8_lossy(&ended.stderr);
        }
        let path = self.path.to_owned();
        if let Some(reason) = crash(&said, ended.status.code()) {
            // What gets no memory at all has no words for it either.
            limits::end_if_full();
            return Err(Error::ClangCrashed { path, reason });
        }
        if !said.trim().is_empty() {
            console::line(said.trim_end());
        }
        match ended.status.success() {
            true => Ok(ended.stdout),
            false => Err(Error::Clang {
                path,
                missing: Missing::of(&said, self.path),
            }),
        }
    }
}

/// A file that makes clang read texts in the place of files, and the folder that it is in.
pub(crate) fn overlay(
    rewritten: &[(PathBuf, String)],
) -> Result<Option<(Scratch, PathBuf)>, Error> {
    if rewritten.is_empty() {
        return Ok(None);
    }
    let scratch = Scratch::new()?;
    let mut roots = Vec::new();
    for (number, (path, text)) in rewritten.iter().enumerate() {
        let contents = scratch.file(&number.to_string(), text.as_bytes())?;
        let name = std::path::absolute(path).map_err(|error| Error::File {
            path: path.clone(),
            error,
        })?;
        roots.push(json!({ "type": "file", "name": name, "external-contents": contents }));
    }
    // Places keep the names of the files.
    let overlay = json!({ "version": 0, "use-external-names": false, "roots": roots });
    let path = scratch.file("overlay.json", overlay.to_string().as_bytes())?;
    Ok(Some((scratch, path)))
}

/// Compiles a few lines of our own C.
pub(crate) fn compile_text(text: &str, target: &str) -> Result<Vec<u8>, Error> {
    let name = command();
    let mut command = Command::new(&name);
    command.arg(format!("--target={}", triple(target))).args([
        "-O0",
        "-emit-llvm",
        "-c",
        "-x",
        "c",
        "-o",
        "-",
        "-",
    ]);
    let ended = child::run(&mut command, text.as_bytes()).map_err(|error| not_run(&name, error))?;
    match ended.status.success() {
        true => Ok(ended.stdout),
        false => Err(Error::Clang {
            path: "lines of brownout's own".into(),
            missing: None,
        }),
    }
}

fn not_run(command: &str, error: NoResult) -> Error {
    match error {
        NoResult::System(error) => Error::NoClang {
            command: command.to_owned(),
            error,
        },
        NoResult::Over => Error::Over,
    }
}

/// What clang died of, if it did: in a line, without its own records of the accident.
fn crash(said: &str, status: Option<i32>) -> Option<String> {
    let marks = [
        "PLEASE submit a bug report",
        "fatal error: error in backend",
        "LLVM ERROR",
    ];
    let crashed =
        status.is_none_or(|code| code > 1) || marks.iter().any(|mark| said.contains(mark));
    if !crashed {
        return None;
    }
    if said.contains("bad_alloc") || said.contains("out of memory") {
        return Some("out of memory, which `--memory-limit` may give it".to_owned());
    }
    let telling = [
        "error in backend: ",
        "LLVM ERROR: ",
        "Assertion ",
        "UNREACHABLE executed",
    ];
    let line = said
        .lines()
        .find(|line| telling.iter().any(|mark| line.contains(mark)));
    let line = line.map(|line| {
        let start = telling.iter().find_map(|mark| line.find(mark)).unwrap_or(0);
        line[start..].trim_start_matches("error in backend: ")
    });
    let last = || said.lines().rfind(|line| !line.trim().is_empty());
    let line = line.or_else(last).unwrap_or("it gives no reason");
    Some(line.trim().to_owned())
}
