//! The state of a running count, which its threads share.

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};

use rayon::prelude::*;

use crate::ask::Ask;
use crate::error::DataError;
use crate::groups::Group;
use crate::piece::Piece;
use crate::room::Room;
use crate::tally::{PiecePlace, Tally, UnitCount};
use crate::unit::{PerUnit, Ranks};

/// What the threads of a count share.
#[derive(Debug)]
pub(crate) struct Run<'a> {
    pub(crate) ask: &'a Ask<'a>,
    groups: &'a [Group],
    /// Memory for the pieces of files.
    pub(crate) room: Room,
    units: Option<UnitCount>,
    /// The key of the ranks by which records of a unit are drawn.
    seed: [u8; 32],
    /// Tallies that no thread uses at the moment: never more than there are threads.
    idle: Mutex<Vec<Tally>>,
    rows: AtomicU64,
    stopped: AtomicBool,
}

/// Bytes that the pieces of typed files may take together.
pub(crate) const ROOM: usize = 384 << 20;

impl<'a> Run<'a> {
    /// A count that has not begun.
    pub(crate) fn new(
        ask: &'a Ask<'a>,
        groups: &'a [Group],
        units: Option<UnitCount>,
        seed: [u8; 32],
    ) -> Self {
        Self {
            ask,
            groups,
            room: Room::new(ROOM),
            units,
            seed,
            idle: Mutex::default(),
            rows: AtomicU64::new(0),
            stopped: AtomicBool::new(false),
        }
    }

    /// How many pieces can be worked on at once.
    pub(crate) fn threads(&self) -> usize {
        rayon::current_num_threads()
    }

    /// The records looked at so far.
    pub(crate) fn rows(&self) -> u64 {
        self.rows.load(Ordering::Relaxed)
    }

    /// Ends the count at the next piece.
    pub(crate) fn stop(&self) {
        self.stopped.store(true, Ordering::Relaxed);
    }

    /// The ranks of the records of a piece, where the rule draws one of them.
    pub(crate) fn ranks(&self, (file, piece): PiecePlace) -> Option<Ranks> {
        let drawn = self.ask.unit.is_some() && self.ask.question.per_unit == PerUnit::Random;
        drawn.then(|| Ranks::new(&self.seed, file, piece))
    }

    /// Counts the records of a piece.
    pub(crate) fn add<P: Piece + ?Sized>(
        &self,
        piece: &P,
        place: PiecePlace,
        ranks: Option<&mut Ranks>,
    ) -> Result<(), DataError> {
        if self.stopped.load(Ordering::Relaxed) {
            return Err(DataError::Stopped);
        }
        let idle = || self.idle.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        let kept = idle().pop();
        let mut tally = kept.unwrap_or_else(|| Tally::new(self.ask, self.groups));
        let done = tally.add(self.ask, self.groups, piece, place, self.units.as_ref(), ranks);
        idle().push(tally);
        self.rows.fetch_add(piece.rows() as u64, Ordering::Relaxed);
        done
    }

    /// Runs this many jobs in parallel, and returns the error that comes first in their order: so the answer does not
    /// depend on how the work is divided.
    pub(crate) fn in_order(
        &self,
        many: usize,
        work: impl Fn(usize) -> Result<(), DataError> + Sync,
    ) -> Result<(), DataError> {
        let first = AtomicUsize::new(usize::MAX);
        let failed: Mutex<Option<(usize, DataError)>> = Mutex::default();
        (0..many).into_par_iter().for_each(|index| {
            if index > first.load(Ordering::Relaxed) {
                return;
            }
            if let Err(error) = work(index) {
                first.fetch_min(index, Ordering::Relaxed);
                let mut failed = failed.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
                if failed.as_ref().is_none_or(|(known, _)| index < *known) {
                    *failed = Some((index, error));
                }
            }
        });
        match failed.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner) {
            Some((_, error)) => Err(error),
            None => Ok(()),
        }
    }

    /// All tallies as one, and the units.
    pub(crate) fn finish(self) -> (Tally, Option<UnitCount>) {
        let mut sum = Tally::new(self.ask, self.groups);
        for tally in self.idle.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner) {
            sum.absorb(tally);
        }
        (sum, self.units)
    }
}
