//! Tables of many columns, released together.

use extendr_api::prelude::*;
use posterity::data::{Domain, Question, Resources};
use posterity::text_file::read_text;
use posterity::margins::{MarginsData, MarginsDocument, MarginsPublisher, MarginsTerms, PlannedMargins, Which};
use posterity::Randomness;
use posterity_present::Watch;
use posterity::plan::{declared_field, fields_of_sets, needed_fields};

use crate::argument::{all_texts, amount, text, whole};
use crate::call::Call;
use crate::data::TakenTable;
use crate::failure::Failure;
use crate::json;
use crate::kept::Kept;
use crate::published::{Counted, Fields};
use crate::question::{asked, question};
use crate::worker::{run, warn};

/// Releases tables of many columns.
pub(crate) fn margins(call: &Call) -> Result<Robj, Failure> {
    // What can be refused is refused before the data is read, and all of it before anything is charged.
    let terms = terms(call)?;
    let question = declared(call, &terms)?;
    let payer = call.payer()?;
    let (edition, name) = (call.text("edition")?, call.text("name")?);
    let publisher = MarginsPublisher::new(terms).allow_large_delta(call.truth("allow_large_delta")?);
    let planned = publisher.plan(question)?;
    planned.check()?;
    let data = TakenTable::new(call, planned.question())?;
    let counted = Counted::new(payer, move |randomness, watch| {
        count(data, planned, (name.as_deref(), edition.as_deref()), randomness, watch)
    })?;
    warn(&counted.data().warnings());
    counted.answer(|data, till, watch| Ok(watch.answer(till, data.ask()?)?))
}

fn terms(call: &Call) -> Result<MarginsTerms, Failure> {
    let usual = MarginsTerms::new(which(call)?, call.epsilon()?, amount(&call.need("delta")?, "delta")?);
    Ok(MarginsTerms { adjacency: call.adjacency()?, ways: call.ways(usual.ways)?, ..usual })
}

/// Which tables: a number of columns, or a text.
fn which(call: &Call) -> Result<Which, Failure> {
    let given = call.need("sets")?;
    let text =
        if given.is_string() { text(&given, "sets")? } else { whole(&given, "sets")?.to_string() };
    text.parse().map_err(|error| Failure::argument("sets", error))
}

/// What is asked of the records: of the columns that a schema declares, or of those that the arguments do.
fn declared(call: &Call, terms: &MarginsTerms) -> Result<Question, Failure> {
    let Some(schema) = call.path("schema")? else { return question(call) };
    call.refuse(
        &["categories", "bins"],
        "the schema declares the values; leave it out, or leave out schema",
    )?;
    let text = read_text(&schema).map_err(|error| Failure::argument("schema", error))?;
    let wrong = |why: String| Failure::argument("schema", format!("the schema {why}"));
    asked(call, chosen(call, &terms.which, needed_fields(&text).map_err(wrong)?)?)
}

/// The columns that are named, or else those of sets alone, or else all.
fn chosen(
    call: &Call,
    which: &Which,
    declared: Vec<(String, Domain)>,
) -> Result<Vec<(String, Domain)>, Failure> {
    let Some(names) = call.read("column", all_texts)? else {
        return fields_of_sets(declared, which).map_err(|why| Failure::argument("sets", why));
    };
    let find = |name: String| {
        let found = declared_field(&declared, &name).map_err(|why| Failure::argument("column", why));
        found.cloned().map(|domain| (name, domain))
    };
    names.into_iter().map(find).collect()
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
        TakenTable::Files(source) => {
            let (resources, progress) = (Resources::default(), |_| watch.progress());
            return Ok(planned.count(&source, edition, randomness, &resources, &progress)?);
        }
        TakenTable::Columns(columns) => columns,
    };
    let mut bits = randomness.bits_of_data();
    let counted = columns.count_margins(planned.question(), &planned.sets(), &mut *bits, watch)?;
    drop(bits);
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
