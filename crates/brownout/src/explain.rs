//! `brownout explain`: what a rule means. The text is the rule's page in the docs.

use std::process::ExitCode;

use brownout_diag::Rule;

use crate::cli::ExplainOptions;
use crate::console;
use crate::error::Error;

pub(crate) fn explain(options: &ExplainOptions) -> Result<ExitCode, Error> {
    let name = options.rule.as_str();
    let rule = Rule::from_name(name).ok_or_else(|| Error::NoRule {
        name: name.to_owned(),
        nearest: nearest(name),
    })?;
    let page = brownout_report::page(rule).ok_or(Error::NoPage { rule })?;
    console::result(None, |out| out.write_all(page.text.as_bytes()))?;
    Ok(ExitCode::SUCCESS)
}

fn nearest(name: &str) -> Option<String> {
    let name = name.to_lowercase().replace('_', "-");
    let rules = || brownout_report::pages().map(|page| page.rule.name());
    if let Some(rule) = rules().find(|rule| !name.is_empty() && rule.starts_with(&name)) {
        return Some(rule.to_owned());
    }
    brownout_scenario::nearest(&name, rules()).map(str::to_owned)
}
