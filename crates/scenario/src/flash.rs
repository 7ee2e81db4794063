//! Flash parts and what is explored of their power failures (semantics §5).
//!
//! A part is an object of the program that only operations change: functions of the program (or
//! those of `brownout.h`) program stretches of it and erase blocks of it. What an interrupted
//! operation leaves is said by its tear.
//!
//! **Invariant**: addresses, data and lengths are expressions over the arguments of the function
//! (`arg0`, `arg1`, …) and what these point to (`arg0->base`), and over nothing else.

use crate::effect::parse_argument;
use crate::error::Place;
use crate::expression::Expression;

/// A flash part.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Flash {
    /// The object that stands for it.
    pub object: String,
    /// Bytes that are erased at once; all of the object if nobody said it.
    pub erase_block: Option<u32>,
    /// Bytes that are programmed at once.
    pub program_unit: u32,
    /// What an erased byte holds.
    pub erased: u8,
    /// What programming does to what was there.
    pub programming: Programming,
    /// Whether what is not erased may be programmed.
    pub reprogram: Reprogram,
    /// What an interrupted program operation leaves.
    pub tear: Tear,
    /// What an interrupted erase operation leaves.
    pub erase_tear: EraseTear,
    /// Which operations may be missing while later ones are done.
    pub order: Order,
    /// The contents at the start, when they are given.
    pub image: Option<Vec<u8>>,
    /// The functions that read and change it.
    pub functions: Vec<FlashFunction>,
}

/// A function that reads or changes a flash part, in place of its own body.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FlashFunction {
    /// Its name.
    pub name: String,
    /// What it does.
    pub action: FlashAction,
    /// Where: an offset in the object, or a pointer into it.
    pub address: Option<FlashOperand>,
    /// A pointer to what is programmed, or to where what is read goes.
    pub data: Option<FlashOperand>,
    /// What is programmed itself, where it is passed instead of a pointer to it.
    pub value: Option<FlashOperand>,
    /// How many bytes.
    pub length: Option<FlashOperand>,
    /// What it returns.
    pub returns: i64,
    /// Where the configuration names it.
    pub place: Place,
}

/// What a function does to a flash part.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum FlashAction {
    /// Writes data.
    Program,
    /// Erases blocks.
    Erase,
    /// Reads data.
    Read,
    /// Waits until everything before it is done.
    Sync,
}

/// A number that is computed from the arguments of a call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FlashOperand {
    expression: Expression,
    /// What it mentions, in the order of its names.
    references: Vec<Reference>,
}

/// An argument, or something that it points to.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Reference {
    argument: u32,
    members: Vec<Member>,
}

/// A member of what a pointer points to: `base` of `arg0->base`, or of `arg0->flash_dev::base`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Member {
    /// The structure, if somebody says which.
    pub structure: Option<String>,
    /// The way to the member in it: `base`, `geometry.size`.
    pub path: String,
    /// Where it is, once that is known.
    pub place: MemberPlace,
}

/// Where a member is in its structure.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct MemberPlace {
    /// The first byte.
    pub offset: u64,
    /// How many bytes.
    pub size: u32,
    /// Whether it may be negative.
    pub is_signed: bool,
}

impl Reference {
    fn parse(name: &str) -> Result<Self, String> {
        let mut parts = name.split("->");
        let argument = parts.next().and_then(parse_argument);
        let argument =
            argument.ok_or_else(|| format!("has `{name}`, which is no argument such as `arg0`"))?;
        let member = |text: &str| {
            let (structure, path) = match text.split_once("::") {
                Some((structure, path)) => (Some(structure.to_owned()), path),
                None => (None, text),
            };
            let is_path = path
                .split('.')
                .all(|word| !word.is_empty() && !word.contains([':', '[', ']']));
            match is_path {
                true => Ok(Member {
                    structure,
                    path: path.to_owned(),
                    place: MemberPlace::default(),
                }),
                false => Err(format!(
                    "has `{name}`, which is no member such as `arg0->base`"
                )),
            }
        };
        Ok(Self {
            argument,
            members: parts.map(member).collect::<Result<_, String>>()?,
        })
    }
}

impl FlashOperand {
    /// Reads an expression over arguments; the error says what is wrong, as the end of a sentence
    /// about it.
    pub fn parse(text: &str) -> Result<Self, String> {
        let expression = Expression::parse(text)?;
        let names = expression.names().iter();
        let references: Result<_, String> = names.map(|name| Reference::parse(name)).collect();
        Ok(Self {
            references: references?,
            expression,
        })
    }

    /// The argument of this number itself.
    pub fn argument(number: u32) -> Self {
        // The text is one that can be read.
        Self::parse(&format!("arg{number}")).unwrap_or_else(|_| Self::number(0))
    }

    /// A number that depends on nothing.
    pub fn number(value: i64) -> Self {
        Self {
            expression: Expression::number(value),
            references: Vec::new(),
        }
    }

    /// The arguments that it mentions as they are.
    pub fn arguments(&self) -> impl Iterator<Item = u32> {
        let plain = self.references.iter().filter(|it| it.members.is_empty());
        plain.map(|reference| reference.argument)
    }

    /// The members that it mentions, each with those before it on the way there.
    pub fn members_mut(&mut self) -> impl Iterator<Item = &mut [Member]> {
        let references = self.references.iter_mut();
        references.map(|reference| &mut reference.members[..])
    }

    /// Its value for the arguments of a call; those that were not passed are zero. `load` gives the
    /// bytes at an address.
    ///
    /// # Errors
    /// If `load` does not give some.
    pub fn value<E>(
        &self,
        args: &[u64],
        load: &mut dyn FnMut(u64, u32) -> Result<u64, E>,
    ) -> Result<u64, E> {
        let mut values = Vec::with_capacity(self.references.len());
        for reference in &self.references {
            let argument = args.get(reference.argument as usize);
            let mut value = argument.copied().unwrap_or(0);
            for Member { place, .. } in &reference.members {
                let bits = 8 * place.size.clamp(1, 8);
                let loaded = load(value.wrapping_add(place.offset), place.size.clamp(1, 8))?;
                value = match place.is_signed {
                    true => ((loaded << (64 - bits)) as i64 >> (64 - bits)) as u64,
                    false => loaded,
                };
            }
            values.push(value);
        }
        let value = |index: usize| values.get(index).copied().unwrap_or(0) as i64;
        Ok(self.expression.value(&value) as u64)
    }
}

/// What programming does to what was there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Programming {
    /// It moves bits away from what an erased byte holds, and never back.
    And,
    /// It replaces it.
    Overwrite,
}

/// Whether what is not erased may be programmed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reprogram {
    /// It is a mistake of the program.
    Error,
    /// It is as `program` says.
    Allow,
}

/// What an interrupted program operation leaves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Tear {
    /// All or nothing.
    None,
    /// Some first units.
    Prefix,
    /// Any of the units.
    AnyUnit,
    /// Any of the units, and one of which any bits are done.
    Bits,
}

/// What an interrupted erase operation leaves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum EraseTear {
    /// All or nothing, block by block.
    None,
    /// Some first quarters of a block are erased.
    Prefix,
    /// Besides, old and erased contents side by side, and bytes that are neither.
    Garbage,
}

/// Which operations may be missing while later ones are done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// None: each begins when the one before it is done.
    Strict,
    /// Any since the last call of the function that waits for them.
    UntilSync,
}

/// What is explored of power failures.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Explore {
    /// How many power failures in a row; nothing means any number.
    pub failures: Option<u32>,
    /// `file:line` from which on power fails.
    pub from: Option<String>,
    /// `file:line` where a boot is done.
    pub until: Option<String>,
    /// How many readings of each input are varied.
    pub workload: u32,
    /// Whether operations of the program must be done or not done.
    pub oracle: Oracle,
    /// Functions whose calls are operations of the program; nothing: calls from the entry.
    pub operations: Vec<String>,
}

/// What judges boots beside what the program says itself.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Oracle {
    /// Nothing.
    #[default]
    None,
    /// After a failure inside an operation of the program, the next boot says what it says without
    /// or with it.
    Atomic,
}

impl Default for Explore {
    fn default() -> Self {
        Self {
            failures: Some(2),
            from: None,
            until: None,
            workload: 0,
            oracle: Oracle::None,
            operations: Vec::new(),
        }
    }
}
