//! From the error that one can bear to the budget.

use super::half_width::{HalfWidths, expected_half_width};
use super::plan_error::PlanError;
use super::truth::Truth;
use crate::terms::Terms;

/// The smallest and the largest budget that are tried.
pub const SMALLEST: f64 = 0.01;
/// See [`SMALLEST`].
pub const LARGEST: f64 = 10.0;

/// The budget that follows from a half-width.
#[derive(Clone, Debug, PartialEq)]
pub struct Bearable {
    /// The budget, with two significant digits.
    pub epsilon: String,
    /// What to expect with it.
    pub widths: HalfWidths,
}

/// The smallest epsilon of two significant digits, from 0.01 to 10, for which the widest interval is expected to be at most as
/// wide as asked for. The budget of `terms` does not matter.
///
/// ```
/// use posterity::Terms;
/// use posterity::plan::{Truth, bearable_epsilon};
/// let terms = Terms::new("1".parse()?);
/// let found = bearable_epsilon(&terms, 2, 1_000, &Truth::Even, 0.04)?;
/// assert!(found.widths.widest().private <= 0.04);
/// assert_eq!(found.epsilon, "0.11");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// [`PlanError::HalfWidth`] and [`PlanError::OutOfReach`], and others if the terms do not go together.
pub fn bearable_epsilon(
    terms: &Terms,
    k: usize,
    n: u64,
    truth: &Truth,
    half_width: f64,
) -> Result<Bearable, PlanError> {
    if !(half_width > 0.0 && half_width < 0.5) {
        return Err(PlanError::HalfWidth { value: half_width });
    }
    let at = |place: usize| -> Result<Bearable, PlanError> {
        let epsilon = step(place);
        let parsed = epsilon.parse().unwrap_or_else(|_| terms.epsilon.clone());
        let request = Terms { epsilon: parsed, ..terms.clone() }.request(k, n, &|_| ())?;
        Ok(Bearable { epsilon, widths: expected_half_width(&request, truth)? })
    };
    let (mut low, mut high) = (0, STEPS - 1);
    let mut found = at(high)?;
    if found.widths.widest().private > half_width {
        let without = found.widths.widest().without;
        return Err(PlanError::OutOfReach { wanted: half_width, n, without });
    }
    while low < high {
        let middle = low.midpoint(high);
        let tried = at(middle)?;
        if tried.widths.widest().private <= half_width {
            (high, found) = (middle, tried);
        } else {
            low = middle + 1;
        }
    }
    Ok(found)
}

/// Numbers of two digits from 0.010 to 10: 90 in each decade, and the end.
const STEPS: usize = 271;

/// The budget at a place of the scale.
fn step(place: usize) -> String {
    let (decade, digits) = (place / 90, place % 90 + 10);
    match decade {
        0 => format!("0.0{}", digits).trim_end_matches('0').to_owned(),
        1 => format!("0.{digits}").trim_end_matches('0').to_owned(),
        2 => format!("{}.{}", digits / 10, digits % 10).trim_end_matches(".0").to_owned(),
        _ => "10".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_rise_from_the_smallest_to_the_largest() {
        let all: Vec<f64> = (0..STEPS).map(|place| step(place).parse().expect("a number")).collect();
        assert_eq!((all[0], all[STEPS - 1]), (SMALLEST, LARGEST));
        assert!(all.windows(2).all(|pair| pair[0] < pair[1]));
        assert_eq!([0, 5, 90, 95, 180, 185].map(step), ["0.01", "0.015", "0.1", "0.15", "1", "1.5"]);
    }

    /// The next smaller budget is not enough.
    #[test]
    fn no_smaller_budget_does() {
        let terms = Terms::new("1".parse().expect("1"));
        let found = bearable_epsilon(&terms, 3, 300, &Truth::Even, 0.08).expect("in reach");
        let before = (0..STEPS).rev().map(step).skip_while(|one| *one != found.epsilon).nth(1).expect("one");
        let request = Terms::new(before.parse().expect("positive")).request(3, 300, &|_| ()).expect("valid");
        assert!(expected_half_width(&request, &Truth::Even).expect("modelled").widest().private > 0.08);
    }

    #[test]
    fn rejects() {
        let terms = Terms::new("1".parse().expect("1"));
        for value in [0.0, -1.0, 0.5, f64::NAN] {
            let refused = bearable_epsilon(&terms, 2, 90, &Truth::Even, value);
            assert!(matches!(refused, Err(PlanError::HalfWidth { .. })));
        }
        let refused = bearable_epsilon(&terms, 2, 90, &Truth::Even, 0.05);
        assert!(matches!(refused, Err(PlanError::OutOfReach { n: 90, .. })), "{refused:?}");
    }
}
