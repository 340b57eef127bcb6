//! Progress on standard error, for work that takes longer than a second.

use std::fmt;
use std::io::{IsTerminal, stderr};
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use indicatif::{HumanCount, ProgressBar, ProgressDrawTarget, ProgressState, ProgressStyle};

use crate::notice::note;

/// Shorter work is done without a sign of progress.
const DELAY: Duration = Duration::from_secs(1);

/// How often the time is updated.
const TICK: Duration = Duration::from_millis(200);

/// When a line says what takes so long, where no bar can be shown, and how often another one follows.
const LINES: (Duration, Duration) = (Duration::from_secs(15), Duration::from_secs(30));

/// A bar or a counter that appears after a second if standard error is a terminal, and disappears when it is dropped.
/// Elsewhere a line says after 15 seconds what is being done, and again every half a minute.
#[derive(Debug)]
pub(crate) struct Progress {
    bar: ProgressBar,
    shown: Option<Shown>,
}

/// The thread that shows the progress. Dropping the sender ends it.
#[derive(Debug)]
struct Shown {
    ended: Sender<()>,
    thread: JoinHandle<()>,
}

impl Progress {
    /// A bar for work of known length.
    pub(crate) fn bar(what: &'static str, length: u64) -> Self {
        let style = ProgressStyle::with_template("{msg} [{bar:30}] {human_pos}/{human_len}, {eta} left");
        Self::new(Some(length), style, what)
    }

    /// The time that has passed, and a counter once something is counted. `what` names the work, and what is counted
    /// behind a colon: "calibrating: data sets audited".
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
        let shown = if can_redraw() { Shown::as_a_bar(bar.clone()) } else { Shown::in_lines(bar.clone()) };
        Self { bar, shown: Some(shown) }
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

    /// This many rows are read, of an unknown number.
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

impl Shown {
    fn as_a_bar(bar: ProgressBar) -> Self {
        let (ended, end) = channel();
        let thread = thread::spawn(move || {
            if end.recv_timeout(DELAY) == Err(RecvTimeoutError::Timeout) {
                bar.set_draw_target(ProgressDrawTarget::stderr());
                bar.enable_steady_tick(TICK);
            }
        });
        Self { ended, thread }
    }

    fn in_lines(bar: ProgressBar) -> Self {
        let (ended, end) = channel();
        let thread = thread::spawn(move || {
            let mut wait = LINES.0;
            while end.recv_timeout(wait) == Err(RecvTimeoutError::Timeout) {
                note(line(&bar));
                wait = LINES.1;
            }
        });
        Self { ended, thread }
    }
}

/// What is being done, for how long, and how much of it is done.
fn line(bar: &ProgressBar) -> String {
    let done = match (bar.position(), bar.length()) {
        (0, _) => String::new(),
        (done, Some(all)) if all > 0 => format!(", {} of {}", HumanCount(done), HumanCount(all)),
        (done, _) => format!(", {} steps", HumanCount(done)),
    };
    format!("{} takes {} s so far{done}", bar.message(), bar.elapsed().as_secs())
}

impl Drop for Progress {
    fn drop(&mut self) {
        if let Some(Shown { ended, thread }) = self.shown.take() {
            drop(ended);
            // The bar must not be shown after it was cleared.
            let _ = thread.join();
        }
        self.bar.finish_and_clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_says_what_is_done() {
        let progress = Progress::spinner("searching: epsilons tried");
        assert_eq!(line(&progress.bar), "searching takes 0 s so far");
        progress.add(3);
        assert_eq!(line(&progress.bar), "searching takes 0 s so far, 3 steps");
        let progress = Progress::bar("auditing", 4_000);
        progress.set(1_500);
        assert_eq!(line(&progress.bar), "auditing takes 0 s so far, 1,500 of 4,000");
    }
}
