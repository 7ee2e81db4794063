//! The options that let power fail.

use std::path::PathBuf;

use clap::Args;

/// Options that let power fail.
#[derive(Args, Debug)]
pub struct FailureOptions {
    /// Power fails when execution gets to this line, the first or the Nth time; can be repeated
    #[arg(long, value_name = "FILE:LINE[:N]", value_parser = AtLine::parse)]
    pub fail_at: Vec<AtLine>,

    /// Power fails after this many instructions; can be repeated
    #[arg(long, value_name = "N", value_delimiter = ',')]
    pub fail_after: Vec<u64>,

    /// Power fails again and again: after 1, 2, 3, … (linear) or 1, 2, 4, … (log) writes to
    /// non-volatile memory, at random (random:SEED), or once after every write, in a run for each.
    /// Programs with a flash part: operations are counted, and torn; `exhaustive:K` tries up to K
    /// failures everywhere
    #[arg(long, value_name = "linear|log|random:SEED|every-write|exhaustive[:K]", value_parser = Rhythm::parse,
          conflicts_with_all = ["fail_at", "fail_after"])]
    pub schedule: Option<Rhythm>,

    /// Power fails as a supply has it: a CSV file with `time` (s) and `voltage` (V) or `power` (W),
    /// with the capacitor of `[energy]`
    #[arg(long, value_name = "FILE", conflicts_with_all = ["fail_at", "fail_after", "schedule"])]
    pub power: Option<PathBuf>,
}

impl FailureOptions {
    /// Whether power fails at all.
    pub fn any(&self) -> bool {
        let once = self.fail_at.is_empty() && self.fail_after.is_empty();
        !once || self.schedule.is_some() || self.power.is_some()
    }
}

/// `FILE:LINE[:N]`.
#[derive(Debug, Clone)]
pub struct AtLine {
    /// The file; folders can be left out.
    pub file: String,
    /// The line.
    pub line: u32,
    /// The how-manieth time.
    pub times: u64,
}

impl AtLine {
    fn parse(text: &str) -> Result<Self, String> {
        let wrong = || "must be FILE:LINE or FILE:LINE:N, both numbers from 1 on".to_owned();
        let mut parts = text.rsplitn(3, ':');
        let (last, middle) = (parts.next(), parts.next().ok_or_else(wrong)?);
        let last: u64 = last.and_then(|last| last.parse().ok()).ok_or_else(wrong)?;
        let (file, line, times) = match (parts.next(), middle.parse::<u64>()) {
            (Some(file), Ok(line)) => (file.to_owned(), line, last),
            (Some(file), Err(_)) => (format!("{file}:{middle}"), last, 1),
            (None, _) => (middle.to_owned(), last, 1),
        };
        let line = u32::try_from(line).map_err(|_| wrong())?;
        if line == 0 || times == 0 || file.is_empty() {
            return Err(wrong());
        }
        Ok(Self { file, line, times })
    }
}

/// What makes power fail again and again.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Rhythm {
    /// After 1, 2, 3, … writes to non-volatile memory.
    Linear,
    /// After 1, 2, 4, … writes.
    Log,
    /// At random.
    Random {
        /// Which random numbers.
        seed: u64,
    },
    /// Once after every write, in an execution for each.
    EveryWrite,
    /// Everywhere, again and again.
    Exhaustive {
        /// So many times; nothing: as the configuration says.
        failures: Option<u32>,
    },
}

impl Rhythm {
    fn parse(text: &str) -> Result<Self, String> {
        if let Some(failures) = text.strip_prefix("exhaustive:") {
            let failures = failures.parse().map(Some);
            let failures = failures
                .map_err(|_| "must say how many failures, as in exhaustive:2".to_owned())?;
            return Ok(Self::Exhaustive { failures });
        }
        match (text, text.strip_prefix("random:").map(str::parse)) {
            ("exhaustive", _) => Ok(Self::Exhaustive { failures: None }),
            ("linear", _) => Ok(Self::Linear),
            ("log", _) => Ok(Self::Log),
            ("every-write", _) => Ok(Self::EveryWrite),
            (_, Some(Ok(seed))) => Ok(Self::Random { seed }),
            _ => Err(
                "must be linear, log, random:SEED (a number), every-write or exhaustive:K"
                    .to_owned(),
            ),
        }
    }
}
