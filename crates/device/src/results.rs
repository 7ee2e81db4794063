//! What functions that fill buffers return.
//!
//! A profile says that they succeed, in the way of its bus. A program that was written for another version of that bus
//! takes this for failure and never looks at what it has read: then any result may come.

use brownout_flow::{Model, Stopped, delivered};
use brownout_ir::{Program, Type};
use brownout_scenario::{Input, Scenario, Source, ValueSource};

use crate::prepared::Prepared;
use crate::setting::{setting, with_constants};

/// Adds the results of functions that fill buffers to the inputs, where nobody said what they are:
/// such a function may fail. It returns 0 as long as nobody wants anything else.
pub(crate) fn add(program: &Program, scenario: &mut Scenario) {
    let undecided = scenario.inputs.iter().filter_map(|input| {
        let fill = input.fills.as_ref()?;
        let name = input.source.name();
        let function = &program.functions[program.function(name)?];
        let is_said = fill.returns.is_some() || fill.returns_length();
        let is_number = matches!(function.results.first(), Some(Type::Int(_)));
        (is_number && !is_said).then(|| result(name))
    });
    let undecided: Vec<Input> = undecided.collect();
    scenario.inputs.extend(undecided);
}

fn result(function: &str) -> Input {
    Input {
        is_declared: false,
        source: Source::Result {
            name: format!("the result of `{function}`"),
            function: function.to_owned(),
        },
        values: ValueSource::Constant(0),
        mask: None,
        fills: None,
        model: None,
    }
}

/// Takes back what profiles say that functions return, where the program then never reads what these fill, and
/// otherwise does. Whether anything was.
pub(crate) fn take_back(prepared: &mut Prepared) -> bool {
    let said = said_by_profiles(&prepared.scenario);
    if said.is_empty() {
        return false;
    }
    let setting = setting(prepared, None);
    let unread = |program: &Program| -> Result<Vec<_>, Stopped> {
        let model = Model::new(program, &setting)?;
        let calls = said.iter().map(|(_, name, _)| {
            let func = program.function(name);
            func.map_or_else(Default::default, |func| delivered::never_read(&model, func))
        });
        Ok(calls.collect())
    };
    let compared = || -> Result<Vec<bool>, Stopped> {
        let believing = with_constants(&prepared.program, &prepared.scenario);
        let believing = unread(&believing)?;
        if believing.iter().all(|calls| calls.is_empty()) {
            return Ok(vec![true; said.len()]);
        }
        let doubting = unread(&prepared.program)?;
        let calls = believing.iter().zip(&doubting);
        Ok(calls
            .map(|(unread, always)| unread.is_subset(always))
            .collect())
    };
    // Where nobody knows, functions may return anything.
    let is_read = compared().unwrap_or_else(|_| vec![false; said.len()]);
    let mut is_news = false;
    for ((index, name, value), is_read) in said.iter().zip(is_read) {
        if is_read {
            continue;
        }
        if let Some(fill) = &mut prepared.scenario.inputs[*index].fills {
            fill.returns = None;
        }
        prepared.scenario.inputs.push(result(name));
        prepared.scenario.notes.push(format!(
            "`{name}` may return anything: if it returned {value}, as its profile says, the program would not use what it reads"
        ));
        is_news = true;
    }
    is_news
}

/// The inputs of which a profile says what they return: their number, function and result.
fn said_by_profiles(scenario: &Scenario) -> Vec<(usize, String, i64)> {
    let inputs = scenario.inputs.iter().enumerate();
    let said = inputs.filter_map(|(index, input)| {
        let Source::Function(name) = &input.source else {
            return None;
        };
        let value = input.fills.as_ref()?.returns?;
        let mut described = scenario.profiles.iter().flat_map(|it| &it.describes);
        described
            .any(|other| other == name)
            .then(|| (index, name.clone(), value))
    });
    said.collect()
}
