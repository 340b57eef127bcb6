//! The level of an interval: the probability that the interval has.

/// Why a number is not the level of an interval.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[error("the level is {value}; choose a number strictly between 0 and 1, such as 0.95")]
pub struct LevelError {
    /// The number that was given.
    pub value: f64,
}

/// Returns the level of an interval if it is strictly between 0 and 1.
///
/// ```
/// use posterity_core::model::{LevelError, interval_level};
/// assert_eq!(interval_level(0.95), Ok(0.95));
/// assert_eq!(interval_level(95.0), Err(LevelError { value: 95.0 }));
/// ```
///
/// # Errors
/// [`LevelError`] carries the number.
pub fn interval_level(value: f64) -> Result<f64, LevelError> {
    if value > 0.0 && value < 1.0 { Ok(value) } else { Err(LevelError { value }) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn levels_are_strictly_between_zero_and_one() {
        assert_eq!(interval_level(0.5), Ok(0.5));
        for value in [0.0, 1.0, -0.5, f64::INFINITY] {
            assert_eq!(interval_level(value), Err(LevelError { value }));
        }
        assert!(interval_level(f64::NAN).is_err());
    }
}
