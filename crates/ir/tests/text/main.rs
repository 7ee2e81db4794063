//! The text format: printing and parsing are inverse, and parsing is total.

mod generate;
mod robustness;
mod round_trip;
