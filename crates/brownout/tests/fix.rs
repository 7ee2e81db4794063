//! What `brownout fix --print` suggests, applied, is enough: `check --static` is silent afterwards.
//!
//! The programs are those of `tests/ui` that fail. A suggestion has two forms, configuration and
//! a patch of the source; each is applied alone. Where a program cannot be repaired by saving, the
//! tool says so, and the program does not count.

use std::fmt::Write;
use std::fs;
use std::path::Path;
use std::time::Duration;

use brownout_testkit::{Ended, Error, Scratch, Tool, execute};
use serde_json::Value;

/// Long enough for every case, on a busy machine.
const LIMIT: Duration = Duration::from_secs(120);
/// The rules that saving is an answer to.
const RULES: [&str; 3] = ["war", "repeated-input", "tainted-address"];
/// A program of `tests/ui`, with what its comments say about it.
#[derive(Clone, Debug)]
struct Program {
    name: String,
    text: String,
    options: Vec<String>,
    flags: Vec<String>,
    config: String,
}

impl Program {
    fn read(path: &Path) -> Result<Self, Error> {
        let text = fs::read_to_string(path).map_err(|error| Error::file(path, error))?;
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let (mut options, mut flags) = (Vec::new(), Vec::new());
        let mut config = String::new();
        for line in text.lines().filter_map(|line| line.strip_prefix("//@ ")) {
            let Some((key, value)) = line.split_once(':') else {
                continue;
            };
            let value = value.strip_prefix(' ').unwrap_or(value);
            let words = value.split_whitespace().map(str::to_owned);
            let mut set = |key: &str| options.extend(["--set".to_owned(), format!("{key}{value}")]);
            match key {
                "nv" => set("memory.nonvolatile="),
                "policy" => set("power.policy="),
                "depth" => set("power.execution-depth="),
                "target" => set("target="),
                "set" => set(""),
                "args" => options.extend(words.filter(|word| word != "--static")),
                "flags" => flags.extend(words),
                "config" => config.extend([value, "\n"]),
                _ => {}
            }
        }
        Ok(Self {
            name: name.into_owned(),
            text,
            options,
            flags,
            config,
        })
    }

    fn run(&self, command: &[&str]) -> Result<Ended, Error> {
        let scratch = Scratch::new(Path::new(env!("CARGO_TARGET_TMPDIR")))?;
        let source = scratch.file(&self.name, &self.text)?;
        let mut tool = Tool::new(env!("CARGO_BIN_EXE_brownout")).command(command.iter().copied());
        tool.current_dir(source.parent().unwrap_or(Path::new(".")));
        tool.args(&self.options);
        if !self.config.is_empty() {
            scratch.file("brownout.toml", &self.config)?;
        }
        tool.arg(&self.name).arg("--").args(&self.flags);
        execute(&mut tool, LIMIT)
    }

    /// The program with each form of what is suggested: configuration, and a patch if there is one.
    fn repaired(&self, suggestion: &str) -> Result<Vec<(&'static str, Self)>, Error> {
        let at = suggestion.find("--- ").unwrap_or(suggestion.len());
        let (configuration, patch) = suggestion.split_at(at);
        let configured = Self {
            config: format!("{}\n{configuration}", self.config),
            ..self.clone()
        };
        let mut forms = vec![("configuration", configured)];
        if !patch.is_empty() {
            let changed = Self {
                text: patched(&self.name, &self.text, patch)?,
                ..self.clone()
            };
            forms.push(("patch", changed));
        }
        Ok(forms)
    }

    /// The findings of static analysis that saving is an answer to.
    fn findings(&self) -> Result<Vec<String>, Error> {
        let ended = self.run(&["check", "--static", "--format", "json"])?;
        let document: Value =
            serde_json::from_slice(&ended.stdout).map_err(|_| Error::NotAReport {
                command: format!("check --static {}", self.name),
                printed: ended.stderr.clone(),
            })?;
        let all = document["findings"].as_array().cloned().unwrap_or_default();
        let counts = |finding: &&Value| RULES.iter().any(|rule| finding["rule"] == *rule);
        let counted = all.iter().filter(counts);
        Ok(counted.map(|it| it["message"].to_string()).collect())
    }
}

/// The text with the changes of a patch, as git applies it.
fn patched(name: &str, text: &str, patch: &str) -> Result<String, Error> {
    let scratch = Scratch::new(Path::new(env!("CARGO_TARGET_TMPDIR")))?;
    let source = scratch.file(name, text)?;
    let patch = scratch.file("fix.patch", patch)?;
    let mut git = std::process::Command::new("git");
    // In no repository: the one around it has other rules.
    git.env("GIT_CEILING_DIRECTORIES", env!("CARGO_TARGET_TMPDIR"));
    git.current_dir(scratch.path()).arg("apply").arg(&patch);
    let ended = execute(&mut git, LIMIT)?;
    assert_eq!(ended.status, Some(0), "git apply: {}", ended.stderr);
    fs::read_to_string(&source).map_err(|error| Error::file(&source, error))
}

/// Repairs the failing programs of a rule in both forms; a test that repairs fewer than `least`
/// has failed.
fn repair(rule: &str, least: usize) -> Result<(), Error> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/ui");
    let folder = root.join(rule).join("fail");
    let entries = fs::read_dir(&folder).map_err(|error| Error::file(&folder, error))?;
    let mut paths: Vec<_> = entries.flatten().map(|entry| entry.path()).collect();
    paths.sort();
    let mut complaints = String::new();
    let mut repaired = 0;
    for path in paths {
        let program = Program::read(&path)?;
        let ended = program.run(&["fix", "--print"])?;
        let suggestion = String::from_utf8_lossy(&ended.stdout).into_owned();
        let cannot = ["nothing was saved before", "not every object has a name"];
        if suggestion.is_empty() || cannot.iter().any(|text| ended.stderr.contains(text)) {
            continue;
        }
        for (form, changed) in program.repaired(&suggestion)? {
            match changed.findings()?.as_slice() {
                [] => repaired += 1,
                left => {
                    let name = path.display();
                    let _ = writeln!(complaints, "{name}: {form}: {left:?}\n{suggestion}");
                }
            }
        }
    }
    assert!(complaints.is_empty(), "{complaints}");
    assert!(repaired >= least, "only {repaired} were repaired");
    Ok(())
}

#[test]
fn what_is_suggested_against_pairs_is_enough() -> Result<(), Error> {
    repair("war", 80)
}

#[test]
fn what_is_suggested_against_inputs_is_enough() -> Result<(), Error> {
    repair("repeated-input", 100)
}

#[test]
fn what_is_suggested_against_addresses_is_enough() -> Result<(), Error> {
    repair("tainted-address", 10)
}

/// Runs `fix` with these options on a program; what it says, and the program afterwards.
fn fixed(text: &str, options: &[&str], flags: &[&str]) -> Result<(Ended, String), Error> {
    let scratch = Scratch::new(Path::new(env!("CARGO_TARGET_TMPDIR")))?;
    let source = scratch.file("program.c", text)?;
    let mut tool = Tool::new(env!("CARGO_BIN_EXE_brownout")).command(["fix", "-q"]);
    tool.current_dir(source.parent().unwrap_or(Path::new(".")));
    tool.args(options).arg("program.c").arg("--").args(flags);
    let ended = execute(&mut tool, LIMIT)?;
    let text = fs::read_to_string(&source).map_err(|error| Error::file(&source, error))?;
    Ok((ended, text))
}

/// A call saves what its names mean there: where they mean something else, or nothing, or where the text does
/// not show the call, it stays as it is, and that is said.
#[test]
fn calls_that_cannot_be_written_are_left_alone() -> Result<(), Error> {
    let hidden = "#include <brownout.h>
BROWNOUT_NV int count;
static int work(int count) { brownout_checkpoint(); return count + 1; }
static void bump(void) { count++; }
int main(void) { int r = work(3); bump(); brownout_checkpoint(); return r + count; }
";
    let hidden_by_a_local = "#include <brownout.h>
BROWNOUT_NV int count;
static void bump(void) { count++; }
int main(void) {
    { int count = 4; brownout_checkpoint(); bump(); if (count < 0) return 1; }
    brownout_checkpoint();
    return count;
}
";
    let later = "#include <brownout.h>
static void commit(void) { brownout_checkpoint(); }
BROWNOUT_NV int count;
int main(void) { commit(); count++; commit(); return count; }
";
    let several_lines = "#include <brownout.h>
BROWNOUT_NV int count;
int main(void) {
    brownout_checkpoint(
        /* here */
    );
    count++;
    brownout_checkpoint();
    return count;
}
";
    let in_a_macro = "#include <brownout.h>
BROWNOUT_NV int count;
volatile int fed;
#define COMMIT() do { fed = 1; brownout_checkpoint(); } while (0)
int main(void) {
    COMMIT();
    count++;
    brownout_checkpoint();
    return count;
}
";
    for text in [hidden, hidden_by_a_local, later, several_lines, in_a_macro] {
        for minimise in [&["--minimise", "--apply"][..], &["--apply"]] {
            for level in ["-O0", "-O1"] {
                let (ended, changed) = fixed(text, minimise, &[level])?;
                assert_eq!(changed, text, "{minimise:?} {level}: {}", ended.stderr);
                assert_eq!(ended.status, Some(2), "{text}{}", ended.stderr);
                let said = "no call there can save all of it";
                assert!(ended.stderr.contains(said), "{text}{}", ended.stderr);
                let configured = "saves = [\"count\"]";
                assert!(ended.stderr.contains(configured), "{text}{}", ended.stderr);
            }
        }
    }
    Ok(())
}

/// Calls that save what they should stay as they are, over how many lines they may be.
#[test]
fn calls_that_are_right_are_left_alone() -> Result<(), Error> {
    let text = "#include <brownout.h>
BROWNOUT_NV int count, total;
int main(void) {
    brownout_checkpoint_with(&count, sizeof count, /* both */
                             &total, sizeof total);
    count++;
    total++;
    brownout_checkpoint(
    );
    return count + total;
}
";
    let (ended, changed) = fixed(text, &["--minimise", "--apply"], &[])?;
    assert_eq!(
        (ended.status, &*changed),
        (Some(0), text),
        "{}",
        ended.stderr
    );
    Ok(())
}

/// A program beside a configuration, before and after `fix`.
fn configured(text: &str, config: &str, options: &[&str]) -> Result<(Ended, String, Ended), Error> {
    let scratch = Scratch::new(Path::new(env!("CARGO_TARGET_TMPDIR")))?;
    let source = scratch.file("program.c", text)?;
    scratch.file("brownout.toml", config)?;
    let run = |options: &[&str]| {
        let mut tool = Tool::new(env!("CARGO_BIN_EXE_brownout")).command(options.iter().copied());
        tool.current_dir(source.parent().unwrap_or(Path::new(".")));
        execute(tool.arg("-q").arg("program.c"), LIMIT)
    };
    let ended = run(options)?;
    let text = fs::read_to_string(&source).map_err(|error| Error::file(&source, error))?;
    Ok((ended, text, run(&["check"])?))
}

/// What configuration says of a checkpoint is no reason to leave the call alone if it is not enough.
#[test]
fn calls_save_what_configuration_leaves_out() -> Result<(), Error> {
    let text = "#include <brownout.h>
BROWNOUT_NV int step[3];
int main(void) {
    brownout_checkpoint();
    step[0]++;
    step[2]++;
    return step[2];
}
";
    let config = "[[checkpoint]]\nat = \"program.c:4\"\nsaves = [\"step[2]\"]\n";
    for options in [&["fix", "--apply"][..], &["fix", "--minimise", "--apply"]] {
        let (ended, changed, checked) = configured(text, config, options)?;
        assert_eq!(ended.status, Some(0), "{}", ended.stderr);
        assert!(changed.contains("brownout_checkpoint_with("), "{changed}");
        assert_eq!(checked.status, Some(0), "{}", checked.stderr);
    }
    Ok(())
}

/// Where configuration takes too much away, or would not fit the changed file, no file is changed, and what it has to
/// say is printed.
#[test]
fn configuration_that_stands_in_the_way_is_told() -> Result<(), Error> {
    let forgets = "#include <brownout.h>
BROWNOUT_NV int total;
int main(void) {
    int sum = 0;
    for (int round = 0; round < 3; round++) {
        brownout_checkpoint();
        sum += round;
        total = sum;
    }
    return 0;
}
";
    let config = "[[checkpoint]]\nat = \"program.c:6\"\nvolatile = [\"main::round\"]\n";
    let moves = "void checkpoint(void);
int __attribute__((section(\".nv\"))) count;
int main(void) {
    checkpoint();
    count++;
    checkpoint();
    return count;
}
";
    let lines = "[[checkpoint]]\nat = \"program.c:6\"\nsaves = [\"count\"]\n";
    for (text, config, said) in [
        (forgets, config, "at = \"program.c:6\""),
        (moves, lines, "saves = [\"count\"]"),
    ] {
        for options in [&["fix", "--apply"][..], &["fix", "--minimise", "--apply"]] {
            let (ended, changed, _) = configured(text, config, options)?;
            assert_eq!(ended.status, Some(2), "{}", ended.stderr);
            assert_eq!(changed, text, "{}", ended.stderr);
            assert!(
                ended.stderr.contains("nothing was changed"),
                "{}",
                ended.stderr
            );
            assert!(ended.stderr.contains(said), "{}", ended.stderr);
        }
    }
    Ok(())
}

/// What is wrong whatever checkpoints save is told as that.
#[test]
fn harm_that_no_contents_prevent_is_told() -> Result<(), Error> {
    let text = "#include <brownout.h>
void ring(int bell) BROWNOUT_OUTPUT(at_most_once);
BROWNOUT_NV int rung;
int main(void) {
    brownout_checkpoint();
    if (!rung) {
        ring(2);
        rung = 1;
    }
    return 0;
}
";
    let options = ["fix", "--minimise", "--policy", "static"];
    let (ended, ..) = configured(text, "", &options)?;
    let told = String::from_utf8_lossy(&ended.stdout);
    assert_eq!(ended.status, Some(1), "{told}{}", ended.stderr);
    assert!(told.starts_with("counterexample: program.c:7: "), "{told}");
    assert!(told.ends_with("whatever checkpoints save\n"), "{told}");
    Ok(())
}

/// What other errors there are is told, also where nothing has to be saved.
#[test]
fn errors_that_saving_does_not_cure_are_told() -> Result<(), Error> {
    let rings = "#include <brownout.h>
void ring(int bell) BROWNOUT_OUTPUT(at_most_once);
BROWNOUT_NV int rung, total;
int main(void) {
    brownout_checkpoint();
    ring(2);
    rung = 1;
    total = total + rung;
    return 0;
}
";
    let saves_all = rings.replace("total = total + rung;", "total = rung;");
    let restarts = "#include <brownout.h>
void show(int both) BROWNOUT_OUTPUT(absolute);
BROWNOUT_NV int one, other;
int main(void) {
    for (;;) {
        one = one + 1;
        other = other + 1;
        show(one - other);
    }
}
";
    for (text, options) in [
        (rings, &["fix", "--policy", "static"][..]),
        (rings, &["fix", "--policy", "static", "--apply"]),
        (&*saves_all, &["fix", "--policy", "static", "--apply"]),
        (restarts, &["fix", "--policy", "restart"]),
    ] {
        let (ended, ..) = configured(text, "", options)?;
        assert_eq!(ended.status, Some(1), "{text}{}", ended.stderr);
        let told = "error: saving does not cure ";
        assert!(ended.stderr.contains(told), "{text}{}", ended.stderr);
    }
    let (ended, changed, _) = configured(rings, "", &["fix", "--policy", "static", "--apply"])?;
    assert!(
        ended
            .stderr
            .contains("  program.c:6:5: [output-semantics] "),
        "{}",
        ended.stderr
    );
    assert!(
        changed.contains("brownout_checkpoint_with(&total"),
        "{changed}"
    );
    Ok(())
}

/// A variable that is meant to change across power failures is not saved.
#[test]
fn what_is_to_change_is_not_saved() -> Result<(), Error> {
    let text = "#include <brownout.h>
BROWNOUT_NV unsigned reboots, jobs;
int main(void) {
    brownout_checkpoint();
    reboots++;
    jobs = jobs + 1;
    return 0;
}
";
    let config = "[[variable]]\nname = \"reboots\"\nintermittence-aware = true\n";
    let tagged = text
        .replace(
            "BROWNOUT_NV unsigned",
            "BROWNOUT_INTERMITTENCE_AWARE BROWNOUT_NV unsigned reboots;\nBROWNOUT_NV unsigned",
        )
        .replace(" reboots, jobs", " jobs");
    for (text, config) in [(text, config), (&*tagged, "")] {
        let (ended, changed, checked) = configured(text, config, &["fix", "--apply"])?;
        assert_eq!(ended.status, Some(0), "{}", ended.stderr);
        let call = "brownout_checkpoint_with(&jobs, sizeof jobs);";
        assert!(changed.contains(call), "{changed}");
        assert_eq!(checked.status, Some(0), "{}", checked.stderr);
    }
    // Saved all the same, it never changes: that is told where it is declared.
    let saved = text.replace(
        "brownout_checkpoint()",
        "brownout_checkpoint_with(&reboots, sizeof reboots, &jobs, sizeof jobs)",
    );
    let (.., checked) = configured(&saved, config, &["fix"])?;
    let told = String::from_utf8_lossy(&checked.stdout);
    assert!(told.contains(" --> program.c:2:1"), "{told}");
    Ok(())
}

/// Nothing is written that does not compile.
#[test]
fn what_does_not_compile_is_not_written() -> Result<(), Error> {
    let text = "#include <brownout.h>
BROWNOUT_NV int count;
#pragma GCC poison sizeof
int main(void) {
    brownout_checkpoint();
    count++;
    brownout_checkpoint();
    return count;
}
";
    let (ended, changed) = fixed(text, &["--minimise", "--apply"], &[])?;
    assert_eq!(changed, text);
    assert_eq!(ended.status, Some(2), "{}", ended.stderr);
    assert!(
        ended.stderr.contains("does not compile"),
        "{}",
        ended.stderr
    );
    Ok(())
}
