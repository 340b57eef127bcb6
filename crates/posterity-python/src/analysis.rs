//! Analyses: what helps to choose before anything is released.

use posterity::new_file::{self, NewFileError};
use posterity::{Adjacency, Certificate, Counts, Epsilon, Terms};
use posterity_advice::least::{Goal, Situation};
use posterity_advice::{Contest, Measure};
use posterity_core::mechanism::ALL;
use posterity_core::model::Setting;
use pyo3::prelude::*;

use crate::argument::{named, number, whole};
use crate::call::Call;
use crate::data::plain_counts;
use crate::error::Failure;
use crate::interrupt::run;
use crate::json::{Document, document};
use crate::panic::guarded;
use crate::picture::not_written;

/// How many of something to compute, at least one.
fn some(given: &Bound<'_, PyAny>, argument: &'static str) -> Result<u64, Failure> {
    let number = whole(given, argument)?;
    if (1..=Measure::MOST).contains(&number) {
        return Ok(number);
    }
    Err(Failure::argument(argument, format!("{number} is not in 1..={}", Measure::MOST)))
}

/// Mechanisms side by side.
#[pyfunction]
pub(crate) fn compare_mechanisms<'py>(
    py: Python<'py>,
    call: Call<'py>,
) -> PyResult<(Document<'py>, Vec<String>)> {
    guarded(|| {
        let (epsilon, prior, adjacency) = (call.epsilon()?, call.prior()?, call.adjacency()?);
        let all = || ALL.iter().map(|one| one.spec()).collect();
        let max_outcomes = some(&call.need("max_outcomes")?, "max_outcomes")?;
        let contest = Contest {
            mechanisms: call.mechanisms()?.unwrap_or_else(all),
            decoders: call.decoders()?,
            measure: Measure {
                metric: named(&call.need("distance")?, "distance")?,
                runs: call.read("runs", some)?.map(|runs| runs as usize),
                seed: call.whole("seed")?,
                max_outcomes,
                ..Measure::default()
            },
            limit: call.truth("limit")?,
            ranking: named(&call.need("by")?, "by")?,
            keep_laws: false,
        };
        let counts = plain_counts(&call.need("counts")?, adjacency)?;
        let found = run(py, move |watch| {
            let most = Measure::listed(&counts);
            let terms = Terms { prior, adjacency, most, ..Terms::new(epsilon) };
            let setting = terms.setting(counts.len(), counts.total())?;
            Ok(posterity_advice::compare(&setting, &counts, &contest, &|_| watch.tick())?)
        })?;
        let many =
            |name: &_| format!("{name} has more than {max_outcomes} outcomes and is left out; try runs=1000");
        let left_out = found.left_out.iter().map(many).chain(found.refused.iter().map(ToString::to_string));
        Ok((document(py, &found)?, left_out.collect()))
    })
}

/// Everything exact about one mechanism.
#[pyfunction]
pub(crate) fn inspect<'py>(py: Python<'py>, call: Call<'py>) -> PyResult<Document<'py>> {
    guarded(|| {
        let adjacency = call.adjacency()?;
        let (spec, decoder) = (call.mechanism(adjacency)?, call.decoder()?);
        let max_outcomes = some(&call.need("max_outcomes")?, "max_outcomes")?;
        let counts = plain_counts(&call.need("counts")?, adjacency)?;
        let (prior, most) = (call.prior()?, Measure::listed(&counts));
        let terms = Terms { prior, spec, decoder, adjacency, most, ..Terms::new(call.epsilon()?) };
        let found = run(py, move |watch| {
            let progress = |_| watch.tick();
            let request = terms.request(counts.len(), counts.total(), &progress)?;
            Ok(posterity_advice::inspect(&request, &counts, max_outcomes, &progress)?)
        })?;
        document(py, &found)
    })
}

/// The exact privacy loss.
#[pyfunction]
pub(crate) fn audit<'py>(py: Python<'py>, call: Call<'py>) -> PyResult<Document<'py>> {
    guarded(|| {
        let (setting, counts) = audited(&call)?;
        let adjacency = call.adjacency()?;
        let spec = call.mechanism(adjacency)?;
        let terms = Terms { adjacency, spec, ..Terms::new(setting.epsilon().clone()) };
        let (profile, certificate) = (call.profile()?, call.path("certificate")?);
        let (limit, force) = (call.number("max_probabilities")?, call.truth("force")?);
        let unwritten = |error: NewFileError| not_written("certificate", &error);
        if let Some(file) = &certificate {
            new_file::check(file, force).map_err(unwritten)?;
        }
        let found = run(py, move |watch| {
            let progress = |_| watch.tick();
            let request = terms.request_for(setting, &progress)?;
            let mechanism = request.mechanism(&progress)?;
            if let Some(counts) = counts {
                return Ok(posterity_advice::audit_at(&request, &*mechanism, &counts, &profile, limit)?);
            }
            let (report, found) = posterity_advice::audit(&request, &*mechanism, &profile, limit, &progress)?;
            if let Some(file) = certificate {
                Certificate::new(&request, &found).save(&file, force).map_err(unwritten)?;
            }
            Ok(report)
        })?;
        document(py, &found)
    })
}

/// The public inputs of an audit, and the data set that is audited if only one is.
fn audited(call: &Call<'_>) -> Result<(Setting, Option<Counts>), Failure> {
    let adjacency = call.adjacency()?;
    let Some(counts) = call.get("counts") else {
        if call.get("n").is_none() {
            return Err(Failure::argument("n", "this is required: give the number of records, or counts"));
        }
        let n = call.whole("n")?;
        return Ok((call.size(Terms { adjacency, most: n, ..Terms::new(call.epsilon()?) })?, None));
    };
    if let Some(name) = ["n", "k", "certificate"].into_iter().find(|name| call.get(name).is_some()) {
        return Err(Failure::argument(name, "this cannot be used with counts; leave one out"));
    }
    let counts = plain_counts(&counts, adjacency)?;
    // A record more than there are is adjacent, too.
    let most = counts.total() + 1;
    let terms = Terms { prior: call.prior()?, adjacency, most, ..Terms::new(call.epsilon()?) };
    Ok((terms.setting(counts.len(), counts.total())?, Some(counts)))
}

/// Where n is private, the advice is that for a table.
fn refuse_private_n(call: &Call<'_>) -> Result<(), Failure> {
    match call.adjacency()? {
        Adjacency::Replace => Ok(()),
        Adjacency::AddRemove => Err(Failure::argument("adjacency", "n is private here; give columns")),
    }
}

/// Which mechanism to use.
#[pyfunction]
pub(crate) fn advise<'py>(py: Python<'py>, call: Call<'py>) -> PyResult<Document<'py>> {
    guarded(|| {
        refuse_private_n(&call)?;
        let setting = call.size(Terms::new(call.epsilon()?))?;
        let (shape, mechanisms, level) = (call.shape()?, call.mechanisms()?, call.level()?);
        let found = run(py, move |watch| {
            let progress = |_| watch.tick();
            Ok(posterity_advice::plan::advise_with_widths(
                &setting,
                shape.as_ref(),
                mechanisms.as_deref(),
                level,
                &progress,
            )?)
        })?;
        document(py, &found)
    })
}

/// The least epsilon for an error that one can bear.
#[pyfunction]
pub(crate) fn least_epsilon<'py>(py: Python<'py>, call: Call<'py>) -> PyResult<Document<'py>> {
    guarded(|| {
        refuse_private_n(&call)?;
        let goal = match (call.read("half_width", number)?, call.read("distance", number)?) {
            (Some(width), None) => Goal::HalfWidth(width),
            (None, Some(distance)) => Goal::Distance(distance),
            (None, None) => {
                return Err(Failure::argument("epsilon", "give a budget, or half_width or distance").into());
            }
            (Some(_), Some(_)) => {
                let why = "this cannot be used with half_width; leave one out";
                return Err(Failure::argument("distance", why).into());
            }
        };
        // The budget is what is searched for; any one makes the prior and checks the size.
        let any: Epsilon = "1".parse().map_err(|error| Failure::argument("epsilon", error))?;
        let setting = call.size(Terms::new(any))?;
        let situation = Situation {
            prior: setting.prior().clone(),
            n: setting.n(),
            shape: call.shape()?,
            level: call.level()?,
        };
        let found = run(py, move |watch| {
            Ok(posterity_advice::least::least_epsilon(&situation, goal, false, &|_| watch.tick())?)
        })?;
        document(py, &found)
    })
}
