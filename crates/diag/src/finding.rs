//! A finding: one defect of the program under analysis, whoever found it.
//!
//! Semantics §3. **Invariant**: two findings are the same defect exactly when their
//! [`Identity`] is equal; the analyses then add evidence to one of them.

use std::fmt;

use crate::{Effect, Rule, SourcePlace};

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

/// How well a finding is established. Ordered: later evidence supersedes earlier evidence.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
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
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
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
    /// How the executions differed, when a failure was emulated.
    pub effects: Vec<Effect>,
    /// Further places that tell the history.
    pub related: Vec<Related>,
    /// Remarks on how it was established.
    pub notes: Vec<String>,
    /// The identifier that replays the failure.
    pub replay: Option<String>,
    /// What to do about it, best first.
    pub help: Vec<String>,
    /// The changes among these that were tried and mend it.
    pub fixes: Vec<Fix>,
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

/// What makes a defect that defect: rule, object and places without their calls.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Identity<'finding> {
    /// Where it is consumed; first, so that findings sort by place.
    pub consumer: Option<(&'finding str, u32, u32)>,
    /// Where it is produced.
    pub producer: Option<(&'finding str, u32, u32)>,
    /// Where the input decides.
    pub branch: Option<(&'finding str, u32, u32)>,
    /// What it is about.
    pub rule: Rule,
    /// The name of the object.
    pub object: Option<&'finding str>,
}

/// A path in an object of the program.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ObjectRef {
    /// The path as the user would write it, such as `cal.x`.
    pub name: String,
    /// The segment it lives in, such as `globals`, `stack`, `heap` or a section.
    pub segment: String,
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
    /// What happened there, such as `last checkpoint`.
    pub label: String,
    /// Where.
    pub place: SourcePlace,
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
            consumer: None,
            producer: None,
            branch: None,
            inputs: Vec::new(),
            taint: Vec::new(),
            variables: Vec::new(),
            effects: Vec::new(),
            related: Vec::new(),
            notes: Vec::new(),
            replay: None,
            help: Vec::new(),
            fixes: Vec::new(),
        }
    }

    /// The place to look at first: where state is relied upon that is not there any more, or where
    /// it is overwritten.
    pub fn primary(&self) -> Option<&SourcePlace> {
        let (first, second) = match self.rule {
            Rule::StaleInput | Rule::PeripheralState | Rule::CrashConsistency => {
                (&self.consumer, &self.producer)
            }
            Rule::WriteAfterRead
            | Rule::ActivationRecord
            | Rule::MemoryMap
            | Rule::HeapLeak
            | Rule::TornWrite
            | Rule::RepeatedInput
            | Rule::TaintedAddress
            | Rule::OutputSemantics => (&self.producer, &self.consumer),
        };
        first.as_ref().or(second.as_ref()).or(self.branch.as_ref())
    }

    /// What tells this defect from others; also the order in which findings are shown.
    pub fn identity(&self) -> Identity<'_> {
        Identity {
            consumer: self.consumer.as_ref().map(SourcePlace::position),
            producer: self.producer.as_ref().map(SourcePlace::position),
            branch: self.branch.as_ref().map(SourcePlace::position),
            rule: self.rule,
            object: self.object.as_ref().map(|object| object.name.as_str()),
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
    use super::{Evidence, Finding, Severity};
    use crate::{Rule, SourcePlace};

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
        assert!(one.identity() < at(11, &[]).identity());
    }

    #[test]
    fn evidence_grows() {
        assert!(Evidence::Possible < Evidence::Located);
        assert!(Evidence::Located < Evidence::Confirmed);
        assert!(Evidence::Confirmed < Evidence::Benign);
        assert!(Evidence::Benign < Evidence::Refuted);
    }

    #[test]
    fn a_new_finding_has_the_severity_of_its_rule() {
        let leak = Finding::new(Rule::HeapLeak, Evidence::Located, "leaks");
        assert_eq!(leak.severity, Severity::Note);
        assert_eq!(at(1, &[]).severity, Severity::Error);
    }
}
