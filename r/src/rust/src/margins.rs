//! Tables of many columns, released together.

use extendr_api::prelude::*;
use posterity::Randomness;
use posterity::data::Resources;
use posterity::margins::{Margins, MarginsData, MarginsDocument, PlannedMargins};
use posterity_present::Watch;

use crate::argument::whole;
use crate::asked::AskedFor;
use crate::call::Call;
use crate::data::TakenTable;
use crate::failure::Failure;
use crate::json;
use crate::kept::Kept;
use crate::published::{Counted, Fields};
use crate::worker::{run, warn};

/// Releases tables of many columns.
pub(crate) fn margins(call: &Call) -> Result<Robj, Failure> {
    // What can be refused is refused before the data is read, and all of it before anything is charged.
    let asked = AskedFor::new::<Margins>(call)?;
    let planned = asked.margins()?.clone();
    let (payer, shown) = (asked.payer(call)?, asked.shown());
    planned.check()?;
    let AskedFor { plan, data, .. } = asked;
    let data = data.take_table(&plan, &plan.needed(), shown)?;
    let (edition, name) = (plan.edition().map(str::to_owned), plan.source().to_owned());
    let counted = Counted::new(&plan, payer, move |randomness, watch| {
        let name = (!name.is_empty()).then_some(name.as_str());
        count(data, planned, (name, edition.as_deref()), randomness, watch)
    })?;
    warn(&counted.data().warnings());
    counted.answer(|data, till, watch| Ok(watch.answer(till, data.ask()?)?))
}

/// Counts all tables of data with a name and an edition.
fn count(
    data: TakenTable,
    planned: PlannedMargins,
    (name, edition): (Option<&str>, Option<&str>),
    randomness: Randomness,
    watch: &Watch,
) -> Result<MarginsData, Failure> {
    let columns = match data {
        TakenTable::Files(source, shown) => {
            let (resources, progress) = (Resources::default(), |_| watch.progress());
            let data = planned.count(&source, edition, randomness, &resources, &progress)?;
            return Ok(shown.iter().fold(data, |data, name| data.shown_as(name)));
        }
        TakenTable::Columns(columns) => columns,
    };
    let (resources, progress) = (Resources::default(), |_| watch.progress());
    let bits = &mut *randomness.bits_of_data();
    let counted = columns.count_margins(planned.question(), &planned.sets(), bits, &resources, &progress)?;
    let data = planned.counted(counted, name, edition, randomness);
    data.map_err(|error| Failure::argument("name", error))
}

/// What tables of many columns say.
pub(crate) fn fields(document: &MarginsDocument) -> Result<Fields, Failure> {
    let answer = document.answer();
    let terms = answer.asked().terms();
    let columns = document.about().columns.iter().map(|one| (one.name.as_str(), one.values.clone().into()));
    Ok(vec![
        ("epsilon", terms.epsilon.to_f64_shown().into()),
        ("delta", terms.delta.to_f64_shown().into()),
        ("rho", terms.rho().ok().map(|rho| rho.to_f64_shown()).into()),
        ("columns", json::list(columns.collect::<Vec<_>>())),
        ("tables", json::object(&answer.tables())?),
    ])
}

/// Rows fitted to the release: for each column its values, and the place of each row's value among them.
pub(crate) fn rows(call: &Call) -> Result<Robj, Failure> {
    let number = call.read("number", whole)?.map(|number| usize::try_from(number).unwrap_or(usize::MAX));
    let (seed, document) = (call.whole("seed")?, Kept::margins(call)?);
    let columns = run(move |watch| {
        let rows = document.rows(number, seed, &|_| watch.progress());
        let rows = rows.map_err(|error| Failure::argument("number", error))?;
        let column = |(name, values, places): (&str, &[String], &[u16])| {
            let places = places.iter().map(|&place| i32::from(place) + 1).collect::<Vec<i32>>();
            (name.to_owned(), values.to_vec(), places)
        };
        Ok(rows.columns().map(column).collect::<Vec<_>>())
    })?;
    let columns = columns.iter().map(|(name, values, places)| {
        let parts = json::list([("values", values.clone().into()), ("places", places.clone().into())]);
        (name.as_str(), parts)
    });
    Ok(json::list(columns.collect::<Vec<_>>()))
}
