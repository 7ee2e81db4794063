//! How inputs and outputs behave, whether or not somebody has said how they should.
//!
//! Semantics §3.3 and §3.4: tables beside the findings, plain data.

use std::fmt;

use crate::SourcePlace;

/// When the data of an input is used (EWSN'21 §4.1).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Behaviour {
    /// In the power cycle of its reading.
    MostRecent,
    /// In later ones.
    LongTerm,
    /// Some here, some later.
    Both,
    /// Nowhere.
    Unused,
}

/// How an input behaves.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct InputBehaviour {
    /// The function or register.
    pub input: String,
    /// How it behaves.
    pub behaviour: Behaviour,
    /// Where its data is used in the power cycle of its reading.
    pub here: Vec<SourcePlace>,
    /// Where it is used in a later one.
    pub later: Vec<SourcePlace>,
}

/// What repeating an output does (EWSN'21 §4.2).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Repetition {
    /// Nothing more than doing it once.
    Absolute,
    /// The same again.
    Relative,
    /// Now this, now that.
    Varies,
}

/// How an output at one place of the program behaves.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct OutputBehaviour {
    /// The function or register.
    pub output: String,
    /// Where it is made.
    pub place: Option<SourcePlace>,
    /// What repeating it does.
    pub repetition: Repetition,
    /// How often it was repeated to find out.
    pub repeated: u64,
}

impl Behaviour {
    /// The stable name.
    pub fn name(self) -> &'static str {
        match self {
            Behaviour::MostRecent => "most-recent",
            Behaviour::LongTerm => "long-term",
            Behaviour::Both => "both",
            Behaviour::Unused => "unused",
        }
    }
}

impl Repetition {
    /// The stable name.
    pub fn name(self) -> &'static str {
        match self {
            Repetition::Absolute => "absolute",
            Repetition::Relative => "relative",
            Repetition::Varies => "varies",
        }
    }
}

impl fmt::Display for Behaviour {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.pad(self.name())
    }
}

impl fmt::Display for Repetition {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.pad(self.name())
    }
}
