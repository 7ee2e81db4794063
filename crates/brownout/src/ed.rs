//! `brownout ed`: the execution depth of a device (EWSN'21 eq. 4).

use std::process::ExitCode;

use crate::cli::{EdOptions, Setting};
use crate::config::Loaded;
use crate::console;
use crate::error::Error;

pub(crate) fn ed(options: &EdOptions) -> Result<ExitCode, Error> {
    let mut loaded = Loaded::read(options.config.clone())?;
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
            loaded.set(&Setting::of_option(key, &format!("energy.{key}"), value))?;
        }
    }
    let energy = loaded
        .config
        .energy()
        .map_err(|errors| loaded.error(errors))?
        .ok_or(Error::NoEnergy)?;
    let depth = energy.execution_depth().ok_or(Error::NoDepth)?;
    console::result(None, |out| writeln!(out, "{depth}"))?;
    Ok(ExitCode::SUCCESS)
}
