//! LLVM modules to the intermediate representation.
//!
//! [`Loader`] reads text or bitcode, links several modules and the guest's C
//! library into one, and lowers the result. Aggregates and vectors become lists
//! of scalars ("leaves"), phi nodes become block parameters, attributes of
//! calling conventions become explicit memory traffic.
//!
//! **Invariant:** only the pipeline knows this crate, and it alone links libLLVM.

mod call;
mod constant;
mod csr;
mod debug;
mod error;
mod function;
mod instruction;
mod intrinsic;
mod leaves;
mod library;
mod module;
mod raw;
mod variadic;
mod vector;
mod wide;

pub use error::{Error, Gap, Unsupported};

use std::collections::HashMap;

use brownout_ir::Program;

/// A header that comes with the tool.
#[derive(Clone, Copy, Debug)]
pub struct Header {
    /// Its folder: `include` (libc), `include-c++` or `include-brownout` (annotations).
    pub folder: &'static str,
    /// Its path below the folder.
    pub path: &'static str,
    /// Its text.
    pub text: &'static str,
}

/// The headers that come with the tool.
pub fn headers() -> impl Iterator<Item = Header> {
    library::HEADERS
        .iter()
        .map(|&(folder, path, text)| Header { folder, path, text })
}

/// A number that is another one for other headers.
pub const HEADERS_VERSION: u64 = library::HEADERS_VERSION;

/// The oldest clang whose files are read.
const OLDEST: u32 = 13;

/// What LLVM says of instructions that do not name the type behind a pointer: for years they have had to.
const UNTYPED: [&str; 2] = [
    "expected comma after load's type",
    "expected comma after getelementptr's type",
];

/// The version of clang that says to have made a file.
fn made_by(bytes: &[u8]) -> Option<u32> {
    let mark = b"clang version ";
    let at = bytes
        .windows(mark.len())
        .position(|window| window == mark)?;
    let digits = bytes[at + mark.len()..].iter();
    let digits: String = digits
        .take_while(|byte| byte.is_ascii_digit())
        .map(|&byte| char::from(byte))
        .collect();
    digits.parse().ok()
}

/// Where a module comes from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Trust {
    /// Our own clang wrote it just now, and has verified it.
    Verified,
    /// Anybody: it is verified.
    Foreign,
}

/// Reads modules one after the other, then lowers them as one program.
pub struct Loader {
    context: raw::Context,
    /// What was read, in order, each with its name.
    modules: Vec<(String, raw::Module)>,
    /// Who defines what for all.
    defined: HashMap<String, String>,
    /// Whether somebody said that functions are interrupt handlers.
    interrupts: bool,
}

impl std::fmt::Debug for Loader {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Loader")
            .field("modules", &self.modules.len())
            .finish()
    }
}

impl Default for Loader {
    fn default() -> Self {
        Self::new()
    }
}

impl Loader {
    /// Nothing read yet.
    pub fn new() -> Self {
        Self {
            context: raw::Context::new(),
            modules: Vec::new(),
            defined: HashMap::new(),
            interrupts: false,
        }
    }

    /// Functions of the program are interrupt handlers, whatever they look like.
    pub fn expect_interrupts(&mut self) {
        self.interrupts = true;
    }

    /// Adds a module in text or bitcode form.
    ///
    /// # Errors
    /// If it does not parse, does not verify, is for another target than the
    /// ones before, or defines what they define.
    pub fn add(&mut self, name: &str, bytes: &[u8], trust: Trust) -> Result<(), Error> {
        if bytes.iter().all(u8::is_ascii_whitespace) {
            return Err(Error::Empty {
                name: name.to_owned(),
            });
        }
        let parse_error = |message: String| match made_by(bytes) {
            Some(version) if version < OLDEST => Error::Old {
                name: name.to_owned(),
                version: Some(version),
            },
            // `load i16* @x`, which said once what it loads.
            None if UNTYPED.iter().any(|mark| message.contains(mark)) => Error::Old {
                name: name.to_owned(),
                version: None,
            },
            _ => Error::Parse {
                name: name.to_owned(),
                message,
            },
        };
        let addition = raw::Module::parse(&self.context, name, bytes).map_err(parse_error)?;
        if trust == Trust::Foreign {
            addition.verify().map_err(parse_error)?;
        }
        if let Some((_, module)) = self.modules.first()
            && addition.layout_text() != module.layout_text()
        {
            let (found, expected) = (addition.triple(), module.triple());
            return Err(Error::OtherTarget {
                name: name.to_owned(),
                found,
                expected,
            });
        }
        for symbol in addition.strong_symbols() {
            if let Some(other) = self.defined.insert(symbol.clone(), name.to_owned()) {
                let message = match other == name {
                    true => format!("`{symbol}` is defined twice"),
                    false => format!("`{symbol}` is defined twice, also in {other}"),
                };
                let name = name.to_owned();
                return Err(Error::Link { name, message });
            }
        }
        self.modules.push((name.to_owned(), addition));
        Ok(())
    }

    /// Adds the modules of another program: what they define is called `program.symbol`, but for
    /// the variables `shared`, which are those of the programs before.
    ///
    /// # Errors
    /// As [`Loader::add`] has them.
    pub fn add_program(
        &mut self,
        program: &str,
        modules: &[(String, &[u8])],
        shared: &[&str],
    ) -> Result<(), Error> {
        let first = self.modules.len();
        let before = std::mem::take(&mut self.defined);
        for (name, bytes) in modules {
            self.add(name, bytes, Trust::Verified)?;
        }
        let defined = std::mem::replace(&mut self.defined, before);
        let mut symbols: Vec<&String> = defined.keys().collect();
        symbols.sort_unstable();
        for symbol in symbols {
            let is_shared = shared.contains(&symbol.as_str()) && self.defined.contains_key(symbol);
            for (_, module) in &self.modules[first..] {
                let Some(value) = module.global(symbol) else {
                    continue;
                };
                match is_shared {
                    true => value.forget_definition(),
                    false => value.rename(&format!("{program}.{symbol}")),
                }
            }
            if !is_shared {
                let file = defined.get(symbol).cloned().unwrap_or_default();
                self.defined.insert(format!("{program}.{symbol}"), file);
            }
        }
        Ok(())
    }

    /// Lets calls of a function that is defined go to one that is added later.
    pub fn divert(&mut self, symbol: &str) {
        for (_, module) in &self.modules {
            let found = module.global(symbol);
            if found.is_some_and(|value| !value.is_declaration()) {
                module.divert(symbol);
            }
        }
        self.defined.remove(symbol);
    }

    /// Whether a module that was added defines this symbol.
    pub fn defines(&self, symbol: &str) -> bool {
        let mut modules = self.modules.iter();
        modules.any(|(_, module)| {
            module
                .global(symbol)
                .is_some_and(|value| !value.is_declaration())
        })
    }

    /// All modules as one. Halves are linked to halves: a link costs as much as both sides have.
    fn linked(modules: Vec<(String, raw::Module)>) -> Result<raw::Module, Error> {
        let mut modules = modules;
        while modules.len() > 1 {
            let mut halves = Vec::with_capacity(modules.len().div_ceil(2));
            let mut rest = modules.into_iter();
            while let Some((name, mut module)) = rest.next() {
                if let Some((other, addition)) = rest.next() {
                    module.link(addition).map_err(|message| Error::Link {
                        name: other,
                        message,
                    })?;
                }
                halves.push((name, module));
            }
            modules = halves;
        }
        let last = modules.pop();
        last.map(|(_, module)| module).ok_or(Error::Nothing)
    }

    /// Everything that was added as one module, in the form of bitcode.
    ///
    /// # Errors
    /// If nothing was added, or it does not fit together.
    pub fn bitcode(self) -> Result<Vec<u8>, Error> {
        Ok(Self::linked(self.modules)?.bitcode())
    }

    /// Adds what the program needs of the C library and lowers everything.
    /// What could not be translated is listed beside the program; it matters
    /// only if it can be reached.
    ///
    /// # Errors
    /// If nothing was added or the target is not supported.
    pub fn finish(self) -> Result<(Program, Vec<Unsupported>), Error> {
        let mut module = Self::linked(self.modules)?;
        let target = module::target(&module)?;
        let user = module::user_symbols(&module);
        library::link(&mut module, &target.name, self.interrupts)?;
        Ok(module::lower(&module, target, &user))
    }
}
