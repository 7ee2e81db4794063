//! OOPSLA'20 as an executable model: *Towards a Formal Foundation of Intermittent Computing*
//! (Surbatovich, Lucia, Jia).
//!
//! What the tool says rests on what "correct" means. This crate is that definition, executable, on the
//! paper's small language, with every schedule of power failures and every input visited. Read it with
//! the paper beside it:
//!
//! | paper | here |
//! |---|---|
//! | Fig. 3, syntax | [`syntax`], as text [`mod@parse`] and [`mod@print`] |
//! | Fig. 3, configurations and observations | [`state`], [`program`] |
//! | §4, evaluation; rules of ordinary instructions | [`evaluate`], [`system`], [`continuous`] |
//! | Fig. 4, checkpoints | [`basic`] |
//! | §5, relations of observations; Definition 1 | [`observation`], [`correct`] |
//! | §6.1, `RIO:ok`; `WAR:ok` (technical report) | [`rio`], [`war`], both: [`rejection`] |
//! | §6.2, must-write and must-first-write | [`writes`] |
//! | §6.3, Definitions 2 and 3 | [`memories`] |
//! | §7, collection | [`collect`] |
//! | §8, undo log, idempotent regions (technical report) | [`undo`], [`idempotent`] |
//! | §8.1 and Fig. 9, redo log; §8.2 and Fig. 10, tasks | [`redo`], [`tasks`] |
//! | §8, simulation | [`simulate`] |
//! | §9.3, IBIS | [`ibis`] |
//! | Theorem 4, Lemma 5, the equivalences | [`claims`] |
//! | Figs 2, 6, 8, 9, 10 | [`example`] |
//!
//! Beyond the paper: *repeatable* and *harmless* ([`attempts`], [`harmless`]), what the tool's commands
//! `prove` and `check` mean. The rest is machinery: [`explore`] visits states, [`mod@generate`] makes
//! programs and [`mod@shrink`] makes them small, [`mod@report`]
//! tells all about one, [`mod@c`] prints them for the tool and
//! [`bridge`] compares what it says.
//!
//! A rule of the paper is a method of a trait, named after it. A test that breaks one rule implements
//! the trait with one method of its own.
//!
//! `docs/model.md` has the whole map, the counts, and where we read the paper differently.
//!
//! **Invariant:** this crate depends on nothing but the standard library, least of all on what it
//! judges.

pub mod attempts;
pub mod basic;
pub mod bridge;
pub mod c;
pub mod claims;
pub mod collect;
pub mod continuous;
pub mod correct;
pub mod evaluate;
pub mod example;
pub mod explore;
pub mod generate;
pub mod harmless;
pub mod ibis;
pub mod idempotent;
pub mod memories;
pub mod observation;
pub mod parse;
pub mod print;
pub mod program;
pub mod redo;
pub mod rejection;
pub mod report;
pub mod rio;
pub mod shrink;
pub mod simulate;
pub mod state;
pub mod syntax;
pub mod system;
pub mod tasks;
pub mod undo;
pub mod war;
pub mod writes;
