//! The page of every rule: what `explain` prints, what SARIF calls help, and a page of the book.
//!
//! A new rule is one more file under `docs/rules` and one line here. Its programs are tests.

use brownout_diag::Rule;

const PAGES: [(Rule, &str); 11] = [
    (
        Rule::WriteAfterRead,
        include_str!("../../../docs/rules/war.md"),
    ),
    (
        Rule::ActivationRecord,
        include_str!("../../../docs/rules/activation-record.md"),
    ),
    (
        Rule::MemoryMap,
        include_str!("../../../docs/rules/memory-map.md"),
    ),
    (
        Rule::HeapLeak,
        include_str!("../../../docs/rules/heap-leak.md"),
    ),
    (
        Rule::TornWrite,
        include_str!("../../../docs/rules/torn-write.md"),
    ),
    (
        Rule::RepeatedInput,
        include_str!("../../../docs/rules/repeated-input.md"),
    ),
    (
        Rule::TaintedAddress,
        include_str!("../../../docs/rules/tainted-address.md"),
    ),
    (
        Rule::StaleInput,
        include_str!("../../../docs/rules/stale-input.md"),
    ),
    (
        Rule::OutputSemantics,
        include_str!("../../../docs/rules/output-semantics.md"),
    ),
    (
        Rule::PeripheralState,
        include_str!("../../../docs/rules/peripheral-state.md"),
    ),
    (
        Rule::CrashConsistency,
        include_str!("../../../docs/rules/crash-consistency.md"),
    ),
];

/// What a rule means, in Markdown.
#[derive(Clone, Copy, Debug)]
pub struct Page {
    /// The rule.
    pub rule: Rule,
    /// The whole text.
    pub text: &'static str,
}

/// The page of a rule; rules that nothing looks for yet have none.
pub fn page(rule: Rule) -> Option<Page> {
    pages().find(|page| page.rule == rule)
}

/// All pages, in the order of the rules.
pub fn pages() -> impl Iterator<Item = Page> {
    PAGES.into_iter().map(|(rule, text)| Page { rule, text })
}

impl Page {
    /// The heading behind the rule's name: one line.
    pub fn title(self) -> &'static str {
        let heading = self.text.lines().next().unwrap_or_default();
        heading.split_once(": ").map_or(heading, |(_, title)| title)
    }

    /// The first paragraph, on one line.
    pub fn summary(self) -> String {
        let lines = self.text.lines().skip(2);
        let paragraph: Vec<&str> = lines.take_while(|line| !line.is_empty()).collect();
        paragraph.join(" ")
    }
}

#[cfg(test)]
mod tests {
    use super::{page, pages};
    use brownout_diag::Rule;

    #[test]
    fn pages_have_a_heading_and_a_summary() {
        for page in pages() {
            let heading = format!("# {}: ", page.rule);
            assert!(page.text.starts_with(&heading), "{}", page.rule);
            assert!(!page.title().is_empty() && !page.title().contains('#'));
            assert!(page.summary().ends_with('.'), "{}", page.summary());
        }
    }

    #[test]
    fn pages_are_in_the_order_of_the_rules() {
        let rules: Vec<Rule> = pages().map(|page| page.rule).collect();
        assert!(rules.is_sorted());
        assert!(page(Rule::WriteAfterRead).is_some());
    }
}
