//! How far a study is.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};

use posterity_study::Watch;

use crate::counting::counting;

/// How far a study is: rows that were counted, then answers that were read, then files that were written.
#[derive(Debug, Default)]
pub(crate) struct Progress {
    rows: AtomicU64,
    done: AtomicUsize,
    of: AtomicUsize,
    writing: AtomicBool,
}

impl Watch for Progress {
    fn rows(&self, rows: u64) -> ControlFlow<()> {
        self.rows.store(rows, Ordering::Relaxed);
        ControlFlow::Continue(())
    }

    fn results(&self, done: usize, of: usize) {
        self.done.store(done, Ordering::Relaxed);
        self.of.store(of, Ordering::Relaxed);
    }
}

impl Progress {
    /// From here on results are written.
    pub(super) fn write(&self) {
        self.done.store(0, Ordering::Relaxed);
        self.writing.store(true, Ordering::Relaxed);
    }

    /// What is being done, in words, and the share of it that is done, if that is known.
    pub(super) fn now(&self) -> (String, Option<f64>) {
        let (done, of) = (self.done.load(Ordering::Relaxed), self.of.load(Ordering::Relaxed));
        if of == 0 {
            return (counting(self.rows.load(Ordering::Relaxed)), None);
        }
        let writing = self.writing.load(Ordering::Relaxed);
        let what = if writing { "Drawing and writing" } else { "Reading the answers" };
        let half = if writing { 0.5 } else { 0.0 };
        let question = (done + 1).min(of);
        (format!("{what}: question {question} of {of}."), Some(half + 0.5 * done as f64 / of as f64))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn progress_in_words() {
        let progress = Progress::default();
        assert_eq!(progress.now(), ("Counting.".to_owned(), None), "where n is private, it stays like this");
        assert!(progress.rows(12_000).is_continue());
        assert_eq!(progress.now(), ("Counting: 12,000 rows so far.".to_owned(), None));
        progress.results(1, 4);
        assert_eq!(progress.now(), ("Reading the answers: question 2 of 4.".to_owned(), Some(0.125)));
        progress.write();
        assert_eq!(progress.now().1, Some(0.5));
    }
}
