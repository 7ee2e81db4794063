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
mod module;
mod raw;
mod vector;
mod wide;

pub use error::{Error, Gap, Unsupported};

use brownout_ir::Program;

/// The C library of a target: files by name, as bitcode.
type Library = (&'static str, &'static [(&'static str, &'static [u8])]);

include!(concat!(env!("OUT_DIR"), "/library.rs"));

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
    HEADERS
        .iter()
        .map(|&(folder, path, text)| Header { folder, path, text })
}

/// Reads modules one after the other, then lowers them as one program.
#[derive(Default)]
pub struct Loader {
    module: Option<raw::Module>,
}

impl std::fmt::Debug for Loader {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Loader")
            .field("empty", &self.module.is_none())
            .finish()
    }
}

impl Loader {
    /// Nothing read yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a module in text or bitcode form.
    ///
    /// # Errors
    /// If it does not parse, does not verify, is for another target than the
    /// ones before, or defines what they define.
    pub fn add(&mut self, name: &str, bytes: &[u8]) -> Result<(), Error> {
        if bytes.iter().all(u8::is_ascii_whitespace) {
            return Err(Error::Empty {
                name: name.to_owned(),
            });
        }
        match &mut self.module {
            None => {
                let module = raw::Module::parse(name, bytes).map_err(|message| Error::Parse {
                    name: name.to_owned(),
                    message,
                })?;
                self.module = Some(module);
            }
            Some(module) => {
                let parse_error = |message| Error::Parse {
                    name: name.to_owned(),
                    message,
                };
                let addition = module.parse_beside(name, bytes).map_err(parse_error)?;
                addition.verify().map_err(parse_error)?;
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
                })?;
            }
        }
        Ok(())
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
        let library = LIBRARIES
            .iter()
            .find(|(name, _)| *name == target.name)
            .map_or(&[][..], |(_, files)| files);
        let user = module::user_symbols(&module);
        module::link_library(&mut module, library)?;
        Ok(module::lower(&module, target, &user))
    }
}
