//! From a reading to its table.

use posterity_core::table::Grouping;

use super::error::ReadingError;
use super::layout::Layout;
use super::number_of::NumberOf;
use super::numbers::{Bins, Numbers};
use super::ordered;
use super::read::{counts, means, shares};
use super::reader::Reader;
use super::reading::Reading;
use super::rows::{ReadingMethod, ReadingTable};
use super::space::Space;
use super::statistic::Statistic;
use super::term::Term;
use super::ways::{Subject, Ways};
use super::words::Words;

impl Reader {
    /// Reads one table of shares, means or counts.
    ///
    /// # Errors
    /// [`ReadingError`] if the release has no such column or value.
    pub fn read(&self, reading: &Reading) -> Result<ReadingTable, ReadingError> {
        read(self, reading)
    }
}

impl Reading {
    /// Checks that a release with these cells can be read in this way. It needs no release, so it can be done before
    /// one is drawn.
    ///
    /// # Errors
    /// [`ReadingError`] as [`Reader::read`].
    pub fn check(&self, space: &Space) -> Result<(), ReadingError> {
        match self.number_of() {
            Some((NumberOf::Cumulative, column)) => Bins::new(space, self, column).map(|_| ()),
            Some((_, column)) => Numbers::new(space, self, column).map(|_| ()),
            None => Layout::of(space, self).map(|_| ()),
        }
    }

    /// The cells of each condition: the groups that are the rows, or of a mean those of each number, and the others.
    ///
    /// # Errors
    /// [`ReadingError`] as [`Reading::check`].
    pub fn grouping(&self, space: &Space) -> Result<Grouping, ReadingError> {
        self.check(space)?;
        Layout::of(space, self)?.grouping(space)
    }
}

fn read(reader: &Reader, reading: &Reading) -> Result<ReadingTable, ReadingError> {
    let rows = match reading.number_of() {
        None if reading.is_count() => counts(reader, reading)?,
        None => shares(reader, reading)?,
        Some((NumberOf::Mean, column)) => means(reader, reading, column)?,
        Some((NumberOf::Sum, column)) => ordered::sums(reader, reading, column)?,
        Some((NumberOf::Cumulative, column)) => ordered::cumulative(reader, reading, column)?,
        Some((what, column)) => ordered::quantiles(reader, reading, column, &what.parts())?,
    };
    let statistic = reading.statistic();
    let drawn = rows.method == ReadingMethod::Draws;
    let Ways { level, simultaneous, .. } = reader.ways;
    Ok(ReadingTable {
        reading: reading.clone(),
        of: reading.asked_columns(),
        given: Term::columns(reading.given()),
        statistic,
        method: rows.basis.unwrap_or(rows.method),
        error: rows.error,
        draws: drawn.then_some(reader.draws),
        seed: drawn.then_some(reader.seed),
        level,
        interval: rows.interval,
        about: match statistic {
            Statistic::Count | Statistic::Sum => Subject::Records,
            _ => reader.ways.about_of(rows.interval),
        },
        simultaneous,
        unknown: rows.unknown,
        words: Words::of_reading(&reader.space, reading),
        rows: rows.rows,
    })
}
