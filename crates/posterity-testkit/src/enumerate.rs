//! Enumeration of small spaces.

/// Every vector of `k` whole numbers that sums to `n`, in lexicographic order. This is the simple, slow way; the fast
/// enumeration of the core is tested against it.
#[must_use]
pub fn all_counts(k: usize, n: u64) -> Vec<Vec<u64>> {
    if k <= 1 {
        return vec![vec![n]];
    }
    let with =
        |first: u64| all_counts(k - 1, n - first).into_iter().map(move |rest| [vec![first], rest].concat());
    (0..=n).flat_map(with).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_every_vector_once_in_order() {
        assert_eq!(all_counts(2, 2), [[0, 2], [1, 1], [2, 0]]);
        assert_eq!(all_counts(4, 7).len(), 120);
        assert!(all_counts(4, 7).is_sorted());
    }
}
