//! Sums that do not wait for their own last addition.

use super::Sum;

/// The number of sums that run side by side.
const LANES: usize = 4;

/// `sum_i term(one[i], other[i])` over the first slice, which is not longer than the other.
pub(crate) fn sum_of_pairs(one: &[f64], other: &[f64], term: impl Fn(f64, f64) -> f64) -> f64 {
    let (ones, rest) = one.as_chunks::<LANES>();
    let (others, other_rest) = other[..one.len()].as_chunks::<LANES>();
    let mut sums = [0.0; LANES];
    for (one, other) in ones.iter().zip(others) {
        for lane in 0..LANES {
            sums[lane] += term(one[lane], other[lane]);
        }
    }
    let rest: f64 = rest.iter().zip(other_rest).map(|(&one, &other)| term(one, other)).sum();
    (sums[0] + sums[1]) + (sums[2] + sums[3]) + rest
}

/// `sum_i term(first + i, values[i])`.
pub(crate) fn sum_by_place(first: f64, values: &[f64], term: impl Fn(f64, f64) -> f64) -> f64 {
    let (fours, rest) = values.as_chunks::<LANES>();
    let mut sums = [0.0; LANES];
    // Whole numbers, so that nothing is rounded where they grow.
    let mut place = first;
    for four in fours {
        for lane in 0..LANES {
            sums[lane] += term(place + lane as f64, four[lane]);
        }
        place += LANES as f64;
    }
    let rest: f64 = (0..).zip(rest).map(|(more, &value)| term(place + f64::from(more), value)).sum();
    (sums[0] + sums[1]) + (sums[2] + sums[3]) + rest
}

/// The sum of the products.
pub(crate) fn dot(one: &[f64], other: &[f64]) -> f64 {
    sum_of_pairs(one, other, |one, other| one * other)
}

/// The sum of the values.
pub(crate) fn sum(values: &[f64]) -> f64 {
    sum_of_pairs(values, values, |value, _| value)
}

/// The sum of the values, whose rounding does not grow with their number.
pub(crate) fn long_sum(values: &[f64]) -> f64 {
    long_sum_by_place(values, |_, value| value)
}

/// [`sum_by_place`] from place zero on, whose rounding does not grow with the number of values: blocks are added side by
/// side, and their sums with compensation.
pub(crate) fn long_sum_by_place(values: &[f64], term: impl Fn(f64, f64) -> f64) -> f64 {
    const BLOCK: usize = 32;
    let blocks = values.chunks(BLOCK).enumerate();
    blocks.map(|(block, values)| sum_by_place((block * BLOCK) as f64, values, &term)).collect::<Sum>().value()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// If this fails, a value is left out, or counted twice.
    #[test]
    fn every_value_counts_once() {
        for length in [0_u32, 1, 3, 4, 5, 31, 32, 33, 64, 1_001] {
            let values: Vec<f64> = (1..=length).map(f64::from).collect();
            let more: Vec<f64> = (1..=length + 3).map(|i| 2.0 * f64::from(i)).collect();
            let (first, squares) = (length * (length + 1) / 2, (1..=length).map(|i| i * i).sum::<u32>());
            assert_eq!((sum(&values), long_sum(&values)), (f64::from(first), f64::from(first)));
            assert_eq!(dot(&values, &more), 2.0 * f64::from(squares));
            assert_eq!(sum_of_pairs(&values, &more, f64::min), f64::from(first));
            let (by_place, long) =
                (sum_by_place(1.0, &values, |i, v| i * v), long_sum_by_place(&values, |i, v| (i + 1.0) * v));
            assert_eq!((by_place, long), (f64::from(squares), f64::from(squares)));
        }
    }

    /// Many small values beside a large one, of which only those of its own block are rounded. If this fails, their
    /// rounding adds up.
    #[test]
    fn a_long_sum_is_compensated() {
        let mut values = vec![1e16];
        values.resize(32_001, 0.25);
        assert!((long_sum(&values) - (1e16 + 8_000.0)).abs() <= 8.0);
        assert_eq!(values.iter().sum::<f64>(), 1e16);
    }
}
