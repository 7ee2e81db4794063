//! From what happened to the steps a user reads: worded, compared, and loops
//! told once.

use brownout_diag::{Action, Again, Continuous, Step, Watched};
use brownout_explore::Object;
use brownout_vm::Image;

use super::record::{Event, Happening};
use super::watch::{WatchList, compared};
use crate::signs::InputSigns;
use crate::wording;

/// The longest loop body, in steps, that is recognised.
const LONGEST_CYCLE: usize = 24;
/// Steps beyond these are counted only; steps that differ from the continuous execution have a
/// list of the same length for themselves.
const MOST_STEPS: usize = 300;

/// Names of inputs and outputs, by number.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Surroundings<'r> {
    pub(crate) inputs: &'r [String],
    pub(crate) outputs: &'r [String],
    /// How the values of inputs are written.
    pub(crate) signs: &'r InputSigns,
}

/// What makes two steps the same in a loop.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Key {
    pc: u32,
    kind: Kind,
    /// Whether the continuous execution does something else, does the same, or is elsewhere.
    standing: Standing,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Kind {
    Read(Object),
    Write(Object),
    Input(u32),
    Output(u32),
    Text,
    PassedCheckpoint,
    Commit,
    Departure,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Standing {
    Same,
    Differs,
    Elsewhere,
}

/// What happens at the same point of the continuous execution.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Twin<'e> {
    /// The very same.
    Itself,
    /// These.
    Events(&'e [Event]),
    /// Nobody: the other execution is at another place.
    Nobody,
}

/// Steps in the making.
#[derive(Debug, Default)]
pub(crate) struct Steps {
    steps: Vec<Step>,
    keys: Vec<Key>,
    left_out: u64,
}

impl Steps {
    /// The steps, and how many are not among them.
    pub(crate) fn finish(self) -> (Vec<Step>, u64) {
        (self.steps, self.left_out)
    }

    /// Adds what one operation did.
    pub(crate) fn add(
        &mut self,
        watches: &WatchList<'_>,
        image: &Image,
        surroundings: Surroundings<'_>,
        events: &[Event],
        twin: Twin<'_>,
        values: &dyn Fn() -> Vec<Watched>,
    ) {
        for (index, event) in events.iter().enumerate() {
            let other = match twin {
                Twin::Itself => Some(event),
                Twin::Events(others) => others.get(index),
                Twin::Nobody => None,
            };
            let (kind, action) = describe(watches, surroundings, event, other);
            let key = Key {
                pc: event.pc,
                kind,
                standing: standing(&action),
            };
            self.push(key, || Step {
                action,
                place: wording::place(image, event.pc),
                values: values(),
                again: None,
            });
        }
    }

    /// Adds the point where the paths part.
    pub(crate) fn depart(&mut self, pc: u32, step: Step) {
        let key = Key {
            pc,
            kind: Kind::Departure,
            standing: Standing::Differs,
        };
        self.push(key, || step);
    }

    fn push(&mut self, key: Key, step: impl FnOnce() -> Step) {
        let like = self
            .keys
            .iter()
            .filter(|other| other.standing == key.standing)
            .count();
        if like >= MOST_STEPS && key.kind != Kind::Departure {
            self.left_out += 1;
            return;
        }
        self.steps.push(step());
        self.keys.push(key);
        self.fold();
    }

    /// Takes the newest steps away if they repeat those before them.
    fn fold(&mut self) {
        let count = self.keys.len();
        for period in 1..=LONGEST_CYCLE.min(count / 2) {
            let (earlier, newest) = self.keys[count - 2 * period..].split_at(period);
            if earlier != newest {
                continue;
            }
            self.keys.truncate(count - period);
            let repeated = self.steps.split_off(count - period);
            let kept = &mut self.steps[count - 2 * period..];
            for (kept, repeated) in kept.iter_mut().zip(repeated) {
                let (more, last) = match repeated.again {
                    Some(again) => (again.times + 1, again.last),
                    None => (1, repeated.action),
                };
                let before = kept.again.as_ref().map_or(0, |again| again.times);
                kept.again = Some(Again {
                    times: before + more,
                    cycle: period,
                    last,
                });
                kept.values = repeated.values;
            }
            break;
        }
    }
}

/// An event in words, beside the one of the continuous execution.
fn describe(
    watches: &WatchList<'_>,
    surroundings: Surroundings<'_>,
    event: &Event,
    other: Option<&Event>,
) -> (Kind, Action) {
    let other = other.map(|other| &other.happening);
    let name = |names: &[String], index: u32| {
        names
            .get(index as usize)
            .cloned()
            .unwrap_or_else(|| "device register".to_owned())
    };
    match &event.happening {
        Happening::Read(touched, bytes) => {
            let other = match other {
                Some(Happening::Read(other, bytes)) => Some((other, bytes.as_deref())),
                _ => None,
            };
            let object = watches.name(touched.part);
            let value = watches.value(touched.part, bytes.as_deref().unwrap_or(&[]));
            let other = other.map(|(other, bytes)| {
                let value = watches.value(other.part, bytes.unwrap_or(&[]));
                elsewhere(watches.name(other.part), &object, value)
            });
            let value = compared(value, other);
            (
                Kind::Read(touched.part.object),
                Action::Read { object, value },
            )
        }
        Happening::Write(touched, bytes) => {
            let object = watches.name(touched.part);
            let value = watches.value(touched.part, bytes);
            let other = match other {
                Some(Happening::Write(other, bytes)) => {
                    let value = watches.value(other.part, bytes);
                    Some(elsewhere(watches.name(other.part), &object, value))
                }
                _ => None,
            };
            let value = compared(value, other);
            (
                Kind::Write(touched.part.object),
                Action::Write { object, value },
            )
        }
        Happening::Input(index, value) => {
            let other = match other {
                Some(Happening::Input(other, value)) => {
                    Some(surroundings.signs.text(*other, *value))
                }
                _ => None,
            };
            let action = Action::Input {
                input: name(surroundings.inputs, *index),
                value: compared(surroundings.signs.text(*index, *value), other),
            };
            (Kind::Input(*index), action)
        }
        Happening::Output(index, arguments) => {
            let list = |arguments: &[i64]| {
                let list: Vec<String> = arguments.iter().map(i64::to_string).collect();
                list.join(", ")
            };
            let other = match other {
                Some(Happening::Output(_, arguments)) => Some(list(arguments)),
                _ => None,
            };
            let action = Action::Output {
                output: name(surroundings.outputs, *index),
                arguments: compared(list(arguments), other),
            };
            (Kind::Output(*index), action)
        }
        Happening::Text(bytes) => {
            let other = match other {
                Some(Happening::Text(bytes)) => Some(wording::text(bytes)),
                _ => None,
            };
            let text = compared(wording::text(bytes), other);
            (Kind::Text, Action::Text { text })
        }
        Happening::PassedCheckpoint => (Kind::PassedCheckpoint, Action::PassedCheckpoint),
        Happening::Commit => (Kind::Commit, Action::Commit),
    }
}

/// The value of the continuous execution, with its object if that is another one.
fn elsewhere(name: String, object: &str, value: String) -> String {
    if name == object {
        value
    } else {
        format!("{value} of {name}")
    }
}

fn standing(action: &Action) -> Standing {
    let value = match action {
        Action::Read { value, .. } | Action::Write { value, .. } | Action::Input { value, .. } => {
            value
        }
        Action::Output { arguments, .. } => arguments,
        Action::Text { text } => text,
        Action::PassedCheckpoint | Action::Commit => return Standing::Same,
        Action::Departure { .. } => return Standing::Differs,
    };
    match value.continuous {
        Continuous::Same => Standing::Same,
        Continuous::Other(_) => Standing::Differs,
        Continuous::Elsewhere => Standing::Elsewhere,
    }
}

#[cfg(test)]
mod tests {
    use brownout_diag::{Action, Step};

    use super::{Key, Kind, Standing, Steps};

    fn told(letters: &str) -> Vec<(u32, u64)> {
        let mut steps = Steps::default();
        for letter in letters.chars() {
            let key = Key {
                pc: u32::from(letter),
                kind: Kind::PassedCheckpoint,
                standing: Standing::Same,
            };
            steps.push(key, || Step {
                action: Action::PassedCheckpoint,
                place: None,
                values: Vec::new(),
                again: None,
            });
        }
        let counts = steps.steps.iter();
        let counts = counts.map(|step| step.again.as_ref().map_or(1, |again| again.times + 1));
        steps.keys.iter().map(|key| key.pc).zip(counts).collect()
    }

    #[test]
    fn loops_are_told_once() {
        let cases: [(&str, &[(char, u64)]); 6] = [
            ("", &[]),
            ("ab", &[('a', 1), ('b', 1)]),
            ("abbbc", &[('a', 1), ('b', 3), ('c', 1)]),
            ("xababab", &[('x', 1), ('a', 3), ('b', 3)]),
            ("abababa", &[('a', 3), ('b', 3), ('a', 1)]),
            // A loop in a loop.
            ("abbbcabbc", &[('a', 2), ('b', 5), ('c', 2)]),
        ];
        for (letters, expected) in cases {
            let expected: Vec<(u32, u64)> = expected
                .iter()
                .map(|&(letter, times)| (u32::from(letter), times))
                .collect();
            assert_eq!(told(letters), expected, "{letters}");
        }
    }
}
