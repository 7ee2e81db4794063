//! `brownout chips`: the chips that a configuration can name.

use std::process::ExitCode;

use brownout_scenario::Chip;

use crate::cli::ChipsOptions;
use crate::console;
use crate::error::Error;

pub(crate) fn chips(options: &ChipsOptions) -> Result<ExitCode, Error> {
    let Some(name) = options.name.as_deref() else {
        return list();
    };
    let chip = Chip::named(name).ok_or_else(|| Error::NoChip {
        name: name.to_owned(),
        nearest: brownout_scenario::nearest(
            name,
            Chip::all().iter().map(|chip| chip.name.as_str()),
        )
        .map(str::to_owned),
    })?;
    console::result(None, |out| out.write_all(chip.text.as_bytes()))?;
    Ok(ExitCode::SUCCESS)
}

/// All chips, with what each is.
fn list() -> Result<ExitCode, Error> {
    let width = Chip::all().iter().map(|chip| chip.name.len()).max();
    let width = width.unwrap_or(0);
    console::result(None, |out| {
        for chip in Chip::all() {
            writeln!(out, "{:width$}  {}", chip.name, chip.about)?;
        }
        Ok(())
    })?;
    Ok(ExitCode::SUCCESS)
}
