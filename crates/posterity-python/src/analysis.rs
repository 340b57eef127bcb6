//! Analyses: what helps to choose before anything is released.

use posterity::{Certificate, Counts, Terms};
use posterity_advice::least::{Goal, Situation};
use posterity_advice::{Contest, Measure};
use posterity_core::audit::Scope;
use posterity_core::model::Setting;
use pyo3::prelude::*;

use crate::argument::{
    Given, decoder, decoders, epsilon, level, mechanism, mechanisms, metric, number, options, path, prior,
    profile, scoring, shape, size, specification, truth, whole,
};
use crate::data::plain_counts;
use crate::error::Failure;
use crate::interrupt::run;
use crate::json::{self, Document, document};
use crate::panic::guarded;

/// The most outcomes that may be listed, and the most releases that may be simulated.
const MOST: u64 = 100_000_000;

/// How many of something to compute, at least one.
fn some(given: &Bound<'_, PyAny>, argument: &'static str) -> Result<u64, Failure> {
    let number = whole(given, argument)?;
    if (1..=MOST).contains(&number) {
        return Ok(number);
    }
    Err(Failure::argument(argument, format!("{number} is not in 1..={MOST}")))
}

/// Mechanisms side by side.
#[pyfunction]
#[pyo3(signature = (
    counts, *, epsilon, prior, mechanisms, decode, limit, distance, runs, seed, gamma, delta, score, global_sensitivity,
    consistent, calibration, max_outcomes
))]
#[allow(clippy::too_many_arguments, reason = "the arguments of the command")]
pub(crate) fn compare<'py>(
    py: Python<'py>,
    counts: &Bound<'py, PyAny>,
    epsilon: &Bound<'py, PyAny>,
    prior: Given<'_, 'py>,
    mechanisms: Given<'_, 'py>,
    decode: Given<'_, 'py>,
    limit: &Bound<'py, PyAny>,
    distance: &Bound<'py, PyAny>,
    runs: Given<'_, 'py>,
    seed: &Bound<'py, PyAny>,
    gamma: Given<'_, 'py>,
    delta: Given<'_, 'py>,
    score: Given<'_, 'py>,
    global_sensitivity: Given<'_, 'py>,
    consistent: &Bound<'py, PyAny>,
    calibration: Given<'_, 'py>,
    max_outcomes: &Bound<'py, PyAny>,
) -> PyResult<(Document<'py>, Vec<String>)> {
    guarded(|| {
        let epsilon = self::epsilon(epsilon)?;
        let prior = self::prior(prior)?;
        let runs = runs.map(|runs| some(runs, "runs")).transpose()?;
        let options = options(gamma, delta, score, global_sensitivity, consistent, calibration)?;
        let names = self::mechanisms(mechanisms)?;
        let max = some(max_outcomes, "max_outcomes")?;
        let contest = Contest {
            mechanisms: names.iter().map(|name| specification(name, &options)).collect::<Result<_, _>>()?,
            decoders: decoders(decode)?,
            measure: Measure {
                metric: metric(distance)?,
                runs: runs.map(|runs| runs as usize),
                seed: whole(seed, "seed")?,
                max_outcomes: max,
                ..Measure::default()
            },
            limit: truth(limit, "limit")?,
            keep_laws: false,
        };
        let counts = plain_counts(counts)?;
        let found = run(py, move |watch| {
            let terms = Terms { prior, ..Terms::new(epsilon) };
            let setting = terms.setting(counts.len(), counts.total())?;
            Ok(posterity_advice::compare(&setting, &counts, &contest, &|_| watch.tick())?)
        })?;
        let many = |name: &_| format!("{name} has more than {max} outcomes and is left out; try runs=1000");
        let left_out = found.left_out.iter().map(many).chain(found.refused.iter().map(ToString::to_string));
        Ok((document(py, &found)?, left_out.collect()))
    })
}

/// Everything exact about one mechanism.
#[pyfunction]
#[pyo3(signature = (
    counts, *, epsilon, prior, mechanism, decode, gamma, delta, score, global_sensitivity, consistent, calibration, max_outcomes
))]
#[allow(clippy::too_many_arguments, reason = "the arguments of the command")]
pub(crate) fn inspect<'py>(
    py: Python<'py>,
    counts: &Bound<'py, PyAny>,
    epsilon: &Bound<'py, PyAny>,
    prior: Given<'_, 'py>,
    mechanism: &Bound<'py, PyAny>,
    decode: Given<'_, 'py>,
    gamma: Given<'_, 'py>,
    delta: Given<'_, 'py>,
    score: Given<'_, 'py>,
    global_sensitivity: Given<'_, 'py>,
    consistent: &Bound<'py, PyAny>,
    calibration: Given<'_, 'py>,
    max_outcomes: &Bound<'py, PyAny>,
) -> PyResult<Document<'py>> {
    guarded(|| {
        let epsilon = self::epsilon(epsilon)?;
        let prior = self::prior(prior)?;
        let decoder = self::decoder(decode)?;
        let options = options(gamma, delta, score, global_sensitivity, consistent, calibration)?;
        let spec = specification(&self::mechanism(mechanism)?, &options)?;
        let max_outcomes = some(max_outcomes, "max_outcomes")?;
        let counts = plain_counts(counts)?;
        let found = run(py, move |watch| {
            let progress = |_| watch.tick();
            let terms = Terms { prior, spec, decoder, ..Terms::new(epsilon) };
            let request = terms.request(counts.len(), counts.total(), &progress)?;
            Ok(posterity_advice::inspect(&request, &counts, max_outcomes, &progress)?)
        })?;
        document(py, &found)
    })
}

/// The exact privacy loss.
#[pyfunction]
#[pyo3(signature = (
    *, n, epsilon, prior, k, counts, mechanism, gamma, delta, score, global_sensitivity, consistent, calibration, profile,
    certificate, max_probabilities
))]
#[allow(clippy::too_many_arguments, reason = "the arguments of the command")]
pub(crate) fn audit<'py>(
    py: Python<'py>,
    n: Given<'_, 'py>,
    epsilon: &Bound<'py, PyAny>,
    prior: Given<'_, 'py>,
    k: Given<'_, 'py>,
    counts: Given<'_, 'py>,
    mechanism: &Bound<'py, PyAny>,
    gamma: Given<'_, 'py>,
    delta: Given<'_, 'py>,
    score: Given<'_, 'py>,
    global_sensitivity: Given<'_, 'py>,
    consistent: &Bound<'py, PyAny>,
    calibration: Given<'_, 'py>,
    profile: Given<'_, 'py>,
    certificate: Given<'_, 'py>,
    max_probabilities: &Bound<'py, PyAny>,
) -> PyResult<Document<'py>> {
    guarded(|| {
        let (setting, counts) = audited(n, epsilon, prior, k, counts, certificate)?;
        let options = options(gamma, delta, score, global_sensitivity, consistent, calibration)?;
        let spec = specification(&self::mechanism(mechanism)?, &options)?;
        let profile = self::profile(profile)?;
        let limit = number(max_probabilities, "max_probabilities")?;
        let certificate = certificate.map(|file| path(file, "certificate")).transpose()?;
        let found = run(py, move |watch| {
            let progress = |_| watch.tick();
            let terms = Terms { spec, ..Terms::new(setting.epsilon().clone()) };
            let request = terms.request_for(setting, &progress)?;
            let mechanism = request.mechanism(&progress)?;
            if let Some(counts) = counts {
                return Ok(posterity_advice::audit_at(&request, &*mechanism, &counts, &profile, limit)?);
            }
            let scope = Scope::of(&*mechanism);
            if scope.data_sets > MOST_DATA_SETS {
                return Err(posterity_core::audit::AuditError::TooLarge { scope, limit }.into());
            }
            let (report, found) = posterity_advice::audit(&request, &*mechanism, &profile, limit, &progress)?;
            if let Some(file) = certificate {
                let text = json::text(&Certificate::new(&request, &found))? + "\n";
                std::fs::write(&file, text).map_err(|error| Failure::File {
                    what: format!("certificate: {} cannot be written", file.display()),
                    error,
                })?;
            }
            Ok(report)
        })?;
        document(py, &found)
    })
}

/// The public inputs of an audit, and the data set that is audited if only one is.
fn audited<'py>(
    n: Given<'_, 'py>,
    epsilon_given: &Bound<'py, PyAny>,
    prior_given: Given<'_, 'py>,
    k: Given<'_, 'py>,
    counts: Given<'_, 'py>,
    certificate: Given<'_, 'py>,
) -> Result<(Setting, Option<Counts>), Failure> {
    let Some(counts) = counts else {
        let n = n.ok_or_else(|| {
            Failure::argument("n", "this is required: give the number of records, or counts")
        })?;
        return Ok((size(n, epsilon_given, prior_given, k)?, None));
    };
    for (name, given) in [("n", n), ("k", k), ("certificate", certificate)] {
        if given.is_some() {
            return Err(Failure::argument(name, "this cannot be used with counts; leave one out"));
        }
    }
    let counts = plain_counts(counts)?;
    let terms = Terms { prior: prior(prior_given)?, ..Terms::new(epsilon(epsilon_given)?) };
    Ok((terms.setting(counts.len(), counts.total())?, Some(counts)))
}

/// More data sets than this do not fit into memory, whatever limit is given.
const MOST_DATA_SETS: f64 = 1e8;

/// Which mechanism to use.
#[pyfunction]
#[pyo3(signature = (*, n, epsilon, prior, k, shape, score))]
pub(crate) fn advise<'py>(
    py: Python<'py>,
    n: &Bound<'py, PyAny>,
    epsilon: &Bound<'py, PyAny>,
    prior: Given<'_, 'py>,
    k: Given<'_, 'py>,
    shape: Given<'_, 'py>,
    score: Given<'_, 'py>,
) -> PyResult<Document<'py>> {
    guarded(|| {
        let setting = size(n, epsilon, prior, k)?;
        let shape = self::shape(shape)?;
        let score = scoring(score)?;
        let found = run(py, move |watch| {
            Ok(posterity_advice::plan::advise_with_widths(&setting, shape.as_ref(), score, &|_| {
                watch.tick()
            })?)
        })?;
        document(py, &found)
    })
}

/// The least epsilon for an error that one can bear.
#[pyfunction]
#[pyo3(signature = (*, n, prior, k, shape, half_width, distance, level))]
#[allow(clippy::too_many_arguments, reason = "the arguments of the command")]
pub(crate) fn least_epsilon<'py>(
    py: Python<'py>,
    n: &Bound<'py, PyAny>,
    prior: Given<'_, 'py>,
    k: Given<'_, 'py>,
    shape: Given<'_, 'py>,
    half_width: Given<'_, 'py>,
    distance: Given<'_, 'py>,
    level: &Bound<'py, PyAny>,
) -> PyResult<Document<'py>> {
    guarded(|| {
        let goal = match (half_width, distance) {
            (Some(width), None) => Goal::HalfWidth(number(width, "half_width")?),
            (None, Some(distance)) => Goal::Distance(number(distance, "distance")?),
            (None, None) => {
                return Err(Failure::argument("epsilon", "give a budget, or half_width or distance").into());
            }
            (Some(_), Some(_)) => {
                return Err(Failure::argument(
                    "distance",
                    "this cannot be used with half_width; leave one out",
                )
                .into());
            }
        };
        // The budget is what is searched for; any one makes the prior and checks the size.
        let setting = size(n, 1_u8.into_pyobject(py)?.as_any(), prior, k)?;
        let situation = Situation {
            prior: setting.prior().clone(),
            n: setting.n(),
            shape: self::shape(shape)?,
            level: self::level(level)?,
        };
        let found = run(py, move |watch| {
            Ok(posterity_advice::least::least_epsilon(&situation, goal, false, &|_| watch.tick())?)
        })?;
        document(py, &found)
    })
}
