//! The release.

use std::path::Path;

use extendr_api::prelude::*;
use posterity::text_file::read_text;
use posterity::{Certificate, Document, Publication, Publisher, Reading, SystemBits, Terms};
use posterity_core::sampler::{BitSource, SeededBits, dirichlet};
use posterity_plot::PosteriorPlot;
use posterity_present::cells::categories;
use posterity_present::intervals::{Shown, below};

use crate::argument::named;
use crate::call::{Call, wrong_ways};
use crate::data::TakenData;
use crate::discover;
use crate::failure::Failure;
use crate::json;
use crate::kept::Kept;
use crate::published::{Counted, Fields};
use crate::worker::{run, warn};

/// Draws one release.
pub(crate) fn release(call: &Call) -> Result<Robj, Failure> {
    // What can be refused is refused before the data is read, and all of it before anything is charged.
    let adjacency = call.adjacency()?;
    let usual = Terms::new(call.epsilon()?);
    let ways = call.ways(usual.ways())?;
    let terms = Terms {
        adjacency,
        most: call.most(adjacency)?,
        prior: call.prior()?,
        spec: call.mechanism(adjacency)?,
        decoder: call.decoder()?,
        level: ways.level,
        interval: ways.interval,
        about: ways.about,
        simultaneous: ways.simultaneous,
        ..usual
    };
    let not_private = call.truth("not_private")?;
    let (certificate, payer) = (call.path("certificate")?, call.payer()?);
    let edition = call.text("edition")?;
    let data = TakenData::new(call)?;
    let certificate = certificate.as_deref().map(read_certificate).transpose()?;
    let publisher = Publisher::with_terms(terms).certificate(certificate).allow_unproven_if(not_private);
    warn(&publisher.warnings());
    let counted = Counted::new(payer, move |randomness, watch| {
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
        ("interval", ways.interval.word().into()),
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

/// How many rows are printed.
const MOST_ROWS: usize = 40;

/// The first categories as a reader sees them, and what stands below them.
pub(crate) fn shown(call: &Call) -> Result<Robj, Failure> {
    let document = Kept::release(call)?;
    let (rows, more) = json::shown(categories(&document), MOST_ROWS);
    Ok(json::list([
        ("rows", rows),
        ("more", (more as f64).into()),
        ("below", below(document.cells(), &[]).into()),
        ("intervals", Shown::of_cells(&document).head().into()),
    ]))
}

/// The ends of the intervals of all categories: first the lower ones.
pub(crate) fn interval(call: &Call) -> Result<Robj, Failure> {
    if let Publication::Discovered(document) = Kept::of(call)? {
        return discover::interval(call, &document);
    }
    let document = Kept::release(call)?;
    let ways = call.ways(document.request().ways())?;
    let ends = run(move |_| {
        let document = document.with_ways(ways).map_err(wrong_ways)?;
        let (_, intervals) = document.best_summary();
        Ok([0, 1].map(|end| intervals.iter().map(|ends| ends[end]).collect::<Vec<f64>>()).concat())
    })?;
    Ok(ends.into())
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
