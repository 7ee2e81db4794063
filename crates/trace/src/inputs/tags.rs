//! What the scenario says about inputs and about the variables that hold their data.

use brownout_explore::Object;
use brownout_ir::Program;
use brownout_scenario::{Model, Scenario};

use super::readings::Subject;

/// A variable that the scenario speaks of, by number.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) struct Variable(pub(super) u32);

/// What is said about such a variable.
#[derive(Clone, Debug)]
pub(super) struct Tagged {
    pub(super) object: Object,
    /// How the data that it holds may age.
    pub(super) model: Option<Model>,
    /// The members of agreements that it is.
    agreements: Vec<Subject>,
}

/// What the scenario says.
#[derive(Clone, Debug)]
pub(super) struct Tags {
    /// How the data of each input may age.
    models: Vec<Option<Model>>,
    /// What is judged about a reading of each input.
    subjects: Vec<Vec<Subject>>,
    variables: Vec<Tagged>,
}

impl Tags {
    pub(super) fn new(program: &Program, scenario: &Scenario) -> Self {
        let inputs = &scenario.inputs;
        let mut tags = Self {
            models: inputs.iter().map(|input| input.model).collect(),
            subjects: (0..inputs.len() as u32)
                .map(|input| vec![Subject::Age(input)])
                .collect(),
            variables: Vec::new(),
        };
        for variable in scenario.variables.iter().filter(|v| v.model.is_some()) {
            if let Some(object) = Object::named(program, &variable.name) {
                tags.variables.push(Tagged {
                    object,
                    model: variable.model,
                    agreements: Vec::new(),
                });
            }
        }
        for (number, names) in (0..).zip(&scenario.consistent) {
            for (member, name) in (0..).zip(names) {
                let subject = Subject::Agreement { number, member };
                let input = inputs.iter().position(|input| input.source.name() == name);
                let agreements = match input {
                    Some(input) => Some(&mut tags.subjects[input]),
                    None => tags.agreements(program, name),
                };
                // A name that is given twice is one member.
                if let Some(agreements) = agreements
                    && agreements.last().and_then(|last| last.agreement()) != Some(number)
                {
                    agreements.push(subject);
                }
            }
        }
        if tags
            .variables
            .iter()
            .any(|tagged| !tagged.agreements.is_empty())
        {
            let subjects = tags.subjects.iter_mut();
            subjects.for_each(|subjects| subjects.push(Subject::Everything));
        }
        tags
    }

    /// The members of agreements that a variable is, by its name.
    fn agreements(&mut self, program: &Program, name: &str) -> Option<&mut Vec<Subject>> {
        let object = Object::named(program, name)?;
        let known = self
            .variables
            .iter()
            .position(|tagged| tagged.object == object);
        let index = known.unwrap_or_else(|| {
            self.variables.push(Tagged {
                object,
                model: None,
                agreements: Vec::new(),
            });
            self.variables.len() - 1
        });
        Some(&mut self.variables[index].agreements)
    }

    /// How the data of an input may age.
    pub(super) fn input_model(&self, input: u32) -> Option<Model> {
        self.models.get(input as usize).copied().flatten()
    }

    /// What is judged about a reading of an input, sorted.
    pub(super) fn subjects(&self, input: u32) -> &[Subject] {
        self.subjects.get(input as usize).map_or(&[], Vec::as_slice)
    }

    /// The variables that the scenario speaks of.
    pub(super) fn variables(&self) -> impl Iterator<Item = (Variable, &Tagged)> {
        (0..).map(Variable).zip(&self.variables)
    }

    /// The object that a variable is.
    pub(super) fn object(&self, variable: Variable) -> Object {
        self.variables[variable.0 as usize].object
    }

    /// How the data that a variable holds may age.
    pub(super) fn variable_model(&self, variable: Variable) -> Option<Model> {
        self.variables[variable.0 as usize].model
    }

    /// The members of agreements that a variable is, sorted.
    pub(super) fn variable_agreements(&self, variable: Variable) -> &[Subject] {
        &self.variables[variable.0 as usize].agreements
    }
}
