//! Comments in the source that allow findings: `// brownout: allow(war) reason`.
//!
//! A comment speaks of its own line and, if it stands alone, of the next line of code. Without a
//! reason, or for a rule that does not exist, it allows nothing and is reported; so is one that no
//! finding needs.

use std::collections::BTreeMap;

use brownout_diag::{Finding, Pair, Rule, SourcePlace};
use brownout_report::Sources;

const MARK: &str = "brownout: allow(";

/// All comments of the programs read so far.
#[derive(Default)]
pub(crate) struct Comments(BTreeMap<String, BTreeMap<u32, Comment>>);

struct Comment {
    /// Whether there is nothing else on the line.
    alone: bool,
    column: usize,
    reason: String,
    rules: Vec<Allowed>,
}

struct Allowed {
    name: String,
    rule: Option<Rule>,
    used: bool,
}

impl Comments {
    /// Reads the files that were not read before.
    pub(crate) fn read(&mut self, sources: &Sources) {
        for (file, text) in sources {
            self.0.entry(file.clone()).or_insert_with(|| {
                let lines = (1..).zip(text.lines());
                lines
                    .filter_map(|(number, line)| Some((number, Comment::parse(line)?)))
                    .collect()
            });
        }
    }

    /// The reason why a finding is allowed, if it is: one with pairs, if all those are that are as
    /// well established as the finding.
    pub(crate) fn reason(&mut self, finding: &Finding) -> Option<String> {
        if self.0.values().all(BTreeMap::is_empty) {
            return None;
        }
        if finding.pairs.is_empty() {
            let places = [&finding.producer, &finding.consumer, &finding.branch];
            return self.reason_among(&places.map(Option::as_ref), finding.rule);
        }
        let mut reason = None;
        let mut all = true;
        let worst = |pair: &&Pair| pair.evidence == finding.evidence;
        // All of them are looked at, so that it is known which comments are needed.
        for pair in finding.pairs.iter().filter(worst) {
            let places = [pair.producer.as_deref(), pair.consumer.as_deref()];
            let found = self.reason_among(&places, finding.rule);
            all &= found.is_some();
            reason = reason.or(found);
        }
        reason.filter(|_| all)
    }

    fn reason_among(&mut self, places: &[Option<&SourcePlace>], rule: Rule) -> Option<String> {
        let mut places = places.iter().copied().flatten();
        places.find_map(|place| self.reason_at(place, rule))
    }

    fn reason_at(&mut self, place: &SourcePlace, rule: Rule) -> Option<String> {
        let comments = self.0.get_mut(&place.file)?;
        // Its own line, then the comments that stand alone right above.
        let mut line = place.line;
        loop {
            if let Some(comment) = comments.get_mut(&line)
                && let Some(reason) = comment.allow(rule)
            {
                return Some(reason);
            }
            line = line.checked_sub(1)?;
            if !comments.get(&line)?.alone {
                return None;
            }
        }
    }

    /// What is wrong with the comments, given the rules that were looked for.
    pub(crate) fn complaints(&self, looked_for: impl Fn(Rule) -> bool) -> Vec<String> {
        let mut complaints = Vec::new();
        for (file, comments) in &self.0 {
            for (line, comment) in comments {
                let place = format!("{file}:{line}:{}", comment.column);
                let mut complain =
                    |text: String| complaints.push(format!("{place}: warning: {text}"));
                if comment.rules.is_empty() {
                    complain("the comment names no rule to allow".to_owned());
                } else if comment.reason.is_empty() {
                    complain(
                        "the comment gives no reason, so it allows nothing: write one after `)`"
                            .to_owned(),
                    );
                }
                for allowed in &comment.rules {
                    let name = &allowed.name;
                    match allowed.rule {
                        None => complain(format!("there is no rule `{name}`{}", nearest(name))),
                        Some(rule)
                            if !allowed.used && !comment.reason.is_empty() && looked_for(rule) =>
                        {
                            complain(format!(
                                "`allow({name})` is not needed: nothing is found here"
                            ));
                        }
                        Some(_) => {}
                    }
                }
            }
        }
        complaints
    }
}

impl Comment {
    fn parse(line: &str) -> Option<Self> {
        let at = line.find(MARK)?;
        let start = line[..at].rfind("//").max(line[..at].rfind("/*"))?;
        // Nothing but spaces between the comment's start and the mark.
        if !line[start + 2..at].trim().is_empty() {
            return None;
        }
        let (rules, reason) = line[at + MARK.len()..].split_once(')')?;
        let reason = reason.trim().trim_end_matches("*/").trim();
        let reason = reason.trim_start_matches([':', '-', '–', ' ']);
        let rules = rules
            .split(',')
            .map(str::trim)
            .filter(|name| !name.is_empty());
        Some(Self {
            alone: line[..start].trim().is_empty(),
            column: line[..start].chars().count() + 1,
            reason: reason.to_owned(),
            rules: rules
                .map(|name| Allowed {
                    name: name.to_owned(),
                    rule: Rule::from_name(name),
                    used: false,
                })
                .collect(),
        })
    }

    fn allow(&mut self, rule: Rule) -> Option<String> {
        if self.reason.is_empty() {
            return None;
        }
        let allowed = self
            .rules
            .iter_mut()
            .find(|allowed| allowed.rule == Some(rule))?;
        allowed.used = true;
        Some(self.reason.clone())
    }
}

/// `: did you mean …?`, if there is something near.
fn nearest(name: &str) -> String {
    let nearest = brownout_scenario::nearest(name, Rule::names());
    nearest.map_or_else(String::new, |rule| format!(": did you mean `{rule}`?"))
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use brownout_diag::{Evidence, Finding, Named, ObjectId, Pair, Rule, SourcePlace};

    use super::{Comments, Sources};

    fn comments(text: &str) -> Comments {
        let mut comments = Comments::default();
        comments.read(&Sources::from([("a.c".to_owned(), text.to_owned())]));
        comments
    }

    fn reason(text: &str, line: u32) -> Option<String> {
        let mut finding = Finding::new(Rule::WriteAfterRead, Evidence::Located, "");
        finding.producer = Some(SourcePlace {
            file: "a.c".into(),
            line,
            ..SourcePlace::default()
        });
        comments(text).reason(&finding)
    }

    #[test]
    fn a_comment_speaks_of_its_line_and_of_the_next() {
        let alone = "// brownout: allow(war) counts boots\nn++;\nn++;\n";
        assert_eq!(reason(alone, 2).as_deref(), Some("counts boots"));
        assert_eq!(reason(alone, 3), None);
        let behind = "n++; /* brownout: allow(heap-leak, war): meant */\nn++;\n";
        assert_eq!(reason(behind, 1).as_deref(), Some("meant"));
        assert_eq!(reason(behind, 2), None);
        let two = "// brownout: allow(war) one\n// brownout: allow(torn-write) two\nn++;\n";
        assert_eq!(reason(two, 3).as_deref(), Some("one"));
    }

    #[test]
    fn all_pairs_that_do_harm_must_be_allowed() {
        let text = "// brownout: allow(war) counts boots\nn++;\nn++;\n";
        let pair = |line: u32, evidence: Evidence| Pair {
            object: Arc::new(Named::whole("n", ObjectId::Variable("n".into()))),
            consumer: None,
            producer: Some(Arc::new(SourcePlace {
                file: "a.c".into(),
                line,
                ..SourcePlace::default()
            })),
            evidence,
            witness: None,
        };
        let mut finding = Finding::new(Rule::WriteAfterRead, Evidence::Confirmed, "");
        finding.pairs = vec![pair(2, Evidence::Confirmed), pair(3, Evidence::Benign)];
        let reason = comments(text).reason(&finding);
        assert_eq!(reason.as_deref(), Some("counts boots"));
        finding.pairs[1].evidence = Evidence::Confirmed;
        let mut comments = comments(text);
        assert_eq!(comments.reason(&finding), None);
        assert!(comments.complaints(|_| true).is_empty(), "it is needed");
    }

    #[test]
    fn what_allows_nothing_is_reported() {
        let cases = [
            ("n++; // brownout: allow(war)\n", "gives no reason"),
            ("// brownout: allow() because\n", "names no rule"),
            ("// brownout: allow(wra) because\n", "did you mean `war`?"),
            ("// brownout: allow(war) because\n", "is not needed"),
        ];
        for (text, expected) in cases {
            assert_eq!(
                reason(text, 1).filter(|_| expected != "is not needed"),
                None
            );
            let complaints = comments(text).complaints(|_| true);
            assert_eq!(complaints.len(), 1, "{complaints:?}");
            assert!(complaints[0].contains(expected), "{complaints:?}");
        }
        let skipped = comments("// brownout: allow(war) because\n").complaints(|_| false);
        assert!(skipped.is_empty());
        assert!(
            comments("x = \"brownout: allow(war)\";\n")
                .complaints(|_| true)
                .is_empty()
        );
    }
}
