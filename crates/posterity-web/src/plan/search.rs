//! From the error that one can bear to the least epsilon. The search takes seconds, so it runs beside the pages.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use posterity_advice::design::{Table, least_table_epsilon};
use posterity_advice::least::{Goal, Situation, least_epsilon};
use posterity_core::mechanism::Description;

use super::state::{PlanForm, State};
use crate::failure::Failure;
use crate::lock::lock;
use crate::recent::Recent;
use crate::sentence::sentence;
use crate::work::Work;

/// The most answers that are kept.
const MAX_KEPT: usize = 64;
/// The most searches at once.
const MAX_RUNNING: usize = 4;
/// How long a page waits for an answer before it says that the search goes on.
const PATIENCE: Duration = Duration::from_millis(1_500);

/// A search, with the number of epsilons that were tried so far.
type Search = Work<Sought, AtomicU64, Found>;

/// What an epsilon is searched for.
#[derive(Debug)]
enum Sought {
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
    why: String,
}

impl Sought {
    fn least(&self, share: f64, tell: &(dyn Fn(u64) + Sync)) -> Result<Found, String> {
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

/// Searches by what they look for. Whoever asks for the same again gets the same search.
#[derive(Debug, Default)]
pub(crate) struct Searches(Mutex<Recent<String, Arc<Search>, MAX_KEPT>>);

/// A plan whose budget is known, is being searched for, or cannot be known.
pub(super) enum Aim {
    Ready(Box<State>),
    /// The number of epsilons that were tried so far.
    Searching(u64),
    /// What is wrong, in words.
    Wrong(String),
}

impl Aim {
    /// The plan with the budget that was typed, or with the least one for the error that was typed.
    pub(super) fn new(searches: &Searches, typed: &PlanForm) -> Result<Self, Failure> {
        match Self::found(searches, typed) {
            Err(Failure::Bad(wrong)) => Ok(Self::Wrong(wrong)),
            found => found,
        }
    }

    fn found(searches: &Searches, typed: &PlanForm) -> Result<Self, Failure> {
        let state = State::new(typed.clone()).map_err(Failure::Bad)?;
        let Some(share) = state.share else { return Ok(Self::Ready(Box::new(state))) };
        let search = searches.find(&state, share)?;
        let found = match search.wait(PATIENCE) {
            None => return Ok(Self::Searching(search.progress().load(Ordering::Relaxed))),
            Some(found) => found.clone().map_err(Failure::Bad)?,
        };
        match found.epsilon {
            Some(epsilon) => {
                Ok(Self::Ready(Box::new(state.with_found(epsilon, found).map_err(Failure::Bad)?)))
            }
            None => Err(Failure::Bad(found.why.clone())),
        }
    }

    /// The plan, once its budget is known. What is wrong, or is being searched for, is said beside the figures.
    pub(super) fn ready(self) -> Option<State> {
        match self {
            Self::Ready(state) => Some(*state),
            Self::Searching(_) | Self::Wrong(_) => None,
        }
    }
}

impl Searches {
    /// The search for a plan, begun if there is none yet.
    fn find(&self, state: &State, share: f64) -> Result<Arc<Search>, Failure> {
        let key = format!("{}|{share}", state.key());
        let mut kept = lock(&self.0);
        if let Some(search) = kept.find(|one| *one == key) {
            return Ok(Arc::clone(search));
        }
        let sought = match &state.table {
            Some(table) => Sought::Table(table.clone()),
            None => Sought::Column(Situation {
                prior: state.prior_or_uniform().map_err(Failure::Bad)?,
                n: state.n,
                shape: Some(state.shape().map_err(Failure::Bad)?),
                level: posterity::Terms::LEVEL,
            }),
        };
        if kept.values().filter(|search| search.is_running()).count() >= MAX_RUNNING {
            return Err(Failure::Busy);
        }
        let search = Work::begin("search", sought, move |sought, tried: &AtomicU64| {
            let tell = |done: u64| {
                tried.fetch_add(done, Ordering::Relaxed);
            };
            let search = || sought.least(share, &tell);
            // Threads of its own, so that a long search does not keep others from theirs.
            match rayon::ThreadPoolBuilder::new().build() {
                Ok(pool) => pool.install(search),
                Err(_) => search(),
            }
        });
        kept.add(key, Arc::clone(&search));
        Ok(search)
    }
}
