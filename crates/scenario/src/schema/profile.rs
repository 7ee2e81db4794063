//! Which profiles there are, and the keys of one.

use super::{Texts, commits, handlers, harmless, world};
use crate::error::Problem;
use crate::profiles::{self, Profile, Read};
use crate::read::Fields;
use crate::reference::{Key, key};
use crate::suggest::nearest;

/// The profiles that a configuration names.
pub(super) fn names(fields: &mut Fields<'_, '_, '_>, names: &mut Texts) {
    const PROFILE: Key = key(
        "profile",
        "What the functions of libraries and kernels are: profiles by name (`brownout profiles` lists them), or files `*.toml` of your own beside this one.",
    );
    fields.parsed_texts(PROFILE, Some(profiles::FORM), names, |text| {
        match profiles::is_file(text) || Profile::named(text).is_some() {
            true => Ok(text.to_owned()),
            false => Err(Problem::NotOneOf {
                found: text.to_owned(),
                allowed: profiles::NAMES,
                nearest: nearest(text, profiles::NAMES.iter().copied()),
            }),
        }
    });
}

/// Reads a whole profile: what it is about, and those keys of a configuration that describe functions.
pub(crate) fn profile(fields: &mut Fields<'_, '_, '_>, profile: &mut Read) {
    let settings = &mut profile.settings;
    let about = key("about", "What the profile describes.");
    fields.text(about, &mut profile.about);
    let marks = key(
        "marks",
        "Names by which `brownout init` recognises that a program needs the profile. Globs are allowed.",
    );
    fields.texts(marks.default("all that it describes"), &mut profile.marks);
    harmless(fields, settings);
    fields.section(key("power", "What commits."), |fields| {
        commits(fields, &mut settings.power);
    });
    world(fields, settings);
    handlers(fields, settings);
}
