//! The rules: what a finding can be about (semantics §3).
//!
//! **Invariant**: the names are an interface (`--only`, `--skip`, `explain`, JSON, SARIF); they
//! never change, and [`Rule::ALL`] lists every rule once, in the order in which they are documented.

use std::fmt;

use crate::Severity;

/// What a finding is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Rule {
    /// Non-volatile memory is read, then overwritten, with no commit between.
    WriteAfterRead,
    /// A stack frame in non-volatile memory is consumed, then its bytes are reused by a later call.
    ActivationRecord,
    /// A heap block in non-volatile memory is used, then freed, reallocated or handed out again.
    MemoryMap,
    /// A re-executed allocation leaks a block.
    HeapLeak,
    /// A store wider than the platform's atomic write can be half done.
    TornWrite,
    /// An input decides whether non-volatile memory is written, and is read again after a reboot.
    RepeatedInput,
    /// An input decides which non-volatile location is written.
    TaintedAddress,
    /// Most-recent data is used across a commit, or long-term data never is.
    StaleInput,
    /// An output repeats in another way than its tag says.
    OutputSemantics,
    /// A peripheral's volatile state is relied upon after a reboot that lost it.
    PeripheralState,
    /// Power failures lead a program that recovers by itself to a failed assertion, a fault, a broken
    /// invariant or a boot without end.
    CrashConsistency,
}

impl Rule {
    /// Every rule, in the order of the documentation.
    pub const ALL: [Rule; 11] = [
        Rule::WriteAfterRead,
        Rule::ActivationRecord,
        Rule::MemoryMap,
        Rule::HeapLeak,
        Rule::TornWrite,
        Rule::RepeatedInput,
        Rule::TaintedAddress,
        Rule::StaleInput,
        Rule::OutputSemantics,
        Rule::PeripheralState,
        Rule::CrashConsistency,
    ];

    /// The name that users and scripts rely on.
    pub fn name(self) -> &'static str {
        match self {
            Rule::WriteAfterRead => "war",
            Rule::ActivationRecord => "activation-record",
            Rule::MemoryMap => "memory-map",
            Rule::HeapLeak => "heap-leak",
            Rule::TornWrite => "torn-write",
            Rule::RepeatedInput => "repeated-input",
            Rule::TaintedAddress => "tainted-address",
            Rule::StaleInput => "stale-input",
            Rule::OutputSemantics => "output-semantics",
            Rule::PeripheralState => "peripheral-state",
            Rule::CrashConsistency => "crash-consistency",
        }
    }

    /// The rule of that name.
    pub fn from_name(name: &str) -> Option<Rule> {
        Rule::ALL.into_iter().find(|rule| rule.name() == name)
    }

    /// How bad a finding of this rule is unless its analysis says otherwise.
    pub fn severity(self) -> Severity {
        match self {
            Rule::HeapLeak => Severity::Note,
            Rule::WriteAfterRead
            | Rule::ActivationRecord
            | Rule::MemoryMap
            | Rule::TornWrite
            | Rule::RepeatedInput
            | Rule::TaintedAddress
            | Rule::StaleInput
            | Rule::OutputSemantics
            | Rule::PeripheralState
            | Rule::CrashConsistency => Severity::Error,
        }
    }
}

impl fmt::Display for Rule {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.pad(self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::Rule;

    #[test]
    fn names_round_trip_and_are_kebab_case() {
        for rule in Rule::ALL {
            assert_eq!(Rule::from_name(rule.name()), Some(rule));
            assert!(
                rule.name()
                    .chars()
                    .all(|letter| letter.is_ascii_lowercase() || letter == '-')
            );
        }
        assert_eq!(Rule::from_name("WAR"), None);
        assert_eq!(Rule::from_name(""), None);
    }

    #[test]
    fn all_is_in_declaration_order_without_repetition() {
        assert!(Rule::ALL.windows(2).all(|pair| pair[0] < pair[1]));
    }
}
