//! Quantiles, sums and shares below edges.

use posterity_core::confidence::Sums;
use posterity_core::table::Draw;

use super::error::ReadingError;
use super::numbers::{Bins, Numbers, Order, part_label};
use super::read::{Rows, shares};
use super::reader::Reader;
use super::reading::Reading;
use super::rows::{ReadingMethod, ReadingRow, Unknown};
use super::sample::Sample;
use super::ways::{IntervalKind, Ways};

/// The quantiles of each condition.
pub(super) fn quantiles(
    reader: &Reader,
    reading: &Reading,
    column: &str,
    parts: &[f64],
) -> Result<Rows, ReadingError> {
    let (layout, numbers) = Numbers::new(&reader.space, reading, column)?;
    let (labels, unknown) = (layout.labels.clone(), Unknown::of(reader, layout.unknown())?);
    let grouping = layout.grouping(&reader.space)?;
    let orders: Vec<Order> = (0..labels.len()).map(|block| numbers.order(block)).collect();
    let level = reader.ways.level_of_each(labels.len() * parts.len());
    let ways = Ways { level, ..reader.ways };
    let asked: Vec<(usize, f64)> =
        (0..labels.len()).flat_map(|block| parts.iter().map(move |&part| (block, part))).collect();
    let given = |block: usize| labels[block].0.clone();
    let confident = |sums: &Sums, &(block, part): &(usize, f64)| {
        let order = &orders[block];
        let cells = order.cells(&grouping.blocks()[block]);
        match sums.quantile(&cells, part, ways.about, level) {
            Some(found) => order.row(given(block), found.ends, found.bin, found.may_be_empty),
            None => order.row(given(block), [0, order.len()], None, true),
        }
    };
    let rows: Option<Vec<ReadingRow>> =
        reader.sums.as_ref().map(|sums| Sums::map(&asked, |one| confident(sums, one)));
    let interval = match rows {
        Some(_) => ways.interval,
        None => ways.interval.without_confidence(),
    };
    let named = |rows: Vec<ReadingRow>| {
        let name = |(row, (_, part)): (ReadingRow, &(usize, f64))| ReadingRow {
            cell: part_label(column, parts, *part),
            ..row
        };
        rows.into_iter().zip(&asked).map(name).collect()
    };
    let basis = (interval == IntervalKind::Confidence).then_some(ReadingMethod::Proven);
    let alone = reader.has_no_credible() || reader.confidence_alone && basis.is_some();
    let rows = match rows {
        Some(rows) if alone => {
            let rows = named(rows);
            return Ok(Rows { rows, unknown, interval, method: ReadingMethod::Exact, basis, error: 0.0 });
        }
        rows => rows,
    };
    if reader.dependent {
        return Err(ReadingError::DependentRecords);
    }
    let places = |draw: &Draw| -> Vec<f64> {
        let place = |&(block, part): &(usize, f64)| orders[block].place(&draw.shares[block], part) as f64;
        asked.iter().map(place).collect()
    };
    let draws = reader.sampler(&grouping).map(reader.draws, reader.seed, places);
    let mut error: f64 = 0.0;
    let drawn = asked.iter().enumerate().map(|(index, &(block, _))| {
        let sample = Sample::new(draws.iter().map(|places| places[index]).collect());
        let [low, high] = sample.interval_of(ways);
        let order = &orders[block];
        let credible = order.span([low as usize, high as usize + 1]);
        error = error
            .max(sample.interval_error(level) * (order.span([0, order.len()])[1] - order.span([0, 1])[0]));
        let middle = order.row(given(block), [0, order.len()], Some(sample.quantile(0.5) as usize), false);
        let known = rows.as_ref().map(|rows| rows[index].clone());
        // Without noise that adds up the draws say where the quantile lies.
        let row = known.unwrap_or(ReadingRow { confidence: None, ..middle });
        let shown = row.confidence.filter(|_| interval == IntervalKind::Confidence).unwrap_or(credible);
        ReadingRow { credible, interval: shown, ..row }
    });
    let rows = named(drawn.collect());
    let method = if reader.models_noise() { ReadingMethod::Draws } else { ReadingMethod::WithoutNoise };
    Ok(Rows { rows, unknown, interval, method, basis, error })
}

/// The sum of each condition, over the records.
pub(super) fn sums(reader: &Reader, reading: &Reading, column: &str) -> Result<Rows, ReadingError> {
    let (layout, numbers) = Numbers::new(&reader.space, reading, column)?;
    if reader.ways.interval != IntervalKind::Confidence {
        return Err(ReadingError::ConfidenceOnly { what: "sums" });
    }
    let Some(sums) = &reader.sums else { return Err(ReadingError::NotAdditive { what: "sums" }) };
    let unknown = Unknown::of(reader, layout.unknown())?;
    let level = reader.ways.level_of_each(layout.blocks.len());
    let one = |block: usize, numbers: &[Vec<f64>]| -> Result<ReadingRow, ReadingError> {
        let found = sums.sum(layout.blocks[block].asked(), &numbers[block], level);
        let found = found.ok_or(ReadingError::NotAdditive { what: "sums of so many cells" })?;
        Ok(ReadingRow::confident(layout.labels[block].0.clone(), found.estimate, found.ends))
    };
    let row = |block: usize| -> Result<ReadingRow, ReadingError> {
        let low = one(block, &numbers.low)?;
        match &numbers.high {
            Some(high) => Ok(low.spanning(one(block, high)?)),
            None => Ok(low),
        }
    };
    let rows = (0..layout.blocks.len()).map(row).collect::<Result<_, _>>()?;
    let (interval, method) = (IntervalKind::Confidence, ReadingMethod::Exact);
    Ok(Rows { rows, unknown, interval, method, basis: Some(ReadingMethod::Measured), error: 0.0 })
}

/// The shares below each edge.
pub(super) fn cumulative(reader: &Reader, reading: &Reading, column: &str) -> Result<Rows, ReadingError> {
    let bins = Bins::new(&reader.space, reading, column)?;
    let read = |reading: &Reading, ways: Ways| shares(&Reader { ways, ..reader.clone() }, reading);
    let (first, rows) = bins.read(reader.ways, read, |found: &Rows| &found.rows)?;
    Ok(Rows { rows, ..first })
}
