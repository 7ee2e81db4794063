//! Profiles as data: what the functions of a vendor's library or of a kernel are, one TOML file each, in the
//! folder `profiles` of this crate.
//!
//! A profile has the keys of a `brownout.toml` that describe functions which somebody else provides:
//! inputs, outputs, what does nothing, checkpoints, tasks. The configuration names some with
//! `profile = ["…"]`, or files of the user's own. What the configuration says itself wins, then the profile
//! that it names first.
//!
//! **Invariant**: names in a profile are patterns, and those that a program does not have are no error: a
//! profile describes a whole library, and programs use parts of it.

use std::sync::OnceLock;

use toml::de::DeTable;

use crate::error::{ConfigError, Problem};
use crate::read::{Located, Origin, Reader};
use crate::schema::{self, Settings};

/// The files, with their names.
const FILES: [(&str, &str); 11] = [
    ("arduino", include_str!("../profiles/arduino.toml")),
    ("bosch", include_str!("../profiles/bosch.toml")),
    ("esp-idf", include_str!("../profiles/esp-idf.toml")),
    ("freertos", include_str!("../profiles/freertos.toml")),
    ("riot", include_str!("../profiles/riot.toml")),
    ("sensirion", include_str!("../profiles/sensirion.toml")),
    ("st", include_str!("../profiles/st.toml")),
    ("stm32-hal", include_str!("../profiles/stm32-hal.toml")),
    (
        "ti-driverlib",
        include_str!("../profiles/ti-driverlib.toml"),
    ),
    ("ti-drivers", include_str!("../profiles/ti-drivers.toml")),
    ("zephyr", include_str!("../profiles/zephyr.toml")),
];

/// Their names.
pub(crate) const NAMES: &[&str] = &[
    "arduino",
    "bosch",
    "esp-idf",
    "freertos",
    "riot",
    "sensirion",
    "st",
    "stm32-hal",
    "ti-driverlib",
    "ti-drivers",
    "zephyr",
];

/// Names of profiles and of files as a form of text, for editors.
pub(crate) const FORM: &str = r"^(arduino|bosch|esp-idf|freertos|riot|sensirion|st|stm32-hal|ti-driverlib|ti-drivers|zephyr|[\s\S]+\.toml)$";

/// A profile that is part of the tool.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Profile {
    /// What the configuration calls it.
    pub name: &'static str,
    /// What it describes, in a line.
    pub about: String,
    /// The file.
    pub text: &'static str,
}

impl Profile {
    /// All profiles, by name.
    pub fn all() -> &'static [Profile] {
        static PROFILES: OnceLock<Vec<Profile>> = OnceLock::new();
        PROFILES.get_or_init(|| {
            let profiles = FILES.iter().map(|&(name, text)| Profile {
                name,
                about: parse(text, Origin::Profile(0)).map_or_else(
                    |_| String::new(),
                    |read| read.about.map_or_else(String::new, |about| about.value),
                ),
                text,
            });
            profiles.collect()
        })
    }

    /// The profile of that name.
    pub fn named(name: &str) -> Option<&'static Profile> {
        Self::all().iter().find(|profile| profile.name == name)
    }
}

/// Whether a profile is named by its file.
pub(crate) fn is_file(name: &str) -> bool {
    name.ends_with(".toml")
}

/// What a profile says.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Read {
    pub(crate) about: Option<Located<String>>,
    /// Names that show that a program uses what is described; without any, all that are described do.
    pub(crate) marks: Option<Vec<Located<String>>>,
    pub(crate) settings: Settings,
}

/// Reads the text of a profile.
pub(crate) fn parse(text: &str, origin: Origin) -> Result<Read, Vec<ConfigError>> {
    let reader = Reader::new(origin, text);
    let table = DeTable::parse(text).map_err(|error| {
        vec![ConfigError {
            place: reader.place(error.span().map_or(0, |span| span.start)),
            key: String::new(),
            problem: Problem::Syntax {
                message: error.message().replace('\n', ", "),
            },
        }]
    })?;
    let mut read = Read::default();
    let errors = reader
        .read(&table, |fields| {
            schema::profile(fields, &mut read);
        })
        .errors;
    match errors.is_empty() {
        true => Ok(read),
        false => Err(errors),
    }
}

#[cfg(test)]
mod tests {
    use super::{FILES, FORM, NAMES, Profile, parse};
    use crate::read::Origin;
    use crate::schema::SourceSettings;

    #[test]
    fn every_file_is_a_profile() {
        for (name, text) in FILES {
            parse(text, Origin::Profile(0)).unwrap_or_else(|errors| panic!("{name}: {errors:?}"));
        }
        let names: Vec<&str> = Profile::all().iter().map(|profile| profile.name).collect();
        assert_eq!(names, NAMES);
        for profile in Profile::all() {
            assert!(
                !profile.about.is_empty() && profile.about.len() < 80,
                "{}",
                profile.name
            );
            assert!(
                FORM.contains(&format!("{}|", profile.name)),
                "{}",
                profile.name
            );
        }
    }

    #[test]
    fn nothing_is_described_twice() {
        for (name, text) in FILES {
            let read = parse(text, Origin::Profile(0)).unwrap_or_default();
            let settings = &read.settings;
            let name_of = |source: &SourceSettings| {
                let named = source.function.as_ref().or(source.pointer.as_ref());
                let named = named.or(source.register.as_ref());
                named.map(|name| name.value.clone())
            };
            // Of one name there may be several prototypes.
            let inputs = settings.inputs.iter().flatten().filter_map(|input| {
                let fills = input.fills.as_ref();
                let fills = fills.map(|fills| format!("{:?}", fills.value));
                Some((name_of(&input.source)?, fills))
            });
            let outputs = settings.outputs.iter().flatten();
            let outputs = outputs.filter_map(|output| Some((name_of(&output.source)?, None)));
            let lists = [&settings.ignore, &settings.pure]
                .into_iter()
                .flatten()
                .flatten();
            let lists = lists.map(|name| (name.value.clone(), None));
            let mut names: Vec<(String, Option<String>)> =
                inputs.chain(outputs).chain(lists).collect();
            let count = names.len();
            names.sort_unstable();
            names.dedup();
            assert_eq!(names.len(), count, "{name}");
        }
    }
}
