//! OOPSLA'20 as an executable model.

pub mod basic;
pub mod claims;
pub mod collect;
pub mod continuous;
pub mod correct;
pub mod evaluate;
pub mod explore;
pub mod generate;
pub mod memories;
pub mod observation;
pub mod parse;
pub mod print;
pub mod program;
pub mod rejection;
pub mod rio;
pub mod shrink;
pub mod state;
pub mod syntax;
pub mod system;
pub mod war;
pub mod writes;
