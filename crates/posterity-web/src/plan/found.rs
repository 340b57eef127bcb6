//! The least epsilon for a half-width, of a column or of a table.

use posterity_advice::design::{Table, least_table_epsilon};
use posterity_advice::least::{Goal, Situation, least_epsilon};
use posterity_core::mechanism::Description;

use crate::sentence::sentence;

/// What an epsilon is searched for.
#[derive(Debug)]
pub(super) enum Sought {
    Column(Situation),
    Table(Table),
}

/// The least epsilon for a half-width.
#[derive(Debug)]
pub(crate) struct Found {
    pub(crate) epsilon: Option<f64>,
    pub(crate) mechanism: Option<&'static Description>,
    /// Why there is none, in the words of the command; or of a table, which other releases would need less.
    pub(super) why: String,
}

impl Sought {
    /// The least epsilon for this half-width.
    pub(super) fn least(&self, share: f64, tell: &(dyn Fn(u64) + Sync)) -> Result<Found, String> {
        match self {
            Self::Column(situation) => {
                let found =
                    least_epsilon(situation, Goal::HalfWidth(share), false, tell).map_err(sentence)?;
                let why = match found.epsilon {
                    Some(_) => String::new(),
                    None => format!("No epsilon reaches that. {}", found.reason),
                };
                Ok(Found { epsilon: found.epsilon, mechanism: found.mechanism, why })
            }
            Self::Table(table) => {
                let found = least_table_epsilon(table, share, false, tell).map_err(sentence)?;
                // The button of the page buys one release of all columns, so that is what the epsilon is for.
                let why = match (found.joint(), found.epsilon) {
                    (Some(_), _) => found.instead_of_joint().unwrap_or_default(),
                    (None, Some(_)) => {
                        format!("One release of all columns does not reach that. {}", found.recommendation)
                    }
                    (None, None) => format!("{} {}", found.recommendation, found.reason),
                };
                Ok(Found { epsilon: found.joint().map(|joint| joint.epsilon()), mechanism: None, why })
            }
        }
    }
}
