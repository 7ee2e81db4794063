//! `brownout chips` and `brownout profiles`: what a configuration can name and the tool brings along.

use std::process::ExitCode;

use brownout_scenario::{Chip, Profile};

use crate::cli::{ChipsOptions, ProfilesOptions};
use crate::console;
use crate::error::Error;

pub(crate) fn chips(options: &ChipsOptions) -> Result<ExitCode, Error> {
    let chips = Chip::all().iter().map(|chip| File {
        name: &chip.name,
        about: &chip.about,
        text: chip.text,
    });
    let chips: Vec<File> = chips.collect();
    show(&chips, options.name.as_deref(), |name, nearest| {
        Error::NoChip { name, nearest }
    })
}

pub(crate) fn profiles(options: &ProfilesOptions) -> Result<ExitCode, Error> {
    let profiles = Profile::all().iter().map(|profile| File {
        name: profile.name,
        about: &profile.about,
        text: profile.text,
    });
    let profiles: Vec<File> = profiles.collect();
    show(&profiles, options.name.as_deref(), |name, nearest| {
        Error::NoProfile { name, nearest }
    })
}

/// A file of data that is part of the tool.
struct File {
    name: &'static str,
    about: &'static str,
    text: &'static str,
}

/// One of the files, or all of them with what each is.
fn show(
    files: &[File],
    name: Option<&str>,
    missing: impl FnOnce(String, Option<String>) -> Error,
) -> Result<ExitCode, Error> {
    let Some(name) = name else {
        return list(files);
    };
    let mut known = files.iter();
    let Some(file) = known.find(|file| file.name.eq_ignore_ascii_case(name)) else {
        let nearest = brownout_scenario::nearest(name, files.iter().map(|file| file.name));
        return Err(missing(name.to_owned(), nearest.map(str::to_owned)));
    };
    console::result(None, |out| out.write_all(file.text.as_bytes()))?;
    Ok(ExitCode::SUCCESS)
}

fn list(files: &[File]) -> Result<ExitCode, Error> {
    let width = files.iter().map(|file| file.name.len()).max();
    let width = width.unwrap_or(0);
    console::result(None, |out| {
        for file in files {
            writeln!(out, "{:width$}  {}", file.name, file.about)?;
        }
        Ok(())
    })?;
    Ok(ExitCode::SUCCESS)
}
