//! Exponentials and logarithms between two integers: what rounds, rounds outward, and is the same on every machine.

use std::sync::LazyLock;

use dashu_base::{BitTest, Sign};
use dashu_int::{IBig, UBig};
use dashu_ratio::RBig;

/// A number between `low` and `high`, both in units of 2^-192.
///
/// # Guarantee
/// Every function returns bounds between which the true value lies. The proofs are at the functions and in
/// `docs/proofs/composition.md`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Enclosure {
    low: IBig,
    high: IBig,
}

/// The digits after the binary point.
const BITS: usize = 192;

/// Beyond this argument, exp(-x) is below one unit: exp(-200) < 2^-288.
const NOTHING: u32 = 200;

/// The natural logarithm of 2 = 2 atanh(1/3).
static LN_2: LazyLock<Enclosure> = LazyLock::new(|| {
    let third = Enclosure::around(&RBig::from_parts(IBig::ONE, UBig::from(3_u8)));
    two_atanh(&third)
});

impl Enclosure {
    /// A rational, between its neighbours.
    pub(crate) fn around(value: &RBig) -> Self {
        let scaled = value * RBig::from(one());
        Self { low: scaled.floor(), high: scaled.ceil() }
    }

    /// A rational that is not above.
    pub(crate) fn low(&self) -> RBig {
        RBig::from_parts(self.low.clone(), UBig::ONE << BITS)
    }

    /// A rational that is not below.
    pub(crate) fn high(&self) -> RBig {
        RBig::from_parts(self.high.clone(), UBig::ONE << BITS)
    }

    /// exp(-x) for `x >= 0`.
    ///
    /// `exp(-x) = exp(-y)^(2^s)` with `y = x / 2^s < 2^-10`. For `exp(-y)` the alternating series is evaluated from its
    /// end: `T_k = 1 - y/k T_(k+1)`, where what follows the last term lies between `1 - y` and 1.
    pub(crate) fn exp_neg(x: &RBig) -> Self {
        const TERMS: u32 = 20;
        if x >= &RBig::from(NOTHING) {
            return Self { low: IBig::ZERO, high: IBig::ONE };
        }
        let squarings = x.ceil().bit_len() + 10;
        let y = Self::around(&(x / RBig::from(IBig::ONE << squarings)));
        let mut tail = Self { low: one() - &y.high, high: one() };
        for k in (1..=TERMS).rev() {
            let product = y.times(&tail);
            let (low, high) = (floor_div(&product.low, k), ceil_div(&product.high, k));
            tail = Self { low: one() - high, high: one() - low };
        }
        for _ in 0..squarings {
            tail = tail.times(&tail);
        }
        tail
    }

    /// ln(x) for `x > 0`.
    ///
    /// `x = m 2^e` with `1 <= m < 2`, and `ln m = 2 atanh((m - 1)/(m + 1))`.
    pub(crate) fn ln(x: &RBig) -> Self {
        let bits = |size: usize| i64::try_from(size).unwrap_or(i64::MAX);
        let mut exponent = bits(x.numerator().bit_len()) - bits(x.denominator().bit_len());
        let mut mantissa = scaled_by_power(x, -exponent);
        if mantissa < RBig::ONE {
            exponent -= 1;
            mantissa *= RBig::from(2);
        }
        let ratio = (&mantissa - RBig::ONE) / (mantissa + RBig::ONE);
        two_atanh(&Self::around(&ratio)).plus(&LN_2.times_integer(exponent))
    }

    pub(crate) fn plus(&self, other: &Self) -> Self {
        Self { low: &self.low + &other.low, high: &self.high + &other.high }
    }

    /// The product of numbers that are not negative.
    fn times(&self, other: &Self) -> Self {
        let product = &self.high * &other.high;
        let up: IBig = (product + (one() - IBig::ONE)) >> BITS;
        Self { low: (&self.low * &other.low) >> BITS, high: up }
    }

    fn times_integer(&self, factor: i64) -> Self {
        let (a, b) = (&self.low * IBig::from(factor), &self.high * IBig::from(factor));
        if factor < 0 { Self { low: b, high: a } } else { Self { low: a, high: b } }
    }
}

fn one() -> IBig {
    IBig::ONE << BITS
}

/// `x 2^power`, exactly.
fn scaled_by_power(x: &RBig, power: i64) -> RBig {
    let shift = usize::try_from(power.unsigned_abs()).unwrap_or(usize::MAX);
    let factor = RBig::from(IBig::ONE << shift);
    if power >= 0 { x * factor } else { x / factor }
}

/// `2 atanh(t) = 2 (t + t^3/3 + t^5/5 + ...)` for `0 <= t <= 1/3`. All terms are positive, so a sum that ends early is
/// too small; what is missing is at most `2 t^(2N+1) / (2N+1) / (1 - t^2)`, and 1 - t^2 is at least 8/9.
fn two_atanh(t: &Enclosure) -> Enclosure {
    const TERMS: u32 = 62;
    let square = t.times(t);
    let mut power = t.clone();
    let mut sum = Enclosure { low: IBig::ZERO, high: IBig::ZERO };
    for k in 0..TERMS {
        sum.low += floor_div(&power.low, 2 * k + 1);
        sum.high += ceil_div(&power.high, 2 * k + 1);
        power = power.times(&square);
    }
    let missing = ceil_div(&(&power.high * IBig::from(9)), 8 * (2 * TERMS + 1)) + IBig::ONE;
    Enclosure { low: sum.low * IBig::from(2), high: (sum.high + missing) * IBig::from(2) }
}

/// The quotient of a number that is not negative, rounded down.
fn floor_div(value: &IBig, divisor: u32) -> IBig {
    debug_assert!(value.sign() == Sign::Positive);
    value / IBig::from(divisor)
}

/// The quotient of a number that is not negative, rounded up.
fn ceil_div(value: &IBig, divisor: u32) -> IBig {
    debug_assert!(value.sign() == Sign::Positive);
    (value + IBig::from(divisor - 1)) / IBig::from(divisor)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn rational(p: u64, q: u64) -> RBig {
        RBig::from_parts(IBig::from(p), UBig::from(q))
    }

    /// Golden values: 60 decimal places, by Python's `decimal` with a precision of 90 digits.
    #[test]
    fn golden() {
        let between = |enclosure: &Enclosure, digits: &str| {
            let (sign, digits) = digits.strip_prefix('-').map_or((1, digits), |rest| (-1, rest));
            let (whole, places) = digits.split_once('.').expect("a point");
            let value =
                IBig::from_str_radix(&format!("{whole}{places}"), 10).expect("digits") * IBig::from(sign);
            let scale = UBig::from(10_u8).pow(places.len());
            let (value, error) = (RBig::from_parts(value, scale.clone()), RBig::from_parts(IBig::ONE, scale));
            assert!(enclosure.low() <= &value + &error && &value - &error <= enclosure.high(), "{digits}");
            let width = enclosure.high() - enclosure.low();
            assert!(width < RBig::from_parts(IBig::ONE, UBig::ONE << 170), "{digits}: {width:?}");
        };
        between(&LN_2, "0.693147180559945309417232121458176568075500134360255254120680");
        between(
            &Enclosure::exp_neg(&RBig::ONE),
            "0.367879441171442321595523770161460867445811131031767834507837",
        );
        between(
            &Enclosure::exp_neg(&rational(1, 10)),
            "0.904837418035959573164249059446436621194705360980400952056257",
        );
        between(
            &Enclosure::exp_neg(&rational(75, 2)),
            "0.000000000000000051755550058018685348510907057388299460248105",
        );
        between(
            &Enclosure::ln(&rational(10, 1)),
            "2.302585092994045684017991454684364207601101488628772976033328",
        );
        between(
            &Enclosure::ln(&rational(1, 1_000_000)),
            "-13.815510557964274104107948728106185245606608931772637856199967",
        );
        between(
            &Enclosure::ln(&rational(3, 4)),
            "-0.287682072451780927439219005993827431503509710897761056506666",
        );
    }

    #[test]
    fn extremes() {
        assert_eq!(Enclosure::exp_neg(&RBig::ZERO).high(), RBig::ONE);
        assert_eq!(Enclosure::exp_neg(&rational(1_000_000, 1)).low(), RBig::ZERO);
        assert!(Enclosure::exp_neg(&rational(199, 1)).low() >= RBig::ZERO);
        assert!(
            Enclosure::ln(&RBig::ONE).low() <= RBig::ZERO && RBig::ZERO <= Enclosure::ln(&RBig::ONE).high()
        );
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]

        /// Laws that hold for the true values hold for bounds: exp(-a) exp(-b) = exp(-a-b), ln(ab) = ln a + ln b,
        /// ln(exp(-a)) = -a.
        #[test]
        fn laws((p, q) in (0..1_000_000_u64, 1..100_000_u64), (r, s) in (1..1_000_000_u64, 1..100_000_u64)) {
            let (a, b) = (rational(p, q), rational(r, s));
            let overlap = |x: &Enclosure, y: &Enclosure| x.low() <= y.high() && y.low() <= x.high();
            let product = Enclosure::exp_neg(&a).times(&Enclosure::exp_neg(&b));
            prop_assert!(overlap(&product, &Enclosure::exp_neg(&(&a + &b))));
            let sum = Enclosure::ln(&b).plus(&Enclosure::ln(&b));
            prop_assert!(overlap(&sum, &Enclosure::ln(&(&b * &b))));
            if a < RBig::from(100) {
                let exp = Enclosure::exp_neg(&a);
                prop_assert!(Enclosure::ln(&exp.low()).low() <= -a.clone());
                prop_assert!(-a <= Enclosure::ln(&exp.high()).high());
            }
        }

        #[test]
        fn close_to_floating_point((p, q) in (1..1_000_000_u64, 1..100_000_u64)) {
            #[expect(clippy::cast_precision_loss, reason = "both are below 2^53")]
            let x = p as f64 / q as f64;
            let ln = Enclosure::ln(&rational(p, q)).low().to_f64().value();
            prop_assert!((ln - x.ln()).abs() < 1e-13 * (1.0 + ln.abs()), "{} {}", ln, x.ln());
            let exp = Enclosure::exp_neg(&rational(p, q)).high().to_f64().value();
            prop_assert!((exp - (-x).exp()).abs() < 1e-13, "{} {}", exp, (-x).exp());
        }
    }
}
