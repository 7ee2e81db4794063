//! Choosing a program: statements at random, and patterns that real programs are made of.

use brownout_scenario::ValueSource;
use brownout_testkit::Choices;

use super::sketch::{
    Condition, ELEMENTS, Expression, Index, Relation, Sketch, Statement, Variable, What,
};
use crate::judge::Repetition;
use crate::setting::{Policy, Setting, Tag};

/// A program and its circumstances.
pub(super) fn choose(choices: &mut Choices) -> (Sketch, Setting, Repetition) {
    let policy = match choices.below(8) {
        0..=2 => Policy::Static,
        3 | 4 => Policy::Restart,
        5 => Policy::Tasks,
        6 => Policy::Conditional {
            depth: 20 + choices.below(100),
        },
        _ => Policy::Reactive {
            depth: 20 + choices.below(60),
        },
    };
    let mut sketch = Sketch {
        kept: 2 + choices.below(3) as u32,
        plain: choices.below(2) as u32,
        locals: 1 + choices.below(2) as u32,
        inputs: choices.below(3) as u32,
        outputs: choices.below(3) as u32,
        array: choices.below(3) == 1,
        in_registers: choices.below(2) == 1,
        wide: (choices.below(6) == 1).then_some(0),
        ..Sketch::default()
    };
    sketch.wide = sketch
        .wide
        .map(|_| [0, 0xfffe, 7][choices.below(3) as usize]);
    let is_reactive = matches!(policy, Policy::Reactive { .. });
    let length = |choices: &mut Choices, most: u64| {
        1 + choices.below(if is_reactive { most.div_ceil(2) } else { most }) as usize
    };
    let functions = match policy {
        Policy::Tasks => 1 + choices.below(3),
        _ => choices.below(2),
    };
    for _ in 0..functions {
        let scope = Scope {
            locals: 0,
            depth: 1,
            calls: false,
            checkpoints: false,
        };
        let count = length(choices, 4);
        let body = statements(choices, &sketch, scope, count);
        sketch.functions.push(body);
    }
    let checkpoints = matches!(policy, Policy::Static | Policy::Conditional { .. });
    let scope = Scope {
        locals: sketch.locals,
        depth: 0,
        calls: !sketch.functions.is_empty(),
        checkpoints,
    };
    let count = length(choices, 5);
    sketch.setup = statements(choices, &sketch, scope, count);
    if policy == Policy::Tasks {
        // Tasks one after the other, some of them several times.
        for number in 0..sketch.functions.len() as u32 {
            sketch.setup.push(What::Call(number).into());
        }
    }
    if choices.below(3) == 1 {
        let count = length(choices, 5);
        let mut body = statements(choices, &sketch, scope, count);
        if checkpoints && choices.below(4) != 0 {
            body.insert(0, What::Checkpoint.into());
        }
        if policy == Policy::Tasks {
            body.push(What::Call(0).into());
        }
        sketch.rounds = Some(body);
    } else {
        let count = length(choices, 6);
        sketch.finish = statements(choices, &sketch, scope, count);
    }
    let setting = setting(choices, &sketch, policy);
    let repetition = match choices.below(3) {
        1 => Repetition::Fresh,
        _ => Repetition::Same,
    };
    if sketch.rounds.is_none() && choices.below(3) == 1 {
        sketch.status = Some(expression(choices, &sketch, scope));
    }
    (sketch, setting, repetition)
}

fn setting(choices: &mut Choices, sketch: &Sketch, policy: Policy) -> Setting {
    let mut setting = Setting::new(policy);
    let names =
        |count: u32, name: &str| (0..count).map(|number| format!("{name}{number}")).collect();
    setting.nonvolatile = names(sketch.kept, "nv");
    if sketch.array {
        setting.nonvolatile.push("log".to_owned());
    }
    if sketch.wide.is_some() {
        setting.nonvolatile.push("wide".to_owned());
        setting.atomic_write = Some(2);
    }
    setting.checkpoints = vec!["checkpoint".to_owned()];
    if policy == Policy::Tasks {
        setting.tasks = names(sketch.functions.len() as u32, "part");
    }
    for number in 0..sketch.inputs {
        let values = (0..2 + choices.below(5)).map(|_| choices.below(12) as i64);
        let values = ValueSource::Cycle(values.collect());
        setting.inputs.push((format!("sense{number}"), values));
    }
    for number in 0..sketch.outputs {
        let tag = match choices.below(5) {
            1 => Tag::AtMostOnce,
            2 => Tag::Absolute,
            _ => Tag::None,
        };
        setting.outputs.push((format!("send{number}"), tag));
    }
    let some = |choices: &mut Choices| format!("nv{}", choices.below(sketch.kept.into()));
    if choices.below(6) == 1 {
        setting.saves = vec![some(choices)];
    }
    if choices.below(8) == 1 {
        setting.ignored = vec![some(choices)];
    }
    if choices.below(8) == 1 {
        setting.aware = vec![some(choices)];
    }
    setting
}

/// What statements may use.
#[derive(Clone, Copy)]
struct Scope {
    locals: u32,
    depth: u32,
    calls: bool,
    checkpoints: bool,
}

fn statements(
    choices: &mut Choices,
    sketch: &Sketch,
    scope: Scope,
    count: usize,
) -> Vec<Statement> {
    let mut statements = Vec::new();
    while statements.len() < count {
        if choices.below(3) == 1 {
            let mut pattern = pattern(choices, sketch, scope);
            // The wrong order is what bugs are made of.
            if pattern.len() > 1 && choices.below(2) == 1 {
                let at = choices.below(pattern.len() as u64 - 1) as usize;
                pattern.swap(at, at + 1);
            }
            statements.extend(pattern.into_iter().map(Statement::from));
        } else {
            statements.push(statement(choices, sketch, scope).into());
        }
    }
    statements
}

fn statement(choices: &mut Choices, sketch: &Sketch, scope: Scope) -> What {
    let inner = Scope {
        depth: scope.depth + 1,
        ..scope
    };
    match choices.below(12) {
        0..=2 => What::Assign(
            target(choices, sketch, scope),
            expression(choices, sketch, scope),
        ),
        3 => {
            let number = kept(choices, sketch);
            What::Assign(number, Expression::Sum(number, 1))
        }
        4 if sketch.inputs > 0 => What::Read(
            target(choices, sketch, scope),
            choices.below(sketch.inputs.into()) as u32,
        ),
        5 if sketch.outputs > 0 => What::Output(
            choices.below(sketch.outputs.into()) as u32,
            expression(choices, sketch, scope),
        ),
        6 if scope.checkpoints => What::Checkpoint,
        7 if scope.depth < 2 => {
            let condition = condition(choices, sketch, scope);
            let count = 1 + choices.below(2) as usize;
            let then = statements(choices, sketch, inner, count);
            let count = choices.below(2) as usize;
            let otherwise = statements(choices, sketch, inner, count);
            What::If(condition, then, otherwise)
        }
        8 if scope.depth < 1 && scope.locals > 0 => {
            let count = 1 + choices.below(2) as usize;
            let times = 2 + choices.below(2) as u32;
            // The last local counts, and nothing in the loop changes it.
            let counter = scope.locals - 1;
            let inner = Scope {
                locals: counter,
                ..inner
            };
            What::Repeat(counter, times, statements(choices, sketch, inner, count))
        }
        9 if scope.depth < 1 => {
            let number = choices.below(sketch.kept.into()) as u32;
            let count = choices.below(2) as usize;
            let mut body = statements(choices, sketch, inner, count);
            // A loop that nothing but its counter ends.
            body.retain(|statement| !assigns(statement, number));
            let counter = Variable::Kept(number);
            body.push(What::Assign(counter, Expression::Sum(counter, 1)).into());
            let bound = 2 + choices.below(3) as i16;
            What::Until(number, bound, body)
        }
        10 if scope.calls => What::Call(choices.below(sketch.functions.len() as u64) as u32),
        11 if sketch.wide.is_some() => match choices.below(2) {
            1 => What::Widen(1 + choices.below(3) as u32),
            _ => What::Wide([0x1_0000, 0xffff, 3][choices.below(3) as usize]),
        },
        _ => What::Assign(
            kept(choices, sketch),
            Expression::Number(choices.below(4) as i16),
        ),
    }
}

/// Statements that belong together.
fn pattern(choices: &mut Choices, sketch: &Sketch, scope: Scope) -> Vec<What> {
    let a = kept(choices, sketch);
    let b = kept(choices, sketch);
    let output = choices.below(sketch.outputs.max(1).into()) as u32;
    let input = choices.below(sketch.inputs.max(1).into()) as u32;
    let is = |variable, number| Condition {
        variable,
        relation: Relation::Equal,
        number,
    };
    let once = |what: Vec<What>| what.into_iter().map(Statement::from).collect::<Vec<_>>();
    match choices.below(7) {
        // A message that is sent once.
        0 if sketch.outputs > 0 => {
            let mut body = vec![
                What::Output(output, Expression::Number(5)),
                What::Assign(a, Expression::Number(1)),
            ];
            if choices.below(2) == 1 {
                body.swap(0, 1);
            }
            vec![What::If(is(a, 0), once(body), Vec::new())]
        }
        // A calibration that is done once.
        1 if sketch.inputs > 0 => {
            let mut body = vec![What::Read(b, input), What::Assign(a, Expression::Number(1))];
            if choices.below(2) == 1 {
                body.swap(0, 1);
            }
            vec![What::If(is(a, 0), once(body), Vec::new())]
        }
        // A log with an index.
        2 if sketch.array => {
            let Variable::Kept(index) = a else {
                return Vec::new();
            };
            let element = Variable::Element(Index::Kept(index));
            vec![
                What::Assign(element, expression(choices, sketch, scope)),
                What::Assign(a, Expression::Sum(a, 1)),
            ]
        }
        // A reading that decides.
        3 if sketch.inputs > 0 && scope.locals > 0 => {
            let local = Variable::Local(choices.below(scope.locals.into()) as u32);
            let condition = Condition {
                variable: local,
                relation: Relation::Less,
                number: 6,
            };
            let then = once(vec![What::Assign(a, Expression::Number(1))]);
            let otherwise = match choices.below(2) {
                1 => once(vec![What::Assign(a, Expression::Number(2))]),
                _ => once(vec![What::Assign(b, Expression::Number(1))]),
            };
            vec![
                What::Read(local, input),
                What::If(condition, then, otherwise),
            ]
        }
        // A transfer.
        4 => vec![
            What::Assign(a, Expression::Sum(a, -1)),
            What::Assign(b, Expression::Sum(b, 1)),
        ],
        // Two steps of a state machine.
        5 => {
            let first = once(vec![
                What::Assign(b, expression(choices, sketch, scope)),
                What::Assign(a, Expression::Number(1)),
            ]);
            let second = once(vec![What::Assign(a, Expression::Number(0))]);
            vec![What::If(is(a, 0), first, second)]
        }
        // A value by way of a copy.
        _ if scope.locals > 0 => {
            let local = Variable::Local(choices.below(scope.locals.into()) as u32);
            let mut copied = vec![
                What::Assign(local, Expression::Sum(a, 1)),
                What::Assign(a, Expression::Of(local)),
            ];
            if scope.checkpoints {
                copied.insert(1, What::Checkpoint);
            }
            copied
        }
        _ => vec![What::Assign(a, Expression::Of(b))],
    }
}

fn kept(choices: &mut Choices, sketch: &Sketch) -> Variable {
    Variable::Kept(choices.below(sketch.kept.into()) as u32)
}

fn target(choices: &mut Choices, sketch: &Sketch, scope: Scope) -> Variable {
    variable(choices, sketch, scope)
}

fn variable(choices: &mut Choices, sketch: &Sketch, scope: Scope) -> Variable {
    match choices.below(6) {
        1 if sketch.plain > 0 => Variable::Plain(choices.below(sketch.plain.into()) as u32),
        2 if scope.locals > 0 => Variable::Local(choices.below(scope.locals.into()) as u32),
        3 if sketch.array => Variable::Element(match choices.below(3) {
            1 => Index::Kept(choices.below(sketch.kept.into()) as u32),
            2 if scope.locals > 0 => Index::Local(choices.below(scope.locals.into()) as u32),
            _ => Index::Number(choices.below(ELEMENTS.into()) as u32),
        }),
        _ => kept(choices, sketch),
    }
}

fn expression(choices: &mut Choices, sketch: &Sketch, scope: Scope) -> Expression {
    match choices.below(4) {
        0 => Expression::Number(choices.below(9) as i16),
        1 => Expression::Of(variable(choices, sketch, scope)),
        2 => Expression::Sum(variable(choices, sketch, scope), choices.below(4) as i16),
        _ => Expression::Both(
            variable(choices, sketch, scope),
            variable(choices, sketch, scope),
        ),
    }
}

fn condition(choices: &mut Choices, sketch: &Sketch, scope: Scope) -> Condition {
    Condition {
        variable: variable(choices, sketch, scope),
        relation: choices.pick(&[Relation::Equal, Relation::Differs, Relation::Less]),
        number: choices.below(5) as i16,
    }
}

/// Whether a statement writes a variable by its name.
fn assigns(statement: &Statement, number: u32) -> bool {
    match &statement.what {
        What::Assign(to, _) | What::Read(to, _) => *to == Variable::Kept(number),
        What::If(_, then, otherwise) => {
            let mut inner = then.iter().chain(otherwise);
            inner.any(|statement| assigns(statement, number))
        }
        What::Repeat(_, _, body) | What::Until(_, _, body) => {
            body.iter().any(|statement| assigns(statement, number))
        }
        What::Widen(_) | What::Wide(_) | What::Output(..) | What::Checkpoint | What::Call(_) => {
            false
        }
    }
}
