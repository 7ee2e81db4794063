//! How far an analysis has come, for people who watch, and their wish to stop it.
//!
//! Something is drawn on stderr only if that is a terminal, the user does not want it quiet, and the
//! work takes longer than a second. It is gone when results are printed.

use std::io::IsTerminal;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use brownout_explore::{Monitor, Stage};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::limits;

/// Work that takes no longer than this is not worth a bar.
const PATIENCE: Duration = Duration::from_secs(1);
/// How often it is drawn.
const TICK: Duration = Duration::from_millis(100);

/// Watches over one command.
pub(crate) struct Progress {
    begun: Instant,
    limit: Option<Duration>,
    bar: ProgressBar,
    /// Whether somebody can see it.
    wanted: bool,
    shown: AtomicBool,
}

impl Progress {
    /// Watches over a command that began `begun` and may take so many seconds.
    pub(crate) fn new(time_limit: Option<f64>, quiet: bool, begun: Instant) -> Self {
        limits::keyboard();
        limits::time(time_limit, begun);
        Self {
            begun,
            limit: time_limit.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok()),
            bar: ProgressBar::with_draw_target(None, ProgressDrawTarget::hidden()),
            wanted: !quiet && std::io::stderr().is_terminal(),
            shown: AtomicBool::new(false),
        }
    }

    /// When the command began.
    pub(crate) fn begun(&self) -> Instant {
        self.begun
    }

    /// Shows how many states are known and were booted.
    pub(crate) fn states(&self, states: u64, booted: u64, failures: u32) {
        let template = format!(
            "{{spinner}} {{human_pos}} of {{human_len}} states booted, {{per_sec}}, {failures} failures, {{eta}} left or more"
        );
        if let Ok(style) = ProgressStyle::with_template(&template) {
            self.bar.set_style(style);
        }
        self.bar.set_length(states);
        self.bar.set_position(booted);
        self.show();
    }

    fn show(&self) {
        let show = self.wanted && self.begun.elapsed() >= PATIENCE;
        if show && !self.shown.swap(true, Ordering::Relaxed) {
            self.bar.set_draw_target(ProgressDrawTarget::stderr());
            self.bar.enable_steady_tick(TICK);
        }
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.end();
    }
}

impl Monitor for Progress {
    fn is_interrupted(&self) -> bool {
        self.show();
        let over = |limit| self.begun.elapsed() >= limit;
        limits::is_pressed() || limits::is_full() || self.limit.is_some_and(over)
    }

    fn begin(&self, stage: Stage, total: Option<u64>) {
        let (verb, things) = match stage {
            Stage::Locating => ("locating", "instructions"),
            Stage::Evaluating => ("emulating", "power failures"),
            Stage::Exploring => ("exploring", "windows"),
            Stage::Mending => ("trying what would help", "instructions"),
            Stage::BruteForce => ("brute force", "power failures"),
        };
        let template = match total {
            Some(_) => format!(
                "{verb} [{{bar:30}}] {{human_pos}}/{{human_len}} {things}, {{per_sec}}, {{eta}} left"
            ),
            None => format!("{{spinner}} {verb}: {{human_pos}} {things}, {{per_sec}}"),
        };
        if let Ok(style) = ProgressStyle::with_template(&template) {
            self.bar.set_style(style.progress_chars("=> "));
        }
        self.bar.reset();
        match total {
            Some(total) => self.bar.set_length(total),
            None => self.bar.unset_length(),
        }
        self.show();
    }

    fn advance(&self, steps: u64) {
        self.bar.inc(steps);
        self.show();
    }

    /// Takes it off the terminal.
    fn end(&self) {
        self.bar.finish_and_clear();
    }
}
