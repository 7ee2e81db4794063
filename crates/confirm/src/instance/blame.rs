//! What is to blame for harm: a finding is about one branch, or about one write.
//!
//! Harm that some execution does counts for a finding only if the finding's own branch is executed and
//! decides otherwise in one that failed than in the last attempt, or than without failures (SEMANTICS
//! §3.6), or if power fails right after the finding's own write (§2, cause).

use std::collections::BTreeSet;
use std::ops::{ControlFlow, Range};

use brownout_ir::Origin;
use brownout_vm::{Image, Moment, Observer};

use super::Explorer;
use super::left::Remains;
use crate::search::Blame;
use crate::tour::{AtCheckpoints, Reading, contains};

impl Explorer<'_, '_> {
    /// Executes the attempts once more and looks whether what should be to blame is; if a write is, which
    /// one, and the attempts with the failure right before it.
    pub(super) fn blame(
        &mut self,
        blame: &Blame,
        remains: &Remains,
        again: &[Reading],
    ) -> Option<Option<(u32, Remains)>> {
        let operations = match blame {
            Blame::Any => return Some(None),
            Blame::Branch(operations) | Blame::Write(operations) => operations,
        };
        std::mem::swap(&mut self.machine, &mut self.calm);
        let start = self.start.clone();
        self.machine.rollback(&start);
        let mut failed = Vec::new();
        for attempt in &remains.failed {
            self.force(attempt.reads());
            failed.push(self.conduct(operations, AtCheckpoints::Pass, attempt.failure));
            self.restart(attempt);
        }
        self.force(again);
        let (at_checkpoints, budget) = self.extent();
        let until = self.machine.now().saturating_add(budget);
        let last = self.conduct(operations, at_checkpoints, until);
        self.machine.rollback(&start);
        self.force(again);
        let until = self.machine.now().saturating_add(budget);
        let continuous = self.conduct(operations, at_checkpoints, until);
        std::mem::swap(&mut self.machine, &mut self.calm);
        match blame {
            Blame::Any => Some(None),
            Blame::Branch(_) => {
                let decides_otherwise = |one: &Conduct, other: &Conduct| {
                    let mut ways = one.ways.iter().zip(&other.ways);
                    ways.any(|(one, other)| one != other)
                };
                let mut pairs = failed
                    .iter()
                    .flat_map(|failed| [(failed, &last), (failed, &continuous)]);
                pairs
                    .any(|(one, other)| decides_otherwise(one, other))
                    .then_some(None)
            }
            Blame::Write(_) => {
                let writes = failed.iter().zip(0..);
                let mut writes = writes.filter_map(|(attempt, number)| {
                    let (writer, since) = attempt.last_write?;
                    let before = || remains.failing_before(number, since);
                    (operations.contains(&writer)).then(|| (writer, before()))
                });
                writes.next().map(Some)
            }
        }
    }

    /// What an execution up to some time does that somebody may be to blame for.
    fn conduct(
        &mut self,
        operations: &BTreeSet<u32>,
        at_checkpoints: AtCheckpoints,
        until: u64,
    ) -> Conduct {
        let begun = self.machine.now();
        let mut watcher = Watcher {
            image: self.machine.image(),
            nonvolatile: self.nonvolatile,
            operations,
            at_checkpoints,
            function: None,
            branch: None,
            user: None,
            is_new: true,
            conduct: Conduct::default(),
        };
        self.machine.watch(&mut watcher, until);
        let conduct = watcher.conduct;
        self.behind.executions += 1;
        self.behind.instructions += self.machine.now() - begun;
        conduct
    }
}

/// What an execution does that somebody may be to blame for.
#[derive(Default)]
struct Conduct {
    /// The branches that are looked at, and where execution goes on.
    ways: Vec<(u32, u32)>,
    /// The operation of the user's code that changed non-volatile memory last, itself or by what it
    /// calls, and when that began.
    last_write: Option<(u32, u64)>,
}

struct Watcher<'w> {
    image: &'w Image,
    nonvolatile: &'w [Range<u32>],
    operations: &'w BTreeSet<u32>,
    at_checkpoints: AtCheckpoints,
    /// Operations that belong together, and whether they are the user's.
    function: Option<(Range<u32>, bool)>,
    /// The branch that is being executed.
    branch: Option<u32>,
    /// The last operation of the user's code.
    user: Option<u32>,
    /// Whether it has written nothing yet.
    is_new: bool,
    conduct: Conduct,
}

impl Watcher<'_> {
    /// Whether an operation is one of the user's code.
    fn is_users(&mut self, pc: u32) -> bool {
        if let Some((operations, is_users)) = &self.function
            && operations.contains(&pc)
        {
            return *is_users;
        }
        let Some(func) = self.image.function(pc) else {
            return false;
        };
        let is_users = self.image.program().functions[func].origin == Origin::User;
        let blocks = self.image.blocks(func);
        if let (Some(&first), Some(&end)) = (blocks.first(), blocks.last()) {
            self.function = Some((first..end, is_users));
        }
        is_users
    }
}

impl Observer for Watcher<'_> {
    fn accesses(&self) -> bool {
        true
    }

    fn flow(&self) -> bool {
        true
    }

    fn execute(&mut self, pc: u32) {
        let way = self.branch.map(|branch| (branch, pc));
        self.conduct.ways.extend(way);
        self.branch = self.operations.contains(&pc).then_some(pc);
        if self.is_users(pc) {
            self.user = Some(pc);
            self.is_new = true;
        }
    }

    fn store(&mut self, at: Moment, memory: &[u8], offset: u32, new: &[u8]) {
        let old = &memory[offset as usize..offset as usize + new.len()];
        if old == new || !contains(self.nonvolatile, offset) {
            return;
        }
        let since = match self.conduct.last_write {
            Some((_, since)) if !self.is_new => since,
            _ => at.time,
        };
        self.is_new = false;
        self.conduct.last_write = self.user.map(|user| (user, since));
    }

    fn checkpoint(&mut self, _: Moment, _: &[(u32, u32)]) -> ControlFlow<()> {
        match self.at_checkpoints {
            AtCheckpoints::Stop => ControlFlow::Break(()),
            AtCheckpoints::Pass => ControlFlow::Continue(()),
        }
    }
}
