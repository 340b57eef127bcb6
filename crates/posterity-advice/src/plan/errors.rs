//! How far each mechanism would be from the truth, against the budget.

use posterity::TermsError;
use posterity_core::calibrate::CalibrationError;
use posterity_core::decode::Decoder;
use posterity_core::mechanism::{ALL, Description};
use posterity_core::model::{Counts, Epsilon, Prior, Setting, SettingError};

use super::plan_error::PlanError;
use crate::comparison::{ComparisonError, Contest, Entrant, Measure, Ranking, compare};
use crate::shape::Shape;

/// The expected Hellinger distance of each private mechanism from the truth, against epsilon.
#[derive(Clone, Debug, PartialEq)]
pub struct ErrorCurves {
    /// What the expectation is over.
    pub over: Expectation,
    /// The mechanisms that can be used at this size.
    pub curves: Vec<ErrorCurve>,
    /// The least expected distance that any private mechanism onto possible counts can have, where that can be computed
    /// quickly: for few records, on average over the prior.
    pub limit: Option<Vec<(f64, f64)>>,
}

/// What an expected distance is over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Expectation {
    /// The noise, and data that are drawn from the prior.
    Prior,
    /// The noise, at the made-up data.
    Data,
}

/// One mechanism, as a release uses it.
#[derive(Clone, Debug, PartialEq)]
pub struct ErrorCurve {
    /// The mechanism.
    pub mechanism: &'static Description,
    /// The decoder that follows it.
    pub decoder: Decoder,
    /// The budgets, and the expected distance at each.
    pub points: Vec<(f64, f64)>,
}

/// Simulated releases of a mechanism whose outcomes are too many to list.
const RUNS: usize = 120;

/// Counts of the simulated releases that are decoded, in all of them together; and the bounds of how many releases there
/// are.
const DECODED: (f64, f64, f64) = (1e5, 10.0, 60.0);

/// About how many variables a linear program may have that is solved.
#[cfg(feature = "limit")]
const VARIABLES: f64 = 600.0;

/// The errors of all private mechanisms at these budgets. Small cases are exact, on average over the prior, and come
/// with the limit. In others the truth is the made-up data, and releases are simulated from a fixed seed.
///
/// ```
/// use posterity::Prior;
/// use posterity_advice::{Shape, plan::error_curves};
/// let curves = error_curves(&Prior::uniform(2)?, 60, &Shape::even(2), &["0.5".parse()?, "1".parse()?])?;
/// let lattice = curves.curves.iter().find(|one| one.mechanism.name == "lattice").ok_or("the default")?;
/// assert!(lattice.points[0].1 > lattice.points[1].1);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// [`PlanError`] if the prior, the size and the shape do not go together.
pub fn error_curves(
    prior: &Prior,
    n: u64,
    shape: &Shape,
    epsilons: &[Epsilon],
) -> Result<ErrorCurves, PlanError> {
    let setting = |epsilon: &Epsilon| {
        Setting::new(prior.clone(), n, epsilon.clone())
            .map_err(|error: SettingError| PlanError::from(TermsError::Records(error)))
    };
    if shape.len() != prior.len() {
        return Err(PlanError::Shape { shape: shape.len(), categories: prior.len() });
    }
    let counts = Counts::new(shape.counts(n))?;
    let mut columns = Vec::with_capacity(epsilons.len());
    let small = is_small(prior.len(), n);
    for epsilon in epsilons {
        let setting = setting(epsilon)?;
        let found = if small { exact(&setting, &counts)? } else { simulated(&setting, &counts)? };
        columns.push((epsilon.to_f64(), found));
    }
    let mut curves: Vec<ErrorCurve> = Vec::new();
    let mut limit = Vec::new();
    for (epsilon, column) in columns {
        limit.extend(column.limit.map(|limit| (epsilon, limit)));
        for (mechanism, decoder, distance) in column.distances {
            let point = (epsilon, distance);
            match curves.iter_mut().find(|one| one.mechanism == mechanism) {
                Some(curve) => curve.points.push(point),
                None => curves.push(ErrorCurve { mechanism, decoder, points: vec![point] }),
            }
        }
    }
    // In the order of the list of mechanisms, so that each has its place in every picture.
    curves.sort_by_key(|curve| ALL.iter().position(|one| *one == curve.mechanism));
    let over = if small { Expectation::Prior } else { Expectation::Data };
    Ok(ErrorCurves { over, curves, limit: (!limit.is_empty()).then_some(limit) })
}

/// The errors at one budget.
struct Column {
    distances: Vec<(&'static Description, Decoder, f64)>,
    limit: Option<f64>,
}

/// Whether everything can be listed quickly, and the limit computed.
#[cfg(feature = "limit")]
fn is_small(k: usize, n: u64) -> bool {
    // Categories of equal parameters can be exchanged; with others there are more variables, and the bound is on those.
    let candidates = posterity_core::sampler::ln_candidates(k, n).exp();
    candidates * candidates <= 2.0 * VARIABLES
}

#[cfg(not(feature = "limit"))]
fn is_small(_: usize, _: u64) -> bool {
    false
}

/// Means over the prior, with the limit. It is the limit of releases of possible counts, so mechanisms are compared
/// with it as they are published.
fn exact(setting: &Setting, counts: &Counts) -> Result<Column, PlanError> {
    let mechanisms = private(setting).map(Description::spec).collect();
    let contest = Contest {
        mechanisms,
        decoders: None,
        measure: Measure::default(),
        limit: true,
        ranking: Ranking::default(),
        keep_laws: false,
    };
    let found = compare(setting, counts, &contest, &|_| ())?;
    let row = |row: crate::comparison::Row| Some((row.mechanism, row.decoder, row.prior_mean?));
    Ok(Column { limit: found.limit, distances: found.rows.into_iter().filter_map(row).collect() })
}

/// Means over simulated releases of the counts.
fn simulated(setting: &Setting, counts: &Counts) -> Result<Column, PlanError> {
    let possible = setting.k() as f64 * (setting.n() as f64 + 1.0).min(90.0 / setting.epsilon().to_f64());
    let (budget, least, most) = DECODED;
    let decoded = (budget / possible).clamp(least, most) as usize;
    let mut distances = Vec::new();
    for description in private(setting) {
        let spec = description.spec();
        let mechanism = match spec.fit(setting.clone()) {
            Ok(mechanism) => mechanism,
            Err(error) if error.refuses_setting() => continue,
            Err(error) => return Err(CalibrationError::Fit(error).into()),
        };
        let decoder = Decoder::default_for(description);
        let runs = if decoder == Decoder::None { RUNS } else { decoded };
        let entrant = Entrant { mechanism: mechanism.into(), spec, decoder };
        let measure = Measure { runs: Some(runs), ..Measure::default() };
        let found =
            entrant.measured(counts, measure)?.ok_or(ComparisonError::AllLeftOut { max_outcomes: 0 })?;
        distances.push((description, found.row.decoder, found.row.expected_distance));
    }
    Ok(Column { distances, limit: None })
}

/// The private mechanisms that are quick at this size.
fn private(setting: &Setting) -> impl Iterator<Item = &'static Description> {
    let quick = |one: &Description| one.spec().suits_advice(setting) && one.name != "optimal";
    ALL.iter().copied().filter(move |one| one.private && quick(one))
}
