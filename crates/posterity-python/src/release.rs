//! The release.

use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use posterity::core::decode::noise_aware;
use posterity::core::model::Categories;
use posterity::core::noise_aware::NoiseAware;
use posterity::core::sampler::dirichlet;
use posterity::ledger;
use posterity::ledger::now_utc;
use posterity::{
    Budget, Calibration, Certificate, Input, Parameters, Payment, Published, Randomness, Request, publish,
    read_text, setting_for_data,
};
use posterity_plot::PosteriorPlot;
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::argument::{
    Given, decoder, epsilon, level, mechanism, parameters, path, prior, text, truth, whole,
};
use crate::data::{Arguments, Data, plain_counts};
use crate::dirichlet::{Dirichlet, draw_arguments, intervals, rows};
use crate::error::Failure;
use crate::interrupt::{Watch, run, run_small};
use crate::ledger::Ledger;
use crate::panic::guarded;
use crate::{json, named, state};

/// A release with the request that it answers.
#[pyclass(frozen, module = "posterity._posterity")]
pub(crate) struct Release {
    pub(crate) release: posterity::Release,
    pub(crate) request: Request,
    pub(crate) payment: Payment,
    /// Parameters that were given and that the mechanism does not have.
    pub(crate) unused: Vec<String>,
    /// Of the noise too, when first asked for.
    aware: Arc<OnceLock<NoiseAware>>,
}

/// Parameters of a prior that are quickly dealt with.
const MODEST: RangeInclusive<f64> = 0.1..=100.0;

/// Draws one release.
#[pyfunction]
#[pyo3(signature = (
    data, *, epsilon, categories, prior, mechanism, column, bins, r#where, unit, per_unit, other, missing, input_format,
    delimiter, name, decode, gamma, delta, global_sensitivity, consistent, calibration, level, seed, not_private, certificate, ledger,
    account, again
))]
#[allow(clippy::too_many_arguments, reason = "the arguments of the command")]
pub(crate) fn release<'py>(
    py: Python<'py>,
    data: &Bound<'py, PyAny>,
    epsilon: &Bound<'py, PyAny>,
    categories: Given<'_, 'py>,
    prior: Given<'_, 'py>,
    mechanism: &Bound<'py, PyAny>,
    column: Given<'_, 'py>,
    bins: Given<'_, 'py>,
    r#where: Given<'_, 'py>,
    unit: Given<'_, 'py>,
    per_unit: Given<'_, 'py>,
    other: Given<'_, 'py>,
    missing: Given<'_, 'py>,
    input_format: Given<'_, 'py>,
    delimiter: Given<'_, 'py>,
    name: Given<'_, 'py>,
    decode: Given<'_, 'py>,
    gamma: Given<'_, 'py>,
    delta: Given<'_, 'py>,
    global_sensitivity: Given<'_, 'py>,
    consistent: &Bound<'py, PyAny>,
    calibration: Given<'_, 'py>,
    level: &Bound<'py, PyAny>,
    seed: Given<'_, 'py>,
    not_private: &Bound<'py, PyAny>,
    certificate: Given<'_, 'py>,
    ledger: Given<'_, 'py>,
    account: Given<'_, 'py>,
    again: &Bound<'py, PyAny>,
) -> PyResult<Release> {
    guarded(|| {
        // What can be refused is refused before the data is read, and all of it before anything is charged.
        let epsilon = self::epsilon(epsilon)?;
        let prior = self::prior(prior)?;
        let mechanism = self::mechanism(mechanism)?;
        let decoder = self::decoder(decode, mechanism)?;
        let parameters = self::parameters(gamma, delta, global_sensitivity, consistent, calibration)?;
        let level = self::level(level)?;
        let randomness = match seed {
            Some(seed) => Randomness::Seed(whole(seed, "seed")?),
            None => Randomness::System,
        };
        let allow_unproven = truth(not_private, "not_private")?;
        let certificate = certificate.map(|file| path(file, "certificate")).transpose()?;
        let purse = purse(ledger, account, truth(again, "again")?)?;
        let arguments = Arguments {
            data,
            categories,
            column,
            bins,
            filter: r#where,
            unit,
            per_unit,
            other,
            missing,
            input_format,
            delimiter,
            name,
        };
        let data = Data::new(&arguments)?;
        let is_small = data.is_small()
            && prior.as_ref().is_none_or(|prior| prior.parameters().iter().all(|one| MODEST.contains(one)))
            && purse.is_none()
            && certificate.is_none()
            && parameters.calibration != Some(Calibration::Tight);
        let work = move |watch: &Watch| {
            let certificate = certificate.as_deref().map(read_certificate).transpose()?;
            let mut opened = match &purse {
                Some(Purse { path, account, .. }) => {
                    let opened = ledger::Ledger::open(path)?;
                    opened.account(account)?;
                    Some(opened)
                }
                None => None,
            };
            let (input, counts) = data.count(randomness, watch)?;
            let progress = |_| watch.tick();
            let setting = setting_for_data(prior, input.categories().names().len(), input.n(), epsilon)?;
            let (spec, calibration) = parameters.resolve(mechanism, &setting, &progress)?;
            let request = Request {
                decoder,
                level,
                allow_unproven,
                certificate,
                ..Request::new(setting, spec, calibration)
            };
            // What a ledger could give back for this name, and what it would be of.
            let called = match (input.description(), counts) {
                (Some(description), Some(counts)) if purse.is_some() => {
                    Some((format!("{description} {:?}", input.categories().names()), counts))
                }
                _ => None,
            };
            let budget = match (&mut opened, &purse) {
                (Some(ledger), Some(Purse { account, again, .. })) => {
                    if let Some((description, counts)) = &called {
                        named::check(description, counts, *again)?;
                    }
                    // Within the transaction and before the charge: whoever is interrupted later finds the document on file.
                    let committed = watch.clone();
                    ledger.observe(move |step| {
                        if step == ledger::Step::Checked {
                            committed.commit();
                        }
                    });
                    Some(Budget { ledger, account, again: *again, now: now_utc() })
                }
                _ => None,
            };
            let Published { release, payment } = publish(&request, &input, randomness, budget, &progress)?;
            if let Some((description, counts)) = called {
                named::note(description, counts);
            }
            let unused = parameters.unused(mechanism).map(|name| name.replace('-', "_")).collect();
            Ok(Release::new(release, request, payment, unused))
        };
        if is_small { run_small(py, work) } else { run(py, work) }
    })
}

/// The release that a text of [`Release::state`] stands for.
#[pyfunction]
pub(crate) fn restore(state: &str) -> PyResult<Release> {
    guarded(|| Ok(state::restore(state)?))
}

/// How many seconds a release takes without Python, so many times: for benchmarks.
#[pyfunction]
pub(crate) fn _rust_times(
    py: Python<'_>,
    counts: &Bound<'_, PyAny>,
    mechanism: &Bound<'_, PyAny>,
    times: usize,
) -> PyResult<Vec<f64>> {
    let counts = plain_counts(counts)?;
    let mechanism = self::mechanism(mechanism)?;
    // On this thread, as a small release.
    run_small(py, move |_| {
        let one = || -> Result<f64, Failure> {
            let start = std::time::Instant::now();
            let names =
                Categories::numbered(counts.len()).map_err(|error| Failure::argument("counts", error))?;
            let input =
                Input::counts(counts.clone(), names).map_err(|error| Failure::argument("counts", error))?;
            let epsilon = "1".parse().map_err(|error| Failure::argument("epsilon", error))?;
            let setting = setting_for_data(None, counts.len(), counts.total(), epsilon)?;
            let (spec, calibration) = Parameters::default().resolve(mechanism, &setting, &|_| ())?;
            let request = Request::new(setting, spec, calibration);
            publish(&request, &input, Randomness::Seed(1), None, &|_| ())?;
            Ok(start.elapsed().as_secs_f64())
        };
        (0..times).map(|_| one()).collect()
    })
}

/// Who pays.
struct Purse {
    path: PathBuf,
    account: String,
    again: bool,
}

fn purse(ledger: Given<'_, '_>, account: Given<'_, '_>, again: bool) -> Result<Option<Purse>, Failure> {
    match (ledger, account) {
        (None, None) if again => Err(Failure::argument("again", "this is for a ledger; leave it out")),
        (None, None) => Ok(None),
        (Some(ledger), Some(account)) => {
            let path = match ledger.cast::<Ledger>() {
                Ok(ledger) => ledger.get().file().clone(),
                Err(_) => path(ledger, "ledger")?,
            };
            Ok(Some(Purse { path, account: text(account, "account")?, again }))
        }
        (Some(_), None) => Err(Failure::argument("account", "say which account of the ledger pays")),
        (None, Some(_)) => Err(Failure::argument("ledger", "say which ledger the account is in")),
    }
}

fn read_certificate(file: &Path) -> Result<Certificate, Failure> {
    Ok(Certificate::from_json(&read_text(file).map_err(Failure::CertificateFile)?)?)
}

#[pymethods]
impl Release {
    /// All that is needed to make the release again.
    fn state(&self) -> PyResult<String> {
        Ok(state::store(self)?)
    }

    /// The document as it is printed.
    fn json(&self) -> PyResult<String> {
        Ok(json::text(&self.release)?)
    }

    /// The document as Python objects.
    fn document<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        json::object(py, &self.release)
    }

    #[getter]
    fn posterior(&self) -> Dirichlet {
        Dirichlet(self.release.posterior.parameters.clone())
    }

    #[getter]
    fn categories(&self) -> Vec<String> {
        self.release.posterior.categories.names().to_vec()
    }

    /// The means to tell a reader: noise-aware where they are.
    #[getter]
    fn mean(&self) -> Vec<f64> {
        self.release.best_summary().0.to_vec()
    }

    #[getter]
    fn noise_aware(&self) -> bool {
        self.release.noise_aware.is_some()
    }

    #[getter]
    fn charged(&self) -> Option<(String, String)> {
        match &self.payment {
            Payment::Charged { epsilon, remaining } => Some((epsilon.to_string(), remaining.to_string())),
            Payment::Nothing | Payment::Recalled => None,
        }
    }

    #[getter]
    fn recalled(&self) -> bool {
        self.payment == Payment::Recalled
    }

    /// Parameters that were given and that the mechanism does not have.
    #[getter]
    fn unused(&self) -> Vec<String> {
        self.unused.clone()
    }

    /// The interval of each category to tell a reader: noise-aware where they are.
    fn interval(&self, py: Python<'_>, level: &Bound<'_, PyAny>) -> PyResult<Vec<(f64, f64)>> {
        let level = self::level(level)?;
        if level == self.release.posterior.level {
            return Ok(self.release.best_summary().1.iter().map(|&[low, high]| (low, high)).collect());
        }
        let parameters = self.release.posterior.parameters.clone();
        let Some(noisy) = self.noisy() else {
            return run(py, move |_| intervals(&parameters, level));
        };
        run(py, move |watch| {
            let found = noisy.posterior(watch)?.intervals(level);
            let found = found.map_err(|error| Failure::argument("level", error))?;
            Ok(found.into_iter().map(|[low, high]| (low, high)).collect())
        })
    }

    /// Draws of all categories together as bytes of float64, row by row.
    fn sample<'py>(
        &self,
        py: Python<'py>,
        size: &Bound<'py, PyAny>,
        seed: Given<'_, 'py>,
    ) -> PyResult<Bound<'py, PyBytes>> {
        let parameters = self.release.posterior.parameters.clone();
        let (size, mut bits) = draw_arguments(size, seed, parameters.len())?;
        let noisy = self.noisy();
        let drawn = run(py, move |watch| {
            let aware = noisy.as_ref().map(|noisy| noisy.posterior(watch)).transpose()?;
            rows(size, || {
                watch.tick();
                Ok(match aware {
                    Some(aware) => aware.sample(&mut *bits)?,
                    None => dirichlet(parameters.parameters(), &mut *bits)?,
                })
            })
        })?;
        Ok(PyBytes::new(py, &drawn))
    }

    /// The density of each category as points of a line.
    fn lines(&self, py: Python<'_>) -> PyResult<Vec<(Vec<f64>, Vec<f64>)>> {
        let (request, release) = (self.request.clone(), self.release.clone());
        run(py, move |_| Ok(PosteriorPlot::new(&request, &release)?.lines()))
    }

    /// The picture that the command draws.
    fn svg(&self, py: Python<'_>) -> PyResult<String> {
        let (request, release) = (self.request.clone(), self.release.clone());
        run(py, move |_| Ok(PosteriorPlot::new(&request, &release)?.svg()?))
    }
}

impl Release {
    pub(crate) fn new(
        release: posterity::Release,
        request: Request,
        payment: Payment,
        unused: Vec<String>,
    ) -> Self {
        Self { release, request, payment, unused, aware: Arc::default() }
    }

    /// What the noise-aware posterior is computed from, if there is one.
    fn noisy(&self) -> Option<Noisy> {
        self.release.noise_aware.as_ref()?;
        Some(Noisy {
            request: self.request.clone(),
            released: self.release.released_counts.clone(),
            found: self.aware.clone(),
        })
    }
}

/// A release with its noise, for another thread.
struct Noisy {
    request: Request,
    released: Vec<u64>,
    found: Arc<OnceLock<NoiseAware>>,
}

impl Noisy {
    fn posterior(&self, watch: &Watch) -> Result<&NoiseAware, Failure> {
        if let Some(found) = self.found.get() {
            return Ok(found);
        }
        let computed = noise_aware(&*self.request.mechanism(&|_| watch.tick())?, &self.released)?;
        Ok(self.found.get_or_init(|| computed))
    }
}
