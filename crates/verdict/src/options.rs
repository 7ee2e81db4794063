//! What a check looks for, and how long.

use brownout_diag::Rule;
use brownout_flow::Restart;
use brownout_solver::Solver;

/// Makes a solver, for those who can start one.
pub type MakeSolver<'m> = &'m dyn Fn() -> Box<dyn Solver>;

/// How long to search for executions that make suspicions certain.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Effort {
    /// For what static analysis suspects and no execution has contradicted.
    #[default]
    Full,
    /// For what one execution took no harm from, and where somebody else knows more.
    Slight,
}

/// What a check looks for, and how long.
#[derive(Clone)]
pub struct Options<'o> {
    /// Only these rules; all of them if there are none.
    pub only: Vec<Rule>,
    /// Not these rules.
    pub skip: Vec<Rule>,
    /// How often power fails between two checkpoints, if the caller wants to say: three times otherwise, and once in
    /// long executions.
    pub failures: Option<u32>,
    /// Threads; as many as there are cores if nobody says.
    pub jobs: Option<usize>,
    /// The continuous execution is given up after this many instructions.
    pub max_instructions: u64,
    /// Whether power failures are emulated.
    pub evaluate: bool,
    /// Whether nothing is executed at all.
    pub only_static: bool,
    /// Where static analysis lets execution go on after a power failure, if not as the policy says.
    pub restart_at: Option<Restart>,
    /// A solver that refutes what static analysis suspects.
    pub refute: Option<MakeSolver<'o>>,
    /// How long suspicions that no execution has contradicted are searched for.
    pub effort: Effort,
    /// Where a proof has failed: values that inputs are tried with before others. All that is possible is
    /// searched for then, whatever decides about it.
    pub suggested: Option<Vec<u64>>,
}

impl Default for Options<'_> {
    fn default() -> Self {
        Self {
            only: Vec::new(),
            skip: Vec::new(),
            failures: None,
            jobs: None,
            max_instructions: 1_000_000_000,
            evaluate: true,
            only_static: false,
            restart_at: None,
            refute: None,
            effort: Effort::Full,
            suggested: None,
        }
    }
}

impl Options<'_> {
    /// Whether a rule is looked for.
    pub fn looks_for(&self, rule: Rule) -> bool {
        (self.only.is_empty() || self.only.contains(&rule)) && !self.skip.contains(&rule)
    }

    /// How many threads to use.
    pub fn jobs(&self) -> usize {
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        // More threads than this only wait for one another.
        let most = 4 * cores.max(4);
        self.jobs.unwrap_or(cores).min(most)
    }
}
