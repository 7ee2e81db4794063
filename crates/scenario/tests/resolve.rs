//! Configurations and programs with the scenarios, notes and errors that they give, as data.

#![expect(
    clippy::expect_used,
    reason = "test helpers outside of `#[test]` functions"
)]

use brownout_scenario::{
    ArgumentExpression, Buffer, Change, Config, Effect, Extent, Fill, FunctionFacts, GlobalFacts,
    Mmio, Model, Operand, Operator, Placement, Policy, ProgramFacts, Saves, SavesAt, Scenario,
    Semantics, Source, ValueSource,
};

/// A program in one line per name: `fn main`, `extern fn read : input`, `int count @.nv : nv`,
/// `extern int P1OUT`, `const int table`.
fn resolve(program: &str, config: &str) -> Result<Scenario, Vec<String>> {
    let mut functions = Vec::new();
    let mut globals = Vec::new();
    for line in program
        .lines()
        .map(str::trim)
        .filter(|line| !line.is_empty())
    {
        let (declaration, annotations) = line.split_once(" : ").unwrap_or((line, ""));
        let annotations: Vec<String> = annotations
            .split_whitespace()
            .map(|annotation| format!("brownout:{annotation}"))
            .chain(["other".to_owned()])
            .collect();
        let (declaration, section) = match declaration.split_once(" @") {
            Some((declaration, section)) => (declaration, Some(section)),
            None => (declaration, None),
        };
        let (qualifiers, name) = declaration.rsplit_once(' ').expect("kind and name");
        if qualifiers.ends_with("fn") {
            functions.push((name, !qualifiers.contains("extern"), annotations));
        } else {
            globals.push((name, section, qualifiers, annotations));
        }
    }
    let locals = ["local".to_owned(), "sum".to_owned()];
    let functions: Vec<_> = functions
        .iter()
        .map(|(name, defined, annotations)| FunctionFacts {
            name,
            defined: *defined,
            annotations,
            locals: &locals,
            ..FunctionFacts::default()
        })
        .collect();
    let globals: Vec<_> = globals
        .iter()
        .map(|(name, section, qualifiers, annotations)| GlobalFacts {
            name,
            section: *section,
            annotations,
            size: 2,
            is_constant: qualifiers.contains("const"),
            is_external: qualifiers.contains("extern"),
            is_only_read: false,
        })
        .collect();
    let facts = ProgramFacts {
        functions: &functions,
        globals: &globals,
        ..ProgramFacts::default()
    };
    let config = Config::parse(config).expect("a right configuration");
    Scenario::resolve(&config, &facts).map_err(|errors| {
        let render = |error: &brownout_scenario::ConfigError| format!("{}: {error}", error.place);
        errors.iter().map(render).collect()
    })
}

#[track_caller]
fn scenario(program: &str, config: &str) -> Scenario {
    resolve(program, config).expect("a scenario")
}

const ALL_GLOBALS: &str =
    "no object is in a non-volatile section: all globals are taken to be non-volatile";
const NO_DEPTH: &str = "no execution depth is given: 3000 instructions";

#[test]
fn calls_are_counted() {
    let scenario = scenario(
        "fn main\nextern fn save_a\nextern fn save_b\nint count",
        "power.policy = \"static\"\npower.checkpoints = [\"save_a\", \"save_b\"]",
    );
    let calls = |name: &str| if name == "save_a" { 1 } else { 3 };
    assert_eq!(
        scenario.assumptions_of(calls),
        "non-volatile: globals; policy: static (1 call of `save_a`, 3 calls of `save_b`)"
    );
}

#[test]
fn assumptions_and_notes() {
    let cases: [(&str, &str, &str, &[&str]); 20] = [
        (
            "fn main\nint count",
            "",
            "non-volatile: globals (nothing says so); policy: restart: every reboot starts at the entry, and nothing is saved (--policy static, reactive or tasks if yours does more)",
            &[ALL_GLOBALS],
        ),
        (
            "fn main\nint count\nextern fn checkpoint",
            "",
            "non-volatile: globals; policy: static (checkpoint)",
            &[ALL_GLOBALS],
        ),
        (
            "fn main\nint count @.nv_vars\nint t\nextern fn __mementos_checkpoint",
            "",
            "non-volatile: section:.nv_vars; policy: static (__mementos_checkpoint)",
            &[],
        ),
        (
            "fn main\nint a : nv\nint b @.upper.bss\nextern fn __brownout_checkpoint_with\nextern fn brownout_checkpoint",
            "",
            "non-volatile: symbol:a, section:.upper.bss; policy: static (__brownout_checkpoint_with, brownout_checkpoint)",
            &[
                "section `.upper.bss` (`b`) is taken to keep what it holds: `--nv '!section:.upper.bss'` if start-up code sets it at every boot, as GCC's does",
            ],
        ),
        (
            "fn main\nint a @.nv\nint b @.upper.bss",
            "memory.nonvolatile = ['!section:.upper.bss']\npower.policy = 'restart'",
            "non-volatile: section:.nv, section:.upper.bss, !section:.upper.bss; policy: restart: every reboot starts at the entry, and nothing is saved (--policy static, reactive or tasks if yours does more)",
            &[],
        ),
        (
            "fn main",
            "[power]\nexecution-depth = 4000\n[memory]\nnonvolatile = ['stack', 'heap']\natomic-write = 2",
            "non-volatile: stack, heap; policy: reactive, execution depth 4000; atomic write: 2 bytes",
            &[],
        ),
        (
            "fn main",
            "[memory]\nnonvolatile = []\n[power]\nexecution-depth = 1",
            "non-volatile: nothing; policy: reactive, execution depth 1",
            &[],
        ),
        (
            "fn main",
            "[memory]\nnonvolatile = ['globals']\n[power]\npolicy = 'reactive'\n[energy]\ncapacitance = '10uF'\nv-trigger = 2.0\nv-min = 1.88\ncurrent = '310uA'\nclock = '1MHz'\ncheckpoint-time = '1.4ms'",
            "non-volatile: globals; policy: reactive, execution depth 2470",
            &[],
        ),
        (
            "fn main",
            "[memory]\nnonvolatile = ['globals']\n[power]\nexecution-depth = 7\n[energy]\ncapacitance = '10uF'",
            "non-volatile: globals; policy: reactive, execution depth 7",
            &[],
        ),
        (
            "fn main\nfn save_a\nfn save_b\nextern fn checkpoint",
            "[memory]\nnonvolatile = ['globals']\n[power]\ncheckpoints = ['save_*']",
            "non-volatile: globals; policy: static (save_a, save_b)",
            &[],
        ),
        (
            "fn main\nfn a1\nfn a2\nfn a3\nfn a4\nfn a5\nfn a6",
            "[memory]\nnonvolatile = ['globals']\n[power]\ncheckpoints = ['a?']",
            "non-volatile: globals; policy: static (a1, a2, a3, a4 and 2 more)",
            &[],
        ),
        (
            "fn main",
            "[memory]\nnonvolatile = ['globals']\n[power]\nplace = 'loop-latch'",
            "non-volatile: globals; policy: static (loop-latch)",
            &[],
        ),
        (
            "fn main",
            "[memory]\nnonvolatile = ['globals']\n[power]\npolicy = 'static'",
            "non-volatile: globals; policy: static (no checkpoint)",
            &[
                "policy is `static`, but no checkpoint function is known: every reboot starts from the entry",
            ],
        ),
        (
            "fn main\nfn checkpoint",
            "[memory]\nnonvolatile = ['globals']\n[power]\npolicy = 'conditional'",
            "non-volatile: globals; policy: conditional (checkpoint), execution depth 3000",
            &[NO_DEPTH],
        ),
        (
            "fn main\nfn checkpoint",
            "[memory]\nnonvolatile = ['globals']\n[power]\npolicy = 'reactive'\nexecution-depth = 9",
            "non-volatile: globals; policy: reactive, execution depth 9",
            &[],
        ),
        (
            "fn main\nfn task_a\nfn task_b\nextern fn next",
            "[memory]\nnonvolatile = ['globals']\n[power]\ntasks = ['task_*']\ntransition = ['next']",
            "non-volatile: globals; policy: tasks (task_a, task_b)",
            &[],
        ),
        (
            "fn main\nfn checkpoint\nextern fn read : input",
            "[memory]\nnonvolatile = ['globals']",
            "non-volatile: globals; policy: static (checkpoint)",
            &[
                "input `read` has no values: pseudo-random over its type and what it is compared with",
            ],
        ),
        (
            "fn main\nfn checkpoint\nextern fn read : input",
            "[memory]\nnonvolatile = ['globals']\n[[input]]\nfunction = 'read'\nseed = 0",
            "non-volatile: globals; policy: static (checkpoint)",
            &[],
        ),
        (
            "fn main\nfn checkpoint\nint a @.persistent",
            "[memory]\nnonvolatile = ['!stack']",
            "non-volatile: section:.persistent, !stack; policy: static (checkpoint)",
            &[],
        ),
        (
            "fn main\nfn checkpoint",
            "[memory]\nnonvolatile = ['globals']\n[[harness]]\nfunction = 'main'",
            "non-volatile: globals; policy: static (checkpoint)",
            &["`[[harness]]` is for code without a `main`: it is not used"],
        ),
    ];
    for (program, config, assumptions, notes) in cases {
        let scenario = scenario(program, config);
        assert_eq!(scenario.assumptions(), assumptions, "{program}\n{config}");
        assert_eq!(scenario.notes, notes, "{program}\n{config}");
    }
}

#[test]
fn nonvolatile_globals() {
    const PROGRAM: &str = "fn main\nint a\nint b @.nv\nint tmp_1\nint tmp_2 : nv\nconst int table @.upper.rodata\nextern int P1OUT";
    let cases: [(&str, &[&str]); 9] = [
        ("", &["b", "tmp_2"]),
        (
            "nonvolatile = ['globals']",
            &["a", "b", "table", "tmp_1", "tmp_2"],
        ),
        (
            "nonvolatile = ['globals', '!symbol:tmp_*']",
            &["a", "b", "table"],
        ),
        (
            "nonvolatile = ['globals', '!symbol:tmp_*', 'symbol:tmp_1']",
            &["a", "b", "table", "tmp_1"],
        ),
        ("nonvolatile = ['!section:.nv']", &["tmp_2"]),
        ("nonvolatile = ['stack']", &["tmp_2"]),
        ("nonvolatile = ['section:.n*']", &["b", "tmp_2"]),
        ("nonvolatile = ['symbol:P1OUT', '!globals']", &["P1OUT"]),
        ("nonvolatile = []", &["tmp_2"]),
    ];
    for (config, expected) in cases {
        let memory = scenario(PROGRAM, &format!("[memory]\n{config}")).memory;
        let found: Vec<&str> = memory
            .nonvolatile_globals
            .iter()
            .map(String::as_str)
            .collect();
        assert_eq!(found, expected, "{config}");
        assert!(expected.iter().all(|name| memory.is_nonvolatile(name)));
        assert!(!memory.is_nonvolatile("nothing"));
    }
    let all = scenario(
        "fn main\nint a\nconst int table @.upper.rodata\nextern int P1OUT",
        "",
    );
    let found: Vec<_> = all.memory.nonvolatile_globals.into_iter().collect();
    assert_eq!(
        found,
        ["a", "table"],
        "constants in a section are no evidence"
    );
}

const FULL_PROGRAM: &str = "
    fn main
    fn checkpoint
    extern fn printf
    extern fn read_temp
    extern fn receive
    extern fn rotate
    extern fn rotate_by
    int count
    int t
    extern int ADC12MEM0";

#[test]
fn the_documented_configuration_as_a_scenario() {
    let scenario = scenario(FULL_PROGRAM, include_str!("full.toml"));
    assert_eq!(
        (scenario.entry.as_str(), scenario.target.as_str()),
        ("main", "msp430")
    );
    assert_eq!(scenario.memory.stack_size, Some(2048));
    assert_eq!(scenario.memory.heap_size, Some(4096));
    assert_eq!(scenario.memory.atomic_write, Some(2));
    assert_eq!(scenario.power.policy, Policy::Static);
    assert_eq!(scenario.power.checkpoints, ["checkpoint"]);
    assert_eq!(scenario.power.placement, None::<Placement>);
    assert_eq!(scenario.power.saves, Saves::Symbols(Vec::new()));
    assert_eq!(scenario.mmio, Some(Mmio::Input));
    assert_eq!(scenario.ignore, ["printf"]);
    assert_eq!(scenario.pure, ["rotate_by"]);
    assert_eq!(scenario.consistent, [["count", "t"]]);
    assert_eq!(scenario.environment.get("angle"), Some(&0));

    let [temperature, converter, radio] = &scenario.inputs[..] else {
        panic!("three inputs")
    };
    assert_eq!(temperature.source, Source::Function("read_temp".into()));
    assert_eq!(temperature.values, ValueSource::Cycle(vec![21, 22, 40]));
    assert_eq!(temperature.model, Some(Model::MostRecent));
    assert_eq!(converter.source, Source::Register("ADC12MEM0".into()));
    let range = ValueSource::Range {
        low: 0,
        high: 100,
        seed: 7,
    };
    assert_eq!(converter.values, range);
    assert_eq!(radio.values, ValueSource::Constant(5));
    let fills = Fill {
        buffers: vec![Buffer {
            pointer: ArgumentExpression::argument(0),
            length: Extent::Computed(ArgumentExpression::argument(1)),
            width: 1,
        }],
        returns: None,
        place: radio.fills.as_ref().and_then(|fills| fills.place),
    };
    assert_eq!(radio.fills, Some(fills));

    let [output] = &scenario.outputs[..] else {
        panic!("one output")
    };
    assert_eq!(output.semantics, Some(Semantics::Absolute));
    assert_eq!(output.takes, Some(40));
    let change = Change {
        name: "angle".into(),
        operator: Operator::Add,
        operand: Operand::Argument(0),
    };
    assert_eq!(output.effect, Effect::Changes(vec![change]));

    let [count, sum] = &scenario.variables[..] else {
        panic!("two variables")
    };
    assert!(count.intermittence_aware && !sum.intermittence_aware);
    assert_eq!(sum.name, "main::sum");
    assert_eq!(scenario.peripherals[0].registers, ["ADC12MEM0"]);
}

#[test]
fn annotations_fill_what_the_configuration_leaves_open() {
    let program = "
        fn main
        extern fn read : input long-term
        extern fn rotate : output:relative
        extern fn blink : output
        extern int ADC : input
        int seen : intermittence-aware
        int t : most-recent";
    let config = "
        [[input]]
        function = 'read'
        constant = 1
        [[output]]
        function = 'rotate'
        [[variable]]
        name = 't'
        model = 'long-term'";
    let scenario = scenario(program, config);
    let inputs: Vec<_> = scenario
        .inputs
        .iter()
        .map(|input| (input.source.name(), &input.values, input.model))
        .collect();
    assert_eq!(
        inputs,
        [
            ("read", &ValueSource::Constant(1), Some(Model::LongTerm)),
            ("ADC", &ValueSource::Random { seed: 0 }, None),
        ]
    );
    let outputs: Vec<_> = scenario
        .outputs
        .iter()
        .map(|output| (output.source.name(), output.semantics))
        .collect();
    assert_eq!(
        outputs,
        [("rotate", Some(Semantics::Relative)), ("blink", None)]
    );
    let variables: Vec<_> = scenario
        .variables
        .iter()
        .map(|variable| {
            (
                variable.name.as_str(),
                variable.intermittence_aware,
                variable.model,
            )
        })
        .collect();
    assert_eq!(
        variables,
        [("t", false, Some(Model::LongTerm)), ("seen", true, None)]
    );
}

#[test]
fn names_that_the_program_does_not_have() {
    const PROGRAM: &str = "
        fn main
        fn helper
        fn save_state
        extern fn read_temp
        int count @.nv_vars
        extern int P1OUT";
    let cases = [
        (
            "entry = 'mian'",
            "1:9: `entry` names `mian`, but the program has no such function, did you mean `main`?",
        ),
        (
            "entry = 'heper'",
            "1:9: `entry` names `heper`, but the program has no such function, did you mean `helper`?",
        ),
        (
            "entry = 'nosuch'",
            "1:9: `entry` names `nosuch`, but the program has no such function, it defines `helper`, `main`, `save_state`",
        ),
        (
            "entry = 'read_temp'",
            "1:9: `entry` is `read_temp`, which the program declares but does not define",
        ),
        (
            "ignore = ['helper', 'read_tmp']",
            "1:21: `ignore` names `read_tmp`, but the program has no such function, did you mean `read_temp`?",
        ),
        (
            "[power]\ncheckpoints = ['task_*']",
            "2:16: `power.checkpoints` names `task_*`, but the program has no such function",
        ),
        (
            "[power]\ntasks = ['helpr']",
            "2:10: `power.tasks` names `helpr`, but the program has no such function, did you mean `helper`?",
        ),
        (
            "[power]\nsaves = ['cuont']",
            "2:10: `power.saves` names `cuont`, but the program has no such symbol, did you mean `count`?",
        ),
        (
            "[memory]\nnonvolatile = ['symbol:conut']",
            "2:16: `memory.nonvolatile` names `conut`, but the program has no such symbol, did you mean `count`?",
        ),
        (
            "[memory]\nnonvolatile = ['section:.nv_var']",
            "2:16: `memory.nonvolatile` names `.nv_var`, but no object of the program is in such a section, did you mean `.nv_vars`?",
        ),
        (
            "[[input]]\nfunction = 'readtemp'",
            "2:12: `input.function` names `readtemp`, but the program has no such function, did you mean `read_temp`?",
        ),
        (
            "[[input]]\nfunction = 'read_*'",
            "2:12: `input.function` names `read_*`, but the program has no such function",
        ),
        (
            "[[output]]\nregister = 'P2OUT'",
            "2:12: `output.register` names `P2OUT`, but the program has no such symbol, did you mean `P1OUT`?",
        ),
        (
            "[[variable]]\nname = 'counter'",
            "2:8: `variable.name` names `counter`, but the program has no such symbol, did you mean `count`?",
        ),
        (
            "[[variable]]\nname = 'man::x'",
            "2:8: `variable.name` names `man`, but the program has no such function, did you mean `main`?",
        ),
        (
            "[[variable]]\nname = 'main::locl'",
            "2:8: `variable.name` names `main::locl`, but `main` has no such variable in memory, did you mean `main::local`?",
        ),
        (
            "consistent = [['count', 'main::x']]",
            "1:25: `consistent` names `main::x`, but `main` has no such variable in memory",
        ),
        (
            "consistent = [['count', 'x']]",
            "1:25: `consistent` names `x`, but the program has no such symbol",
        ),
        (
            "[[peripheral]]\nregisters = ['P1OUT']\nused-by = ['f']",
            "3:12: `peripheral.used-by` names `f`, but the program has no such function",
        ),
        (
            "[[output]]\nfunction = 'helper'\neffect = 'angel += arg0'\n[environment]\nangle = 0",
            "3:10: `output.effect` names `angel`, which `environment` does not have, did you mean `angle`?",
        ),
        (
            "[[input]]\nfunction = 'helper'\n[[input]]\nfunction = 'helper'",
            "4:12: `input` describes `helper` twice",
        ),
        (
            "[[variable]]\nname = 'count'\n[[variable]]\nname = 'count'",
            "4:8: `variable` describes `count` twice",
        ),
        (
            "ignore = ['helper']\n[[input]]\nfunction = 'helper'",
            "3:12: `input.function` cannot be given together with `ignore`",
        ),
        (
            "pure = ['helper']\n[[output]]\nfunction = 'helper'",
            "3:12: `output.function` cannot be given together with `pure`",
        ),
        (
            "ignore = ['helper']\npure = ['help*']",
            "2:9: `pure` cannot be given together with `ignore`",
        ),
        (
            "[power]\npolicy = 'tasks'",
            "2:10: `power` needs `power.tasks` or `power.transition` with policy `tasks`",
        ),
        (
            "[power]\npolicy = 'conditional'",
            "2:10: `power` needs `power.checkpoints` or `power.place` with policy `conditional`",
        ),
        (
            "[power]\npolicy = 'reactive'\n[energy]\nclock = 1\ncurrent = 1\ncapacitance = 1\nv-min = 1",
            "4:9: `energy` needs `v-trigger`",
        ),
        (
            "[[input]]\nfunction = 'helper'\ntrace = 'a.csv'",
            "3:9: `input.trace` is `a.csv`, which could not be read",
        ),
        (
            "[[input]]\nfunction = 'helper'\nscript = '1 +'",
            "3:10: `input.script`: script, line 1: the script ends where a variable or a number should be",
        ),
    ];
    for (config, expected) in cases {
        let found = resolve(PROGRAM, config).expect_err(config);
        assert_eq!(found, [expected], "{config}");
    }
}

#[test]
fn names_of_other_programs_that_share_the_configuration() {
    let scenario = scenario(
        "fn main\nextern fn sense",
        "ignore = ['log_*']\n[[input]]\nfunction = 'sense'\n[[input]]\nfunction = 'radio_ready'\n[[output]]\nfunction = 'send'",
    );
    assert_eq!(scenario.inputs.len(), 1);
    assert!(scenario.outputs.is_empty() && scenario.ignore.is_empty());
    let notes = scenario.notes.join("\n");
    for (key, name) in [
        ("ignore", "log_*"),
        ("input.function", "radio_ready"),
        ("output.function", "send"),
    ] {
        let note = format!("`{key}` names `{name}`, which this program does not have");
        assert!(notes.contains(&note), "{notes}");
    }
}

#[test]
fn all_errors_at_once() {
    let found = resolve(
        "fn start\nextern fn f : output:relativ\nint x : nvm",
        "ignore = ['fn']\n[power]\ncheckpoints = ['h']",
    );
    assert_eq!(
        found.expect_err("wrong"),
        [
            "1:11: `ignore` names `fn`, but the program has no such function, did you mean `f`?",
            "3:16: `power.checkpoints` names `h`, but the program has no such function",
            "annotation: `f` has the unknown annotation `output:relativ`, did you mean `output:relative`?",
            "annotation: `x` has the unknown annotation `nvm`, did you mean `nv`?",
            "default: `entry` names `main`, but the program has no such function, it defines `start`",
        ]
    );
}

#[test]
fn everything_saved() {
    for saves in ["'all'", "['all']"] {
        let power = scenario("fn main", &format!("[power]\nsaves = {saves}")).power;
        assert_eq!(power.saves, Saves::Everything);
    }
    let power = scenario("fn main\nint a\nint ab\nint b", "[power]\nsaves = ['a*']").power;
    assert_eq!(power.saves, Saves::Symbols(vec!["a".into(), "ab".into()]));
}

#[test]
fn what_ends_a_task_is_a_function_or_a_variable() {
    let program = "fn main\nfn sense\nextern fn next\nint current\nint count";
    let power = scenario(program, "[power]\ntransition = ['next', 'curr*']").power;
    assert_eq!(power.policy, Policy::Tasks);
    assert_eq!(power.transitions, ["next"]);
    assert_eq!(power.current_task, ["current"]);
    let errors = resolve(program, "[power]\ntransition = ['curent']").expect_err("a slip");
    assert_eq!(errors.len(), 1, "{errors:?}");
}

#[test]
fn single_checkpoints_save_what_they_are_told() {
    let program = "fn main\nextern fn checkpoint\nint count\nint total";
    let config = "[[checkpoint]]\nat = 'a.c:9'\nsaves = ['total', 'count']";
    let saves = scenario(program, config).power.saves_at;
    assert_eq!(saves.len(), 1);
    assert_eq!(saves[0].at, "a.c:9");
    let names = |saves: &SavesAt| -> Vec<String> {
        let saved = saves.saved.iter();
        saved
            .map(|it| format!("{}|{}", it.symbol, it.path))
            .collect()
    };
    assert_eq!(names(&saves[0]), ["count|", "total|"]);
    let config =
        "[[checkpoint]]\nat = 'a.c:9'\nsaves = ['total.x[2].y', 'main.cal', 'main.cal.z', 'c*']";
    let program_with_local = format!("{program}\nint main.cal");
    let saves = scenario(&program_with_local, config).power.saves_at;
    assert_eq!(
        names(&saves[0]),
        ["count|", "main.cal|", "main.cal|.z", "total|.x[2].y"]
    );
    let slips = [
        ("[[checkpoint]]\nat = 'a.c:9'\nsaves = ['cont']", "`cont`"),
        (
            "[[checkpoint]]\nat = 'a.c:9'\nsaves = []\n[[checkpoint]]\nat = 'a.c:9'\nsaves = []",
            "describes `a.c:9` twice",
        ),
    ];
    for (config, expected) in slips {
        let errors = resolve(program, config).expect_err(config);
        assert!(
            errors.iter().any(|error| error.contains(expected)),
            "{errors:?}"
        );
    }
}

#[test]
fn mmio_reaches_addresses_that_the_program_names() {
    let main = FunctionFacts {
        name: "main",
        defined: true,
        ..FunctionFacts::default()
    };
    let facts = ProgramFacts {
        functions: &[main],
        addresses: &[0x140, 0x1a0, 0x202],
        ..ProgramFacts::default()
    };
    let config = "\
mmio = \"input\"
[[input]]
register = \"0x0140\"
constant = 3
[[register]]
name = \"0x01A0\"
mmio = \"output\"
";
    let config = Config::parse(config).expect("a right configuration");
    let scenario = Scenario::resolve(&config, &facts).expect("a scenario");
    let inputs: Vec<&str> = scenario
        .inputs
        .iter()
        .map(|input| input.source.name())
        .collect();
    assert_eq!(inputs, ["0x0140", "0x0202"]);
    assert_eq!(scenario.inputs[0].values, ValueSource::Constant(3));
    let outputs = scenario.outputs.iter().map(|output| output.source.name());
    assert_eq!(outputs.collect::<Vec<&str>>(), ["0x01a0"]);
}
