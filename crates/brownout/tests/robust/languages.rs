//! Languages and dialects: what is read, and the line that makes readable what is not.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use brownout_testkit::{Ended, Scratch, execute, native};

use crate::{arguments, printed, program, refused_with, run, scratch, tool};

/// Checks a file of that name; gives what the tool says.
#[track_caller]
fn checked(name: &str, text: &str, options: &[&str], status: i32) -> Ended {
    let scratch = scratch();
    let source = scratch.file(name, text).unwrap();
    let mut arguments = arguments([&"check", &source]);
    arguments.extend(options.iter().map(OsStr::new));
    let ended = run(&arguments);
    assert_eq!(ended.status, Some(status), "{}", ended.stderr);
    ended
}

fn example(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../examples")
        .join(name)
}

#[test]
fn objects_of_other_tools_are_named_with_the_line_that_helps() {
    let scratch = scratch();
    let source = program(&scratch, "int main(void) { return 0; }");
    let object = scratch.path().join("program.o");
    let mut command = Command::new(native::CLANG);
    command
        .args(["--target=msp430", "-c", "-o"])
        .arg(&object)
        .arg(&source);
    native::clang(&mut command).unwrap();
    refused_with(
        &arguments([&"run", &object]),
        &[
            "an object file for MSP430",
            "clang -g -emit-llvm -c program.c -o program.bc",
        ],
    );
    let elf = scratch
        .file(
            "firmware.elf",
            b"\x7fELF\x01\x01\x01\0\0\0\0\0\0\0\0\0\x02\0\x53\0",
        )
        .unwrap();
    refused_with(&arguments([&"run", &elf]), &["a linked program for AVR"]);
    let rust = scratch.file("main.rs", "fn main() {}").unwrap();
    refused_with(&arguments([&"run", &rust]), &["rustc --emit=llvm-bc"]);
}

#[test]
fn old_modules_ask_for_a_newer_clang() {
    let scratch = scratch();
    let text = "target triple = \"msp430\"\n@x = global i16* null\n!0 = !{!\"clang version 3.9.1\"}\ndefine i16 @main() { %1 = load i16*, i16** @x ret }";
    let module = scratch.file("old.ll", text).unwrap();
    refused_with(
        &arguments([&"run", &module]),
        &["made by clang 3; recompile with clang 13 or later"],
    );
    // Nothing in it says what made it.
    let text = "target triple = \"msp430\"\n@x = global i16 0\ndefine i16 @main() {\n  %1 = load i16* @x\n  ret i16 %1\n}\n";
    let module = scratch.file("older.ll", text).unwrap();
    refused_with(
        &arguments([&"run", &module]),
        &["made by an old compiler; recompile with clang 13 or later"],
    );
}

#[test]
fn a_crash_of_clang_is_one_line() {
    let scratch = scratch();
    let fake = scratch
        .file("clang", "#!/bin/sh\necho 'PLEASE submit a bug report to nowhere' >&2\necho 'fatal error: error in backend: too large' >&2\nexit 134\n")
        .unwrap();
    let mut command = Command::new("chmod");
    command.arg("+x").arg(&fake);
    execute(&mut command, Duration::from_secs(10)).unwrap();
    let source = program(&scratch, "int main(void) { return 0; }");
    let mut command = Command::new(env!("CARGO_BIN_EXE_brownout"));
    command.arg("run").arg(&source).env("BROWNOUT_CLANG", &fake);
    let ended = execute(&mut command, Duration::from_secs(60)).unwrap();
    assert_eq!(ended.status, Some(2), "{}", ended.stderr);
    assert!(
        ended
            .stderr
            .contains("clang crashed while compiling it: too large"),
        "{}",
        ended.stderr
    );
    assert!(!ended.stderr.contains("PLEASE"), "{}", ended.stderr);
}

/// Compiles a Rust program without its library, at a level.
fn rust_module(scratch: &Scratch, source: &Path, level: &str) -> PathBuf {
    let module = scratch.path().join("module.bc");
    let level = format!("opt-level={level}");
    let mut command = Command::new("rustc");
    command.args([
        "--emit=llvm-bc",
        "-g",
        "-C",
        "panic=abort",
        "-C",
        "codegen-units=1",
        "-C",
    ]);
    command.arg(level).arg(source).arg("-o").arg(&module);
    native::clang(&mut command).unwrap();
    module
}

#[test]
fn rust_without_its_library() {
    let scratch = scratch();
    let module = rust_module(&scratch, &example("rust/counter.rs"), "0");
    let ended = run(&arguments([&"check", &module]));
    assert_eq!(ended.status, Some(1), "{}", ended.stderr);
    let text = String::from_utf8_lossy(&ended.stdout);
    assert!(
        text.contains("error[war]") && text.contains("COUNT"),
        "{text}"
    );
}

/// What the machine does itself needs no description, and names are those of the source.
#[test]
fn configurations_of_rust_and_of_jumps() {
    let scratch = scratch();
    let rust = "#![no_std]\n#![no_main]\n\
        #[panic_handler]\nfn panic(_: &core::panic::PanicInfo) -> ! { loop {} }\n\
        #[unsafe(link_section = \".persistent\")]\nstatic mut LOG: [u16; 4] = [0; 4];\n\
        unsafe extern \"C\" { fn send(value: u16); fn pick() -> u16; }\n\
        #[unsafe(no_mangle)]\npub extern \"C\" fn main() -> i32 {\n    unsafe {\n\
        let at = pick() as usize; LOG[at] = 1; send(LOG[at]);\n    }\n    0\n}\n";
    let rust = scratch.file("log.rs", rust).unwrap();
    let module = rust_module(&scratch, &rust, "0");
    let jumps = "#include <setjmp.h>\njmp_buf back;\nvoid send(int);\n\
        int main(void) { if (!setjmp(back)) longjmp(back, 1); send(1); return 0; }";
    let jumps = scratch.file("jumps.c", jumps).unwrap();
    let configuration = scratch.path().join("brownout.toml");
    for (source, function) in [(&module, "pick"), (&jumps, "send")] {
        let ended = run(&arguments([&"init", source]));
        assert_eq!(ended.status, Some(0), "{}", ended.stderr);
        let text = std::fs::read_to_string(&configuration).unwrap();
        assert!(
            text.contains(&format!("function = \"{function}\"")),
            "{text}"
        );
        assert!(!text.contains("panic") && !text.contains("jmp"), "{text}");
        std::fs::remove_file(&configuration).unwrap();
    }
    let options = ["--set", "ignore=[\"send\", \"pick\"]"];
    let mut checked = arguments([&"check", &module]);
    checked.extend(options.iter().map(OsStr::new));
    let ended = run(&checked);
    assert!(
        ended.stderr.contains("rust_begin_unwind` was never called")
            && !ended.stderr.contains("_RN"),
        "{}",
        ended.stderr
    );
}

/// What the language's library does belongs to the code that calls it, also if it was inlined there.
#[test]
fn rust_that_writes_through_its_library() {
    let scratch = scratch();
    let text = "#![no_std]\n#![no_main]\nuse core::ptr::{addr_of_mut, read_volatile, write_volatile};\n\
        #[panic_handler]\nfn panic(_: &core::panic::PanicInfo) -> ! { loop {} }\n\
        #[unsafe(link_section = \".persistent\")]\nstatic mut COUNT: u16 = 0;\n\
        unsafe extern \"C\" { fn brownout_checkpoint(); }\n\
        #[unsafe(no_mangle)]\npub extern \"C\" fn main() -> i32 {\n    for _ in 0..3 { unsafe {\n\
        brownout_checkpoint();\n        let count = read_volatile(addr_of_mut!(COUNT));\n\
        write_volatile(addr_of_mut!(COUNT), count.wrapping_add(1));\n    } }\n    0\n}\n";
    let source = scratch.file("count.rs", text).unwrap();
    for level in ["0", "2"] {
        let module = rust_module(&scratch, &source, level);
        let ended = run(&arguments([&"check", &module]));
        assert_eq!(ended.status, Some(1), "{}", ended.stderr);
        let text = String::from_utf8_lossy(&ended.stdout);
        assert!(text.contains("count.rs:14"), "{text}");
        assert!(!text.contains("library/core"), "{text}");
    }
}

#[test]
fn a_class_and_a_sketch() {
    for name in ["cpp/odometer.cpp", "sketch/doorbell.ino"] {
        let ended = run(&arguments([&"check", &example(name)]));
        // Whether the doorbell is harmed is not decided: that is 2.
        assert!(
            matches!(ended.status, Some(0..=2)),
            "{name}: {}",
            ended.stderr
        );
        assert!(
            ended.stderr.contains("power failures emulated"),
            "{name}: {}",
            ended.stderr
        );
    }
}

/// The files of a sketch are one text, whichever way they are named, and places are those of the files.
#[test]
fn a_sketch_of_several_files() {
    let scratch = scratch();
    std::fs::create_dir_all(scratch.path().join("lamp/src")).unwrap();
    let file = |name: &str, text: &str| scratch.file(name, text).unwrap();
    let main = file(
        "lamp/lamp.ino",
        "#include <EEPROM.h>\n#include \"src/level.h\"\nint hours;\nvoid setup() { read_hours(); }\n\
         void loop() { if (digitalRead(2)) { count(); } analogWrite(3, level(hours)); }\n",
    );
    let counting = file(
        "lamp/counting.ino",
        "// Counts.\nvoid count() {\n  hours++;\n  EEPROM.write(0, hours);\n  store();\n}\n",
    );
    file(
        "lamp/a_store.ino",
        "void store() { EEPROM.write(1, hours); }\nvoid read_hours() { hours = EEPROM.read(0) | EEPROM.read(1); }\n",
    );
    file("lamp/src/level.h", "int level(int hours);\n");
    file(
        "lamp/src/level.cpp",
        "#include \"level.h\"\nint level(int hours) { return hours & 255; }\n",
    );
    let store = scratch.path().join("lamp/a_store.ino");
    let level = scratch.path().join("lamp/src/level.cpp");
    let folder = scratch.path().join("lamp");
    let lists = [
        arguments([&folder]),
        arguments([&main]),
        arguments([&counting, &main, &store]),
        arguments([&store, &main, &counting, &level]),
    ];
    for list in lists {
        let mut all = arguments([&"check", &"--format", &"concise"]);
        all.extend(list.clone());
        let ended = run(&all);
        let told = String::from_utf8_lossy(&ended.stdout);
        assert_eq!(ended.status, Some(1), "{list:?}: {} {told}", ended.stderr);
        assert!(told.contains("counting.ino:4:"), "{list:?}: {told}");
    }

    // In the folder itself, `init` writes a configuration that `check` finds and understands.
    for list in [
        &["init", "."][..],
        &["check", "--format", "concise"],
        &["check", ".", "--format", "concise"],
    ] {
        let ended = execute(
            tool().command(list).current_dir(&folder),
            Duration::from_secs(60),
        )
        .unwrap();
        let told = String::from_utf8_lossy(&ended.stdout);
        let status = if list[0] == "init" { 0 } else { 1 };
        assert_eq!(
            ended.status,
            Some(status),
            "{list:?}: {} {told}",
            ended.stderr
        );
        assert_eq!(
            told.contains("counting.ino:4:"),
            status == 1,
            "{list:?}: {told}"
        );
    }
}

/// A line that writes the EEPROM only through a function, and is never executed, is named: nothing is said of it.
#[test]
fn writes_that_are_never_executed_are_named() {
    let scratch = scratch();
    let text = "#include <EEPROM.h>\nbyte level;\nvoid save() { EEPROM.update(0, level); }\n\
        void setup() { level = EEPROM.read(0); save(); }\nvoid loop() {\n  String line = Serial.readStringUntil('\\n');\n\
        if (line == \"a long command\") {\n    level++;\n    save();\n  }\n}\n";
    let source = scratch.file("command.ino", text).unwrap();
    let ended = run(&arguments([&"check", &source]));
    assert_eq!(ended.status, Some(2), "{}", ended.stderr);
    assert!(ended.stderr.contains("command.ino:9 "), "{}", ended.stderr);
    assert!(!ended.stderr.contains("command.ino:4"), "{}", ended.stderr);
}

/// Texts of Arduino are what its documentation says.
#[test]
fn texts_of_arduino() {
    let text = "#include <Arduino.h>\nstruct Point : Printable { size_t printTo(Print &to) const override { return to.print(F(\"(1,2)\")); } };\n\
        int main() {\n\
          String a = \"  Temp: \"; a += 21; a += ' '; a += 1.5f; a += \" C  \"; a.trim(); Serial.println(a);\n\
          String b = String(255, HEX) + \",\" + String(-7) + ',' + String(5, BIN) + F(\",\") + 3.14159 + \",\" + 70000UL;\n\
          Serial.println(b); Serial.println(b.indexOf(',')); Serial.println(b.lastIndexOf(\",\")); Serial.println(b.substring(3, 5));\n\
          b.replace(\",\", \"; \"); Serial.println(b); b.remove(2, 4); Serial.println(b); b.toUpperCase(); Serial.println(b + b.length());\n\
          Serial.println(String(\"42abc\").toInt()); Serial.println(String(\"2.5\").toFloat()); Serial.println(\"x\" == String('x'));\n\
          Serial.println(a.startsWith(\"Temp\") && a.endsWith(\"C\") && a.charAt(0) == 'T' && a[99] == 0 && a.equalsIgnoreCase(\"TEMP: 21 1.50 c\"));\n\
          Serial.print(-5); Serial.print(' '); Serial.print(200, BIN); Serial.print(' '); Serial.print(-1, HEX); Serial.print(' ');\n\
          Serial.print(2.345, 1); Serial.print(' '); Serial.print((byte)65); Serial.print((char)65); Serial.println(Point());\n\
          String c; c = a; c += c; Serial.println(c.length() == 2 * a.length()); c = \"\"; Serial.println(c.isEmpty());\n\
          return 0; }\n";
    let expected = "Temp: 21 1.50 C\nff,-7,101,3.14,70000\n2\n14\n-7\nff; -7; 101; 3.14; 70000\nff; 101; 3.14; 70000\n\
        FF; 101; 3.14; 7000020\n42\n2.50\n1\n1\n-5 11001000 FFFFFFFF 2.3 65A(1,2)\n1\n1\n";
    let scratch = scratch();
    let source = scratch.file("program.cpp", text).unwrap();
    for target in ["msp430", "riscv32"] {
        let ended = run(&arguments([&"run", &"-q", &"--target", &target, &source]));
        assert_eq!(ended.status, Some(0), "{}", ended.stderr);
        assert_eq!(String::from_utf8_lossy(&ended.stdout), expected, "{target}");
    }
}

/// What freestanding C++ includes, the same as with the system's library.
#[test]
fn headers_of_cpp() {
    let text = "#include <algorithm>\n#include <array>\n#include <atomic>\n#include <cstdint>\n#include <cstdio>\n#include <initializer_list>\n\
        #include <iterator>\n#include <limits>\n#include <numeric>\n#include <type_traits>\n#include <utility>\n\
        struct Bus { virtual bool write(uint8_t at, uint8_t value) = 0; virtual int read(uint8_t at) = 0; };\n\
        struct Kept final : Bus { uint8_t bytes[4]{}; bool write(uint8_t at, uint8_t value) override { bytes[at & 3] = value; return true; }\n\
          int read(uint8_t at) override { return bytes[at & 3]; } };\n\
        struct Absent final : Bus { bool write(uint8_t, uint8_t) override { return false; } int read(uint8_t) override { return -1; } };\n\
        template <class T, std::size_t n> class Ring { std::array<T, n> all{}; std::size_t head = 0, count = 0; public:\n\
          constexpr bool push(const T &t) { if (count == n) return false; all[(head + count++) % n] = t; return true; } };\n\
        constexpr std::array<uint8_t, 4> squares = [] { std::array<uint8_t, 4> t{}; for (std::size_t i = 0; i < 4; i++) t[i] = uint8_t(i * i); return t; }();\n\
        static_assert(squares[3] == 9 && std::is_trivially_copyable_v<Ring<int, 3>>);\n\
        static_assert(std::numeric_limits<int16_t>::max() == 32767 && std::numeric_limits<int32_t>::min() == -2147483647 - 1);\n\
        static_assert(std::numeric_limits<uint64_t>::max() == ~0ull && std::is_same_v<std::decay_t<const char[3]>, const char *>);\n\
        Kept kept; Absent absent; std::atomic<uint16_t> ticks{0}; std::atomic_flag flag = ATOMIC_FLAG_INIT;\n\
        int sum(std::initializer_list<int> all) { return std::accumulate(all.begin(), all.end(), 0); }\n\
        int main() { Bus *const all[] = {&kept, &absent}; for (auto *bus : all) printf(\"%d%d \", bus->write(1, 7), bus->read(1));\n\
          Ring<int, 2> ring; ring.push(1); ring.push(2); printf(\"%d \", ring.push(3)); ticks++; ticks += 4; uint16_t five = 5;\n\
          bool changed = ticks.compare_exchange_strong(five, 9); printf(\"%u %d %d%d \", (unsigned)ticks.load(), changed, flag.test_and_set(), flag.test_and_set());\n\
          std::array a{3, 1, 2}; std::sort(a.begin(), a.end()); std::reverse(std::begin(a), std::end(a));\n\
          printf(\"%d%d%d %d %d %d\", a[0], a[1], a[2], sum({1, 2, 3}), std::clamp(9, 0, 5), *std::max_element(a.begin(), a.end())); return 0; }\n";
    let scratch = scratch();
    let source = scratch.file("program.cpp", text).unwrap();
    for target in ["msp430", "riscv32", "thumbv6m"] {
        let ended = run(&arguments([&"run", &"-q", &"--target", &target, &source]));
        assert_eq!(ended.status, Some(0), "{}", ended.stderr);
        let told = String::from_utf8_lossy(&ended.stdout);
        assert_eq!(told, "17 0-1 0 9 1 01 321 6 5 3", "{target}");
    }
}

/// A device has no files: a program that opens one is refused by name.
#[test]
fn files_are_refused_by_name() {
    let scratch = scratch();
    let text = "#include <stdio.h>\nint main(void) { return fopen(\"log\", \"a\") != 0; }\n";
    let source = scratch.file("program.c", text).unwrap();
    let ended = run(&arguments([&"run", &source]));
    assert_eq!(ended.status, Some(2), "{}", ended.stderr);
    assert!(ended.stderr.contains("fopen"), "{}", ended.stderr);
}

#[test]
fn constructors_run_before_main_and_destructors_after_it() {
    let scratch = scratch();
    let text = "#include <cstdio>\n#include <array>\n#include <utility>\n\
        struct Noisy { int n; explicit Noisy(int n) : n(n) { printf(\"+%d \", n); } ~Noisy() { printf(\"-%d \", n); } };\n\
        Noisy first(1), second(2);\n\
        template <class T> T twice(T v) { return v + v; }\n\
        int main() { std::array<int, 3> a{1, 2, 3}; std::swap(a[0], a[2]); int *p = new int(twice(a[0]));\n\
          printf(\"main %d %d \", *p, (int)a.size()); delete p; static Noisy late(3); return 0; }\n";
    let source = scratch.file("program.cpp", text).unwrap();
    for target in ["msp430", "riscv32", "thumbv6m"] {
        let ended = run(&arguments([&"run", &"-q", &"--target", &target, &source]));
        assert_eq!(ended.status, Some(0), "{}", ended.stderr);
        let text = String::from_utf8_lossy(&ended.stdout);
        assert_eq!(text, "+1 +2 main 6 3 +3 -3 -2 -1 ", "{target}");
    }
}

#[test]
fn sections_that_nobody_knows_are_pointed_out() {
    let text = "__attribute__((section(\".flash_log\"))) int log_entry = 1;\n\
                __attribute__((section(\".hot\"))) int hot = 1;\n#pragma LOCATION(info, 0x1880)\nint info = 1;\n\
                __attribute__((section(\".nv\"))) int kept;\n\
                int main(void) { return log_entry + hot + info + kept - 3; }";
    let ended = checked("program.c", text, &["--policy", "reactive"], 0);
    for part in [
        "section `.flash_log` (`log_entry`) is taken to be volatile, although its name looks non-volatile",
        "section `.hot` (`hot`) is taken to be volatile:",
        "`--nv section:.location.0x1880`",
    ] {
        assert!(
            ended.stderr.contains(part),
            "`{part}` is not in:\n{}",
            ended.stderr
        );
    }
    assert!(
        ended.stderr.contains("non-volatile: section:.nv"),
        "{}",
        ended.stderr
    );
}

#[test]
fn names_of_chips_and_intrinsics() {
    let text = "#include <HEADER>\n#include <stdio.h>\n\
        int main(void) { WDTCTL = WDTPW | WDTHOLD; P1OUT |= BIT0; TA0CCR0 = 100;\n\
        unsigned int *wide = (unsigned int *)&TA0CCR0; (void)wide; __delay_cycles(10); __no_operation();\n\
        printf(\"%x %x %x\", SHT0_2, DCOFSEL1, __swap_bytes(0x1234)); __bis_SR_register(LPM3_bits | GIE); return 0; }";
    for header in [
        "msp430.h",
        "msp430fr5994.h",
        "msp430g2553.h",
        "msp430x21x2.h",
        "io430.h",
    ] {
        assert_eq!(
            printed(&text.replace("HEADER", header), "", &[]),
            "200 4 3412",
            "{header}"
        );
    }
    // The old families have another reference voltage bit.
    let text = "#include <HEADER>\n#include <stdio.h>\nint main(void) { printf(\"%x\", REFON); return 0; }";
    assert_eq!(
        printed(&text.replace("HEADER", "msp430g2553.h"), "", &[]),
        "20"
    );
    assert_eq!(
        printed(&text.replace("HEADER", "msp430fr5739.h"), "", &[]),
        "1"
    );
}

#[test]
fn bitcode_says_what_it_was_compiled_for() {
    let text = "__attribute__((section(\".persistent\"))) unsigned long count = 0xfffe;\n\
        __attribute__((section(\".persistent\"))) unsigned ticks;\n\
        void SysTick_Handler(void) { ticks++; }\n\
        int main(void) { for (;;) count++; }\n";
    let scratch = scratch();
    let source = scratch.file("program.c", text).unwrap();
    // Four bytes are written at once there, and handlers are known by their names.
    for (target, torn) in [("thumbv7m-none-eabi", false), ("msp430", true)] {
        let bitcode = scratch.path().join("program.bc");
        let mut command = Command::new(native::CLANG);
        command
            .arg(format!("--target={target}"))
            .args(["-g", "-emit-llvm", "-c", "-o"])
            .arg(&bitcode)
            .arg(&source);
        native::clang(&mut command).unwrap();
        let ended = run(&arguments([&"check", &bitcode]));
        let shown = String::from_utf8_lossy(&ended.stdout) + ended.stderr.as_str();
        assert_eq!(shown.contains("error[torn-write]"), torn, "{shown}");
        let never = "`SysTick_Handler` was never called";
        assert_eq!(shown.contains(never), torn, "{shown}");
    }
}

#[test]
fn names_of_single_chips() {
    let fr2311 = "#include <msp430fr2311.h>\n#include <stdio.h>\n\
        int main(void) { CPCTL0 = CPPSEL_1 | CPNSEL_6 | CPPEN | CPNEN; CPCTL1 |= CPEN | CPMSEL; CPDACCTL |= CPDACEN;\n\
        SAC0OA |= NMUXEN + PMUXEN + PSEL_0 + NSEL_1; SAC0OA |= SACEN + OAEN; TRI0CTL |= TRIEN; CPIV_L;\n\
        printf(\"%x %x\", CPCTL0, CPIV__CPIIFG); return 0; }";
    assert_eq!(printed(fr2311, "", &["--", "-Wno-unused-value"]), "1611 4");
    let f5529 = "#include <msp430f5529.h>\n#include <stdio.h>\n\
        int main(void) { PMAPPWD = PMAPKEY; P4MAP7 = PM_TB0CCR1A; USBKEYPID = USBKEY; PMAPPWD = 0;\n\
        printf(\"%x\", USBKEYID); return 0; }";
    assert_eq!(printed(f5529, "", &[]), "9628");
}

#[test]
fn intrinsics_that_the_firmware_defines_itself() {
    let text = "#include <msp430.h>\n#include <stdio.h>\nstatic int waited;\n\
        void __delay_cycles(unsigned long n) { waited += (int)n; }\nvoid __no_operation(void) { waited++; }\n\
        int main(void) { __delay_cycles(40); __no_operation(); printf(\"%d\", waited); return 0; }";
    assert_eq!(printed(text, "", &[]), "41");
    let private = text
        .replace("void __delay", "static inline void __delay")
        .replace(
            "void __no_op",
            "static __inline__ __attribute__((always_inline)) void __no_op",
        );
    assert_eq!(printed(&private, "", &[]), "41");
    // Other types, and another kind of name; in C++ as well.
    let other = "#include <msp430.h>\n#include <stdio.h>\n\
        unsigned __swap_bytes(unsigned x) { return x + 1; }\nenum { dint = 7 };\n\
        static inline void __delay_cycles(int n) { printf(\"%d \", n); }\n\
        int main(void) { __delay_cycles(3); __enable_interrupt(); printf(\"%u %d\", __swap_bytes(4), dint); return 0; }";
    assert_eq!(printed(other, "", &[]), "3 5 7");
    // It is the program's own, whatever the library has of that name.
    let own = "#include <msp430.h>\nstatic void __delay_cycles(unsigned long n) { while (n--) __no_operation(); }\n\
        __attribute__((persistent)) unsigned count = 0;\n\
        int main(void) { for (;;) { count++; __delay_cycles(10); } }";
    let ended = checked("own.c", own, &[], 0);
    assert!(!ended.stderr.contains("never called"), "{}", ended.stderr);
    let early = "#include <stdio.h>\n#define __delay_cycles(n) printf(\"%d\", n)\n#define __no_operation()\n\
        #include <msp430.h>\nint main(void) { __no_operation(); __delay_cycles(3); return 0; }";
    assert_eq!(printed(early, "", &[]), "3");
}

#[test]
fn intrinsics_that_a_sketch_defines_itself() {
    let text = "#include <msp430.h>\n#include <stdio.h>\n\
        static inline void __delay_cycles(unsigned long n) { printf(\"%lu \", n); }\n\
        enum { dint = 7 };\n\
        int main(void) { __delay_cycles(3); printf(\"%d\", dint); return 0; }";
    let scratch = scratch();
    let source = scratch.file("program.cpp", text).unwrap();
    let ended = run(&arguments([&"run", &source]));
    let output = String::from_utf8_lossy(&ended.stdout).into_owned();
    assert_eq!(
        (output.as_str(), ended.status),
        ("3 7", Some(0)),
        "{}",
        ended.stderr
    );
}

#[test]
fn intrinsics_of_cortex_m() {
    let text = "#include <cmsis_compiler.h>\n#include <stdio.h>\n\
        static uint32_t lock;\n\
        int main(void) { uint32_t mask = __get_PRIMASK(); __disable_irq(); __DSB(); __WFI();\n\
        __asm volatile(\"MRS %0, primask\" : \"=r\"(mask)); __asm volatile(\"MSR primask, %0\" :: \"r\"(mask) : \"memory\");\n\
        __builtin_arm_dmb(15); __builtin_arm_wfi();\n\
        while (__STREXW(__LDREXW(&lock) + 1, &lock)) {} __set_PRIMASK(mask);\n\
        printf(\"%lu %u %ld %lu %lx\", (unsigned long)lock, __CLZ(1), (long)__SSAT(300, 8), (unsigned long)__USAT(-3, 8), (unsigned long)__RBIT(1));\n\
        return 0; }";
    assert_eq!(
        printed(text, "", &["--target", "thumbv7m"]),
        "1 31 127 0 80000000"
    );
}

#[test]
fn lines_of_external_interrupts() {
    let text = "#include <HEADER>\n#include <stdio.h>\n\
        int main(void) { EXTI->NAMES; printf(\"%lx %lx\", (unsigned long)(RISING), (unsigned long)GPIO_BSRR_BR_15); return 0; }";
    for (header, target, names, rising) in [
        (
            "stm32l0xx.h",
            "thumbv6m",
            "IMR |= EXTI_IMR_IM13",
            "EXTI_RTSR_RT13 | EXTI_RTSR_TR0 | EXTI_FTSR_FT1 | EXTI_FTSR_TR2 | EXTI_PR_PIF3 | EXTI_PR_PR4",
        ),
        (
            "stm32l4xx.h",
            "thumbv7m",
            "IMR1 |= EXTI_IMR1_IM7",
            "EXTI_RTSR1_RT13 | EXTI_RTSR1_RT0 | EXTI_FTSR1_FT1 | EXTI_FTSR1_FT2 | EXTI_PR1_PIF3 | EXTI_PR1_PIF4",
        ),
        (
            "stm32g0xx.h",
            "thumbv6m",
            "IMR1 |= EXTI_IMR1_IM7",
            "EXTI_RTSR1_RT13 | EXTI_RTSR1_RT0 | EXTI_FTSR1_FT1 | EXTI_FTSR1_FT2 | EXTI_RPR1_RPIF3 | EXTI_FPR1_FPIF4",
        ),
    ] {
        let text = text
            .replace("HEADER", header)
            .replace("NAMES", names)
            .replace("RISING", rising);
        assert_eq!(
            printed(&text, "", &["--target", target]),
            "201f 80000000",
            "{header}"
        );
    }
}

/// Functions that embedded libraries have and C has not; a program may as well have its own.
#[test]
fn numbers_as_text() {
    let text = "#include <stdio.h>\nchar *itoa(int, char *, int), *utoa(unsigned, char *, int), *ltoa(long, char *, int), *ultoa(unsigned long, char *, int);\n\
        int main(void) { char s[40]; printf(\"%s \", itoa(-123, s, 10)); printf(\"%s \", itoa(-1, s, 16)); printf(\"%s \", utoa(40000u, s, 10));\n\
          printf(\"%s \", ltoa(-2147483647L - 1, s, 10)); printf(\"%s \", ultoa(35, s, 36)); printf(\"%s|\", itoa(0, s, 2)); puts(itoa(7, s, 1)); return 0; }";
    assert_eq!(printed(text, "", &[]), "-123 ffff 40000 -2147483648 z 0|\n");
    let own = "#include <stdio.h>\nstatic void itoa(int n, char s[]) { s[0] = '0' + n; s[1] = 0; }\n\
        int main(void) { char s[4]; itoa(7, s); puts(s); return 0; }";
    assert_eq!(printed(own, "", &[]), "7\n");
}

/// Numbers whose bytes are written down as a vector.
#[test]
fn constants_made_of_vectors() {
    let layout = "target datalayout = \"e-m:e-p:32:32-i64:64-n32-S128\"\n";
    let text = "target triple = \"riscv32-unknown-elf\"\n\
        @v = global <4 x i8> bitcast (i32 305419896 to <4 x i8>)\n\
        @w = global i32 bitcast (<4 x i8> <i8 1, i8 2, i8 3, i8 -4> to i32)\n\
        @f = global float bitcast (<2 x i16> <i16 0, i16 16256> to float)\n\
        @s = constant [17 x i8] c\"%d %d %.1f %d %d\\00\"\ndeclare i32 @printf(ptr, ...)\n\
        define i32 @main() {\n  %a = load i32, ptr @v\n  %b = load i32, ptr @w\n  %c = load float, ptr @f\n\
          %d = fpext float %c to double\n  %e = add i32 1, bitcast (<2 x i16> <i16 2, i16 1> to i32)\n\
          %g = extractelement <2 x i16> bitcast (i32 131075 to <2 x i16>), i32 1\n  %h = zext i16 %g to i32\n\
          call i32 (ptr, ...) @printf(ptr @s, i32 %a, i32 %b, double %d, i32 %e, i32 %h)\n  ret i32 0\n}\n";
    let scratch = scratch();
    let module = scratch.file("nothing.ll", text).unwrap();
    refused_with(&arguments([&"run", &module]), &["`target datalayout`"]);
    let module = scratch
        .file("constants.ll", format!("{layout}{text}"))
        .unwrap();
    let ended = run(&arguments([&"run", &"-q", &module]));
    assert_eq!(ended.status, Some(0), "{}", ended.stderr);
    let printed = String::from_utf8_lossy(&ended.stdout);
    assert_eq!(printed, "305419896 -66911743 1.0 65539 2");
}

/// Headers of vendors that are built in do not have everything: what to do is said.
#[test]
fn names_that_a_built_in_header_does_not_have() {
    let scratch = scratch();
    let text = "#include <stm32l0xx.h>\nint main(void) { return EXTI_NO_SUCH_BIT; }";
    refused_with(
        &arguments([&"check", &program(&scratch, text)]),
        &[
            "the `<stm32l0xx.h>` that is built in",
            "-DEXTI_NO_SUCH_BIT=1",
        ],
    );
}

/// Sketches for other chips than an AVR, and what else <avr/io.h> has.
#[test]
fn headers_of_chips_go_together() {
    let scratch = scratch();
    let compiled = |name: &str, text: &str, status: i32| {
        let source = scratch.path().join(name);
        std::fs::write(&source, text).unwrap();
        let ended = run(&arguments([&"check", &source]));
        assert_eq!(ended.status, Some(status), "{text}{}", ended.stderr);
        ended.stderr
    };
    for header in ["msp430.h", "Energia.h"] {
        let text = format!(
            "#include <{header}>\n#pragma PERSISTENT(count)\nunsigned count = 0;\n\
             void setup() {{ WDTCTL = WDTPW | WDTHOLD; USISR = 500; pinMode(2, OUTPUT); }}\n\
             void loop() {{ P1OUT ^= BIT0; count++; delay(10); }}\n"
        );
        compiled("blink.ino", &text, 0);
    }
    let wakes = "RTC_NOINIT_ATTR int last;\nRTC_DATA_ATTR int rounds;\n\
                 void setup() { last = 1; rounds++; Serial.println(rounds);\n\
                 esp_sleep_enable_timer_wakeup(5000000ULL); esp_deep_sleep_start(); }\nvoid loop() {}\n";
    let told = compiled("wakes.ino", wakes, 2);
    assert!(told.contains("`.rtc.data`"), "{told}");
    let bits = "#include <avr/io.h>\n#include <avr/eeprom.h>\nuint8_t EEMEM boots;\n\
                int main(void) { _SFR_BYTE(DDRB) |= _BV(0); _SFR_WORD(OCR1A) = 500; _SFR_IO8(0x05) = 1; _SFR_MEM8(0x25) = 2;\n\
                eeprom_update_byte(&boots, eeprom_read_byte(&boots) + 1); for (;;) _SFR_BYTE(PORTB) ^= 1; }\n";
    compiled("bits.c", bits, 0);
}
