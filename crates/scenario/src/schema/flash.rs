//! Flash parts, and what is explored of their power failures.

use super::{Text, bad_form};
use crate::argument::ArgumentExpression;
use crate::error::Problem;
use crate::flash::{EraseTear, Oracle, Order, Programming, Reprogram, Tear};
use crate::read::{Choice, Fields, Located};
use crate::reference::{Key, key};

#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct FlashSettings {
    pub(crate) object: Text,
    pub(crate) image: Text,
    pub(crate) erase_block: Option<Located<u32>>,
    pub(crate) program_unit: Option<Located<u32>>,
    pub(crate) erased: Option<Located<u8>>,
    pub(crate) programming: Option<Located<Programming>>,
    pub(crate) reprogram: Option<Located<Reprogram>>,
    pub(crate) tear: Option<Located<Tear>>,
    pub(crate) erase_tear: Option<Located<EraseTear>>,
    pub(crate) order: Option<Located<Order>>,
    pub(crate) program: CallSettings,
    pub(crate) erase: CallSettings,
    pub(crate) read: CallSettings,
    pub(crate) sync: Text,
}

/// A function that does something to the part.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct CallSettings {
    pub(crate) name: Text,
    pub(crate) address: Option<Located<ArgumentExpression>>,
    pub(crate) data: Option<Located<ArgumentExpression>>,
    pub(crate) value: Option<Located<ArgumentExpression>>,
    pub(crate) length: Option<Located<ArgumentExpression>>,
    pub(crate) returns: Option<Located<ArgumentExpression>>,
}

#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct ExploreSettings {
    pub(crate) failures: Option<Located<Option<u32>>>,
    pub(crate) from: Text,
    pub(crate) until: Text,
    pub(crate) workload: Option<Located<u32>>,
    pub(crate) oracle: Option<Located<Oracle>>,
    pub(crate) operations: Option<Vec<Located<String>>>,
}

impl Choice for Programming {
    const NAMES: &'static [&'static str] = &["and", "overwrite"];
    const VALUES: &'static [Self] = &[Self::And, Self::Overwrite];
}

impl Choice for Reprogram {
    const NAMES: &'static [&'static str] = &["error", "allow"];
    const VALUES: &'static [Self] = &[Self::Error, Self::Allow];
}

impl Choice for Tear {
    const NAMES: &'static [&'static str] = &["none", "prefix", "any-unit", "bits"];
    const VALUES: &'static [Self] = &[Self::None, Self::Prefix, Self::AnyUnit, Self::Bits];
}

impl Choice for EraseTear {
    const NAMES: &'static [&'static str] = &["none", "prefix", "garbage"];
    const VALUES: &'static [Self] = &[Self::None, Self::Prefix, Self::Garbage];
}

impl Choice for Oracle {
    const NAMES: &'static [&'static str] = &["none", "atomic"];
    const VALUES: &'static [Self] = &[Self::None, Self::Atomic];
}

impl Choice for Order {
    const NAMES: &'static [&'static str] = &["strict", "until-sync"];
    const VALUES: &'static [Self] = &[Self::Strict, Self::UntilSync];
}

/// No workload is longer; more is a slip.
const LONGEST_WORKLOAD: i64 = 64;

/// No part has larger blocks or units; more is a slip.
const LARGEST_BLOCK: i64 = 1 << 26;

pub(super) fn flash(fields: &mut Fields<'_, '_, '_>, flash: &mut FlashSettings) {
    const IMAGE: Key = key(
        "image",
        "A file beside `brownout.toml` with the contents at the start, as far as it goes.",
    )
    .default("what the object is initialised with; erased if that is nothing");
    const REPROGRAM: Key = key(
        "reprogram",
        "Whether the program may program units that are not erased.",
    )
    .default("`error`; `allow` with `program = \"overwrite\"`");
    const TEAR: Key = key(
        "tear",
        "What an interrupted program operation leaves: all or nothing, some first units, any of the units, or besides one unit with any of its bits.",
    )
    .default("`prefix`");
    const ERASE_TEAR: Key = key(
        "erase-tear",
        "What an interrupted erase operation leaves: whole blocks, some first quarters of a block, or besides old, erased and half erased contents side by side.",
    )
    .default("`prefix`");
    const ORDER: Key = key(
        "order",
        "Whether an operation begins when the one before it is done, or any since the last call of `sync-function` can be missing. Those on one erase block stay in order; on a part that is not erased, those on one program unit.",
    )
    .default("`strict`");
    let object = key("object", "The array that stands for the part.");
    fields.text(object, &mut flash.object);
    fields.text(IMAGE, &mut flash.image);
    let block = key("erase-block", "Bytes that are erased at once.").default("all of the object");
    fields.integer(block, 1..=LARGEST_BLOCK, &mut flash.erase_block);
    let unit = key("program-unit", "Bytes that are programmed at once.").default("1");
    fields.integer(unit, 1..=LARGEST_BLOCK, &mut flash.program_unit);
    let erased = key("erased", "What an erased byte holds.").default("255");
    fields.integer(erased, 0..=255, &mut flash.erased);
    let programming = key(
        "program",
        "Whether programming moves bits away from what an erased byte holds and never back, or replaces what was there.",
    );
    fields.choice(programming.default("`and`"), &mut flash.programming);
    fields.choice(REPROGRAM, &mut flash.reprogram);
    fields.choice(TEAR, &mut flash.tear);
    fields.choice(ERASE_TEAR, &mut flash.erase_tear);
    fields.choice(ORDER, &mut flash.order);
    let sync = key(
        "sync-function",
        "The function that waits until all operations are done.",
    );
    fields.text(sync, &mut flash.sync);
    let program = key(
        "program-function",
        "The function that programs the part, in place of its own body.",
    );
    call(fields, program, &mut flash.program);
    let erase = key(
        "erase-function",
        "The function that erases blocks of the part, in place of its own body.",
    );
    call(fields, erase, &mut flash.erase);
    let read = key(
        "read-function",
        "The function that reads the part, in place of its own body.",
    );
    call(fields, read, &mut flash.read);
    fields.require(&["object"]);
    fields.needs("sync-function", &["order"]);
}

fn call(fields: &mut Fields<'_, '_, '_>, table: Key, call: &mut CallSettings) {
    fields.section(table, |fields| {
        let name = key("name", "The name of the function.");
        fields.text(name, &mut call.name);
        let address = key(
            "address",
            "Where, in terms of its arguments: an offset in the object, or a pointer into it, such as `arg1 * 512 + arg2` or `arg0->base + arg1`.",
        );
        operand(fields, address.default("`arg0`"), &mut call.address);
        let data = key(
            "data",
            "The pointer to the data, or to where they go; not for `erase-function`.",
        );
        operand(fields, data.default("`arg1`"), &mut call.data);
        if table.name == "program-function" {
            let value = key(
                "value",
                "What is programmed, where the function gets that itself instead of a pointer to it.",
            );
            operand(fields, value, &mut call.value);
            fields.at_most_one(&["data", "value"]);
        }
        let length = key("length", "How many bytes.");
        let default = "`arg2`; for `erase-function`, one block; with `value`, one unit";
        operand(fields, length.default(default), &mut call.length);
        let returns = key(
            "returns",
            "What the function returns: a number, or an expression over its arguments such as `arg2`, the length.",
        );
        fields.integer_or_text(
            returns.default("0"),
            &mut call.returns,
            ArgumentExpression::number,
            expression,
        );
    });
    let given = [
        &call.address,
        &call.data,
        &call.value,
        &call.length,
        &call.returns,
    ];
    let first = given.into_iter().flatten().map(|operand| operand.place);
    if let (None, Some(place)) = (&call.name, first.min()) {
        let problem = Problem::Missing {
            wanted: "`name`".to_owned(),
        };
        fields.report(table.name, place, problem);
    }
}

fn operand(
    fields: &mut Fields<'_, '_, '_>,
    key: Key,
    slot: &mut Option<Located<ArgumentExpression>>,
) {
    fields.parsed(key, None, slot, expression);
}

fn expression(text: &str) -> Result<ArgumentExpression, Problem> {
    ArgumentExpression::parse(text).map_err(|problem| Problem::BadExpression {
        found: text.to_owned(),
        problem,
    })
}

pub(super) fn explore(fields: &mut Fields<'_, '_, '_>, explore: &mut ExploreSettings) {
    const FORM: &str = r"^[\s\S]+:[0-9]+$";
    let failures = key(
        "failures",
        "How many power failures in a row are explored; `\"all\"`: any number.",
    );
    let range = 0..=i64::from(u32::MAX);
    fields.integer_or_word(failures.default("2"), range, "all", &mut explore.failures);
    let from = key(
        "from",
        "`file:line`: power does not fail before the program has come here once.",
    );
    fields.parsed(from, Some(FORM), &mut explore.from, line);
    let until = key("until", "`file:line`: a boot that comes here is done.");
    fields.parsed(until, Some(FORM), &mut explore.until, line);
    let workload = key(
        "workload",
        "How many readings of each input are varied: all combinations of its `values` or of its `range` are workloads, and each is explored.",
    );
    fields.integer(
        workload.default("0"),
        0..=LONGEST_WORKLOAD,
        &mut explore.workload,
    );
    let oracle = key(
        "oracle",
        "What judges boots beside assertions: `atomic` wants operations of the program to be done or not done, by what the next boot prints and outputs.",
    );
    fields.choice(oracle.default("`none`"), &mut explore.oracle);
    let operations = key(
        "operations",
        "With `oracle`: the functions whose calls are operations of the program.",
    );
    fields.texts(
        operations.default("what the entry calls"),
        &mut explore.operations,
    );
}

fn line(text: &str) -> Result<String, Problem> {
    let is_line = text.rsplit_once(':').is_some_and(|(file, line)| {
        !file.is_empty() && !line.is_empty() && line.bytes().all(|digit| digit.is_ascii_digit())
    });
    match is_line {
        true => Ok(text.to_owned()),
        false => Err(bad_form(text, "a line such as `main.c:40`")),
    }
}

/// One element of `memory.ghost`.
pub(super) fn ghost(text: &str) -> Result<String, Problem> {
    match text.strip_prefix("symbol:") {
        Some(symbol) if !symbol.is_empty() => Ok(symbol.to_owned()),
        _ => Err(bad_form(text, "`symbol:GLOB`")),
    }
}
