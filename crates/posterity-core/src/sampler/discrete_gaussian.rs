//! Draws from the discrete Gaussian law.

use dashu_int::{IBig, UBig};
use dashu_ratio::RBig;

use super::bits::{BitSource, SourceError};
use super::exp_enclosure::exp_enclosure;

/// Draws of whole numbers z with probability proportional to `exp(-rate z^2)`.
///
/// The magnitudes are cut into bars of equal width `t = 2^shift`, about a twentieth of sigma. A draw picks a bar by the
/// weight of its first number, a number of the bar, and keeps it with the ratio of the two weights. The proof is in
/// `docs/proofs/discrete-gaussian.md`.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct GaussianSampler {
    /// `1/(2 sigma^2)`.
    rate: RBig,
    /// The nearest floating-point number.
    near: f64,
    /// The binary logarithm of the width of a bar.
    shift: u32,
    /// The share of each bar and all before it.
    shares: Vec<f64>,
    /// The first bar that a uniform number with these leading bits can fall into.
    guide: Vec<u16>,
}

/// A bound on the error of a share, of a computed `exp(-x)` and of a word as a floating-point number.
const SLACK: f64 = 1.0 / (1_u64 << 40) as f64;

/// A bar is at most a 16th of sigma wide. With narrower bars fewer draws are repeated, and the table is longer.
const BARS_PER_SIGMA: f64 = 16.0;

/// Bars with a smaller weight than `exp(-45)`, which is far below [`SLACK`], are left to exact arithmetic.
const NEGLIGIBLE_EXPONENT: f64 = 45.0;

/// The leading bits of a uniform number that the guide knows.
const GUIDE_BITS: u32 = 8;

/// The bits of a word that choose the bar. The last one is the sign.
const BAR_BITS: u32 = 63;

/// No bar beyond this is drawn, so that every number fits an `i64`. One such draw in `10^900000` would be beyond it.
const MOST_BARS: u64 = 1 << 16;

impl GaussianSampler {
    /// A sampler for `rate = 1/(2 sigma^2)`, where sigma is at most `2^50`.
    pub(crate) fn new(rate: RBig) -> Self {
        let near = rate.to_f64().value();
        let sigma = libm::sqrt(0.5 / near);
        let mut shift = 0;
        while sigma >= 2.0 * BARS_PER_SIGMA * (1_u64 << shift) as f64 {
            shift += 1;
        }
        let shares = shares(near * exact_square(shift));
        let guide = guide(&shares);
        Self { rate, near, shift, shares, guide }
    }

    /// One draw.
    ///
    /// # Guarantee
    /// Exact: rejection from bars of equal width (docs/proofs/discrete-gaussian.md). Floating point decides if the first
    /// bits of a uniform number and its error bounds allow it; otherwise more bits and rational bounds decide. The
    /// numbers of words and of repetitions are independent of anything but the draw.
    ///
    /// # Errors
    /// [`SourceError`] from the source, and if the draw does not fit an `i64`.
    pub(crate) fn draw(&self, bits: &mut dyn BitSource) -> Result<i64, SourceError> {
        loop {
            let word = bits.next_u64()?;
            let bar = self.bar(word >> 1, bits)?;
            let Some(offset) = self.offset(bar, bits)? else { continue };
            // A bar is at most 2^16 and its width at most 2^46.
            let magnitude = i64::try_from((bar << self.shift) + offset).unwrap_or(i64::MAX);
            let negative = word & 1 == 1;
            if !negative {
                return Ok(magnitude);
            }
            // Minus zero is drawn again, so that zero is not counted twice.
            if magnitude != 0 {
                return Ok(-magnitude);
            }
        }
    }

    /// The bar into which a uniform number with these leading bits falls.
    fn bar(&self, word: u64, bits: &mut dyn BitSource) -> Result<u64, SourceError> {
        match self.bar_quickly(word) {
            Some(bar) => Ok(bar),
            None => self.bar_exactly(word, bits),
        }
    }

    /// The bar of every uniform number with these leading bits; none if floating point cannot decide.
    fn bar_quickly(&self, word: u64) -> Option<u64> {
        let u = word as f64 * (1.0 / (1_u64 << BAR_BITS) as f64);
        let mut bar = usize::from(*self.guide.get((word >> (BAR_BITS - GUIDE_BITS)) as usize)?);
        while *self.shares.get(bar)? <= u {
            bar += 1;
        }
        let above = bar == 0 || self.shares[bar - 1] + SLACK < u;
        (above && u + SLACK < self.shares[bar]).then_some(bar as u64)
    }

    /// Decides as [`Self::bar_quickly`], in exact arithmetic and with as many bits as needed.
    fn bar_exactly(&self, word: u64, bits: &mut dyn BitSource) -> Result<u64, SourceError> {
        let rate = &self.rate * RBig::from(UBig::ONE << (2 * self.shift as usize));
        let mut u = UBig::from(word);
        let mut length = BAR_BITS as usize;
        loop {
            u = (u << 64) + UBig::from(bits.next_u64()?);
            length += 64;
            // More bits than the uniform number has, so that the bounds on the weights are the tighter ones.
            let sums = EnclosedSums::new(&rate, length + 64);
            match sums.interval_of(&u, length) {
                Some(bar) if bar < MOST_BARS => return Ok(bar),
                Some(_) => return Err(beyond_all()),
                None => {}
            }
        }
    }

    /// A uniform number of a bar, kept with the ratio of its weight to that of the first number of the bar.
    fn offset(&self, bar: u64, bits: &mut dyn BitSource) -> Result<Option<u64>, SourceError> {
        if self.shift == 0 {
            return Ok(Some(0));
        }
        let word = bits.next_u64()?;
        let offset = word >> (64 - self.shift);
        let kept = self.keeps(bar, offset, word << self.shift, bits)?;
        Ok(kept.then_some(offset))
    }

    /// Whether a uniform number is below `exp(-x)`, with `x = rate ((first + offset)^2 - first^2)`. Its first bits are the
    /// leading `64 - shift` bits of the word.
    fn keeps(&self, bar: u64, offset: u64, word: u64, bits: &mut dyn BitSource) -> Result<bool, SourceError> {
        const UNIT: f64 = 1.0 / 18_446_744_073_709_551_616.0;
        let far = ((2 * bar) << self.shift) + offset;
        let x = offset as f64 * far as f64 * self.near;
        let low = word as f64 * UNIT;
        let high = low + (1_u64 << self.shift) as f64 * UNIT + SLACK;
        // exp(-x) is at least 1 - x.
        if high < 1.0 - x {
            return Ok(true);
        }
        let ratio = libm::exp(-x);
        if high < ratio {
            return Ok(true);
        }
        if low > ratio + SLACK {
            return Ok(false);
        }
        let x = &self.rate * RBig::from(UBig::from(offset) * UBig::from(far));
        is_below_exp(UBig::from(word >> self.shift), 64 - self.shift as usize, &x, bits)
    }
}

/// `4^shift`, which is exact.
fn exact_square(shift: u32) -> f64 {
    let width = (1_u64 << shift) as f64;
    width * width
}

/// The sums of `exp(-rate j^2)` over `0..=j`, divided by their total.
fn shares(rate: f64) -> Vec<f64> {
    let exponents = (0..).map(|j| rate * (f64::from(j) * f64::from(j)));
    let weights =
        exponents.take_while(|&exponent| exponent <= NEGLIGIBLE_EXPONENT).map(|x: f64| libm::exp(-x));
    let mut sum = 0.0;
    let sums: Vec<f64> = weights
        .map(|weight| {
            sum += weight;
            sum
        })
        .collect();
    sums.into_iter().map(|one| one / sum).collect()
}

/// For each of the possible leading bits, the first share above them.
fn guide(shares: &[f64]) -> Vec<u16> {
    let cells = 1_u32 << GUIDE_BITS;
    let first = |cell: u32| shares.partition_point(|&share| share <= f64::from(cell) / f64::from(cells));
    // The last share is 1, so that the first one above is in the table, which has some hundreds of entries.
    (0..cells).map(|cell| u16::try_from(first(cell)).unwrap_or(u16::MAX)).collect()
}

/// Whether a uniform number with these leading bits is below `exp(-x)`.
fn is_below_exp(
    mut prefix: UBig,
    mut length: usize,
    x: &RBig,
    bits: &mut dyn BitSource,
) -> Result<bool, SourceError> {
    loop {
        let (low, high) = exp_enclosure(x, length);
        if prefix < low {
            return Ok(true);
        }
        if prefix >= high {
            return Ok(false);
        }
        prefix = (prefix << 64) + UBig::from(bits.next_u64()?);
        length += 64;
    }
}

fn beyond_all() -> SourceError {
    SourceError { reason: "it gave one bit a million times".to_owned() }
}

/// The sums of `exp(-rate j^2)` over `0..=j` between whole numbers of a unit, and the sum over all j.
struct EnclosedSums {
    low: Vec<UBig>,
    high: Vec<UBig>,
    total_low: UBig,
    total_high: UBig,
}

impl EnclosedSums {
    /// Bounds in units of `2^-precision`. The weights from the last one on are at most that weight times
    /// `1/(1 - exp(-x)) <= 1 + 1/x` with `x = (2j + 1) rate`, because `(j + i)^2 >= j^2 + i (2j + 1)`.
    fn new(rate: &RBig, precision: usize) -> Self {
        let (mut low, mut high) = (Vec::new(), Vec::new());
        let (mut total_low, mut total_high) = (UBig::ZERO, UBig::ZERO);
        for j in 0_u64.. {
            let (below, above) =
                exp_enclosure(&(rate * RBig::from(UBig::from(j) * UBig::from(j))), precision);
            if above <= UBig::from(4_u8) {
                let x = rate * RBig::from(2 * j + 1);
                let factor = (RBig::ONE + RBig::ONE / x).ceil();
                total_high += above * UBig::try_from(factor).unwrap_or(UBig::ONE);
                break;
            }
            total_low += below;
            total_high += above;
            low.push(total_low.clone());
            high.push(total_high.clone());
        }
        Self { low, high, total_low, total_high }
    }

    /// The j whose interval of shares holds all uniform numbers with these leading bits; none if it is not known.
    fn interval_of(&self, u: &UBig, length: usize) -> Option<u64> {
        let at_least = u * &self.total_low;
        let at_most = (u + UBig::ONE) * &self.total_high;
        let begins = |j: usize| j == 0 || &self.high[j - 1] << length <= at_least;
        let ends = |j: usize| at_most <= &self.low[j] << length;
        (0..self.low.len()).find(|&j| begins(j) && ends(j)).map(|j| j as u64)
    }
}

/// `1/(2 sigma^2)`.
pub(crate) fn half_precision(sigma_squared: &RBig) -> RBig {
    RBig::ONE / (sigma_squared * RBig::from(IBig::from(2)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sampler::SeededBits;

    fn sampler(numerator: u64, denominator: u64) -> GaussianSampler {
        let variance = RBig::from_parts(IBig::from(numerator), UBig::from(denominator));
        GaussianSampler::new(half_precision(&variance))
    }

    fn value(number: &UBig) -> f64 {
        RBig::from(number.clone()).to_f64().value()
    }

    /// How many of all 2^63 words fall into bars before this one. A bar grows with the word, so its first word is found
    /// by halving.
    fn words_before(sampler: &GaussianSampler, bar: u64) -> u64 {
        let mut bits = SeededBits::new(5);
        let (mut low, mut high) = (0, 1_u64 << BAR_BITS);
        while low < high {
            let middle = low + (high - low) / 2;
            if sampler.bar(middle, &mut bits).expect("seeded") < bar {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        low
    }

    /// The whole law, by all words that lead to each number. If this fails, the sampler is not exact.
    #[test]
    fn all_words_together_have_the_law() {
        for (numerator, denominator) in [(1_u64, 8_u64), (1, 1), (7, 3), (90, 1), (1_600, 1), (41_000, 9)] {
            let sampler = sampler(numerator, denominator);
            let width = 1_u64 << sampler.shift;
            let sums =
                EnclosedSums::new(&(&sampler.rate * RBig::from(UBig::from(width) * UBig::from(width))), 256);
            let mut before = 0;
            for bar in 0..12_u64 {
                let after = words_before(&sampler, bar + 1);
                let weight = (-sampler.near * (bar * width) as f64 * (bar * width) as f64).exp();
                let expected = weight / (value(&sums.total_low) / 2_f64.powi(256));
                let found = (after - before) as f64 / 2_f64.powi(63);
                assert!(
                    (found - expected).abs() < 1e-14,
                    "sigma^2 {numerator}/{denominator} bar {bar}: {found}"
                );
                before = after;
                for offset in 0..width {
                    let number = (bar * width + offset) as f64;
                    let expected = (-sampler.near * number * number).exp() / weight;
                    assert!(
                        keeps_up_to(&sampler, bar, offset, expected),
                        "{numerator}/{denominator} {number}"
                    );
                }
            }
        }
    }

    /// Whether this share of all words with an offset keep it, within 1e-14. A word is kept if a larger one is.
    fn keeps_up_to(sampler: &GaussianSampler, bar: u64, offset: u64, share: f64) -> bool {
        let mut bits = SeededBits::new(6);
        let words = 2_f64.powi(64 - sampler.shift as i32);
        let mut keeps = |share: f64| {
            let word = (share * words) as u64;
            sampler.keeps(bar, offset, word << sampler.shift, &mut bits).expect("seeded")
        };
        let (low, high) = (share - 1e-14, share + 1e-14);
        (low < 0.0 || keeps(low)) && (high >= 1.0 || !keeps(high))
    }

    /// Gives these words, and no others.
    struct Words<'a>(std::slice::Iter<'a, u64>);

    impl BitSource for Words<'_> {
        fn next_u64(&mut self) -> Result<u64, SourceError> {
            self.0.next().copied().ok_or_else(beyond_all)
        }
    }

    /// The number of a bar and the coin that keeps it come from one word. If this fails, the coin has the wrong bits of it,
    /// and the law has steps.
    #[test]
    fn the_rest_of_a_word_decides_whether_its_offset_is_kept() {
        let sampler = sampler(1_000_000, 1);
        let width = 1_u64 << sampler.shift;
        assert!(width >= 16);
        for (bar, offset) in [(0, 5), (0, width - 1), (3, 1), (60, 7), (150, width - 1)] {
            let number = |offset: u64| (bar * width + offset) as f64;
            let ratio = (-sampler.near * (number(offset).powi(2) - number(0).powi(2))).exp();
            for (share, kept) in [(ratio - 1e-9, true), (ratio + 1e-9, false)] {
                let rest = (share * 2_f64.powi(64 - sampler.shift as i32)) as u64;
                let word = [offset << (64 - sampler.shift) | rest];
                let found = sampler.offset(bar, &mut Words(word.iter())).expect("one word is enough");
                assert_eq!(found, kept.then_some(offset), "bar {bar} offset {offset} share {share}");
            }
        }
    }

    /// The first words are those of `exp(-x)` itself. If this fails, the words that decide are put together wrongly.
    #[test]
    fn as_many_words_are_read_as_a_decision_needs() {
        for (numerator, denominator) in [(1, 3), (1, 1), (7, 5), (13, 2), (1, 900)] {
            let x = RBig::from_parts(IBig::from(numerator), UBig::from(denominator as u16));
            // Its first 256 bits, well below the error of the bounds.
            let exact = exp_enclosure(&x, 512).0 >> 256;
            let word = |place: usize| {
                u64::try_from((&exact >> (192 - 64 * place)) & UBig::from(u64::MAX)).expect("64 bits")
            };
            let (second, third) = (word(1), word(2));
            let decide = |words: &[u64]| is_below_exp(UBig::from(word(0)), 64, &x, &mut Words(words.iter()));
            assert_eq!(decide(&[second - 2]), Ok(true), "{x}");
            assert_eq!(decide(&[second + 2]), Ok(false), "{x}");
            assert_eq!(decide(&[u64::MAX]), Ok(false), "{x}");
            assert_eq!(decide(&[second, third - 2]), Ok(true), "{x}");
            assert_eq!(decide(&[second, third + 2]), Ok(false), "{x}");
            assert!(decide(&[second, third]).is_err(), "more words are needed: {x}");
        }
    }

    /// If this fails, floating point and exact arithmetic decide differently, at random words or near a border.
    #[test]
    fn floating_point_and_exact_arithmetic_decide_alike() {
        let mut bits = SeededBits::new(11);
        for (numerator, denominator) in [(1, 1_000_000), (1, 4), (3, 1), (1_000, 1), (123_456_789, 1_000)] {
            let sampler = sampler(numerator, denominator);
            let near: Vec<u64> = sampler
                .shares
                .iter()
                .map(|share| (share * 2_f64.powi(63)) as u64)
                .flat_map(|word| [word.saturating_sub(1 << 26), (word + (1 << 26)).min((1 << 63) - 1)])
                .step_by(60)
                .collect();
            let random: Vec<u64> = (0..12).map(|_| bits.next_u64().expect("seeded") >> 1).collect();
            let mut decided = 0;
            for word in near.into_iter().chain(random).chain([0, (1 << 63) - 1]) {
                if let Some(bar) = sampler.bar_quickly(word) {
                    decided += 1;
                    assert_eq!(
                        sampler.bar_exactly(word, &mut bits),
                        Ok(bar),
                        "{numerator}/{denominator} {word}"
                    );
                }
            }
            assert!(decided >= 12, "only {decided} words were decided quickly");
        }
    }

    /// A border is where floating point must not decide.
    #[test]
    fn borders_are_left_to_exact_arithmetic() {
        let sampler = sampler(9, 4);
        let border = (sampler.shares[1] * 2_f64.powi(63)) as u64;
        assert_eq!(sampler.bar_quickly(border), None);
        assert!((1..=2).contains(&sampler.bar(border, &mut SeededBits::new(1)).expect("seeded")));
        assert_eq!(sampler.bar_quickly((1 << 63) - 1), None);
    }

    /// Exact arithmetic finds bars far beyond the table: leading ones leave only the tail.
    #[test]
    fn the_tail_is_drawn_exactly() {
        struct Ones(u32);
        impl BitSource for Ones {
            fn next_u64(&mut self) -> Result<u64, SourceError> {
                self.0 = self.0.saturating_sub(1);
                Ok(if self.0 > 0 { u64::MAX } else { 1 << 63 })
            }
        }
        // P(bar >= j) is about exp(-j^2/2); 1 - u is between 2^-128 and 2^-127 (about exp(-88)), and j about 13.
        let sampler = sampler(1, 1);
        assert_eq!(sampler.bar_exactly((1 << 63) - 1, &mut Ones(2)), Ok(13));
    }

    /// The cost of a wide table of noise: repetitions are few whatever sigma is.
    #[test]
    fn bars_are_narrow_and_few() {
        for power in 0..100_u8 {
            let sampler = GaussianSampler::new(half_precision(&RBig::from(UBig::ONE << usize::from(power))));
            let sigma = 2_f64.powf(f64::from(power) / 2.0);
            assert!(sampler.shares.len() <= 310, "sigma {sigma}: {}", sampler.shares.len());
            let width = (1_u64 << sampler.shift) as f64;
            assert!(
                sampler.shift == 0 || width * BARS_PER_SIGMA <= sigma * 1.000_001,
                "sigma {sigma}: {width}"
            );
        }
    }
}
