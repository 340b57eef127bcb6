//! Readings and comparisons, from a release alone.

use extendr_api::prelude::*;
use posterity::{Contrast, Contrasted, Document, Publication, Reader, Reading, ReadingError, ReadingTable};
use posterity_present::intervals::{Shown, below};
use posterity_present::readings::{comparison, reading, records};
use posterity_present::{Mark, aligned_text};

use crate::argument::named;
use crate::call::{Call, wrong_ways};
use crate::failure::Failure;
use crate::json;
use crate::kept::Kept;
use crate::worker::run;

/// How many rows are printed.
const MOST_ROWS: usize = 200;

/// How a thread comes to a reader of a release, from the arguments of a call.
pub(crate) fn reader(
    call: &Call,
    document: Document,
) -> Result<impl FnOnce() -> Result<Reader, Failure> + use<>, Failure> {
    let ways = call.ways(document.request().ways())?;
    let (draws, seed) = (call.whole("draws")?, call.whole("seed")?);
    Ok(move || {
        let reader = document.reader().map_err(|error| Failure::argument("x", error))?;
        reader.draws(draws, seed).ways(ways).map_err(wrong_ways)
    })
}

/// How a thread comes to a document of another kind with the intervals of a call, and with what is asked of it.
pub(crate) fn reread(
    call: &Call,
    document: Publication,
    (readings, comparisons): (Vec<Reading>, Vec<Contrast>),
    argument: &'static str,
) -> Result<impl FnOnce() -> Result<Publication, Failure> + use<>, Failure> {
    let is_fixed = document.columns_to_read().is_empty();
    if is_fixed {
        let why = "such a release has one kind of interval; leave it out";
        call.refuse(&["interval_kind", "about", "simultaneous"], why)?;
    }
    let ways = call.ways(document.ways())?;
    // What a release that is read in one way only is asked for is looked up in what it has.
    let readings = if is_fixed { Vec::new() } else { readings };
    Ok(move || document.reread(ways, readings, comparisons).map_err(|error| refused(error, argument)))
}

/// A reading: its rows for programs, and as a reader sees them.
pub(crate) fn read(call: &Call) -> Result<Robj, Failure> {
    let asked: Reading = named(&call.need("reading")?, "reading")?;
    let document = Kept::of(call)?;
    let mark = Mark::new(document.is_private(), document.seed());
    let table = match document {
        Publication::Table(document) => {
            let reader = reader(call, *document)?;
            run(move |_| reader()?.read(&asked).map_err(|error| Failure::argument("reading", error)))?
        }
        other => {
            let read = reread(call, other, (vec![asked.clone()], Vec::new()), "reading")?;
            run(move |_| read()?.read(&asked).map_err(|error| refused(error, "reading")))?
        }
    };
    Ok(described(&table, mark))
}

/// What a reading says: its rows for programs, and as a reader sees them.
fn described(table: &ReadingTable, mark: Mark) -> Robj {
    json::list([
        ("reading", table.reading.to_string().into()),
        ("method", table.method.word().into()),
        ("error", table.error.into()),
        ("level", table.level.into()),
        ("interval_kind", table.interval.word().into()),
        ("about", table.about.word().into()),
        ("simultaneous", table.simultaneous.into()),
        ("given", table.given.clone().into()),
        ("of", table.of.clone().into()),
        ("rows", json::sheet(records(mark, std::slice::from_ref(table), &[]))),
        ("head", Shown::from(table).head().into()),
        ("text", aligned_text(reading(table), MOST_ROWS).into()),
        ("below", below([table], &[]).into()),
    ])
}

/// All tables that a document has, as [`read`] gives them.
pub(crate) fn all(call: &Call) -> Result<Robj, Failure> {
    let document = Kept::of(call)?;
    let mark = Mark::new(document.is_private(), document.seed());
    let tables = run(move |_| Ok(document.pictured().into_owned()))?;
    Ok(tables.iter().map(|table| described(table, mark.clone())).collect::<Vec<Robj>>().into())
}

/// A comparison: its measures for programs, and as a reader sees them.
pub(crate) fn contrast(call: &Call) -> Result<Robj, Failure> {
    let wrong = |error| refused(error, "comparison");
    let asked: Contrast = named(&call.need("comparison")?, "comparison")?;
    let document = Kept::of(call)?;
    let mark = Mark::new(document.is_private(), document.seed());
    let found: Contrasted = match document {
        Publication::Table(document) => {
            let reader = reader(call, *document)?;
            run(move |_| reader()?.contrast(&asked).map_err(wrong))?
        }
        other => {
            let read = reread(call, other, (Vec::new(), vec![asked]), "comparison")?;
            let none = Failure::Internal("the comparison is not there; please report this");
            run(move |_| read()?.comparisons().first().cloned().ok_or(none))?
        }
    };
    Ok(json::list([
        ("comparison", found.comparison.to_string().into()),
        ("probability_larger", found.probability_larger.into()),
        ("error", found.error.into()),
        ("level", found.level.into()),
        ("interval_kind", found.interval.word().into()),
        ("about", found.about.word().into()),
        ("measures", json::sheet(records(mark, &[], std::slice::from_ref(&found)))),
        ("text", aligned_text(comparison(&found), MOST_ROWS).into()),
        ("below", below([], std::slice::from_ref(&found)).into()),
    ]))
}

/// The argument that a refused reading or comparison is about.
pub(crate) fn refused(error: ReadingError, argument: &str) -> Failure {
    match error {
        ReadingError::NoCredible => Failure::argument("interval_kind", error),
        ReadingError::RandomRecords => Failure::argument("about", error),
        error => Failure::argument(argument, error),
    }
}
