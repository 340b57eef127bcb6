//! Categories that nobody declared: the values of a column that enough people have.

use extendr_api::prelude::*;
use posterity::data::{DataError, Resources, ValuesAsked};
use posterity::discovery::{DiscoveredDocument, Discovery, DiscoveryTerms, ValueData};
use posterity::{Randomness, ReadingTable};
use posterity_present::readings::reading;
use posterity_present::{DiscoveredFacts, Watch, columns_of_values, largest_counts};

use crate::argument::{amount, decimal};
use crate::call::Call;
use crate::data::TakenTable;
use crate::failure::Failure;
use crate::json;
use crate::published::{Counted, Fields};
use crate::question::{rules, unit};
use crate::worker::warn;

/// Discovers the categories of a column.
pub(crate) fn discover(call: &Call) -> Result<Robj, Failure> {
    // What can be refused is refused before the data is read, and all of it before anything is charged.
    let (asked, terms) = (asked(call)?, terms(call)?);
    if terms.one_record_per_person && asked.unit.is_some() {
        let why = "this is for data without a unit, and there is one; leave out one of both";
        return Err(Failure::argument("one_record_per_person", why));
    }
    let discovery = Discovery::new(terms).allow_large_delta(call.truth("allow_large_delta")?);
    discovery.check(&asked)?;
    asked.check().map_err(wrong_question)?;
    let payer = call.payer()?;
    let (edition, name) = (call.text("edition")?, call.text("name")?);
    let data = TakenTable::new(call, &columns_of_values(&asked))?;
    warn(&discovery.warnings());
    let counted = Counted::new(payer, move |randomness, watch| {
        let values = count(data, &asked, randomness, name.as_deref(), watch)?;
        Ok(values.of_edition(edition.as_deref()))
    })?;
    counted.answer(move |values, till, watch| Ok(watch.answer(till, discovery.ask(values)?)?))
}

/// The column and which of its records are counted.
fn asked(call: &Call) -> Result<ValuesAsked, Failure> {
    let column = call.text("column").map_err(|_| {
        Failure::argument("column", "categories are discovered in one column; give its name as a text")
    })?;
    let column = column.ok_or_else(|| {
        Failure::argument(
            "column",
            "say in which column of the file or data frame the categories are discovered",
        )
    })?;
    let (unit, per_unit) = unit(call)?;
    let missing = rules(call, "missing", std::slice::from_ref(&column))?.into_iter().next().flatten();
    Ok(ValuesAsked { filter: call.text("where")?, unit, per_unit, missing, ..ValuesAsked::new(column) })
}

fn terms(call: &Call) -> Result<DiscoveryTerms, Failure> {
    let total = call.read("total_epsilon", |value, name| {
        decimal(value, name)?.parse().map_err(|error| Failure::argument(name, error))
    });
    Ok(DiscoveryTerms {
        total: total?,
        one_record_per_person: call.truth("one_record_per_person")?,
        level: call.level()?,
        ..DiscoveryTerms::new(call.epsilon()?, amount(&call.need("delta")?, "delta")?)
    })
}

/// The argument that a wrong question is about.
fn wrong_question(error: DataError) -> Failure {
    match error {
        DataError::Cells(_) => Failure::argument("missing", error),
        other => other.into(),
    }
}

/// Counts all values.
fn count(
    data: TakenTable,
    asked: &ValuesAsked,
    randomness: Randomness,
    name: Option<&str>,
    watch: &Watch,
) -> Result<ValueData, Failure> {
    let columns = match data {
        TakenTable::Files(source) => {
            let (resources, progress) = (Resources::default(), |_| watch.progress());
            return Ok(ValueData::read_from(&source, asked, randomness, &resources, &progress)?);
        }
        TakenTable::Columns(columns) => columns,
    };
    let values = columns.gather(asked, &mut *randomness.bits_of_data(), watch)?;
    let data = ValueData::gathered(values, asked, randomness);
    match name {
        Some(name) => data.named_table(name, asked).map_err(|error| Failure::argument("name", error)),
        None => Ok(data),
    }
}

/// How many values are printed.
const MOST_ROWS: usize = 40;

/// What discovered categories say.
pub(crate) fn fields(document: &DiscoveredDocument) -> Fields {
    let facts = DiscoveredFacts::of(document);
    let (counts, total) = (&facts.readings[0], facts.readings.get(2));
    let labels: Vec<&str> = counts
        .rows
        .iter()
        .filter_map(|row| row.given.iter().chain(row.cell.iter()).next())
        .map(|(_, label)| label)
        .collect();
    let estimates = |table: &ReadingTable| {
        json::numbers(
            labels.iter().copied(),
            table.rows.iter().map(|row| row.estimate.unwrap_or(row.mean)).collect(),
        )
    };
    let (first, more) = json::shown(reading(&largest_counts(document)), MOST_ROWS);
    let none = || Robj::from(());
    vec![
        ("column", facts.column.into()),
        ("values", labels.clone().into()),
        ("count", estimates(counts)),
        ("share", facts.readings.get(1).map_or_else(none, estimates)),
        ("ends", ends(counts).into()),
        ("share_ends", facts.readings.get(1).map_or_else(none, |shares| ends(shares).into())),
        ("total", total.and_then(|table| table.rows[0].estimate).into()),
        ("total_interval", total.map_or_else(none, |table| table.rows[0].interval.to_vec().into())),
        ("not_shown", facts.not_shown.as_ref().map_or_else(none, |rest| rest.interval.to_vec().into())),
        ("threshold", (facts.threshold as f64).into()),
        ("epsilon", facts.epsilon.into()),
        ("delta", facts.delta.into()),
        ("shown", first),
        ("more", (more as f64).into()),
    ]
}

/// The ends of the intervals of a table: first the lower ones.
fn ends(table: &ReadingTable) -> Vec<f64> {
    [0, 1].map(|end| table.rows.iter().map(|row| row.interval[end]).collect::<Vec<f64>>()).concat()
}

/// The ends of the intervals of all counts at a level.
pub(crate) fn interval(call: &Call, document: &DiscoveredDocument) -> Result<Robj, Failure> {
    call.refuse(
        &["interval_kind", "about", "simultaneous"],
        "counts of discovered categories have one kind of interval; leave it out",
    )?;
    let document = document.with_level(call.level()?);
    let document = document.map_err(|error| Failure::argument("level", error))?;
    Ok(ends(&document.answer().readings()[0]).into())
}
