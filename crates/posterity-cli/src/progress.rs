//! Signs of life on standard error, if somebody is looking.

use indicatif::{ProgressBar, ProgressStyle};

/// A bar or a counter that disappears when it is dropped.
#[derive(Debug)]
pub(crate) struct Progress {
    bar: ProgressBar,
}

impl Progress {
    /// A bar for work of known length.
    pub(crate) fn bar(what: &'static str, length: u64) -> Self {
        let style = ProgressStyle::with_template("{msg} [{bar:30}] {human_pos}/{human_len}, {eta} left");
        Self::new(ProgressBar::new(length), style, what)
    }

    /// A counter for work of unknown length.
    pub(crate) fn spinner(what: &'static str) -> Self {
        Self::new(ProgressBar::no_length(), ProgressStyle::with_template("{msg} {human_pos}"), what)
    }

    fn new(
        bar: ProgressBar,
        style: Result<ProgressStyle, indicatif::style::TemplateError>,
        what: &'static str,
    ) -> Self {
        let bar = match style {
            Ok(style) => bar.with_style(style),
            Err(_) => bar,
        };
        Self { bar: bar.with_message(what) }
    }

    /// A bar whose work is named and measured later.
    pub(crate) fn later() -> Self {
        Self::bar("", 0)
    }

    /// Other work begins, of this length.
    pub(crate) fn restart(&self, what: String, length: u64) {
        self.bar.set_message(what);
        self.bar.set_length(length);
        self.bar.reset();
    }

    /// So much more is done.
    pub(crate) fn add(&self, done: u64) {
        self.bar.inc(done);
    }

    /// So much is done in all.
    pub(crate) fn set(&self, done: u64) {
        self.bar.set_position(done);
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}
