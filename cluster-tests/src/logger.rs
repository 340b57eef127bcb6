//! A log on standard error, which tests read.

use log::{LevelFilter, Log, Metadata, Record};

struct Stderr;

static STDERR: Stderr = Stderr;

impl Log for Stderr {
    fn enabled(&self, metadata: &Metadata<'_>) -> bool {
        metadata.target().starts_with("ballista")
    }

    fn log(&self, record: &Record<'_>) {
        if self.enabled(record.metadata()) {
            eprintln!("{} {}", record.level(), record.args());
        }
    }

    fn flush(&self) {}
}

/// Writes what Ballista says about its work to standard error.
pub fn log_to_stderr() {
    if log::set_logger(&STDERR).is_ok() {
        log::set_max_level(LevelFilter::Info);
    }
}
