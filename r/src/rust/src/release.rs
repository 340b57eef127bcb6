//! The release.

use std::path::Path;

use extendr_api::prelude::*;
use posterity::table::ReadingRow;
use posterity::text_file::read_text;
use posterity::{Certificate, Document, Publication, Reading, SystemBits, Table};
use posterity_core::sampler::{BitSource, SeededBits, dirichlet};
use posterity_plot::PosteriorPlot;

use crate::argument::named;
use crate::asked::AskedFor;
use crate::call::{Call, wrong_ways};
use crate::failure::Failure;
use crate::json;
use crate::kept::Kept;
use crate::published::{Counted, Fields};
use crate::reading::reread;
use crate::worker::{run, warn};

/// Draws one release.
pub(crate) fn release(call: &Call) -> Result<Robj, Failure> {
    // What can be refused is refused before the data is read, and all of it before anything is charged.
    let asked = AskedFor::new::<Table>(call)?;
    let question = asked.question()?.clone();
    let not_private = call.truth("not_private")?;
    let (certificate, payer) = (call.path("certificate")?, asked.payer(call)?);
    let shown = asked.shown();
    let AskedFor { plan, data, .. } = asked;
    let data = data.take(&plan, &question, shown)?;
    let certificate = certificate.as_deref().map(read_certificate).transpose()?;
    let publisher = question.publisher().certificate(certificate).allow_unproven_if(not_private);
    warn(&publisher.warnings());
    let edition = plan.edition().map(str::to_owned);
    let counted = Counted::new(&plan, payer, move |randomness, watch| {
        Ok(data.count(randomness, watch)?.of_edition(edition.as_deref()))
    })?;
    counted.answer(move |data, till, watch| {
        let tick = |_| watch.tick();
        Ok(watch.answer(till, publisher.progress(&tick).ask(&data)?)?)
    })
}

fn read_certificate(file: &Path) -> Result<Certificate, Failure> {
    let text = read_text(file).map_err(|error| Failure::other(format!("certificate: {error}")))?;
    Ok(Certificate::from_json(&text)?)
}

/// What a release says.
pub(crate) fn fields(document: &Document) -> Result<Fields, Failure> {
    let names = document.categories().names();
    let named = |numbers: Vec<f64>| json::numbers(names.iter().map(String::as_str), numbers);
    let (share, _) = document.best_summary();
    let mean = match document.cells() {
        Some(_) => (0..names.len()).map(|i| document.cell(i).map_or(f64::NAN, |row| row.mean)).collect(),
        None => share.to_vec(),
    };
    let ways = document.request().ways();
    let drawn = document.drawn().as_slice().iter().map(|&count| count as f64).collect();
    let released = document.released_counts().as_slice().iter().map(|&count| count as f64).collect();
    Ok(vec![
        ("mechanism", document.mechanism().into()),
        ("epsilon", document.epsilon().into()),
        ("categories", names.to_vec().into()),
        ("share", named(share.to_vec())),
        ("mean", named(mean)),
        ("drawn", named(drawn)),
        ("released_counts", named(released)),
        ("posterior", named(document.posterior().parameters.parameters().to_vec())),
        (
            "effective",
            document
                .effective()
                .map_or_else(|| ().into(), |effective| named(effective.parameters.parameters().to_vec())),
        ),
        ("prior", document.request().setting().prior().parameters().to_vec().into()),
        ("noise_aware", document.noise_aware().is_some().into()),
        ("expected_distance", document.expected_distance().into()),
        ("interval_kind", ways.interval.word().into()),
        ("about", ways.about.word().into()),
        ("simultaneous", ways.simultaneous.into()),
        ("columns", columns(document)?),
    ])
}

/// The columns with their values.
fn columns(document: &Document) -> Result<Robj, Failure> {
    let space = document.space().map_err(|error| Failure::argument("x", error))?;
    let columns = space.columns().iter().map(|column| (column.name.as_str(), column.values.clone().into()));
    Ok(json::list(columns.collect::<Vec<_>>()))
}

/// The number that is shown of each category or value, with its interval and its name.
pub(crate) fn interval(call: &Call) -> Result<Robj, Failure> {
    let document = match Kept::of(call)? {
        Publication::Table(document) => *document,
        other => return of_readings(call, other),
    };
    let ways = call.ways(document.request().ways())?;
    let document = run(move |_| {
        let document = document.with_ways(ways).map_err(wrong_ways)?;
        // It is computed here, and kept.
        let _ = document.best_summary();
        Ok(document)
    })?;
    let (shown, intervals) = document.best_summary();
    Ok(numbers(document.categories().names().to_vec(), shown.to_vec(), intervals.iter().copied()))
}

/// The same of the counts that were discovered, or of each value of each column.
fn of_readings(call: &Call, document: Publication) -> Result<Robj, Failure> {
    let is_discovered = matches!(document, Publication::Discovered(_));
    let read = reread(call, document, (Vec::new(), Vec::new()), "x")?;
    let tables = run(move |_| Ok(read()?.readings().into_owned()))?;
    // Shares and the total of what was discovered have intervals of their own.
    let tables = if is_discovered { &tables[..1] } else { &tables[..] };
    let rows: Vec<&ReadingRow> = tables.iter().flat_map(|table| &table.rows).collect();
    let name = |row: &&ReadingRow| {
        let named = row.given.iter().chain(row.cell.iter());
        let parts = named.map(
            |(column, value)| {
                if is_discovered { value.to_owned() } else { format!("{column}={value}") }
            },
        );
        parts.collect::<Vec<_>>().join(",")
    };
    let shown = rows.iter().map(|row| row.shown()).collect();
    Ok(numbers(rows.iter().map(name).collect(), shown, rows.iter().map(|row| row.interval)))
}

fn numbers(names: Vec<String>, shown: Vec<f64>, ends: impl Iterator<Item = [f64; 2]> + Clone) -> Robj {
    let end = |end: usize| ends.clone().map(|ends| ends[end]).collect::<Vec<f64>>();
    json::list([
        ("names", names.into()),
        ("shown", shown.into()),
        ("low", end(0).into()),
        ("high", end(1).into()),
    ])
}

/// Most numbers that one call draws.
const MAX_DRAWN: u64 = 1 << 28;

/// Draws of the shares of all categories together, or of the rows of a reading: one after the other.
pub(crate) fn draws(call: &Call) -> Result<Robj, Failure> {
    let document = Kept::release(call)?;
    let (size, seed) = (call.whole("size")?, call.seed()?);
    let reading: Option<Reading> = call.read("reading", named)?;
    let space = document.space().map_err(|error| Failure::argument("reading", error))?;
    if let Some(reading) = &reading {
        reading.check(&space).map_err(|error| Failure::argument("reading", error))?;
    }
    let most = MAX_DRAWN / space.cells().max(1) as u64;
    if size > most {
        return Err(Failure::argument(
            "size",
            format!("the draws do not fit into memory; take at most {most}"),
        ));
    }
    let drawn = run(move |watch| {
        let mut bits: Box<dyn BitSource> = match seed {
            Some(seed) => Box::new(SeededBits::new(seed)),
            None => Box::new(SystemBits::new()),
        };
        let reading = reading.or_else(|| document.cells().map(|table| table.reading.clone().of_all()));
        if let Some(reading) = reading {
            let seed = bits.next_u64()?;
            let reader = document.reader().map_err(|error| Failure::argument("x", error))?;
            let drawn = reader.sample(&reading, size, seed);
            return Ok(drawn.map_err(|error| Failure::argument("reading", error))?.concat());
        }
        let mut drawn = Vec::new();
        for _ in 0..size {
            watch.tick();
            drawn.extend(match document.noise_aware() {
                Some(aware) => aware.sample(&mut *bits)?,
                None => dirichlet(&document.posterior().parameters, &mut *bits)?,
            });
        }
        Ok(drawn)
    })?;
    Ok(drawn.into())
}

/// The density of each of the largest categories as points of a line.
pub(crate) fn lines(call: &Call) -> Result<Robj, Failure> {
    let document = Kept::release(call)?;
    let lines = run(move |_| Ok(PosteriorPlot::new(&document).lines()))?;
    let line = |(x, y): (Vec<f64>, Vec<f64>)| json::list([("x", x.into()), ("y", y.into())]);
    Ok(lines.into_iter().map(line).collect::<Vec<Robj>>().into())
}
