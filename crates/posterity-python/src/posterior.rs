//! The posterior of the numbers of a reading, as distributions.

use std::sync::Arc;

use posterity::table::RowPosterior;
use pyo3::prelude::*;

use crate::argument::{numbers, text, whole};
use crate::error::Failure;
use crate::interrupt::run_alone;
use crate::panic::guarded;

/// The posterior of each number of a reading.
#[pyclass(frozen, module = "posterity._posterity")]
pub(crate) struct Posterior {
    #[pyo3(get)]
    reading: String,
    rows: Arc<Vec<RowPosterior>>,
    /// Whether the noise of the mechanism is in it.
    #[pyo3(get)]
    noise_aware: bool,
}

impl Posterior {
    pub(crate) fn new(reading: String, rows: Vec<RowPosterior>, noise_aware: bool) -> Self {
        Self { reading, rows: Arc::new(rows), noise_aware }
    }

    fn each<T: Send + 'static>(
        &self,
        py: Python<'_>,
        of: impl Fn(&RowPosterior) -> T + Send + 'static,
    ) -> PyResult<Vec<T>> {
        let rows = self.rows.clone();
        run_alone(py, move |_| Ok(rows.iter().map(of).collect()))
    }
}

#[pymethods]
impl Posterior {
    /// The values that name each row: columns with values.
    #[getter]
    fn labels(&self) -> Vec<Vec<(String, String)>> {
        let of = |row: &RowPosterior| {
            let both = row.given().iter().chain(row.cell().iter());
            both.map(|(name, value)| (name.to_owned(), value.to_owned())).collect()
        };
        self.rows.iter().map(of).collect()
    }

    /// The mean of each row.
    fn means(&self, py: Python<'_>) -> PyResult<Vec<f64>> {
        self.each(py, RowPosterior::mean)
    }

    /// The variance of each row.
    fn variances(&self, py: Python<'_>) -> PyResult<Vec<f64>> {
        self.each(py, RowPosterior::variance)
    }

    /// The density (`pdf`), the probability of at most (`cdf`), or the quantile (`ppf`) of a row at some points.
    fn at(
        &self,
        py: Python<'_>,
        row: &Bound<'_, PyAny>,
        function: &Bound<'_, PyAny>,
        points: &Bound<'_, PyAny>,
    ) -> PyResult<Vec<f64>> {
        guarded(|| {
            let (row, function) = (whole(row, "row")?, text(function, "function")?);
            let is_quantile = function == "ppf";
            let points = numbers(points, if is_quantile { "q" } else { "x" })?;
            let rows = self.rows.clone();
            run_alone(py, move |watch| {
                let row = usize::try_from(row).ok().and_then(|row| rows.get(row));
                let row = row.ok_or(Failure::Internal { what: "there is no such row" })?;
                let one = |x: f64| {
                    watch.tick();
                    Ok(match function.as_str() {
                        _ if x.is_nan() => f64::NAN,
                        "pdf" => row.density(x).ok_or_else(|| no_density(row))?,
                        "cdf" => row.cdf(x),
                        "ppf" if !(0.0..=1.0).contains(&x) => f64::NAN,
                        "ppf" => row.quantile(x),
                        _ => return Err(Failure::Internal { what: "there is no such function" }),
                    })
                };
                points.into_iter().map(one).collect()
            })
        })
    }
}

/// Why a law has no density.
fn no_density(row: &RowPosterior) -> Failure {
    let why = if row.is_drawn() {
        "this number is known by draws, which have no density; take cdf, ppf or rvs"
    } else {
        "this number is certain, so it has no density; take mean or cdf"
    };
    Failure::argument("x", why)
}
