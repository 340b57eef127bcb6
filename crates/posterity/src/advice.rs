//! Advice on which mechanism to use for a size, a prior and a budget.

use posterity_core::audit::Scope;
use posterity_core::calibrate::{self, CalibrationError};
use posterity_core::decode::Decoder;
use posterity_core::mechanism::{ALL, Decoding, Description, FitError};
use posterity_core::model::{Counts, CountsError, Setting};
use serde::Serialize;
use thiserror::Error;

use crate::comparison::{ComparisonError, Contender, Measure, Row};
use crate::document::Calibration;
use crate::terms::AUDIT_LIMIT;

/// The private mechanisms with the decoders to try, in the order in which ties are broken.
fn contenders() -> impl Iterator<Item = (&'static Description, Decoder)> {
    ALL.iter().copied().filter(|one| one.private).flat_map(|one| {
        let decoders: &[Decoder] = match one.decoding {
            Decoding::Best => &[Decoder::Best],
            Decoding::AdviceTries => &[Decoder::Best, Decoder::None],
            Decoding::AsPublished => &[Decoder::None],
        };
        decoders.iter().map(move |&decoder| (one, decoder))
    })
}

/// A law with more outcomes than this is simulated, so that an answer comes within seconds.
const LISTED: u64 = 1_000_000;

/// Simulated releases of a mechanism with too many outcomes.
const RUNS: usize = 2_000;

/// Outcomes that are decoded, or simulated releases if there are more.
const DECODED: usize = 300;

/// An audit beyond this many probabilities takes too long for advice.
const AUDITED: f64 = 3e5;

/// The private mechanisms, ranked at a data set of the expected shape. It does not depend on any data.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Advice {
    /// The prior's parameters.
    pub prior: Vec<f64>,
    /// The number of records.
    pub n: u64,
    /// The privacy budget.
    pub epsilon: f64,
    /// The data set that was assumed.
    pub assumed_counts: Vec<u64>,
    /// The mechanism to use.
    pub mechanism: &'static Description,
    /// The decoder to use with it.
    pub decoder: Decoder,
    /// How to set its scale.
    pub calibration: Calibration,
    /// Why, in words.
    pub reason: String,
    /// All of them, the nearest first.
    pub rows: Vec<Row>,
}

/// The expected proportions of the categories. They need not sum to one.
///
/// ```
/// use posterity::{Shape, ShapeError};
/// assert!(Shape::new(vec![60.0, 10.0, 30.0]).is_ok());
/// assert_eq!(Shape::new(vec![0.0, 0.0]), Err(ShapeError::AllZero));
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Shape(Vec<f64>);

/// Why numbers are no proportions.
#[derive(Clone, Copy, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum ShapeError {
    /// A proportion is negative, infinite or not a number.
    #[error("proportion {} is {value}; give numbers of zero or more", index + 1)]
    Negative {
        /// Its index, from zero.
        index: usize,
        /// Its value.
        value: f64,
    },
    /// All proportions are zero, or there are none.
    #[error("all proportions are zero; give at least one above zero")]
    AllZero,
}

impl Shape {
    /// Proportions of zero or more, not all zero.
    ///
    /// # Errors
    /// [`ShapeError`].
    pub fn new(parts: Vec<f64>) -> Result<Self, ShapeError> {
        let bad = parts.iter().position(|part| !(part.is_finite() && *part >= 0.0));
        if let Some(index) = bad {
            return Err(ShapeError::Negative { index, value: parts[index] });
        }
        if parts.iter().sum::<f64>() <= 0.0 {
            return Err(ShapeError::AllZero);
        }
        Ok(Self(parts))
    }
}

/// Why there is no advice.
#[derive(Clone, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum AdviceError {
    /// The shape is for another number of categories.
    #[error("there are {shape} proportions for {categories} categories; give one per category")]
    Shape {
        /// How many proportions there are.
        shape: usize,
        /// How many categories there are.
        categories: usize,
    },
    /// The assumed counts are not valid.
    #[error(transparent)]
    Counts(#[from] CountsError),
    /// A mechanism cannot be made.
    #[error(transparent)]
    Fit(#[from] FitError),
    /// A mechanism cannot be measured.
    #[error(transparent)]
    Comparison(#[from] ComparisonError),
    /// A simulation without releases; does not happen.
    #[error("no releases could be simulated")]
    NoReleases,
}

/// Ranks the private mechanisms at a data set of the expected shape, which is even if not given. `progress` is called with
/// the number of steps done: data sets audited, mechanisms measured.
///
/// ```
/// use posterity::{Terms, advise};
/// let setting = Terms::new("1".parse()?).setting(2, 20)?;
/// let advice = advise(&setting, None, &|_| ())?;
/// assert_eq!(advice.assumed_counts, [10, 10]);
/// assert_eq!(advice.mechanism.name, advice.rows[0].mechanism.name);
/// println!("{}: {}", advice.mechanism, advice.reason);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// [`AdviceError`].
pub fn advise(
    setting: &Setting,
    shape: Option<&Shape>,
    progress: &(dyn Fn(u64) + Sync),
) -> Result<Advice, AdviceError> {
    let shape = match shape {
        Some(Shape(parts)) if parts.len() != setting.k() => {
            return Err(AdviceError::Shape { shape: parts.len(), categories: setting.k() });
        }
        Some(Shape(parts)) => parts.clone(),
        None => vec![1.0; setting.k()],
    };
    let counts = Counts::new(apportion(&shape, setting.n()))?;
    let mut rows = Vec::new();
    for (description, decoder) in contenders() {
        let mut specs = vec![description.spec()];
        let scope = Scope::of(&*description.spec().fit(setting.clone())?);
        if scope.probabilities <= AUDITED {
            specs.extend(description.spec().tight());
        }
        for spec in specs {
            let mechanism = match calibrate::fit(&spec, setting, AUDIT_LIMIT, progress) {
                // The budget is too small for an audit. The proven scales remain.
                Err(CalibrationError::SmallBudget { .. }) => continue,
                made => made.map_err(ComparisonError::from)?,
            };
            let calibration = Calibration::of(&spec);
            rows.push(evaluate(&Contender { mechanism: mechanism.into(), calibration, decoder }, &counts)?);
            progress(1);
        }
    }
    // A stable sort: among equals the simpler mechanism comes first.
    rows.sort_by(|a, b| a.expected_distance.total_cmp(&b.expected_distance));
    let best = rows.first().cloned().ok_or(AdviceError::NoReleases)?;
    Ok(Advice {
        prior: setting.prior().parameters().to_vec(),
        n: setting.n(),
        epsilon: setting.epsilon().to_f64(),
        assumed_counts: counts.as_slice().to_vec(),
        mechanism: best.mechanism,
        decoder: best.decoder,
        calibration: best.calibration,
        reason: reason(&best, &rows),
        rows,
    })
}

impl Advice {
    /// The flags that the command needs for the recommended mechanism; none if it is used by default.
    #[must_use]
    pub fn flags(&self) -> &'static str {
        self.rows.first().map_or("", flags)
    }
}

fn evaluate(contender: &Contender, counts: &Counts) -> Result<Row, AdviceError> {
    let measure =
        Measure { max_outcomes: LISTED, decoded: DECODED, decoded_runs: DECODED, ..Measure::default() };
    let found = match contender.measured(counts, measure)? {
        Some(found) => Some(found),
        None => contender.measured(counts, Measure { runs: Some(RUNS), ..measure })?,
    };
    // A simulation always has a law.
    found.map(|found| found.row).ok_or(AdviceError::NoReleases)
}

fn flags(row: &Row) -> &'static str {
    match (row.calibration, row.decoder) {
        (Calibration::Tight, _) => " with --calibration tight",
        // What `release` does by itself.
        (Calibration::Proven, decoder) if decoder == Decoder::default_for(row.mechanism) => "",
        (Calibration::Proven, Decoder::Projection) if row.mechanism.decoding == Decoding::Best => "",
        (Calibration::Proven, _) => " with --decode best",
    }
}

fn reason(best: &Row, rows: &[Row]) -> String {
    let mean = best.expected_distance;
    let mut text = format!(
        "Its release is expected at a Hellinger distance of {mean:.4} from the true posterior, and within {:.4} three times out of four.",
        best.q3
    );
    if let Some(next) = rows.iter().find(|row| row.mechanism != best.mechanism) {
        text += &format!(
            " The next best, {}{}, is at {:.4}.",
            next.mechanism,
            flags(next),
            next.expected_distance
        );
    }
    if mean > 0.5 {
        text += " That is far: at this size and budget any private release says little. Collect more records or raise epsilon.";
    }
    text
}

/// Whole counts in the given proportions that sum to n: the largest remainders are rounded up.
fn apportion(shape: &[f64], n: u64) -> Vec<u64> {
    let total: f64 = shape.iter().sum();
    let exact: Vec<f64> = shape.iter().map(|part| part / total * n as f64).collect();
    let mut counts: Vec<u64> = exact.iter().map(|share| share.floor() as u64).collect();
    let mut order: Vec<usize> = (0..shape.len()).collect();
    order.sort_by(|&a, &b| exact[b].fract().total_cmp(&exact[a].fract()));
    let missing = n.saturating_sub(counts.iter().sum());
    order.into_iter().cycle().take(missing as usize).for_each(|category| counts[category] += 1);
    counts
}

#[cfg(test)]
mod tests {
    use posterity_testkit::fixture::uniform;

    use super::*;

    #[test]
    fn apportionment_keeps_the_total() {
        assert_eq!(apportion(&[1.0, 1.0], 731), [366, 365]);
        assert_eq!(apportion(&[6.0, 1.0, 3.0], 90), [54, 9, 27]);
        assert_eq!(apportion(&[1.0, 0.0], 5), [5, 0]);
        assert_eq!(apportion(&[1.0; 3], 1_000_000_000_000).iter().sum::<u64>(), 1_000_000_000_000);
    }

    /// No audit resolves such a budget; there is advice all the same, among proven scales.
    #[test]
    fn a_budget_too_small_for_an_audit_leaves_tight_calibration_out() {
        let tight = |epsilon| {
            let advice = advise(&uniform(2, 10, epsilon), None, &|_| ()).expect("advice");
            advice.rows.iter().filter(|row| row.calibration == Calibration::Tight).count()
        };
        assert_eq!((tight("1"), tight("1e-13")), (2, 0));
    }

    #[test]
    fn rejects_shapes() {
        assert_eq!(Shape::new(vec![1.0, -1.0]), Err(ShapeError::Negative { index: 1, value: -1.0 }));
        assert_eq!(Shape::new(vec![0.0, 0.0]), Err(ShapeError::AllZero));
        assert_eq!(Shape::new(vec![]), Err(ShapeError::AllZero));
        let shape = Shape::new(vec![1.0; 3]).expect("valid");
        let found = advise(&uniform(2, 10, "1"), Some(&shape), &|_| ());
        assert_eq!(found, Err(AdviceError::Shape { shape: 3, categories: 2 }));
    }
}
