//! `cargo xtask dependencies`: what we depend on is as `deny.toml` wants it.
//!
//! Licences, crates that are there in two versions, and where crates come from: all that
//! `cargo deny check` says without the network. Only the crates of this platform count, because
//! nothing else need have been downloaded.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use clap::Args;
use serde_json::Value;
use toml::de::{DeTable, DeValue};

/// Options of the chore.
#[derive(Args)]
pub(crate) struct Options {
    /// The workspace
    #[arg(long, value_name = "FILE", default_value = "Cargo.toml")]
    manifest: PathBuf,
}

pub(crate) fn run(options: &Options) -> Result<ExitCode, String> {
    let rules = fs::read_to_string("deny.toml").map_err(|error| format!("deny.toml: {error}"))?;
    let rules = DeTable::parse(&rules).map_err(|error| format!("deny.toml: {error}"))?;
    let rules = Rules::read(rules.get_ref())?;
    let crates = crates(&options.manifest)?;
    let mut complaints: Vec<String> = crates.iter().flat_map(|it| rules.complaints(it)).collect();
    if rules.one_version {
        complaints.extend(duplicates(&crates));
    }
    for complaint in &complaints {
        eprintln!("{complaint}");
    }
    println!("{} crates, {} complaints", crates.len(), complaints.len());
    Ok(match complaints.len() {
        0 => ExitCode::SUCCESS,
        _ => ExitCode::FAILURE,
    })
}

/// A crate that we depend on.
struct Crate {
    name: String,
    version: String,
    licence: String,
    source: String,
}

/// All crates of a workspace but its own.
fn crates(manifest: &Path) -> Result<Vec<Crate>, String> {
    let cargo = std::env::var("CARGO").unwrap_or_else(|_| "cargo".to_owned());
    let mut command = Command::new(cargo);
    command.args(["metadata", "--locked", "--format-version", "1"]);
    command.args(["--filter-platform", &host()?]);
    command.arg("--manifest-path").arg(manifest);
    let metadata = output(&mut command)?;
    let metadata: Value = serde_json::from_str(&metadata).map_err(|error| error.to_string())?;
    let packages = metadata["packages"].as_array();
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let crates = packages.into_iter().flatten().filter_map(|package| {
        Some(Crate {
            name: text(&package["name"]),
            version: text(&package["version"]),
            licence: text(&package["license"]),
            source: package["source"].as_str()?.to_owned(),
        })
    });
    let crates: Vec<Crate> = crates.collect();
    match crates.is_empty() {
        true => Err("cargo names no crates that we depend on".to_owned()),
        false => Ok(crates),
    }
}

/// The platform that the compiler runs on.
fn host() -> Result<String, String> {
    let rustc = std::env::var("RUSTC").unwrap_or_else(|_| "rustc".to_owned());
    let version = output(Command::new(rustc).arg("-vV"))?;
    let host = version.lines().find_map(|line| line.strip_prefix("host: "));
    host.map(str::to_owned)
        .ok_or_else(|| "rustc does not say what it runs on".to_owned())
}

fn output(command: &mut Command) -> Result<String, String> {
    let shown = format!("{command:?}").replace('"', "");
    let output = command
        .output()
        .map_err(|error| format!("{shown}: {error}"))?;
    match output.status.success() {
        true => Ok(String::from_utf8_lossy(&output.stdout).into_owned()),
        false => Err(format!(
            "{shown}: {}",
            String::from_utf8_lossy(&output.stderr)
        )),
    }
}

/// Crates that are there more than once.
fn duplicates(crates: &[Crate]) -> Vec<String> {
    let mut versions: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for one in crates {
        versions.entry(&one.name).or_default().push(&one.version);
    }
    let several = versions.iter().filter(|(_, versions)| versions.len() > 1);
    several
        .map(|(name, versions)| format!("{name} is there in versions {}", versions.join(", ")))
        .collect()
}

/// What `deny.toml` says.
struct Rules {
    /// Licences that crates may have.
    licences: Vec<String>,
    /// Whether a crate may be there in one version only.
    one_version: bool,
    /// Whether crates have to come from the registry of Rust.
    known_sources: bool,
}

impl Rules {
    fn read(table: &DeTable<'_>) -> Result<Self, String> {
        let value = |section: &str, key: &str| {
            let section = table.get(section)?.get_ref().get(key)?;
            Some(section.get_ref())
        };
        let denied = |section: &str, key: &str| {
            value(section, key).and_then(DeValue::as_str) == Some("deny")
        };
        let allowed = value("licenses", "allow").and_then(DeValue::as_array);
        let allowed = allowed.ok_or("deny.toml does not say which licences it allows")?;
        let licences = allowed
            .iter()
            .filter_map(|licence| licence.get_ref().as_str());
        Ok(Self {
            licences: licences.map(str::to_owned).collect(),
            one_version: denied("bans", "multiple-versions"),
            known_sources: denied("sources", "unknown-registry"),
        })
    }

    fn complaints(&self, one: &Crate) -> Vec<String> {
        let Crate { name, version, .. } = one;
        let mut complaints = Vec::new();
        if !self.allows(&one.licence) {
            complaints.push(format!(
                "{name} {version} has the licence `{}`",
                one.licence
            ));
        }
        let known = "registry+https://github.com/rust-lang/crates.io-index";
        if self.known_sources && one.source != known {
            complaints.push(format!("{name} {version} comes from {}", one.source));
        }
        complaints
    }

    /// Whether a licence expression can be met by the licences that are allowed.
    fn allows(&self, expression: &str) -> bool {
        // Old manifests write `MIT/Apache-2.0`.
        let spaced = expression.replace('/', " OR ");
        let spaced = spaced.replace('(', " ( ").replace(')', " ) ");
        let mut words: Vec<&str> = spaced.split_whitespace().rev().collect();
        self.any_of(&mut words) == Some(true) && words.is_empty()
    }

    /// `… OR …`; nothing if it is not understood. The next word is the last one.
    fn any_of(&self, words: &mut Vec<&str>) -> Option<bool> {
        let mut met = self.all_of(words)?;
        while words.pop_if(|word| *word == "OR").is_some() {
            met |= self.all_of(words)?;
        }
        Some(met)
    }

    /// `… AND …`.
    fn all_of(&self, words: &mut Vec<&str>) -> Option<bool> {
        let mut met = self.one(words)?;
        while words.pop_if(|word| *word == "AND").is_some() {
            met &= self.one(words)?;
        }
        Some(met)
    }

    /// A licence, perhaps with an exception, or an expression in parentheses.
    fn one(&self, words: &mut Vec<&str>) -> Option<bool> {
        let word = words.pop()?;
        if word == "(" {
            let met = self.any_of(words)?;
            return (words.pop()? == ")").then_some(met);
        }
        let licence = match words.pop_if(|word| *word == "WITH") {
            Some(_) => format!("{word} WITH {}", words.pop()?),
            None => word.to_owned(),
        };
        Some(self.licences.contains(&licence))
    }
}

#[cfg(test)]
mod tests {
    use super::{Crate, Rules, duplicates};

    #[test]
    fn licences_are_met_or_not() {
        let licences = ["MIT", "Unicode-3.0", "Apache-2.0 WITH LLVM-exception"];
        let rules = Rules {
            licences: licences.map(str::to_owned).to_vec(),
            one_version: true,
            known_sources: true,
        };
        let cases = [
            ("MIT", true),
            ("GPL-3.0 OR MIT", true),
            ("GPL-3.0/MIT", true),
            ("(MIT OR Apache-2.0) AND Unicode-3.0", true),
            ("MIT AND (GPL-3.0 OR Unicode-3.0)", true),
            ("Apache-2.0 WITH LLVM-exception", true),
            ("Apache-2.0", false),
            ("MIT AND GPL-3.0", false),
            ("", false),
            ("MIT OR", false),
            ("(MIT", false),
            ("MIT)", false),
            ("MIT WITH", false),
        ];
        for (expression, met) in cases {
            assert_eq!(rules.allows(expression), met, "{expression}");
        }
    }

    #[test]
    fn a_crate_may_be_there_once() {
        let one = |name: &str, version: &str| Crate {
            name: name.to_owned(),
            version: version.to_owned(),
            licence: String::new(),
            source: String::new(),
        };
        let crates = [one("a", "1.0.0"), one("b", "1.0.0"), one("a", "2.0.0")];
        assert_eq!(duplicates(&crates), ["a is there in versions 1.0.0, 2.0.0"]);
        assert!(duplicates(&crates[..2]).is_empty());
    }
}
