//! `cargo xtask book`: builds the manual with mdBook. A warning is an error.

use std::fmt::{Debug, Write as _};
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::{Arc, Mutex, PoisonError};

use clap::Args;
use mdbook_driver::MDBook;
use tracing::field::{Field, Visit};
use tracing::span::{Attributes, Id, Record};
use tracing::{Event, Level, Metadata, Subscriber};

/// Options of the chore.
#[derive(Args)]
pub(crate) struct Options {
    /// The folder of the book
    #[arg(default_value = "docs")]
    folder: PathBuf,

    /// Where to put it, instead of where `book.toml` says
    #[arg(long, value_name = "FOLDER")]
    output: Option<PathBuf>,
}

pub(crate) fn run(options: &Options) -> Result<ExitCode, String> {
    let complaints = Complaints::default();
    let built = tracing::subscriber::with_default(complaints.clone(), || -> Result<_, String> {
        let book = MDBook::load(&options.folder);
        let mut book = book.map_err(|error| format!("{error:#}"))?;
        if let Some(output) = &options.output {
            // Relative to where we are, not to the book.
            let output = std::path::absolute(output).map_err(|error| error.to_string())?;
            book.config.build.build_dir = output;
        }
        book.build().map_err(|error| format!("{error:#}"))?;
        Ok(book.build_dir_for("html"))
    });
    let said = complaints.said();
    said.iter().for_each(|text| eprintln!("{text}"));
    let folder = built?;
    if said.is_empty() {
        println!("{}", folder.join("index.html").display());
        Ok(ExitCode::SUCCESS)
    } else {
        Err(format!("the book has {} warnings", said.len()))
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
