//! The least budget at which errors are small enough.

use super::root::{root, three_digits_before, three_digits_up};

/// The budgets between which the least one is searched for. At the larger one the noise moves no record but once in
/// many thousand releases, and hardly any privacy is left.
pub const LOWEST: f64 = 1e-6;
/// See [`LOWEST`].
pub const HIGHEST: f64 = 20.0;

/// Where a search begins, and below which budget nothing can be said.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Start {
    pub(crate) lowest: f64,
    pub(crate) near: f64,
}

impl Start {
    /// A search between the usual bounds that begins here.
    pub(crate) fn near(near: f64) -> Self {
        Self { lowest: LOWEST, near: near.clamp(1e-4, 5.0) }
    }
}

/// The least budget of three digits at which no error is above what is wanted; none if no budget up to [`HIGHEST`] is
/// enough. `without` holds the errors without any noise. The errors at the budget that is returned were computed, and
/// none is above what is wanted.
///
/// # Errors
/// Those of `errors`.
pub(crate) fn least_budget<E>(
    wanted: f64,
    without: &[f64],
    start: Start,
    errors: impl Fn(f64) -> Result<Vec<f64>, E>,
) -> Result<Option<f64>, E> {
    if without.iter().any(|&without| without >= wanted) {
        return Ok(None);
    }
    let is_enough = |epsilon: f64| Ok::<_, E>(errors(epsilon)?.iter().all(|&error| error <= wanted));
    let lowest = three_digits_up(start.lowest);
    if start.near <= lowest && is_enough(lowest)? {
        return Ok(Some(lowest));
    }
    // What the noise adds to the square of an error falls about as the square of epsilon.
    let added = |error: f64, without: f64| 0.5 * (error * error - without * without).max(1e-300).ln();
    let over = |epsilon: f64| {
        let errors = errors(epsilon)?;
        let over = errors.iter().zip(without).map(|(&error, &own)| added(error, own) - added(wanted, own));
        Ok::<_, E>(over.fold(f64::NEG_INFINITY, f64::max))
    };
    let found = root((lowest, HIGHEST), start.near.clamp(lowest, HIGHEST), -1.0, over)?;
    if found >= HIGHEST * 0.999 {
        return Ok(None);
    }
    let first = three_digits_up(found * 0.9995).max(lowest);
    let mut epsilon = first;
    // Errors that were simulated do not fall evenly, so that steps grow.
    let mut step = 1e-4;
    while !is_enough(epsilon)? {
        epsilon = three_digits_up(epsilon * (1.0 + step));
        step *= 2.0;
        if epsilon > HIGHEST {
            return Ok(None);
        }
    }
    // The number before is tried where the root is too near to it to tell.
    let before = three_digits_before(epsilon);
    if epsilon == first && before >= lowest && found * 0.9995 < before && is_enough(before)? {
        return Ok(Some(before));
    }
    Ok(Some(epsilon))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// If this fails, what is recommended does not reach what was wanted, or less would do.
    #[test]
    fn the_budget_found_is_enough_and_the_one_before_is_not() {
        for (slope, without, wanted) in
            [(0.01, 0.0, 0.05), (0.01, 0.04, 0.05), (3e-6, 0.0, 0.2), (0.7, 0.01, 0.049)]
        {
            let error = |epsilon: f64| f64::hypot(without, slope / epsilon);
            for near in [1e-6, 0.1, 5.0] {
                let start = Start { lowest: LOWEST, near };
                let errors = |epsilon| Ok::<_, ()>(vec![error(epsilon), 0.5 * error(epsilon)]);
                let found = least_budget(wanted, &[without, 0.0], start, errors).expect("no error");
                let found = found.expect("within reach");
                assert!(error(found) <= wanted && error(three_digits_before(found)) > wanted, "{found}");
            }
        }
        let never = least_budget(0.05, &[0.05], Start::near(1.0), |_| Ok::<_, ()>(vec![0.06]));
        assert_eq!(never, Ok(None));
        let late = least_budget(0.05, &[0.0], Start::near(1.0), |epsilon| Ok::<_, ()>(vec![2.0 / epsilon]));
        assert_eq!(late, Ok(None));
    }

    /// Where errors are simulated they jump: the number that is found is enough all the same.
    #[test]
    fn errors_that_jump_end_with_one_that_is_enough() {
        let error = |epsilon: f64| 0.01 / epsilon * (1.0 + 0.03 * (1e4 * epsilon).sin());
        let found = least_budget(0.05, &[0.0], Start::near(1.0), |epsilon| Ok::<_, ()>(vec![error(epsilon)]));
        let found = found.expect("no error").expect("within reach");
        assert!(error(found) <= 0.05 && (0.19..0.22).contains(&found), "{found}");
    }
}
