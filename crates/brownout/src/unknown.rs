//! Functions that nobody describes: what is not known is not nothing (SEMANTICS §3.5).
//!
//! A function without a body may read the world outside. Where it is the only one that could, "nothing
//! found" would be a guess: it is said that nothing was analysed, with the lines that would change that.

use std::collections::BTreeSet;
use std::fmt::Write;

use brownout_diag::Finding;
use brownout_ir::{
    Callee, Func, Function, Global, Inst, Op, Operand, Origin, Program, Type, reach,
};
use brownout_scenario::{Effect, Extent, Fill, Input, Output, Scenario, Source, ValueSource};

use crate::front_end::Gap;
use crate::ready;

/// What a program calls that may read inputs.
#[derive(Debug, Default)]
pub(crate) struct Unknown {
    /// Functions without a body.
    pub(crate) functions: Vec<Func>,
    /// Functions that call through pointers of which it is not known where they point to.
    pub(crate) through_pointers: Vec<Func>,
    /// Those of them that want an answer from there.
    pub(crate) asked: Vec<Func>,
}

/// Words in the names of functions that act on the world rather than ask it.
const ACTIONS: &[&str] = &[
    "write", "send", "put", "print", "log", "set", "tx", "transmit", "enable", "disable", "start",
    "stop", "toggle", "reset", "register", "free",
];

/// Words in the names of functions that wait, or let others run: the world sees nothing of them.
const WAITING: &[&str] = &[
    "delay",
    "sleep",
    "wait",
    "yield",
    "scheduler",
    "mutex",
    "lock",
];
/// Words that begin or end with one of all these and mean something else.
const OTHERS: &[&str] = &[
    "clock", "block", "ready", "input", "offset", "budget", "target",
];

/// Words in the names of functions that give their caller something. One that has no result, and none of
/// these words in its name, tells somebody about what it is given.
const QUESTIONS: &[&str] = &[
    "read", "get", "recv", "receive", "fetch", "sample", "measure", "load", "rx", "input", "poll",
    "transfer", "xfer", "exchange", "query", "scan", "capture", "convert", "acquire", "sense",
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
pub(crate) enum Guess {
    /// It waits, or lets others run.
    Waits,
    /// An output.
    Acts,
    /// An input: it fills a buffer, or its result is what it reads.
    Reads(Option<Fill>),
}

impl Guess {
    pub(crate) fn of(function: &Function) -> Self {
        let words = words(&function.name);
        let has = |wanted: &[&str]| words.iter().any(|word| is_one_of(word, wanted));
        if has(WAITING) {
            return Self::Waits;
        }
        let tells = function.results.is_empty() && !has(QUESTIONS);
        if has(ACTIONS) || !may_read(function) || tells {
            return Self::Acts;
        }
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
        Self::Reads(with_length.or(last).map(|buffer| Fill {
            argument: buffer as u32,
            length: with_length.map(|at| Extent::Argument(at as u32 + 1)),
            width: 1,
            // It may fail, or say how much it has read.
            returns: None,
        }))
    }
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

/// Gives functions that are called through pointers which nobody sets, and that nobody describes, the part
/// that their names and prototypes suggest, and says so. Which these are.
pub(crate) fn describe_pointers(
    program: &Program,
    pointers: &[Func],
    scenario: &mut Scenario,
) -> Vec<Func> {
    let mut guessed = Vec::new();
    for &func in pointers {
        let function = &program.functions[func];
        let name = &function.name;
        let source = Source::Function(name.clone());
        let is_described = scenario.inputs.iter().any(|input| input.source == source)
            || scenario
                .outputs
                .iter()
                .any(|output| output.source == source)
            || scenario.ignore.contains(name)
            || scenario.pure.contains(name);
        if is_described {
            continue;
        }
        let part = match Guess::of(function) {
            Guess::Waits => {
                scenario.ignore.push(name.clone());
                "does nothing".to_owned()
            }
            Guess::Acts => {
                scenario.outputs.push(Output {
                    source,
                    semantics: None,
                    mask: None,
                    effect: Effect::default(),
                    takes: None,
                });
                "is an output".to_owned()
            }
            Guess::Reads(fills) => {
                let seed = scenario.inputs.len() as u64;
                scenario.inputs.push(Input {
                    is_declared: false,
                    source,
                    values: ValueSource::Random { seed },
                    mask: None,
                    fills,
                    model: None,
                });
                match fills {
                    Some(fill) => {
                        format!("is an input that fills what arg{} points to", fill.argument)
                    }
                    None => "is an input".to_owned(),
                }
            }
        };
        scenario.notes.push(format!(
            "`{name}` is called through a pointer that nothing sets: by its name and prototype it {part}"
        ));
        guessed.push(func);
    }
    guessed
}

impl Unknown {
    /// Whether there is nothing that nobody describes.
    pub(crate) fn is_empty(&self) -> bool {
        self.functions.is_empty() && self.through_pointers.is_empty()
    }

    /// Why the result says nothing about inputs, if no input is known and there may be some, or not all of it,
    /// if others would decide something (`suspected`): with the lines of configuration that describe all
    /// functions in question.
    pub(crate) fn complaint(
        &self,
        program: &Program,
        scenario: &Scenario,
        suspected: &[Finding],
    ) -> Option<String> {
        let some_known = !scenario.inputs.is_empty() || scenario.mmio.is_some();
        let mut functions: Vec<&Function> = self
            .functions
            .iter()
            .filter(|&&func| may_be_input(program, func))
            .filter(|&&func| !some_known || decides(program, func, suspected))
            .map(|&func| &program.functions[func])
            .collect();
        functions.extend(standard_input(program, scenario));
        let (registers, through_pointers) = match some_known {
            true => (Vec::new(), &self.asked),
            false => (registers_read(program, scenario), &self.through_pointers),
        };
        if functions.is_empty() && through_pointers.is_empty() && registers.is_empty() {
            return None;
        }
        let mut text = match some_known {
            true => "repeated inputs were not analysed in full: not all inputs are known",
            false => "repeated inputs were not analysed: no input is known",
        }
        .to_owned();
        if !functions.is_empty() {
            let names = functions
                .iter()
                .map(|function| format!("`{}`", function.name));
            let names: Vec<String> = names.collect();
            let _ = write!(text, "; {} may read some", listed(&names));
        }
        let objects = suspected.iter().flat_map(|finding| {
            let variables = finding.variables.iter().map(|variable| &variable.object);
            variables.chain(&finding.object)
        });
        let objects: BTreeSet<String> =
            objects.map(|object| format!("`{}`", object.name)).collect();
        if some_known && !objects.is_empty() {
            let objects: Vec<String> = objects.into_iter().collect();
            let _ = write!(text, " and decide what is in {}", listed(&objects));
        }
        if !through_pointers.is_empty() {
            let callers = through_pointers.iter();
            let callers = callers.map(|&func| format!("`{}`", program.functions[func].name));
            let callers: Vec<String> = callers.collect();
            let _ = write!(
                text,
                "; so may what {} through pointers",
                match callers.as_slice() {
                    [only] => format!("{only} calls"),
                    _ => format!("{} call", listed(&callers)),
                }
            );
        }
        if !registers.is_empty() {
            let _ = write!(text, "; reading {} may be one", listed(&registers));
            text.push_str("\nhelp: say which registers are inputs: `mmio = \"input\"` in brownout.toml for all of them, or `[[input]] register = …`");
        }
        if !functions.is_empty() {
            text.push_str(
                "\nhelp: say in brownout.toml what they are; a guess by their prototypes:\n",
            );
            for function in functions {
                text.push('\n');
                for line in description(function).lines() {
                    text.extend(["    ", line, "\n"]);
                }
            }
        }
        Some(text)
    }
}

/// Whether nothing but its name is known of a function that may hand something to its caller.
pub(crate) fn may_be_input(program: &Program, func: Func) -> bool {
    let function = &program.functions[func];
    function.origin == Origin::User && may_read(function) && !takes_callbacks(program, func)
}

/// Whether a call of a function is where one of these findings begins.
fn decides(program: &Program, func: Func, findings: &[Finding]) -> bool {
    let source = &program.source;
    let calls = program.user_instructions().filter(
        |inst| matches!(inst.op, Op::Call { callee: Callee::Direct(callee), .. } if callee == func),
    );
    let mut places = calls.filter_map(|inst| source.places.get(inst.place?));
    places.any(|place| {
        let mut inputs = findings.iter().flat_map(|finding| &finding.inputs);
        inputs.any(|input| {
            input.line == place.line
                && input.column == place.column
                && source.files.get(place.file) == Some(&input.file)
        })
    })
}

/// Functions of the C library that read what somebody types: here that has always ended.
const TYPED: &[&str] = &["getchar", "getc", "fgetc", "fgets", "fread", "read"];

/// Those of them that the user's code calls and nobody describes.
fn standard_input<'p>(program: &'p Program, scenario: &Scenario) -> Vec<&'p Function> {
    let called: BTreeSet<Func> = program
        .user_instructions()
        .filter_map(|inst| match inst.op {
            Op::Call {
                callee: Callee::Direct(func),
                ..
            } => Some(func),
            _ => None,
        })
        .collect();
    let functions = called.into_iter().map(|func| &program.functions[func]);
    let unknown = functions.filter(|function| {
        let is_library = function.origin == Origin::Library && function.body.is_some();
        let mut inputs = scenario.inputs.iter();
        is_library
            && TYPED.contains(&function.name.as_str())
            && !inputs.any(|input| input.source == Source::Function(function.name.clone()))
    });
    unknown.collect()
}

/// What could not be translated in code without a `main`: it may read an input, and what is around it is not
/// executed.
pub(crate) fn untranslated(program: &Program, gaps: &[Gap]) -> Vec<String> {
    // Static analysis follows the labels of `asm goto`, which gives no value.
    let gaps = gaps.iter().filter(|gap| !gap.what.contains("`asm goto`"));
    let gaps = gaps.filter_map(|gap| {
        let function = &program.functions[gap.function?];
        let place = gap.place.map(|place| ready::describe(&program.source, place));
        let place = place.map_or_else(String::new, |place| format!(", {place}"));
        Some(format!(
            "`{}` was not analysed in full: {}{place} may read an input\nhelp: put it into a function of its own that only other compilers see the body of, and describe that function in brownout.toml",
            function.name, gap.what,
        ))
    });
    gaps.collect()
}

/// Variables that the user's code accesses as volatile.
pub(crate) fn volatile_globals(program: &Program) -> BTreeSet<Global> {
    let accessed = program
        .user_instructions()
        .filter_map(Inst::volatile_address);
    let globals = accessed.filter_map(|address| match address {
        Operand::Global(global, _) => Some(global),
        _ => None,
    });
    globals.collect()
}

/// What the user's code reads as volatile and nobody defines: variables, addresses, and what is behind
/// pointers.
fn registers_read(program: &Program, scenario: &Scenario) -> Vec<String> {
    let mut names = BTreeSet::new();
    for inst in program.user_instructions() {
        let Op::Load {
            address,
            volatile: true,
            ..
        } = inst.op
        else {
            continue;
        };
        match address {
            Operand::Global(global, _) => {
                let data = &program.globals[global];
                if data.init.is_none() && !scenario.memory.is_nonvolatile(&data.name) {
                    names.insert(format!("`{}`", data.name));
                }
            }
            Operand::Bits(address) => _ = names.insert(format!("`{address:#06x}`")),
            Operand::Value(_) => _ = names.insert("volatile memory behind pointers".to_owned()),
            _ => {}
        }
    }
    names.into_iter().collect()
}

/// What to say of device registers that were read and that nothing describes.
pub(crate) fn registers(names: &BTreeSet<String>) -> Option<String> {
    let (is, it_gives, it) = match names.len() {
        0 => return None,
        1 => ("is", "it gives", "it"),
        _ => ("are", "they give", "them"),
    };
    let quoted: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
    let mut lines = format!(
        "{} {is} read, and nothing says what {it_gives}: taken to be 0\nhelp: give the file that defines {it}, or describe {it} in brownout.toml (`mmio = \"input\"` for all registers):\n",
        listed(&quoted)
    );
    for name in names {
        _ = write!(lines, "\n    [[input]]\n    register = \"{name}\"\n");
    }
    Some(lines)
}

/// Some names; of many the first.
pub(crate) fn listed(names: &[String]) -> String {
    const SHOWN: usize = 8;
    match names.len().checked_sub(SHOWN) {
        None | Some(0) => names.join(", "),
        Some(more) => format!("{} and {more} more", names[..SHOWN].join(", ")),
    }
}

/// Whether a function can hand something to its caller.
fn may_read(function: &Function) -> bool {
    !function.results.is_empty() || function.params.contains(&Type::Ptr)
}

/// Whether a function is given others to call: what these do is looked at, and it gives no readings.
pub(crate) fn takes_callbacks(program: &Program, func: Func) -> bool {
    let given = reach::given_away(program);
    given.iter().any(|&(_, taker)| taker == func)
}

/// The lines that describe a function as its prototype and name suggest.
pub(crate) fn description(function: &Function) -> String {
    let name = &function.name;
    let key = match name.contains([' ', ':']) {
        true => "pointer",
        false => "function",
    };
    let fills = match Guess::of(function) {
        Guess::Waits | Guess::Acts => {
            return format!(
                "[[output]]    # or an input, or ignore = [\"{name}\"]\n{key} = \"{name}\"\n"
            );
        }
        Guess::Reads(fills) => fills,
    };
    let mut text =
        format!("[[input]]    # or an output, or ignore = [\"{name}\"]\n{key} = \"{name}\"\n");
    if let Some(fill) = fills {
        let _ = writeln!(text, "fills = \"arg{}\"", fill.argument);
        match fill.length {
            Some(Extent::Argument(length)) => _ = writeln!(text, "length = \"arg{length}\""),
            _ => text.push_str("width = 1    # bytes\n"),
        }
        if !function.results.is_empty() {
            text.push_str("# returns = 0    # if that means success: then it never fails\n");
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::{ACTIONS, QUESTIONS, WAITING, is_one_of, words};

    #[test]
    fn names_are_taken_apart() {
        assert_eq!(words("struct dev.readReg2"), ["read", "reg"]);
        assert_eq!(words("HAL_I2C_Mem_Read"), ["hal", "i", "c", "mem", "read"]);
        let is =
            |name: &str, wanted: &[&str]| words(name).iter().any(|word| is_one_of(word, wanted));
        assert!(is("i2cread", QUESTIONS) && is("getdata", QUESTIONS));
        assert!(!is("data_ready", QUESTIONS) && !is("on_value", QUESTIONS));
        assert!(!is("input", ACTIONS) && !is("get_offset", ACTIONS) && is("set_pin", ACTIONS));
        assert!(is("delay_ms", WAITING) && !is("read_block", WAITING));
    }
}
