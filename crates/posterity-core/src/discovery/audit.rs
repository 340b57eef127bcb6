//! What a threshold really loses, by enumeration.

use dashu_base::BitTest;
use dashu_int::UBig;
use dashu_ratio::RBig;

use super::tail::tail_enclosure;
use super::threshold::Threshold;
use crate::model::Epsilon;
use crate::sampler::exp_enclosure;

/// The data sets that are enumerated: all with these values that have no more units than this.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Universe {
    /// The number of values that may occur.
    pub values: usize,
    /// The most units of the smaller of two adjacent data sets.
    pub units: u64,
}

/// The least delta for which a rule is (epsilon, delta)-differentially private on the data sets that were enumerated,
/// enclosed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Audited {
    /// It is not below this.
    pub low: RBig,
    /// It is not above this.
    pub high: RBig,
    /// The number of ordered pairs of adjacent data sets that were compared.
    pub pairs: u64,
}

/// Compares the laws of all data sets with those of all that have one unit more.
///
/// For each pair and both directions it finds the largest `P(S) - exp(E) P'(S)` over all events S, which is the sum of
/// the positive parts over all outcomes. An outcome says of each value whether it is hidden or with which noisy count
/// it is shown, and with a total also what that is. Outcomes with the same ratio of probabilities are put together,
/// which changes nothing. E is the epsilon of the threshold and of the total. All numbers are enclosed by whole
/// multiples of a small power of two.
///
/// ```
/// use posterity_core::discovery::{Threshold, Universe, audit};
/// use posterity_core::model::Epsilon;
/// let delta: Epsilon = "0.01".parse()?;
/// let threshold = Threshold::new(&"1".parse()?, delta.rational())?;
/// let found = audit(&threshold, None, Universe { values: 2, units: 2 });
/// assert!(found.high <= *threshold.delta());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub fn audit(threshold: &Threshold, total: Option<&Epsilon>, universe: Universe) -> Audited {
    let laws = Laws::new(threshold, total, universe.units + 1);
    let mut found = Audited { low: RBig::ZERO, high: RBig::ZERO, pairs: 0 };
    for counts in data_sets(universe) {
        for value in 0..universe.values {
            let mut more = counts.clone();
            more[value] += 1;
            let (without, with) = (laws.joint(&counts, 0), laws.joint(&more, 1));
            for (p, other) in [(&without, &with), (&with, &without)] {
                let (low, high) = laws.excess(p, other);
                found.low = found.low.max(low);
                found.high = found.high.max(high);
                found.pairs += 1;
            }
        }
    }
    found
}

/// All counts of the values that sum to at most the most units.
fn data_sets(universe: Universe) -> Vec<Vec<u64>> {
    (0..universe.values).fold(vec![vec![]], |sets, _| {
        let grown = |set: &Vec<u64>| -> Vec<Vec<u64>> {
            let left = universe.units - set.iter().sum::<u64>();
            (0..=left).map(|count| [set.as_slice(), &[count]].concat()).collect()
        };
        sets.iter().flat_map(grown).collect()
    })
}

/// A number that is not negative, between two whole multiples of `2^-bits`.
#[derive(Clone, Debug)]
struct Enclosed {
    low: UBig,
    high: UBig,
}

impl Enclosed {
    fn times(&self, other: &Self, bits: usize) -> Self {
        Self { low: (&self.low * &other.low) >> bits, high: ((&self.high * &other.high) >> bits) + UBig::ONE }
    }

    fn over(&self, other: &Self, bits: usize) -> Self {
        Self { low: (&self.low << bits) / &other.high, high: (&self.high << bits) / &other.low + UBig::ONE }
    }

    fn plus(&self, other: &Self) -> Self {
        Self { low: &self.low + &other.low, high: &self.high + &other.high }
    }

    /// The difference, or zero if it is negative.
    fn minus(&self, other: &Self) -> Self {
        Self { low: above(&self.low, &other.high), high: above(&self.high, &other.low) }
    }
}

/// `a - b`, or zero if it is negative.
fn above(a: &UBig, b: &UBig) -> UBig {
    if a > b { a - b } else { UBig::ZERO }
}

/// The laws of what is seen of one value, for each count, and of the total.
struct Laws {
    bits: usize,
    /// `exp(-E)`
    price: Enclosed,
    /// At index c, what is seen of a value with this count: first that it is hidden.
    of_counts: Vec<Vec<Enclosed>>,
    /// Without and with one more unit: whether the noisy total is at most that of the smaller data set.
    of_total: [Vec<Enclosed>; 2],
}

/// Bits of an enclosure beyond those that delta and `exp(E)` need.
const SPARE_BITS: usize = 128;

impl Laws {
    fn new(threshold: &Threshold, total: Option<&Epsilon>, most: u64) -> Self {
        let epsilon = threshold.epsilon().rational();
        let sum = total.map_or_else(|| epsilon.clone(), |total| epsilon + total.rational());
        // exp(-E) > 2^(-2 E), and the probabilities of a total and of counts are of the same size as that.
        let size = UBig::try_from((&sum * RBig::from(2 * most + 4)).ceil()).unwrap_or_default();
        let digits = usize::try_from(&size).unwrap_or(usize::MAX / 4);
        let bits = SPARE_BITS + threshold.delta().denominator().bit_len() + 2 * digits;
        let seen = Seen { epsilon, tau: threshold.tau(), bits };
        let of_counts = (0..=most).map(|count| seen.law(count, most)).collect();
        Self { bits, price: seen.exponential(&sum), of_counts, of_total: seen.totals(total) }
    }

    /// The probabilities of all outcomes, in the same order for all data sets.
    fn joint(&self, counts: &[u64], more: usize) -> Vec<Enclosed> {
        let laws = counts.iter().map(|&count| &self.of_counts[count as usize]);
        laws.fold(self.of_total[more].clone(), |joint, law| {
            joint.iter().flat_map(|p| law.iter().map(|one| p.times(one, self.bits))).collect()
        })
    }

    /// `sup P(S) - exp(E) P'(S)` over all events.
    fn excess(&self, p: &[Enclosed], other: &[Enclosed]) -> (RBig, RBig) {
        let zero = Enclosed { low: UBig::ZERO, high: UBig::ZERO };
        let sum = p
            .iter()
            .zip(other)
            .fold(zero, |sum, (p, other)| sum.plus(&p.minus(&other.over(&self.price, self.bits))));
        let scale = RBig::from(UBig::ONE << self.bits);
        (RBig::from(sum.low) / &scale, RBig::from(sum.high) / scale)
    }
}

/// What is seen of one value.
struct Seen<'a> {
    epsilon: &'a RBig,
    tau: u64,
    bits: usize,
}

impl Seen<'_> {
    /// Hidden; shown with each noisy count below a bound that no count exceeds; shown with the bound or more. From the
    /// bound on, the ratio of the probabilities of two counts does not change.
    fn law(&self, count: u64, most: u64) -> Vec<Enclosed> {
        let bound = most.max(self.tau);
        if count == 0 {
            let never = (self.tau..=bound).map(|_| self.whole(0));
            return [self.whole(1)].into_iter().chain(never).collect();
        }
        let from = |y: u64| self.at_least(i128::from(y) - i128::from(count));
        let hidden = self.whole(1).minus(&from(self.tau));
        let each = (self.tau..bound).map(|y| from(y).minus(&from(y + 1)));
        [hidden].into_iter().chain(each).chain([from(bound)]).collect()
    }

    /// `P(Z >= t)`
    fn at_least(&self, t: i128) -> Enclosed {
        if t >= 0 { self.tail(self.epsilon, t as u64) } else { self.whole(1).minus(&self.at_least(1 - t)) }
    }

    /// Whether a noisy total is at most n, where the total is n or one more; certain if there is no total. On either
    /// side the ratio of both probabilities does not change.
    fn totals(&self, total: Option<&Epsilon>) -> [Vec<Enclosed>; 2] {
        let Some(total) = total else { return [vec![self.whole(1)], vec![self.whole(1)]] };
        let [most, least] = [0, 1].map(|t| self.tail(total.rational(), t));
        [vec![most.clone(), least.clone()], vec![least, most]]
    }

    fn tail(&self, epsilon: &RBig, t: u64) -> Enclosed {
        let (low, high) = tail_enclosure(epsilon, t, self.bits);
        Enclosed { low, high }
    }

    fn exponential(&self, x: &RBig) -> Enclosed {
        let (low, high) = exp_enclosure(x, self.bits);
        Enclosed { low, high }
    }

    fn whole(&self, number: u8) -> Enclosed {
        let scaled = UBig::from(number) << self.bits;
        Enclosed { low: scaled.clone(), high: scaled }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture::rational;

    fn epsilon(text: &str) -> Epsilon {
        text.parse().expect("positive")
    }

    fn threshold(of: &str, delta: &str) -> Threshold {
        Threshold::new(&epsilon(of), &rational(delta)).expect("a threshold")
    }

    /// Data sets that are small enough to enumerate, and thresholds that some of them pass.
    const CASES: [(&str, &str, usize, u64); 6] = [
        ("1", "0.1", 3, 4),
        ("1", "0.01", 2, 6),
        ("0.5", "0.3", 2, 5),
        ("0.2", "0.45", 3, 3),
        ("3", "0.001", 3, 4),
        ("1", "0.7", 2, 4),
    ];

    /// If this fails, the release is not (epsilon, delta)-differentially private, with a total or without.
    #[test]
    fn no_pair_of_data_sets_loses_more_than_delta() {
        for (of, delta, values, units) in CASES {
            let threshold = threshold(of, delta);
            for total in [None, Some(epsilon("0.4")), Some(epsilon("2"))] {
                let found = audit(&threshold, total.as_ref(), Universe { values, units });
                assert!(found.high <= *threshold.delta(), "{of} {delta} {total:?}: {found:?}");
                assert!(found.low > RBig::ZERO && found.pairs > 20);
            }
        }
    }

    /// If this fails, tau is higher than it must be, or the audit finds nothing: one less must lose more than delta.
    #[test]
    fn a_lower_threshold_loses_more_than_delta() {
        for (of, delta, values, units) in CASES {
            let right = threshold(of, delta);
            let lower = Threshold::at(right.epsilon(), right.delta(), right.tau() - 1);
            for total in [None, Some(epsilon("0.4"))] {
                let found = audit(&lower, total.as_ref(), Universe { values, units: units.min(3) });
                assert!(found.low > *right.delta(), "{of} {delta} {total:?}: {found:?}");
            }
        }
    }

    /// If this fails, noise of a smaller epsilon than stated is not noticed.
    #[test]
    fn too_little_noise_is_found() {
        let right = threshold("1", "0.01");
        let noisy = Threshold::at(&epsilon("1.1"), right.delta(), right.tau());
        let laws = Laws::new(&noisy, None, 7);
        let stated = Laws { price: Laws::new(&right, None, 7).price, bits: laws.bits, ..laws };
        // The price has another number of bits, so it is computed again.
        let seen = Seen { epsilon: right.epsilon().rational(), tau: right.tau(), bits: stated.bits };
        let stated = Laws { price: seen.exponential(right.epsilon().rational()), ..stated };
        let (with, more) = (stated.joint(&[6], 0), stated.joint(&[7], 1));
        let (low, _) = stated.excess(&more, &with);
        assert!(low > *right.delta());
    }

    /// If this fails, other values than the one that differs matter, or the total does: theorems 1 and 2 say that the
    /// least delta is `P(1 + Z >= tau)`, whatever else is there.
    #[test]
    fn one_value_alone_loses_as_much_as_many() {
        for (of, delta, values, units) in CASES {
            let threshold = threshold(of, delta);
            let (low, high) = tail_enclosure(threshold.epsilon().rational(), threshold.tau() - 1, 256);
            let scale = RBig::from(UBig::ONE << 256);
            let (low, high) = (RBig::from(low) / &scale, RBig::from(high) / scale);
            for total in [None, Some(epsilon("0.7"))] {
                for values in [1, values] {
                    let found = audit(&threshold, total.as_ref(), Universe { values, units });
                    assert!(found.low <= high && low <= found.high, "{of} {delta} {values}: {found:?}");
                    assert!(&found.high - &found.low < rational("1e-30"));
                }
            }
        }
    }

    /// If this fails, the thresholds that people use were never compared: the least delta is between `q delta` and delta.
    #[test]
    fn usual_thresholds_hold() {
        for (of, delta) in [("1", "1e-9"), ("0.1", "1e-6"), ("10", "1e-9"), ("5", "1e-300")] {
            let threshold = threshold(of, delta);
            let found = audit(&threshold, None, Universe { values: 1, units: 3 });
            let q = (-threshold.epsilon().to_f64()).exp() * (1.0 - 1e-9);
            assert!(found.high <= *threshold.delta());
            assert!(found.low >= RBig::try_from(q).expect("finite") * threshold.delta(), "{of} {delta}");
        }
    }
}
