//! Scores of exponential mechanisms: how far a candidate is from the truth.
//!
//! A score `D(c, r) >= 0` compares the posterior of the data c with that of a candidate r. It is zero where they are
//! equal, and finite. Its local sensitivity is `LS(c) = max abs(D(c, r) - D(c', r))` over all adjacent c' and all r. If
//! the score is a metric, that is the largest score of an adjacent data set.
//!
//! Every score is one file: it holds the definition, the sensitivities and the bounds that the sampler needs, and the
//! list below names it once. Names, help texts, the grammar of specifications, Python and the conformance tests read
//! that list. Proofs are in docs/proofs/scores.md.

mod bounded;
mod chernoff_sensitivity;
mod cost_sensitivity;
mod decay;
mod enclosure;
mod error;
mod facts;
mod fitted;
mod graph;
mod kl_sensitivity;
mod linear;
mod search;

pub(crate) use decay::Decay;
pub use error::{ScoreError, ScoringError};
pub use facts::Facts;
pub(crate) use fitted::FittedScore;

use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

use crate::model::Prior;

/// Declares the files, the list and the choice of all scores, from one line for each.
macro_rules! scores {
    ($($file:ident::$definition:ident,)*) => {
        $(mod $file;)*

        /// All scores, in the order in which people are shown them.
        pub static ALL: &[&Facts] = &[$(&$file::FACTS,)*];

        /// An example of each score, as it is written.
        pub const EXAMPLES: &[&str] = &[$($file::FACTS.example,)*];

        /// A score with its parameter, if it has one. The research uses the Hellinger distance.
        ///
        /// ```
        /// use posterity_core::score::Scoring;
        /// let score: Scoring = "chernoff:0.25".parse()?;
        /// assert_eq!(score.to_string(), "chernoff:0.25");
        /// assert_eq!(Scoring::default().to_string(), "hellinger");
        /// assert!("chi2".parse::<Scoring>().is_err());
        /// # Ok::<(), posterity_core::score::ScoringError>(())
        /// ```
        #[derive(Clone, Copy, Debug, PartialEq)]
        #[non_exhaustive]
        pub enum Scoring {
            $(
                #[doc = concat!("The score of `", stringify!($file), ".rs`.")]
                $definition($file::$definition),
            )*
        }

        $(pub use $file::$definition;)*

        impl Scoring {
            /// The facts of the score.
            #[must_use]
            pub fn facts(&self) -> &'static Facts {
                match self {
                    $(Self::$definition(_) => &$file::FACTS,)*
                }
            }

            fn definition(&self) -> &dyn Definition {
                match self {
                    $(Self::$definition(definition) => definition,)*
                }
            }
        }

        impl FromStr for Scoring {
            type Err = ScoringError;

            fn from_str(text: &str) -> Result<Self, ScoringError> {
                let text = text.trim();
                if ["chi2", "chi-square", "chi-squared", "chisquare"].contains(&text) {
                    return Err(ScoringError::ChiSquare);
                }
                let (name, parameter) = match text.split_once(':') {
                    Some((name, parameter)) => (name.trim_end(), Some(parameter.trim())),
                    None => (text, None),
                };
                $(
                    if name == $file::FACTS.name
                        && let Some(found) = $file::$definition::read(parameter)?
                    {
                        return Ok(Self::$definition(found));
                    }
                )*
                Err(ScoringError::Unknown { name: text.to_owned() })
            }
        }
    };
}

scores! {
    hellinger::Hellinger,
    angle::Angle,
    tv::Tv,
    squared_hellinger::SquaredHellinger,
    chernoff::Chernoff,
    kl::Kl,
    reverse_kl::ReverseKl,
    counts::Distance,
}

pub(crate) use hellinger::hellinger;

/// What the value in a score's file knows.
trait Definition {
    /// Its parameter as it is written, if it has one.
    fn parameter(&self) -> Option<String> {
        None
    }

    /// The score under a prior for n records.
    fn fit(&self, prior: &Prior, n: u64) -> Result<Arc<dyn FittedScore>, ScoreError>;
}

impl Scoring {
    /// Whether it is the score that the research uses.
    #[must_use]
    pub fn is_hellinger(&self) -> bool {
        matches!(self, Self::Hellinger(_))
    }

    /// The score under a prior for n records. Every score of every mechanism comes from here, so that none is used
    /// where its errors cannot be enclosed.
    pub(crate) fn fit(&self, prior: &Prior, n: u64) -> Result<Arc<dyn FittedScore>, ScoreError> {
        let fitted = self.definition().fit(prior, n)?;
        enclosure::check(self.facts().name, prior, n, |category, c, r| fitted.error(category, c, r))?;
        Ok(fitted)
    }
}

impl Default for Scoring {
    fn default() -> Self {
        Self::Hellinger(Hellinger)
    }
}

impl fmt::Display for Scoring {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.facts().name)?;
        self.definition().parameter().map_or(Ok(()), |parameter| write!(f, ":{parameter}"))
    }
}

/// The names of all scores in a sentence.
fn names() -> String {
    EXAMPLES.join(", ")
}
