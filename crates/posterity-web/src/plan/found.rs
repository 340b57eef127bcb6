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
    /// The expected half-width at it, and that without privacy.
    pub(super) expected: f64,
    pub(super) without: f64,
    /// The standard error of the expected one; none if it was not simulated.
    pub(super) standard_error: Option<f64>,
    /// Why there is none, or what it is for, in the words of the command.
    pub(super) why: String,
}

impl Sought {
    /// The least epsilon for this half-width.
    pub(super) fn least(&self, share: f64, tell: &(dyn Fn(u64) + Sync)) -> Result<Found, String> {
        match self {
            Self::Column(situation) => {
                let found =
                    least_epsilon(situation, Goal::HalfWidth(share), false, tell).map_err(sentence)?;
                let never = found.epsilon.is_none() && found.records.is_some();
                Ok(Found {
                    epsilon: found.epsilon,
                    mechanism: found.mechanism,
                    expected: found.expected.unwrap_or(found.without_privacy),
                    without: found.without_privacy,
                    standard_error: found.standard_error.filter(|error| *error > 0.0),
                    why: format!("{}{}", if never { "No epsilon reaches that. " } else { "" }, found.reason),
                })
            }
            Self::Table(table) => {
                let found = least_table_epsilon(table, share, false, tell).map_err(sentence)?;
                let readings = found.designs.first().into_iter().flat_map(|design| &design.readings);
                Ok(Found {
                    epsilon: found.epsilon,
                    mechanism: None,
                    expected: readings.map(|one| one.widest).fold(0.0, f64::max),
                    without: found.without_privacy,
                    standard_error: None,
                    why: format!("{} {}", found.recommendation, found.reason),
                })
            }
        }
    }
}
