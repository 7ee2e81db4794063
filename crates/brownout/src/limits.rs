//! What a command may take: time, memory, and the user's patience.
//!
//! Analyses ask again and again whether they should stop, and then tell what they have found. What
//! cannot be asked (a compiler, libLLVM, a report that is being written) is ended from here: a thread
//! looks at the clock and at the memory of the process, and ends the process with one message and
//! exit code 2. Compilers and other children get the same limit of memory and, solvers as well, are ended with the
//! command.
//!
//! **Invariant:** a command of `--time-limit` S ends after 2 S + 10 s, and takes a quarter more memory
//! than `--memory-limit` and 64 MiB at most.

use std::ffi::{c_char, c_void};
use std::io::{self, IsTerminal};
use std::os::unix::process::CommandExt as _;
use std::process::{Child, Command};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use rustix::process::{Pid, Resource, Rlimit, Signal};

/// How often somebody wanted it to end: Ctrl-C, or the signal of schedulers, `SIGTERM`.
static PRESSED: AtomicUsize = AtomicUsize::new(0);

/// When the command has to be done.
static DEADLINES: OnceLock<Deadlines> = OnceLock::new();

/// How many bytes the process may have; none if nobody looks.
static MEMORY: OnceLock<u64> = OnceLock::new();

/// How many bytes it had when somebody looked.
static USED: AtomicU64 = AtomicU64::new(0);

/// Whether it has more than it may.
static FULL: AtomicBool = AtomicBool::new(false);

/// Whether the program has been read: from then on analyses ask whether to stop.
static LOADED: AtomicBool = AtomicBool::new(false);

#[derive(Clone, Copy)]
struct Deadlines {
    /// Of static analysis.
    suspicions: Instant,
    /// Of analyses, and of solvers that work for them.
    analyses: Instant,
    /// Of compilers and other children.
    children: Instant,
    /// Of what does not ask.
    everything: Instant,
}

/// Compilers and other children get this long in any case: a short limit is meant for what comes after
/// them, and a result needs them.
const GRACE: Duration = Duration::from_secs(10);

/// How long whoever asks may take to hear that the command is over.
const ANSWER: Duration = Duration::from_millis(500);

/// Signals that follow each other so soon are one.
const SAME_WISH: Duration = Duration::from_millis(200);

/// How often somebody looks.
const TICK: Duration = Duration::from_millis(20);

/// The most memory that a command takes unless the user says more.
const MOST_MEMORY: u64 = 4 << 30;

/// A command is over before it has anything to tell; [`why_over`] says why.
pub(crate) struct Over;

/// Why a command is ended.
#[derive(Clone, Copy)]
enum Reason {
    Time,
    Memory,
    User,
}

/// Lets a command that began `begun` take so many seconds, its compilers and other children included.
pub(crate) fn time(time_limit: Option<f64>, begun: Instant) {
    let limit = time_limit.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
    let after = |duration: Duration| begun.checked_add(duration);
    let deadlines = limit.and_then(|limit| {
        Some(Deadlines {
            suspicions: after(limit / 2)?,
            analyses: after(limit)?,
            children: after(limit.max(GRACE))?,
            everything: after(limit.checked_mul(2)?.checked_add(GRACE)?)?,
        })
    });
    if let Some(deadlines) = deadlines {
        // A process has one command.
        let _ = DEADLINES.set(deadlines);
    }
}

/// Lets the user end the command with Ctrl-C, and whoever started it with `SIGTERM`: once for what was found so far, twice for its end.
pub(crate) fn keyboard() {
    // Without the handler Ctrl-C ends the process as usual: nothing is lost but the partial result.
    let mut last: Option<Instant> = None;
    let _ = ctrlc::set_handler(move || {
        // `timeout` signals the process and then its group, which is one wish and not two.
        let is_same = last.is_some_and(|last| last.elapsed() < SAME_WISH);
        last = Some(Instant::now());
        if !is_same {
            PRESSED.fetch_add(1, Ordering::Relaxed);
        }
    });
}

/// Lets the command take so many bytes, and looks after all limits from now on.
pub(crate) fn memory(limit: Option<u64>) -> io::Result<u64> {
    let limit = limit.unwrap_or_else(half_of_memory);
    if MEMORY.set(limit).is_ok() {
        std::thread::Builder::new().spawn(watch)?;
    }
    Ok(limit)
}

/// The program has been read: from now on whoever works asks whether to stop. A program that is too
/// large already is told here, however seldom somebody looked while it was read.
pub(crate) fn loaded() -> Result<(), Over> {
    LOADED.store(true, Ordering::Relaxed);
    match is_overfull() {
        true => {
            FULL.store(true, Ordering::Relaxed);
            Err(Over)
        }
        false => Ok(()),
    }
}

/// Whether Ctrl-C was pressed.
pub(crate) fn is_pressed() -> bool {
    PRESSED.load(Ordering::Relaxed) > 0
}

/// Whether the process has more memory than it may.
pub(crate) fn is_full() -> bool {
    FULL.load(Ordering::Relaxed)
}

/// Ends the process if it has more memory than it may, at this moment: whatever a child died of then is not
/// worth telling.
pub(crate) fn end_if_full() {
    if is_overfull() {
        end(Reason::Memory);
    }
}

fn is_overfull() -> bool {
    MEMORY.get().is_some_and(|&memory| resident() > memory)
}

/// Whether children have to come to their end.
pub(crate) fn is_over() -> bool {
    let late = (DEADLINES.get()).is_some_and(|deadlines| Instant::now() >= deadlines.children);
    late || is_pressed() || is_full()
}

/// Whether children have to come to their end, now or in a moment: a signal that has ended one of them is on its way
/// to this process as well.
pub(crate) fn comes_to_be_over() -> bool {
    let begun = Instant::now();
    while !is_over() && begun.elapsed() < ANSWER {
        std::thread::sleep(TICK);
    }
    is_over()
}

/// Whether analyses have to come to their end, and solvers with them.
pub(crate) fn is_up() -> bool {
    let late = (DEADLINES.get()).is_some_and(|deadlines| Instant::now() >= deadlines.analyses);
    late || is_pressed() || is_full()
}

/// Whether static analysis has to come to its end. It gets half of the time and half of the memory: executions,
/// which confirm what it suspects, get the rest.
pub(crate) fn is_half_up() -> bool {
    let most = MEMORY.get().map_or(u64::MAX, |memory| memory / 2);
    is_half_late() || is_pressed() || is_full() || USED.load(Ordering::Relaxed) > most
}

fn is_half_late() -> bool {
    (DEADLINES.get()).is_some_and(|deadlines| Instant::now() >= deadlines.suspicions)
}

/// What there is to say of static analysis that had to come to its end before it had a result.
pub(crate) fn why_half_up() -> &'static str {
    // Memory that it took is free again by now.
    match (is_pressed(), is_half_late()) {
        (true, _) => "static analysis was stopped",
        (false, true) => "static analysis was stopped by half of `--time-limit`",
        (false, false) => "static analysis was stopped by half of `--memory-limit`",
    }
}

/// Ties a child to this process: it ends with it, however that ends, and with the thread that starts it.
pub(crate) fn tie(command: &mut Command) {
    let parent = rustix::process::getpid();
    let tied = move || {
        rustix::process::set_parent_process_death_signal(Some(Signal::KILL))?;
        // Whoever was killed before that does not tell.
        match rustix::process::getppid() == Some(parent) {
            true => Ok(()),
            false => Err(io::Error::from(io::ErrorKind::NotFound)),
        }
    };
    // SAFETY: the new process makes two system calls here, and takes neither memory nor locks.
    unsafe { command.pre_exec(tied) };
}

/// Holds a child to the limit of memory as well.
pub(crate) fn hold(child: &Child) {
    if let (Some(&limit), Some(pid)) = (MEMORY.get(), pid(child.id())) {
        let limit = Rlimit {
            current: Some(limit),
            maximum: Some(limit),
        };
        // A system without this limit has none.
        let _ = rustix::process::prlimit(Some(pid), Resource::Data, limit);
    }
}

fn pid(number: u32) -> Option<Pid> {
    Pid::from_raw(i32::try_from(number).ok()?)
}

/// Looks at clock, memory and keyboard as long as the process lives.
fn watch() {
    let (mut over_since, mut pressed_since): (Option<Instant>, Option<Instant>) = (None, None);
    let memory = MEMORY.get().copied().unwrap_or(u64::MAX);
    let most = memory.saturating_add(memory / 4).saturating_add(64 << 20);
    loop {
        std::thread::sleep(TICK);
        let used = resident();
        USED.store(used, Ordering::Relaxed);
        if used > memory {
            FULL.store(true, Ordering::Relaxed);
        }
        let late = DEADLINES.get().copied();
        let late = |which: fn(Deadlines) -> Instant| {
            late.is_some_and(|deadlines| Instant::now() >= which(deadlines))
        };
        // Who is asked to end and does not hear is not waited for for ever.
        let is_deaf = is_pressed() && {
            let since = pressed_since.get_or_insert_with(Instant::now);
            since.elapsed() >= GRACE
        };
        if PRESSED.load(Ordering::Relaxed) > 1 || is_deaf {
            end(Reason::User);
        }
        if used > most {
            end(Reason::Memory);
        }
        if late(|deadlines| deadlines.everything) {
            end(Reason::Time);
        }
        if LOADED.load(Ordering::Relaxed) || !is_over() {
            continue;
        }
        // Whoever waits for a compiler ends it, and says so; libLLVM does not ask.
        let since = over_since.get_or_insert_with(Instant::now);
        if since.elapsed() >= ANSWER {
            end(match (is_full(), is_pressed()) {
                (true, _) => Reason::Memory,
                (false, true) => Reason::User,
                (false, false) => Reason::Time,
            });
        }
    }
}

/// Ends the process in the middle of whatever it does, and its children with it.
fn end(reason: Reason) -> ! {
    let text = match reason {
        Reason::Time => "stopped by `--time-limit` before there was a result",
        Reason::Memory => {
            "more memory is needed than the command may take (`--memory-limit`); there is no result"
        }
        Reason::User => "stopped before there was a result",
    };
    let clear = match io::stderr().is_terminal() {
        true => "\r\x1b[2K",
        false => "",
    };
    last_words(&format!("{clear}error: {text}\n"))
}

/// What there is to say of a command that ended before its program was read.
pub(crate) fn why_over() -> &'static str {
    match (is_full(), is_pressed()) {
        (true, _) => "stopped by `--memory-limit` before the program was compiled and read",
        (false, true) => "stopped before the program was compiled and read",
        (false, false) => "stopped by `--time-limit` before the program was compiled and read",
    }
}

/// Lets libraries, libLLVM above all, end the process with one message, too, when there is no more
/// memory: exceptions of C++ would end it with a signal.
pub(crate) fn end_without_memory() {
    // A thread that has begun and gets no memory for its stack of signals panics in the standard library.
    let usual = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |panic| {
        let message = panic.payload_as_str().unwrap_or_default();
        if message.starts_with("failed to allocate an alternative stack") {
            out_of_memory();
        }
        usual(panic);
    }));
    extern "C" fn new_handler() {
        out_of_memory();
    }
    extern "C" fn error_handler(_: *mut c_void, _: *const c_char, _: bool) {
        out_of_memory();
    }
    // `std::set_new_handler` and `llvm::install_bad_alloc_error_handler`, which have no name in C. A
    // library without them keeps its own end.
    // SAFETY: the names contain the types of the arguments, and these are the same types; the
    // functions keep the addresses of functions that live as long as the process.
    unsafe {
        let set = libc::dlsym(libc::RTLD_DEFAULT, c"_ZSt15set_new_handlerPFvvE".as_ptr());
        if !set.is_null() {
            type Set = unsafe extern "C" fn(extern "C" fn()) -> *mut c_void;
            std::mem::transmute::<*mut c_void, Set>(set)(new_handler);
        }
        let name = c"_ZN4llvm31install_bad_alloc_error_handlerEPFvPvPKcbES0_";
        let install = libc::dlsym(libc::RTLD_DEFAULT, name.as_ptr());
        if !install.is_null() {
            type Handler = extern "C" fn(*mut c_void, *const c_char, bool);
            type Install = unsafe extern "C" fn(Handler, *mut c_void);
            std::mem::transmute::<*mut c_void, Install>(install)(
                error_handler,
                std::ptr::null_mut(),
            );
        }
    }
}

/// Ends the process because it cannot have any more memory. Nothing here asks for some.
pub fn out_of_memory() -> ! {
    last_words("error: out of memory: the system gives no more, and there is no result\n")
}

/// Says something and ends the process with exit code 2, whatever other threads are doing.
fn last_words(text: &str) -> ! {
    /// Several threads may come to their end at the same time: one of them says so.
    static SAID: AtomicBool = AtomicBool::new(false);
    while SAID.swap(true, Ordering::Relaxed) {
        // SAFETY: this takes no arguments, and returns after a signal.
        unsafe { libc::pause() };
    }
    // SAFETY: the text lives until `write` returns; whether anybody reads it does not matter. `_exit`
    // takes no pointers and does not return. Destructors, those of libLLVM among them, must not run:
    // other threads still use what they destroy.
    unsafe {
        libc::write(libc::STDERR_FILENO, text.as_ptr().cast(), text.len());
        libc::_exit(2)
    }
}

/// How many bytes of memory the process has; zero where the system does not say.
fn resident() -> u64 {
    kilobytes("/proc/self/status", "VmRSS:").map_or(0, |kilobytes| kilobytes << 10)
}

/// Half of the machine's memory, as far as that is known.
fn half_of_memory() -> u64 {
    let total = kilobytes("/proc/meminfo", "MemTotal:");
    total.map_or(MOST_MEMORY, |kilobytes| (kilobytes << 9).min(MOST_MEMORY))
}

/// A number of kilobytes in a table of the system.
fn kilobytes(path: &str, key: &str) -> Option<u64> {
    let text = std::fs::read_to_string(path).ok()?;
    text.lines().find_map(|line| {
        let number = line.strip_prefix(key)?.trim().strip_suffix("kB")?;
        number.trim().parse().ok()
    })
}
