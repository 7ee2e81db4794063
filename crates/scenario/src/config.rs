//! The configuration: what the user said, checked as far as that goes without the program.
//!
//! **Invariant**: the text of a file and every `--set` go through the same schema, in the order in
//! which they are given; what comes later wins. A failed [`Config::set`] changes nothing.

use std::borrow::Cow;
use std::collections::BTreeMap;

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use crate::chips::Chip;
use crate::energy::Energy;
use crate::error::{ConfigError, Place, Problem};
use crate::glob;
use crate::linker::Layout;
use crate::profiles::{self, Profile, Read};
use crate::read::{Located, Origin, Reader};
use crate::resolve::is_checkpoint;
use crate::schema::{self, Settings};
use crate::trace::{self, Rows};

/// No key has more parts; what comes after belongs to the last one, which is then unknown.
const DEEPEST_KEY: usize = 3;

/// What C files are compiled for unless something else is said.
const DEFAULT_TARGET: &str = "msp430";
/// Where execution starts unless something else is said.
pub(crate) const DEFAULT_ENTRY: &str = "main";

/// What the user said, by file and by `--set`. The default is to say nothing.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Config {
    pub(crate) settings: Settings,
    pub(crate) traces: BTreeMap<String, Rows>,
    /// What flash parts hold at the start, by the names of the files.
    pub(crate) images: BTreeMap<String, Vec<u8>>,
    /// What profiles say that are files of the user's own, by their names.
    pub(crate) profiles: BTreeMap<String, Read>,
    /// The texts of script files.
    pub(crate) scripts: BTreeMap<String, String>,
    /// Where linker scripts place sections.
    pub(crate) layout: Layout,
    /// How often [`Config::set`] was right.
    applied: u32,
}

impl Config {
    /// What C files are compiled for: known before there is a program to resolve against.
    pub fn target(&self) -> &str {
        let chip = self.chip().map(|chip| chip.target.as_str());
        let given = self.settings.target.as_ref();
        given.map_or(chip.unwrap_or(DEFAULT_TARGET), |target| &target.value)
    }

    /// Whether somebody says what C files are compiled for.
    pub fn names_target(&self) -> bool {
        self.settings.target.is_some() || self.settings.chip.is_some()
    }

    /// The chip, if one is named.
    pub fn chip(&self) -> Option<&'static Chip> {
        self.settings.chip.as_ref().map(|chip| chip.value)
    }

    /// Where execution starts, unless the program has no such function.
    pub fn entry(&self) -> &str {
        self.settings
            .entry
            .as_ref()
            .map_or(DEFAULT_ENTRY, |entry| &entry.value)
    }

    /// Whether somebody says what is called through the function pointer of this name.
    pub fn describes_pointer(&self, name: &str) -> bool {
        let says = |settings: &Settings| {
            let mut pointers = settings
                .connections()
                .filter_map(|source| source.pointer.as_ref());
            let ignored = settings.ignore.iter().flatten();
            let ignored = ignored.filter(|ignored| ignored.value.contains(['.', ':']));
            pointers.any(|pointer| glob::matches(&pointer.value, name))
                || ignored
                    .into_iter()
                    .any(|ignored| glob::matches(&ignored.value, name))
        };
        says(&self.settings) || self.profiles().iter().any(|(_, read)| says(&read.settings))
    }

    /// Whether a function of this name means something: it commits, is an input or an output, uses a
    /// peripheral, is an operation that is judged, or is not to be executed. Such a function has to stay one
    /// when the program is compiled.
    pub fn names_function(&self, name: &str) -> bool {
        let says = |settings: &Settings| {
            let power = &settings.power;
            let lists = [
                &power.checkpoints,
                &power.tasks,
                &power.transitions,
                &settings.ignore,
            ];
            let peripherals = settings.peripherals.iter().flatten();
            let mut patterns = settings
                .connections()
                .filter_map(|source| source.function.as_ref())
                .chain(lists.into_iter().flatten().flatten())
                .chain(peripherals.flat_map(|one| one.used_by.iter().flatten()))
                .chain(settings.explore.operations.iter().flatten());
            patterns.any(|pattern| glob::matches(&pattern.value, name))
        };
        is_checkpoint(name)
            || says(&self.settings)
            || self.profiles().iter().any(|(_, read)| says(&read.settings))
    }

    /// The profiles that are named, in order, with what they say.
    pub(crate) fn profiles(&self) -> Vec<(&str, Cow<'_, Read>)> {
        let names = self.settings.profiles.iter().flatten().enumerate();
        let read = names.filter_map(|(number, name)| {
            let name = name.value.as_str();
            let read = match Profile::named(name) {
                Some(profile) => {
                    let origin = Origin::Profile(number as u32);
                    Cow::Owned(profiles::parse(profile.text, origin).ok()?)
                }
                None => Cow::Borrowed(self.profiles.get(name)?),
            };
            Some((name, read))
        });
        read.collect()
    }

    /// The name of the profile after so many others.
    pub fn profile(&self, number: u32) -> Option<&str> {
        let names = self.settings.profiles.as_ref()?;
        Some(names.get(number as usize)?.value.as_str())
    }

    /// Whether functions are named that are interrupt handlers.
    pub fn names_interrupts(&self) -> bool {
        self.settings.interrupts.is_some()
    }

    /// The programs that run after the first one in a boot, in order.
    pub fn chain(&self) -> Vec<Chained<'_>> {
        let chain = self.settings.chain.iter().flatten();
        chain
            .filter_map(|program| {
                let sources = program.sources.iter().flatten();
                Some(Chained {
                    name: &program.name.as_ref()?.value,
                    sources: sources.map(|source| source.value.as_str()).collect(),
                    entry: program
                        .entry
                        .as_ref()
                        .map_or(DEFAULT_ENTRY, |entry| &entry.value),
                    start: &program.start.as_ref()?.value,
                })
            })
            .collect()
    }

    /// The objects that stand for flash parts.
    pub fn flash_objects(&self) -> impl Iterator<Item = &str> {
        let parts = self.settings.flash.iter().flatten();
        parts.filter_map(|part| Some(part.object.as_ref()?.value.as_str()))
    }

    /// The functions that are called tasks, by names or patterns.
    pub fn tasks(&self) -> impl Iterator<Item = &str> {
        let tasks = self.settings.power.tasks.iter().flatten();
        tasks.map(|task| task.value.as_str())
    }

    /// The files of the program, as seen from the file of the configuration.
    pub fn sources(&self) -> impl Iterator<Item = &str> {
        let sources = self.settings.sources.iter().flatten();
        sources.map(|source| source.value.as_str())
    }

    /// Reads the text of a `brownout.toml`.
    ///
    /// Every error is reported, in the order of the text. A syntax error stands alone: what is read
    /// behind it need not be what was meant.
    pub fn parse(text: &str) -> Result<Config, Vec<ConfigError>> {
        let reader = Reader::new(Origin::Text, text);
        let table = DeTable::parse(text).map_err(|error| {
            vec![ConfigError {
                place: reader.place(error.span().map_or(0, |span| span.start)),
                key: String::new(),
                problem: Problem::Syntax {
                    message: error.message().replace('\n', ", "),
                },
            }]
        })?;
        let mut settings = Settings::default();
        let errors = reader
            .read(&table, |fields| schema::document(fields, &mut settings))
            .errors;
        if errors.is_empty() {
            Ok(Config {
                settings,
                traces: BTreeMap::new(),
                profiles: BTreeMap::new(),
                scripts: BTreeMap::new(),
                images: BTreeMap::new(),
                layout: Layout::default(),
                applied: 0,
            })
        } else {
            Err(errors)
        }
    }

    /// Applies a `--set`: `section.key=value`.
    ///
    /// The value is read as a TOML value; what is none is taken as a bare string. A list of strings can
    /// also be written `a,b`. A list of tables is replaced as a whole:
    /// `input=[{ function = "read", values = [1, 2] }]`. Whoever calls this can tell by the number in
    /// [`Place::Setting`] which of the settings an error is about.
    pub fn set(&mut self, setting: &str) -> Result<(), ConfigError> {
        let number = self.applied;
        let not_a_setting = || ConfigError {
            place: Place::Setting { number, column: 1 },
            key: setting.to_owned(),
            problem: Problem::NotASetting,
        };
        let (key, value) = setting.split_once('=').ok_or_else(not_a_setting)?;
        let names: Vec<&str> = key.splitn(DEEPEST_KEY, '.').map(str::trim).collect();
        let [first, rest @ ..] = &names[..] else {
            return Err(not_a_setting());
        };
        if names.iter().any(|name| name.is_empty()) {
            return Err(not_a_setting());
        }
        // A short key and blanks in place of the key keep the offsets those of the whole argument.
        let document = format!("x{:1$}={value}", "", key.len() - 1);
        let value = whole_value(&document).unwrap_or_else(|| {
            let start = setting.len() - value.trim_start().len();
            let text = DeValue::String(Cow::Borrowed(value.trim()));
            Spanned::new(start..setting.len(), text)
        });
        let table = nest(first, rest, value);

        let mut settings = self.settings.clone();
        let reader = Reader::new(Origin::Setting(number), setting);
        let errors = reader
            .read(&table, |fields| schema::document(fields, &mut settings))
            .errors;
        match errors.into_iter().next() {
            Some(error) => Err(error),
            None => {
                self.settings = settings;
                self.applied += 1;
                Ok(())
            }
        }
    }

    /// The trace, script and profile files that are named and that were not supplied yet, each once.
    ///
    /// This crate reads no files: the caller does, and hands them to [`Config::supply`].
    pub fn missing_files(&self) -> Vec<&str> {
        let traces = self.trace_keys().map(|trace| trace.value.as_str());
        let traces = traces.filter(|path| !self.traces.contains_key(*path));
        let scripts = self.script_keys().map(|(_, script)| script.value.as_str());
        let scripts =
            scripts.filter(|text| is_script_file(text) && !self.scripts.contains_key(*text));
        let profiles = self.settings.profiles.iter().flatten();
        let profiles = profiles
            .map(|name| name.value.as_str())
            .filter(|name| profiles::is_file(name) && !self.profiles.contains_key(*name));
        let mut paths: Vec<&str> = traces.chain(scripts).chain(profiles).collect();
        paths.sort_unstable();
        paths.dedup();
        paths
    }

    /// The images of flash parts and of memory that are named and that were not supplied yet.
    pub fn missing_images(&self) -> Vec<&str> {
        let parts = self.settings.flash.iter().flatten();
        let parts = parts.filter_map(|part| part.image.as_ref());
        let map = self.settings.memory.map.iter().flatten();
        let named = parts.chain(map.filter_map(|stretch| stretch.image.as_ref()));
        named
            .map(|path| path.value.as_str())
            .filter(|path| !self.images.contains_key(*path))
            .collect()
    }

    /// Supplies the contents of an image.
    pub fn supply_image(&mut self, path: &str, contents: Vec<u8>) {
        self.images.insert(path.to_owned(), contents);
    }

    /// Supplies the text of a linker script of the program.
    pub fn supply_linker_script(&mut self, text: &str) {
        self.layout.read(text);
    }

    /// Supplies the text of a trace, script or profile file.
    pub fn supply(&mut self, path: &str, text: &str) -> Result<(), Vec<ConfigError>> {
        if is_script_file(path) {
            self.scripts.insert(path.to_owned(), text.to_owned());
            return Ok(());
        }
        let names = self.settings.profiles.as_deref().unwrap_or(&[]);
        if let Some(number) = names.iter().position(|name| name.value == path) {
            let read = profiles::parse(text, Origin::Profile(number as u32))?;
            self.profiles.insert(path.to_owned(), read);
            return Ok(());
        }
        let key = self.trace_keys().find(|trace| trace.value == path);
        let place = key.map_or(Place::Default, |trace| trace.place);
        let error = |problem| {
            vec![ConfigError {
                place,
                key: "input.trace".to_owned(),
                problem,
            }]
        };
        let path = path.to_owned();
        match trace::parse(text) {
            Ok(None) => Err(error(Problem::EmptyFile { path })),
            Ok(Some(rows)) => {
                self.traces.insert(path, rows);
                Ok(())
            }
            Err((line, row)) => Err(error(Problem::BadTrace { path, line, row })),
        }
    }

    /// The electrical side of the device, when `[energy]` describes it.
    ///
    /// Everything but `checkpoint-time` is needed; without it a checkpoint takes no time.
    pub fn energy(&self) -> Result<Option<Energy>, Vec<ConfigError>> {
        let energy = &self.settings.energy;
        let required = [
            (&energy.capacitance, "`capacitance`"),
            (&energy.trigger_voltage, "`v-trigger`"),
            (&energy.minimum_voltage, "`v-min`"),
            (&energy.current, "`current`"),
            (&energy.clock, "`clock`"),
        ];
        let given = required
            .iter()
            .filter_map(|(located, _)| located.as_ref())
            .chain(&energy.checkpoint_time);
        let Some(place) = given.map(|located| located.place).min() else {
            return Ok(None);
        };
        let error = |problem| ConfigError {
            place,
            key: "energy".to_owned(),
            problem,
        };
        let [
            Some(capacitance),
            Some(trigger_voltage),
            Some(minimum_voltage),
            Some(current),
            Some(clock),
        ] = required.map(|(located, _)| located.as_ref().map(|located| located.value))
        else {
            let missing = required.iter().filter(|(located, _)| located.is_none());
            return Err(missing
                .map(|&(_, wanted)| {
                    error(Problem::Missing {
                        wanted: wanted.to_owned(),
                    })
                })
                .collect());
        };
        let energy = Energy {
            capacitance,
            trigger_voltage,
            minimum_voltage,
            current,
            clock,
            checkpoint_time: energy
                .checkpoint_time
                .as_ref()
                .map_or(0.0, |time| time.value),
            start_voltage: energy.start_voltage.as_ref().map(|start| start.value),
        };
        match energy.execution_depth() {
            Some(_) => Ok(Some(energy)),
            None => Err(vec![error(Problem::NoExecutionDepth)]),
        }
    }

    fn trace_keys(&self) -> impl Iterator<Item = &Located<String>> {
        let inputs = self.settings.inputs.iter().flatten();
        inputs.filter_map(|input| input.trace.as_ref())
    }

    /// Scripts, and the keys they stand under.
    pub(crate) fn script_keys(&self) -> impl Iterator<Item = (&'static str, &Located<String>)> {
        let inputs = self.settings.inputs.iter().flatten();
        let outputs = self.settings.outputs.iter().flatten();
        let inputs = inputs.filter_map(|input| Some(("input.script", input.script.as_ref()?)));
        let outputs = outputs.filter_map(|output| Some(("output.script", output.script.as_ref()?)));
        inputs.chain(outputs)
    }
}

/// Whether a script is the name of a file rather than its own text.
pub(crate) fn is_script_file(text: &str) -> bool {
    text.ends_with(".script") && !text.contains(char::is_whitespace)
}

/// The value of a document that has one key and no errors.
fn whole_value(document: &str) -> Option<Spanned<DeValue<'_>>> {
    let table = DeTable::parse(document).ok()?.into_inner();
    let only = table.len() == 1;
    table
        .into_iter()
        .next()
        .filter(|_| only)
        .map(|(_, value)| value)
}

/// `a.b = value` as nested tables.
fn nest<'t>(name: &'t str, rest: &[&'t str], value: Spanned<DeValue<'t>>) -> Spanned<DeTable<'t>> {
    let span = 0..value.span().end;
    let value = match rest {
        [] => value,
        [next, rest @ ..] => {
            let inner = nest(next, rest, value);
            Spanned::new(span.clone(), DeValue::Table(inner.into_inner()))
        }
    };
    let key = Spanned::new(span.clone(), Cow::Borrowed(name));
    Spanned::new(span, DeTable::from_iter([(key, value)]))
}

/// A program that another one starts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Chained<'c> {
    /// What to call it.
    pub name: &'c str,
    /// Its files, as seen from the file of the configuration.
    pub sources: Vec<&'c str>,
    /// The function where it starts.
    pub entry: &'c str,
    /// The function of an earlier program that starts it.
    pub start: &'c str,
}
