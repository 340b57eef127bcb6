//! The state of a running count, which its threads share.

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use posterity_formats::{Piece, Visitor};

use crate::checked_questions::CheckedQuestions;
use crate::error::DataError;
use crate::question_group::QuestionGroup;
use crate::thread_tally::{PiecePlace, ThreadTally};
use crate::unit::Ranks;
use crate::unit_count::UnitCount;

/// What the threads of a count share.
#[derive(Debug)]
pub(crate) struct SharedCount<'a> {
    pub(crate) checked: &'a CheckedQuestions<'a>,
    groups: &'a [QuestionGroup],
    units: Option<UnitCount>,
    /// The key of the ranks by which records of a unit are drawn.
    seed: [u8; 32],
    /// Tallies that no thread uses at the moment: never more than there are threads.
    idle: Mutex<Vec<ThreadTally>>,
    rows: AtomicU64,
    stopped: AtomicBool,
}

impl<'a> SharedCount<'a> {
    /// A count that has not begun.
    pub(crate) fn new(
        checked: &'a CheckedQuestions<'a>,
        groups: &'a [QuestionGroup],
        units: Option<UnitCount>,
        seed: [u8; 32],
    ) -> Self {
        Self {
            checked,
            groups,
            units,
            seed,
            idle: Mutex::default(),
            rows: AtomicU64::new(0),
            stopped: AtomicBool::new(false),
        }
    }

    /// The records looked at so far.
    pub(crate) fn rows(&self) -> u64 {
        self.rows.load(Ordering::Relaxed)
    }

    /// Ends the count at the next piece.
    pub(crate) fn stop(&self) {
        self.stopped.store(true, Ordering::Relaxed);
    }

    /// All tallies as one, and the units.
    pub(crate) fn finish(self) -> (ThreadTally, Option<UnitCount>) {
        let mut sum = ThreadTally::new(self.checked, self.groups);
        for tally in self.idle.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner) {
            sum.absorb(tally);
        }
        (sum, self.units)
    }
}

/// A part of a source, and the ranks of its records, where the rule draws some of them.
#[derive(Debug)]
pub(crate) struct CountedPart {
    place: PiecePlace,
    ranks: Option<Ranks>,
}

impl<'a> Visitor for SharedCount<'a> {
    type Error = DataError;
    type Wanted = CheckedQuestions<'a>;
    type Part = CountedPart;

    fn wanted(&self) -> &CheckedQuestions<'a> {
        self.checked
    }

    fn part(&self, file: u32, part: u32) -> CountedPart {
        let drawn = self.checked.unit.is_some() && self.checked.question.per_unit.draws();
        CountedPart { place: (file, part), ranks: drawn.then(|| Ranks::new(&self.seed, file, part)) }
    }

    fn piece<P: Piece + ?Sized>(&self, part: &mut CountedPart, piece: &P) -> Result<(), DataError> {
        if self.stopped.load(Ordering::Relaxed) {
            return Err(DataError::Stopped);
        }
        let idle = || self.idle.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        let kept = idle().pop();
        let mut tally = kept.unwrap_or_else(|| ThreadTally::new(self.checked, self.groups));
        let (units, ranks) = (self.units.as_ref(), part.ranks.as_mut());
        let done = tally.add(self.checked, self.groups, piece, part.place, units, ranks);
        idle().push(tally);
        self.rows.fetch_add(piece.rows() as u64, Ordering::Relaxed);
        done
    }
}
