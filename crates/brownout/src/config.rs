//! Finding and reading `brownout.toml`.

use std::path::{Path, PathBuf};

use brownout_scenario::Config;

use crate::cli::ProgramOptions;
use crate::error::Error;

/// The configuration in force, and where it came from.
pub(crate) struct Loaded {
    pub(crate) config: Config,
    pub(crate) source: String,
}

/// Reads the file given or found, then applies `--set` and the options that are keys, too.
pub(crate) fn load(options: &ProgramOptions) -> Result<Loaded, Error> {
    let path = options
        .config
        .clone()
        .or_else(|| options.inputs.first().and_then(|input| find(input)));
    let source = path.as_ref().map_or_else(
        || "brownout.toml".to_owned(),
        |path| path.display().to_string(),
    );
    let config_error = |errors| Error::Config {
        source: source.clone(),
        errors,
    };
    let mut config = match &path {
        Some(path) => {
            let text = std::fs::read_to_string(path).map_err(|error| Error::File {
                path: path.clone(),
                error,
            })?;
            Config::parse(&text).map_err(config_error)?
        }
        None => Config::default(),
    };
    for setting in &options.settings {
        config.set(setting).map_err(|error| Error::Config {
            source: "command line".to_owned(),
            errors: vec![error],
        })?;
    }
    let given = [("target", &options.target), ("entry", &options.entry)];
    for (key, value) in given {
        if let Some(value) = value {
            config
                .set(&format!("{key}={value}"))
                .map_err(|error| Error::Config {
                    source: format!("--{key}"),
                    errors: vec![error],
                })?;
        }
    }
    let folder = path
        .as_deref()
        .and_then(Path::parent)
        .map(Path::to_owned)
        .unwrap_or_default();
    supply_traces(&mut config, &folder)?;
    Ok(Loaded { config, source })
}

/// Traces are files beside the configuration.
fn supply_traces(config: &mut Config, folder: &Path) -> Result<(), Error> {
    let names: Vec<String> = config
        .missing_traces()
        .into_iter()
        .map(str::to_owned)
        .collect();
    for name in names {
        let path = folder.join(&name);
        let text = std::fs::read_to_string(&path).map_err(|error| Error::File {
            path: path.clone(),
            error,
        })?;
        config
            .supply_trace(&name, &text)
            .map_err(|error| Error::Config {
                source: path.display().to_string(),
                errors: vec![error],
            })?;
    }
    Ok(())
}

/// `brownout.toml` in the folder of `input` or above it.
fn find(input: &Path) -> Option<PathBuf> {
    let absolute = std::path::absolute(input).ok()?;
    absolute
        .ancestors()
        .skip(1)
        .map(|folder| folder.join("brownout.toml"))
        .find(|path| path.is_file())
}
