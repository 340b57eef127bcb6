//! A prior as it is stated, before the number of categories is known.

use std::str::FromStr;

use serde::{Deserialize, Serialize};

use super::prior::parameters;
use super::{Prior, PriorError};

/// One parameter that stands for all categories, or one for each.
///
/// ```
/// use posterity_core::model::{Prior, StatedPrior};
/// let jeffreys: StatedPrior = "0.5".parse()?;
/// assert_eq!(jeffreys.prior(3)?, "0.5, 0.5, 0.5".parse::<Prior>()?);
/// # Ok::<(), posterity_core::model::PriorError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum StatedPrior {
    /// One parameter for all categories.
    Same(f64),
    /// One parameter for each category.
    Each(Prior),
}

impl StatedPrior {
    /// Checks that the parameter is positive and finite.
    ///
    /// # Errors
    /// [`PriorError::NotPositive`].
    pub fn same(parameter: f64) -> Result<Self, PriorError> {
        if parameter > 0.0 && parameter.is_finite() {
            return Ok(Self::Same(parameter));
        }
        Err(PriorError::NotPositive { index: 0, value: parameter })
    }

    /// The shortest statement of a prior whose number of categories is known.
    #[must_use]
    pub fn shortest(prior: &Prior) -> Self {
        match prior.parameters() {
            [first, rest @ ..] if rest.iter().all(|one| one == first) => Self::Same(*first),
            _ => Self::Each(prior.clone()),
        }
    }

    /// The number of categories, if the statement says it.
    #[must_use]
    pub fn categories(&self) -> Option<usize> {
        match self {
            Self::Same(_) => None,
            Self::Each(prior) => Some(prior.len()),
        }
    }

    /// The parameters that are written.
    #[must_use]
    pub fn parameters(&self) -> &[f64] {
        match self {
            Self::Same(parameter) => std::slice::from_ref(parameter),
            Self::Each(prior) => prior.parameters(),
        }
    }

    /// The prior over k categories.
    ///
    /// # Errors
    /// [`PriorError`] if it is for another number of categories, or no prior stands for that number.
    pub fn prior(&self, k: usize) -> Result<Prior, PriorError> {
        match self {
            Self::Same(parameter) => Prior::symmetric(*parameter, k),
            Self::Each(prior) if prior.len() == k => Ok(prior.clone()),
            Self::Each(prior) => Err(PriorError::WrongLength { found: prior.len(), expected: k }),
        }
    }
}

impl From<Prior> for StatedPrior {
    fn from(prior: Prior) -> Self {
        Self::Each(prior)
    }
}

/// One number, or several that are separated by commas.
impl FromStr for StatedPrior {
    type Err = PriorError;

    fn from_str(text: &str) -> Result<Self, PriorError> {
        match parameters(text)?[..] {
            [parameter] => Self::same(parameter),
            ref all => Ok(Prior::new(all.to_vec())?.into()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stated(text: &str) -> StatedPrior {
        text.parse().expect(text)
    }

    #[test]
    fn accepts() {
        assert_eq!(stated(" 0.5 "), StatedPrior::Same(0.5));
        assert_eq!((stated("2").categories(), stated("2,3").categories()), (None, Some(2)));
        let each = Prior::new(vec![2.0, 3.0]).expect("valid");
        assert_eq!((stated("2, 3"), stated("2\n\n3\n")), (each.clone().into(), each.into()));
    }

    /// If this fails, one number gives another document than the same numbers written out.
    #[test]
    fn one_number_is_the_same_prior_as_that_number_for_each() {
        let (one, all) =
            (stated("0.1").prior(3).expect("three"), stated("0.1,0.1,0.1").prior(3).expect("three"));
        assert_eq!(one, all);
        assert_eq!(StatedPrior::shortest(&all), StatedPrior::Same(0.1));
        assert_eq!(StatedPrior::shortest(&stated("1,2").prior(2).expect("two")), stated("1,2"));
    }

    #[test]
    fn rejects() {
        let text = |index, text: &str| PriorError::NotANumber { index, text: text.into() };
        let table = [
            ("", PriorError::TooFew { found: 0 }),
            ("x", text(0, "x")),
            ("1,,1", text(1, "")),
            ("1\ny", text(1, "y")),
            ("0", PriorError::NotPositive { index: 0, value: 0.0 }),
            ("inf", PriorError::NotPositive { index: 0, value: f64::INFINITY }),
            ("1,-2", PriorError::NotPositive { index: 1, value: -2.0 }),
        ];
        for (given, expected) in table {
            assert_eq!(given.parse::<StatedPrior>(), Err(expected), "{given:?}");
        }
        assert_eq!(stated("1,1").prior(3), Err(PriorError::WrongLength { found: 2, expected: 3 }));
        assert_eq!(stated("1").prior(1), Err(PriorError::TooFew { found: 1 }));
        assert_eq!(stated("1e308").prior(2), Err(PriorError::TotalOverflows));
        let many = Prior::MAX_CATEGORIES + 1;
        assert_eq!(stated("1").prior(many), Err(PriorError::TooMany { found: many }));
    }
}
