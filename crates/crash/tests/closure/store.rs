//! Small stores over a flash part, plain non-volatile words and a ghost, as data: what a boot
//! does, step by step. Logs, double buffers, journals and programs of no plan at all, with and
//! without mistakes.

use brownout_testkit::Choices;

/// Bytes of the flash part, of a block and of a program unit.
pub(crate) const FLASH: usize = 16;
pub(crate) const BLOCK: usize = 8;
/// Words of plain non-volatile memory.
pub(crate) const WORDS: usize = 2;

/// A number.
#[derive(Clone, Debug)]
pub(crate) enum Number {
    Constant(u32),
    /// A byte of the flash part.
    Flash(usize),
    /// A plain word.
    Word(usize),
    Ghost,
    /// The sum of two, in 32 bits.
    Sum(Box<Number>, Box<Number>),
}

/// A condition.
#[derive(Clone, Debug)]
pub(crate) enum Condition {
    Equal(Number, Number),
    Less(Number, Number),
}

/// A step of a boot.
#[derive(Clone, Debug)]
pub(crate) enum Step {
    /// Program constants into the flash part.
    Program(usize, Vec<u8>),
    /// Erase one block.
    Erase(usize),
    /// Store to a plain word.
    Store(usize, Number),
    /// Write the notebook.
    Note(Number),
    If(Condition, Vec<Step>, Vec<Step>),
    Assert(u32, Condition),
}

/// A store and the part it is on.
#[derive(Clone, Debug)]
pub(crate) struct Store {
    pub(crate) steps: Vec<Step>,
    pub(crate) unit: usize,
    pub(crate) tear: brownout_scenario::Tear,
    pub(crate) erase_tear: brownout_scenario::EraseTear,
    pub(crate) atomic: Option<u32>,
    pub(crate) failures: u32,
    pub(crate) reprogram: bool,
}

fn equal(a: Number, b: u32) -> Condition {
    Condition::Equal(a, Number::Constant(b))
}

/// A record is valid once its flag is programmed; a mistake programs the flag first.
fn log(choices: &mut Choices, unit: usize) -> Vec<Step> {
    let value: Vec<u8> = (0..unit).map(|_| 1 + choices.below(200) as u8).collect();
    let first = u32::from(value[0]);
    let flag = vec![0; unit];
    let mut steps = vec![Step::If(
        equal(Number::Flash(0), 0),
        vec![Step::Assert(1, equal(Number::Flash(unit), first))],
        vec![],
    )];
    let mut writing = vec![Step::Erase(0)];
    let data = Step::Program(unit, value);
    let mark = Step::Program(0, flag);
    match choices.chance(2) {
        true => writing.extend([mark, data]),
        false => writing.extend([data, mark]),
    }
    if choices.chance(2) {
        writing.push(Step::Note(Number::Constant(1)));
        steps.insert(
            0,
            Step::If(
                equal(Number::Ghost, 1),
                vec![Step::Assert(2, equal(Number::Flash(0), 0))],
                vec![],
            ),
        );
    }
    steps.push(Step::If(
        equal(Number::Flash(0), 0),
        if choices.chance(3) {
            writing.clone()
        } else {
            vec![]
        },
        writing,
    ));
    steps
}

/// Two blocks; the one with the mark is valid. A mistake erases the old one before the new one is
/// complete, or trusts one without looking at its end.
fn double(choices: &mut Choices, unit: usize) -> Vec<Step> {
    let block = |start: usize, mistake: bool| {
        let other = BLOCK - start;
        let data = Step::Program(start, vec![1; unit]);
        let end = Step::Program(start + BLOCK - unit, vec![2; unit]);
        let erase_old = Step::Erase(other);
        match mistake {
            true => vec![erase_old, Step::Erase(start), data, end],
            false => vec![Step::Erase(start), data, end, erase_old],
        }
    };
    let end = BLOCK - choices.pick(&[1, unit]);
    let valid = |start: usize| equal(Number::Flash(start + end), 2);
    let (one, two) = (choices.chance(3), choices.chance(3));
    let check = Step::If(
        equal(Number::Ghost, 1),
        vec![Step::If(
            valid(0),
            vec![Step::Assert(1, equal(Number::Flash(0), 1))],
            vec![
                Step::Assert(2, valid(BLOCK)),
                Step::Assert(3, equal(Number::Flash(BLOCK), 1)),
            ],
        )],
        vec![],
    );
    vec![
        check,
        Step::If(valid(0), block(BLOCK, one), block(0, two)),
        Step::Note(Number::Constant(1)),
    ]
}

/// Two words change together, with an entry in between; mistakes leave it out or clear it early.
fn journal(choices: &mut Choices) -> Vec<Step> {
    let word = |index| Number::Word(index);
    let one = Box::new(Number::Constant(0x0101_0101));
    let next = Number::Sum(Box::new(word(0)), one);
    let recover = Step::If(
        Condition::Less(word(1), word(0)),
        vec![Step::Store(1, word(0))],
        vec![],
    );
    let mut steps = Vec::new();
    if !choices.chance(3) {
        steps.push(recover);
    }
    steps.push(Step::Assert(1, Condition::Equal(word(0), word(1))));
    steps.push(Step::If(
        Condition::Less(word(0), Number::Constant(0x0202_0202)),
        vec![Step::Store(0, next), Step::Store(1, word(0))],
        vec![],
    ));
    steps
}

fn number(choices: &mut Choices) -> Number {
    match choices.below(6) {
        0 | 1 => Number::Constant(choices.below(4) as u32),
        2 => Number::Flash(choices.below(FLASH as u64) as usize),
        3 => Number::Word(choices.below(WORDS as u64) as usize),
        4 => Number::Ghost,
        _ => {
            let word = Number::Word(choices.below(WORDS as u64) as usize);
            let more = Number::Constant(choices.pick(&[1, 0x100, 0xffff]));
            Number::Sum(Box::new(word), Box::new(more))
        }
    }
}

/// Steps of no plan.
fn any(choices: &mut Choices, unit: usize, depth: u32, number_of_asserts: &mut u32) -> Vec<Step> {
    let count = 1 + choices.below(if depth == 0 { 4 } else { 2 });
    (0..count)
        .map(|_| match choices.below(if depth < 2 { 8 } else { 5 }) {
            0 | 1 => Step::Store(choices.below(WORDS as u64) as usize, number(choices)),
            2 => {
                let units = FLASH / unit;
                let at = choices.below(units as u64) as usize;
                let most = (units - at).min(2) as u64;
                let length = (1 + choices.below(most) as usize) * unit;
                let value = choices.pick(&[0x00, 0x0f, 0x55, 0xfe]);
                Step::Program(at * unit, vec![value; length])
            }
            3 => Step::Erase(BLOCK * choices.below(2) as usize),
            4 => Step::Note(number(choices)),
            5 | 6 => {
                let condition = Condition::Equal(number(choices), number(choices));
                let then = any(choices, unit, depth + 1, number_of_asserts);
                let otherwise = any(choices, unit, depth + 1, number_of_asserts);
                Step::If(condition, then, otherwise)
            }
            _ => {
                *number_of_asserts += 1;
                let condition = Condition::Less(
                    number(choices),
                    Number::Constant(choices.pick(&[1, 3, 0x100, 0x1_0000])),
                );
                Step::Assert(*number_of_asserts, condition)
            }
        })
        .collect()
}

/// A random store.
pub(crate) fn store(choices: &mut Choices) -> Store {
    use brownout_scenario::{EraseTear, Tear};
    let unit = choices.pick(&[1, 2, 4]);
    let steps = match choices.below(5) {
        0 => log(choices, unit),
        1 => double(choices, unit),
        2 => journal(choices),
        _ => any(choices, unit, 0, &mut 0),
    };
    Store {
        steps,
        unit,
        tear: choices.pick(&[Tear::Prefix, Tear::None, Tear::AnyUnit]),
        erase_tear: choices.pick(&[EraseTear::Prefix, EraseTear::None]),
        atomic: choices.pick(&[Some(4), Some(2), Some(1), None]),
        failures: choices.below(4) as u32,
        reprogram: !choices.chance(3),
    }
}
