//! The model of the paper held against what the paper says, and against mistakes that are made on purpose. One
//! program: the generic parts of the model are compiled for it once.

mod claims;
mod figures;
mod mutants;
mod text;
