//! What a release would leave out: for whoever prepares the data. It is not private, and costs nothing.

use extendr_api::prelude::*;
use posterity::data::{Adjacency, Question, Resources, left_out};
use posterity::{Randomness, Table};
use posterity_present::{LeftOutInMemory, STRAYS};

use crate::asked::AskedFor;
use crate::call::Call;
use crate::data::TakenData;
use crate::failure::Failure;
use crate::json;
use crate::worker::run;

/// Looks at all records, and tells what a release leaves out or is refused for.
pub(crate) fn check(call: &Call) -> Result<Robj, Failure> {
    // Nothing is an error here, whatever a release would make of it.
    let mut looked = call.with("adjacency", Adjacency::AddRemove.name());
    let mut kept = [false; 2];
    if call.get("column").is_none() {
        kept = [call.text("other")?.is_some(), call.text("missing")?.is_some()];
        looked = looked.with("other", STRAYS[0]).with("missing", STRAYS[1]);
    }
    // What is looked at does not depend on it.
    let looked = looked.with("epsilon", "1");
    let asked = AskedFor::new::<Table>(&looked)?;
    let question = asked.question()?.clone();
    match asked.data.take(&asked.plan, &question, None)? {
        TakenData::Files(source, question, _) => {
            let found = run(move |watch| {
                Ok(left_out(&source, &question, &Resources::default(), &|_| watch.progress())?)
            })?;
            json::object(&found)
        }
        TakenData::Counts(counter, _) => {
            let records = counter.total();
            let counted = counter.finish_leaving_out()?;
            json::object(&LeftOutInMemory::of_labels(records, &counted, kept))
        }
        TakenData::Columns(columns, known) => {
            let found = run(move |watch| {
                let count = |asked: &Question| {
                    let (mut bits, progress) = (Randomness::System.bits_of_data(), |_| watch.progress());
                    Ok(columns.count(asked, &mut *bits, &Resources::default(), &progress)?)
                };
                if known.is_table {
                    return LeftOutInMemory::of_table(columns.rows(), &known.question, count);
                }
                Ok(LeftOutInMemory::of_labels(columns.rows(), &count(&known.question)?, kept))
            })?;
            json::object(&found)
        }
    }
}
