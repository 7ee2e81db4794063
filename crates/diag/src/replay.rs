//! Replay ids: the string that names one power failure of one program.
//!
//! `c3:f41` resumes from the third checkpoint that commits (0 is the start of the program) and lets
//! power fail 41 instructions after it; `i120:f8` has a checkpoint after 120 executed instructions,
//! as a reactive device may; `:x2` makes power fail there twice in a row, `c3:f41:f9` once more 9
//! instructions after the checkpoint is restored; `:b2` tears the last store before the first failure
//! after two bytes, `:m2` when only its second byte is written (the bytes are bits, the first one the lowest);
//! `:r` resets device registers, which no checkpoint saves. `:v40/20` makes an input give 40 before the failure and 20 after it; `:v3@40/3@20`
//! from its fourth reading on; `:v40,41x3+7/20+7` four values of the first input before the failure
//! (40 and three times 41) and one of the second; `:f41:f9:v40/30/20` gives 40 before the first
//! failure, 30 before the second and 20 after it. `:h2@345` lets the second interrupt handler run
//! whenever execution is at operation 345, and none anywhere else (`:h0@0`: none at all); with `:h2@345+`, others now and then.
//! `:n5` is about the fifth boot of a program that comes to its end in each, `:s2` about an execution whose inputs
//! begin with what they give after two readings.
//!
//! **Invariant**: what is printed is read back as the same id.

use std::fmt;
use std::num::NonZeroU32;
use std::str::FromStr;

/// One power failure of a program, or several in a row.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ReplayId {
    /// What execution resumes from.
    pub resume: ResumePoint,
    /// Instructions executed after it before power fails.
    pub distance: u64,
    /// Instructions executed after it before power fails again, in each attempt that follows but the
    /// last.
    pub further: Vec<u64>,
    /// What of the last store before the first failure is written, when it is torn.
    pub torn: Option<Torn>,
    /// Whether device registers lose what they hold, as those of real devices do. Otherwise they are
    /// restored like the rest of volatile memory.
    pub resets_registers: bool,
    /// What inputs give, when that is not what the scenario says.
    pub inputs: Option<ReplayInputs>,
    /// Where an interrupt handler runs, when that was chosen.
    pub interrupt: Option<ReplayInterrupt>,
    /// Which boot of a program that ends this is about, when that is not the first.
    pub boot: Option<NonZeroU32>,
    /// How many values of each input come before the first one that is read, if any.
    pub skipped: Option<NonZeroU32>,
}

/// What of a store is written when power fails in the middle of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Torn {
    /// So many of its first bytes.
    First(NonZeroU32),
    /// Other bytes: each is a bit, the first one the lowest.
    Bytes(NonZeroU32),
}

impl Torn {
    /// Whether a byte is written.
    pub const fn has(self, byte: u32) -> bool {
        match self {
            Self::First(count) => byte < count.get(),
            Self::Bytes(bits) => byte < u32::BITS && bits.get() >> byte & 1 == 1,
        }
    }
}

/// An interrupt handler that runs whenever execution is at one place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ReplayInterrupt {
    /// Its number, from 1.
    pub handler: u8,
    /// The operation.
    pub operation: u32,
    /// Whether handlers come now and then elsewhere, too.
    pub with_others: bool,
}

/// What the inputs of a replay give, by their number.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ReplayInputs {
    /// Up to the first power failure.
    pub first: Vec<InputValues>,
    /// In attempts after it that fail, too, in their order; in others what the last one reads.
    pub between: Vec<Vec<InputValues>>,
    /// In all attempts after these, and in the continuous execution that the last is compared with.
    pub again: Vec<InputValues>,
}

/// Values of one input, in the order in which it is read.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct InputValues {
    /// How many readings came before the first of them.
    pub from: u64,
    /// What the readings give.
    pub values: Vec<u64>,
}

/// The checkpoint that a power failure goes back to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ResumePoint {
    /// The checkpoint call of this number, from 1; 0 is the start of the program.
    Commit(u64),
    /// A checkpoint after this many executed instructions.
    Instruction(u64),
}

/// Why a text is not a replay id.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReplayIdError {
    /// It does not start with `c` or `i` and a number.
    NoResumePoint,
    /// It does not go on with `:f` and a number.
    NoDistance,
    /// Something behind that is neither `:x` nor `:b` with a number nor `:r` nor `:v` with values, or
    /// not in this order.
    UnknownPart,
    /// There are values for more attempts than there are.
    TooManyAttempts,
    /// Power fails no times, or a store is torn before its first byte.
    Zero,
    /// A number is too large.
    TooLarge,
}

impl ReplayId {
    /// A single failure, `distance` instructions after `resume`.
    pub fn new(resume: ResumePoint, distance: u64) -> ReplayId {
        ReplayId {
            resume,
            distance,
            further: Vec::new(),
            torn: None,
            resets_registers: false,
            inputs: None,
            interrupt: None,
            boot: None,
            skipped: None,
        }
    }

    /// How often power fails.
    pub fn failures(&self) -> u32 {
        u32::try_from(self.further.len()).map_or(u32::MAX, |further| further.saturating_add(1))
    }

    /// After how many instructions of each attempt power fails.
    pub fn distances(&self) -> impl Iterator<Item = u64> + Clone {
        std::iter::once(self.distance).chain(self.further.iter().copied())
    }
}

impl fmt::Display for ResumePoint {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ResumePoint::Commit(number) => write!(formatter, "c{number}"),
            ResumePoint::Instruction(time) => write!(formatter, "i{time}"),
        }
    }
}

impl fmt::Display for ReplayId {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}", self.resume)?;
        let distances: Vec<u64> = self.distances().collect();
        for same in distances.chunk_by(|one, other| one == other) {
            match same {
                [distance] => write!(formatter, ":f{distance}")?,
                [distance, ..] => write!(formatter, ":f{distance}:x{}", same.len())?,
                [] => {}
            }
        }
        match self.torn {
            Some(Torn::First(count)) => write!(formatter, ":b{count}")?,
            Some(Torn::Bytes(bits)) => write!(formatter, ":m{bits}")?,
            None => {}
        }
        if self.resets_registers {
            formatter.write_str(":r")?;
        }
        if let Some(inputs) = &self.inputs {
            formatter.write_str(":v")?;
            write_inputs(formatter, &inputs.first)?;
            for later in inputs.between.iter().chain([&inputs.again]) {
                formatter.write_str("/")?;
                write_inputs(formatter, later)?;
            }
        }
        if let Some(interrupt) = self.interrupt {
            write!(formatter, ":h{}@{}", interrupt.handler, interrupt.operation)?;
            formatter.write_str(if interrupt.with_others { "+" } else { "" })?;
        }
        if let Some(boot) = self.boot {
            write!(formatter, ":n{boot}")?;
        }
        if let Some(skipped) = self.skipped {
            write!(formatter, ":s{skipped}")?;
        }
        Ok(())
    }
}

impl FromStr for ReplayId {
    type Err = ReplayIdError;

    fn from_str(text: &str) -> Result<ReplayId, ReplayIdError> {
        use ReplayIdError::{NoDistance, NoResumePoint, TooLarge, UnknownPart, Zero};
        let mut parts = text.split(':').peekable();
        let first = parts.next().unwrap_or_default();
        let resume = match (first.strip_prefix('c'), first.strip_prefix('i')) {
            (Some(digits), _) => ResumePoint::Commit(number(digits, NoResumePoint)?),
            (_, Some(digits)) => ResumePoint::Instruction(number(digits, NoResumePoint)?),
            (None, None) => return Err(NoResumePoint),
        };
        let mut optional = |letter: char| {
            let digits = parts.peek()?.strip_prefix(letter)?;
            parts.next();
            Some(digits)
        };
        let positive = |digits: &str| NonZeroU32::new(number(digits, UnknownPart)?).ok_or(Zero);
        let mut distances = Vec::new();
        while let Some(digits) = optional('f') {
            let distance: u64 = number(digits, NoDistance)?;
            let times = optional('x').map_or(Ok(NonZeroU32::MIN), positive)?.get() as usize;
            if times > MOST_FAILURES - distances.len() {
                return Err(TooLarge);
            }
            distances.resize(distances.len() + times, distance);
        }
        let (&distance, further) = distances.split_first().ok_or(NoDistance)?;
        let mut id = ReplayId {
            further: further.to_vec(),
            ..ReplayId::new(resume, distance)
        };
        if let Some(digits) = optional('b') {
            id.torn = Some(Torn::First(positive(digits)?));
        } else if let Some(digits) = optional('m') {
            id.torn = Some(Torn::Bytes(positive(digits)?));
        }
        if let Some(rest) = optional('r') {
            if !rest.is_empty() {
                return Err(UnknownPart);
            }
            id.resets_registers = true;
        }
        if let Some(values) = optional('v') {
            let attempts: Result<Vec<_>, _> = values.split('/').map(read_inputs).collect();
            let mut attempts = attempts?.into_iter();
            let (first, again) = attempts
                .next()
                .zip(attempts.next_back())
                .ok_or(UnknownPart)?;
            let between: Vec<_> = attempts.collect();
            if between.len() > id.further.len() {
                return Err(ReplayIdError::TooManyAttempts);
            }
            id.inputs = Some(ReplayInputs {
                first,
                between,
                again,
            });
        }
        if let Some(text) = optional('h') {
            let (handler, operation) = text.split_once('@').ok_or(UnknownPart)?;
            let (operation, with_others) = match operation.strip_suffix('+') {
                Some(operation) => (operation, true),
                None => (operation, false),
            };
            id.interrupt = Some(ReplayInterrupt {
                handler: number(handler, UnknownPart)?,
                operation: number(operation, UnknownPart)?,
                with_others,
            });
        }
        if let Some(digits) = optional('n') {
            id.boot = Some(positive(digits)?);
        }
        if let Some(digits) = optional('s') {
            id.skipped = Some(positive(digits)?);
        }
        match parts.next() {
            Some(_) => Err(UnknownPart),
            None => Ok(id),
        }
    }
}

fn write_inputs(formatter: &mut fmt::Formatter<'_>, inputs: &[InputValues]) -> fmt::Result {
    for (number, input) in inputs.iter().enumerate() {
        if number > 0 {
            formatter.write_str("+")?;
        }
        if input.from > 0 {
            write!(formatter, "{}@", input.from)?;
        }
        for (index, run) in input.values.chunk_by(|one, other| one == other).enumerate() {
            let comma = if index > 0 { "," } else { "" };
            match run {
                [value] => write!(formatter, "{comma}{value}")?,
                [value, ..] => write!(formatter, "{comma}{value}x{}", run.len())?,
                [] => {}
            }
        }
    }
    Ok(())
}

/// Nobody needs a replay with more failures.
const MOST_FAILURES: usize = 1 << 20;
/// Nobody needs a replay with more readings of an input.
const MOST_READINGS: usize = 1 << 20;

/// Nothing at all means no inputs; one without values has to be followed by another.
fn read_inputs(text: &str) -> Result<Vec<InputValues>, ReplayIdError> {
    if text.is_empty() {
        return Ok(Vec::new());
    }
    let input = |text: &str| {
        let (from, values) = match text.split_once('@') {
            Some((from, values)) => (number(from, ReplayIdError::UnknownPart)?, values),
            None => (0, text),
        };
        let mut all = Vec::new();
        for run in values.split(',').filter(|_| !values.is_empty()) {
            let (value, times) = match run.split_once('x') {
                Some((value, times)) => (value, number(times, ReplayIdError::UnknownPart)?),
                None => (run, 1),
            };
            let value = number(value, ReplayIdError::UnknownPart)?;
            if times == 0 {
                return Err(ReplayIdError::Zero);
            }
            if times > MOST_READINGS - all.len() {
                return Err(ReplayIdError::TooLarge);
            }
            all.resize(all.len() + times, value);
        }
        Ok(InputValues { from, values: all })
    };
    text.split('+').map(input).collect()
}

/// A number in decimal digits; anything else is the error `otherwise`.
fn number<N: FromStr>(digits: &str, otherwise: ReplayIdError) -> Result<N, ReplayIdError> {
    if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return Err(otherwise);
    }
    digits.parse().map_err(|_| ReplayIdError::TooLarge)
}

impl fmt::Display for ReplayIdError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            ReplayIdError::NoResumePoint => {
                "a replay id starts with a checkpoint, `c` and its number, or `i` and a number of instructions, \
                 as in `c3:f41`"
            }
            ReplayIdError::NoDistance => {
                "a replay id says after how many instructions power fails, as in `c3:f41`"
            }
            ReplayIdError::UnknownPart => {
                "a replay id ends with `:x` and a number of failures, `:b` and a number of bytes, `:v` and values \
                 of inputs, `:h` and an interrupt with its place, `:n` and the number of a boot, `:s` and a number of readings that are skipped, or several of these in this order, as in `c3:f41:x2`, `c3:f41:v40/20` or \
                 `c3:f41:f9:v40/30/20`"
            }
            ReplayIdError::TooManyAttempts => {
                "a replay id has values for the attempt before each power failure and for the one after the last, \
                 as in `c3:f41:v40/20` or `c3:f41:f9:v40/30/20`, and for no others"
            }
            ReplayIdError::Zero => "failures, bytes, boots and skipped readings in a replay id are at least 1",
            ReplayIdError::TooLarge => "a number in the replay id is too large",
        })
    }
}

impl std::error::Error for ReplayIdError {}

#[cfg(test)]
mod tests {
    use std::num::NonZeroU32;

    use proptest::collection::vec;
    use proptest::prelude::{Strategy, any, prop_assert_eq, prop_oneof, proptest};

    use super::{
        InputValues, ReplayId, ReplayIdError, ReplayInputs, ReplayInterrupt, ResumePoint, Torn,
    };

    fn ids() -> impl Strategy<Value = ReplayId> {
        let resume = prop_oneof![
            any::<u64>().prop_map(ResumePoint::Commit),
            any::<u64>().prop_map(ResumePoint::Instruction),
        ];
        let positive = || (1..=u32::MAX).prop_filter_map("zero", NonZeroU32::new);
        let torn = prop_oneof![
            positive().prop_map(|count| Some(Torn::First(count))),
            positive().prop_map(|bits| Some(Torn::Bytes(bits))),
            any::<()>().prop_map(|()| None)
        ];
        let values = || {
            let input = (any::<u64>(), vec(any::<u64>(), 1..3));
            vec(
                input.prop_map(|(from, values)| InputValues { from, values }),
                0..3,
            )
        };
        let inputs = (any::<bool>(), values(), vec(values(), 0..3), values());
        let distance = || prop_oneof![any::<u64>(), 0..2_u64];
        let interrupt = (any::<bool>(), any::<u8>(), any::<u32>(), any::<bool>());
        let interrupt = interrupt.prop_map(|(some, handler, operation, with_others)| {
            some.then_some(ReplayInterrupt {
                handler,
                operation,
                with_others,
            })
        });
        let maybe = || prop_oneof![positive().prop_map(Some), any::<()>().prop_map(|()| None)];
        let further = (
            vec(distance(), 0..4),
            any::<bool>(),
            interrupt,
            maybe(),
            maybe(),
        );
        (resume, distance(), further, torn, inputs).prop_map(
            |(resume, distance, further, torn, (some, first, mut between, again))| {
                let (further, resets_registers, interrupt, boot, skipped) = further;
                between.truncate(further.len());
                ReplayId {
                    further,
                    torn,
                    resets_registers,
                    inputs: some.then_some(ReplayInputs {
                        first,
                        between,
                        again,
                    }),
                    interrupt,
                    boot,
                    skipped,
                    ..ReplayId::new(resume, distance)
                }
            },
        )
    }

    proptest! {
        #[test]
        fn what_is_printed_is_read_back(id in ids()) {
            prop_assert_eq!(id.to_string().parse(), Ok(id));
        }

        #[test]
        fn no_text_is_a_surprise(text in "[ci:fxbrvhns0-9+@,/ -]{0,16}") {
            if let Ok(id) = text.parse::<ReplayId>() {
                prop_assert_eq!(id.to_string().parse(), Ok(id));
            }
        }
    }

    #[test]
    fn ids_are_spelled_as_documented() {
        let mut id = ReplayId::new(ResumePoint::Commit(3), 41);
        assert_eq!(id.to_string(), "c3:f41");
        id.further = vec![41];
        id.torn = NonZeroU32::new(2).map(Torn::First);
        assert_eq!(id.to_string(), "c3:f41:x2:b2");
        id.resets_registers = true;
        assert_eq!(id.to_string(), "c3:f41:x2:b2:r");
        id.boot = NonZeroU32::new(5);
        assert_eq!(id.to_string(), "c3:f41:x2:b2:r:n5");
        id.skipped = NonZeroU32::new(2);
        assert_eq!(id.to_string(), "c3:f41:x2:b2:r:n5:s2");
        let id = ReplayId::new(ResumePoint::Instruction(120), 8);
        assert_eq!(id.to_string(), "i120:f8");
        let input = |from, values: &[u64]| InputValues {
            from,
            values: values.to_vec(),
        };
        let inputs = ReplayInputs {
            first: vec![input(0, &[40, 41, 41, 41]), input(3, &[7])],
            between: vec![],
            again: vec![input(0, &[]), input(3, &[8])],
        };
        let id = ReplayId {
            inputs: Some(inputs),
            ..id
        };
        assert_eq!(id.to_string(), "i120:f8:v40,41x3+3@7/+3@8");
        assert_eq!(id.to_string().parse(), Ok(id));
        let id = ReplayId {
            further: vec![6, 9],
            inputs: Some(ReplayInputs {
                first: vec![input(0, &[51])],
                between: vec![vec![], vec![input(0, &[7])]],
                again: vec![input(0, &[3])],
            }),
            ..ReplayId::new(ResumePoint::Commit(1), 6)
        };
        assert_eq!(id.to_string(), "c1:f6:x2:f9:v51//7/3");
        assert_eq!(id.to_string().parse(), Ok(id));
    }

    #[test]
    fn errors_name_what_is_wrong() {
        let cases = [
            ("", ReplayIdError::NoResumePoint),
            ("f3", ReplayIdError::NoResumePoint),
            ("c:f3", ReplayIdError::NoResumePoint),
            ("c+1:f3", ReplayIdError::NoResumePoint),
            ("c3", ReplayIdError::NoDistance),
            ("c3:41", ReplayIdError::NoDistance),
            ("c3:f4x", ReplayIdError::NoDistance),
            ("c3:f41:", ReplayIdError::UnknownPart),
            ("c3:f41:b1:x2", ReplayIdError::UnknownPart),
            ("c3:f41:v7", ReplayIdError::UnknownPart),
            ("c3:f41:v7,/8", ReplayIdError::UnknownPart),
            ("c3:f41:n0", ReplayIdError::Zero),
            ("c3:f41:n2:r", ReplayIdError::UnknownPart),
            ("c3:f41:v7x0/8", ReplayIdError::Zero),
            ("c3:f41:v7x99999999999/8", ReplayIdError::TooLarge),
            ("c3:f41:v@7/8", ReplayIdError::UnknownPart),
            ("c3:f41:v7/8/9", ReplayIdError::TooManyAttempts),
            ("c3:f41:x2:f", ReplayIdError::NoDistance),
            ("c3:f41:x2:x3", ReplayIdError::UnknownPart),
            ("c3:f41:b1:f9", ReplayIdError::UnknownPart),
            ("c3:f41:x", ReplayIdError::UnknownPart),
            ("c3:f41:x0", ReplayIdError::Zero),
            ("c3:f41:b0", ReplayIdError::Zero),
            ("c99999999999999999999:f1", ReplayIdError::TooLarge),
            ("c1:f1:x4294967296", ReplayIdError::TooLarge),
            ("c1:f1:x1048577", ReplayIdError::TooLarge),
            ("c1:f1:x1048576:f2", ReplayIdError::TooLarge),
        ];
        for (text, error) in cases {
            assert_eq!(text.parse::<ReplayId>(), Err(error), "{text}");
        }
    }
}
