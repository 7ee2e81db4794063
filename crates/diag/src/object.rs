//! Objects of the program: which one something is about, and what users call it.
//!
//! **Invariant**: two objects are the same exactly when their [`ObjectId`] is equal, whichever analysis
//! speaks of them. Names are for people: static variables of two functions, a variable and a local, or
//! static variables of two files may share one.

/// Which object of the program something is.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ObjectId {
    /// A variable that is always there, by what the program calls it, which no other is called; so is what
    /// callers pass, which is called after the parameter.
    Variable(String),
    /// A local variable.
    Local {
        /// What the program calls its function.
        function: String,
        /// Which of the function's it is.
        slot: u32,
    },
    /// The frame of a function, or what has no name in it. Of frames of the library it may not be known
    /// which function called for them.
    Frame(Option<String>),
    /// The heap blocks that are allocated at a place in the source.
    Block {
        /// The file.
        file: String,
        /// The line, from 1.
        line: u32,
        /// The column, from 1.
        column: u32,
    },
    /// The heap blocks that an operation without a place allocates.
    BlockOf(u32),
    /// What a function of others' returns at a place in the source.
    Returned {
        /// The file.
        file: String,
        /// The line, from 1.
        line: u32,
        /// The column, from 1.
        column: u32,
    },
    /// The code of a function.
    Code(String),
    /// What lies at an address.
    Address(u64),
    /// A register of the device, or something else outside of memory, by its name.
    Outside(String),
    /// What lies in a segment and belongs to no object.
    Segment(Segment),
    /// What nothing is known of.
    Unknown,
}

/// Where objects lie.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Segment {
    /// Variables that never change.
    Constants,
    /// Variables.
    Globals,
    /// Frames of functions.
    Stack,
    /// Blocks that are allocated and given back.
    Heap,
    /// Registers, and whatever else is at fixed addresses.
    Registers,
}

/// An object or a part of one, and what users call it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Named {
    /// The part as the user would write it, such as `cal.x` or `buf[3]`.
    pub name: String,
    /// The whole object in the same way, such as `cal`.
    pub whole: String,
    /// Which object it is.
    pub id: ObjectId,
}

impl Named {
    /// Something that has no parts.
    pub fn whole(name: impl Into<String>, id: ObjectId) -> Self {
        let name = name.into();
        Self {
            whole: name.clone(),
            name,
            id,
        }
    }

    /// A register, or something else outside of memory.
    pub fn outside(name: &str) -> Self {
        Self::whole(name, ObjectId::Outside(name.to_owned()))
    }
}

impl ObjectId {
    /// What the program calls a variable, or what callers pass; nothing for other objects.
    pub fn variable(&self) -> Option<&str> {
        match self {
            Self::Variable(symbol) => Some(symbol),
            _ => None,
        }
    }
}

impl Segment {
    /// The stable name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Constants => "constants",
            Self::Globals => "globals",
            Self::Stack => "stack",
            Self::Heap => "heap",
            Self::Registers => "registers",
        }
    }
}
