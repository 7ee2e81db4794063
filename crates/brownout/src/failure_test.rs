//! A power failure as a test, in a file: which one, of which program, and what it breaks.

use std::collections::BTreeSet;
use std::path::{Component, Path, PathBuf};

use toml::de::{DeTable, DeValue};

use crate::cli::{ProgramOptions, RunOptions, Setting};
use crate::console;
use crate::error::Error;

/// The section of the file.
const SECTION: &str = "replay";

/// A test.
#[derive(Default)]
pub(crate) struct Test {
    pub(crate) id: String,
    /// What goes wrong, in the words of whoever looks for it again.
    pub(crate) breaks: Vec<String>,
    inputs: Vec<String>,
    project: Option<String>,
    program: Option<String>,
    config: Option<String>,
    settings: Vec<String>,
    clang: Vec<String>,
}

/// Writes a test for a failure that breaks something.
pub(crate) fn write(
    path: &Path,
    id: &str,
    breaks: BTreeSet<String>,
    program: &ProgramOptions,
    device: &[Setting],
) -> Result<(), Error> {
    let folder = folder(path);
    let beside = |file: &Path| relative(file, &folder);
    let config = crate::config::path(program);
    let mut settings: Vec<String> = (program.settings.iter().chain(device))
        .map(|setting| setting.text.clone())
        .collect();
    let named = [("target", &program.target), ("entry", &program.entry)];
    settings.extend(
        named
            .into_iter()
            .filter_map(|(key, value)| Some(format!("{key}={}", value.as_ref()?))),
    );
    let list = |texts: Vec<String>| {
        let quoted: Vec<String> = texts.iter().map(|text| quoted(text)).collect();
        format!("[{}]", quoted.join(", "))
    };
    let mut text = format!(
        "# A power failure that breaks the program. `brownout run {}` fails while it does.\n[{SECTION}]\n",
        path.file_name().unwrap_or_default().to_string_lossy(),
    );
    let mut line = |key: &str, value: String| text += &format!("{key} = {value}\n");
    line("id", quoted(id));
    line("breaks", list(breaks.into_iter().collect()));
    let inputs = program.inputs.iter().map(|input| beside(input));
    line("inputs", list(inputs.collect()));
    if let Some(project) = &program.project {
        line("project", quoted(&beside(project)));
    }
    if let Some(name) = &program.program {
        line("program", quoted(name));
    }
    if let Some(config) = config {
        line("config", quoted(&beside(&config)));
    }
    if !settings.is_empty() {
        line("set", list(settings));
    }
    if !program.clang.is_empty() {
        line("clang", list(program.clang.clone()));
    }
    console::result(Some(path), |out| out.write_all(text.as_bytes()))
}

/// The program that a test is about.
pub(crate) fn program(
    test: &Test,
    path: &Path,
    options: &RunOptions,
) -> Result<ProgramOptions, Error> {
    let folder = folder(path);
    let settings = test.settings.iter().map(|text| Setting {
        option: format!("{}: set", path.display()),
        value: text.clone(),
        text: text.clone(),
    });
    let given = &options.program;
    Ok(ProgramOptions {
        inputs: test.inputs.iter().map(|input| folder.join(input)).collect(),
        project: test.project.as_ref().map(|project| folder.join(project)),
        program: test.program.clone(),
        config: test.config.as_ref().map(|config| folder.join(config)),
        settings: settings.chain(given.settings.iter().cloned()).collect(),
        clang: test.clang.iter().chain(&given.clang).cloned().collect(),
        ..given.clone()
    })
}

pub(crate) fn read(path: &Path) -> Result<Test, Error> {
    let text = std::fs::read_to_string(path).map_err(|error| Error::File {
        path: path.to_owned(),
        error,
    })?;
    let wrong = |problem: String| Error::Test {
        path: path.to_owned(),
        problem,
    };
    let document = DeTable::parse(&text).map_err(|error| wrong(error.message().to_owned()))?;
    let section = document.get_ref().get(SECTION);
    let Some(DeValue::Table(section)) = section.map(|section| section.get_ref()) else {
        return Err(wrong(format!("has no section `[{SECTION}]`")));
    };
    let mut test = Test::default();
    for (key, value) in section {
        let (key, value) = (key.get_ref(), value.get_ref());
        let text = || {
            let text = value.as_str().map(str::to_owned);
            text.ok_or_else(|| wrong(format!("`{key}` must be a text")))
        };
        let list = || {
            let texts = value.as_array().and_then(|array| {
                let texts = array.iter().map(|element| element.get_ref().as_str());
                texts.map(|text| text.map(str::to_owned)).collect()
            });
            texts.ok_or_else(|| wrong(format!("`{key}` must be a list of strings")))
        };
        match key.as_ref() {
            "id" => test.id = text()?,
            "project" => test.project = Some(text()?),
            "program" => test.program = Some(text()?),
            "config" => test.config = Some(text()?),
            "breaks" => test.breaks = list()?,
            "inputs" => test.inputs = list()?,
            "set" => test.settings = list()?,
            "clang" => test.clang = list()?,
            _ => return Err(wrong(format!("there is no key `{key}`"))),
        }
    }
    if test.id.is_empty() || test.inputs.is_empty() && test.project.is_none() {
        return Err(wrong("needs `id` and `inputs`".to_owned()));
    }
    Ok(test)
}

/// The folder of a file.
fn folder(path: &Path) -> PathBuf {
    path.parent().map_or_else(PathBuf::new, Path::to_owned)
}

/// How to get to `file` from `folder`, as far as that can be told.
fn relative(file: &Path, folder: &Path) -> String {
    let whole = |path: &Path| match path.as_os_str().is_empty() {
        true => std::env::current_dir(),
        false => path.canonicalize(),
    };
    let (Ok(to), Ok(from)) = (whole(file), whole(folder)) else {
        return file.display().to_string();
    };
    let common = to.components().zip(from.components());
    let common = common.take_while(|(one, other)| one == other).count();
    let up = from.components().skip(common).map(|_| Component::ParentDir);
    let path: PathBuf = up.chain(to.components().skip(common)).collect();
    path.to_string_lossy().replace('\\', "/")
}

/// A text as TOML has it.
fn quoted(text: &str) -> String {
    let escaped: String = text.chars().map(escape).collect();
    format!("\"{escaped}\"")
}

fn escape(character: char) -> String {
    match character {
        '"' | '\\' => format!("\\{character}"),
        control if control.is_control() => format!("\\u{:04X}", control as u32),
        other => other.to_string(),
    }
}
