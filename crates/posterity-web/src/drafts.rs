//! Drafts and what came of them, in memory only. Nothing of it survives the server.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::failure::Failure;
use crate::secret::Secret;

/// The most drafts and jobs that are kept.
const KEPT: usize = 200;
/// The most jobs at once.
const RUNNING: usize = 8;

/// Something that runs for a while.
pub(crate) trait Job {
    fn is_running(&self) -> bool;
}

/// Drafts of something that is asked, and the jobs that carry them out. Each draft is carried out at most once, however often its
/// button is pressed.
#[derive(Debug)]
pub(crate) struct Drafts<A, J>(Mutex<Kept<A, J>>);

#[derive(Debug)]
struct Kept<A, J> {
    drafts: VecDeque<Draft<A>>,
    jobs: VecDeque<(Secret, Arc<J>)>,
}

#[derive(Debug)]
struct Draft<A> {
    id: Secret,
    asked: Arc<A>,
    /// The name of its job, once it was confirmed.
    job: Option<Secret>,
}

impl<A, J> Default for Drafts<A, J> {
    fn default() -> Self {
        Self(Mutex::new(Kept { drafts: VecDeque::new(), jobs: VecDeque::new() }))
    }
}

impl<A, J: Job> Drafts<A, J> {
    fn kept(&self) -> MutexGuard<'_, Kept<A, J>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Keeps a draft and returns its name.
    pub(crate) fn add(&self, asked: A) -> Result<String, Failure> {
        let id = Secret::new().map_err(|_| Failure::Busy)?;
        let name = id.as_str().to_owned();
        let mut kept = self.kept();
        if kept.drafts.len() == KEPT {
            kept.drafts.pop_front();
        }
        kept.drafts.push_back(Draft { id, asked: Arc::new(asked), job: None });
        Ok(name)
    }

    /// A draft, and the name of its job if it was confirmed.
    pub(crate) fn draft(&self, id: &str) -> Option<(Arc<A>, Option<String>)> {
        let kept = self.kept();
        let draft = kept.drafts.iter().find(|draft| draft.id.is(id))?;
        Some((Arc::clone(&draft.asked), draft.job.as_ref().map(|id| id.as_str().to_owned())))
    }

    /// The job of a draft: a new one, which `begin` starts, or the one that was begun before.
    pub(crate) fn confirm(&self, id: &str, begin: impl FnOnce(Arc<A>) -> Arc<J>) -> Result<String, Failure> {
        let mut kept = self.kept();
        let running = kept.jobs.iter().filter(|(_, job)| job.is_running()).count();
        let draft = kept.drafts.iter_mut().find(|draft| draft.id.is(id)).ok_or(GONE)?;
        if let Some(job) = &draft.job {
            return Ok(job.as_str().to_owned());
        }
        if running >= RUNNING {
            return Err(Failure::Busy);
        }
        let id = Secret::new().map_err(|_| Failure::Busy)?;
        draft.job = Some(id.clone());
        let name = id.as_str().to_owned();
        let job = begin(Arc::clone(&draft.asked));
        if kept.jobs.len() == KEPT {
            kept.jobs.pop_front();
        }
        kept.jobs.push_back((id, job));
        Ok(name)
    }

    /// A job by its name.
    pub(crate) fn job(&self, id: &str) -> Option<Arc<J>> {
        self.kept().jobs.iter().find(|(one, _)| one.is(id)).map(|(_, job)| Arc::clone(job))
    }
}

/// Said of a draft that is not known any more.
pub(crate) const GONE: Failure =
    Failure::NotFound("This draft is no longer known. Begin again with the form; nothing was released.");

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Debug)]
    struct Endless;

    impl Job for Endless {
        fn is_running(&self) -> bool {
            true
        }
    }

    #[test]
    fn a_draft_is_carried_out_once() {
        let drafts: Drafts<u32, Endless> = Drafts::default();
        let id = drafts.add(7).expect("kept");
        let mut begun = 0;
        let mut confirm = || {
            drafts.confirm(&id, |asked| {
                begun += *asked;
                Arc::new(Endless)
            })
        };
        let first = confirm().expect("begun");
        assert_eq!(confirm().as_ref(), Ok(&first));
        assert_eq!(begun, 7);
        assert_eq!(drafts.draft(&id), Some((Arc::new(7), Some(first.clone()))));
        assert!(drafts.job(&first).is_some() && drafts.job(&id).is_none());
        assert_eq!(drafts.confirm("0", |_| Arc::new(Endless)), Err(GONE));
        for _ in 1..RUNNING {
            let id = drafts.add(0).expect("kept");
            assert!(drafts.confirm(&id, |_| Arc::new(Endless)).is_ok());
        }
        let id = drafts.add(0).expect("kept");
        assert_eq!(drafts.confirm(&id, |_| Arc::new(Endless)), Err(Failure::Busy), "not too many at once");
    }
}
