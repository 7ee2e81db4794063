//! `brownout ed`: the execution depth of a device (EWSN'21 eq. 4).

use std::process::ExitCode;

use crate::cli::{EdOptions, Setting};
use crate::config::Loaded;
use crate::console;
use crate::error::Error;

pub(crate) fn ed(options: &EdOptions) -> Result<ExitCode, Error> {
    let mut loaded = Loaded::read(options.config.clone())?;
    // Ten volts are a voltage; ten of a capacitance are farads only to physicists.
    let given = [
        ("capacitance", &options.capacitance, Some("10uF")),
        ("v-trigger", &options.v_trigger, None),
        ("v-min", &options.v_min, None),
        ("current", &options.current, Some("270uA")),
        ("clock", &options.clock, Some("1MHz")),
        ("checkpoint-time", &options.checkpoint_time, Some("1.4ms")),
    ];
    for (key, value, example) in given {
        if let Some(value) = value {
            if let (Some(example), Ok(_)) = (example, value.trim().parse::<f64>()) {
                return Err(Error::NoUnit {
                    option: key,
                    value: value.clone(),
                    example,
                });
            }
            loaded.set(&Setting::of_option(key, &format!("energy.{key}"), value))?;
        }
    }
    let energy = loaded
        .config
        .energy()
        .map_err(|errors| loaded.error(errors))?
        .ok_or(Error::NoEnergy)?;
    let depth = energy.execution_depth().ok_or(Error::NoDepth)?;
    console::result(None, |out| writeln!(out, "{depth} instructions"))?;
    Ok(ExitCode::SUCCESS)
}
