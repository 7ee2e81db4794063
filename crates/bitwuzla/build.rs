//! Compiles Bitwuzla from the source that `bitwuzla-sys` carries.
//!
//! That crate can build it too, but only with a newer GMP than Debian has and with a download. What
//! is compiled here is the library alone: no program, no Python.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    let out = PathBuf::from(env::var_os("OUT_DIR").unwrap_or_default());
    let source = package("bitwuzla-sys").join("bitwuzla");
    let sat = package("cadical-sys").join("cadical/src");
    for (header, debian) in [
        ("gmpxx.h", "libgmp-dev"),
        ("symfpu/core/add.h", "libsymfpu-dev"),
    ] {
        if !has_header(header) {
            println!(
                "cargo:warning=`{header}` is missing: install {debian}, or build with --no-default-features"
            );
        }
    }
    fs::write(out.join("config.h"), CONFIGURATION).unwrap_or_else(|error| fail(&error.to_string()));
    let mut files = Vec::new();
    collect(&source.join("src"), &mut files);
    files.sort();
    let mut build = cc::Build::new();
    build
        .cpp(true)
        .std("c++17")
        .warnings(false)
        .opt_level(2)
        .debug(false)
        .include(&out)
        .include(source.join("include"))
        .include(source.join("src"))
        .include(source.join("src/lib"))
        .include(sat)
        .define("NDEBUG", None)
        .define("NTRACING", None)
        .define("QUIET", None)
        .define("HAVE_RUSAGE", None)
        .files(files);
    build.compile("bitwuzla");
    // CaDiCaL's crate and this library need GMP and nothing else of the system.
    println!("cargo:rustc-link-lib=static:-bundle=gmp");
    println!("cargo:rustc-link-search=native=/usr/lib/x86_64-linux-gnu");
    println!("cargo:rustc-link-search=native=/usr/lib/aarch64-linux-gnu");
}

/// Says what is wrong and ends the build.
fn fail(why: &str) -> ! {
    println!("cargo:warning={why}");
    std::process::exit(1)
}

/// Whether the C++ compiler finds a header.
fn has_header(header: &str) -> bool {
    let compiler = cc::Build::new().cpp(true).get_compiler();
    let check = Command::new(compiler.path())
        .args(["-x", "c++", "-E", "-include", header, "/dev/null"])
        .output();
    check.is_ok_and(|output| output.status.success())
}

/// All sources of the library.
fn collect(folder: &Path, files: &mut Vec<PathBuf>) {
    let entries = fs::read_dir(folder).unwrap_or_else(|error| fail(&error.to_string()));
    for entry in entries.flatten() {
        let path = entry.path();
        let name = entry.file_name();
        let left_out = ["main", "python"];
        if left_out.iter().any(|left_out| name == *left_out) {
            continue;
        }
        if path.is_dir() {
            collect(&path, files);
        } else if path.extension().is_some_and(|extension| extension == "cpp") {
            files.push(path);
        }
    }
}

/// Where the source of a dependency is.
fn package(name: &str) -> PathBuf {
    let cargo = env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let output = Command::new(cargo)
        .args([
            "metadata",
            "--format-version",
            "1",
            "--offline",
            "--filter-platform",
        ])
        .arg(env::var_os("TARGET").unwrap_or_default())
        .output()
        .unwrap_or_else(|error| fail(&error.to_string()));
    let metadata: serde_json::Value = serde_json::from_slice(&output.stdout)
        .unwrap_or_else(|_| fail(&String::from_utf8_lossy(&output.stderr)));
    let packages = metadata["packages"].as_array().cloned().unwrap_or_default();
    let manifest = packages
        .iter()
        .find(|package| package["name"] == name)
        .and_then(|package| package["manifest_path"].as_str())
        .unwrap_or_else(|| fail(&format!("no package {name}")));
    Path::new(manifest)
        .parent()
        .map(Path::to_path_buf)
        .unwrap_or_default()
}

/// What Bitwuzla's own build system would have found out.
const CONFIGURATION: &str = r#"
#ifndef BZLA_CONFIG_H_INCLUDED
#define BZLA_CONFIG_H_INCLUDED
namespace bzla::config {
static constexpr bool is_debug_build = false;
static constexpr const char* git_id = "";
static constexpr const char* version = "0.8.0";
static constexpr const char* license = "MIT";
static constexpr const char* os = "linux";
static constexpr const char* cc = "";
static constexpr const char* cxx = "";
}
#endif
"#;
