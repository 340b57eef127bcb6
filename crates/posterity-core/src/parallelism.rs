//! Whether a computation runs on one thread or on all cores.

use rayon::prelude::*;

use crate::pulse::beat;

/// Run on one thread or on all cores; the values are the same to the last digit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Parallelism {
    /// The calling thread does everything. For little work this is faster than waking other threads.
    OneThread,
    /// The work is shared between all threads of the current rayon pool.
    AllCores,
}

impl Parallelism {
    /// Runs both closures and returns both results.
    pub(crate) fn join<A: Send, B: Send>(
        self,
        first: impl FnOnce() -> A + Send,
        second: impl FnOnce() -> B + Send,
    ) -> (A, B) {
        beat();
        match self {
            Self::OneThread => (first(), second()),
            Self::AllCores => rayon::join(first, second),
        }
    }

    /// Applies `one` to every item and returns the results in the order of the items.
    pub(crate) fn map<I, T>(
        self,
        items: I,
        one: impl Fn(<I as IntoIterator>::Item) -> T + Sync + Send,
    ) -> Vec<T>
    where
        I: IntoIterator + IntoParallelIterator<Item = <I as IntoIterator>::Item>,
        T: Send,
    {
        let one = |item| {
            beat();
            one(item)
        };
        match self {
            Self::OneThread => items.into_iter().map(one).collect(),
            Self::AllCores => items.into_par_iter().map(one).collect(),
        }
    }
}
