//! What stays the same about a finding while the program around it changes.
//!
//! **Invariant:** a fingerprint depends on the rule, the object, the functions concerned, the names
//! of their files without folders, and the text of the lines without spaces and comments: of a
//! finding about memory, those of the checkpoint or of the function that overwrites. Line
//! numbers, evidence, effects and pairs are not in it. Findings that agree in all of this are
//! counted. Pairs have prints of their own, so that a new pair of a known finding can be told.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use brownout_diag::{Evidence, Finding, Locus, Pair, SourcePlace, Subject};

use crate::source::{self, Sources};

/// The fingerprints of findings, in their order: a hash and which of those that have it.
pub fn fingerprints<'f>(
    findings: impl IntoIterator<Item = &'f Finding>,
    sources: &Sources,
) -> Vec<String> {
    let mut seen: BTreeMap<u64, u32> = BTreeMap::new();
    findings
        .into_iter()
        .map(|finding| {
            let hash = hash(&identity(finding, sources));
            let number = seen.entry(hash).or_default();
            *number += 1;
            format!("{hash:016x}:{number}")
        })
        .collect()
}

/// Prints of the pairs of a finding, and how many pairs have each.
pub type PairPrints = BTreeMap<String, u32>;

/// The prints of those pairs of a finding that are `wanted`.
pub fn pair_prints(
    finding: &Finding,
    sources: &Sources,
    wanted: impl Fn(Evidence) -> bool,
) -> PairPrints {
    let mut anchors = Anchors::new(sources);
    let mut counts: BTreeMap<u64, u32> = BTreeMap::new();
    for pair in finding.pairs.iter().filter(|pair| wanted(pair.evidence)) {
        *counts.entry(anchors.print(pair)).or_default() += 1;
    }
    let printed = counts.into_iter();
    printed
        .map(|(print, count)| (format!("{print:016x}"), count))
        .collect()
}

/// The prints of all pairs of a finding, in their order.
pub fn prints_of_pairs(finding: &Finding, sources: &Sources) -> Vec<String> {
    let mut anchors = Anchors::new(sources);
    let pairs = finding.pairs.iter();
    pairs
        .map(|pair| format!("{:016x}", anchors.print(pair)))
        .collect()
}

/// Hashes of places, made once for each: pairs share them.
struct Anchors<'s> {
    sources: &'s Sources,
    known: HashMap<*const SourcePlace, u64>,
}

impl<'s> Anchors<'s> {
    fn new(sources: &'s Sources) -> Self {
        Self {
            sources,
            known: HashMap::new(),
        }
    }

    fn place(&mut self, place: &Option<Arc<SourcePlace>>) -> u64 {
        let Some(place) = place else {
            return 0;
        };
        let sources = self.sources;
        let known = self.known.entry(Arc::as_ptr(place));
        *known.or_insert_with(|| hash(&anchor(place, sources)))
    }

    fn print(&mut self, pair: &Pair) -> u64 {
        let (consumer, producer) = (self.place(&pair.consumer), self.place(&pair.producer));
        let bytes = consumer
            .to_le_bytes()
            .into_iter()
            .chain(producer.to_le_bytes());
        hash_bytes(bytes)
    }
}

/// What makes a finding about memory that finding.
fn subject(finding: &Finding, subject: &Subject, sources: &Sources) -> String {
    let locus = match &subject.locus {
        Locus::Start => String::new(),
        Locus::Checkpoint(place) => anchor(place, sources),
        Locus::Function { file, function } => [file_name(file), function].join("\u{1e}"),
    };
    let object = without_places(&subject.name, sources);
    [finding.rule.name(), &object, &locus].join("\u{1f}")
}

fn identity(finding: &Finding, sources: &Sources) -> String {
    if let Some(it) = &finding.subject {
        return subject(finding, it, sources);
    }
    let object = finding.object.as_ref();
    let object = object.map(|object| without_places(&object.name, sources));
    let mut parts = vec![finding.rule.name().to_owned(), object.unwrap_or_default()];
    let places = [&finding.consumer, &finding.producer, &finding.branch];
    for place in places {
        parts.push(match place {
            Some(place) => anchor(place, sources),
            None => String::new(),
        });
    }
    parts.join("\u{1f}")
}

/// A place without its number: file, function and the text there.
fn anchor(place: &SourcePlace, sources: &Sources) -> String {
    let code = code(sources, &place.file, place.line);
    [file_name(&place.file), &place.function, &code].join("\u{1e}")
}

fn file_name(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or_default()
}

/// A line without spaces and comments.
fn code(sources: &Sources, file: &str, line: u32) -> String {
    let line = source::line(sources, file, line).unwrap_or_default();
    let code = line.split("//").next().unwrap_or_default();
    code.split_whitespace().collect()
}

/// The name of an object; heap blocks are called by `file:line`, which becomes what is written there.
fn without_places(name: &str, sources: &Sources) -> String {
    let word = |word: &str| {
        let place = word.rsplit_once(':').and_then(|(file, rest)| {
            let end = rest
                .find(|letter: char| !letter.is_ascii_digit())
                .unwrap_or(rest.len());
            let (digits, rest) = rest.split_at(end);
            Some((file, digits.parse::<u32>().ok()?, rest))
        });
        match place {
            Some((file, line, rest)) => {
                let code = code(sources, file, line);
                [file_name(file), &code, rest].join("\u{1e}")
            }
            None => word.to_owned(),
        }
    };
    name.split(' ').map(word).collect::<Vec<_>>().join(" ")
}

/// FNV-1a: the same on every machine and in every version.
fn hash(text: &str) -> u64 {
    hash_bytes(text.bytes())
}

fn hash_bytes(bytes: impl Iterator<Item = u8>) -> u64 {
    bytes.fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
    })
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use brownout_diag::{
        Evidence, Finding, Locus, Named, ObjectId, Pair, Rule, SourcePlace, Subject,
    };

    use super::{Sources, fingerprints, hash, pair_prints};

    fn finding(line: u32) -> Finding {
        let mut finding = Finding::new(Rule::WriteAfterRead, Evidence::Located, "`count`");
        finding.producer = Some(SourcePlace {
            file: "src/sense.c".into(),
            line,
            column: 3,
            function: "main".into(),
            ..SourcePlace::default()
        });
        finding
    }

    fn prints(text: &str, line: u32) -> Vec<String> {
        let sources = Sources::from([("src/sense.c".to_owned(), text.to_owned())]);
        fingerprints([&finding(line)], &sources)
    }

    #[test]
    fn moved_and_reformatted_code_is_the_same() {
        let before = prints("count = i + 1;\n", 1);
        assert_eq!(before, prints("int x;\n\n  count = i+1; // again\n", 3));
        assert_ne!(before, prints("count = i + 2;\n", 1));
    }

    #[test]
    fn the_folder_does_not_matter_and_evidence_neither() {
        let sources = Sources::new();
        let mut other = finding(1);
        other.producer.as_mut().unwrap().file = "/home/me/sense.c".into();
        other.evidence = Evidence::Confirmed;
        assert_eq!(
            fingerprints([&finding(9)], &sources),
            fingerprints([&other], &sources)
        );
    }

    #[test]
    fn a_subject_is_known_wherever_it_is_read_and_written() {
        let text = "checkpoint();\ncount = 1;\ncount = 2;\n";
        let sources = Sources::from([("src/sense.c".to_owned(), text.to_owned())]);
        let place = |line: u32| finding(line).producer.unwrap();
        let with = |line: u32, checkpoint: u32| {
            let mut finding = finding(line);
            finding.subject = Some(Subject {
                name: "count".into(),
                object: ObjectId::Variable("count".into()),
                bits: (0, 16),
                locus: Locus::Checkpoint(place(checkpoint)),
            });
            finding.pairs.push(Pair {
                object: Arc::new(Named::whole("count", ObjectId::Variable("count".into()))),
                consumer: None,
                producer: Some(Arc::new(place(line))),
                evidence: Evidence::Confirmed,
                witness: None,
            });
            finding
        };
        let [one, other, elsewhere] = [with(2, 1), with(3, 1), with(2, 3)];
        let prints = |finding: &Finding| fingerprints([finding], &sources);
        assert_eq!(prints(&one), prints(&other));
        assert_ne!(prints(&one), prints(&elsewhere));
        let pairs = |finding: &Finding| pair_prints(finding, &sources, |_| true);
        assert_ne!(pairs(&one), pairs(&other));
        assert_eq!(pairs(&one), pairs(&elsewhere));
        assert!(pair_prints(&one, &sources, |_| false).is_empty());
    }

    #[test]
    fn equal_ones_are_counted() {
        let prints = fingerprints([&finding(1), &finding(2)], &Sources::new());
        assert!(prints[0].ends_with(":1") && prints[1].ends_with(":2"));
        assert_eq!(prints[0][..16], prints[1][..16]);
    }

    #[test]
    fn the_hash_is_the_published_one() {
        assert_eq!(hash(""), 0xcbf2_9ce4_8422_2325);
        assert_eq!(hash("a"), 0xaf63_dc4c_8601_ec8c);
        assert_eq!(hash("foobar"), 0x8594_4171_f739_67e8);
    }
}
