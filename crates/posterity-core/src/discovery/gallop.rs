//! The last number for which something holds.

/// Far beyond all counts.
const FARTHEST: u64 = 1 << 62;

/// The largest k for which `holds(k)`, if that is true at 0 and stays false once it is false. The steps double and then
/// halve, so it takes about `2 log2(k)` of them.
pub(super) fn last(holds: impl Fn(u64) -> bool) -> u64 {
    let mut no = 1;
    while holds(no) {
        if no == FARTHEST {
            return FARTHEST;
        }
        no *= 2;
    }
    let mut yes = no / 2;
    while no - yes > 1 {
        let middle = yes + (no - yes) / 2;
        if holds(middle) {
            yes = middle;
        } else {
            no = middle;
        }
    }
    yes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_the_last() {
        for end in [0, 1, 2, 3, 7, 8, 1_000_003, FARTHEST - 1] {
            assert_eq!(last(|k| k <= end), end);
        }
        assert_eq!(last(|_| true), FARTHEST);
    }
}
