//! What functions are that nobody describes: a guess by their names and prototypes.

use std::borrow::Cow;
use std::fmt::Write;

use brownout_ir::prototype::{self, Pointee, PointeeKind};
use brownout_ir::readable;
use brownout_ir::source::{TypeId, TypeKind};
use brownout_ir::{Func, Function, Program, Type};
use brownout_scenario::{ArgumentExpression, Buffer, Extent, Fill};

use crate::answers;
use crate::bindings;
use crate::passed;

/// Words in the names of functions that act on the world rather than ask it.
const ACTIONS: &[&str] = &[
    "write", "send", "put", "print", "log", "set", "tx", "transmit", "enable", "disable", "start",
    "stop", "toggle", "reset", "register", "free",
];

/// Words in the names of functions that wait for time to pass, unless they give their caller something.
const WAITING: &[&str] = &["delay", "sleep", "wait"];

/// Words in the names of functions that let others run, or keep them from it: the world sees nothing of them.
const YIELDING: &[&str] = &["yield", "scheduler", "mutex", "lock"];

/// Words that begin or end with one of all these and mean something else.
const OTHERS: &[&str] = &[
    "clock", "block", "ready", "input", "offset", "budget", "target",
];

/// Words in the names of functions that give their caller something. One that has no result, and none of
/// these words in its name, tells somebody about what it is given.
const QUESTIONS: &[&str] = &[
    "read",
    "get",
    "recv",
    "receive",
    "fetch",
    "sample",
    "measure",
    "load",
    "rx",
    "input",
    "poll",
    "transfer",
    "transceive",
    "xfer",
    "exchange",
    "query",
    "scan",
    "capture",
    "convert",
    "acquire",
    "sense",
];

/// The words of a name, in small letters: `struct dev.readReg2` has `read` and `reg`.
fn words(name: &str) -> Vec<String> {
    // Of a pointer in a structure, the name of the member counts.
    let name = name.rsplit(['.', ':']).next().unwrap_or_default();
    let mut words = vec![String::new()];
    let mut before = ' ';
    for letter in name.chars() {
        let begins = letter.is_uppercase() && before.is_lowercase();
        if begins || !letter.is_alphabetic() {
            words.push(String::new());
        }
        if letter.is_alphabetic()
            && let Some(word) = words.last_mut()
        {
            word.extend(letter.to_lowercase());
        }
        before = letter;
    }
    words.retain(|word| !word.is_empty());
    words
}

/// Whether a word begins or ends with one of these.
fn is_one_of(word: &str, wanted: &[&str]) -> bool {
    let fits = |wanted: &&str| word.starts_with(wanted) || word.ends_with(wanted);
    !OTHERS.contains(&word) && wanted.iter().any(fits)
}

/// What a function is that nobody describes, as its name and prototype suggest.
pub enum Guess {
    /// It waits, or lets others run.
    Waits,
    /// An output.
    Acts,
    /// An input: it fills buffers, or its result is what it reads.
    Reads(Option<Fill>),
    /// An input that may fill what structures lead to which this argument points to; which of that, nobody
    /// can tell.
    ReadsSomewhere(usize),
}

impl Guess {
    /// What the name and the prototype of a function suggest.
    pub fn of(program: &Program, func: Func) -> Self {
        let function = &program.functions[func];
        let words = words(&function.name);
        let first = |wanted: &[&str]| words.iter().position(|word| is_one_of(word, wanted));
        let buffers = buffers(program, func);
        let asks = first(QUESTIONS).is_some();
        let gives = asks || answers::is_asked_for(program, [func]) || fills_numbers(program, func);
        if first(YIELDING).is_some() || first(WAITING).is_some() && !gives {
            return Self::Waits;
        }
        // Where a name has words of both kinds (`write_read`, `read_register`), a buffer decides, or the word
        // that comes first.
        let has_result =
            !function.results.is_empty() || prototype::result_elsewhere(function).is_some();
        let acts = match (first(ACTIONS), first(QUESTIONS)) {
            (Some(_), None) => true,
            (Some(acts), Some(asks)) => {
                let is_known = function.prototype.is_some() && !buffers.is_empty();
                acts < asks && !is_known && words[acts] != "register"
            }
            (None, asks) => !has_result && asks.is_none(),
        };
        if acts || !may_read(function) {
            return Self::Acts;
        }
        if buffers.is_empty() {
            let pointees = prototype::pointees(program, function).unwrap_or_default();
            let leads_on = |pointee: &Option<Pointee>| {
                let writable = pointee.filter(|pointee| !pointee.is_const);
                matches!(writable.map(|it| it.kind), Some(PointeeKind::Links(_)))
            };
            let somewhere = pointees.iter().rposition(leads_on).filter(|_| asks);
            return somewhere.map_or(Self::Reads(None), Self::ReadsSomewhere);
        }
        let mut fill = Fill {
            buffers,
            // It may fail, or say how much it has read.
            returns: None,
            place: None,
        };
        bindings::resolve_fill(program, &mut fill);
        Self::Reads(Some(fill))
    }
}

/// Whether a function is given variables or arrays to fill: a structure may be a handle.
fn fills_numbers(program: &Program, func: Func) -> bool {
    let pointees = prototype::pointees(program, &program.functions[func]).unwrap_or_default();
    pointees.into_iter().flatten().any(|pointee| {
        let is_number = matches!(
            pointee.kind,
            PointeeKind::Numbers {
                is_record: false,
                ..
            }
        );
        is_number && !pointee.is_const
    })
}

/// Whether a function that is given others to call gives readings besides: it asks, by its name, and fills something.
pub fn asks_beside_callbacks(program: &Program, func: Func) -> bool {
    let words = words(&program.functions[func].name);
    words.iter().any(|word| is_one_of(word, QUESTIONS)) && fills_numbers(program, func)
}

/// The buffers that an input function fills.
fn buffers(program: &Program, func: Func) -> Vec<Buffer> {
    let function = &program.functions[func];
    match prototype::pointees(program, function) {
        Some(pointees) => typed_buffers(program, func, &pointees),
        None => last_buffer(function).into_iter().collect(),
    }
}

/// Where nothing but the machine's types is known: one pointer is taken for a buffer.
fn last_buffer(function: &Function) -> Option<Buffer> {
    let params = &function.params;
    let is = |index: usize, pointer: bool| {
        let ty = params.get(index);
        ty.is_some_and(|ty| (*ty == Type::Ptr) == pointer)
    };
    // The object that a method is called for is no buffer, and neither is a device before others.
    let first = usize::from(is_method(function));
    let mut pointers = (first..params.len()).filter(|&at| is(at, true));
    let last = pointers.clone().next_back();
    // A buffer is followed by its length; else the last pointer is it.
    let with_length = pointers.rfind(|&at| is(at + 1, false) && (at > 0 || last == Some(at)));
    with_length.or(last).map(|buffer| Buffer {
        pointer: argument(buffer),
        length: with_length.map_or(Extent::Bytes(1), |at| Extent::Computed(argument(at + 1))),
        width: 1,
    })
}

fn argument(index: usize) -> ArgumentExpression {
    ArgumentExpression::argument(index as u32)
}

/// All that a function may write: pointers that are not const, to numbers and to what nobody says.
fn typed_buffers(program: &Program, func: Func, pointees: &[Option<Pointee>]) -> Vec<Buffer> {
    let is_length = |at: usize| matches!(pointees.get(at), Some(None));
    let writable = |at: usize| pointees[at].filter(|pointee| !pointee.is_const);
    let numbers = |at: &usize| {
        let kind = writable(*at).map(|pointee| pointee.kind);
        matches!(kind, Some(PointeeKind::Numbers { .. }))
    };
    let anything =
        |at: &usize| writable(*at).is_some_and(|pointee| pointee.kind == PointeeKind::Anything);
    let all = 0..pointees.len();
    let mut found: Vec<usize> = all.clone().filter(numbers).collect();
    // What nobody says the type of is a buffer if its length follows; in front it is a handle.
    found.extend(
        all.clone()
            .filter(|at| *at > 0 && anything(at) && is_length(at + 1)),
    );
    found.sort_unstable();
    // A structure in front of others is the device.
    let is_record = |at: usize| {
        let kind = writable(at).map(|pointee| pointee.kind);
        matches!(
            kind,
            Some(PointeeKind::Numbers {
                is_record: true,
                ..
            })
        )
    };
    if found.len() > 1 && found[0] == 0 && is_record(0) {
        found.remove(0);
    }
    if found.is_empty() {
        // A list of them is no transaction.
        let links = all.clone().rev().find_map(|at| match writable(at)?.kind {
            PointeeKind::Links(ty) if !is_length(at + 1) => Some((at, ty)),
            _ => None,
        });
        let linked = links.map_or_else(Vec::new, |(at, ty)| linked_buffers(program, at, ty));
        if !linked.is_empty() {
            return linked;
        }
        let pointers = all.clone().filter(|at| pointees[*at].is_some()).count();
        let last = all.clone().rfind(anything);
        found.extend(last.filter(|at| *at > 0 || pointers == 1));
    }
    let buffer = |at: usize| {
        let kind = pointees[at].map(|pointee| pointee.kind);
        let passed = passed::least(program, func, at);
        let (bytes, width) = match kind {
            Some(PointeeKind::Numbers { bytes, width, .. }) => (bytes, width),
            _ => (1, 1),
        };
        // A single number that no call gives an array for.
        let is_one = passed::most_bytes(program, func, at) == Some(bytes) && kind_is_sized(kind);
        let is_many = passed.is_some_and(|passed| passed.bytes > bytes);
        let (length, width) = match (is_length(at + 1) && !is_one, bytes) {
            (true, 1) => (Extent::Computed(argument(at + 1)), 1),
            (true, _) if is_many => {
                let text = format!("arg{} * {bytes}", at + 1);
                let length = ArgumentExpression::parse(&text).ok();
                (length.map_or(Extent::Pointee, Extent::Computed), width)
            }
            _ => passed::extent(kind, passed),
        };
        Buffer {
            pointer: argument(at),
            length,
            width: width as u32,
        }
    };
    found.into_iter().map(buffer).collect()
}

fn kind_is_sized(kind: Option<PointeeKind>) -> bool {
    matches!(kind, Some(PointeeKind::Numbers { .. }))
}

/// The buffers that a transaction names in its structure: a pointer that is followed by a number, unless its
/// name says that it is for what is sent.
fn linked_buffers(program: &Program, at: usize, ty: TypeId) -> Vec<Buffer> {
    let types = &program.source.types;
    let Some(data) = types.get(ty) else {
        return Vec::new();
    };
    let TypeKind::Struct(fields) = &data.kind else {
        return Vec::new();
    };
    let mut found = Vec::new();
    for pair in fields.windows(2) {
        let kind = |index: usize| types.get(pair[index].ty).map(|data| &data.kind);
        let is_pointer = matches!(kind(0), Some(TypeKind::Pointer(_)));
        let is_number = matches!(kind(1), Some(TypeKind::Unsigned | TypeKind::Signed));
        let is_sent = words(&pair[0].name)
            .iter()
            .any(|word| is_one_of(word, ACTIONS));
        let way =
            |name: &str| ArgumentExpression::parse(&format!("arg{at}->{}::{name}", data.name)).ok();
        if is_pointer
            && is_number
            && !is_sent
            && let (Some(pointer), Some(length)) = (way(&pair[0].name), way(&pair[1].name))
        {
            found.push(Buffer {
                pointer,
                length: Extent::Computed(length),
                width: 1,
            });
        }
    }
    found
}

/// Whether the first argument of a function is the object that the method is called for. The names of
/// methods in C++ end with the types of the other arguments; a pointer without a name, which a function of
/// C++ calls, is mostly that of a virtual one.
fn is_method(function: &Function) -> bool {
    let name = &function.name;
    let is_virtual = name.starts_with("_Z") && name.contains("::pointer");
    let others = name
        .strip_prefix("_ZN")
        .and_then(|rest| rest.rsplit_once('E'));
    let is_first = |(_, types): (&str, &str)| !types.starts_with(['P', 'R', 'S', 'A']);
    function.params.first() == Some(&Type::Ptr) && (is_virtual || others.is_some_and(is_first))
}

/// Whether a function can hand something to its caller.
pub fn may_read(function: &Function) -> bool {
    !function.results.is_empty() || function.params.contains(&Type::Ptr)
}

/// The lines that describe a function as its prototype and name suggest.
pub fn description(program: &Program, func: Func) -> String {
    let function = &program.functions[func];
    let name = &function.name;
    let key = match name.contains([' ', ':']) {
        true => "pointer",
        false => "function",
    };
    if changes_flash(name) {
        return format!(
            "# `{name}` changes flash: describe the part and its functions, and use `brownout crash`.\n#\n# [[flash]]\n# object = \"VARIABLE\"\n# erase-block = 2048\n# program-function = {{ name = \"{name}\", address = \"arg0\", data = \"arg1\", length = \"arg2\" }}\n"
        );
    }
    let fills = match Guess::of(program, func) {
        Guess::Waits | Guess::Acts => {
            return format!(
                "[[output]]    # or an input, or ignore = [\"{name}\"]\n{key} = \"{name}\"\n"
            );
        }
        Guess::Reads(fills) => fills,
        Guess::ReadsSomewhere(at) => {
            return format!(
                "# Its buffers are in structures. If it fills some, name them:\n#\n# [[input]]\n# {key} = \"{name}\"\n# fills = \"arg{at}->MEMBER\"\n# length = \"arg{at}->MEMBER\"\n"
            );
        }
    };
    let spelled = match readable(name) {
        Cow::Borrowed(_) => String::new(),
        Cow::Owned(spelled) => format!("    # {spelled}"),
    };
    let mut text = format!(
        "[[input]]    # or an output, or ignore = [\"{name}\"]\n{key} = \"{name}\"{spelled}\n"
    );
    if let Some(fill) = fills {
        text += &lines(&fill);
        if !function.results.is_empty() {
            text.push_str("# returns = 0    # if that means success: then it never fails\n");
        }
    }
    text
}

/// Whether a function programs or erases flash, by its name: neither an input nor an output.
fn changes_flash(name: &str) -> bool {
    let name = name.to_lowercase();
    let mut changes = ["program", "erase", "write"].into_iter();
    name.contains("flash") && changes.any(|change| name.contains(change))
}

/// The lines that say what an input fills.
pub fn lines(fill: &Fill) -> String {
    let mut text = format!("fills = \"{}\"\n", fill.names());
    let lengths = fill.buffers.iter().map(|buffer| match &buffer.length {
        Extent::Computed(length) => length.to_string(),
        Extent::Bytes(bytes) => bytes.to_string(),
        Extent::Result => "result".to_owned(),
        Extent::Pointee => buffer.width.to_string(),
    });
    let mut lengths: Vec<String> = lengths.collect();
    if lengths.iter().all(|length| *length == lengths[0]) {
        lengths.truncate(1);
    }
    let _ = writeln!(text, "length = \"{}\"    # bytes", lengths.join(", "));
    let widths = fill.buffers.iter().map(|buffer| buffer.width);
    if let Some(width) = widths.min().filter(|width| *width > 1) {
        let _ = writeln!(text, "width = {width}");
    }
    text
}

#[cfg(test)]
mod tests {
    use super::{ACTIONS, QUESTIONS, WAITING, YIELDING, is_one_of, words};

    #[test]
    fn names_are_taken_apart() {
        assert_eq!(words("struct dev.readReg2"), ["read", "reg"]);
        assert_eq!(words("HAL_I2C_Mem_Read"), ["hal", "i", "c", "mem", "read"]);
        let is =
            |name: &str, wanted: &[&str]| words(name).iter().any(|word| is_one_of(word, wanted));
        assert!(is("i2cread", QUESTIONS) && is("getdata", QUESTIONS));
        assert!(!is("data_ready", QUESTIONS) && !is("on_value", QUESTIONS));
        assert!(!is("input", ACTIONS) && !is("get_offset", ACTIONS) && is("set_pin", ACTIONS));
        assert!(is("delay_ms", WAITING) && !is("read_block", YIELDING));
    }
}
