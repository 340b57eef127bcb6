//! Progress on standard error, for work that takes longer than a second.

use std::fmt;
use std::io::{IsTerminal, stderr};
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use indicatif::{HumanCount, ProgressBar, ProgressDrawTarget, ProgressState, ProgressStyle};

/// Shorter work is done without a sign of progress.
const DELAY: Duration = Duration::from_secs(1);

/// How often the time is updated.
const TICK: Duration = Duration::from_millis(200);

/// A bar or a counter that appears after a second if standard error is a terminal, and disappears when it is dropped.
#[derive(Debug)]
pub(crate) struct Progress {
    bar: ProgressBar,
    delayed: Option<Delayed>,
}

/// The thread that shows the bar after a second. Dropping the sender ends it.
#[derive(Debug)]
struct Delayed {
    ended: Sender<()>,
    thread: JoinHandle<()>,
}

impl Progress {
    /// A bar for work of known length.
    pub(crate) fn bar(what: &'static str, length: u64) -> Self {
        let style = ProgressStyle::with_template("{msg} [{bar:30}] {human_pos}/{human_len}, {eta} left");
        Self::new(Some(length), style, what)
    }

    /// The time that has passed, and a counter once something is counted. `what` names the work, and what is counted behind
    /// a colon: "calibrating: data sets audited".
    pub(crate) fn spinner(what: &'static str) -> Self {
        let (work, unit) = what.split_once(": ").unwrap_or((what, "steps"));
        let counted = move |state: &ProgressState, out: &mut dyn fmt::Write| {
            if state.pos() > 0 {
                // The counter is left out if it cannot be written.
                let _ = write!(out, ": {} {unit}", HumanCount(state.pos()));
            }
        };
        let style = ProgressStyle::with_template("{spinner} {msg}{counted} ({elapsed})");
        Self::new(None, style.map(|style| style.with_key("counted", counted)), work)
    }

    fn new(
        length: Option<u64>,
        style: Result<ProgressStyle, indicatif::style::TemplateError>,
        what: &'static str,
    ) -> Self {
        let bar = ProgressBar::with_draw_target(length, ProgressDrawTarget::hidden());
        let bar = match style {
            Ok(style) => bar.with_style(style),
            Err(_) => bar,
        };
        let bar = bar.with_message(what);
        let delayed = can_redraw().then(|| Delayed::new(bar.clone()));
        Self { bar, delayed }
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

    /// So many rows are read, of an unknown number.
    pub(crate) fn rows(&self, rows: u64) {
        self.bar.set_message(format!("counting: {} rows", HumanCount(rows)));
    }

    /// Takes the bar away.
    pub(crate) fn clear(&self) {
        self.bar.finish_and_clear();
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

/// Whether standard error is a terminal that can write over a line.
fn can_redraw() -> bool {
    stderr().is_terminal() && std::env::var_os("TERM").is_none_or(|terminal| terminal != "dumb")
}

impl Delayed {
    fn new(bar: ProgressBar) -> Self {
        let (ended, end) = channel();
        let thread = thread::spawn(move || {
            if end.recv_timeout(DELAY) == Err(RecvTimeoutError::Timeout) {
                bar.set_draw_target(ProgressDrawTarget::stderr());
                bar.enable_steady_tick(TICK);
            }
        });
        Self { ended, thread }
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        if let Some(Delayed { ended, thread }) = self.delayed.take() {
            drop(ended);
            // The bar must not be shown after it was cleared.
            let _ = thread.join();
        }
        self.bar.finish_and_clear();
    }
}
