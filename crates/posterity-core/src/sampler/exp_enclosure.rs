//! Lower and upper bounds on `exp(-x)`, as close as wanted.

use dashu_int::{IBig, UBig};
use dashu_ratio::RBig;

/// Whole numbers `(low, high)` with `low <= exp(-x) 2^bits <= high`, for a rational `x >= 0`.
///
/// The argument is halved until it is at most 1/2. The alternating series is summed in fixed point, and the sum is
/// squared once for each halving. Every operation rounds the lower bound down and the upper bound up.
pub(crate) fn exp_enclosure(x: &RBig, bits: usize) -> (UBig, UBig) {
    let mut halvings = 0;
    let mut bound = x.clone();
    while bound > RBig::from_parts(IBig::ONE, UBig::from(2_u8)) {
        bound /= RBig::from(2_u8);
        halvings += 1;
    }
    // Squaring doubles the relative error, so each halving needs one more working bit.
    let working = bits + halvings + 32;
    let one = UBig::ONE << working;
    let scaled = UBig::try_from((bound * RBig::from(one.clone())).floor()).unwrap_or_default();
    // exp(-y) for y in [scaled, scaled + 1] / 2^working.
    let (mut low, mut high) = (one.clone(), one.clone());
    let (mut term_low, mut term_high) = (one.clone(), one.clone());
    let mut i = 1_u32;
    loop {
        let step = UBig::from(i);
        term_low = ((term_low * &scaled) >> working) / &step;
        term_high = ((term_high * (&scaled + UBig::ONE)) >> working) / &step + UBig::ONE;
        if i % 2 == 1 {
            low = if term_high < low { low - &term_high } else { UBig::ZERO };
            high -= &term_low;
        } else {
            low += &term_low;
            high += &term_high;
        }
        // After an odd term the partial sum is below the limit, and the next term bounds the difference.
        if i % 2 == 1 && term_high <= UBig::from(2_u8) {
            high += &term_high;
            break;
        }
        i += 1;
    }
    for _ in 0..halvings {
        low = (&low * &low) >> working;
        high = ((&high * &high) >> working) + UBig::ONE;
    }
    let surplus = working - bits;
    (low >> surplus, (high >> surplus) + UBig::ONE)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// If this fails, the bounds are too wide or do not contain the value of the standard library. The arguments are on
    /// both sides of every branch.
    #[test]
    fn encloses() {
        for (numerator, denominator) in
            [(0, 1_u32), (1, 3), (1, 2), (501, 1000), (1, 1), (7, 2), (30, 1), (9999, 10)]
        {
            let x = RBig::from_parts(IBig::from(numerator), UBig::from(denominator));
            for bits in [64, 200, 2000] {
                let (low, high) = exp_enclosure(&x, bits);
                assert!(low <= high && &high - &low <= UBig::from(3_u8), "{x} at {bits}: {low} {high}");
                let scale = RBig::from(UBig::ONE << bits);
                let middle = (RBig::from(low) / &scale).to_f64().value();
                let expected = (-f64::from(numerator) / f64::from(denominator)).exp();
                let error = (middle - expected).abs();
                assert!(
                    error <= 1e-13 * expected + 3.0 * (bits as f64 * -std::f64::consts::LN_2).exp(),
                    "{x} at {bits}"
                );
            }
        }
    }

    /// If this fails, bounds with more bits are not inside those with fewer, so one of them is wrong.
    #[test]
    fn nests() {
        let x = RBig::from_parts(IBig::from(123_456_789), UBig::from(1_000_003_u32));
        let (low, high) = exp_enclosure(&x, 300);
        let (finer_low, finer_high) = exp_enclosure(&x, 500);
        assert!(low << 200 <= finer_low && finer_high <= high << 200);
    }
}
