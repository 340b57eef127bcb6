//! Drafts and results of this run of the server, in memory only.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::asked::Asked;
use super::job::Job;
use crate::failure::Failure;
use crate::secret::Secret;

/// The most drafts and results that are kept.
const KEPT: usize = 200;
/// The most releases at once.
const RUNNING: usize = 8;

/// Drafts and results. Each draft is released at most once, however often its button is pressed.
#[derive(Debug, Default)]
pub(crate) struct Releases(Mutex<Kept>);

#[derive(Debug, Default)]
struct Kept {
    drafts: VecDeque<Draft>,
    jobs: VecDeque<(Secret, Arc<Job>)>,
}

#[derive(Debug)]
struct Draft {
    id: Secret,
    asked: Arc<Asked>,
    /// The result, once it was confirmed.
    result: Option<Secret>,
}

impl Releases {
    fn kept(&self) -> MutexGuard<'_, Kept> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Keeps a draft and returns its name.
    pub(super) fn add_draft(&self, asked: Asked) -> Result<String, Failure> {
        let id = Secret::new().map_err(|_| Failure::Busy)?;
        let name = id.as_str().to_owned();
        let mut kept = self.kept();
        if kept.drafts.len() == KEPT {
            kept.drafts.pop_front();
        }
        kept.drafts.push_back(Draft { id, asked: Arc::new(asked), result: None });
        Ok(name)
    }

    /// A draft, and the name of its result if it was confirmed.
    pub(super) fn draft(&self, id: &str) -> Option<(Arc<Asked>, Option<String>)> {
        let kept = self.kept();
        let draft = kept.drafts.iter().find(|draft| draft.id.is(id))?;
        Some((Arc::clone(&draft.asked), draft.result.as_ref().map(|id| id.as_str().to_owned())))
    }

    /// The result of a draft: a new one, which `begin` starts, or the one that was begun before.
    pub(super) fn confirm(
        &self,
        id: &str,
        begin: impl FnOnce(Arc<Asked>) -> Arc<Job>,
    ) -> Result<String, Failure> {
        let mut kept = self.kept();
        let running = kept.jobs.iter().filter(|(_, job)| job.is_running()).count();
        let gone =
            Failure::NotFound("This draft is no longer known. Fill in the form again; nothing was released.");
        let draft = kept.drafts.iter_mut().find(|draft| draft.id.is(id)).ok_or(gone)?;
        if let Some(result) = &draft.result {
            return Ok(result.as_str().to_owned());
        }
        if running >= RUNNING {
            return Err(Failure::Busy);
        }
        let result = Secret::new().map_err(|_| Failure::Busy)?;
        draft.result = Some(result.clone());
        let name = result.as_str().to_owned();
        let job = begin(Arc::clone(&draft.asked));
        if kept.jobs.len() == KEPT {
            kept.jobs.pop_front();
        }
        kept.jobs.push_back((result, job));
        Ok(name)
    }

    /// A result.
    pub(super) fn job(&self, id: &str) -> Option<Arc<Job>> {
        self.kept().jobs.iter().find(|(one, _)| one.is(id)).map(|(_, job)| Arc::clone(job))
    }
}
