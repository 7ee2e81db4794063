//! Judges what power failures do to a program, naively: the oracle that the engine is held against.
//!
//! The specification is the project's semantics, §1 and §2. A program is executed continuously and
//! with a power failure at every place where one can make a difference; devices are copied as
//! wholes, power failures and restores are done by hand on these copies, and each failure is judged
//! by following both executions. Clarity goes before speed, and nothing is shared with the engine.
//!
//! [`judge`] judges a [`Subject`], a program under a [`Setting`]; [`causes`] says which writes are to
//! blame; [`table`] are programs whose verdicts are known; [`generate()`] makes random ones.
//!
//! # Decisions
//!
//! Where the definition leaves something open, this is how it is decided here, as a firmware engineer
//! would.
//!
//! *Where executions are compared*
//! * A region without a next commit that does not end, and every region under `reactive`, is compared
//!   at its end, else at a late visit of the head of the loop that the program does not leave, counted
//!   since the checkpoint, the same one for both. What has healed by then is harmless.
//! * Work that is done once, or recovery, may have commits of its own: where two executions are at different commits,
//!   they are compared at the first later one that both come to, and it is no harm if they agree at another. The same
//!   holds for what differs in registers alone and, where nothing need commit, for all that differs, at the same later
//!   commit: who has shown the world the same and is in the same state goes on alike.
//! * Under `conditional` a failure is compared at the first checkpoint call after it, the first one
//!   that may commit.
//! * Under `restart` leaving the outermost loop is a quiet moment like a visit of its head: compilers
//!   move the head, and the last round is over then. A failure after a loop that was left may look
//!   like one at that moment. It does not make a moment *after* a failure: a pause between the halves
//!   of a transfer is no excuse for the first one.
//! * Set-up before a loop without end may look like a failure at the first visit of its head.
//! * "From some n on" is looked at once, at a late n ([`Options::rounds`]); what differs there is
//!   followed from there. A byte of non-volatile memory that nothing touches in an endless loop that
//!   still does something new is undecided.
//! * The exit status is what the world sees last: another one is harm, under every policy.
//!
//! *Inputs*
//! * Under `restart` what was read after some earlier write may be lost, and is not among what was kept. What a boot
//!   that failed had lost, or had not asked for yet, the next one asks for: as if that one had read the same.
//! * Where neither the last nor a failed attempt has asked, the list of values goes on.
//! * Under `restart` a reference also gets what a failed boot has read, where the last one does not
//!   ask: a calibration that is kept is held against the reading that was kept.
//! * An intermittence-aware object is like an input: the execution that an attempt is held against
//!   begins with it as the last attempt found it, and so does all that flows from it.
//!
//! *Outputs*
//! * What is left out has been output before: in that order, and each output excuses one.
//! * Absolute outputs with nothing else of their function in between are one: `siren(1)` every round
//!   may be left out once.
//! * At most once is meant of the function, whatever its arguments: a pill is a pill. A failed attempt
//!   whose readings ask for it, and a last one whose readings do not, are fine.
//! * Text is outputs too, character by character.
//!
//! *Harm*
//! * Under `restart` the effects told are those against the reference that differs least; of two, those
//!   against the moment after: what is missing of the round.
//! * A write in a round that is half done already is to blame only if it adds to what differs from
//!   every reference.
//! * A failure right after an input is judged, but no input is to blame.
//! * One entry in and one out per round is harm: after a failure one more stays for good, and a ring
//!   fills up so.
//! * A flag that nobody reads and that is overwritten some rounds later is no harm.
//! * `seconds == 5` cut before the comparison is harm, `seconds >= 5` is not.
//!
//! *Devices*
//! * A torn store leaves any subset of its aligned units written; a copy, some first ones.
//! * Under `tasks` plain globals are as start-up code leaves them; the calls in progress around the task
//!   are kept, as a runtime does that calls tasks.
//! * Heaps are not compared: a difference there is undecided. Interrupts do not happen.
//!
//! **Invariant:** knows the intermediate representation, the machine and scenarios, and nothing of
//! how findings are made. No product crate depends on it.

mod clause;
mod device;
mod follow;
pub mod generate;
mod judge;
mod loops;
mod outputs;
mod regions;
mod restart;
mod setting;
pub mod table;
mod verdict;

pub use clause::Clause;
pub use device::Output;
pub use generate::{Case, generate, verdicts};
pub use judge::{Options, Repetition, judge};
pub use setting::{Policy, Setting, Subject, Tag, Unjudgeable};
pub use verdict::{Blame, Effect, Failure, Judged, Last, Verdict, Why, Write, causes, own_effects};
