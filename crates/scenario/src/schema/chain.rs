//! Programs that run one after the other in a boot: a bootloader and what it starts.

use super::{Text, Texts};
use crate::read::Fields;
use crate::reference::{Key, key};

#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct ChainSettings {
    pub(crate) name: Text,
    pub(crate) sources: Texts,
    pub(crate) entry: Text,
    pub(crate) start: Text,
}

pub(super) fn chain(fields: &mut Fields<'_, '_, '_>, chain: &mut ChainSettings) {
    const NAME: Key = key(
        "name",
        "What to call the program: its functions and variables are `name.symbol` in messages and in this file.",
    );
    const START: Key = key(
        "start",
        "The function of an earlier program that starts this one; its own body is not executed.",
    );
    fields.text(NAME, &mut chain.name);
    let sources = key("sources", "Its files, beside this one.");
    fields.texts(sources, &mut chain.sources);
    let entry = key("entry", "The function where it starts.");
    fields.text(entry.default("`main`"), &mut chain.entry);
    fields.text(START, &mut chain.start);
    fields.require(&["name", "sources", "start"]);
}
