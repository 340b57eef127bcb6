//! The records of a source, gathered by several threads.

use std::borrow::Cow;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use posterity_formats::{ColumnValues, Piece, Store, Value, Visitor};
use rayon::prelude::*;

use super::asked::ValuesAsked;
use super::merge::{MergeRoom, Merged, reduce};
use super::run::Run;
use super::sorter::Sorter;
use super::unit_key::{self, Sign};
use crate::checked_questions::{CheckedQuestions, VALUES_COLUMN};
use crate::count::Resources;
use crate::error::DataError;
use crate::order_key::order_key;
use crate::thread_tally::{Key, Memo, Truth, key, truth};
use crate::unit::{MAX_ORDER, Ranks, UnitHash};
use crate::value_coder::name;

/// What the threads share that gather records.
pub(super) struct Gather<'a> {
    checked: &'a CheckedQuestions<'a>,
    missing: Option<&'a str>,
    units: Option<UnitSecrets>,
    /// The bytes that all sorters of records take together, and as many that those of chosen values take.
    memory: usize,
    threads: usize,
    folder: PathBuf,
    /// Those of threads that read nothing at the moment: never more than there are threads.
    idle: Mutex<Vec<Hand>>,
    stopped: AtomicBool,
}

/// The random numbers by which units are told apart, and their records drawn.
pub(super) struct UnitSecrets {
    pub(super) seed: [u8; 32],
    pub(super) hash: UnitHash,
}

/// What one thread has gathered.
struct Hand {
    sorter: Sorter,
    filter: Memo<Truth>,
    /// How often each key of a dictionary occurs.
    times: Vec<u64>,
    key: Vec<u8>,
}

impl<'a> Gather<'a> {
    /// Nothing gathered yet.
    pub(super) fn new(
        checked: &'a CheckedQuestions<'a>,
        asked: &'a ValuesAsked,
        units: Option<UnitSecrets>,
        resources: &Resources,
    ) -> Self {
        Self {
            checked,
            missing: asked.missing.as_deref(),
            // With a unit, the other half is for the values that are chosen.
            memory: if units.is_some() { resources.memory / 2 } else { resources.memory },
            threads: resources.threads.get(),
            units,
            folder: std::env::temp_dir(),
            idle: Mutex::default(),
            stopped: AtomicBool::new(false),
        }
    }

    /// Ends the work soon.
    pub(super) fn stop(&self) {
        self.stopped.store(true, Ordering::Relaxed);
    }

    fn go_on(&self) -> Result<(), DataError> {
        if self.stopped.load(Ordering::Relaxed) { Err(DataError::Stopped) } else { Ok(()) }
    }

    /// The values of all records, or of the chosen one of each unit, in so few runs that they can be merged at once.
    ///
    /// # Errors
    /// [`UnitError::Temporary`](crate::UnitError::Temporary) if the system refuses a file, and
    /// [`DataError::Stopped`].
    pub(super) fn finish(&self) -> Result<Vec<Run>, DataError> {
        let go_on = &|| self.go_on();
        let hands = std::mem::take(&mut *self.lock());
        let runs: Result<Vec<Vec<Run>>, DataError> =
            hands.into_par_iter().map(|hand| hand.sorter.finish()).collect();
        let runs = reduce(runs?.into_iter().flatten().collect(), self.room(self.group(), go_on))?;
        if self.units.is_none() {
            return Ok(runs);
        }
        let mut values = Sorter::new(usize::MAX, self.memory, &self.folder);
        let mut records = Merged::new(runs, self.group())?;
        unit_key::choose(&self.checked.question.per_unit, &mut records, &mut values, go_on)?;
        drop(records);
        reduce(values.finish()?, self.room(usize::MAX, go_on))
    }

    /// How many bytes the strings of one entry have in common: all of them without a unit.
    fn group(&self) -> usize {
        if self.units.is_some() { unit_key::group(&self.checked.question.per_unit) } else { usize::MAX }
    }

    fn room<'b>(
        &'b self,
        group: usize,
        go_on: &'b (dyn Fn() -> Result<(), DataError> + Sync),
    ) -> MergeRoom<'b> {
        // Runs in memory take the other half.
        MergeRoom { memory: self.memory / 2, folder: &self.folder, group, go_on }
    }

    fn lock(&self) -> MutexGuard<'_, Vec<Hand>> {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn hand(&self) -> Hand {
        let sorter = Sorter::new(self.group(), self.memory / self.threads, &self.folder);
        Hand { sorter, filter: Memo::default(), times: Vec::new(), key: Vec::new() }
    }

    /// The category of a value; none if it is left out. It depends on that value only.
    fn category<'v>(&self, value: Value<'v>) -> Option<Cow<'v, [u8]>>
    where
        'a: 'v,
    {
        match value {
            Value::Missing => self.missing.map(|name| Cow::Borrowed(name.as_bytes())),
            value => name(value).filter(|name| !is_blank(name)),
        }
    }
}

/// Whether a name is empty or only white space.
#[inline]
fn is_blank(name: &[u8]) -> bool {
    match name.first() {
        Some(byte) if byte.is_ascii_graphic() => false,
        _ => std::str::from_utf8(name).is_ok_and(|name| name.trim().is_empty()),
    }
}

impl Hand {
    /// Gathers the values of a piece, where every record counts.
    fn gather<P: Piece + ?Sized>(&mut self, all: &Gather<'_>, piece: &P) -> Result<(), DataError> {
        match piece.column(VALUES_COLUMN) {
            // A dictionary may be much larger than the piece.
            Some(ColumnValues::Keyed { keys, values }) if values.len() <= keys.len() => {
                self.gather_keys(all, piece, keys, values)
            }
            _ => {
                for row in 0..piece.rows() {
                    if self.passes(all, piece, row)
                        && let Some(category) = all.category(piece.value(VALUES_COLUMN, row))
                    {
                        self.sorter.add(&category, 1)?;
                    }
                }
                Ok(())
            }
        }
    }

    /// The same by the keys of a dictionary.
    fn gather_keys<P: Piece + ?Sized>(
        &mut self,
        all: &Gather<'_>,
        piece: &P,
        keys: &[u32],
        values: &Store,
    ) -> Result<(), DataError> {
        self.times.clear();
        self.times.resize(values.len() + 1, 0);
        for (row, &key) in keys.iter().enumerate() {
            // A missing value has the largest key, and the last place.
            self.times[(key as usize).min(values.len())] += u64::from(self.passes(all, piece, row));
        }
        for (key, &times) in self.times.iter().enumerate().filter(|(_, times)| **times > 0) {
            let value = if key == values.len() { Value::Missing } else { values.get(key) };
            if let Some(category) = all.category(value) {
                self.sorter.add(&category, times)?;
            }
        }
        Ok(())
    }

    /// Gathers the records of a piece with their units, each with the next of the ranks.
    fn gather_units<P: Piece + ?Sized>(
        &mut self,
        all: &Gather<'_>,
        piece: &P,
        unit: usize,
        hash: &UnitHash,
        mut ranks: Option<&mut Ranks>,
    ) -> Result<(), DataError> {
        for row in 0..piece.rows() {
            // Every record has a rank, also those that are left out: so the rank of a record does not depend on what
            // others hold.
            let rank = ranks.as_deref_mut().map(Ranks::next_rank);
            if !self.passes(all, piece, row) {
                continue;
            }
            let Key::Of(tag, bytes) = key(piece.value(unit, row)) else { continue };
            let Some(category) = all.category(piece.value(VALUES_COLUMN, row)) else { continue };
            let order = all.checked.order.map(|order| order_key(piece.value(order, row)));
            let sign = match (rank, &order) {
                (Some(rank), _) => Sign::Rank(rank),
                (None, None) => Sign::Nothing,
                (None, Some(Some(order))) if order.len() <= MAX_ORDER => Sign::Order(order),
                (None, Some(_)) => continue,
            };
            unit_key::write(hash.hash(tag, bytes.as_ref()), sign, &category, &mut self.key);
            self.sorter.add(&self.key, 1)?;
        }
        Ok(())
    }

    /// Whether the filter is true of a record.
    #[inline]
    fn passes<P: Piece + ?Sized>(&mut self, all: &Gather<'_>, piece: &P, row: usize) -> bool {
        match &all.checked.filter {
            None => true,
            Some((filter, columns)) => truth(filter, columns, piece, row, &mut self.filter) == Ok(true),
        }
    }
}

impl<'a> Visitor for Gather<'a> {
    type Error = DataError;
    type Wanted = CheckedQuestions<'a>;
    type Part = Option<Ranks>;

    fn wanted(&self) -> &CheckedQuestions<'a> {
        self.checked
    }

    fn part(&self, file: u32, part: u32) -> Option<Ranks> {
        let units = self.units.as_ref().filter(|_| self.checked.question.per_unit.draws());
        units.map(|units| Ranks::new(&units.seed, file, part))
    }

    fn piece<P: Piece + ?Sized>(&self, ranks: &mut Option<Ranks>, piece: &P) -> Result<(), DataError> {
        self.go_on()?;
        let kept = self.lock().pop();
        let mut hand = kept.unwrap_or_else(|| self.hand());
        let done = match (self.checked.unit, &self.units) {
            (Some(unit), Some(units)) => hand.gather_units(self, piece, unit, &units.hash, ranks.as_mut()),
            _ => hand.gather(self, piece),
        };
        self.lock().push(hand);
        done
    }
}
