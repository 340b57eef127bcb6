//! Dirichlet distributions.

use posterity::SystemBits;
use posterity_core::model;
use posterity_core::sampler::{BitSource, SeededBits, dirichlet};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyType};

use crate::argument::{Given, items, level, number, whole};
use crate::error::Failure;
use crate::interrupt::run_alone;
use crate::panic::guarded;

/// A Dirichlet distribution; with two parameters, a Beta distribution.
///
/// Parameters
/// ----------
/// parameters : sequence of float
///     Two or more finite numbers above zero.
///
/// Examples
/// --------
/// >>> from posterity import Dirichlet
/// >>> d = Dirichlet([49, 43])
/// >>> [round(m, 4) for m in d.mean]
/// [0.5326, 0.4674]
/// >>> [round(x, 4) for x in d.interval(0.95)[0]]
/// [0.4308, 0.6331]
#[pyclass(frozen, module = "posterity", eq)]
#[derive(Clone, Debug)]
pub(crate) struct Dirichlet {
    inner: model::Dirichlet,
    /// Whether it is the posterior of a release, which leaves the noise out.
    released: bool,
}

/// Said by the intervals of a released posterior.
const IGNORES_NOISE: &std::ffi::CStr =
    c"the intervals of the released Dirichlet distribution ignore the privacy noise, so they are too narrow; use Release.interval or \
Release.read, which have it in them";

impl Dirichlet {
    /// A distribution with the noise of a release in it.
    pub(crate) fn effective(inner: model::Dirichlet) -> Self {
        Self { inner, released: false }
    }

    /// The posterior of a release.
    pub(crate) fn released(inner: model::Dirichlet) -> Self {
        Self { inner, released: true }
    }
}

impl PartialEq for Dirichlet {
    fn eq(&self, other: &Self) -> bool {
        self.inner == other.inner
    }
}

#[pymethods]
impl Dirichlet {
    #[new]
    fn new(parameters: &Bound<'_, PyAny>) -> PyResult<Self> {
        guarded(|| {
            let items = items(parameters, "parameters")?;
            let parameters =
                items.iter().map(|item| number(item, "parameters")).collect::<Result<Vec<f64>, Failure>>()?;
            let checked = model::Dirichlet::new(parameters);
            let inner = checked.map_err(|error| Failure::argument("parameters", error))?;
            Ok(Self { inner, released: false })
        })
    }

    /// The parameters.
    #[getter]
    fn parameters(&self) -> Vec<f64> {
        self.inner.parameters().to_vec()
    }

    /// The mean of each category.
    #[getter]
    fn mean(&self) -> Vec<f64> {
        self.inner.mean()
    }

    /// The variance of each category.
    #[getter]
    fn variance(&self) -> Vec<f64> {
        self.inner.variance()
    }

    /// The equal-tailed interval of each category.
    ///
    /// The posterior of a release leaves the privacy noise out, so its intervals are too narrow, and a warning says so. Use
    /// :meth:`Release.interval` or :meth:`Release.read`.
    ///
    /// Parameters
    /// ----------
    /// level : float
    ///     The probability that each interval holds.
    ///
    /// Returns
    /// -------
    /// list of tuple of float
    #[pyo3(signature = (level = None))]
    fn interval(&self, py: Python<'_>, level: Given<'_, '_>) -> PyResult<Vec<(f64, f64)>> {
        let level = level.map_or(Ok(posterity::Terms::LEVEL), self::level)?;
        if self.released {
            let category = py.import("posterity")?.getattr("PosterityWarning")?;
            PyErr::warn(py, &category, IGNORES_NOISE, 1)?;
        }
        let inner = self.inner.clone();
        run_alone(py, move |_| intervals(&inner, level))
    }

    /// The logarithm of the density at a point.
    ///
    /// Parameters
    /// ----------
    /// point : sequence of float
    ///     One probability per category, with sum one.
    fn ln_density(&self, point: &Bound<'_, PyAny>) -> PyResult<f64> {
        guarded(|| {
            let items = items(point, "point")?;
            let point =
                items.iter().map(|item| number(item, "point")).collect::<Result<Vec<f64>, Failure>>()?;
            Ok(self.inner.ln_density(&point).map_err(|error| Failure::argument("point", error))?)
        })
    }

    /// Draws as bytes of float64, row by row.
    fn _sample<'py>(
        &self,
        py: Python<'py>,
        size: &Bound<'py, PyAny>,
        seed: Given<'_, 'py>,
    ) -> PyResult<Bound<'py, PyBytes>> {
        let (size, mut bits) = draw_arguments(size, seed, self.inner.len())?;
        let distribution = self.inner.clone();
        let drawn = run_alone(py, move |watch| {
            rows(size, || {
                watch.tick();
                Ok(dirichlet(&distribution, &mut *bits)?)
            })
        })?;
        Ok(PyBytes::new(py, &drawn))
    }

    /// The class and its parameters, for copies and pickles.
    fn __reduce__<'py>(&self, py: Python<'py>) -> (Bound<'py, PyType>, (Vec<f64>,)) {
        (py.get_type::<Self>(), (self.parameters(),))
    }

    fn __len__(&self) -> usize {
        self.inner.len()
    }

    fn __repr__(&self) -> String {
        format!("Dirichlet({:?})", self.inner.parameters())
    }
}

/// Intervals as pairs.
fn intervals(of: &model::Dirichlet, level: f64) -> Result<Vec<(f64, f64)>, Failure> {
    let intervals = of.intervals(level).map_err(|error| Failure::argument("level", error))?;
    Ok(intervals.into_iter().map(|[low, high]| (low, high)).collect())
}

/// Most numbers that one call draws.
const MAX_DRAWN: u64 = 1 << 28;

/// How much to draw, and from what.
pub(crate) fn draw_arguments(
    size: &Bound<'_, PyAny>,
    seed: Given<'_, '_>,
    k: usize,
) -> Result<(usize, Box<dyn BitSource + Send>), Failure> {
    let size = whole(size, "size")?;
    if size.saturating_mul(k as u64) > MAX_DRAWN {
        return Err(Failure::argument(
            "size",
            format!("the draws do not fit into memory; take at most {}", MAX_DRAWN / k as u64),
        ));
    }
    let bits: Box<dyn BitSource + Send> = match seed {
        Some(seed) => Box::new(SeededBits::new(whole(seed, "seed")?)),
        None => Box::new(SystemBits::new()),
    };
    Ok((usize::try_from(size).unwrap_or(usize::MAX), bits))
}

/// Draws written one after the other.
pub(crate) fn rows(
    size: usize,
    mut draw: impl FnMut() -> Result<Vec<f64>, Failure>,
) -> Result<Vec<u8>, Failure> {
    let mut bytes = Vec::new();
    for _ in 0..size {
        bytes.extend(draw()?.into_iter().flat_map(f64::to_ne_bytes));
    }
    Ok(bytes)
}
