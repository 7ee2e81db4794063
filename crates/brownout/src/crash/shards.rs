//! What shards found, as files: `--shard I/N --store DIR` writes one, `--merge --store DIR` reads all.
//!
//! **Invariant**: parts are put together only if they are of the same program, the same settings and
//! the same version, and if none is missing.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};

use brownout_crash::{Coverage, Gathered, Group, Memo, Monitor, Request, Shard, Shortfall};
use brownout_vm::Image;
use serde_json::{Value, json};

use crate::console;
use crate::error::Error;

/// What a shard and the one that merges have to agree on.
fn fingerprint(image: &Image, request: &Request) -> String {
    let request = Request {
        shard: None,
        jobs: 1,
        memory: 0,
        memo: Memo::On,
        ..request.clone()
    };
    let mut hasher = DefaultHasher::new();
    image.program().to_string().hash(&mut hasher);
    format!("{request:?}").hash(&mut hasher);
    format!("{}-{:016x}", env!("CARGO_PKG_VERSION"), hasher.finish())
}

fn file(folder: &Path, index: u32, count: u32) -> PathBuf {
    folder.join(format!("shard-{}-of-{count}.json", index + 1))
}

/// Writes what one shard found.
pub(super) fn write(
    folder: &Path,
    shard: Shard,
    image: &Image,
    request: &Request,
    gathered: &Gathered,
) -> Result<(), Error> {
    let wrong = |error| Error::File {
        path: folder.to_owned(),
        error,
    };
    std::fs::create_dir_all(folder).map_err(wrong)?;
    let groups: Vec<Value> = gathered.groups.iter().map(group).collect();
    let document = json!({
        "format": 1,
        "program": fingerprint(image, request),
        "shard": shard.index + 1,
        "of": shard.count,
        "coverage": coverage(&gathered.coverage),
        "groups": groups,
    });
    let path = file(folder, shard.index, shard.count);
    // Never half of it under this name: somebody may be merging.
    let unfinished = path.with_extension("part");
    console::result(Some(&unfinished), |out| writeln!(out, "{document:#}"))?;
    std::fs::rename(&unfinished, &path).map_err(wrong)
}

fn group(group: &Group) -> Value {
    let (failures, workload, boot, operation, cut) = group.order;
    json!({
        "id": group.id.to_string(),
        "states": group.states,
        "order": [failures, workload, boot, operation, cut],
        "paths": group.paths,
    })
}

fn coverage(coverage: &Coverage) -> Value {
    let shortfalls = coverage.shortfalls.iter().map(|shortfall| match shortfall {
        Shortfall::Interrupted => json!(["interrupted", 0, 0]),
        Shortfall::Memory => json!(["memory", 0, 0]),
        Shortfall::Silent => json!(["silent", 0, 0]),
        Shortfall::Undecided { boots, limit } => json!(["undecided", boots, limit]),
        Shortfall::Sampled { operations } => json!(["sampled", operations, 0]),
    });
    json!({
        "states": coverage.states,
        "booted": coverage.booted,
        "derived": coverage.derived,
        "repeated": coverage.repeated,
        "left": coverage.left,
        "moved": coverage.moved,
        "complete": coverage.complete,
        "closed": coverage.closed,
        "deepest": coverage.deepest,
        "operations": coverage.operations,
        "workloads": coverage.workloads,
        "instructions": coverage.instructions,
        "passed": coverage.passed,
        "shortfalls": shortfalls.collect::<Vec<_>>(),
    })
}

/// Reads what all shards found, and puts it together.
pub(super) fn merge(
    folder: &Path,
    image: &Image,
    request: &Request,
    monitor: &dyn Monitor,
) -> Result<Gathered, Error> {
    let wrong = |problem: String| Error::Shards {
        path: folder.to_owned(),
        problem,
    };
    let count = count(folder).map_err(wrong)?;
    let program = fingerprint(image, request);
    let mut all: Option<Gathered> = None;
    for index in 0..count {
        let path = file(folder, index, count);
        let text = std::fs::read_to_string(&path)
            .map_err(|_| wrong(format!("lacks shard {} of {count}", index + 1)))?;
        let value: Value = serde_json::from_str(&text).unwrap_or_default();
        if value["program"] != program {
            return Err(wrong(format!(
                "has a shard {} of another program, or of other settings",
                index + 1
            )));
        }
        let part = part(&value, image, request, monitor);
        let part = part.ok_or_else(|| wrong(format!("has a damaged shard {}", index + 1)))?;
        all = Some(match all {
            None => part,
            Some(before) => before.and(part),
        });
    }
    all.ok_or_else(|| wrong("has no shards".to_owned()))
}

/// How many shards there are to be: files say it.
fn count(folder: &Path) -> Result<u32, String> {
    let entries = std::fs::read_dir(folder).map_err(|error| format!("cannot be read: {error}"))?;
    let mut counts: Vec<u32> = entries
        .filter_map(|entry| {
            let name = entry.ok()?.file_name().into_string().ok()?;
            let name = name.strip_prefix("shard-")?.strip_suffix(".json")?;
            name.split_once("-of-")?.1.parse().ok()
        })
        .collect();
    counts.sort_unstable();
    counts.dedup();
    match counts[..] {
        [count] => Ok(count),
        [] => Err("has no shards".to_owned()),
        _ => Err(format!("has shards of {} and of {}", counts[0], counts[1])),
    }
}

/// What a shard found; nothing if this is not how one writes it.
fn part(
    value: &Value,
    image: &Image,
    request: &Request,
    monitor: &dyn Monitor,
) -> Option<Gathered> {
    let undisturbed = brownout_crash::replay(image, request, &"b1".parse().ok()?, monitor).ok()?;
    let groups = value["groups"].as_array()?.iter();
    let groups = groups.map(|group| {
        let id: brownout_diag::CrashId = group["id"].as_str()?.parse().ok()?;
        let followed = brownout_crash::replay(image, request, &id, monitor).ok()?;
        let order: Vec<u64> = numbers(&group["order"])?;
        let small = |index: usize| u32::try_from(*order.get(index)?).ok();
        let paths = group["paths"].as_array()?.iter().map(|path| {
            let calls = path.as_array()?.iter();
            let calls = calls.map(|call| {
                let pair = numbers(call)?;
                let one = |index: usize| u32::try_from(*pair.get(index)?).ok();
                Some((one(0)?, one(1)?))
            });
            calls.collect::<Option<Vec<(u32, u32)>>>()
        });
        Some(Group {
            paths: paths.collect::<Option<_>>()?,
            states: group["states"].as_u64()?,
            order: (small(0)?, *order.get(1)?, small(2)?, small(3)?, small(4)?),
            assertion: followed.boots.last()?.broken.clone()?,
            id,
        })
    });
    Some(Gathered {
        undisturbed: undisturbed.boots.last()?.end.clone(),
        groups: groups.collect::<Option<_>>()?,
        coverage: read_coverage(&value["coverage"], request)?,
    })
}

fn numbers(value: &Value) -> Option<Vec<u64>> {
    value.as_array()?.iter().map(Value::as_u64).collect()
}

fn read_coverage(value: &Value, request: &Request) -> Option<Coverage> {
    let shortfalls = value["shortfalls"].as_array()?.iter().map(|shortfall| {
        let number = |index: usize| shortfall[index].as_u64();
        Some(match shortfall[0].as_str()? {
            "interrupted" => Shortfall::Interrupted,
            "memory" => Shortfall::Memory,
            "silent" => Shortfall::Silent,
            "undecided" => Shortfall::Undecided {
                boots: number(1)?,
                limit: number(2)?,
            },
            "sampled" => Shortfall::Sampled {
                operations: number(1)?,
            },
            _ => return None,
        })
    });
    let number = |key: &str| value[key].as_u64();
    Some(Coverage {
        failures: request.failures,
        states: number("states")?,
        booted: number("booted")?,
        derived: number("derived")?,
        repeated: number("repeated")?,
        left: number("left")?,
        moved: number("moved")?,
        complete: value["complete"].as_bool()?,
        closed: value["closed"].as_bool()?,
        deepest: u32::try_from(number("deepest")?).ok()?,
        operations: number("operations")?,
        workloads: number("workloads"),
        instructions: number("instructions")?,
        passed: (numbers(&value["passed"])?.into_iter())
            .map(|pc| u32::try_from(pc).ok())
            .collect::<Option<_>>()?,
        shortfalls: shortfalls.collect::<Option<_>>()?,
        ..Coverage::default()
    })
}
