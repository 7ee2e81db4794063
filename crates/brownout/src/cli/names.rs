//! Values with names: shells complete them, and for a slip the nearest is suggested.

use std::ffi::OsStr;

use brownout_diag::Rule;
use brownout_ir::TARGETS;
use brownout_scenario::{Chip, Profile, nearest};
use clap::builder::{PossibleValue, TypedValueParser};

/// What programs are compiled for.
pub(crate) fn targets() -> impl Iterator<Item = &'static str> {
    TARGETS.iter().map(|target| target.name)
}

/// A value with a name: shells complete it, and for a slip the nearest is suggested.
#[derive(Clone, Copy)]
pub(super) struct Named<T: 'static> {
    names: fn() -> Vec<&'static str>,
    /// The value of a name; for one that is not in the list, too, if it can be one.
    value: fn(&str) -> Option<T>,
}

/// Names of rules.
pub(super) const RULE: Named<Rule> = Named {
    names: || Rule::names().collect(),
    value: Rule::from_name,
};

/// Names of targets, or triples; which of these there are is for LLVM to say.
pub(super) const TARGET: Named<String> = Named {
    names: || targets().collect(),
    value: |name| {
        let known = targets().any(|target| target == name) || name.contains('-');
        let far = || nearest(name, targets()).is_none();
        (known || far()).then(|| name.to_owned())
    },
};

/// Names that shells complete and whoever reads them judges.
const fn offered(names: fn() -> Vec<&'static str>) -> Named<String> {
    Named {
        names,
        value: |name| Some(name.to_owned()),
    }
}

pub(super) const POLICY: Named<String> =
    offered(|| vec!["static", "conditional", "reactive", "restart", "tasks"]);
pub(super) const PLACE: Named<String> = offered(|| vec!["none", "loop-latch", "function-return"]);
pub(super) const PAGE: Named<String> = offered(|| Rule::names().collect());
pub(super) const CHIP: Named<String> =
    offered(|| Chip::all().iter().map(|chip| chip.name.as_str()).collect());
pub(super) const PROFILE: Named<String> =
    offered(|| Profile::all().iter().map(|profile| profile.name).collect());
pub(super) const COMMAND: Named<String> = offered(|| {
    vec![
        "check",
        "run",
        "crash",
        "replay",
        "fix",
        "prove",
        "explain",
        "chips",
        "profiles",
        "schema",
        "completions",
        "man",
        "init",
        "dump",
        "ed",
    ]
});

impl<T: Clone + Send + Sync + 'static> TypedValueParser for Named<T> {
    type Value = T;

    fn parse_ref(
        &self,
        command: &clap::Command,
        argument: Option<&clap::Arg>,
        value: &OsStr,
    ) -> Result<T, clap::Error> {
        let name = value.to_string_lossy();
        (self.value)(&name).ok_or_else(|| {
            let names = (self.names)();
            let option = argument
                .map(|argument| argument.to_string())
                .unwrap_or_default();
            let meant = match nearest(&name, names.iter().copied()) {
                Some(nearest) => format!("did you mean `{nearest}`?"),
                None => format!("there are {}", names.join(", ")),
            };
            let text = format!("there is no `{name}` for `{option}`; {meant}\n");
            clap::Error::raw(clap::error::ErrorKind::InvalidValue, text).with_cmd(command)
        })
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        Some(Box::new((self.names)().into_iter().map(PossibleValue::new)))
    }
}
