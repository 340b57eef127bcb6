//! Advice on which mechanism to use for a size, a prior and a budget.

use posterity::AUDIT_LIMIT;
use posterity::number::decimal;
use posterity_core::accuracy::DistanceLaw;
use posterity_core::audit::Scope;
use posterity_core::calibrate::{self, CalibrationError};
use posterity_core::decode::Decoder;
use posterity_core::mechanism::{ALL, Decoding, Description, FitError, Spec};
use posterity_core::model::{Counts, CountsError, Setting};
use serde::Serialize;
use thiserror::Error;

use crate::calibration::Calibration;
use crate::comparison::{ComparisonError, Entrant, Measure, MeasuredRow, Method, Row};
use crate::shape::Shape;

/// The decoders to try with a mechanism.
pub(crate) fn decoders(one: &Description) -> &'static [Decoder] {
    match one.decoding {
        Decoding::Best => &[Decoder::Best],
        Decoding::AdviceTries => &[Decoder::Best, Decoder::None],
        Decoding::AsPublished | Decoding::ComparisonShows => &[Decoder::None],
    }
}

/// A law with more outcomes than this is simulated, so that an answer comes within seconds.
const MAX_LISTED_OUTCOMES: u64 = 1_000_000;

/// Counts of simulated releases of a mechanism with too many outcomes, in all categories together; and the bounds of how
/// many releases there are.
const RUNS: (f64, f64, f64) = (2e5, 100.0, 2_000.0);

/// Counts of the outcomes that are decoded exactly, in all of them together; and the bounds of how many outcomes there are.
const DECODED: (f64, f64, f64) = (6e6, 64.0, 3_000.0);

/// Counts of the simulated releases that are decoded where there are more outcomes, in all of them together; and the bounds
/// of how many releases there are.
const DECODED_RUNS: (f64, f64, f64) = (6e5, 64.0, 300.0);

/// Beyond this number of possible counts a decoded release takes a tenth of a second or more. Then fewer are decoded, and
/// only those of mechanisms that are always decoded.
const MANY_POSSIBLE_COUNTS: f64 = 3e4;

/// Exponential mechanisms are drawn by rejection, which takes long where there are more categories than this.
const DRAWN: usize = 100;

/// The least number of simulated releases that are decoded there.
const FEWEST: f64 = 8.0;

/// The most categories for which mechanisms are compared.
const MOST_CATEGORIES: usize = 50_000;

/// How often something of this size is done.
fn times((size, least, most): (f64, f64, f64), one: f64) -> usize {
    (size / one).clamp(least, most) as usize
}

/// About how many counts the noise leaves possible, in all categories together. The time to decode a release grows with
/// them.
fn possible_counts(setting: &Setting) -> f64 {
    setting.k() as f64 * (setting.n() as f64).min(90.0 / setting.epsilon().to_f64())
}

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
    /// What was left out because it would take too long, in words.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub left_out: Vec<String>,
    /// Rows of other mechanisms whose distance follows the same law as that of the recommended one, to within rounding.
    #[serde(skip)]
    pub tied: Vec<Row>,
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
    /// There are more categories than releases are simulated for.
    #[error(
        "mechanisms are compared for up to {most} categories, and there are {categories}; join some, or use lattice, which is \
         released for any number"
    )]
    TooMany {
        /// How many categories there are.
        categories: usize,
        /// How many there may be.
        most: usize,
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
    /// Nothing is left to rank.
    #[error("none of these mechanisms can be ranked here; leave them out, and all that can be are ranked")]
    NoReleases,
}

impl AdviceError {
    /// The argument that it is about, as programs name it; nothing if it is about several, or none.
    #[must_use]
    pub fn argument(&self) -> Option<&'static str> {
        match self {
            Self::Shape { .. } => Some("shape"),
            Self::Counts(_) => Some("n"),
            _ => None,
        }
    }
}

/// Ranks the private mechanisms at a data set of the expected shape, which is even if not given. `progress` is called
/// with the number of steps done: data sets audited, mechanisms measured.
///
/// ```
/// use posterity::Terms;
/// use posterity_advice::advise;
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
    advise_among(setting, shape, None, progress)
}

/// Advice that looks at these mechanisms only. Ties are broken in their order. Those that are not private are left out.
///
/// # Errors
/// [`AdviceError`].
pub fn advise_among(
    setting: &Setting,
    shape: Option<&Shape>,
    mechanisms: Option<&[Spec]>,
    progress: &(dyn Fn(u64) + Sync),
) -> Result<Advice, AdviceError> {
    if setting.k() > MOST_CATEGORIES {
        return Err(AdviceError::TooMany { categories: setting.k(), most: MOST_CATEGORIES });
    }
    let shape = match shape {
        Some(shape) if shape.len() != setting.k() => {
            return Err(AdviceError::Shape { shape: shape.len(), categories: setting.k() });
        }
        Some(shape) => shape.clone(),
        None => Shape::even(setting.k()),
    };
    let counts = Counts::new(shape.counts(setting.n()))?;
    let mut found: Vec<(Row, Option<DistanceLaw>)> = Vec::new();
    let mut least = f64::INFINITY;
    let many = possible_counts(setting) > MANY_POSSIBLE_COUNTS;
    let mut left_out = Vec::new();
    let named = mechanisms.is_some();
    let all = || ALL.iter().filter(|one| one.private).map(|one| one.spec()).collect();
    let mechanisms = mechanisms.map_or_else(all, <[Spec]>::to_vec);
    let entrants = mechanisms.iter().flat_map(|spec| {
        decoders(spec.description()).iter().map(move |&decoder| (spec.clone(), spec.description(), decoder))
    });
    for (usual, description, decoder) in entrants {
        if !description.private {
            left_out.push(format!("{} is left out: it has no proven guarantee", description.name));
            continue;
        }
        if !usual.suits_advice(setting) {
            continue;
        }
        if description.tunable && setting.k() > DRAWN {
            left_out.push(format!(
                "{} is left out: with {} categories, which are more than {DRAWN}, its draws take too long",
                description.name,
                setting.k()
            ));
            continue;
        }
        if many && decoder == Decoder::Best && description.decoding == Decoding::AdviceTries {
            left_out.push(format!(
                "{} with the decoder best is left out: with {} categories it would take too long",
                description.name,
                setting.k()
            ));
            continue;
        }
        // Whoever names a mechanism gets that one.
        let mut specs = vec![if named { usual.clone() } else { usual.advised() }];
        // A mechanism that is tight already stays alone.
        let audited = |spec: &Spec| match spec.fit(setting.clone()) {
            Ok(mechanism) => Ok(Scope::by_enumeration(&*mechanism).probabilities <= AUDITED),
            // The mechanism is left out below.
            Err(error) if error.refuses_setting() => Ok(false),
            Err(error) => Err(error),
        };
        if description.tunable && !usual.is_tight() && audited(&usual)? {
            specs.extend(usual.tight());
        }
        for spec in specs {
            let mechanism = match calibrate::fit(&spec, setting, AUDIT_LIMIT, progress) {
                // The budget is too small for an audit. The proven scales remain.
                Err(CalibrationError::SmallBudget { .. }) => continue,
                // The mechanism is for other sizes or budgets. The others remain.
                Err(CalibrationError::Fit(error)) if error.refuses_setting() => continue,
                made => made.map_err(ComparisonError::from)?,
            };
            let entrant = Entrant { mechanism: mechanism.into(), spec, decoder };
            let MeasuredRow { row, law } = evaluate(&entrant, &counts)?;
            least = least.min(row.expected_distance);
            // A law may have a million points: only those that may be tied with the best are kept.
            let may_be_tied = row.expected_distance <= least + SAME;
            found.push((row, may_be_tied.then_some(law)));
            progress(1);
        }
    }
    leave_out_needless_decoders(&mut found);
    let first = found.iter().position(|(row, _)| is_tied(row, &found)).unwrap_or(0);
    // Among equals the mechanism that is listed first is recommended.
    let recommended = (!found.is_empty()).then(|| found.remove(first));
    found.sort_by(|(a, _), (b, _)| a.expected_distance.total_cmp(&b.expected_distance));
    found.splice(0..0, recommended);
    let tied = tied(&found);
    let rows: Vec<Row> = found.into_iter().map(|(row, _)| row).collect();
    let best = rows.first().cloned().ok_or(AdviceError::NoReleases)?;
    Ok(Advice {
        prior: setting.prior().parameters().to_vec(),
        n: setting.n(),
        epsilon: setting.epsilon().to_f64(),
        assumed_counts: counts.as_slice().to_vec(),
        mechanism: best.mechanism,
        decoder: best.decoder,
        calibration: best.calibration,
        reason: reason(&best, &rows, &tied),
        rows,
        left_out,
        tied,
    })
}

/// The bounds on a number of decoded releases, of which there may be fewer where each takes long.
fn fewer((size, least, most): (f64, f64, f64), setting: &Setting) -> (f64, f64, f64) {
    if possible_counts(setting) > MANY_POSSIBLE_COUNTS { (size, FEWEST, most) } else { (size, least, most) }
}

fn evaluate(entrant: &Entrant, counts: &Counts) -> Result<MeasuredRow, AdviceError> {
    let setting = entrant.mechanism.setting();
    let (decoded, decoded_runs) =
        [DECODED, DECODED_RUNS].map(|one| times(fewer(one, setting), possible_counts(setting))).into();
    let measure = Measure { max_outcomes: MAX_LISTED_OUTCOMES, decoded, decoded_runs, ..Measure::default() };
    let runs = Some(times(RUNS, setting.k() as f64));
    let found = match entrant.measured(counts, measure)? {
        Some(found) => Some(found),
        None => entrant.measured(counts, Measure { runs, ..measure })?,
    };
    // A simulation always has a law.
    found.ok_or(AdviceError::NoReleases)
}

/// The expected distance of a mechanism's release from the truth at these counts, as [`advise`] says it.
pub(crate) fn expected_distance(
    spec: &Spec,
    decoder: Decoder,
    setting: Setting,
    counts: &Counts,
) -> Result<Row, AdviceError> {
    let mechanism = spec.fit(setting)?.into();
    Ok(evaluate(&Entrant { mechanism, spec: spec.clone(), decoder }, counts)?.row)
}

/// Whether the releases of a mechanism take too long to be drawn, or to be decoded, for advice.
pub(crate) fn takes_too_long(one: &Description, decoder: Decoder, setting: &Setting) -> bool {
    let many = possible_counts(setting) > MANY_POSSIBLE_COUNTS;
    (one.tunable && setting.k() > DRAWN)
        || (many && decoder == Decoder::Best && one.decoding == Decoding::AdviceTries)
}

/// Whether no row is nearer than this one by more than rounding and the errors of simulations allow to tell.
fn is_tied(row: &Row, found: &[(Row, Option<DistanceLaw>)]) -> bool {
    found.iter().all(|(other, _)| {
        let error = |row: &Row| row.standard_error.unwrap_or(0.0);
        let doubt = SAME + 2.0 * error(row).hypot(error(other));
        row.expected_distance <= other.expected_distance + doubt
    })
}

/// Leaves out each row of a decoder after which a release is exactly as near as without it, so that no mechanism stands
/// twice with the same numbers.
fn leave_out_needless_decoders(found: &mut Vec<(Row, Option<DistanceLaw>)>) {
    let plain: Vec<Row> =
        found.iter().map(|(row, _)| row).filter(|row| row.decoder == Decoder::None).cloned().collect();
    let numbers = |row: &Row| [row.expected_distance, row.q1, row.median, row.q3, row.probability_exact];
    let looks_like = |one: &Row, other: &Row| {
        one.specification == other.specification
            && one.method == other.method
            && numbers(one).iter().zip(numbers(other)).all(|(a, b)| (a - b).abs() <= SAME)
    };
    found.retain(|(row, _)| row.decoder == Decoder::None || !plain.iter().any(|one| looks_like(one, row)));
}

/// The first row of each mechanism whose distance follows the same law as that of the best, to within rounding. Only
/// exact laws are compared.
fn tied(found: &[(Row, Option<DistanceLaw>)]) -> Vec<Row> {
    let Some(((best, Some(best_law)), others)) = found.split_first() else { return Vec::new() };
    let mut tied: Vec<Row> = Vec::new();
    for (row, law) in others {
        let exact = best.method == Method::Exact && row.method == Method::Exact;
        let same = law.as_ref().is_some_and(|law| exact && difference(best_law, law) <= SAME);
        let is_new = tied.iter().chain([best]).all(|other| other.mechanism != row.mechanism);
        if same && is_new {
            tied.push(row.clone());
        }
    }
    tied
}

/// Laws that differ by less than this are taken to be the same: the outcomes that are not decoded have a probability of
/// up to 1e-9 together.
const SAME: f64 = 2e-9;

/// The area between the distribution functions of two laws.
fn difference(one: &DistanceLaw, other: &DistanceLaw) -> f64 {
    let steps = one.points().chain(other.points().map(|(distance, probability)| (distance, -probability)));
    let mut steps: Vec<(f64, f64)> = steps.collect();
    steps.sort_by(|a, b| a.0.total_cmp(&b.0));
    let (mut gap, mut area) = (0.0_f64, 0.0);
    for pair in steps.windows(2) {
        gap += pair[0].1;
        area += gap.abs() * (pair[1].0 - pair[0].0);
    }
    area
}

fn reason(best: &Row, rows: &[Row], tied: &[Row]) -> String {
    let mean = best.expected_distance;
    let mut text = format!(
        "Its release is expected at a Hellinger distance of {}{} from the true posterior, and within {} three times out of four.",
        fixed(mean),
        best.standard_error
            .map(|error| format!(" (simulated, standard error {})", fixed(error)))
            .unwrap_or_default(),
        fixed(best.q3)
    );
    if !tied.is_empty() {
        let names: Vec<String> = tied.iter().map(Row::label).collect();
        text += &format!(" The same holds for {}, to within rounding.", names.join(" and "));
    }
    let others = |row: &&Row| tied.iter().chain([best]).all(|other| other.mechanism != row.mechanism);
    // A distance that is shown with the same digits is no second place.
    let looks_equal = |row: &&Row| {
        let exact = [best, row].iter().all(|one| one.standard_error.is_none());
        exact && fixed(row.expected_distance) == fixed(mean)
    };
    let equal: Vec<String> = rows.iter().filter(others).filter(looks_equal).map(Row::label).collect();
    if !equal.is_empty() {
        let are = if equal.len() == 1 { "is" } else { "are" };
        text += &format!(" To these digits {} {are} as near.", equal.join(" and "));
    }
    if let Some(next) = rows.iter().filter(others).find(|row| !looks_equal(row)) {
        text += &format!(" The next best, {}, is at {}", next.label(), fixed(next.expected_distance));
        let error = |row: &Row| row.standard_error.unwrap_or(0.0);
        let doubt = 2.0 * error(best).hypot(error(next));
        text += if next.expected_distance <= mean + doubt && doubt > 0.0 {
            ", which the simulation cannot tell apart."
        } else {
            "."
        };
    }
    if mean > 0.5 {
        text += " That is far: at this size and budget any private release says little. Collect more records or raise epsilon.";
    }
    text
}

/// Four decimals, or an exponent where they would all be zero.
fn fixed(value: f64) -> String {
    if value == 0.0 { format!("{value:.4}") } else { decimal(value) }
}

#[cfg(test)]
mod tests {
    use posterity_testkit::fixture::uniform;

    use super::*;
    use crate::shape::ShapeError;

    /// If this fails, one law is recommended under two names as a first and a second best.
    #[test]
    fn mechanisms_of_one_law_are_tied() {
        let advice = |k, n| {
            let prior = posterity_core::model::Prior::uniform(k).expect("valid");
            let setting = Setting::new(prior, n, "1".parse().expect("positive")).expect("valid");
            advise(&setting, None, &|_| ()).expect("advice")
        };
        for n in [90, 731] {
            let two = advice(2, n);
            let names = [two.mechanism, two.tied[0].mechanism];
            assert!(
                ["lattice", "geometric"].iter().all(|name| names.iter().any(|one| one.name == *name)),
                "{two:?}"
            );
            assert!(
                two.reason.contains("The same holds for") && two.reason.contains("The next best, lshist")
            );
            // If this fails, a mechanism is listed twice with the same numbers.
            assert_eq!(two.rows.iter().filter(|row| row.mechanism.name == "geometric").count(), 1, "{two:?}");
        }
        // Plain geometric noise is decoded worse, and not tied, where decoding matters.
        let wide = Setting::new(
            posterity_core::model::Prior::uniform(2).expect("valid"),
            731,
            "0.2".parse().expect("positive"),
        );
        let wide = advise(&wide.expect("valid"), None, &|_| ()).expect("advice");
        assert_eq!(wide.tied.iter().map(Row::label).collect::<Vec<_>>(), ["geometric + best"]);
        let three = advice(3, 30);
        assert!(three.tied.is_empty());
        assert!(!three.reason.contains("same"));
    }

    /// If this fails, a second best is named whose number is that of the best.
    #[test]
    fn the_next_best_is_visibly_farther() {
        let advice = advise(&uniform(2, 40, "1"), None, &|_| ()).expect("advice");
        assert!(advice.reason.contains(" To these digits optimal is as near. The next best, lshist, is at"));
    }

    /// Many categories are answered with fewer decoded releases, and it is said what is left out.
    #[test]
    fn what_takes_too_long_is_left_out_and_said() {
        let advice = advise(&uniform(500, 1_000_000_000_000, "1"), None, &|_| ()).expect("advice");
        assert!(advice.left_out.iter().any(|text| text.starts_with("geometric with the decoder best")));
        assert!(advice.left_out.iter().any(|text| text.starts_with("ehds is left out")));
        let names: Vec<&str> = advice.rows.iter().map(|row| row.mechanism.name).collect();
        assert!(names.contains(&"lattice") && names.contains(&"geometric"), "{names:?}");
        assert!(advise(&uniform(2, 10, "1"), None, &|_| ()).expect("advice").left_out.is_empty());
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
