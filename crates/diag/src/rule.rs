//! The rules: what a finding can be about (semantics §3).
//!
//! To add one, add an entry to the table below and a page to `docs/rules`; what finds it names it.
//!
//! **Invariant**: the names are an interface (`--only`, `--skip`, `explain`, JSON, SARIF); they
//! never change, and [`Rule::ALL`] lists every rule once, in the order in which they are documented.

use std::fmt;

use crate::Severity;

/// One of the two places of a finding.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// Where state is relied upon.
    Consumer,
    /// Where it is changed, or power has to fail after.
    Producer,
}

/// What happens at the two places of a finding, in words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Words {
    /// Where state is relied upon.
    pub consumer: &'static str,
    /// Where it is changed.
    pub producer: &'static str,
}

/// What is the same for all findings of a rule.
#[derive(Debug)]
struct Entry {
    name: &'static str,
    severity: Severity,
    primary: Role,
    /// In lists: `read` at one place, `overwritten` at the other.
    done: Words,
    /// In stories: an attempt `reads` and `overwrites`.
    does: Words,
    /// Beside the source.
    labels: Words,
    /// Beside the source where power fails, if effects of that are told.
    failure: &'static str,
    page: &'static str,
}

macro_rules! rules {
    ($($(#[doc = $about:literal])+ $rule:ident = $name:literal {
        severity: $severity:ident,
        primary: $primary:ident,
        done: $consumed:literal / $produced:literal,
        does: $consumes:literal / $produces:literal,
        labels: $consumer:literal / $producer:literal,
        failure: $failure:literal,
    })+) => {
        /// What a finding is about.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Rule {
            $($(#[doc = $about])+ $rule,)+
        }

        impl Rule {
            /// Every rule, in the order of the documentation.
            pub const ALL: &'static [Rule] = &[$(Rule::$rule),+];

            fn entry(self) -> &'static Entry {
                match self {
                    $(Rule::$rule => &Entry {
                        name: $name,
                        severity: Severity::$severity,
                        primary: Role::$primary,
                        done: Words { consumer: $consumed, producer: $produced },
                        does: Words { consumer: $consumes, producer: $produces },
                        labels: Words { consumer: $consumer, producer: $producer },
                        failure: $failure,
                        page: include_str!(concat!("../../../docs/rules/", $name, ".md")),
                    },)+
                }
            }
        }
    };
}

rules! {
    /// Non-volatile memory is read, then overwritten, with no commit between.
    WriteAfterRead = "war" {
        severity: Error,
        primary: Producer,
        done: "read" / "overwritten",
        does: "reads" / "overwrites",
        labels: "first read" / "overwritten here",
        failure: "if power fails right after this write:",
    }
    /// A stack frame in non-volatile memory is consumed, then its bytes are reused by a later call.
    ActivationRecord = "activation-record" {
        severity: Error,
        primary: Producer,
        done: "used" / "reused",
        does: "uses" / "reuses the memory of",
        labels: "used here" / "its memory is reused here",
        failure: "if power fails right after its memory is reused here:",
    }
    /// A heap block in non-volatile memory is used, then freed, reallocated or handed out again.
    MemoryMap = "memory-map" {
        severity: Error,
        primary: Producer,
        done: "used" / "given back or handed out",
        does: "uses" / "gives back or hands out again",
        labels: "used here" / "the heap changes here",
        failure: "if power fails right after this:",
    }
    /// A re-executed allocation leaks a block.
    HeapLeak = "heap-leak" {
        severity: Note,
        primary: Producer,
        done: "read" / "overwritten",
        does: "reads" / "overwrites",
        labels: "used here" / "allocated again by the next attempt",
        failure: "allocated again by the next attempt",
    }
    /// A store wider than the platform's atomic write can be half done.
    TornWrite = "torn-write" {
        severity: Error,
        primary: Producer,
        done: "read" / "written in several steps",
        does: "reads" / "overwrites",
        labels: "first read" / "written in several steps here",
        failure: "if power fails in the middle of this write:",
    }
    /// An input decides whether non-volatile memory is written, and is read again after a reboot.
    RepeatedInput = "repeated-input" {
        severity: Error,
        primary: Producer,
        done: "read" / "overwritten",
        does: "reads" / "overwrites",
        labels: "first read" / "overwritten here",
        failure: "if power fails right after this write:",
    }
    /// An input decides which non-volatile location is written.
    TaintedAddress = "tainted-address" {
        severity: Error,
        primary: Producer,
        done: "read" / "overwritten",
        does: "reads" / "overwrites",
        labels: "used here" / "the input decides where this writes",
        failure: "the input decides where this writes",
    }
    /// Most-recent data is used across a commit, or long-term data never is.
    StaleInput = "stale-input" {
        severity: Error,
        primary: Consumer,
        done: "read" / "overwritten",
        does: "reads" / "overwrites",
        labels: "used here" / "read here",
        failure: "read here",
    }
    /// An output repeats in another way than its tag says.
    OutputSemantics = "output-semantics" {
        severity: Error,
        primary: Producer,
        done: "read" / "overwritten",
        does: "reads" / "overwrites",
        labels: "first made here" / "made here",
        failure: "if power fails here:",
    }
    /// A peripheral's volatile state is relied upon after a reboot that lost it.
    PeripheralState = "peripheral-state" {
        severity: Error,
        primary: Consumer,
        done: "read" / "overwritten",
        does: "reads" / "overwrites",
        labels: "relied upon here" / "set up here",
        failure: "set up here",
    }
    /// A checkpoint does not restore volatile state that is used after it, or a task leaves it to the next.
    LostState = "lost-state" {
        severity: Error,
        primary: Producer,
        done: "read" / "overwritten",
        does: "reads" / "overwrites",
        labels: "used here" / "not all of it is restored here",
        failure: "if power fails after this checkpoint:",
    }
    /// Power failures lead a program that recovers by itself to a failed assertion, a fault, a broken
    /// invariant or a boot without end.
    CrashConsistency = "crash-consistency" {
        severity: Error,
        primary: Consumer,
        done: "read" / "overwritten",
        does: "reads" / "overwrites",
        labels: "broken here" / "if power fails here:",
        failure: "if power fails here:",
    }
}

impl Rule {
    /// The name that users and scripts rely on.
    pub fn name(self) -> &'static str {
        self.entry().name
    }

    /// The rule of that name.
    pub fn from_name(name: &str) -> Option<Rule> {
        let mut all = Rule::ALL.iter().copied();
        all.find(|rule| rule.name() == name)
    }

    /// The names of all rules.
    pub fn names() -> impl Iterator<Item = &'static str> {
        Rule::ALL.iter().map(|rule| rule.name())
    }

    /// How bad a finding of this rule is unless its analysis says otherwise.
    pub fn severity(self) -> Severity {
        self.entry().severity
    }

    /// Which place of a finding to look at first.
    pub fn primary(self) -> Role {
        self.entry().primary
    }

    /// What was done at the places of a pair: `read`, `overwritten`.
    pub fn done(self) -> Words {
        self.entry().done
    }

    /// What an attempt does there: `reads`, `overwrites`.
    pub fn does(self) -> Words {
        self.entry().does
    }

    /// What stands beside the source.
    pub fn labels(self) -> Words {
        self.entry().labels
    }

    /// What stands where power fails, if effects of that are told: the beginning of a sentence.
    pub fn failure(self) -> &'static str {
        self.entry().failure
    }

    /// What the rule means, in Markdown: what `explain` prints, what SARIF calls help, and a page of
    /// the book. Its programs are tests.
    pub fn page(self) -> &'static str {
        self.entry().page
    }

    /// The heading of its page after the rule's name: one line.
    pub fn title(self) -> &'static str {
        let heading = self.page().lines().next().unwrap_or_default();
        heading.split_once(": ").map_or(heading, |(_, title)| title)
    }

    /// The first paragraph of its page, on one line.
    pub fn summary(self) -> String {
        let lines = self.page().lines().skip(2);
        let paragraph: Vec<&str> = lines.take_while(|line| !line.is_empty()).collect();
        paragraph.join(" ")
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
        for &rule in Rule::ALL {
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
    fn pages_have_a_heading_and_a_summary() {
        for &rule in Rule::ALL {
            let heading = format!("# {rule}: ");
            assert!(rule.page().starts_with(&heading), "{rule}");
            assert!(!rule.title().is_empty() && !rule.title().contains('#'));
            assert!(rule.summary().ends_with('.'), "{}", rule.summary());
        }
    }
}
