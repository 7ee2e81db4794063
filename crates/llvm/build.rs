//! Compiles the guest's C library to bitcode for every target, notes what each of its files defines and
//! needs, and links libLLVM.

use std::ffi::{CString, c_char, c_int, c_void};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};
use std::process::{Command, exit};

// A build script has no dependencies for the sake of one table.
#[allow(dead_code, unreachable_pub, reason = "only the table is needed")]
#[path = "../ir/src/targets.rs"]
mod targets;

fn main() {
    // The exact name: then the one package `clang-22` is all that is needed, without llvm-dev.
    println!("cargo:rustc-link-lib=dylib:+verbatim=libLLVM.so.22.1");
    println!("cargo:rerun-if-changed=runtime");
    println!("cargo:rerun-if-changed=../ir/src/targets.rs");
    println!("cargo:rerun-if-env-changed=BROWNOUT_CLANG");
    let clang = std::env::var("BROWNOUT_CLANG").unwrap_or_else(|_| "clang-22".to_owned());
    let out = PathBuf::from(std::env::var_os("OUT_DIR").unwrap_or_default());
    let mut sources: Vec<PathBuf> = list(Path::new("runtime/src"), "c");
    sources.sort();
    let mut table = String::from("pub(crate) const LIBRARIES: &[Library] = &[\n");
    for targets::KnownTarget { name, triple, .. } in targets::TARGETS {
        table.push_str(&format!("    ({name:?}, &[\n"));
        for source in &sources {
            let stem = source
                .file_stem()
                .unwrap_or_default()
                .to_string_lossy()
                .into_owned();
            let object = out.join(format!("{name}-{stem}.bc"));
            compile(&clang, triple, source, &object);
            let Some(Symbols { defined, undefined }) = symbols(&object) else {
                fail(&format!("libLLVM cannot read {}", object.display()));
            };
            table.push_str(&format!(
                "        File {{ name: {stem:?}, bytes: include_bytes!({:?}), \
                 defined: &{defined:?}, undefined: &{undefined:?} }},\n",
                object.display().to_string()
            ));
        }
        table.push_str("    ]),\n");
    }
    table.push_str("];\n\npub(crate) const HEADERS: &[(&str, &str, &str)] = &[\n");
    let mut hasher = DefaultHasher::new();
    for folder in ["include", "include-c++", "include-brownout"] {
        let mut headers = Vec::new();
        walk(&Path::new("runtime").join(folder), &mut headers);
        headers.sort();
        for header in headers {
            let full = std::env::current_dir().unwrap_or_default().join(&header);
            let name = header
                .strip_prefix(Path::new("runtime").join(folder))
                .unwrap_or(&header)
                .display()
                .to_string();
            match std::fs::read(&header) {
                Ok(text) => (folder, &name, text).hash(&mut hasher),
                Err(error) => fail(&format!("cannot read {}: {error}", header.display())),
            }
            table.push_str(&format!(
                "    ({folder:?}, {name:?}, include_str!({:?})),\n",
                full.display().to_string()
            ));
        }
    }
    table.push_str("];\n\n");
    let version = hasher.finish();
    table.push_str(&format!(
        "pub(crate) const HEADERS_VERSION: u64 = {version};\n"
    ));
    write(&out.join("library.rs"), &table);
}

fn compile(clang: &str, triple: &str, source: &Path, object: &Path) {
    let status = Command::new(clang)
        .arg(format!("--target={triple}"))
        .args([
            "-std=gnu11",
            "-ffreestanding",
            "-nostdlibinc",
            "-O1",
            "-fno-builtin",
            "-fno-vectorize",
        ])
        .args([
            "-fno-slp-vectorize",
            "-gline-tables-only",
            "-w",
            "-isystem",
            "runtime/include",
        ])
        .args([
            "-fdebug-prefix-map=runtime/src=<library>",
            "-fdebug-compilation-dir=.",
        ])
        .args(["-emit-llvm", "-c", "-o"])
        .arg(object)
        .arg(source)
        .status();
    match status {
        Ok(status) if status.success() => {}
        Ok(_) => fail(&format!(
            "{clang} could not compile {} for {triple}",
            source.display()
        )),
        Err(error) => fail(&format!(
            "{clang} could not be started ({error}); `make setup` installs it"
        )),
    }
}

/// The names of a file that others may see.
#[derive(Default)]
struct Symbols {
    defined: Vec<String>,
    undefined: Vec<String>,
}

/// Asks libLLVM, which is there anyway, what a file of bitcode defines and needs: done here once, it is not
/// done whenever the tool starts.
fn symbols(object: &Path) -> Option<Symbols> {
    let path = CString::new(object.display().to_string()).ok()?;
    let mut symbols = Symbols::default();
    // SAFETY: all pointers come from libLLVM or outlive the calls; module, buffer and context are left to the
    // end of this process.
    unsafe {
        let (mut buffer, mut message) = (std::ptr::null_mut(), std::ptr::null_mut());
        let failed =
            LLVMCreateMemoryBufferWithContentsOfFile(path.as_ptr(), &mut buffer, &mut message);
        let mut module = std::ptr::null_mut();
        if failed != 0
            || LLVMGetBitcodeModuleInContext2(LLVMContextCreate(), buffer, &mut module) != 0
        {
            return None;
        }
        let mut note = |value: *mut c_void| {
            let mut length = 0;
            let name = LLVMGetValueName2(value, &mut length).cast::<u8>();
            let name = std::slice::from_raw_parts(name, length);
            let name = String::from_utf8_lossy(name).into_owned();
            if LLVMIsDeclaration(value) != 0 {
                symbols.undefined.push(name);
            } else if !LOCAL.contains(&LLVMGetLinkage(value)) {
                symbols.defined.push(name);
            }
        };
        let mut function = LLVMGetFirstFunction(module);
        while !function.is_null() {
            note(function);
            function = LLVMGetNextFunction(function);
        }
        let mut global = LLVMGetFirstGlobal(module);
        while !global.is_null() {
            note(global);
            global = LLVMGetNextGlobal(global);
        }
    }
    Some(symbols)
}

/// `LLVMInternalLinkage` and `LLVMPrivateLinkage`.
const LOCAL: [c_int; 2] = [8, 9];

#[link(name = "libLLVM.so.22.1", kind = "dylib", modifiers = "+verbatim")]
unsafe extern "C" {
    fn LLVMContextCreate() -> *mut c_void;
    fn LLVMCreateMemoryBufferWithContentsOfFile(
        path: *const c_char,
        buffer: *mut *mut c_void,
        message: *mut *mut c_char,
    ) -> c_int;
    fn LLVMGetBitcodeModuleInContext2(
        context: *mut c_void,
        buffer: *mut c_void,
        module: *mut *mut c_void,
    ) -> c_int;
    fn LLVMGetFirstFunction(module: *mut c_void) -> *mut c_void;
    fn LLVMGetNextFunction(function: *mut c_void) -> *mut c_void;
    fn LLVMGetFirstGlobal(module: *mut c_void) -> *mut c_void;
    fn LLVMGetNextGlobal(global: *mut c_void) -> *mut c_void;
    fn LLVMGetValueName2(value: *mut c_void, length: *mut usize) -> *const c_char;
    fn LLVMIsDeclaration(value: *mut c_void) -> c_int;
    fn LLVMGetLinkage(value: *mut c_void) -> c_int;
}

fn list(folder: &Path, extension: &str) -> Vec<PathBuf> {
    let mut all = Vec::new();
    walk(folder, &mut all);
    all.retain(|path| path.extension().is_some_and(|found| found == extension));
    all
}

fn walk(folder: &Path, all: &mut Vec<PathBuf>) {
    let Ok(entries) = std::fs::read_dir(folder) else {
        return;
    };
    for entry in entries.flatten() {
        let path = entry.path();
        if path.is_dir() {
            walk(&path, all)
        } else {
            all.push(path)
        }
    }
}

fn write(path: &Path, text: &str) {
    if let Err(error) = std::fs::write(path, text) {
        fail(&format!("cannot write {}: {error}", path.display()));
    }
}

fn fail(message: &str) -> ! {
    println!("cargo:warning={message}");
    exit(1);
}
