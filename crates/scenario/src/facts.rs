//! What the front end tells about the program: names, sections, annotations.
//!
//! **Invariant**: plain borrowed data; nothing here depends on where the program came from.

use crate::scenario::{Model, Semantics};
use crate::suggest::nearest;

/// The program, as far as a scenario needs it.
#[derive(Clone, Copy, Debug, Default)]
pub struct ProgramFacts<'a> {
    /// What it was compiled for, if that is known better than by the configuration.
    pub target: Option<&'a str>,
    /// Every function, defined or declared.
    pub functions: &'a [FunctionFacts<'a>],
    /// Every global object, defined or declared.
    pub globals: &'a [GlobalFacts<'a>],
    /// Addresses of device registers that it names by their numbers, sorted.
    pub addresses: &'a [u64],
    /// Those among them that it does nothing but read.
    pub read_addresses: &'a [u64],
    /// Device registers that it waits for, by name or address, with the bits that decide.
    pub polled: &'a [(String, u64)],
    /// Numbers that it may pass along as addresses, sorted.
    pub passed_addresses: &'a [u64],
    /// Whether it does without an entry: its users call its functions.
    pub is_library: bool,
    /// Whether it sleeps until something happens.
    pub sleeps: bool,
    /// Functions in tables of interrupt vectors.
    pub vectors: &'a [String],
    /// Functions that the sources have and the compiler has dropped, as far as the configuration names
    /// them as tasks.
    pub dropped: &'a [String],
}

/// What a parameter of a function is, as far as that matters to whoever describes it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Parameter {
    /// The address of something.
    Pointer,
    /// Anything else.
    Value,
}

/// One function.
#[derive(Clone, Copy, Debug, Default)]
pub struct FunctionFacts<'a> {
    /// Its name.
    pub name: &'a str,
    /// Whether the program has its body.
    pub defined: bool,
    /// Its annotations, such as `brownout:input`; those of others are skipped.
    pub annotations: &'a [String],
    /// How people write its name, where linkers have another: with the types of its parameters, and without.
    pub spellings: &'a [String],
    /// What it takes, one for each parameter.
    pub parameters: &'a [Parameter],
    /// How many arguments it has; nothing if that is not known, or as many as a call likes.
    pub arguments: Option<u32>,
    /// Its variables that are in memory, static ones as well.
    pub locals: &'a [String],
    /// Those of them that have annotations, with these.
    pub annotated_locals: &'a [(String, Vec<String>)],
    /// The interrupt that the source says it handles, by its name or its number.
    pub vector: Option<&'a str>,
}

/// One global object.
#[derive(Clone, Copy, Debug, Default)]
pub struct GlobalFacts<'a> {
    /// Its name.
    pub name: &'a str,
    /// The section that the program asks for.
    pub section: Option<&'a str>,
    /// Its annotations, such as `brownout:nv`; those of others are skipped.
    pub annotations: &'a [String],
    /// Its size in bytes.
    pub size: u64,
    /// Whether the program cannot write it.
    pub is_constant: bool,
    /// Whether it is declared only, such as a device register.
    pub is_external: bool,
    /// Whether the program does nothing but read it.
    pub is_only_read: bool,
}

/// An annotation of `brownout.h`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Annotation {
    Nonvolatile,
    Input,
    /// An input whose readings lie between these two.
    InputRange(i64, i64),
    /// An input that tells the time since the device has booted.
    Clock,
    Output(Option<Semantics>),
    Model(Model),
    IntermittenceAware,
    Interrupt,
    Ghost,
}

const ANNOTATIONS: [(&str, Annotation); 12] = [
    ("nv", Annotation::Nonvolatile),
    ("ghost", Annotation::Ghost),
    ("input", Annotation::Input),
    ("input:clock", Annotation::Clock),
    ("output", Annotation::Output(None)),
    (
        "output:absolute",
        Annotation::Output(Some(Semantics::Absolute)),
    ),
    (
        "output:relative",
        Annotation::Output(Some(Semantics::Relative)),
    ),
    (
        "output:at_most_once",
        Annotation::Output(Some(Semantics::AtMostOnce)),
    ),
    ("most-recent", Annotation::Model(Model::MostRecent)),
    ("long-term", Annotation::Model(Model::LongTerm)),
    ("intermittence-aware", Annotation::IntermittenceAware),
    ("interrupt", Annotation::Interrupt),
];

/// An annotation that begins like ours but is none, with the one that may have been meant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct UnknownAnnotation {
    pub(crate) annotation: String,
    pub(crate) nearest: Option<&'static str>,
}

impl Annotation {
    /// Our annotations among `texts`.
    pub(crate) fn all(
        texts: &[String],
    ) -> impl Iterator<Item = Result<Annotation, UnknownAnnotation>> {
        let ours = texts
            .iter()
            .filter_map(|text| text.strip_prefix("brownout:"));
        ours.map(|text| {
            let known = ANNOTATIONS.iter().find(|&&(name, _)| name == text);
            known
                .map(|&(_, annotation)| annotation)
                .or_else(|| input_range(text))
                .ok_or_else(|| UnknownAnnotation {
                    annotation: text.to_owned(),
                    nearest: nearest(text, ANNOTATIONS.iter().map(|&(name, _)| name)),
                })
        })
    }
}

/// What `BROWNOUT_INPUT_RANGE(low, high)` says.
fn input_range(text: &str) -> Option<Annotation> {
    let (low, high) = text.strip_prefix("input:")?.split_once("..")?;
    let (low, high) = (low.trim().parse().ok()?, high.trim().parse().ok()?);
    (low <= high).then_some(Annotation::InputRange(low, high))
}
