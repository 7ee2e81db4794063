//! Expressions over the arguments of a call: `arg1`, `arg2 * 2`, `arg0->base + arg1`.
//!
//! **Invariant**: an expression mentions arguments and what these point to, and nothing else. Where members
//! are is not known here: whoever knows the program's types says it ([`ArgumentExpression::members_mut`]).

use std::fmt;

use crate::effect::parse_argument;
use crate::expression::Expression;

/// A number that is computed from the arguments of a call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ArgumentExpression {
    text: String,
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

impl ArgumentExpression {
    /// Reads an expression over arguments; the error says what is wrong, as the end of a sentence
    /// about it.
    pub fn parse(text: &str) -> Result<Self, String> {
        let expression = Expression::parse(text)?;
        let names = expression.names().iter();
        let references: Result<_, String> = names.map(|name| Reference::parse(name)).collect();
        Ok(Self {
            text: text.to_owned(),
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
            text: value.to_string(),
            expression: Expression::number(value),
            references: Vec::new(),
        }
    }

    /// The arguments that it mentions as they are.
    pub fn arguments(&self) -> impl Iterator<Item = u32> {
        let plain = self.references.iter().filter(|it| it.members.is_empty());
        plain.map(|reference| reference.argument)
    }

    /// The arguments that it mentions, also on the way to what they point to.
    pub fn mentioned(&self) -> impl Iterator<Item = u32> {
        self.references.iter().map(|reference| reference.argument)
    }

    /// The argument that it is, and the members on the way from there, if nothing is computed.
    pub fn as_reference(&self) -> Option<(u32, &[Member])> {
        let is_one = self.expression.is_variable();
        let reference = self.references.first().filter(|_| is_one)?;
        Some((reference.argument, &reference.members))
    }

    /// The argument that it is so many times, if it is.
    pub fn as_multiple(&self) -> Option<(u32, i64)> {
        let reference = self.references.first()?;
        let factor = self.expression.factor()?;
        (reference.members.is_empty() && self.references.len() == 1)
            .then_some((reference.argument, factor))
    }

    /// Whether it depends on arguments.
    pub fn is_of_arguments(&self) -> bool {
        !self.references.is_empty()
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

impl fmt::Display for ArgumentExpression {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}
