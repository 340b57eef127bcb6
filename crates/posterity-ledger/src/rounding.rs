//! Numbers with few digits, on the safe side.

use dashu_int::{IBig, UBig};
use dashu_ratio::RBig;

/// The digits that are kept.
const DIGITS: usize = 12;

/// The last decimal place that is kept, so that the amount is short enough to be stored.
const LAST_PLACE: usize = 900;

/// A positive number, rounded up to 12 decimal digits, or to the last place that is kept if it is tiny.
pub(crate) fn rounded_up(value: &RBig) -> RBig {
    rounded(value, RBig::ceil)
}

/// A number from 0 on, rounded down to 12 decimal digits, or to the last place that is kept if it is tiny.
pub(crate) fn rounded_down(value: &RBig) -> RBig {
    rounded(value, RBig::floor)
}

fn rounded(value: &RBig, whole: impl Fn(&RBig) -> IBig) -> RBig {
    let ten = UBig::from(10_u8);
    let least = RBig::from(ten.pow(DIGITS - 1));
    let mut places = 0;
    let mut scaled = value.clone();
    while scaled < least && places < LAST_PLACE {
        scaled *= RBig::from(10);
        places += 1;
    }
    RBig::from_parts(whole(&scaled), ten.pow(places))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_directions() {
        let third = RBig::from_parts(IBig::ONE, UBig::from(3_u8));
        let scale = UBig::from(10_u8).pow(12);
        let parts = |digits: u64| RBig::from_parts(IBig::from(digits), scale.clone());
        assert_eq!(rounded_down(&third), parts(333_333_333_333));
        assert_eq!(rounded_up(&third), parts(333_333_333_334));
        assert_eq!(rounded_down(&RBig::ZERO), RBig::ZERO);
        let exact = parts(125_000_000_000);
        assert_eq!((rounded_down(&exact), rounded_up(&exact)), (exact.clone(), exact));
    }
}
