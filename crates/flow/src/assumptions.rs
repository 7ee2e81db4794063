//! What the analysis takes for granted: each gap named once.

use std::collections::BTreeSet;

use brownout_ir::{Func, Origin};

use crate::model::Model;

/// What the results are sound except for, one sentence each.
pub fn assumptions(model: &Model<'_>) -> Vec<String> {
    let program = model.program;
    let name = |func: Func| format!("`{}`", program.functions[func].name);
    let mut all = Vec::new();
    let unknown: Vec<String> = model
        .accesses
        .unknown
        .iter()
        .map(|&func| name(func))
        .collect();
    if !unknown.is_empty() {
        all.push(format!(
            "{} no body: taken to touch only what {} given, and to answer the same when asked again",
            counted(&unknown, "has", "have"),
            if unknown.len() == 1 { "it is" } else { "they are" },
        ));
    }
    let gaps: Vec<&str> = model.gaps().collect();
    if !gaps.is_empty() {
        let (shown, more) = gaps.split_at(gaps.len().min(SHOWN));
        let more = match more.len() {
            0 => String::new(),
            more => format!(" and {more} more"),
        };
        all.push(format!("{}{more}: taken to do nothing", shown.join(", ")));
    }
    let sites = |sites: &[crate::contexts::Site]| {
        let funcs: BTreeSet<Func> = sites
            .iter()
            .map(|site| model.func(site.instance))
            .filter(|func| program.functions[*func].origin == Origin::User)
            .collect();
        funcs.into_iter().map(name).collect::<Vec<_>>()
    };
    let unresolved: Vec<String> = calls_unknown_pointers(model)
        .into_iter()
        .map(name)
        .collect();
    if !unresolved.is_empty() {
        all.push(format!(
            "{} through pointers to unknown functions: taken to do nothing",
            counted(&unresolved, "calls", "call"),
        ));
    }
    let lost = sites(&model.accesses.lost);
    if !lost.is_empty() {
        all.push(format!(
            "{} memory through pointers made from numbers: taken to touch nothing else",
            counted(&lost, "accesses", "access"),
        ));
    }
    let recursive: BTreeSet<Func> = model
        .contexts
        .instances
        .iter()
        .filter(|activation| activation.recursive)
        .map(|activation| activation.func)
        .filter(|func| program.functions[*func].origin == Origin::User)
        .collect();
    if !recursive.is_empty() && model.setting.stack {
        let names: Vec<String> = recursive.into_iter().map(name).collect();
        all.push(format!(
            "{} itself: frames of different calls are not told apart",
            counted(&names, "calls", "call"),
        ));
    }
    let parameters = model.points_to.objects.ids().any(|object| {
        let kind = model.points_to.objects.data(object).kind;
        matches!(kind, crate::objects::Kind::Parameter(..))
    });
    if parameters {
        let kind = match model.setting.passed {
            true => "non-volatile",
            false => "volatile",
        };
        all.push(format!(
            "pointers passed by the users of the library point to different objects, in {kind} memory"
        ));
    }
    all
}

/// Functions without a body that the program calls and nobody describes.
pub fn unknown_functions(model: &Model<'_>) -> Vec<Func> {
    model.accesses.unknown.iter().copied().collect()
}

/// The user's functions that call through pointers of which it is not known where they point to.
pub fn calls_unknown_pointers(model: &Model<'_>) -> Vec<Func> {
    let sites = model.flow.unresolved.iter();
    let funcs: BTreeSet<Func> = sites
        .map(|site| model.func(site.instance))
        .filter(|func| model.program.functions[*func].origin == Origin::User)
        .collect();
    funcs.into_iter().collect()
}

/// Those of them that want an answer from there.
pub fn asks_unknown_pointers(model: &Model<'_>) -> Vec<Func> {
    let sites = model.flow.unresolved.iter();
    let funcs: BTreeSet<Func> = sites
        .filter(|site| {
            let body = model.contexts.body(site.instance);
            let block = body.and_then(|body| body.blocks.get(site.at.block));
            let inst = block.and_then(|block| block.insts.get(site.at.index as usize));
            inst.is_some_and(|inst| !inst.results.is_empty())
        })
        .map(|site| model.func(site.instance))
        .filter(|func| model.program.functions[*func].origin == Origin::User)
        .collect();
    funcs.into_iter().collect()
}

/// How many names a sentence has.
const SHOWN: usize = 5;

/// Some names with the verb in the right form.
fn counted(names: &[String], one: &str, many: &str) -> String {
    let verb = if names.len() == 1 { one } else { many };
    match names.len().checked_sub(SHOWN) {
        None | Some(0) => format!("{} {verb}", names.join(", ")),
        Some(more) => format!("{} and {more} more {verb}", names[..SHOWN].join(", ")),
    }
}
