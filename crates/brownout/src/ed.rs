//! `brownout ed`: the execution depth of a device (EWSN'21 eq. 4).

use std::process::ExitCode;

use brownout_scenario::Config;

use crate::cli::EdOptions;
use crate::console;
use crate::error::Error;

pub(crate) fn ed(options: &EdOptions) -> Result<ExitCode, Error> {
    let source = options.config.as_ref().map_or_else(
        || "command line".to_owned(),
        |path| path.display().to_string(),
    );
    let config_error = |errors| Error::Config {
        source: source.clone(),
        errors,
    };
    let mut config = match &options.config {
        Some(path) => {
            let text = std::fs::read_to_string(path).map_err(|error| Error::File {
                path: path.clone(),
                error,
            })?;
            Config::parse(&text).map_err(config_error)?
        }
        None => Config::default(),
    };
    let given = [
        ("capacitance", &options.capacitance),
        ("v-trigger", &options.v_trigger),
        ("v-min", &options.v_min),
        ("current", &options.current),
        ("clock", &options.clock),
        ("checkpoint-time", &options.checkpoint_time),
    ];
    for (key, value) in given {
        if let Some(value) = value {
            config
                .set(&format!("energy.{key}={value}"))
                .map_err(|error| config_error(vec![error]))?;
        }
    }
    let energy = config
        .energy()
        .map_err(config_error)?
        .ok_or(Error::NoEnergy)?;
    let depth = energy.execution_depth().ok_or(Error::NoDepth)?;
    console::result(None, |out| writeln!(out, "{depth}"))?;
    Ok(ExitCode::SUCCESS)
}
