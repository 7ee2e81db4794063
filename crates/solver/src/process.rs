//! Any SMT-LIB 2 solver in a process of its own, such as `z3 -in`.
//!
//! **Invariants**: a question that takes too long, be it to read it, ends the process; the next one starts another
//! and tells it again what holds. Whatever is not exactly `unsat` is never taken for it: a solver
//! that complains about anything it was told is not believed any more.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread;
use std::time::{Duration, Instant};

use crate::smtlib::{PREAMBLE, Script};
use crate::terms::{Term, Terms};
use crate::{Answer, Limits, Solver};

/// How long an answer is waited for at a stretch.
const PATIENCE: Duration = Duration::from_millis(50);

/// So many bytes of free memory are kept by the solver.
const KEPT_MEMORY: &str = "268435456";

/// A solver in another process.
#[derive(Debug)]
pub struct Process {
    command: Vec<String>,
    limits: Limits,
    /// Whether nothing is to be asked any more.
    is_over: fn() -> bool,
    /// Makes the command ready to be started.
    prepare: fn(&mut Command),
    script: Script,
    running: Option<Running>,
}

#[derive(Debug)]
struct Running {
    child: Child,
    /// What it is told, by a thread that waits while the solver reads slowly.
    input: Sender<String>,
    lines: Receiver<String>,
}

impl Drop for Running {
    fn drop(&mut self) {
        // It may have ended by itself.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Process {
    /// A solver that is started by a command and its arguments.
    pub fn new(command: Vec<String>, limits: Limits) -> Self {
        Self {
            command,
            limits,
            is_over: || false,
            prepare: |_| {},
            script: Script::default(),
            running: None,
        }
    }

    /// As soon as `is_over`, nothing is waited for and nothing is asked any more.
    #[must_use]
    pub fn until(self, is_over: fn() -> bool) -> Self {
        Self { is_over, ..self }
    }

    /// Lets `prepare` say how the process is started.
    #[must_use]
    pub fn prepared(self, prepare: fn(&mut Command)) -> Self {
        Self { prepare, ..self }
    }

    /// Whether the command can be started and answers.
    pub fn answers(&mut self) -> Result<(), String> {
        match self.check() {
            Answer::Sat => Ok(()),
            Answer::Unsat => Err("it answers wrongly".to_owned()),
            Answer::Unknown(why) => Err(why),
        }
    }

    fn start(&self) -> Result<Running, String> {
        let Some((program, arguments)) = self.command.split_first() else {
            return Err("no solver was named".to_owned());
        };
        // The shell sets the limit of memory and becomes the solver.
        let kilobytes = (self.limits.memory / 1024).to_string();
        let mut command = Command::new("/bin/sh");
        command
            .args([
                "-c",
                "ulimit -v \"$1\"; shift; exec \"$@\"",
                "sh",
                &kilobytes,
                program,
            ])
            .args(arguments)
            // What it gives back it needs again for the next question.
            .env("MALLOC_TRIM_THRESHOLD_", KEPT_MEMORY)
            .env("MALLOC_MMAP_THRESHOLD_", KEPT_MEMORY)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null());
        (self.prepare)(&mut command);
        let mut child = command
            .spawn()
            .map_err(|error| format!("`{program}` does not start: {error}"))?;
        let (Some(input), Some(output)) = (child.stdin.take(), child.stdout.take()) else {
            return Err(format!("`{program}` has no pipes"));
        };
        let (sender, lines) = channel();
        let reader = thread::Builder::new().spawn(move || {
            for line in BufReader::new(output).lines().map_while(Result::ok) {
                if sender.send(line).is_err() {
                    break;
                }
            }
        });
        let (told, texts) = channel();
        let writer = thread::Builder::new().spawn(move || tell_all(input, &texts));
        if let Err(error) = reader.and(writer) {
            // It may have ended by itself meanwhile.
            let _ = child.kill();
            let _ = child.wait();
            return Err(format!("`{program}` cannot be listened to: {error}"));
        }
        Ok(Running {
            child,
            input: told,
            lines,
        })
    }

    /// The process, with all that holds told to it.
    fn running(&mut self) -> Result<&mut Running, String> {
        if self.running.is_none() {
            let running = self.start()?;
            let text = format!("{PREAMBLE}{}", self.script.text());
            write(&running.input, &text)?;
            self.running = Some(running);
        }
        self.running.as_mut().ok_or_else(|| "no process".to_owned())
    }

    fn tell(&mut self, text: &str) {
        if let Some(running) = &mut self.running
            && write(&running.input, text).is_err()
        {
            // The next question starts another.
            self.running = None;
        }
    }

    /// Asks, and reads one line of answer.
    fn ask(&mut self, question: &str) -> Result<String, String> {
        let (time, is_over) = (self.limits.time, self.is_over);
        let stopped = || Err("stopped before there was an answer".to_owned());
        if is_over() {
            return stopped();
        }
        let running = self.running()?;
        write(&running.input, question)?;
        let begun = Instant::now();
        let answer = loop {
            let left = time.saturating_sub(begun.elapsed());
            let answer = running.lines.recv_timeout(left.min(PATIENCE));
            match answer {
                Err(RecvTimeoutError::Timeout) if is_over() => return stopped(),
                Err(RecvTimeoutError::Timeout) if begun.elapsed() < time => {}
                answer => break answer,
            }
        };
        match answer {
            Ok(line) => Ok(line.trim().to_owned()),
            Err(RecvTimeoutError::Timeout) => Err(format!("no answer within {time:?}")),
            Err(RecvTimeoutError::Disconnected) => {
                Err("the solver ended (out of memory, or not a solver)".to_owned())
            }
        }
    }
}

/// Hands a text to the thread that writes.
fn write(input: &Sender<String>, text: &str) -> Result<(), String> {
    let done = input.send(text.to_owned());
    done.map_err(|_| "the solver does not listen".to_owned())
}

/// Writes texts until there are no more, or nobody reads them.
fn tell_all(mut input: ChildStdin, texts: &Receiver<String>) {
    while let Ok(text) = texts.recv() {
        let done = input
            .write_all(text.as_bytes())
            .and_then(|()| input.flush());
        if done.is_err() {
            return;
        }
    }
}

impl Solver for Process {
    fn push(&mut self) {
        // Solvers are at their best when told that nothing will be taken back: a level above nothing
        // is begun by forgetting everything.
        let bare = self.script.is_bare();
        let text = self.script.push();
        match bare {
            true => self.tell(&format!("(reset)\n{PREAMBLE}")),
            false => self.tell(&text),
        }
    }

    fn pop(&mut self) {
        let text = self.script.pop();
        match self.script.is_bare() {
            true => self.tell(&format!("(reset)\n{PREAMBLE}")),
            false => self.tell(&text),
        }
    }

    fn assert(&mut self, terms: &Terms, term: Term) {
        let text = self.script.assert(terms, term);
        self.tell(&text);
    }

    fn check(&mut self) -> Answer {
        match self.ask("(check-sat)\n") {
            Ok(line) if line == "sat" => Answer::Sat,
            Ok(line) if line == "unsat" => Answer::Unsat,
            Ok(line) if line == "unknown" => Answer::Unknown("the solver does not know".to_owned()),
            Ok(line) => {
                self.running = None;
                Answer::Unknown(format!("the solver says `{line}`"))
            }
            Err(why) => {
                self.running = None;
                Answer::Unknown(why)
            }
        }
    }

    fn value(&mut self, terms: &Terms, term: Term) -> Option<u128> {
        if let Some(value) = terms.value(term) {
            return Some(value);
        }
        let question = self.script.value(terms, term)?;
        let line = self.ask(&question).ok()?;
        parse_value(&line)
    }
}

/// The value in `((t7 #x2a))`.
fn parse_value(line: &str) -> Option<u128> {
    let value = line.trim_end_matches(')').rsplit(' ').next()?;
    if let Some(digits) = value.strip_prefix("#x") {
        u128::from_str_radix(digits, 16).ok()
    } else if let Some(digits) = value.strip_prefix("#b") {
        u128::from_str_radix(digits, 2).ok()
    } else {
        None
    }
}
