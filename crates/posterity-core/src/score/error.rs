//! Why a score cannot be used.

use thiserror::Error;

/// Why a text is not a score.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum ScoringError {
    /// There is no score of that name.
    #[error("there is no score {name:?}; choose one of {}", super::names())]
    Unknown {
        /// The name.
        name: String,
    },
    /// Chi-square cannot be a private score.
    #[error(
        "chi-square cannot be a score: it is infinite where a released count is at least alpha + 2 times the true one, so such a \
         release would have probability zero at one data set and not at an adjacent one, and no noise hides that; choose one of {}",
        super::names()
    )]
    ChiSquare,
    /// The order of a Chernoff score is outside its range.
    #[error("the order of chernoff is {text}; choose a number from 0.001 to 0.999, such as chernoff:0.25")]
    Order {
        /// The text.
        text: String,
    },
}

/// Why a score does not exist for a prior and a number of records.
#[derive(Clone, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum ScoreError {
    /// No closed form.
    #[error(
        "the score {score} is for two categories, and there are {k}: the total variation distance between Dirichlet distributions \
         of three or more categories has no closed form; take the score hellinger or angle, which bound it"
    )]
    TwoCategories {
        /// The score.
        score: &'static str,
        /// The number of categories.
        k: usize,
    },
    /// Its sensitivity is found by enumeration, and there are too many data sets.
    #[error(
        "the sensitivity of the score {score} for three or more categories is found by comparing all data sets of this size, and \
         there are about {data_sets:.3e} of them, more than {max}; take the score hellinger, angle or counts, which take any number"
    )]
    TooManyDataSets {
        /// The score.
        score: &'static str,
        /// How many there are.
        data_sets: f64,
        /// How many are allowed.
        max: usize,
    },
    /// Its largest value takes too long to find.
    #[error(
        "the largest value of the score {score} is found in time that grows with the square of n if a prior parameter is below 1/2 and there \
         are three or more categories, and n is {n}, more than {max}; take prior parameters of at least 1/2, or the score hellinger"
    )]
    TooManyRecords {
        /// The score.
        score: &'static str,
        /// The number of records.
        n: u64,
        /// How many are allowed.
        max: u64,
    },
    /// Its largest value is not a finite number with all digits for this prior.
    #[error(
        "the score {score} is too large or too small for floating point at this prior; take prior parameters nearer to 1, or the \
         score hellinger"
    )]
    Infinite {
        /// The score.
        score: &'static str,
    },
    /// It is computed for totals up to a limit.
    #[error(
        "the score {score} is computed for prior parameters and records that sum to at most {most:.3e}, and they sum to \
         {total:.3e}; take smaller prior parameters, or the score hellinger"
    )]
    TotalTooLarge {
        /// The score.
        score: &'static str,
        /// The sum of the prior parameters and the records.
        total: f64,
        /// The most that it may be.
        most: f64,
    },
    /// Its sensitivities cannot be enclosed as the proof of privacy needs it.
    #[error(
        "the sensitivities of the score {score} may have a relative error of {error:.1e} at this prior and number of records, and \
         the proof of privacy allows {most:.1e}; take prior parameters nearer to 1, or the score hellinger"
    )]
    NotEnclosed {
        /// The score.
        score: &'static str,
        /// The relative error.
        error: f64,
        /// The most that it may be.
        most: f64,
    },
}
