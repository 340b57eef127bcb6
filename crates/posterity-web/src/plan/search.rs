//! From the error that one can bear to the least epsilon. The search takes seconds, so it runs beside the pages.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use posterity_advice::least::{Goal, LeastEpsilon, Situation, least_epsilon};

use super::state::{State, Typed, sentence};
use crate::failure::Failure;
use crate::fields::Fields;
use crate::work::Work;

/// The most answers that are kept, and the most searches at once.
const KEPT: usize = 64;
const RUNNING: usize = 4;
/// How long a page waits for an answer before it says that the search goes on.
const PATIENCE: Duration = Duration::from_millis(1_500);

/// A search, with the number of epsilons that were tried so far.
type Search = Work<AtomicU64, LeastEpsilon>;

/// Searches by what they look for. Whoever asks for the same again gets the same search.
#[derive(Debug, Default)]
pub(crate) struct Searches(Mutex<VecDeque<(String, Arc<Search>)>>);

/// A plan whose budget is known, or being searched for.
pub(super) enum Aim {
    Ready(Box<State>),
    /// The number of epsilons that were tried so far.
    Searching(u64),
}

/// The plan with the budget that was typed, or with the least one for the error that was typed.
///
/// # Errors
/// What is wrong, in words.
pub(super) fn aimed(searches: &Searches, state: State) -> Result<Result<Aim, String>, Failure> {
    let Some(share) = state.share else { return Ok(Ok(Aim::Ready(Box::new(state)))) };
    let search = match searches.find(&state, share) {
        Ok(search) => search?,
        Err(wrong) => return Ok(Err(wrong)),
    };
    let found = match search.wait(PATIENCE) {
        None => return Ok(Ok(Aim::Searching(search.progress().load(Ordering::Relaxed)))),
        Some(Err(wrong)) => return Ok(Err(wrong.clone())),
        Some(Ok(found)) => Arc::clone(found),
    };
    Ok(match found.epsilon {
        Some(epsilon) => state.with_found(epsilon, found).map(|state| Aim::Ready(Box::new(state))),
        // Why, in the words of the command.
        None if found.records.is_some() => Err(format!("No epsilon reaches that. {}", found.reason)),
        None => Err(found.reason.clone()),
    })
}

/// The plan that was typed, once its budget is known. What is wrong, or is being searched for, is said beside the figures.
pub(super) fn ready(searches: &Searches, fields: &Fields) -> Result<Option<State>, Failure> {
    let Ok(state) = State::new(Typed::new(fields)) else { return Ok(None) };
    Ok(match aimed(searches, state)? {
        Ok(Aim::Ready(state)) => Some(*state),
        Ok(Aim::Searching(_)) | Err(_) => None,
    })
}

impl Searches {
    /// The search for a plan, begun if there is none yet.
    fn find(&self, state: &State, share: f64) -> Result<Result<Arc<Search>, Failure>, String> {
        let key = format!("{}|{share}", state.key());
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, search)) = kept.iter().find(|(one, _)| *one == key) {
            return Ok(Ok(Arc::clone(search)));
        }
        let situation = Situation {
            prior: state.prior_or_uniform()?,
            n: state.n,
            shape: Some(state.shape()?),
            level: posterity::Terms::LEVEL,
        };
        if kept.iter().filter(|(_, search)| search.is_running()).count() >= RUNNING {
            return Ok(Err(Failure::Busy));
        }
        if kept.len() == KEPT {
            kept.pop_front();
        }
        let search = Work::begin("search", AtomicU64::new(0), move |tried: &AtomicU64| {
            let tell = |done: u64| {
                tried.fetch_add(done, Ordering::Relaxed);
            };
            let search = || least_epsilon(&situation, Goal::HalfWidth(share), false, &tell).map_err(sentence);
            // Threads of its own, so that a long search does not keep others from theirs.
            match rayon::ThreadPoolBuilder::new().build() {
                Ok(pool) => pool.install(search),
                Err(_) => search(),
            }
        });
        kept.push_back((key, Arc::clone(&search)));
        Ok(Ok(search))
    }
}
