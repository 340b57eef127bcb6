//! The exact composition of releases that were all chosen before any of them was drawn.
//!
//! Such a batch is exactly as private as that many randomised responses (Kairouz, Oh and Viswanath 2015, theorem 3.3;
//! Murtagh and Vadhan 2016). The bounds on rounding are proven in `docs/proofs/composition.md`.

use dashu_int::{IBig, UBig};
use dashu_ratio::RBig;

use crate::amount::Amount;
use crate::enclosure::Enclosure;
use crate::parts::Parts;

/// The least epsilon at which a batch of pure releases is (epsilon, delta)-private, rounded up to a multiple of 10^-6.
/// Nothing if the batch is too large to be computed, or delta is zero: then the sum of the epsilons is the answer.
///
/// ```
/// use posterity_ledger::{Amount, exact_composition};
/// let batch = vec!["0.1".parse::<Amount>()?; 100];
/// let epsilon = exact_composition(&batch, &"1e-6".parse()?).expect("small enough");
/// assert!(epsilon >= "4.7745".parse()? && epsilon <= "4.7747".parse()?);
/// # Ok::<(), posterity_ledger::AmountError>(())
/// ```
#[must_use]
pub fn exact_composition(epsilons: &[Amount], delta: &Amount) -> Option<Amount> {
    least_epsilon(&Parts::new(epsilons.iter().cloned())?, delta)
}

/// [`exact_composition`] of a batch.
pub(crate) fn least_epsilon(parts: &Parts, delta: &Amount) -> Option<Amount> {
    const PLACES: u32 = 1_000_000;
    if delta.is_zero() {
        return None;
    }
    let law = LossLaw::new(parts)?;
    let fits = |steps: &UBig| {
        law.delta_up(&RBig::from_parts(IBig::from(steps.clone()), UBig::from(PLACES))) <= *delta.rational()
    };
    // At the sum of the epsilons delta is 0, so that the search always ends.
    let mut high = UBig::try_from((parts.sum().rational() * RBig::from(PLACES)).ceil()).ok()?;
    let mut low = UBig::ZERO;
    if fits(&low) {
        high = low.clone();
    }
    while &low + UBig::ONE < high {
        let middle: UBig = (&low + &high) >> 1;
        if fits(&middle) {
            high = middle;
        } else {
            low = middle;
        }
    }
    Amount::from_rational(RBig::from_parts(IBig::from(high), UBig::from(PLACES))).ok()
}

/// The law of the privacy loss of a batch of randomised responses: each adds or takes away its epsilon.
struct LossLaw {
    /// `masses[k]` is at least the probability of the loss `(2k - total) unit`, up to the bounds below.
    masses: Vec<f64>,
    unit: RBig,
}

/// No more steps of this much work than this: a second or less.
const MOST_WORK: u64 = 1 << 28;

/// The most different losses.
const MOST_LOSSES: u64 = 1 << 20;

/// Losses are rounded up to this many steps of the sum where the epsilons have no larger common unit.
const MAX_STEPS: u64 = 1 << 18;

/// Bounds all roundings of [`LossLaw::delta_up`] together, as a factor.
const ROUNDING_FACTOR: f64 = 1.0 + 1e-6;

/// Bounds everything that floating point lost below its smallest numbers.
const UNDERFLOW: f64 = 1e-290;

impl LossLaw {
    /// Nothing if there are too many releases.
    fn new(parts: &Parts) -> Option<Self> {
        let unit = unit(parts)?;
        let steps = |epsilon: &Amount| u64::try_from((epsilon.rational() / &unit).ceil()).ok();
        let mut total: u64 = 0;
        for (epsilon, count) in parts.iter() {
            total = total.checked_add(steps(epsilon)?.checked_mul(count)?)?;
        }
        if total > MOST_LOSSES || total.checked_mul(parts.releases())? > MOST_WORK {
            return None;
        }
        let mut masses = vec![0.0; usize::try_from(total).ok()? + 1];
        masses[0] = 1.0;
        let mut reached = 0;
        for (epsilon, count) in parts.iter() {
            let step = steps(epsilon)?;
            let (up, down) = probabilities(&(&unit * RBig::from(step)));
            let step = usize::try_from(step).ok()?;
            for _ in 0..count {
                reached += step;
                for k in (0..=reached).rev() {
                    let from_below = if k >= step { masses[k - step] * up } else { 0.0 };
                    masses[k] = masses[k] * down + from_below;
                }
            }
        }
        Some(Self { masses, unit })
    }

    /// The sum over all losses of their probability times `1 - e^(epsilon - loss)` where that is positive, rounded up.
    fn delta_up(&self, epsilon: &RBig) -> RBig {
        let total = self.masses.len() - 1;
        let loss = |k: usize| RBig::from(IBig::from(2 * k) - IBig::from(total)) * &self.unit;
        // The first loss above epsilon: (2k - total) unit > epsilon.
        let first = ((epsilon / &self.unit + RBig::from(total)) / RBig::from(2)).floor() + IBig::ONE;
        let Some(first) = usize::try_from(first).ok().filter(|first| *first <= total) else {
            return RBig::ZERO;
        };
        let mut ratio = down(&Enclosure::exp_neg(&(loss(first) - epsilon)).low());
        let step = down(&Enclosure::exp_neg(&(&self.unit * RBig::from(2))).low());
        let mut sum = 0.0;
        for mass in &self.masses[first..] {
            sum += mass * (1.0 - ratio * (1.0 - 1e-9));
            ratio *= step;
        }
        RBig::try_from(sum * ROUNDING_FACTOR + UNDERFLOW).unwrap_or(RBig::ONE)
    }
}

/// What all epsilons are multiples of, or else a small part of their sum, to multiples of which they are rounded up.
fn unit(parts: &Parts) -> Option<RBig> {
    use dashu_base::Gcd;
    let denominator = parts.iter().fold(UBig::ONE, |common, (epsilon, _)| {
        let other = epsilon.rational().denominator();
        let shared = (&common).gcd(other);
        common / shared * other
    });
    let numerators = parts.iter().map(|(epsilon, _)| {
        let whole = epsilon.rational() * RBig::from(denominator.clone());
        UBig::try_from(whole.numerator().clone()).unwrap_or(UBig::ONE)
    });
    let common = numerators.reduce(|a, b| a.gcd(b))?;
    let unit = RBig::from_parts(IBig::from(common), denominator);
    let sum = parts.sum();
    let losses = sum.rational() / &unit;
    Some(if losses <= RBig::from(MAX_STEPS) { unit } else { sum.rational() / RBig::from(MAX_STEPS) })
}

/// The probabilities of the likelier and of the other answer of randomised response, both rounded up.
fn probabilities(epsilon: &RBig) -> (f64, f64) {
    let exp = Enclosure::exp_neg(epsilon);
    let likelier = RBig::ONE / (RBig::ONE + exp.low());
    let other = exp.high() / (RBig::ONE + exp.high());
    (up(&likelier), up(&other))
}

/// The next floating-point number above.
fn up(value: &RBig) -> f64 {
    value.to_f64().value().next_up()
}

/// The next floating-point number below, from 0 on.
fn down(value: &RBig) -> f64 {
    value.to_f64().value().next_down().max(0.0)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn amount(text: &str) -> Amount {
        text.parse().expect(text)
    }

    fn parts(list: &[(&str, u64)]) -> Parts {
        let one =
            |(epsilon, count): &(&str, u64)| vec![amount(epsilon); usize::try_from(*count).expect("small")];
        Parts::new(list.iter().flat_map(one)).expect("valid")
    }

    /// Golden values: `tools/composition.py golden` prints them, from Python's `decimal` with 60 digits.
    #[test]
    fn golden() {
        let table: [(&[(&str, u64)], f64); 4] = [
            (&[("0.1", 100)], 4.774568),
            (&[("0.01", 1_000)], 1.365447),
            (&[("0.5", 20)], 9.986798),
            (&[("0.1", 50), ("0.5", 5), ("1", 1)], 6.283047),
        ];
        for (list, expected) in table {
            let found =
                least_epsilon(&parts(list), &amount("1e-6")).expect("small").rational().to_f64().value();
            assert!(found >= expected - 1e-6 && found <= expected + 3e-6, "{list:?}: {found}");
        }
    }

    /// delta by its definition: all answers of all releases, one by one.
    fn delta_by_enumeration(epsilons: &[f64], epsilon: f64) -> f64 {
        (0..1_u32 << epsilons.len())
            .map(|answers| {
                let (mut p, mut q) = (1.0, 1.0);
                for (i, e) in epsilons.iter().enumerate() {
                    let likely = e.exp() / (1.0 + e.exp());
                    let (a, b) =
                        if answers >> i & 1 == 1 { (likely, 1.0 - likely) } else { (1.0 - likely, likely) };
                    (p, q) = (p * a, q * b);
                }
                (p - epsilon.exp() * q).max(0.0)
            })
            .sum()
    }

    proptest! {
        /// If this fails, the price of a batch is not that of randomised response.
        #[test]
        fn it_is_the_sum_over_all_answers(
            epsilons in prop::collection::vec(1..300_u32, 1..9), target in 0..4_000_u32
        ) {
            let exact: Vec<Amount> = epsilons.iter().map(|e| amount(&format!("{e}/100"))).collect();
            let law = LossLaw::new(&Parts::new(exact).expect("valid")).expect("small");
            let list: Vec<f64> = epsilons.iter().map(|e| f64::from(*e) / 100.0).collect();
            let expected = delta_by_enumeration(&list, f64::from(target) / 1e3);
            let found = law.delta_up(amount(&format!("{target}/1000")).rational()).to_f64().value();
            prop_assert!(found >= expected * (1.0 - 1e-9) - 1e-14, "{found} {expected}");
            prop_assert!(found <= expected * (1.0 + 1e-5) + 1e-13, "{found} {expected}");
        }
    }

    /// Epsilons without a common unit are rounded up, by less than 0.1 %.
    #[test]
    fn odd_epsilons_cost_little_more() {
        let odd: Vec<Amount> = (0..60).map(|i| amount(&format!("{}/{}", 1000 + i, 10_007 - 2 * i))).collect();
        let even: Vec<Amount> =
            odd.iter().map(|e| amount(&format!("{:.6}", e.rational().to_f64().value()))).collect();
        let (delta, value) = (amount("1e-6"), |a: &Amount| a.rational().to_f64().value());
        let law = |list: &[Amount]| {
            least_epsilon(&Parts::new(list.to_vec()).expect("valid"), &delta).expect("small")
        };
        // Six decimals have a common unit, but too many steps of it; both are rounded, to different grids.
        let (a, b) = (value(&law(&odd)), value(&law(&even)));
        assert!((a / b - 1.0).abs() < 1e-3, "{a} {b}");
        assert!(a < value(&odd.iter().cloned().sum()));
    }

    #[test]
    fn what_cannot_be_computed_is_left_to_the_sum() {
        assert_eq!(least_epsilon(&parts(&[("0.1", 3)]), &Amount::ZERO), None);
        let many = Parts::from_stored("1/10*100000000").expect("valid");
        assert_eq!(least_epsilon(&many, &amount("1e-6")), None);
    }

    #[test]
    fn a_large_delta_needs_no_epsilon() {
        assert_eq!(least_epsilon(&parts(&[("0.1", 1)]), &amount("0.5")), Some(Amount::ZERO));
    }
}
