//! What the input analysis found, in the words of the user.

use std::collections::BTreeMap;

use brownout_diag::{
    Behaviour, Event, Evidence, Finding, InputBehaviour, Related, Rule, Severity, SourcePlace,
};
use brownout_explore::Context;
use brownout_scenario::{Input, Model, Scenario, Source};
use brownout_vm::Image;

use super::readings::{Part, Reading};
use super::tags::Variable;
use super::{Ages, Crossing, Follow, Key, is_reactive};
use crate::wording;

/// All findings, in the order of their places.
pub(super) fn findings(image: &Image, scenario: &Scenario, follow: &Follow<'_>) -> Vec<Finding> {
    let words = Words {
        image,
        scenario,
        follow,
        paths: follow.calls.paths(),
    };
    let mut findings = if is_reactive(scenario) {
        words.reactive().into_iter().collect()
    } else {
        let mut findings = words.stale();
        findings.extend(words.disagreements());
        findings.extend(words.never_old());
        findings
    };
    findings.sort_by(|a, b| (a.order(), &a.message).cmp(&(b.order(), &b.message)));
    findings
}

/// How inputs behave that nobody has tagged.
pub(super) fn behaviours(
    image: &Image,
    scenario: &Scenario,
    follow: &Follow<'_>,
) -> Vec<InputBehaviour> {
    let reactive = is_reactive(scenario);
    let behaviour = |(index, input): (usize, &Input)| {
        let uses = || {
            let uses = follow.uses.iter();
            uses.filter(move |(key, _)| key.input as usize == index)
        };
        let here = |ages: &Ages| ages.here && !reactive;
        let later = |ages: &Ages| ages.later.is_some() || ages.here && reactive;
        let places = |wanted: &dyn Fn(&Ages) -> bool| {
            let mut places: Vec<SourcePlace> = uses()
                .filter(|(_, ages)| wanted(ages))
                .filter_map(|(key, _)| wording::place(image, key.used))
                .collect();
            places.sort();
            places.dedup();
            places
        };
        let any = |wanted: &dyn Fn(&Ages) -> bool| uses().any(|(_, ages)| wanted(ages));
        InputBehaviour {
            input: input.source.name().to_owned(),
            behaviour: match (any(&here), any(&later)) {
                (false, false) => Behaviour::Unused,
                (true, false) => Behaviour::MostRecent,
                (false, true) => Behaviour::LongTerm,
                (true, true) => Behaviour::Both,
            },
            here: places(&here),
            later: places(&later),
        }
    };
    let inputs = scenario.inputs.iter().enumerate();
    inputs
        // Whether a transfer succeeded is nothing that could age.
        .filter(|(_, input)| !matches!(input.source, Source::Result { .. }))
        .filter(|(index, input)| input.model.is_none() && follow.read.contains(&(*index as u32)))
        .map(behaviour)
        .collect()
}

/// What findings are worded from.
struct Words<'a> {
    image: &'a Image,
    scenario: &'a Scenario,
    follow: &'a Follow<'a>,
    paths: Vec<Vec<brownout_ir::Func>>,
}

impl Words<'_> {
    fn place(&self, pc: u32, calls: Context) -> Option<SourcePlace> {
        let functions = &self.image.program().functions;
        let path = self.paths.get(calls.index());
        let stack = path.into_iter().flatten();
        wording::place(self.image, pc).map(|place| SourcePlace {
            stack: stack.map(|&func| functions[func].name.clone()).collect(),
            ..place
        })
    }

    fn input_name(&self, input: u32) -> &str {
        let input = self.scenario.inputs.get(input as usize);
        input.map_or("", |input| input.source.name())
    }

    fn variable_name(&self, variable: Variable) -> Option<String> {
        let object = self.follow.tags.object(variable);
        let size = self.follow.objects.size(object)?;
        Some(self.follow.objects.name(brownout_explore::Part {
            object,
            start: 0,
            end: size,
        }))
    }

    /// How the data of a use may age, by its variable or by its input.
    fn model(&self, key: &Key) -> Option<Model> {
        let tags = &self.follow.tags;
        let variable = key
            .variable
            .and_then(|variable| tags.variable_model(variable));
        variable.or_else(|| tags.input_model(key.input))
    }

    /// What is most-recent by its tag, and is used later: one finding per pair of places.
    fn stale(&self) -> Vec<Finding> {
        let follow = self.follow;
        let mut findings: Vec<Finding> = Vec::new();
        for (key, ages) in &follow.uses {
            let (Some(Model::MostRecent), Some(crossing)) = (self.model(key), &ages.later) else {
                continue;
            };
            let finding = self.crossing(key, crossing);
            let same = |known: &Finding| known.identity() == finding.identity();
            if !findings.iter().any(same) {
                findings.push(finding);
            }
        }
        findings
    }

    fn crossing(&self, key: &Key, crossing: &Crossing) -> Finding {
        let input = self.input_name(key.input);
        let commits = match crossing.commits {
            1 => "1 commit".to_owned(),
            count => format!("{count} commits"),
        };
        let message = match key
            .variable
            .and_then(|variable| self.variable_name(variable))
        {
            Some(name) => format!(
                "`{name}` holds a reading of `{input}` that is {commits} old, and must be most recent"
            ),
            None => {
                format!(
                    "a reading of `{input}` is {commits} old when it is used, and must be most recent"
                )
            }
        };
        let mut finding = Finding::new(Rule::StaleInput, Evidence::Located, message);
        finding.consumer = self.place(key.used, crossing.use_calls);
        finding.producer = self.place(key.read, crossing.read_calls);
        finding.inputs = finding.producer.iter().cloned().collect();
        finding.related = crossing
            .places
            .iter()
            .filter_map(|&pc| wording::place(self.image, pc))
            .map(|place| Related {
                event: Event::Other("commit between reading and use".to_owned()),
                place,
            })
            .collect();
        finding.help = vec![format!(
            "read `{input}` again after the checkpoint, or use it before"
        )];
        finding
    }

    /// Readings of one set that are of different power cycles.
    fn disagreements(&self) -> Vec<Finding> {
        let follow = self.follow;
        let disagreement = |(&(set, used), parts): (&(u32, u32), &Vec<Part>)| {
            let group = self.scenario.consistent.get(set as usize);
            let names = group.map_or_else(String::new, |names| names.join("`, `"));
            let message =
                format!("readings of different power cycles are used together: `{names}`");
            let mut finding = Finding::new(Rule::StaleInput, Evidence::Located, message);
            finding.consumer = wording::place(self.image, used);
            let oldest = parts.iter().map(|part| part.oldest).min();
            finding.producer = oldest.and_then(|reading| self.place(reading.pc, reading.calls));
            let mut readings: Vec<Reading> = parts
                .iter()
                .flat_map(|part| [Some(part.oldest), part.later])
                .flatten()
                .collect();
            readings.sort_unstable();
            readings.dedup();
            for reading in &readings {
                let Some(place) = self.place(reading.pc, reading.calls) else {
                    continue;
                };
                if Some(reading) != oldest.as_ref() {
                    let label = match reading.clock - oldest.map_or(0, |oldest| oldest.clock) {
                        0 => "read in the same power cycle".to_owned(),
                        1 => "read 1 commit later".to_owned(),
                        count => format!("read {count} commits later"),
                    };
                    let place = place.clone();
                    let event = Event::Other(label);
                    finding.related.push(Related { event, place });
                }
                finding.inputs.push(place);
            }
            finding.help = vec!["read all of them between the same two checkpoints".to_owned()];
            finding
        };
        follow.disagreements.iter().map(disagreement).collect()
    }

    /// What may be old by its tag, and never is.
    fn never_old(&self) -> Vec<Finding> {
        #[derive(PartialEq, Eq, PartialOrd, Ord)]
        enum Tagged {
            Input(u32),
            Variable(Variable),
        }
        let follow = self.follow;
        let mut uses: BTreeMap<Tagged, (bool, Key)> = BTreeMap::new();
        for (key, ages) in &follow.uses {
            let tags = &follow.tags;
            let tagged = key.variable.filter(|&v| tags.variable_model(v).is_some());
            if self.model(key) != Some(Model::LongTerm) {
                continue;
            }
            let tagged = tagged.map_or(Tagged::Input(key.input), Tagged::Variable);
            let known = uses.entry(tagged).or_insert((false, *key));
            known.0 |= ages.later.is_some();
        }
        let never = uses.into_iter().filter(|(_, (later, _))| !later);
        never
            .map(|(tagged, (_, key))| {
                let name = match tagged {
                    Tagged::Input(input) => self.input_name(input).to_owned(),
                    Tagged::Variable(variable) => self.variable_name(variable).unwrap_or_default(),
                };
                let message = format!(
                    "`{name}` is long-term, and is only used in the power cycle of its reading"
                );
                let mut finding = Finding::new(Rule::StaleInput, Evidence::Located, message);
                finding.severity = Severity::Note;
                finding.consumer = wording::place(self.image, key.used);
                finding.producer = wording::place(self.image, key.read);
                finding
            })
            .collect()
    }

    /// With checkpoints anywhere nothing is most-recent: one statement.
    fn reactive(&self) -> Option<Finding> {
        let mut names: Vec<String> = Vec::new();
        let mut first = None;
        for key in self.follow.uses.keys() {
            if self.model(key) != Some(Model::MostRecent) {
                continue;
            }
            first.get_or_insert(key);
            let name = key
                .variable
                .and_then(|variable| self.variable_name(variable));
            let name = name.unwrap_or_else(|| self.input_name(key.input).to_owned());
            if !names.contains(&name) {
                names.push(name);
            }
        }
        let first = first?;
        let message = format!(
            "under the reactive policy every input behaves long-term, but `{}` must be most recent",
            names.join("`, `")
        );
        let mut finding = Finding::new(Rule::StaleInput, Evidence::Located, message);
        finding.consumer = wording::place(self.image, first.used);
        finding.producer = wording::place(self.image, first.read);
        finding.help = vec![
            "read it again before every decision, or choose where checkpoints commit".to_owned(),
        ];
        Some(finding)
    }
}
