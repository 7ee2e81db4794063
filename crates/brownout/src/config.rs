//! Finding and reading `brownout.toml`.

use std::path::{Path, PathBuf};

use brownout_scenario::{Config, ConfigError, Place};

use crate::cli::{ProgramOptions, Setting};
use crate::error::Error;

/// The configuration in force, and where it came from.
#[derive(Default)]
pub(crate) struct Loaded {
    pub(crate) config: Config,
    /// The file.
    path: Option<PathBuf>,
    /// The options that were applied to it, as the user wrote them.
    options: Vec<String>,
}

impl Loaded {
    /// Reads the file, if there is one.
    pub(crate) fn read(path: Option<PathBuf>) -> Result<Self, Error> {
        let mut loaded = Self {
            path,
            ..Self::default()
        };
        if let Some(path) = &loaded.path {
            let text = std::fs::read_to_string(path).map_err(|error| Error::File {
                path: path.clone(),
                error,
            })?;
            loaded.config = Config::parse(&text).map_err(|errors| loaded.error(errors))?;
        }
        Ok(loaded)
    }

    /// Applies an option that stands for a setting.
    pub(crate) fn set(&mut self, setting: &Setting) -> Result<(), Error> {
        self.options
            .push(format!("{} {}", setting.option, setting.value));
        self.config
            .set(&setting.text)
            .map_err(|error| self.error(vec![error]))
    }

    /// What is wrong, with the file or the option where the user said it.
    pub(crate) fn error(&self, errors: Vec<ConfigError>) -> Error {
        let errors = errors.into_iter();
        Error::Config {
            errors: errors
                .map(|error| (self.source(error.place), error))
                .collect(),
        }
    }

    fn source(&self, place: Place) -> Option<String> {
        match place {
            Place::Text { .. } => {
                let path = self.path.as_deref().unwrap_or(Path::new("brownout.toml"));
                Some(format!("{}:{place}", path.display()))
            }
            Place::Profile { number, .. } => {
                let name = self.config.profile(number)?;
                Some(format!("{}:{place}", self.beside(name).display()))
            }
            Place::Setting { number, .. } => self.options.get(number as usize).cloned(),
            Place::Annotation | Place::Default => None,
        }
    }

    /// A file beside it, as seen from here.
    pub(crate) fn beside(&self, name: &str) -> PathBuf {
        let folder = self.path.as_deref().and_then(Path::parent);
        folder.unwrap_or(Path::new("")).join(name)
    }

    /// The files that it names, as seen from here.
    pub(crate) fn sources(&self) -> Vec<PathBuf> {
        let sources = self.config.sources();
        sources.map(|name| self.beside(name)).collect()
    }

    /// Reads a linker script of the program.
    pub(crate) fn supply_linker_script(&mut self, path: &Path) -> Result<(), Error> {
        let bytes = std::fs::read(path).map_err(|error| Error::File {
            path: path.to_owned(),
            error,
        })?;
        self.config
            .supply_linker_script(&String::from_utf8_lossy(&bytes));
        Ok(())
    }

    /// Traces, scripts and profiles are files beside the configuration.
    fn supply_files(&mut self) -> Result<(), Error> {
        let folder = self.path.as_deref().and_then(Path::parent);
        let folder = folder.unwrap_or(Path::new("")).to_owned();
        let missing = self.config.missing_files().into_iter();
        for name in missing.map(str::to_owned).collect::<Vec<_>>() {
            let path = folder.join(&name);
            let text = std::fs::read_to_string(&path).map_err(|error| Error::File {
                path: path.clone(),
                error,
            })?;
            self.config
                .supply(&name, &text)
                .map_err(|errors| self.error(errors))?;
        }
        let missing = self.config.missing_images().into_iter();
        for name in missing.map(str::to_owned).collect::<Vec<_>>() {
            let path = folder.join(&name);
            let contents = std::fs::read(&path).map_err(|error| Error::File {
                path: path.clone(),
                error,
            })?;
            self.config.supply_image(&name, contents);
        }
        Ok(())
    }
}

/// The file given or found.
pub(crate) fn path(options: &ProgramOptions) -> Option<PathBuf> {
    if options.without_found_config {
        return options.config.clone();
    }
    options.config.clone().or_else(|| {
        // With a project alone: from its folder upward.
        let project = options.project.as_ref().map(|folder| folder.join("x"));
        let first = options.inputs.first().or(project.as_ref());
        // Without either: from here.
        find(first.map_or(Path::new("x"), PathBuf::as_path))
    })
}

/// Reads the file given or found, then applies `--set` and the options that are keys, too.
pub(crate) fn load(options: &ProgramOptions) -> Result<Loaded, Error> {
    let mut loaded = Loaded::read(path(options))?;
    let given = [("target", &options.target), ("entry", &options.entry)];
    let given = given.into_iter().filter_map(|(key, value)| {
        value
            .as_ref()
            .map(|value| Setting::of_option(key, key, value))
    });
    for setting in options.settings.iter().cloned().chain(given) {
        loaded.set(&setting)?;
    }
    loaded.supply_files()?;
    Ok(loaded)
}

/// `brownout.toml` in the folder of `input`, or in the folder that it is, or above that.
fn find(input: &Path) -> Option<PathBuf> {
    let absolute = std::path::absolute(input).ok()?;
    absolute
        .ancestors()
        .skip(usize::from(!absolute.is_dir()))
        .map(|folder| folder.join("brownout.toml"))
        .find(|path| path.is_file())
}
