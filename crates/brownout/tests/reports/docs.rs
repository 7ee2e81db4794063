//! What README and docs say is so: every command works, every link leads somewhere.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use brownout_testkit::{Scratch, Tool, execute};
use serde_json::json;

use crate::{LIMIT, SENSE, files_under, project, scratch};

/// README and all pages.
fn pages() -> Vec<PathBuf> {
    let mut pages = vec![project("README.md")];
    let page = |path: &PathBuf| path.extension().is_some_and(|extension| extension == "md");
    pages.extend(files_under("docs").into_iter().filter(page));
    pages.sort();
    assert!(pages.len() > 10);
    pages
}

/// A fenced block: its language and its text.
pub(crate) fn blocks(page: &str) -> Vec<(String, String)> {
    let mut blocks = Vec::new();
    let mut open: Option<(String, String)> = None;
    for line in page.lines() {
        match (line.strip_prefix("```"), &mut open) {
            (Some(language), None) => open = Some((language.to_owned(), String::new())),
            (Some(_), Some(_)) => blocks.extend(open.take()),
            (None, Some((_, text))) => text.extend([line, "\n"]),
            (None, None) => {}
        }
    }
    blocks
}

/// A folder with everything that the commands of the docs speak of.
fn fixture() -> Scratch {
    let scratch = scratch();
    let folder = scratch.path();
    for inner in ["src", "inc", "build"] {
        fs::create_dir(folder.join(inner)).unwrap();
    }
    std::os::unix::fs::symlink(project("tests"), folder.join("tests")).unwrap();
    let loops = SENSE
        .replace(
            "    brownout_checkpoint();\n    int i",
            "  for (int n = 0; n < 4; n++) {\n    brownout_checkpoint();\n    int i",
        )
        .replace("    count = i + 1;\n", "    count = i + 1;\n  }\n");
    scratch.file("firmware.c", loops).unwrap();
    scratch
        .file("a.c", "int b(void);\nint main(void) { return b() - X; }\n")
        .unwrap();
    scratch
        .file("b.c", "#include \"b.h\"\nint b(void) { return B; }\n")
        .unwrap();
    scratch.file("inc/b.h", "#define B 1\n").unwrap();
    scratch
        .file(
            "src/main.c",
            "int boots __attribute__((section(\".persistent\")));\nint util(void);\nint main(void) { boots++; return util(); }\n",
        )
        .unwrap();
    scratch
        .file("src/util.c", "int util(void) { return 0; }\n")
        .unwrap();
    scratch.file("files.txt", "firmware.c\n-q\n").unwrap();
    let entry = |file: &str| json!({ "directory": ".", "file": format!("../src/{file}"), "command": format!("cc -c ../src/{file}") });
    let database = json!([entry("main.c"), entry("util.c")]);
    scratch
        .file("build/compile_commands.json", database.to_string())
        .unwrap();
    shell(
        folder,
        "clang-22 --target=riscv32 -ffreestanding -g -emit-llvm -c src/main.c -o main.bc && \
                   clang-22 --target=riscv32 -ffreestanding -g -emit-llvm -c -DX=1 -x c -o prog.bc - <<< 'int main(void) { return 0; }'",
    );
    shell(
        folder,
        "git init -q && git add firmware.c && git -c user.name=t -c user.email=t@example.org commit -q -m x && \
                   git update-ref refs/remotes/origin/main HEAD",
    );
    scratch
}

fn shell(folder: &Path, command: &str) {
    let status = Command::new("bash")
        .args(["-c", command])
        .current_dir(folder)
        .status()
        .unwrap();
    assert!(status.success(), "{command}");
}

/// Runs a line of a page; it must do its job.
fn run(folder: &Path, line: &str, page: &Path) {
    let tool = Path::new(env!("CARGO_BIN_EXE_brownout"));
    let mut command = Command::new("bash");
    let path = std::env::var("PATH").unwrap_or_default();
    command
        .args(["-c", line])
        .env(
            "PATH",
            format!("{}:{path}", tool.parent().unwrap().display()),
        )
        .current_dir(folder);
    let ended = execute(&mut command, LIMIT).unwrap();
    assert!(
        matches!(ended.status, Some(0 | 1)),
        "{}: `{line}`:\n{}",
        page.display(),
        ended.stderr
    );
    if let Some((_, output)) = line.split_once("--output ") {
        let output = folder.join(output.split(' ').next().unwrap());
        assert!(output.exists(), "{line}: {}", output.display());
    }
}

/// The commands of a block; in YAML, those that a service would run.
fn commands_in(language: &str, block: &str) -> Vec<String> {
    let mut commands: Vec<&str> = Vec::new();
    let mut in_script = false;
    for line in block.lines() {
        let item = line.trim_start().strip_prefix("- ");
        match language {
            "sh" => commands.push(line),
            "console" => commands.extend(line.strip_prefix("$ ")),
            "yaml" => {
                let run = item.and_then(|item| item.strip_prefix("run: "));
                let script = item.filter(|_| in_script);
                in_script = line.trim().ends_with("script:") || script.is_some();
                commands.extend(run.into_iter().flat_map(|run| run.split(" && ")));
                commands.extend(script);
            }
            _ => {}
        }
    }
    let bare = |line: &str| {
        line.split(" #")
            .next()
            .unwrap_or_default()
            .trim()
            .to_owned()
    };
    let commands = commands.into_iter().map(bare);
    commands.filter(|line| !line.is_empty()).collect()
}

#[test]
fn the_commands_of_services_are_found() {
    let page = fs::read_to_string(project("docs/ci.md")).unwrap();
    let blocks = blocks(&page);
    let services = blocks.iter().filter(|(language, _)| language == "yaml");
    let found: Vec<usize> = services
        .map(|(language, block)| commands_in(language, block).len())
        .collect();
    assert_eq!(found, [3, 2]);
}

#[test]
fn every_command_works() {
    let makefile = fs::read_to_string(project("Makefile")).unwrap();
    let mut commands = 0;
    for page in pages() {
        // The pages of rules have programs and commands of their own.
        if page
            .parent()
            .is_some_and(|parent| parent.ends_with("rules"))
        {
            continue;
        }
        let text = fs::read_to_string(&page).unwrap();
        let fixture = fixture();
        for (language, block) in blocks(&text) {
            // A program that says what it is called.
            let first = block.lines().next().unwrap_or_default();
            if let ("c", Some(name)) = (language.as_str(), first.strip_prefix("// "))
                && name.ends_with(".c")
            {
                fixture.file(name, &block).unwrap();
            }
            for line in commands_in(&language, &block) {
                let folder = if line.contains("examples/") {
                    project("")
                } else {
                    fixture.path().to_owned()
                };
                let mut words = line.split(' ');
                match (words.next().unwrap(), words.next(), words.next()) {
                    // What takes minutes is only looked at.
                    ("make", Some(target), _) => {
                        let rules = [format!("\n{target}: "), format!("\n{target}:\n")];
                        assert!(rules.iter().any(|rule| makefile.contains(rule)), "{line}");
                    }
                    ("cargo", Some("install"), Some("--path")) => {
                        let folder = project(words.next().unwrap());
                        assert!(folder.join("src/main.rs").exists(), "{line}");
                    }
                    ("cargo", Some("xtask"), Some(chore)) => {
                        let main = fs::read_to_string(project("crates/xtask/src/main.rs")).unwrap();
                        assert!(main.contains(&format!("{chore}::run(")), "{line}");
                    }
                    _ => run(&folder, &line, &page),
                }
                commands += 1;
            }
        }
    }
    assert!(commands > 30, "{commands}");
}

#[test]
fn the_demo_works() {
    let makefile = fs::read_to_string(project("Makefile")).unwrap();
    let lines: Vec<&str> = makefile
        .lines()
        .filter_map(|line| line.strip_prefix("\t$(BROWNOUT) "))
        .collect();
    assert!(lines.len() >= 3);
    for line in lines {
        run(
            &project(""),
            &format!("brownout {}", line.replace("$$", "$")),
            Path::new("Makefile"),
        );
    }
}

#[test]
fn what_the_readme_shows_is_what_is_printed() {
    let readme = fs::read_to_string(project("README.md")).unwrap();
    let (_, block) = blocks(&readme)
        .into_iter()
        .find(|(language, _)| language == "console")
        .unwrap();
    let (command, expected) = block.split_once('\n').unwrap();
    let words: Vec<&str> = command
        .strip_prefix("$ brownout ")
        .unwrap()
        .split(' ')
        .collect();
    let mut command = Tool::new(env!("CARGO_BIN_EXE_brownout")).command(words);
    let ended = execute(command.current_dir(project("")), LIMIT).unwrap();
    let (note, summary) = ended.stderr.split_once('\n').unwrap();
    let printed = format!(
        "{note}\n{}{summary}",
        String::from_utf8_lossy(&ended.stdout)
    );
    assert_eq!(printed, expected);
}

#[test]
fn every_link_leads_somewhere() {
    for page in pages() {
        let text = fs::read_to_string(&page).unwrap();
        for link in text.split("](").skip(1) {
            let target = link.split([')', '#']).next().unwrap();
            if target.is_empty() || target.contains("://") {
                continue;
            }
            let path = page.parent().unwrap().join(target);
            assert!(path.exists(), "{}: {target}", page.display());
        }
    }
}

#[test]
fn every_target_is_named() {
    let help = crate::printed(0, &project(""), &["check", "--help"]);
    let schema = fs::read_to_string(project("docs/brownout.schema.json")).unwrap();
    let readme = fs::read_to_string(project("README.md")).unwrap();
    assert!(brownout_ir::TARGETS.len() > 5);
    for target in brownout_ir::TARGETS {
        let is_named = |text: &str| text.contains(target.name);
        let texts = [&help, &schema, &readme];
        assert!(
            texts.into_iter().all(|text| is_named(text)),
            "{}",
            target.name
        );
    }
}

#[test]
fn crates_import_each_other_as_drawn() {
    let page = fs::read_to_string(project("docs/ARCHITECTURE.md")).unwrap();
    let (_, drawing) = page.split_once("Who imports whom").unwrap();
    let (_, drawing) = blocks(drawing).swap_remove(0);
    let mut drawn: Vec<String> = drawing
        .lines()
        .map(|line| {
            let (name, imports) = line.split_once(':').unwrap();
            format!("{}:{imports}", name.trim())
        })
        .collect();
    drawn.sort();
    let mut real: Vec<String> = fs::read_dir(project("crates"))
        .unwrap()
        .map(|folder| {
            let folder = folder.unwrap().path();
            let manifest = fs::read_to_string(folder.join("Cargo.toml")).unwrap();
            let (_, dependencies) = manifest.split_once("[dependencies]").unwrap_or_default();
            let dependencies = dependencies.split("\n[").next().unwrap();
            let mut imports: Vec<&str> = dependencies
                .lines()
                .filter_map(|line| line.strip_prefix("brownout-")?.split([' ', '.']).next())
                .collect();
            imports.sort_unstable();
            let imports = imports.iter().map(|import| format!(" {import}"));
            let name = folder.file_name().unwrap().to_str().unwrap();
            format!("{name}:{}", imports.collect::<String>())
        })
        // The manual is a workspace of its own.
        .filter(|line| line != "book:")
        .collect();
    real.sort();
    assert_eq!(real, drawn);
}

#[test]
fn every_page_is_in_the_book() {
    let docs = project("docs");
    let summary = fs::read_to_string(docs.join("SUMMARY.md")).unwrap();
    for page in pages() {
        let Ok(name) = page.strip_prefix(&docs) else {
            continue;
        };
        let name = name.to_str().unwrap();
        assert!(
            name == "SUMMARY.md" || summary.contains(&format!("({name})")),
            "{name}"
        );
    }
}

#[test]
fn completions_and_manual_are_printed() {
    let scratch = scratch();
    for shell in ["bash", "zsh", "fish"] {
        let script = crate::printed(0, scratch.path(), &["completions", shell]);
        assert!(
            script.contains("brownout") && script.contains("only-changed"),
            "{shell}"
        );
    }
    let manual = crate::printed(0, scratch.path(), &["man"]);
    assert!(
        manual.contains(".TH brownout") && manual.contains("explain"),
        "{manual}"
    );
}

/// The files of the command line import each other in one direction, like the crates: each can be read after those that
/// it imports.
#[test]
fn files_of_the_command_line_import_no_circles() {
    let folder = project("crates/brownout/src");
    let mut imports: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    let mut folders = vec![(folder, None)];
    while let Some((folder, parent)) = folders.pop() {
        for entry in fs::read_dir(&folder).unwrap() {
            let path = entry.unwrap().path();
            let stem = path.file_stem().unwrap().to_str().unwrap().to_owned();
            let module: String = parent.clone().unwrap_or_else(|| stem.clone());
            if path.is_dir() {
                folders.push((path, Some(module)));
                continue;
            }
            let text = fs::read_to_string(&path).unwrap();
            let text = text.split("#[cfg(test)]").next().unwrap();
            let code = text
                .lines()
                .filter(|line| !line.trim_start().starts_with("//"));
            let mentioned = code.flat_map(|line| line.split("crate::").skip(1));
            let names =
                mentioned.map(|rest| rest.split(|c: char| !c.is_alphanumeric() && c != '_'));
            let names = names.filter_map(|mut words| words.next().map(str::to_owned));
            let known = imports.entry(module.clone()).or_default();
            known.extend(names.filter(|name| *name != module));
        }
    }
    // All of them meet in the root, which nobody imports.
    imports.remove("lib");
    imports.remove("main");
    assert!(imports.len() > 40, "{imports:?}");
    loop {
        let rest: BTreeSet<String> = imports.keys().cloned().collect();
        imports.retain(|_, names| names.iter().any(|name| rest.contains(name)));
        if imports.len() == rest.len() {
            assert!(imports.is_empty(), "in circles, or after one: {rest:?}");
            return;
        }
    }
}
