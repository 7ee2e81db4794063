//! Names that users write, `count`, `cal.x`, `buf[3]`, `main::i`, as parts of
//! objects.

use std::fmt;
use std::ops::Range;

use crate::source::{TypeId, TypeKind};
use crate::variables::Variable;
use crate::{Func, Global, Id, Origin, Program, Slot};

/// Bytes of a variable.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Part {
    /// The variable.
    pub object: Variable,
    /// The first byte.
    pub start: u64,
    /// The byte after the last.
    pub end: u64,
}

/// An integer in a global.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Integer {
    /// The global it is in.
    pub global: Global,
    /// Where in it, in bytes.
    pub start: u64,
    /// Its first bit there.
    pub shift: u32,
    /// How many bits it has, up to 64.
    pub bits: u32,
    /// Whether it has a sign.
    pub signed: bool,
}

/// Why a name means no object.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum NameProblem {
    /// It is not a name with fields and indices.
    NotAName,
    /// There is no such variable in memory.
    Unknown,
    /// There is no such function.
    NoFunction,
    /// Several functions have such a variable.
    Ambiguous {
        /// The names to choose from.
        candidates: Vec<String>,
    },
    /// A structure does not have this member.
    NoMember {
        /// The member.
        member: String,
    },
    /// An array does not have this element.
    NoElement {
        /// The index.
        index: u64,
        /// How many it has.
        count: u64,
    },
    /// A member or element of something that has none, or whose type is not known.
    NoParts,
    /// No integer in a global.
    NoInteger,
}

impl fmt::Display for NameProblem {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotAName => formatter.write_str(
                "not the name of an object; names look like `count`, `cal.x`, `buf[3]` or `function::local`",
            ),
            Self::Unknown => formatter.write_str("no such variable in memory"),
            Self::NoFunction => formatter.write_str("no such function in the program"),
            Self::Ambiguous { candidates } => {
                let list: Vec<String> = candidates
                    .iter()
                    .map(|candidate| format!("`{candidate}`"))
                    .collect();
                write!(
                    formatter,
                    "several variables have this name: {}",
                    list.join(", ")
                )
            }
            Self::NoMember { member } => write!(formatter, "there is no member `{member}`"),
            Self::NoElement { index, count } => {
                write!(formatter, "there is no element {index} of {count}")
            }
            Self::NoInteger => formatter.write_str("not an integer in a global"),
            Self::NoParts => {
                formatter.write_str("what stands before the last `.` or `[` has no parts")
            }
        }
    }
}

/// One step into an object.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Selector {
    Member(String),
    Element(u64),
}

/// A name taken apart.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Name<'n> {
    function: Option<&'n str>,
    variable: &'n str,
    selectors: Vec<Selector>,
}

/// The parts that `name` means: several if a function has several variables of that name.
///
/// # Errors
/// If it means none.
pub fn resolve(program: &Program, name: &str) -> Result<Vec<Part>, NameProblem> {
    let name = parse(name).ok_or(NameProblem::NotAName)?;
    let objects = objects(program, &name)?;
    objects
        .into_iter()
        .map(|(object, ty, size)| {
            select(program, object, ty, size, &name.selectors).map(|(part, ..)| part)
        })
        .collect()
}

/// The integer in a global that `name` means.
///
/// # Errors
/// If it means none.
pub fn integer(program: &Program, name: &str) -> Result<Integer, NameProblem> {
    let name = parse(name).ok_or(NameProblem::NotAName)?;
    let objects = objects(program, &name)?;
    let [(object @ Variable::Global(global), ty, size)] = objects[..] else {
        return Err(NameProblem::NoInteger);
    };
    let (part, ty, bits) = select(program, object, ty, size, &name.selectors)?;
    let kind = ty.and_then(|ty| program.source.types.get(ty));
    let signed = match kind.map(|data| &data.kind) {
        Some(TypeKind::Signed | TypeKind::Enum(_)) => true,
        // What has no type is a number of its size.
        Some(TypeKind::Unsigned | TypeKind::Bool | TypeKind::Char | TypeKind::Pointer(_))
        | None => false,
        Some(_) => return Err(NameProblem::NoInteger),
    };
    let whole = 0..((part.end - part.start) * 8) as u32;
    let bits = bits.unwrap_or(whole);
    if bits.len() > 64 {
        return Err(NameProblem::NoInteger);
    }
    Ok(Integer {
        global,
        start: part.start,
        shift: bits.start,
        bits: bits.len() as u32,
        signed,
    })
}

fn parse(text: &str) -> Option<Name<'_>> {
    let (function, rest) = match text.split_once("::") {
        Some((function, rest)) => (Some(function), rest),
        None => (None, text),
    };
    let end = rest.find(['.', '[']).unwrap_or(rest.len());
    let (variable, mut rest) = rest.split_at(end);
    let is_word = |word: &str| {
        !word.is_empty()
            && word
                .chars()
                .all(|character| character.is_alphanumeric() || "_$".contains(character))
    };
    let mut selectors = Vec::new();
    while !rest.is_empty() {
        if let Some(member) = rest.strip_prefix('.') {
            let end = member.find(['.', '[']).unwrap_or(member.len());
            let (member, behind) = member.split_at(end);
            selectors.push(Selector::Member(
                Some(member).filter(|m| is_word(m))?.to_owned(),
            ));
            rest = behind;
        } else {
            let (index, behind) = rest.strip_prefix('[')?.split_once(']')?;
            selectors.push(Selector::Element(index.trim().parse().ok()?));
            rest = behind;
        }
    }
    (is_word(variable) && function.is_none_or(is_word)).then_some(Name {
        function,
        variable,
        selectors,
    })
}

type Found = (Variable, Option<TypeId>, u64);

/// The objects a name stands for, with their types and sizes.
fn objects(program: &Program, name: &Name<'_>) -> Result<Vec<Found>, NameProblem> {
    if let Some(function) = name.function {
        let func = program.function(function).ok_or(NameProblem::NoFunction)?;
        let mut found = locals(program, func, name.variable);
        let symbol = format!("{function}.{}", name.variable);
        found.extend(globals(program, |symbol_name, _| symbol_name == symbol));
        return some(found).ok_or(NameProblem::Unknown);
    }
    let by_symbol = globals(program, |symbol, _| symbol == name.variable);
    let by_variable = || globals(program, |_, variable| variable == Some(name.variable));
    if let Some(found) = some(by_symbol).or_else(|| some(by_variable())) {
        if found.len() > 1 {
            let symbols = found.iter().filter_map(|(object, ..)| match object {
                Variable::Global(global) => Some(program.globals[*global].name.replace('.', "::")),
                _ => None,
            });
            return Err(NameProblem::Ambiguous {
                candidates: symbols.collect(),
            });
        }
        return Ok(found);
    }
    // Not a global: a local, if it is clear which.
    let owners: Vec<(Func, Vec<Found>)> = program
        .functions
        .iter()
        .filter(|(_, function)| function.origin == Origin::User)
        .map(|(func, _)| (func, locals(program, func, name.variable)))
        .filter(|(_, found)| !found.is_empty())
        .collect();
    match owners.as_slice() {
        [] => Err(NameProblem::Unknown),
        [(_, found)] => Ok(found.clone()),
        several => Err(NameProblem::Ambiguous {
            candidates: several
                .iter()
                .map(|(func, _)| format!("{}::{}", program.functions[*func].name, name.variable))
                .collect(),
        }),
    }
}

fn some(found: Vec<Found>) -> Option<Vec<Found>> {
    (!found.is_empty()).then_some(found)
}

fn globals(program: &Program, wanted: impl Fn(&str, Option<&str>) -> bool) -> Vec<Found> {
    program
        .globals
        .iter()
        .filter(|(_, data)| {
            data.origin == Origin::User && wanted(&data.name, data.variable.as_deref())
        })
        .map(|(global, data)| (Variable::Global(global), data.ty, data.size))
        .collect()
}

fn locals(program: &Program, func: Func, variable: &str) -> Vec<Found> {
    let Some(body) = &program.functions[func].body else {
        return Vec::new();
    };
    let slots = body.slots.values().enumerate();
    slots
        .filter(|(_, data)| data.name.as_deref() == Some(variable))
        .map(|(index, data)| {
            let object = Variable::Local(func, Slot::from_index(index));
            (object, data.ty, data.size.into())
        })
        .collect()
}

/// Follows members and indices into an object.
fn select(
    program: &Program,
    object: Variable,
    ty: Option<TypeId>,
    size: u64,
    selectors: &[Selector],
) -> Result<Selected, NameProblem> {
    let types = &program.source.types;
    let size_of = |ty: TypeId| types.get(ty).map_or(0, |data| data.size);
    let (mut ty, mut start, mut size, mut bits) = (ty, 0, size, None);
    for selector in selectors {
        let kind = ty.and_then(|ty| types.get(ty)).map(|data| &data.kind);
        match (selector, kind) {
            (Selector::Element(index), Some(TypeKind::Array { element, count })) => {
                if index >= count {
                    return Err(NameProblem::NoElement {
                        index: *index,
                        count: *count,
                    });
                }
                size = size_of(*element);
                start += index * size;
                ty = Some(*element);
            }
            (Selector::Member(member), Some(TypeKind::Struct(_) | TypeKind::Union(_))) => {
                let member = ty
                    .and_then(|ty| find_member(program, ty, member, 0))
                    .ok_or_else(|| NameProblem::NoMember {
                        member: member.clone(),
                    })?;
                start += member.start;
                size = member.size;
                ty = Some(member.ty);
                bits = member.bits;
            }
            _ => return Err(NameProblem::NoParts),
        }
    }
    let part = Part {
        object,
        start,
        end: start + size,
    };
    Ok((part, ty, bits))
}

/// A part, its type, and which of its bits are meant if it is a bit-field.
type Selected = (Part, Option<TypeId>, Option<Range<u32>>);

/// A member: where it starts, how many bytes hold it, its type, and its bits in them.
struct Member {
    start: u64,
    size: u64,
    ty: TypeId,
    bits: Option<Range<u32>>,
}

/// The member of this name; members of anonymous members count.
fn find_member(program: &Program, ty: TypeId, member: &str, depth: u32) -> Option<Member> {
    let types = &program.source.types;
    // Types come from debug information and may be nonsense: bound the walk.
    let data = types.get(ty).filter(|_| depth < 32)?;
    let (TypeKind::Struct(fields) | TypeKind::Union(fields)) = &data.kind else {
        return None;
    };
    fields.iter().find_map(|field| {
        let start = field.bit_offset / 8;
        if field.name == member {
            let first = field.bit_offset % 8;
            return Some(Member {
                start,
                size: match field.bit_size {
                    Some(bits) => (first + bits).div_ceil(8),
                    None => types.get(field.ty)?.size,
                },
                ty: field.ty,
                bits: (field.bit_size).map(|bits| first as u32..(first + bits) as u32),
            });
        }
        if !field.name.is_empty() {
            return None;
        }
        let inner = find_member(program, field.ty, member, depth + 1)?;
        Some(Member {
            start: start + inner.start,
            ..inner
        })
    })
}

#[cfg(test)]
mod tests {
    use crate::parse as parse_program;

    use super::{NameProblem, resolve};

    const PROGRAM: &str = r#"
target "t" pointer 16
type t0 = unsigned "word" size 2
type t1 = array "" size 8 of t0 count 4
global g0 "x" size 2 align 2 typed t0 = { }
global g1 "words" size 8 align 2 typed t1 = { }
function fn0 "main" () -> i16 {
b0:
  return 0
}
"#;

    fn resolved(name: &str) -> Result<(u64, u64), NameProblem> {
        let program = parse_program(PROGRAM).unwrap();
        resolve(&program, name).map(|parts| (parts[0].start, parts[0].end))
    }

    #[test]
    fn names_mean_parts() {
        assert_eq!(resolved("x"), Ok((0, 2)));
        assert_eq!(resolved("words"), Ok((0, 8)));
        assert_eq!(resolved("words[3]"), Ok((6, 8)));
    }

    #[test]
    fn names_that_mean_nothing() {
        let cases = [
            ("", NameProblem::NotAName),
            ("x +", NameProblem::NotAName),
            ("words[", NameProblem::NotAName),
            ("words[-1]", NameProblem::NotAName),
            ("words.", NameProblem::NotAName),
            ("::x", NameProblem::NotAName),
            ("y", NameProblem::Unknown),
            ("main::y", NameProblem::Unknown),
            ("work::y", NameProblem::NoFunction),
            ("words[4]", NameProblem::NoElement { index: 4, count: 4 }),
            ("x.y", NameProblem::NoParts),
            ("x[0]", NameProblem::NoParts),
            ("words.y", NameProblem::NoParts),
        ];
        for (name, problem) in cases {
            assert_eq!(resolved(name), Err(problem), "{name}");
        }
    }
}
