//! Categories that nobody declared: the values of a column that enough people have.

use extendr_api::prelude::*;
use posterity::data::{Resources, ValuesAsked};
use posterity::discovery::{Discovered, DiscoveredDocument, ValueData};
use posterity::{Randomness, ReadingTable};
use posterity_present::{DiscoveredFacts, Watch};

use crate::asked::AskedFor;
use crate::call::Call;
use crate::data::TakenTable;
use crate::failure::Failure;
use crate::json;
use crate::published::{Counted, Fields};
use crate::worker::warn;

/// Discovers the categories of a column.
pub(crate) fn discover(call: &Call) -> Result<Robj, Failure> {
    // What can be refused is refused before the data is read, and all of it before anything is charged.
    let asked = AskedFor::new::<Discovered>(call)?;
    let (discovery, values) = (asked.discovery()?.discovery(), asked.discovery()?.values().clone());
    let (payer, shown) = (asked.payer(call)?, asked.shown());
    let AskedFor { plan, data, .. } = asked;
    let data = data.take_table(&plan, &plan.needed(), shown)?;
    warn(&discovery.warnings());
    let (edition, name) = (plan.edition().map(str::to_owned), plan.source().to_owned());
    let counted = Counted::new(&plan, payer, move |randomness, watch| {
        let name = (!name.is_empty()).then_some(name.as_str());
        let values = count(data, &values, randomness, name, watch)?;
        Ok(values.of_edition(edition.as_deref()))
    })?;
    counted.answer(move |values, till, watch| Ok(watch.answer(till, discovery.ask(values)?)?))
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
        TakenTable::Files(source, shown) => {
            let (resources, progress) = (Resources::default(), |_| watch.progress());
            let data = ValueData::read_from(&source, asked, randomness, &resources, &progress)?;
            return Ok(shown.iter().fold(data, |data, name| data.shown_as(name)));
        }
        TakenTable::Columns(columns) => columns,
    };
    let (mut bits, progress) = (randomness.bits_of_data(), |_| watch.progress());
    let values = columns.gather(asked, &mut *bits, &Resources::default(), &progress)?;
    let data = ValueData::gathered(values, asked, randomness);
    match name {
        Some(name) => data.named_table(name, asked).map_err(|error| Failure::argument("name", error)),
        None => Ok(data),
    }
}

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
    ]
}

/// The ends of the intervals of a table: first the lower ones.
fn ends(table: &ReadingTable) -> Vec<f64> {
    [0, 1].map(|end| table.rows.iter().map(|row| row.interval[end]).collect::<Vec<f64>>()).concat()
}
