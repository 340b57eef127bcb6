//! Categories that nobody declared: the values of a column that enough people have.

use std::sync::Arc;

use posterity::data::{Resources, ValuesAsked};
use posterity::discovery::{DiscoveredDocument, ValueData};
use posterity::document::Kind;
use posterity::plan::PlannedDiscovery;
use posterity::{Contrast, Contrasted, Randomness, Reading, ReadingError, ReadingTable};
use posterity_present::DiscoveredFacts;
use pyo3::prelude::*;

use crate::argument;
use crate::asked::{CallAsks, NO_QUESTION};
use crate::call::Call;
use crate::data::TakenTable;
use crate::error::Failure;
use crate::interrupt::Watch;
use crate::json;
use crate::panic::guarded;
use crate::published::{Class, Counted, Effort, How, Published, payer, refused};
use crate::warning::warn;

/// Discovered categories.
#[pyclass(frozen, extends = Published, module = "posterity._posterity")]
pub(crate) struct Discovered {
    document: Arc<DiscoveredDocument>,
}

/// Discovers the categories of a column.
#[pyfunction]
pub(crate) fn discover<'py>(py: Python<'py>, call: Call<'py>) -> PyResult<Bound<'py, Discovered>> {
    guarded(|| {
        // What can be refused is refused before the data is read, and all of it before anything is charged.
        let CallAsks { call, offered, plan, shown } =
            CallAsks::new::<posterity::discovery::Discovered>(call)?;
        let asked = plan.all::<PlannedDiscovery>().next().ok_or(NO_QUESTION)?;
        let (discovery, asked) = (asked.discovery(), asked.values().clone());
        let payer = payer(&call)?;
        let data = offered.take_table(&plan, &plan.needed(), shown)?;
        // Whoever turns warnings into errors has paid nothing.
        warn(py, &discovery.warnings())?;
        let (edition, name) = (plan.edition().map(str::to_owned), plan.source().to_owned());
        let counted = Counted::new(py, &plan, payer, Effort::Large, move |randomness, watch| {
            let name = (!name.is_empty()).then_some(name.as_str());
            let values = count(data, &asked, randomness, name, watch)?;
            Ok(values.of_edition(edition.as_deref()))
        })?;
        counted.answer(py, move |values, till, watch| Ok(watch.answer(till, discovery.ask(values)?)?))
    })
}

/// Counts all values.
fn count(
    data: TakenTable,
    asked: &ValuesAsked,
    randomness: Randomness,
    name: Option<&str>,
    watch: &Watch,
) -> Result<ValueData, Failure> {
    let memory = match data {
        TakenTable::Files(source, shown) => {
            let (resources, progress) = (Resources::default(), |_| watch.progress());
            let read = ValueData::read_from(&source, asked, randomness, &resources, &progress)?;
            return Ok(shown.iter().fold(read, |read, name| read.shown_as(name)));
        }
        TakenTable::Columns(memory) => memory.checked(watch)?,
    };
    let (mut bits, progress) = (randomness.bits_of_data(), |_| watch.progress());
    let values = memory.gather(asked, &mut *bits, &Resources::default(), &progress)?;
    let data = ValueData::gathered(values, asked, randomness);
    match name {
        Some(name) => data.named_table(name, asked).map_err(|error| Failure::argument("name", error)),
        None => Ok(data),
    }
}

#[pymethods]
impl Discovered {
    /// The intervals of all counts at a level.
    fn interval(&self, level: &Bound<'_, PyAny>) -> PyResult<Vec<(f64, f64)>> {
        let document = self.document.with_level(argument::level(level)?);
        let document = document.map_err(|error| Failure::argument("level", error))?;
        let counts = document.answer().readings().swap_remove(0);
        Ok(counts.rows.iter().map(|row| (row.interval[0], row.interval[1])).collect())
    }
}

impl Class for posterity::discovery::Discovered {
    type Object = Discovered;
    const NAME: &'static str = "Discovered";

    fn object(document: Arc<DiscoveredDocument>) -> Discovered {
        Discovered { document }
    }

    fn facts(document: &DiscoveredDocument) -> Result<String, Failure> {
        json::text(&DiscoveredFacts::of(document))
    }

    /// The first values, the largest first.
    fn table(document: &DiscoveredDocument, reading: &Reading, how: &How) -> Result<ReadingTable, Failure> {
        how.refuse_draws(Self::TITLE)?;
        let (ways, usual) = (how.ways, document.answer().ways());
        let others = [
            ("interval_kind", ways.interval != usual.interval),
            ("about", ways.about != usual.about),
            ("simultaneous", ways.simultaneous != usual.simultaneous),
        ];
        if let Some((argument, _)) = others.into_iter().find(|(_, differs)| *differs) {
            return Err(Failure::argument(argument, ReadingError::Fixed));
        }
        let answer = document.answer().reread(ways, Vec::new(), Vec::new());
        let answer = answer.map_err(|error| refused(error, "level"))?;
        Kind::read(&answer, reading).map_err(|error| refused(error, "reading"))
    }

    fn contrast(_: &DiscoveredDocument, _: &Contrast, _: &How) -> Result<Contrasted, Failure> {
        let why = "discovered categories have counts with intervals and no comparisons; read the counts, or release the column \
                   with the values declared";
        Err(Failure::argument("comparison", why))
    }
}
