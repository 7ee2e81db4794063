//! Builds the manual with mdBook: `brownout-book FOLDER OUTPUT`. A warning is an error.

#![allow(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "this is a command line program"
)]

use std::ffi::OsString;
use std::fmt::{Debug, Write as _};
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::{Arc, Mutex, PoisonError};

use mdbook_driver::MDBook;
use tracing::field::{Field, Visit};
use tracing::span::{Attributes, Id, Record};
use tracing::{Event, Level, Metadata, Subscriber};

fn main() -> ExitCode {
    let arguments: Vec<OsString> = std::env::args_os().skip(1).collect();
    let result = match arguments.as_slice() {
        [folder, output] => build(&PathBuf::from(folder), &PathBuf::from(output)),
        _ => Err("the folder of the book and where to put it are needed".to_owned()),
    };
    match result {
        Ok(page) => {
            println!("{}", page.display());
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::from(2)
        }
    }
}

/// Builds the book in `folder`; gives its first page.
fn build(folder: &PathBuf, output: &PathBuf) -> Result<PathBuf, String> {
    let complaints = Complaints::default();
    let built = tracing::subscriber::with_default(complaints.clone(), || -> Result<_, String> {
        let book = MDBook::load(folder);
        let mut book = book.map_err(|error| format!("{error:#}"))?;
        // Relative to where we are, not to the book.
        let output = std::path::absolute(output).map_err(|error| error.to_string())?;
        book.config.build.build_dir = output;
        book.build().map_err(|error| format!("{error:#}"))?;
        Ok(book.build_dir_for("html"))
    });
    let said = complaints.said();
    said.iter().for_each(|text| eprintln!("{text}"));
    let folder = built?;
    match said.len() {
        0 => Ok(folder.join("index.html")),
        count => Err(format!("the book has {count} warnings")),
    }
}

/// Collects what mdBook warns of.
#[derive(Clone, Default)]
struct Complaints(Arc<Mutex<Vec<String>>>);

impl Complaints {
    fn said(&self) -> Vec<String> {
        let said = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        said.clone()
    }
}

impl Subscriber for Complaints {
    fn enabled(&self, metadata: &Metadata<'_>) -> bool {
        *metadata.level() <= Level::WARN
    }

    fn event(&self, event: &Event<'_>) {
        let mut text = Text(event.metadata().level().to_string().to_lowercase());
        event.record(&mut text);
        let mut said = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        said.push(text.0);
    }

    fn new_span(&self, _: &Attributes<'_>) -> Id {
        Id::from_u64(1)
    }

    fn record(&self, _: &Id, _: &Record<'_>) {}
    fn record_follows_from(&self, _: &Id, _: &Id) {}
    fn enter(&self, _: &Id) {}
    fn exit(&self, _: &Id) {}
}

/// The message of an event.
struct Text(String);

impl Visit for Text {
    fn record_debug(&mut self, field: &Field, value: &dyn Debug) {
        // Writing to a string does not fail.
        let _ = match field.name() {
            "message" => write!(self.0, ": {value:?}"),
            name => write!(self.0, " {name}={value:?}"),
        };
    }
}
