//! `brownout explain`: what a rule means. The text is the rule's page in the docs.

use std::process::ExitCode;

use brownout_diag::Rule;

use crate::cli::ExplainOptions;
use crate::console;
use crate::error::Error;

pub(crate) fn explain(options: &ExplainOptions) -> Result<ExitCode, Error> {
    let Some(name) = options.rule.as_deref() else {
        return list();
    };
    let rule = Rule::from_name(name).ok_or_else(|| Error::NoRule {
        name: name.to_owned(),
        nearest: brownout_scenario::nearest(name, Rule::names()).map(str::to_owned),
    })?;
    console::result(None, |out| out.write_all(rule.page().as_bytes()))?;
    Ok(ExitCode::SUCCESS)
}

/// All rules, with what each is about.
fn list() -> Result<ExitCode, Error> {
    let width = Rule::names().map(str::len).max().unwrap_or(0);
    console::result(None, |out| {
        for rule in Rule::ALL {
            writeln!(out, "{:width$}  {}", rule.name(), rule.title())?;
        }
        Ok(())
    })?;
    Ok(ExitCode::SUCCESS)
}
