//! The nearest possible counts.

/// The whole numbers from 0 on that sum to `n` and are nearest to the given ones: the Euclidean projection onto the
/// simplex (Held, Wolfe and Crowder 1974), rounded.
///
/// ```
/// use posterity_core::decode::project;
/// assert_eq!(project(&[5, 4, 0], 6), [4, 2, 0]);
/// ```
#[must_use]
pub fn project(released: &[u64], n: u64) -> Vec<u64> {
    // The projection is max(r - shift, 0) with the shift that gives the right sum: that of the largest few.
    let mut sorted = released.to_vec();
    sorted.sort_unstable_by(|a, b| b.cmp(a));
    let (mut sum, mut shift) = (0.0, 0.0);
    for (place, &count) in sorted.iter().enumerate() {
        sum += count as f64;
        let next = (sum - n as f64) / (place + 1) as f64;
        if place > 0 && count as f64 <= next {
            break;
        }
        shift = next;
    }
    let projected: Vec<f64> = released.iter().map(|&count| (count as f64 - shift).max(0.0)).collect();
    round_to_total(&projected, n)
}

/// Whole numbers near the given ones, which are not negative and sum to about `n`, that sum to `n` exactly: all are
/// rounded down, then those with the largest remainders up.
#[must_use]
pub fn round_to_total(values: &[f64], n: u64) -> Vec<u64> {
    let mut counts: Vec<u64> = values.iter().map(|value| libm::floor(*value) as u64).collect();
    let mut order: Vec<usize> = (0..values.len()).collect();
    let rest = |index: usize| values[index] - libm::floor(values[index]);
    order.sort_by(|&a, &b| rest(b).total_cmp(&rest(a)));
    let total = counts.iter().sum::<u64>();
    for &index in order.iter().cycle().take(n.saturating_sub(total) as usize) {
        counts[index] += 1;
    }
    // Rounding in the input may leave a surplus, at most one for each category.
    let mut surplus = total.saturating_sub(n);
    for &index in order.iter().rev().cycle() {
        if surplus == 0 {
            break;
        }
        if counts[index] > 0 {
            counts[index] -= 1;
            surplus -= 1;
        }
    }
    counts
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        /// The result is possible, and no move of one record brings it nearer.
        #[test]
        fn projects_to_the_nearest(released in prop::collection::vec(0_u64..40, 2..6), n in 1_u64..60) {
            let projected = project(&released, n);
            prop_assert_eq!(projected.iter().sum::<u64>(), n);
            let square = |counts: &[u64]| counts.iter().zip(&released).map(|(a, b)| a.abs_diff(*b).pow(2)).sum::<u64>();
            for i in 0..released.len() {
                for j in (0..released.len()).filter(|&j| j != i && projected[i] > 0) {
                    let mut moved = projected.clone();
                    moved[i] -= 1;
                    moved[j] += 1;
                    prop_assert!(square(&moved) >= square(&projected), "{:?} {:?}", projected, moved);
                }
            }
        }

        #[test]
        fn rounding_keeps_the_total_and_stays_near(parts in prop::collection::vec(0.0..30.0_f64, 2..7), n in 1_u64..50) {
            let sum: f64 = parts.iter().sum::<f64>() + 1e-9;
            let scaled: Vec<f64> = parts.iter().map(|part| part / sum * n as f64).collect();
            let rounded = round_to_total(&scaled, n);
            prop_assert_eq!(rounded.iter().sum::<u64>(), n);
            prop_assert!(rounded.iter().zip(&scaled).all(|(&a, b)| (a as f64 - b).abs() < 1.0 + 1e-6));
        }
    }
}
