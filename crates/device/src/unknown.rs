//! Functions that nobody describes: what is not known is not nothing (SEMANTICS §3.5).
//!
//! A function without a body may read the world outside. Where it is the only one that could, "nothing
//! found" would be a guess: it is said that nothing was analysed, with the lines that would change that.

use std::collections::BTreeSet;
use std::fmt::Write;

use brownout_diag::Finding;
use brownout_ir::{Callee, Func, Global, Inst, Op, Operand, Origin, Program, Type, gifts};
use brownout_scenario::{Doubt, Effect, Input, Output, Scenario, Source, ValueSource};

use crate::guess::{Guess, asks_beside_callbacks, description, may_read};
use crate::interrupts;
use crate::places;
use crate::prepared::{Gap, Prepared};
use crate::setting::callable;

/// What a program calls that may read inputs.
#[derive(Debug, Default)]
pub struct Unknown {
    /// Functions without a body.
    pub functions: Vec<Func>,
    /// Functions that call through pointers of which it is not known where they point to.
    pub through_pointers: Vec<Func>,
    /// Those of them that want an answer from there.
    pub asked: Vec<Func>,
}

/// Gives functions that are called through pointers which nobody sets, and that nobody describes, the part
/// that their names and prototypes suggest, and says so. Which these are.
pub fn describe_pointers(
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
        let part = match Guess::of(program, func) {
            Guess::Waits => {
                scenario.ignore.push(name.clone());
                "does nothing".to_owned()
            }
            // It stays unknown.
            Guess::ReadsSomewhere(_) => continue,
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
                let part = match &fills {
                    Some(fill) => format!("is an input that fills what {} points to", fill.names()),
                    None => "is an input".to_owned(),
                };
                scenario.inputs.push(Input {
                    is_declared: false,
                    source,
                    values: ValueSource::Random { seed },
                    mask: None,
                    fills,
                    model: None,
                });
                part
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
    pub fn is_empty(&self) -> bool {
        self.functions.is_empty() && self.through_pointers.is_empty()
    }

    /// Why the result says nothing about inputs, if no input is known and there may be some, or not all of it,
    /// if others would decide something (`suspected`): with the lines of configuration that describe all
    /// functions in question.
    pub fn complaint(
        &self,
        program: &Program,
        scenario: &Scenario,
        suspected: &[Finding],
    ) -> Option<String> {
        let some_known = !scenario.inputs.is_empty() || scenario.mmio.is_some();
        let mut functions: Vec<Func> = self
            .functions
            .iter()
            .copied()
            .filter(|&func| may_be_input(program, func))
            .filter(|&func| !some_known || decides(program, func, suspected))
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
                .map(|&func| format!("`{}`", program.functions[func].name));
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
            for func in functions {
                text.push('\n');
                for line in description(program, func).lines() {
                    text.extend(["    ", line, "\n"]);
                }
            }
        }
        Some(text)
    }
}

/// Whether nothing but its name is known of a function that may hand something to its caller.
pub fn may_be_input(program: &Program, func: Func) -> bool {
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
fn standard_input(program: &Program, scenario: &Scenario) -> Vec<Func> {
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
    let unknown = called.into_iter().filter(|&func| {
        let function = &program.functions[func];
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
pub fn untranslated(program: &Program, gaps: &[Gap]) -> Vec<String> {
    // Static analysis follows the labels of `asm goto`, which gives no value.
    let gaps = gaps.iter().filter(|gap| !gap.what.contains("`asm goto`"));
    let gaps = gaps.filter_map(|gap| {
        let function = &program.functions[gap.function?];
        let place = gap.place.map(|place| places::describe(&program.source, place));
        let place = place.map_or_else(String::new, |place| format!(", {place}"));
        Some(format!(
            "`{}` was not analysed in full: {}{place} may read an input\nhelp: put it into a function of its own that only other compilers see the body of, and describe that function in brownout.toml",
            function.name, gap.what,
        ))
    });
    gaps.collect()
}

/// Registers by which a chip writes memory that lasts, and what that is.
const CONTROLLERS: [(&str, &str); 2] = [("FCTL1", "flash"), ("EECR", "EEPROM")];

/// That the user's code lets the chip write memory that lasts through a register, which is not emulated.
pub fn memory_controller(program: &Program, scenario: &Scenario) -> Option<String> {
    let registers = scenario.memory.chip.iter().flat_map(|chip| &chip.registers);
    let mut registers = registers.filter(|register| register.flash);
    let is_written = |address: u64| {
        program.user_instructions().any(|inst| match inst.op {
            Op::Store { address: at, .. } => at == Operand::Bits(address.into()),
            _ => false,
        })
    };
    let register = registers.find(|register| is_written(register.address));
    let (name, memory) = match register {
        Some(register) => (register.name.as_str(), "flash"),
        None => {
            let mut insts = program.user_instructions();
            insts.find_map(|inst| match inst.op {
                Op::Store {
                    address: Operand::Global(global, _),
                    ..
                } => {
                    let name = &program.globals[global].name;
                    CONTROLLERS
                        .into_iter()
                        .find(|(controller, _)| controller == name)
                }
                _ => None,
            })?
        }
    };
    let help = match memory {
        "EEPROM" => {
            "write it by the functions of `<avr/eeprom.h>`, which are known, or describe yours (`[[flash]]`, and `brownout crash`)"
        }
        _ => "describe the functions that program and erase it (`[[flash]]`, and `brownout crash`)",
    };
    Some(format!(
        "`{name}` makes the chip write its {memory}, which is not emulated: what happens to that was not checked\nhelp: {help}"
    ))
}

/// That the user's code reads what the chip computes from what it was given, which is not emulated.
pub fn computed_registers(program: &Program, scenario: &Scenario) -> Option<String> {
    let chip = scenario.memory.chip?;
    let is_described = |name: &str| {
        let mut inputs = scenario.inputs.iter();
        inputs.any(|input| input.source.name() == name)
    };
    let read = program
        .user_instructions()
        .filter_map(|inst| match inst.op {
            Op::Load {
                address: Operand::Global(global, _),
                ..
            } => Some(program.globals[global].name.as_str()),
            _ => None,
        });
    let read = read.filter(|name| chip.computes(name) && !is_described(name));
    let names: BTreeSet<String> = read.map(|name| format!("`{name}`")).collect();
    let names: Vec<String> = names.into_iter().collect();
    (!names.is_empty()).then(|| {
        format!(
            "{}: what the chip computes is not emulated, and what was written stays there: what depends on it was not checked\nhelp: compute it in C for the check (`#ifdef __BROWNOUT__`)",
            listed(&names)
        )
    })
}

/// That the user's code lets a DMA controller write non-volatile memory, which is not emulated. What it writes to
/// variables that are lost with the power is none of that.
pub fn direct_memory_access(program: &Program, scenario: &Scenario) -> Option<String> {
    let destination = |operand: Operand| match operand {
        Operand::Global(global, _) => {
            let name = &program.globals[global].name;
            let channel = name
                .strip_prefix("DMA")
                .map(|rest| rest.trim_end_matches('L'));
            let channel = channel.and_then(|rest| rest.strip_suffix("DA"));
            channel
                .is_some_and(|channel| channel.parse::<u8>().is_ok())
                .then_some(name)
        }
        _ => None,
    };
    let is_lost = |value: Operand| match value {
        Operand::Global(global, _) => !scenario
            .memory
            .is_nonvolatile(&program.globals[global].name),
        _ => false,
    };
    let register = program
        .user_instructions()
        .find_map(|inst| match &inst.op {
            Op::Load { .. } => None,
            Op::Store { value, .. } if is_lost(*value) => None,
            op => {
                let mut found = None;
                op.visit_operands(&program.target, |operand, _| {
                    found = found.or(destination(operand))
                });
                found
            }
        })?;
    Some(format!(
        "`{register}` makes the chip write memory by itself, which is not emulated: what that does to non-volatile memory was not checked\nhelp: copy it in a loop for the check (`#ifdef __BROWNOUT__`)"
    ))
}

/// The addresses of non-volatile memory that the user's code names by their numbers.
pub fn kept_addresses(program: &Program, scenario: &Scenario) -> BTreeSet<u64> {
    let mut found = BTreeSet::new();
    for inst in program.user_instructions() {
        inst.op.visit_operands(&program.target, |operand, ty| {
            let (Operand::Bits(number), Type::Ptr) = (operand, ty) else {
                return;
            };
            let Ok(address) = u64::try_from(number) else {
                return;
            };
            if address != 0 && is_kept(scenario, address) {
                found.insert(address);
            }
        });
    }
    found
}

fn is_kept(scenario: &Scenario, address: u64) -> bool {
    let mut stretches = scenario.memory.map.iter();
    stretches.any(|stretch| stretch.nonvolatile && stretch.addresses.contains(&address))
}

/// What static analysis and proofs do not know of a program: non-volatile memory at fixed addresses.
pub fn kept_at_addresses(program: &Program, scenario: &Scenario) -> Option<String> {
    let addresses = kept_addresses(program, scenario);
    let names: Vec<String> = (addresses.iter())
        .map(|address| format!("`{address:#06x}`"))
        .collect();
    (!names.is_empty()).then(|| {
        format!(
            "non-volatile memory at fixed addresses ({})",
            listed(&names)
        )
    })
}

/// What may keep its contents without power by what the program says, and is taken to lose them.
pub fn doubtful(scenario: &Scenario) -> Option<String> {
    let memory = &scenario.memory;
    let doubts = memory.doubts.iter();
    let serious: Vec<&Doubt> = doubts.filter(|doubt| doubt.is_serious).collect();
    if serious.is_empty() {
        return None;
    }
    let what = serious.iter().map(|doubt| match doubt.is_section {
        true => format!("{doubt} non-volatile"),
        false => doubt.to_string(),
    });
    let what: Vec<String> = what.collect();
    let names: Vec<String> = serious
        .iter()
        .flat_map(|doubt| doubt.selections())
        .collect();
    let lost: Vec<String> = names.iter().map(|name| format!("!{name}")).collect();
    let known = memory.nonvolatile.iter().filter(|_| !memory.is_assumed);
    let kept: Vec<&String> = known.chain(&names).collect();
    let is_at_address = serious.iter().any(|doubt| doubt.is_at_address);
    let chip = match is_at_address && memory.chip.is_none() {
        true => "name the chip (`brownout chips`), or say",
        false => "say",
    };
    Some(format!(
        "{}: what power failures do to that was not checked\nhelp: {chip} in brownout.toml what keeps its contents without power:\n\n    [memory]\n    nonvolatile = {kept:?}\n\nor what loses them:\n\n    [memory]\n    nonvolatile = {lost:?}\n",
        what.join("; ")
    ))
}

/// Whether a library writes memory, and none of that can be non-volatile: there is nothing that a power failure could harm.
pub fn keeps_nothing(prepared: &Prepared) -> bool {
    let (program, memory) = (&prepared.program, &prepared.scenario.memory);
    let entries = match prepared.start {
        None => callable(program),
        Some(_) => return false,
    };
    let mut params = entries
        .iter()
        .flat_map(|&func| &program.functions[func].params);
    let is_passed = params.any(|ty| *ty == Type::Ptr);
    let variables = program.globals.values().filter(|global| {
        global.init.is_some() && global.origin == Origin::User && !global.constant
    });
    let (kept, lost): (Vec<_>, Vec<_>) =
        variables.partition(|global| memory.is_nonvolatile(&global.name));
    let keeps = !kept.is_empty()
        || memory.stack
        || memory.heap
        || (is_passed && memory.passed)
        || !kept_addresses(program, &prepared.scenario).is_empty();
    let written = interrupts::written(program);
    let writes = is_passed || lost.iter().any(|global| written.contains(&global.name));
    writes && !keeps
}

/// What to say of that.
pub fn nothing_kept(prepared: &Prepared) -> Option<String> {
    keeps_nothing(prepared).then(|| {
        "no memory that these functions write is non-volatile: there was nothing to check\nhelp: say in brownout.toml what keeps its contents without power:\n\n    [memory]\n    nonvolatile = [\"globals\"]\n".to_owned()
    })
}

/// Variables of which proofs do not know whether they keep their contents without power.
pub fn doubtful_objects(scenario: &Scenario) -> Option<String> {
    let doubts = scenario.memory.doubts.iter();
    let serious = doubts.filter(|doubt| doubt.is_serious);
    let names = serious.flat_map(|doubt| &doubt.objects);
    let names: Vec<String> = names.map(|name| format!("`{name}`")).collect();
    (!names.is_empty()).then(|| format!("variables that may be non-volatile ({})", listed(&names)))
}

/// Variables that the user's code accesses as volatile.
pub fn volatile_globals(program: &Program) -> BTreeSet<Global> {
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
            Operand::Bits(address) if is_kept(scenario, address as u64) => {}
            Operand::Bits(address) => _ = names.insert(format!("`{address:#06x}`")),
            Operand::Value(_) => _ = names.insert("volatile memory behind pointers".to_owned()),
            _ => {}
        }
    }
    names.into_iter().collect()
}

/// What to say of device registers that were read and that nothing describes.
pub fn registers(names: &BTreeSet<String>) -> Option<String> {
    let (is, it_gives, it) = match names.len() {
        0 => return None,
        1 => ("is", "it gives", "it"),
        _ => ("are", "they give", "them"),
    };
    let quoted: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
    let mut lines = format!(
        "{} {is} read, and nothing says what {it_gives}: taken to be 0, or what the program waits for\nhelp: name the chip (`brownout chips`), give the file that defines {it}, or describe {it} in brownout.toml (`mmio = \"input\"` for all registers):\n",
        listed(&quoted)
    );
    for name in names {
        _ = write!(lines, "\n    [[input]]\n    register = \"{name}\"\n");
    }
    Some(lines)
}

/// Some names; of many the first.
pub fn listed(names: &[String]) -> String {
    const SHOWN: usize = 8;
    match names.len().checked_sub(SHOWN) {
        None | Some(0) => names.join(", "),
        Some(more) => format!("{} and {more} more", names[..SHOWN].join(", ")),
    }
}

/// Whether a function is given others to call, which are looked at, and gives no readings itself.
pub fn takes_callbacks(program: &Program, func: Func) -> bool {
    let given = gifts::given_away(program);
    given.iter().any(|&(_, taker)| taker == func) && !asks_beside_callbacks(program, func)
}
