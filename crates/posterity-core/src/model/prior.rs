//! The public prior.

use std::str::FromStr;

use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::{Dirichlet, DirichletError};

/// The parameters of the Dirichlet prior: one positive, finite number per category. They are public.
///
/// ```
/// use posterity_core::model::Prior;
/// let jeffreys = Prior::new(vec![0.5, 0.5])?;
/// assert_eq!(jeffreys.posterior(&[3, 1])?.parameters(), [3.5, 1.5]);
/// # Ok::<(), posterity_core::model::PriorError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "Vec<f64>", into = "Vec<f64>")]
pub struct Prior {
    dirichlet: Dirichlet,
}

/// Why a list of numbers cannot be the prior, or does not fit the counts.
#[derive(Clone, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum PriorError {
    /// Fewer than two parameters.
    #[error("the prior has {found} parameters; give one for each of two or more categories")]
    TooFew {
        /// How many there are.
        found: usize,
    },
    /// More categories than fit in memory.
    #[error("there are {found} categories; the most is {}", Prior::MAX_CATEGORIES)]
    TooMany {
        /// How many there are.
        found: usize,
    },
    /// A parameter is zero, negative, infinite or not a number.
    #[error("prior parameter {} is {value}; give a finite number above zero", index + 1)]
    NotPositive {
        /// Its index, from zero.
        index: usize,
        /// Its value.
        value: f64,
    },
    /// A parameter is not a number.
    #[error("prior parameter {} is {text:?}; give a finite number above zero", index + 1)]
    NotANumber {
        /// Its index, from zero.
        index: usize,
        /// What was given.
        text: String,
    },
    /// The sum of the parameters is infinite.
    #[error("the prior parameters sum to infinity; choose smaller ones")]
    TotalOverflows,
    /// Another number of parameters than categories.
    #[error(
        "the prior has {found} parameters for {expected} categories; give one for each, or one number for all"
    )]
    WrongLength {
        /// How many parameters there are.
        found: usize,
        /// How many categories there are.
        expected: usize,
    },
}

impl Prior {
    /// The most categories of a symmetric prior. A longer list of parameters would take more than 128 MiB.
    pub const MAX_CATEGORIES: usize = 1 << 24;

    /// Checks that there are at least two parameters, each positive and finite.
    ///
    /// # Errors
    /// [`PriorError`] names the parameter.
    pub fn new(parameters: Vec<f64>) -> Result<Self, PriorError> {
        let dirichlet = Dirichlet::new(parameters)?;
        if !dirichlet.total().is_finite() {
            return Err(PriorError::TotalOverflows);
        }
        Ok(Self { dirichlet })
    }

    /// The uniform prior `Dir(1, .., 1)` over `k` categories.
    ///
    /// # Errors
    /// [`PriorError`] for `k < 2` or more than [`Prior::MAX_CATEGORIES`].
    pub fn uniform(k: usize) -> Result<Self, PriorError> {
        Self::symmetric(1.0, k)
    }

    /// The prior with the same parameter for each of `k` categories.
    ///
    /// # Errors
    /// [`PriorError`] for `k < 2` or more than [`Prior::MAX_CATEGORIES`], or if the parameter is not positive.
    pub fn symmetric(parameter: f64, k: usize) -> Result<Self, PriorError> {
        if k > Self::MAX_CATEGORIES {
            return Err(PriorError::TooMany { found: k });
        }
        Self::new(vec![parameter; k])
    }

    /// The prior as a distribution.
    #[must_use]
    pub fn distribution(&self) -> &Dirichlet {
        &self.dirichlet
    }

    /// The parameters `alpha`.
    #[must_use]
    pub fn parameters(&self) -> &[f64] {
        self.dirichlet.parameters()
    }

    /// The number of categories k.
    #[must_use]
    #[allow(clippy::len_without_is_empty, reason = "there are always at least two")]
    pub fn len(&self) -> usize {
        self.parameters().len()
    }

    /// `Dir(alpha + counts)`.
    ///
    /// # Errors
    /// [`PriorError::WrongLength`] if there are not as many counts as parameters.
    pub fn posterior(&self, counts: &[u64]) -> Result<Dirichlet, PriorError> {
        if counts.len() != self.len() {
            return Err(PriorError::WrongLength { found: self.len(), expected: counts.len() });
        }
        let parameters =
            self.parameters().iter().zip(counts).map(|(alpha, &count)| alpha + count as f64).collect();
        Ok(Dirichlet::new(parameters)?)
    }
}

impl From<DirichletError> for PriorError {
    fn from(error: DirichletError) -> Self {
        match error {
            DirichletError::TooFew { found } => Self::TooFew { found },
            DirichletError::NotPositive { index, value } => Self::NotPositive { index, value },
        }
    }
}

/// The parameters, separated by commas or on lines of their own.
impl FromStr for Prior {
    type Err = PriorError;

    fn from_str(text: &str) -> Result<Self, PriorError> {
        Self::new(parameters(text)?)
    }
}

/// The numbers of a text, separated by commas or on lines of their own.
pub(super) fn parameters(text: &str) -> Result<Vec<f64>, PriorError> {
    let number = |(index, item): (usize, &str)| {
        item.trim().parse().map_err(|_| PriorError::NotANumber { index, text: item.trim().to_owned() })
    };
    let lines = text.lines().filter(|line| !line.trim().is_empty());
    lines.flat_map(|line| line.split(',')).enumerate().map(number).collect()
}

impl TryFrom<Vec<f64>> for Prior {
    type Error = PriorError;

    fn try_from(parameters: Vec<f64>) -> Result<Self, Self::Error> {
        Self::new(parameters)
    }
}

impl From<Prior> for Vec<f64> {
    fn from(prior: Prior) -> Self {
        prior.dirichlet.into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rejects() {
        assert_eq!(Prior::new(vec![1.0]), Err(PriorError::TooFew { found: 1 }));
        assert_eq!(Prior::new(vec![1.0, 0.0]), Err(PriorError::NotPositive { index: 1, value: 0.0 }));
        assert_eq!(Prior::new(vec![f64::MAX, f64::MAX]), Err(PriorError::TotalOverflows));
        assert_eq!(Prior::uniform(usize::MAX), Err(PriorError::TooMany { found: usize::MAX }));
        let error = Prior::uniform(2).and_then(|prior| prior.posterior(&[1, 2, 3]));
        assert_eq!(error, Err(PriorError::WrongLength { found: 2, expected: 3 }));
    }
}
