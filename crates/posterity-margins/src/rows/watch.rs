//! Tells the caller how far a fit is, and asks whether to go on.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

/// What a fit is doing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Stage {
    /// It finds out how closely the noise allows rows to follow the release.
    Choosing,
    /// It moves rows.
    Fitting,
    /// It brings all rows together to the tables found.
    Polishing,
}

/// How far a fit is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Progress {
    /// What it is doing.
    pub stage: Stage,
    /// The share of this stage that is done, at most; a stage may end earlier.
    pub share: f64,
}

/// The caller asked to stop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Stopped;

/// The function that the caller gave, which may be called by several threads.
pub(super) type Listener<'a> = &'a (dyn Fn(Progress) -> ControlFlow<()> + Sync);

/// Counts visits to rows during one stage.
pub(super) struct Watch<'a> {
    listener: Listener<'a>,
    stage: Stage,
    expected: u64,
    done: AtomicU64,
    stopped: AtomicBool,
}

impl<'a> Watch<'a> {
    /// A stage that visits this many rows at most.
    pub(super) fn new(listener: Listener<'a>, stage: Stage, expected: u64) -> Self {
        Self { listener, stage, expected, done: AtomicU64::new(0), stopped: AtomicBool::new(false) }
    }

    /// Counts visits to more rows.
    pub(super) fn visited(&self, rows: usize) -> Result<(), Stopped> {
        let done = self.done.fetch_add(rows as u64, Ordering::Relaxed) + rows as u64;
        let share = (done as f64 / self.expected.max(1) as f64).min(1.0);
        if self.stopped.load(Ordering::Relaxed) {
            return Err(Stopped);
        }
        if (self.listener)(Progress { stage: self.stage, share }).is_break() {
            self.stopped.store(true, Ordering::Relaxed);
            return Err(Stopped);
        }
        Ok(())
    }
}
