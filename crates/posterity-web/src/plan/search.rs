//! From the error that one can bear to the least epsilon. The search takes seconds, so it runs beside the pages.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use posterity_advice::least::Situation;

use super::found::{Found, Sought};
use super::state::{PlanForm, State};
use crate::failure::Failure;
use crate::lock::lock;
use crate::recent::Recent;
use crate::work::Work;

/// The most answers that are kept.
const MAX_KEPT: usize = 64;
/// The most searches at once.
const MAX_RUNNING: usize = 4;
/// How long a page waits for an answer before it says that the search goes on.
const PATIENCE: Duration = Duration::from_millis(1_500);

/// A search, with the number of epsilons that were tried so far.
type Search = Work<Sought, AtomicU64, Found>;

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
                shape: Some(state.shape.clone()),
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
