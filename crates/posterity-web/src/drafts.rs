//! Drafts and what came of them, in memory only. Nothing of it survives the server.

use std::sync::{Arc, Mutex, OnceLock};

use serde::Deserialize;

use crate::failure::Failure;
use crate::lock::lock;
use crate::recent::Recent;
use crate::secret::Secret;
use crate::spending::Promised;
use crate::work::Work;

/// The most drafts, and the most jobs, that are kept.
const MAX_KEPT: usize = 200;
/// The most jobs at once.
const MAX_RUNNING: usize = 8;

/// The form that confirms a draft, with what its page promised.
#[derive(Default, Deserialize)]
#[serde(default)]
pub(crate) struct Confirmation {
    /// Its name.
    pub(crate) draft: String,
    plan: String,
    price: String,
}

impl Confirmation {
    /// What of a draft is not what its page promised; nothing if all of it is.
    pub(crate) fn differs(&self, now: &Promised) -> Vec<String> {
        let plan =
            (self.plan != now.plan).then(|| "This asks for something else than the page did.".to_owned());
        let price = (self.price != now.price)
            .then(|| format!("It costs {}, where the page said {}.", now.price, or_nothing(&self.price)));
        plan.into_iter().chain(price).collect()
    }
}

fn or_nothing(said: &str) -> &str {
    if said.is_empty() { "nothing of a price" } else { said }
}

/// A draft that is carried out.
pub(crate) type Job<A, P, T> = Work<Arc<A>, P, T>;

/// Drafts of something that is asked, and the jobs that carry them out. Each draft is carried out at most once, however
/// often its button is pressed.
#[derive(Debug)]
pub(crate) struct Drafts<A, P, T>(Mutex<Kept<A, P, T>>);

#[derive(Debug)]
struct Kept<A, P, T> {
    drafts: Recent<Secret, Draft<A>, MAX_KEPT>,
    jobs: Recent<Secret, Arc<Job<A, P, T>>, MAX_KEPT>,
}

#[derive(Debug)]
struct Draft<A> {
    asked: Arc<A>,
    /// The name of its job, once it was confirmed.
    job: OnceLock<String>,
}

impl<A, P, T> Default for Drafts<A, P, T> {
    fn default() -> Self {
        Self(Mutex::new(Kept { drafts: Recent::default(), jobs: Recent::default() }))
    }
}

impl<A, P, T> Drafts<A, P, T> {
    /// Keeps a draft and returns its name.
    pub(crate) fn add(&self, asked: A) -> Result<String, Failure> {
        let id = Secret::new().map_err(|_| Failure::Busy)?;
        let name = id.as_str().to_owned();
        lock(&self.0).drafts.add(id, Draft { asked: Arc::new(asked), job: OnceLock::new() });
        Ok(name)
    }

    /// A draft, and the name of its job if it was confirmed.
    pub(crate) fn draft(&self, id: &str) -> Option<(Arc<A>, Option<String>)> {
        let kept = lock(&self.0);
        kept.drafts.find(|one| one.is(id)).map(|draft| (Arc::clone(&draft.asked), draft.job.get().cloned()))
    }

    /// A job by its name.
    pub(crate) fn job(&self, id: &str) -> Option<Arc<Job<A, P, T>>> {
        lock(&self.0).jobs.find(|one| one.is(id)).cloned()
    }

    /// What came of a job, if it is done.
    pub(crate) fn done(&self, id: &str) -> Option<Arc<T>> {
        self.job(id)?.outcome()?.as_ref().ok().cloned()
    }
}

impl<A, P, T> Drafts<A, P, T>
where
    A: Send + Sync + 'static,
    P: Default + Send + Sync + 'static,
    T: Send + Sync + 'static,
{
    /// The name of the job of a draft: a new one, which runs in a thread of its own, or the one that was begun before.
    pub(crate) fn confirm(
        &self,
        id: &str,
        thread: &str,
        run: impl FnOnce(&A, &P) -> Result<T, String> + Send + 'static,
    ) -> Result<String, Failure> {
        let Kept { drafts, jobs } = &mut *lock(&self.0);
        let running = jobs.values().filter(|job| job.is_running()).count();
        let draft = drafts.find(|one| one.is(id)).ok_or(GONE)?;
        if let Some(job) = draft.job.get() {
            return Ok(job.clone());
        }
        if running >= MAX_RUNNING {
            return Err(Failure::Busy);
        }
        let id = Secret::new().map_err(|_| Failure::Busy)?;
        let name = draft.job.get_or_init(|| id.as_str().to_owned()).clone();
        let job = Work::begin(thread, Arc::clone(&draft.asked), move |asked, progress| run(asked, progress));
        jobs.add(id, job);
        Ok(name)
    }
}

/// The message about a draft that is not known any more.
pub(crate) const GONE: Failure =
    Failure::NotFound("This draft is no longer known. Begin again with the form; nothing was released.");

#[cfg(test)]
mod tests {
    use std::sync::mpsc::channel;

    use super::*;

    #[test]
    fn a_draft_is_carried_out_once() {
        let drafts: Drafts<u32, (), ()> = Drafts::default();
        let id = drafts.add(7).expect("kept");
        let ((begun, told), mut ends) = (channel(), Vec::new());
        // Jobs run until the test ends.
        let mut confirm = |id: &str| {
            let ((end, ended), begun) = (channel(), begun.clone());
            ends.push(end);
            drafts.confirm(id, "test", move |asked, ()| {
                begun.send(*asked).map_err(|_| "nobody listens")?;
                ended.recv().map_err(|_| "the end".to_owned())
            })
        };
        let first = confirm(&id).expect("begun");
        assert_eq!(confirm(&id).as_ref(), Ok(&first));
        assert_eq!(drafts.draft(&id), Some((Arc::new(7), Some(first.clone()))));
        assert!(drafts.job(&first).is_some() && drafts.job(&id).is_none() && drafts.done(&first).is_none());
        assert_eq!(confirm("0"), Err(GONE));
        for _ in 1..MAX_RUNNING {
            assert!(confirm(&drafts.add(0).expect("kept")).is_ok());
        }
        let one_more = drafts.add(0).expect("kept");
        assert_eq!(confirm(&one_more), Err(Failure::Busy), "not too many at once");
        let begun: Vec<u32> = told.iter().take(MAX_RUNNING).collect();
        assert_eq!(begun.iter().sum::<u32>(), 7, "the first draft was carried out once");
    }
}
