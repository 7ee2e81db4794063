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
        nearest: brownout_scenario::nearest(name, rules()).map(str::to_owned),
    })?;
    let page = brownout_report::page(rule).ok_or(Error::NoPage { rule })?;
    console::result(None, |out| out.write_all(page.text.as_bytes()))?;
    Ok(ExitCode::SUCCESS)
}

/// The names of rules that have a page.
fn rules() -> impl Iterator<Item = &'static str> + Clone {
    let names: Vec<&'static str> = brownout_report::pages()
        .map(|page| page.rule.name())
        .collect();
    names.into_iter()
}

/// All rules, with what each is about.
fn list() -> Result<ExitCode, Error> {
    let width = brownout_report::pages()
        .map(|page| page.rule.name().len())
        .max();
    let width = width.unwrap_or(0);
    console::result(None, |out| {
        for page in brownout_report::pages() {
            // The first line of a page is its title, `# rule: what it is about`.
            let title = page.text.lines().next().unwrap_or_default();
            let about = title.split_once(": ").map_or(title, |(_, about)| about);
            writeln!(out, "{:width$}  {about}", page.rule.name())?;
        }
        Ok(())
    })?;
    Ok(ExitCode::SUCCESS)
}
