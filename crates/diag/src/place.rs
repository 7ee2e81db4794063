//! Places in the source of the program under analysis.
//!
//! **Invariant**: a place orders by file, line and column first, then by function and call stack.

use std::fmt;

/// A place in the source, with the calls that led to it.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SourcePlace {
    /// The file as the compiler named it.
    pub file: String,
    /// The line, from 1; 0 when the program carries no debug information here.
    pub line: u32,
    /// The column, from 1; 0 when unknown.
    pub column: u32,
    /// The function that contains the place; empty when unknown.
    pub function: String,
    /// The calls that led here, outermost first, `function` last; empty when they do not matter.
    pub stack: Vec<String>,
}

impl SourcePlace {
    /// The place without its calls: what tells two defects apart.
    pub fn position(&self) -> (&str, u32, u32) {
        (&self.file, self.line, self.column)
    }
}

impl fmt::Display for SourcePlace {
    /// Prints `file:line:column`, leaving out what is unknown.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.file)?;
        if self.line > 0 {
            write!(formatter, ":{}", self.line)?;
            if self.column > 0 {
                write!(formatter, ":{}", self.column)?;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::SourcePlace;

    #[test]
    fn prints_what_is_known() {
        let cases = [
            (0, 0, "sense.c"),
            (9, 0, "sense.c:9"),
            (9, 5, "sense.c:9:5"),
        ];
        for (line, column, expected) in cases {
            let place = SourcePlace {
                file: "sense.c".into(),
                line,
                column,
                ..SourcePlace::default()
            };
            assert_eq!(place.to_string(), expected);
        }
    }
}
