//! Compiles bitwuzla from the source in the crate `bitwuzla-sys`, and `session.cpp`, which is all
//! that Rust sees of it.
//!
//! That crate's own build wants tools and a version of gmp that Debian 12 does not have. Needed are a
//! C++ compiler and the packages `libgmp-dev` and `libsymfpu-dev`.

use std::error::Error;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo:rerun-if-changed=build.rs");
    println!("cargo:rerun-if-changed=src/session.cpp");
    let packages = packages()?;
    let bitwuzla = packages.folder("bitwuzla-sys")?.join("bitwuzla");
    let cadical = packages.folder("cadical-sys")?.join("cadical/src");
    let made = PathBuf::from(env::var_os("OUT_DIR").ok_or("no OUT_DIR")?);
    fs::write(made.join("config.h"), CONFIGURATION)?;
    let mut files = Vec::new();
    sources(&bitwuzla.join("src"), &mut files)?;
    files.sort();
    files.push("src/session.cpp".into());
    let mut build = cc::Build::new();
    build
        .cpp(true)
        .std("c++17")
        .opt_level(2)
        .debug(false)
        .warnings(false)
        .define("NDEBUG", None)
        .define("NTRACING", None)
        .define("QUIET", None)
        .define("HAVE_RUSAGE", None)
        .include(&made)
        .include(bitwuzla.join("include"))
        .include(bitwuzla.join("src"))
        .include(bitwuzla.join("src/lib"))
        .include(cadical)
        .files(files)
        .try_compile("brownout_bitwuzla")?;
    println!("cargo:rustc-link-lib=static:-bundle=gmp");
    println!("cargo:rustc-link-search=native={}", gmp()?.display());
    Ok(())
}

/// What bitwuzla's own build would find out about itself; nobody reads it.
const CONFIGURATION: &str = r#"#pragma once
namespace bzla::config {
static constexpr bool is_debug_build = false;
static constexpr const char* git_id = "";
static constexpr const char* version = "0.8.0";
static constexpr const char* license = "MIT";
static constexpr const char* os = "";
static constexpr const char* cc = "";
static constexpr const char* cxx = "";
}
"#;

/// All C++ files under a folder but those of the command line and of Python.
fn sources(folder: &Path, found: &mut Vec<PathBuf>) -> Result<(), Box<dyn Error>> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        let name = path.file_name().unwrap_or_default();
        if path.is_dir() && name != "main" && name != "python" {
            sources(&path, found)?;
        } else if path.extension().is_some_and(|extension| extension == "cpp") {
            found.push(path);
        }
    }
    Ok(())
}

/// The folder that the compiler takes `libgmp.a` from.
fn gmp() -> Result<PathBuf, Box<dyn Error>> {
    let compiler = cc::Build::new().cpp(true).try_get_compiler()?;
    let said = compiler
        .to_command()
        .arg("-print-file-name=libgmp.a")
        .output()?;
    let path = PathBuf::from(String::from_utf8(said.stdout)?.trim());
    match path.parent().filter(|_| path.is_absolute()) {
        Some(folder) => Ok(folder.to_owned()),
        None => Err("there is no libgmp.a: install `libgmp-dev`".into()),
    }
}

/// What cargo knows about the packages of this build.
struct Packages(serde_json::Value);

fn packages() -> Result<Packages, Box<dyn Error>> {
    let cargo = env::var_os("CARGO").ok_or("no CARGO")?;
    // Of the workspace, whose versions are those of the build.
    let said = Command::new(cargo)
        .args([
            "metadata",
            "--format-version",
            "1",
            "--offline",
            "--all-features",
        ])
        .args(["--manifest-path", "../../Cargo.toml"])
        .output()?;
    if !said.status.success() {
        return Err(String::from_utf8_lossy(&said.stderr).into());
    }
    Ok(Packages(serde_json::from_slice(&said.stdout)?))
}

impl Packages {
    /// Where a package is.
    fn folder(&self, name: &str) -> Result<PathBuf, Box<dyn Error>> {
        let packages = self.0["packages"].as_array();
        let mut packages = packages.into_iter().flatten();
        let package = packages.find(|package| package["name"] == name);
        let manifest = package.and_then(|package| package["manifest_path"].as_str());
        let folder = manifest.and_then(|manifest| Path::new(manifest).parent());
        Ok(folder
            .ok_or_else(|| format!("cargo does not know `{name}`"))?
            .to_owned())
    }
}
