//! Readings and comparisons, from a release alone.

use extendr_api::prelude::*;
use posterity::margins::MarginsDocument;
use posterity::{Contrast, Contrasted, Document, Publication, Reader, Reading, ReadingError, ReadingTable};
use posterity_present::Mark;
use posterity_present::intervals::below;
use posterity_present::readings::{comparison, reading, records};

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

/// How a thread comes to the rows of a reading of tables of many columns.
pub(crate) fn of_margins(
    call: &Call,
    document: MarginsDocument,
    asked: Reading,
) -> Result<impl FnOnce() -> Result<(MarginsDocument, ReadingTable), Failure> + use<>, Failure> {
    let ways = call.ways(document.answer().asked().terms().ways)?;
    Ok(move || {
        let read = document.with_readings(ways, vec![asked.clone()], Vec::new());
        let read = read.map_err(|error| refused(error, "reading"))?;
        let table = read.answer().read(&asked).map_err(|error| Failure::argument("reading", error))?;
        Ok((read, table))
    })
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
        Publication::Margins(document) => {
            let read = of_margins(call, *document, asked)?;
            run(move |_| Ok(read()?.1))?
        }
        _ => return Err(Kept::without_readings()),
    };
    let (shown, more) = json::shown(reading(&table), MOST_ROWS);
    Ok(json::list([
        ("reading", table.reading.to_string().into()),
        ("method", table.method.word().into()),
        ("error", table.error.into()),
        ("level", table.level.into()),
        ("interval", table.interval.word().into()),
        ("about", table.about.word().into()),
        ("simultaneous", table.simultaneous.into()),
        ("given", table.given.clone().into()),
        ("of", table.of.clone().into()),
        ("rows", json::sheet(records(mark, std::slice::from_ref(&table), &[]))),
        ("shown", shown),
        ("more", (more as f64).into()),
        ("below", below([&table], &[]).into()),
    ]))
}

/// A comparison: its measures for programs, and as a reader sees them.
pub(crate) fn contrast(call: &Call) -> Result<Robj, Failure> {
    let wrong = |error| Failure::argument("comparison", error);
    let asked: Contrast = named(&call.need("comparison")?, "comparison")?;
    let document = Kept::of(call)?;
    let mark = Mark::new(document.is_private(), document.seed());
    let found: Contrasted = match document {
        Publication::Table(document) => {
            let reader = reader(call, *document)?;
            run(move |_| reader()?.contrast(&asked).map_err(wrong))?
        }
        Publication::Margins(document) => {
            let ways = call.ways(document.answer().asked().terms().ways)?;
            run(move |_| {
                let read = document.with_readings(ways, Vec::new(), vec![asked.clone()]);
                read.map_err(|error| refused(error, "comparison"))?.answer().contrast(&asked).map_err(wrong)
            })?
        }
        _ => return Err(Kept::without_readings()),
    };
    Ok(json::list([
        ("comparison", found.comparison.to_string().into()),
        ("probability_larger", found.probability_larger.into()),
        ("error", found.error.into()),
        ("level", found.level.into()),
        ("interval", found.interval.word().into()),
        ("about", found.about.word().into()),
        ("measures", json::sheet(records(mark, &[], std::slice::from_ref(&found)))),
        ("shown", json::shown(comparison(&found), MOST_ROWS).0),
        ("below", below([], std::slice::from_ref(&found)).into()),
    ]))
}

/// The argument that a refused reading or comparison is about.
fn refused(error: ReadingError, argument: &str) -> Failure {
    match error {
        ReadingError::NoCredible => Failure::argument("interval_kind", error),
        ReadingError::RandomRecords => Failure::argument("about", error),
        error => Failure::argument(argument, error),
    }
}
