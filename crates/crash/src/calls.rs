//! The calls in progress, and the places they lead to, each path numbered once.

use brownout_ir::Func;
use rustc_hash::FxHashMap;

/// The calls that led to an operation: functions with the operations that called them, outermost
/// first, and the operation itself.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub(crate) struct Path {
    pub(crate) calls: Vec<(Func, u32)>,
    pub(crate) pc: u32,
}

/// Paths by number.
#[derive(Clone, Default, Debug)]
pub(crate) struct Paths {
    paths: Vec<Path>,
    numbers: FxHashMap<Path, u32>,
}

impl Paths {
    /// The number of a path.
    pub(crate) fn number(&mut self, path: Path) -> u32 {
        if let Some(&number) = self.numbers.get(&path) {
            return number;
        }
        let number = self.paths.len() as u32;
        self.paths.push(path.clone());
        self.numbers.insert(path, number);
        number
    }

    /// All of them, in the order of their numbers.
    pub(crate) fn all(&self) -> &[Path] {
        &self.paths
    }
}
