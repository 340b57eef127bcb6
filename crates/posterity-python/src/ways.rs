//! The intervals that a call asks for.

use posterity::ReadingError;
use posterity::table::Ways;
use pyo3::prelude::*;

use crate::argument::{self, named, truth};
use crate::error::Failure;

/// Level, kind, subject and whether all hold at once, as a call from Python gives them; none is as in the release.
pub(crate) type AskedWays<'py> = [Option<Bound<'py, PyAny>>; 4];

/// The intervals of a call: those of the release, where it does not say otherwise.
pub(crate) fn ways_of(usual: Ways, asked: &AskedWays<'_>) -> Result<Ways, Failure> {
    let [level, interval, about, simultaneous] = asked.each_ref().map(Option::as_ref);
    let ways = Ways {
        level: level.map_or(Ok(usual.level), argument::level)?,
        interval: interval.map_or(Ok(usual.interval), |value| named(value, "interval_kind"))?,
        about: about.map_or(Ok(usual.about), |value| named(value, "about"))?,
        simultaneous: simultaneous.map_or(Ok(usual.simultaneous), |value| truth(value, "simultaneous"))?,
    };
    ways.check().map_err(wrong_ways)?;
    Ok(ways)
}

/// The argument that asks for intervals that there are not.
pub(crate) fn wrong_ways(error: ReadingError) -> Failure {
    let argument = if matches!(error, ReadingError::Level(_)) { "level" } else { "about" };
    Failure::argument(argument, error)
}
