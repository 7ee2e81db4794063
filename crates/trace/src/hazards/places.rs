//! Source places of operations, made once and shared: a finding may have very many pairs.

use std::cell::RefCell;
use std::sync::Arc;

use brownout_diag::SourcePlace;
use brownout_ir::source::{File, PlaceData};
use brownout_vm::Image;
use rustc_hash::FxHashMap;

use crate::wording;

/// A place of the source, whatever the function there is called in the program.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) struct Position {
    pub(crate) file: File,
    pub(crate) line: u32,
    pub(crate) column: u32,
}

/// A place by its number; 0 is none.
pub(crate) type PlaceNumber = u32;

/// The places of an image.
#[derive(Debug)]
pub(crate) struct Places<'i> {
    image: &'i Image,
    shared: RefCell<Shared>,
}

/// The places that somebody asked for.
#[derive(Debug, Default)]
struct Shared {
    numbers: FxHashMap<Position, PlaceNumber>,
    places: Vec<Arc<SourcePlace>>,
}

impl<'i> Places<'i> {
    pub(crate) fn new(image: &'i Image) -> Self {
        Self {
            image,
            shared: RefCell::default(),
        }
    }

    fn data(&self, pc: u32) -> Option<&'i PlaceData> {
        let source = &self.image.program().source;
        source.places.get(self.image.place(pc)?)
    }

    /// Where an operation is; inlined code is where the user wrote it.
    pub(crate) fn position(&self, pc: u32) -> Option<Position> {
        let data = self.data(pc)?;
        Some(Position {
            file: data.file,
            line: data.line,
            column: data.column,
        })
    }

    /// The file and the name of the function that an operation is in, as the user wrote it.
    pub(crate) fn function(&self, pc: u32) -> (&'i str, &'i str) {
        let program = self.image.program();
        if let Some(data) = self.data(pc)
            && let Some(file) = program.source.files.get(data.file)
        {
            return (file, &data.function);
        }
        let func = self.image.function(pc);
        let name = func.map_or("", |func| program.functions[func].name.as_str());
        ("", name)
    }

    /// The number of the place of an operation: the same for all operations there.
    pub(crate) fn number(&self, pc: u32) -> PlaceNumber {
        let Some(position) = self.position(pc) else {
            return 0;
        };
        let mut shared = self.shared.borrow_mut();
        if let Some(&number) = shared.numbers.get(&position) {
            return number;
        }
        let Some(place) = wording::place(self.image, pc) else {
            return 0;
        };
        shared.places.push(Arc::new(place));
        let number = shared.places.len() as PlaceNumber;
        shared.numbers.insert(position, number);
        number
    }

    /// The place of a number, without calls.
    pub(crate) fn place(&self, number: PlaceNumber) -> Option<Arc<SourcePlace>> {
        let index = (number as usize).checked_sub(1)?;
        self.shared.borrow().places.get(index).cloned()
    }

    /// The place of an operation, without calls.
    pub(crate) fn shared(&self, pc: u32) -> Option<Arc<SourcePlace>> {
        self.place(self.number(pc))
    }
}
