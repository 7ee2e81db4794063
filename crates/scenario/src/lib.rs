//! The device that a program is analysed for: memory map, power policy, checkpoints, environment.
//!
//! Three sources, the earlier winning: what the user says ([`Config`], from the text of a
//! `brownout.toml` and from `--set`), annotations in the program ([`ProgramFacts`]), and defaults.
//! [`Scenario::resolve`] makes one [`Scenario`] of them, in which every name exists in the program.
//! The meaning of the words is that of the project's semantics, §1.
//!
//! ```
//! use brownout_scenario::{Config, FunctionFacts, ProgramFacts, Scenario};
//!
//! let mut config = Config::parse("[memory]\nnonvolatile = ['globals']").expect("no errors");
//! config.set("power.execution-depth=4000").expect("no error");
//! let functions = [FunctionFacts { name: "main", defined: true, ..FunctionFacts::default() }];
//! let facts = ProgramFacts { functions: &functions, ..ProgramFacts::default() };
//! let scenario = Scenario::resolve(&config, &facts).expect("no errors");
//! assert_eq!(
//!     scenario.assumptions(),
//!     "non-volatile: globals; policy: reactive, execution depth 4000"
//! );
//! ```
//!
//! **Invariant**: reads no files and knows neither LLVM nor the intermediate representation. Holds
//! no state that changes while a program runs. Nothing panics on any text.

mod argument;
mod chips;
mod config;
mod effect;
mod energy;
mod error;
mod expression;
mod facts;
mod flash;
mod glob;
mod linker;
mod policy;
mod profiles;
mod read;
mod reference;
mod resolve;
mod scenario;
mod schema;
mod script;
mod sections;
mod suggest;
mod supply;
mod trace;
mod values;

pub use argument::{ArgumentExpression, Member, MemberPlace};
pub use chips::{Block, Chip, ChipRegister, EnableBits, Stretch, Vector};
pub use config::{Chained, Config};
pub use effect::{Change, Effect, Operand, Operator};
pub use energy::{Dimension, Energy};
pub use error::{ConfigError, Place, Problem};
pub use expression::Expression;
pub use facts::{FunctionFacts, GlobalFacts, Parameter, ProgramFacts};
pub use flash::{
    EraseTear, Explore, Flash, FlashAction, FlashFunction, Oracle, Order, Programming, Reprogram,
    Tear,
};
pub use policy::{Exposure, Policy, Recovery};
pub use profiles::Profile;
pub use reference::{KeyDescription, Kind, Relation, Section, Shape, reference};
pub use resolve::is_checkpoint;
pub use scenario::{
    AppliedProfile, Argument, Buffer, Compare, Counts, Doubt, Extent, Fill, Harness, Input,
    Interrupt, Invariant, Memory, Mmio, Model, Occasion, Output, Peripheral, Placement, Power,
    Saved, Saves, SavesAt, Scenario, Semantics, Source, Variable, When, fixed_address,
};
pub use script::{Script, ScriptError};
pub use sections::{is_uninitialised, placed_at};
pub use suggest::nearest;
pub use supply::{BadSupply, Lasting, Supply};
pub use trace::{AtEnd, BadRow, Column, Trace, columns};
pub use values::{NoValue, Reading, Surroundings, ValueSource, splitmix64};
