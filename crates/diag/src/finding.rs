//! A finding: one defect of the program under analysis, whoever found it.
//!
//! Semantics §3. **Invariant**: two findings are the same defect exactly when their
//! [`Identity`] is equal; the analyses then add evidence to one of them. The places of a
//! finding, its effects and its replay are those of the first of its pairs, if it has any.

use std::fmt;
use std::sync::Arc;

use crate::{CrashId, Effect, Named, ObjectId, ReplayId, Role, Rule, Segment, SourcePlace};

/// How bad a finding is; the worst comes first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    /// Makes the tool exit with 1.
    Error,
    /// Worth a look.
    Warning,
    /// Good to know.
    Note,
}

/// How well a finding is established. What is graver is asked by name: evidence has no order of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Evidence {
    /// Static analysis cannot exclude it.
    Possible,
    /// Seen in the trace of a real execution.
    Located,
    /// A power failure was emulated and the states differ.
    Confirmed,
    /// A power failure was emulated and the states always converge again.
    Benign,
    /// Proved impossible.
    Refuted,
}

/// One defect.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Finding {
    /// What it is about.
    pub rule: Rule,
    /// How bad it is.
    pub severity: Severity,
    /// How well it is established.
    pub evidence: Evidence,
    /// One line that stands alone: lowercase, code in backticks, no full stop.
    pub message: String,
    /// The object concerned.
    pub object: Option<ObjectRef>,
    /// Memory rules: what makes it this defect, beside the rule.
    pub subject: Option<Subject>,
    /// Memory rules: every read with a write that it must not see, the one that is shown first.
    pub pairs: Vec<Pair>,
    /// Where the state is read or relied upon.
    pub consumer: Option<SourcePlace>,
    /// Where the state is overwritten.
    pub producer: Option<SourcePlace>,
    /// `repeated-input`: the branch that depends on the input.
    pub branch: Option<SourcePlace>,
    /// `repeated-input`: where the inputs are read.
    pub inputs: Vec<SourcePlace>,
    /// `repeated-input`: the way from the input to the branch, step by step.
    pub taint: Vec<SourcePlace>,
    /// `repeated-input`: the objects written on some side of the branch only.
    pub variables: Vec<SidedObject>,
    /// What other callers pass under the same names, and may go wrong in the same way.
    pub also: Vec<ObjectRef>,
    /// How the executions differed, when a failure was emulated.
    pub effects: Vec<Effect>,
    /// Further places that tell the history.
    pub related: Vec<Related>,
    /// Remarks on how it was established.
    pub notes: Vec<String>,
    /// What replays the failure.
    pub replay: Option<Replay>,
    /// What to do about it, best first.
    pub help: Vec<String>,
    /// The changes among these that were tried and mend it.
    pub fixes: Vec<Fix>,
}

/// What a defect of memory is about (semantics §3.1): however many reads and writes of an object a
/// region has, they are one defect.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Subject {
    /// What users call the whole object: a variable or a field as they named it, the frame of a function,
    /// a heap block.
    pub name: String,
    /// Which object it is, or is in.
    pub object: ObjectId,
    /// Its bits in there, from one on and up to another; none if it has no fixed size.
    pub bits: (u64, u64),
    /// Where that is.
    pub locus: Locus,
}

/// Where a defect of memory is.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Locus {
    /// In the region before the first checkpoint.
    Start,
    /// In the region that begins at this call of a checkpoint, or with this task.
    Checkpoint(SourcePlace),
    /// Regions begin anywhere, or nowhere: in the function that overwrites.
    Function {
        /// The file of the function.
        file: String,
        /// Its name.
        function: String,
    },
}

/// A read and a write of one defect. There may be very many of them: places are shared, and have no
/// calls.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Pair {
    /// What both access.
    pub object: Arc<Named>,
    /// Where it is read or relied upon.
    pub consumer: Option<Arc<SourcePlace>>,
    /// Where it is overwritten.
    pub producer: Option<Arc<SourcePlace>>,
    /// How well the pair is established.
    pub evidence: Evidence,
    /// The failure that confirms it.
    pub witness: Option<Arc<Witness>>,
}

/// A power failure that does harm.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Witness {
    /// The identifier that replays it, if it has one.
    pub replay: Option<ReplayId>,
    /// How the executions differed.
    pub effects: Vec<Effect>,
}

/// What replays the failures of a finding.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Replay {
    /// A failure of one execution.
    Failure(ReplayId),
    /// Failures in several boots.
    Boots(CrashId),
}

/// A change of the program that mends a finding.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Fix {
    /// Save an object.
    Save {
        /// Its name.
        object: String,
        /// In this checkpoint; in all of them if it has no place.
        checkpoint: Option<SourcePlace>,
    },
    /// Commit once more.
    Checkpoint {
        /// Right before this.
        before: SourcePlace,
    },
}

/// What makes a defect that defect: the rule, the object and, if it is about memory, where, else the
/// places without their calls.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Identity<'finding> {
    /// What it is about.
    pub rule: Rule,
    /// The object concerned, and its bits in there: from one on, up to another.
    pub object: Option<(&'finding ObjectId, (u64, u64))>,
    /// Where, if it is about memory.
    pub locus: Option<&'finding Locus>,
    /// The places of one that is not: where it is consumed, produced, and decided by an input.
    pub places: [Option<(&'finding str, u32, u32)>; 3],
}

/// A path in an object of the program.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ObjectRef {
    /// The path as the user would write it, such as `cal.x`.
    pub name: String,
    /// The whole object in the same way, such as `cal`.
    pub whole: String,
    /// Which object it is.
    pub id: ObjectId,
    /// Where it lies.
    pub segment: Segment,
    /// The first byte concerned, counted from the start of the object.
    pub offset: u64,
    /// How many bytes are concerned.
    pub size: u64,
}

/// An object with the sides of a branch that write it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SidedObject {
    /// The object.
    pub object: ObjectRef,
    /// The sides that may write it.
    pub sides: Vec<Side>,
}

/// One side of a branch.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Side {
    /// The condition holds.
    Then,
    /// The condition does not hold.
    Else,
    /// A case of a switch.
    Case(i64),
    /// No case of a switch.
    Default,
}

/// A place that belongs to the history of a finding.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Related {
    /// What happened there.
    pub event: Event,
    /// Where.
    pub place: SourcePlace,
}

/// What belongs to the history of a finding.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Event {
    /// The checkpoint that a power failure goes back to.
    LastCheckpoint,
    /// The task that a power failure goes back to the beginning of.
    TaskBegins(String),
    /// Something else, in words.
    Other(String),
}

impl Finding {
    /// A finding with the rule's own severity and no details yet.
    pub fn new(rule: Rule, evidence: Evidence, message: impl Into<String>) -> Finding {
        Finding {
            rule,
            severity: rule.severity(),
            evidence,
            message: message.into(),
            object: None,
            subject: None,
            pairs: Vec::new(),
            consumer: None,
            producer: None,
            branch: None,
            inputs: Vec::new(),
            taint: Vec::new(),
            variables: Vec::new(),
            also: Vec::new(),
            effects: Vec::new(),
            related: Vec::new(),
            notes: Vec::new(),
            replay: None,
            help: Vec::new(),
            fixes: Vec::new(),
        }
    }

    /// The place to look at first: where state is relied upon that is not there any more, or where
    /// it is overwritten. If it has no such place, the first of what belongs to its history.
    pub fn primary(&self) -> Option<&SourcePlace> {
        let (first, second) = match self.rule.primary() {
            Role::Consumer => (&self.consumer, &self.producer),
            Role::Producer => (&self.producer, &self.consumer),
        };
        let related = self.related.first().map(|related| &related.place);
        let places = first.as_ref().or(second.as_ref());
        places.or(self.branch.as_ref()).or(related)
    }

    /// What tells this defect from others.
    pub fn identity(&self) -> Identity<'_> {
        match &self.subject {
            Some(subject) => Identity {
                rule: self.rule,
                object: Some((&subject.object, subject.bits)),
                locus: Some(&subject.locus),
                places: [None; 3],
            },
            None => Identity {
                rule: self.rule,
                object: self.object.as_ref().map(|object| {
                    let end = object.offset.saturating_add(object.size);
                    let bits = (object.offset.saturating_mul(8), end.saturating_mul(8));
                    (&object.id, bits)
                }),
                locus: None,
                places: self.places(),
            },
        }
    }

    /// The order in which findings are shown: by their places.
    pub fn order(&self) -> impl Ord {
        (self.places(), self.rule, self.object_name(), &self.subject)
    }

    fn object_name(&self) -> Option<&str> {
        self.object.as_ref().map(|object| object.name.as_str())
    }

    fn places(&self) -> [Option<(&str, u32, u32)>; 3] {
        let places = [&self.consumer, &self.producer, &self.branch];
        places.map(|place| place.as_ref().map(SourcePlace::position))
    }

    /// Puts the pair at `index` first, and shows what that one does.
    pub fn lead_with(&mut self, index: usize) {
        if index >= self.pairs.len() {
            return;
        }
        self.pairs[..=index].rotate_right(1);
        let first = &self.pairs[0];
        self.consumer = first.consumer.as_deref().cloned();
        self.producer = first.producer.as_deref().cloned();
        let witness = first.witness.as_deref();
        self.effects = witness.map_or_else(Vec::new, |witness| witness.effects.clone());
        let replay = witness.and_then(|witness| witness.replay.clone());
        self.replay = replay.map(Replay::Failure);
    }

    /// The failure of one execution that it is about, if there is one.
    pub fn failure(&self) -> Option<&ReplayId> {
        match &self.replay {
            Some(Replay::Failure(id)) => Some(id),
            Some(Replay::Boots(_)) | None => None,
        }
    }

    /// The severity of one of its pairs: those that do no harm are only good to know.
    pub fn severity_of(&self, pair: &Pair) -> Severity {
        match pair.evidence.is_harmless() {
            true => Severity::Note,
            false => self.severity,
        }
    }
}

impl Severity {
    /// The stable name.
    pub fn name(self) -> &'static str {
        match self {
            Severity::Error => "error",
            Severity::Warning => "warning",
            Severity::Note => "note",
        }
    }
}

impl Evidence {
    /// The order in which people see it: what is worse comes first. What was not emulated is worse than what
    /// does no harm.
    pub const ALL: [Self; 5] = [
        Self::Confirmed,
        Self::Located,
        Self::Possible,
        Self::Benign,
        Self::Refuted,
    ];

    /// Which comes first, from 0.
    pub fn rank(self) -> usize {
        let mut all = Self::ALL.iter();
        all.position(|&other| other == self).unwrap_or(0)
    }

    /// Whether it counts for more than something else that is known of the same defect.
    pub fn is_graver_than(self, other: Self) -> bool {
        self.rank() < other.rank()
    }

    /// Whether it says that no harm is done.
    pub fn is_harmless(self) -> bool {
        matches!(self, Self::Benign | Self::Refuted)
    }

    /// The stable name.
    pub fn name(self) -> &'static str {
        match self {
            Evidence::Possible => "possible",
            Evidence::Located => "located",
            Evidence::Confirmed => "confirmed",
            Evidence::Benign => "benign",
            Evidence::Refuted => "refuted",
        }
    }
}

impl fmt::Display for Severity {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.pad(self.name())
    }
}

impl fmt::Display for Replay {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Replay::Failure(id) => id.fmt(formatter),
            Replay::Boots(id) => id.fmt(formatter),
        }
    }
}

impl fmt::Display for Event {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Event::LastCheckpoint => formatter.write_str("last checkpoint"),
            Event::TaskBegins(task) => write!(formatter, "task `{task}` begins"),
            Event::Other(words) => formatter.write_str(words),
        }
    }
}

impl fmt::Display for Evidence {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.pad(self.name())
    }
}

impl fmt::Display for Side {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Side::Then => formatter.write_str("then"),
            Side::Else => formatter.write_str("else"),
            Side::Case(value) => write!(formatter, "case {value}"),
            Side::Default => formatter.write_str("default"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Evidence, Finding, Locus, Severity, Subject};
    use crate::{ObjectId, Rule, SourcePlace};

    fn at(line: u32, stack: &[&str]) -> Finding {
        let mut finding = Finding::new(Rule::WriteAfterRead, Evidence::Located, "`count`");
        finding.consumer = Some(SourcePlace {
            file: "sense.c".into(),
            line,
            column: 1,
            function: "main".into(),
            stack: stack.iter().map(ToString::to_string).collect(),
        });
        finding
    }

    #[test]
    fn identity_ignores_calls_and_evidence() {
        let one = at(10, &["main"]);
        let mut other = at(10, &["main", "helper"]);
        other.evidence = Evidence::Confirmed;
        assert_eq!(one.identity(), other.identity());
        let elsewhere = at(11, &[]);
        assert_ne!(one.identity(), elsewhere.identity());
        assert!(one.order() < elsewhere.order());
    }

    #[test]
    fn places_do_not_matter_to_a_subject() {
        let subject = Subject {
            name: "count".into(),
            object: ObjectId::Variable("count".into()),
            bits: (0, 16),
            locus: Locus::Start,
        };
        let [mut one, mut other] = [at(10, &[]), at(11, &[])];
        one.subject = Some(subject.clone());
        assert_ne!(one.identity(), other.identity());
        other.subject = Some(subject.clone());
        assert_eq!(one.identity(), other.identity());
        // Another static variable of that name.
        other.subject = Some(Subject {
            object: ObjectId::Variable("tick.count".into()),
            ..subject
        });
        assert_ne!(one.identity(), other.identity());
    }

    #[test]
    fn what_does_harm_is_graver_than_what_does_none() {
        assert!(Evidence::Confirmed.is_graver_than(Evidence::Located));
        assert!(Evidence::Possible.is_graver_than(Evidence::Benign));
        assert!(!Evidence::Benign.is_graver_than(Evidence::Benign));
        for evidence in Evidence::ALL {
            let is_late = Evidence::Possible.is_graver_than(evidence);
            assert_eq!(evidence.is_harmless(), is_late);
        }
    }

    #[test]
    fn a_new_finding_has_the_severity_of_its_rule() {
        let leak = Finding::new(Rule::HeapLeak, Evidence::Located, "leaks");
        assert_eq!(leak.severity, Severity::Note);
        assert_eq!(at(1, &[]).severity, Severity::Error);
    }
}
