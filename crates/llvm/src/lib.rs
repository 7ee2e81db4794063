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
mod debug;
mod error;
mod function;
mod instruction;
mod intrinsic;
mod leaves;
mod library;
mod module;
mod raw;
mod vector;
mod wide;

pub use error::{Error, Gap, Unsupported};

use brownout_ir::Program;

/// A header that comes with the tool.
#[derive(Clone, Copy, Debug)]
pub struct Header {
    /// Its folder: `include` (libc) or `include-brownout` (annotations).
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
    module: Option<raw::Module>,
    /// The C library that was read ahead, and its target.
    library: Option<(String, library::Files)>,
}

impl std::fmt::Debug for Loader {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Loader")
            .field("empty", &self.module.is_none())
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
            module: None,
            library: None,
        }
    }

    /// Reads the C library for `target` ahead, if there is one: a thing to do
    /// while the compiler is at work.
    ///
    /// # Errors
    /// If our own library does not parse.
    pub fn expect_target(&mut self, target: &str) -> Result<(), Error> {
        if let Some(target) = brownout_ir::known_target(target) {
            let files = library::read(&self.context, target.name)?;
            self.library = Some((target.name.to_owned(), files));
        }
        Ok(())
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
        let parse_error = |message| Error::Parse {
            name: name.to_owned(),
            message,
        };
        let addition = raw::Module::parse(&self.context, name, bytes).map_err(parse_error)?;
        if trust == Trust::Foreign {
            addition.verify().map_err(parse_error)?;
        }
        let Some(module) = &mut self.module else {
            self.module = Some(addition);
            return Ok(());
        };
        if addition.layout_text() != module.layout_text() {
            let (found, expected) = (addition.triple(), module.triple());
            return Err(Error::OtherTarget {
                name: name.to_owned(),
                found,
                expected,
            });
        }
        module.link(addition).map_err(|message| Error::Link {
            name: name.to_owned(),
            message,
        })
    }

    /// Adds what the program needs of the C library and lowers everything.
    /// What could not be translated is listed beside the program; it matters
    /// only if it can be reached.
    ///
    /// # Errors
    /// If nothing was added or the target is not supported.
    pub fn finish(self) -> Result<(Program, Vec<Unsupported>), Error> {
        let mut module = self.module.ok_or(Error::Nothing)?;
        let target = module::target(&module)?;
        let files = match self.library {
            Some((name, files)) if name == target.name => files,
            _ => library::read(&self.context, &target.name)?,
        };
        let user = module::user_symbols(&module);
        library::link(&mut module, files)?;
        Ok(module::lower(&module, target, &user))
    }
}
