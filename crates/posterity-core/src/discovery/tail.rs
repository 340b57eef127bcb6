//! The tail of two-sided geometric noise, enclosed as closely as wanted.

use dashu_base::BitTest;
use dashu_int::UBig;
use dashu_ratio::RBig;

use crate::sampler::exp_enclosure;

/// Bits beyond those that are asked for, so that the enclosure is at most three units wide.
const GUARD_BITS: usize = 8;

/// Bits beyond those of delta at which a comparison starts.
const FIRST_BITS: usize = 64;

/// Whole numbers `(low, high)` with `low <= P(Z >= t) 2^bits <= high`, where `P(Z >= t) = q^t/(1+q)` with
/// `q = exp(-epsilon)`.
pub(super) fn tail_enclosure(epsilon: &RBig, t: u64, bits: usize) -> (UBig, UBig) {
    let working = bits + GUARD_BITS;
    let (power_low, power_high) = exp_enclosure(&(epsilon * RBig::from(t)), working);
    let (q_low, q_high) = exp_enclosure(epsilon, working);
    let one = UBig::ONE << working;
    ((power_low << bits) / (&one + q_high), (power_high << bits) / (one + q_low) + UBig::ONE)
}

/// Whether `P(Z >= t) <= delta`, exactly.
///
/// Both are never equal: q would be the root of a polynomial with rational coefficients, but the exponential of a
/// rational number other than zero is transcendental (Lindemann 1882). So enough bits decide.
pub(super) fn tail_is_at_most(epsilon: &RBig, t: u64, delta: &RBig) -> bool {
    let mut bits = FIRST_BITS + delta.denominator().bit_len();
    loop {
        let (low, high) = tail_enclosure(epsilon, t, bits);
        let scaled = delta * RBig::from(UBig::ONE << bits);
        if RBig::from(high) <= scaled {
            return true;
        }
        if RBig::from(low) > scaled {
            return false;
        }
        bits *= 2;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture::rational;

    /// If this fails, the enclosure is too wide or does not hold the value of the formula in floating point.
    #[test]
    fn encloses_the_formula() {
        for (epsilon, t) in [("1", 1_u64), ("0.1", 0), ("0.1", 37), ("1e-6", 1_000_000), ("5", 9), ("100", 2)]
        {
            let exact = rational(epsilon);
            let rate = exact.to_f64().value();
            let expected = (-rate * t as f64).exp() / (1.0 + (-rate).exp());
            for bits in [64, 400, 1200] {
                let (low, high) = tail_enclosure(&exact, t, bits);
                assert!(low < high && &high - &low <= UBig::from(3_u8), "{epsilon} {t} {bits}: {low} {high}");
                let scale = RBig::from(UBig::ONE << bits);
                let [low, high] = [low, high].map(|end| (RBig::from(end) / &scale).to_f64().value());
                assert!(
                    low <= expected * (1.0 + 1e-13) && high >= expected * (1.0 - 1e-13),
                    "{epsilon} {t} {bits}"
                );
            }
        }
    }

    /// If this fails, a comparison that needs many digits is decided wrongly. The deltas are the tail itself, cut after
    /// 500 bits and raised by one unit there.
    #[test]
    fn decides_what_floating_point_cannot() {
        let epsilon = rational("0.3");
        let (low, high) = tail_enclosure(&epsilon, 41, 500);
        let scale = RBig::from(UBig::ONE << 500);
        assert!(!tail_is_at_most(&epsilon, 41, &(RBig::from(low) / &scale)));
        assert!(tail_is_at_most(&epsilon, 41, &(RBig::from(high) / &scale)));
    }
}
