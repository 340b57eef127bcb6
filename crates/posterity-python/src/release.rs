//! The release.

use std::ops::RangeInclusive;
use std::path::Path;
use std::sync::Arc;

use posterity::document::GuaranteeStatement;
use posterity::plan::PlannedTable;
use posterity::table::{IntervalKind, Subject, Test};
use posterity::text_file::read_text;
use posterity::{
    Adjacency, Categories, Certificate, Contrast, Contrasted, Document, Prior, Publisher, Reader, Reading,
    ReadingTable, Spec, Table, Terms,
};
use posterity_core::sampler::dirichlet;
use posterity_plot::{PictureKind, PlotFormat, PosteriorPlot};
use posterity_present::intervals::Shown;
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use serde::Serialize;

use crate::argument::{Given, named, whole};
use crate::asked::{CallAsks, NO_QUESTION};
use crate::call::Call;
use crate::data::{is_small, plain_counts};
use crate::dirichlet::{Dirichlet, draw_arguments, rows};
use crate::error::Failure;
use crate::interrupt::{run, run_small};
use crate::panic::guarded;
use crate::posterior::Posterior;
use crate::published::{Class, Counted, Effort, How, Published, payer, refused};
use crate::warning::warn;
use crate::ways::{AskedWays, ways_of, wrong_ways};
use crate::{json, picture};

/// A release or an experiment.
#[pyclass(frozen, extends = Published, module = "posterity._posterity")]
pub(crate) struct Release {
    document: Arc<Document>,
}

/// What a document says that takes no time to find out.
#[derive(Serialize)]
struct Facts<'a> {
    mechanism: String,
    prior: &'a Prior,
    n: Option<u64>,
    epsilon: f64,
    guarantee: &'a GuaranteeStatement,
    expected_distance: Option<f64>,
    private: bool,
    level: f64,
    interval: IntervalKind,
    about: Subject,
    simultaneous: bool,
}

/// Parameters of a prior that are quickly dealt with.
const MODEST: RangeInclusive<f64> = 0.1..=100.0;

fn is_modest(parameters: &[f64]) -> bool {
    parameters.iter().all(|one| MODEST.contains(one))
}

/// Draws one release.
#[pyfunction]
pub(crate) fn release<'py>(py: Python<'py>, call: Call<'py>) -> PyResult<Bound<'py, Release>> {
    guarded(|| {
        // What can be refused is refused before the data is read, and all of it before anything is charged.
        let CallAsks { call, offered, plan, shown } = CallAsks::new::<Table>(call)?;
        let asked = plan.all::<PlannedTable>().next().ok_or(NO_QUESTION)?;
        let terms = asked.terms();
        let not_private = call.truth("not_private")?;
        let certificate = call.path("certificate")?;
        let payer = payer(&call)?;
        let data = offered.take(&plan, asked, shown)?;
        let is_small = data.is_small()
            && terms.prior.as_ref().is_none_or(|prior| is_modest(prior.parameters()))
            && payer.1.is_none()
            && certificate.is_none()
            && !terms.spec.is_tight();
        let certificate = certificate.as_deref().map(read_certificate).transpose()?;
        let publisher = asked.publisher().certificate(certificate).allow_unproven_if(not_private);
        // Whoever turns warnings into errors has paid nothing.
        warn(py, &publisher.warnings())?;
        let effort = if is_small { Effort::Small } else { Effort::Large };
        let edition = plan.edition().map(str::to_owned);
        let counted = Counted::new(py, &plan, payer, effort, move |randomness, watch| {
            Ok(data.count(randomness, watch)?.of_edition(edition.as_deref()))
        })?;
        counted.answer(py, move |data, till, watch| {
            let tick = |_| watch.tick();
            Ok(watch.answer(till, publisher.progress(&tick).ask(&data)?)?)
        })
    })
}

/// How many seconds a release takes without Python, so many times: for benchmarks.
#[pyfunction]
pub(crate) fn _rust_times(
    py: Python<'_>,
    counts: &Bound<'_, PyAny>,
    mechanism: &Bound<'_, PyAny>,
    times: usize,
) -> PyResult<Vec<f64>> {
    let counts = plain_counts(counts, Adjacency::Replace)?;
    let spec = named::<Spec>(mechanism, "mechanism")?;
    // On this thread, as a small release.
    run_small(py, move |_| {
        let one = || -> Result<f64, Failure> {
            let start = std::time::Instant::now();
            let names =
                Categories::numbered(counts.len()).map_err(|error| Failure::argument("counts", error))?;
            let data = posterity::Data::new(counts.clone(), names)
                .map_err(|error| Failure::argument("counts", error))?;
            let epsilon = "1".parse().map_err(|error| Failure::argument("epsilon", error))?;
            Publisher::with_terms(Terms { spec: spec.clone(), ..Terms::new(epsilon) })
                .experiment(&data, 1)?;
            Ok(start.elapsed().as_secs_f64())
        };
        (0..times).map(|_| one()).collect()
    })
}

fn read_certificate(file: &Path) -> Result<Certificate, Failure> {
    Ok(Certificate::from_json(&read_text(file).map_err(Failure::CertificateFile)?)?)
}

#[pymethods]
impl Release {
    /// What the intervals of the categories are.
    #[getter]
    fn intervals(&self, py: Python<'_>) -> PyResult<String> {
        self.read(py, |document| Shown::of_cells(document).head())
    }

    /// Notes on how to read the release.
    #[getter]
    fn notes(&self, py: Python<'_>) -> PyResult<Vec<String>> {
        self.read(py, Document::notes)
    }

    /// The released distribution, which leaves the noise out.
    #[getter]
    fn released_posterior(&self, py: Python<'_>) -> PyResult<Dirichlet> {
        self.read(py, |document| Dirichlet::released(document.posterior().parameters.clone()))
    }

    /// The distribution to go on with, which has the noise in it.
    #[getter]
    fn effective(&self, py: Python<'_>) -> PyResult<Option<Dirichlet>> {
        self.read(py, |document| {
            document.effective().map(|effective| Dirichlet::effective(effective.parameters.clone()))
        })
    }

    #[getter]
    fn categories(&self) -> Vec<String> {
        self.document.categories().names().to_vec()
    }

    #[getter]
    fn drawn(&self) -> Vec<i64> {
        self.document.drawn().as_slice().to_vec()
    }

    #[getter]
    fn released_counts(&self) -> Vec<u64> {
        self.document.released_counts().as_slice().to_vec()
    }

    /// The posterior means: noise-aware where they are.
    #[getter]
    fn mean(&self, py: Python<'_>) -> PyResult<Vec<f64>> {
        self.read(py, |document| match document.cells() {
            Some(_) => {
                let mean = |i| document.cell(i).map_or(f64::NAN, |row| row.mean);
                (0..document.categories().names().len()).map(mean).collect()
            }
            None => document.best_summary().0.to_vec(),
        })
    }

    /// The numbers to tell a reader.
    #[getter]
    fn share(&self, py: Python<'_>) -> PyResult<Vec<f64>> {
        self.read(py, |document| document.best_summary().0.to_vec())
    }

    #[getter]
    fn noise_aware(&self, py: Python<'_>) -> PyResult<bool> {
        self.read(py, |document| document.noise_aware().is_some())
    }

    /// The interval of each category to tell a reader: noise-aware where they are.
    fn interval(&self, py: Python<'_>, ways: AskedWays<'_>) -> PyResult<Vec<(f64, f64)>> {
        if ways[0].is_none() {
            return Err(Failure::argument("level", "this is required; give a number such as 0.95").into());
        }
        let ways = ways_of(self.document.request().ways(), &ways)?;
        let pairs = |found: &[[f64; 2]]| found.iter().map(|&[low, high]| (low, high)).collect();
        if ways == self.document.request().ways() {
            return self.read(py, move |document| pairs(document.best_summary().1));
        }
        let document = self.document.clone();
        run(py, move |_| {
            let document = document.with_ways(ways).map_err(wrong_ways)?;
            Ok(pairs(document.best_summary().1))
        })
    }

    /// What a test found as Python objects.
    #[pyo3(signature = (test))]
    fn test<'py>(&self, py: Python<'py>, test: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        let (test, document): (Test, _) = (named(test, "test")?, self.document.clone());
        let found = run(py, move |_| reader(&document)?.test(&test).map_err(|error| refused(error, "test")))?;
        json::object(py, &found)
    }

    /// Draws of all categories together as bytes of float64, row by row.
    fn sample<'py>(
        &self,
        py: Python<'py>,
        size: &Bound<'py, PyAny>,
        seed: Given<'_, 'py>,
    ) -> PyResult<Bound<'py, PyBytes>> {
        let document = self.document.clone();
        let (size, mut bits) = draw_arguments(size, seed, document.categories().names().len())?;
        if let Some(table) =
            self.read(py, |document| document.cells().map(|table| table.reading.clone().of_all()))?
        {
            let seed = bits.next_u64().map_err(|_| Failure::Internal { what: "there is no randomness" })?;
            return self.draws_of(py, table, size as u64, seed);
        }
        let drawn = run(py, move |watch| {
            let aware = document.noise_aware();
            rows(size, || {
                watch.tick();
                Ok(match aware {
                    Some(aware) => aware.sample(&mut *bits)?,
                    None => dirichlet(&document.posterior().parameters, &mut *bits)?,
                })
            })
        })?;
        Ok(PyBytes::new(py, &drawn))
    }

    /// Draws of the numbers of a reading as bytes of float64, row by row.
    fn sample_reading<'py>(
        &self,
        py: Python<'py>,
        reading: &Bound<'py, PyAny>,
        size: &Bound<'py, PyAny>,
        seed: Given<'_, 'py>,
    ) -> PyResult<Bound<'py, PyBytes>> {
        let reading: Reading = named(reading, "reading")?;
        let rows = self.document.space().and_then(|space| {
            reading.check(&space)?;
            Ok(space.cells())
        });
        let rows = rows.map_err(|error| refused(error, "reading"))?;
        let (size, mut bits) = draw_arguments(size, seed, rows)?;
        let seed = bits.next_u64().map_err(|_| Failure::Internal { what: "there is no randomness" })?;
        self.draws_of(py, reading, size as u64, seed)
    }

    /// The posterior of each number of a reading; of all cells if none is given.
    fn posterior(
        &self,
        py: Python<'_>,
        reading: Given<'_, '_>,
        draws: Given<'_, '_>,
        seed: Given<'_, '_>,
    ) -> PyResult<Posterior> {
        let reading: Option<Reading> = reading.map(|reading| named(reading, "reading")).transpose()?;
        let draws = draws.map(|draws| whole(draws, "draws")).transpose()?.unwrap_or(Reader::DRAWS);
        let seed = seed.map(|seed| whole(seed, "seed")).transpose()?.unwrap_or(Reader::SEED);
        let document = self.document.clone();
        run(py, move |_| {
            let reader = reader(&document)?.draws(draws, seed);
            let reading = reading.unwrap_or_else(|| Reading::joint(reader.space()));
            let rows = reader.posteriors(&reading).map_err(|error| refused(error, "reading"))?;
            Ok(Posterior::new(reading.to_string(), rows, reader.models_noise()))
        })
    }

    /// The columns with their values.
    #[getter]
    fn columns(&self) -> PyResult<Vec<(String, Vec<String>)>> {
        let space = self.document.space().map_err(|error| Failure::argument("release", error))?;
        Ok(space.columns().iter().map(|column| (column.name.clone(), column.values.clone())).collect())
    }

    /// The density of each category as points of a line.
    fn lines(&self, py: Python<'_>) -> PyResult<Vec<(Vec<f64>, Vec<f64>)>> {
        self.read(py, |document| PosteriorPlot::new(document).lines())
    }

    /// The picture that the command draws.
    fn svg(&self, py: Python<'_>) -> PyResult<String> {
        let document = self.document.clone();
        run(py, move |_| Ok(PosteriorPlot::new(&document).svg()?))
    }
}

impl Class for Table {
    type Object = Release;
    const NAME: &'static str = "Release";

    fn object(document: Arc<Document>) -> Release {
        Release { document }
    }

    fn facts(document: &Document) -> Result<String, Failure> {
        let ways = document.request().ways();
        json::text(&Facts {
            mechanism: document.mechanism(),
            prior: document.request().setting().prior(),
            n: document.n(),
            epsilon: document.epsilon(),
            guarantee: document.guarantee(),
            expected_distance: document.expected_distance(),
            private: document.is_private(),
            level: document.request().level(),
            interval: ways.interval,
            about: ways.about,
            simultaneous: ways.simultaneous,
        })
    }

    fn table(document: &Document, reading: &Reading, how: &How) -> Result<ReadingTable, Failure> {
        reader_of(document, how)?.read(reading).map_err(|error| refused(error, "reading"))
    }

    fn contrast(document: &Document, contrast: &Contrast, how: &How) -> Result<Contrasted, Failure> {
        reader_of(document, how)?.contrast(contrast).map_err(|error| refused(error, "comparison"))
    }

    fn picture(
        document: &Document,
        reading: Option<&Reading>,
        kind: Option<PictureKind>,
        format: PlotFormat,
        how: &How,
    ) -> Result<Vec<u8>, Failure> {
        let reader = reader_of(document, how)?;
        let joint = Reading::joint(reader.space());
        picture::draw(document, &reader, reading.unwrap_or(&joint), kind, format)
    }

    fn effort(document: &Document) -> Effort {
        effort(document)
    }
}

/// How long it takes to compute what is not computed yet.
fn effort(document: &Document) -> Effort {
    let setting = document.request().setting();
    if document.is_complete() {
        Effort::None
    } else if is_small(setting.k(), setting.n()) && is_modest(setting.prior().parameters()) {
        Effort::Small
    } else {
        Effort::Large
    }
}

fn reader(document: &Document) -> Result<Reader, Failure> {
    document.reader().map_err(|error| Failure::argument("release", error))
}

/// A reader as a call asks for it.
fn reader_of(document: &Document, how: &How) -> Result<Reader, Failure> {
    let draws = (how.draws.unwrap_or(Reader::DRAWS), how.seed.unwrap_or(Reader::SEED));
    reader(document)?.draws(draws.0, draws.1).ways(how.ways).map_err(wrong_ways)
}

impl Release {
    /// The document.
    pub(crate) fn published(&self) -> &Document {
        &self.document
    }

    /// What the document says. What is not computed yet is computed now, without the interpreter.
    fn read<T: Send + 'static>(
        &self,
        py: Python<'_>,
        read: impl FnOnce(&Document) -> T + Send + 'static,
    ) -> PyResult<T> {
        let document = self.document.clone();
        effort(&document).run(py, move |_| Ok(read(&document)))
    }

    /// Draws of the numbers of a reading.
    fn draws_of<'py>(
        &self,
        py: Python<'py>,
        reading: Reading,
        size: u64,
        seed: u64,
    ) -> PyResult<Bound<'py, PyBytes>> {
        let document = self.document.clone();
        let drawn = run(py, move |_| {
            let drawn = reader(&document)?.sample(&reading, size, seed);
            let drawn = drawn.map_err(|error| refused(error, "reading"))?;
            Ok(drawn.into_iter().flatten().flat_map(f64::to_ne_bytes).collect::<Vec<u8>>())
        })?;
        Ok(PyBytes::new(py, &drawn))
    }
}
