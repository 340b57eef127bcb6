//! How wide the intervals of a release will be.

use std::collections::BTreeMap;

use posterity::Request;
use posterity_core::decode::noise_aware;
use posterity_core::mechanism::Mechanism;
use posterity_core::model::{Counts, Released, interval_level};

use super::draws::Draws;
use super::plan_error::PlanError;
use super::truth::Truth;

/// The expected half-width of the interval of one category, in units of its share: 0.05 is 5 percentage points.
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize)]
pub struct HalfWidth {
    /// With the privacy noise.
    pub private: f64,
    /// The standard error of that number where releases were simulated; none where it is exact.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub standard_error: Option<f64>,
    /// Without any noise: the width that the number of records alone makes.
    pub without: f64,
}

/// The expected half-widths of all categories.
#[derive(Clone, Debug, PartialEq, serde::Serialize)]
pub struct HalfWidths {
    /// The probability of the intervals.
    pub level: f64,
    /// One for each category.
    pub categories: Vec<HalfWidth>,
    /// How many releases were simulated; none where all releases were listed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub simulated: Option<usize>,
}

impl HalfWidths {
    /// That of the category with the widest interval.
    #[must_use]
    pub fn widest(&self) -> HalfWidth {
        let none = HalfWidth { private: 0.0, standard_error: None, without: 0.0 };
        let wider = |a: HalfWidth, b: &HalfWidth| if b.private > a.private { *b } else { a };
        self.categories.iter().fold(none, wider)
    }
}

/// The expected half-width of the noise-aware interval of each category, over the releases of the made-up data.
///
/// Where the possible releases are few, all are listed but for a probability of 1e-7, and the result is exact to 5e-8.
/// Elsewhere releases are drawn from a fixed seed, and the result has a standard error. Far from the ends of the scale
/// all releases have intervals of nearly the same width, so a few draws suffice.
///
/// ```
/// use posterity::Terms;
/// use posterity_advice::plan::{Truth, expected_half_width};
/// let request = Terms::new("1".parse()?).request(2, 90, &|_| ())?;
/// let widest = expected_half_width(&request, &Truth::Even)?.widest();
/// assert!(widest.private > widest.without);
/// assert_eq!(format!("{:.4} {:.4}", widest.private, widest.without), "0.1054 0.1014");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// [`PlanError`], for example if the noise of the mechanism cannot be modelled.
pub fn expected_half_width(request: &Request, truth: &Truth) -> Result<HalfWidths, PlanError> {
    let level = interval_level(request.level())?;
    let mechanism = request.mechanism(&|_| ())?;
    let setting = request.setting();
    let counts = truth.counts(setting)?;
    let groups = groups(&*mechanism, counts.as_ref());
    let mut seen = Seen { mechanism: &*mechanism, level, groups: &groups, known: BTreeMap::new() };
    let k = setting.k();
    let (private, errors, assumed) = match Draws::new(&*mechanism, truth)? {
        Draws::Listed { weighed, left_out } => {
            // Intervals that are not computed are between 0 and 1 wide.
            let mut mean = vec![0.25 * left_out; k];
            for (released, share) in &weighed {
                let widths = seen.half_widths(released)?;
                mean.iter_mut().zip(widths).for_each(|(sum, width)| *sum += share * width);
            }
            (mean, None, Vec::new())
        }
        Draws::Simulated { drawn, truths, least } => {
            let mut moments = vec![Moments::default(); k];
            for (index, released) in drawn.iter().enumerate() {
                let widths = seen.half_widths(released)?;
                moments.iter_mut().zip(widths).for_each(|(one, &width)| one.add(width));
                if index + 1 >= least && moments.iter().all(Moments::is_precise) {
                    break;
                }
            }
            let mean = moments.iter().map(|one| one.mean).collect();
            (mean, Some(moments), truths)
        }
    };
    let assumed = counts.map_or(assumed, |counts| vec![counts.as_slice().to_vec()]);
    let without = without_noise(request, &assumed, level)?;
    let categories = private.into_iter().zip(without).enumerate().map(|(i, (private, without))| HalfWidth {
        private,
        standard_error: errors.as_ref().map(|errors| errors[i].error()),
        without,
    });
    let simulated = errors.as_ref().and_then(|errors| errors.first()).map(|one| one.number as usize);
    Ok(HalfWidths { level, categories: categories.collect(), simulated })
}

/// For each category, the first of those whose intervals follow the same law: they have the same prior parameter and
/// the same count, and the mechanism treats all categories alike.
fn groups(mechanism: &dyn Mechanism, counts: Option<&Counts>) -> Vec<usize> {
    let alpha = mechanism.setting().prior().parameters();
    let same = |i: usize, j: usize| {
        alpha[i] == alpha[j] && counts.is_none_or(|counts| counts.as_slice()[i] == counts.as_slice()[j])
    };
    let exchangeable = mechanism.description().exchangeable;
    let first = |i: usize| (0..i).find(|&j| exchangeable && same(i, j)).unwrap_or(i);
    (0..alpha.len()).map(first).collect()
}

/// Half-widths of releases, each computed once.
struct Seen<'a> {
    mechanism: &'a dyn Mechanism,
    level: f64,
    groups: &'a [usize],
    known: BTreeMap<Released, Vec<f64>>,
}

impl Seen<'_> {
    /// The half-width of each category; of categories that follow the same law, that of the first.
    fn half_widths(&mut self, released: &Released) -> Result<&[f64], PlanError> {
        if !self.known.contains_key(released) {
            let aware = noise_aware(self.mechanism, released)?;
            let mut widths: Vec<f64> = Vec::with_capacity(self.groups.len());
            for (i, &group) in self.groups.iter().enumerate() {
                let width = if group < i {
                    widths[group]
                } else {
                    let (low, high) = aware.marginals()[i].interval(self.level)?;
                    0.5 * (high - low)
                };
                widths.push(width);
            }
            self.known.insert(released.clone(), widths);
        }
        Ok(&self.known[released])
    }
}

/// A mean is precise enough if its standard error is at most this share of it.
const PRECISE: f64 = 0.002;

/// The mean and the sum of squared differences from it, after Welford (1962).
#[derive(Clone, Copy, Debug, Default)]
struct Moments {
    number: f64,
    mean: f64,
    squares: f64,
}

impl Moments {
    fn add(&mut self, value: f64) {
        self.number += 1.0;
        let difference = value - self.mean;
        self.mean += difference / self.number;
        self.squares += difference * (value - self.mean);
    }

    /// The standard error of the mean.
    fn error(&self) -> f64 {
        (self.squares / (self.number - 1.0).max(1.0) / self.number).sqrt()
    }

    fn is_precise(&self) -> bool {
        self.error() <= PRECISE * self.mean
    }
}

/// The half-widths of the true posterior, on average over the data that were assumed.
fn without_noise(request: &Request, assumed: &[Vec<u64>], level: f64) -> Result<Vec<f64>, PlanError> {
    let setting = request.setting();
    let mut mean = vec![0.0; setting.k()];
    for counts in assumed {
        let intervals = setting.prior().posterior(counts)?.intervals(level)?;
        for (sum, [low, high]) in mean.iter_mut().zip(intervals) {
            *sum += 0.5 * (high - low) / assumed.len() as f64;
        }
    }
    Ok(mean)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plan::draws::draw;
    use posterity::Terms;

    fn half_widths(mechanism: &dyn Mechanism, released: &Released, level: f64) -> Vec<f64> {
        let aware = noise_aware(mechanism, released).expect("modelled");
        aware.intervals(level).expect("a level").iter().map(|[low, high]| 0.5 * (high - low)).collect()
    }

    fn request(k: usize, n: u64, epsilon: &str) -> Request {
        Terms::new(epsilon.parse().expect("positive")).request(k, n, &|_| ()).expect("valid")
    }

    /// The exact list against all outcomes, each with its probability and its interval.
    #[test]
    fn the_list_is_that_of_all_outcomes() {
        for (k, n, epsilon) in [(2, 30, "1"), (2, 12, "0.3"), (3, 6, "1")] {
            let request = request(k, n, epsilon);
            let found = expected_half_width(&request, &Truth::Even).expect("small");
            assert_eq!(found.simulated, None);
            let mechanism = request.mechanism(&|_| ()).expect("lattice");
            let counts = Truth::Even.counts(request.setting()).expect("fits").expect("fixed");
            let law = mechanism.law(&counts, 1_000_000).expect("small");
            let mut expected = vec![0.0; k];
            for outcome in law.outcomes() {
                let widths = half_widths(&*mechanism, &Released::new(outcome.counts.to_vec()), 0.95);
                for (sum, width) in expected.iter_mut().zip(widths) {
                    *sum += outcome.probability * width;
                }
            }
            for (one, expected) in found.categories.iter().zip(expected) {
                assert!((one.private - expected).abs() < 5e-8, "{k} {n}: {one:?} for {expected}");
            }
        }
    }

    /// The standard error is that of independent draws: many more draws are within five of it.
    #[test]
    fn simulated_widths_are_within_their_error() {
        let request = request(3, 400, "0.05");
        let found = expected_half_width(&request, &Truth::Even).expect("modelled");
        let runs = found.simulated.expect("too many outcomes to list");
        let mechanism = request.mechanism(&|_| ()).expect("lattice");
        let counts = Truth::Even.counts(request.setting()).expect("fits").expect("fixed");
        // The first draws are those of the estimate itself; the others are independent of it.
        let drawn = draw(&*mechanism, Some(&counts), 3 * runs).expect("bits").0;
        let others = &drawn[runs..];
        let mean = others.iter().map(|released| half_widths(&*mechanism, released, 0.95)[0]).sum::<f64>()
            / others.len() as f64;
        let HalfWidth { private, standard_error, .. } = found.categories[0];
        let error = standard_error.expect("simulated") * 1.5_f64.sqrt();
        assert!((mean - private).abs() < 5.0 * error, "{mean} {private} {error}");
    }

    /// More budget, narrower intervals; and never narrower than without noise.
    #[test]
    fn widths_fall_with_the_budget() {
        for (k, n) in [(2, 200), (3, 500)] {
            let widths = ["0.05", "0.2", "1", "5"]
                .map(|epsilon| expected_half_width(&request(k, n, epsilon), &Truth::Even).expect("modelled"));
            let private: Vec<f64> = widths.iter().map(|one| one.widest().private).collect();
            assert!(private.windows(2).all(|pair| pair[0] > pair[1]), "{private:?}");
            assert!(widths.iter().all(|one| one.widest().private > one.widest().without * 0.999));
        }
    }

    #[test]
    fn on_average_over_the_prior() {
        let request = request(2, 50, "1");
        let even = expected_half_width(&request, &Truth::Even).expect("modelled").widest();
        let prior = expected_half_width(&request, &Truth::Prior).expect("modelled").widest();
        // Shares near 0 or 1 have narrower intervals than shares near 1/2.
        assert!(prior.private < even.private && prior.without < even.without, "{prior:?} {even:?}");
        let many =
            expected_half_width(&self::request(2, 1_000_000, "1"), &Truth::Prior).expect("modelled").widest();
        assert!(many.private > 0.0 && many.private < 0.01, "{many:?}");
    }

    #[test]
    fn rejects() {
        let shape = Truth::Shape(crate::Shape::new(vec![1.0; 3]).expect("valid"));
        let refused = expected_half_width(&request(2, 9, "1"), &shape);
        assert_eq!(refused, Err(PlanError::Shape { shape: 3, categories: 2 }));
        let terms = Terms {
            spec: "ehds(score=angle)".parse().expect("valid"),
            ..Terms::new("1".parse().expect("1"))
        };
        let request = terms.request(2, 9, &|_| ()).expect("valid");
        assert!(matches!(expected_half_width(&request, &Truth::Even), Err(PlanError::Decode(_))));
    }
}
