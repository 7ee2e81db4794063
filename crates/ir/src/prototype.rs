//! Prototypes of functions: what parameters point to, and whether the function may write there.
//!
//! A prototype is text as C++ spells the type of a function, `int (unsigned char const*, short*)`, because that
//! is what compilers give for functions that are only declared. It has no names of parameters.

use crate::source::{TypeId, TypeKind};
use crate::{Function, Program, Type};

/// What a pointer that is passed to a function points to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Pointee {
    /// Whether the function promises not to write there.
    pub is_const: bool,
    /// What is there.
    pub kind: PointeeKind,
}

/// What a pointer points to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PointeeKind {
    /// A number, or something made of numbers: so many bytes, of which so many belong together.
    Numbers {
        /// All of it.
        bytes: u64,
        /// One number.
        width: u64,
        /// Whether it is a structure.
        is_record: bool,
    },
    /// A structure that has pointers in it.
    Links(TypeId),
    /// Nobody says what: `void *`.
    Anything,
    /// Something else: a function, a pointer, a structure that is not known.
    Other,
}

/// What each parameter of a function points to; nothing for numbers. Nothing at all if the prototype is not
/// known, or does not say which of its parameters are which of the function's.
pub fn pointees(program: &Program, function: &Function) -> Option<Vec<Option<Pointee>>> {
    let passed = function.params.len() - usize::from(function.variadic);
    let other = Pointee {
        is_const: false,
        kind: PointeeKind::Other,
    };
    let spelled = spelled(function)?.into_iter();
    let mut found: Vec<Option<Pointee>> = spelled
        .map(|text| text.map_or(Some(other), |text| pointee(program, text)))
        .collect();
    if let (Some(first), Some(result)) = (found.first_mut(), result_elsewhere(function)) {
        *first = pointee(program, &format!("{result}*"));
    }
    found.resize(function.params.len(), None);
    let fits = |(pointee, ty): (&Option<Pointee>, &Type)| pointee.is_some() == (*ty == Type::Ptr);
    let mut passed = found.iter().zip(&function.params).take(passed);
    passed.all(fits).then_some(found)
}

/// How the parameters of a function are spelled in its prototype, as far as that is known.
pub fn spelled(function: &Function) -> Option<Vec<Option<&str>>> {
    let spelled = parameters(function.prototype.as_deref()?)?;
    let passed = function.params.len() - usize::from(function.variadic);
    // Where the result goes and the object that a method is called for come first and are not spelled.
    let most = 1 + usize::from(result_elsewhere(function).is_some());
    let hidden = passed.checked_sub(spelled.len()).filter(|it| *it <= most)?;
    let hidden = std::iter::repeat_n(None, hidden);
    Some(hidden.chain(spelled.into_iter().map(Some)).collect())
}

/// How the result of a function is spelled that is too large for registers: its first parameter is the address where
/// it goes.
pub fn result_elsewhere(function: &Function) -> Option<&str> {
    let (result, _) = halves(function.prototype.as_deref()?)?;
    let result = result.trim();
    let goes_elsewhere = function.results.is_empty()
        && function.params.first() == Some(&Type::Ptr)
        && !result.is_empty()
        && result != "void";
    goes_elsewhere.then_some(result)
}

/// What is in front of the last parentheses of a prototype, and in them.
fn halves(prototype: &str) -> Option<(&str, &str)> {
    let inner = prototype.trim_end().strip_suffix(')')?;
    let mut depth = 0;
    let start = inner.char_indices().rev().find(|&(_, letter)| {
        match letter {
            ')' => depth += 1,
            '(' if depth == 0 => return true,
            '(' => depth -= 1,
            _ => {}
        }
        false
    });
    let start = start?.0;
    Some((&inner[..start], &inner[start + 1..]))
}

/// The parameters of a prototype, which are in its last parentheses.
fn parameters(prototype: &str) -> Option<Vec<&str>> {
    let (_, inner) = halves(prototype)?;
    let inner = inner.trim();
    if inner.is_empty() || inner == "void" {
        return Some(Vec::new());
    }
    let mut depth = 0;
    let is_comma = |letter: char| {
        match letter {
            '(' | '<' | '[' => depth += 1,
            ')' | '>' | ']' => depth -= 1,
            _ => {}
        }
        letter == ',' && depth == 0
    };
    let all: Vec<&str> = inner.split(is_comma).map(str::trim).collect();
    Some(all.into_iter().filter(|it| *it != "...").collect())
}

/// What a parameter points to, if it is a pointer or a reference.
fn pointee(program: &Program, parameter: &str) -> Option<Pointee> {
    let parameter = parameter
        .trim_end_matches(" restrict")
        .trim_end_matches("__restrict");
    let other = |is_const: bool| {
        let kind = PointeeKind::Other;
        Some(Pointee { is_const, kind })
    };
    if parameter.contains("(*)") || parameter.contains("(&)") {
        return other(false);
    }
    let text = parameter.strip_suffix(['*', '&'])?.trim_end();
    let is_const = text
        .split(' ')
        .rev()
        .take_while(|it| ["const", "volatile"].contains(it));
    let is_const = is_const.into_iter().any(|word| word == "const");
    let name = text
        .trim_end_matches(" volatile")
        .trim_end_matches(" const")
        .trim_end_matches(" volatile");
    let kind = match name {
        "void" => PointeeKind::Anything,
        _ => match (number(program, name), named(program, name)) {
            (Some(bytes), _) => PointeeKind::Numbers {
                bytes,
                width: bytes,
                is_record: false,
            },
            (None, Some(ty)) => match numbers_of(program, ty) {
                Some(kind) => kind,
                None => PointeeKind::Links(ty),
            },
            (None, None) => return other(is_const),
        },
    };
    Some(Pointee { is_const, kind })
}

/// How many bytes a number of the language has.
fn number(program: &Program, name: &str) -> Option<u64> {
    let pointer = u64::from(program.target.pointer_bytes());
    Some(match name {
        "char" | "signed char" | "unsigned char" | "bool" => 1,
        "short" | "unsigned short" => 2,
        "int" | "unsigned int" => u64::from(program.int().bytes(&program.target)),
        "long" | "unsigned long" => pointer.max(4),
        "long long" | "unsigned long long" | "double" => 8,
        "float" => 4,
        _ => return None,
    })
}

/// The type of this name.
fn named(program: &Program, name: &str) -> Option<TypeId> {
    let mut types = program.source.types.iter();
    let found = types.find(|(_, data)| data.size > 0 && data.name == name);
    found.map(|(id, _)| id)
}

/// A type that is made of nothing but numbers.
pub fn numbers_of(program: &Program, ty: TypeId) -> Option<PointeeKind> {
    let data = program.source.types.get(ty)?;
    let mut widths = Vec::new();
    if !numbers(program, ty, &mut widths, 0) {
        return None;
    }
    widths.sort_unstable();
    widths.dedup();
    Some(PointeeKind::Numbers {
        bytes: data.size,
        width: match widths[..] {
            // Numbers of one size follow one another without gaps.
            [width] if (1..=8).contains(&width) && data.size.is_multiple_of(width) => width,
            _ => 1,
        },
        is_record: matches!(data.kind, TypeKind::Struct(_) | TypeKind::Union(_)),
    })
}

/// How deep structures are looked into.
const DEPTH: u32 = 16;

/// Whether a type is made of nothing but numbers, and how large these are.
fn numbers(program: &Program, ty: TypeId, widths: &mut Vec<u64>, depth: u32) -> bool {
    let Some(data) = program.source.types.get(ty).filter(|_| depth < DEPTH) else {
        return false;
    };
    match &data.kind {
        TypeKind::Unsigned
        | TypeKind::Signed
        | TypeKind::Char
        | TypeKind::Bool
        | TypeKind::Float
        | TypeKind::Enum(_) => {
            widths.push(data.size);
            true
        }
        TypeKind::Pointer(_) | TypeKind::Opaque => false,
        TypeKind::Struct(fields) | TypeKind::Union(fields) => {
            let mut fields = fields.iter();
            fields.all(|field| match field.bit_size {
                Some(_) => {
                    widths.push(1);
                    true
                }
                None => numbers(program, field.ty, widths, depth + 1),
            })
        }
        TypeKind::Array { element, .. } => numbers(program, *element, widths, depth + 1),
    }
}

#[cfg(test)]
mod tests {
    use super::{Pointee, PointeeKind, parameters, pointees};
    use crate::source::TypeId;
    use crate::{Id, parse};

    #[test]
    fn parameters_are_told_apart() {
        let text = "int (msg*, int, void (*)(int, char), unsigned char const*)";
        let all = ["msg*", "int", "void (*)(int, char)", "unsigned char const*"];
        assert_eq!(parameters(text), Some(all.to_vec()));
        assert_eq!(parameters("void ()"), Some(vec![]));
        assert_eq!(parameters("int"), None);
    }

    #[test]
    fn pointers_say_what_they_point_to() {
        let text = r#"
target "msp430" pointer 16

type t0 = unsigned "unsigned int" size 2
type t1 = struct "point" size 4 { "x": t0 at 0, "y": t0 at 16 }
type t2 = pointer "" size 2 to t1
type t3 = struct "msg" size 4 { "buf": t2 at 0, "len": t0 at 16 }

function fn0 "get" (ptr, i16, ptr, ptr, ptr) -> i16 prototype "int (unsigned char const*, int, point*, msg*, void*)" exported
function fn1 "m" (ptr, ptr) -> i16 prototype "int (long*)" exported
function fn2 "f" (i16) -> i16 prototype "int (long*)" exported
"#;
        let program = parse(text).unwrap_or_else(|error| panic!("{error}"));
        let of = |name: &str| {
            let func = program.function(name).unwrap();
            pointees(&program, &program.functions[func])
        };
        let to = |is_const: bool, kind: PointeeKind| Some(Pointee { is_const, kind });
        let numbers = |bytes: u64, width: u64, is_record: bool| PointeeKind::Numbers {
            bytes,
            width,
            is_record,
        };
        let expected = vec![
            to(true, numbers(1, 1, false)),
            None,
            to(false, numbers(4, 2, true)),
            to(false, PointeeKind::Links(TypeId::from_index(3))),
            to(false, PointeeKind::Anything),
        ];
        assert_eq!(of("get"), Some(expected));
        let expected = vec![
            to(false, PointeeKind::Other),
            to(false, numbers(4, 4, false)),
        ];
        assert_eq!(of("m"), Some(expected));
        assert_eq!(of("f"), None);
    }
}
