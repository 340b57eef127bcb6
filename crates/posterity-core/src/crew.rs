//! Who does the work.

use rayon::prelude::*;

use crate::pulse::beat;

/// One thread or all of them. Whoever works, the values are the same to the last digit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Crew {
    /// The calling thread: little work is done sooner than others wake up.
    One,
    /// All cores.
    All,
}

impl Crew {
    /// Both results.
    pub(crate) fn join<A: Send, B: Send>(
        self,
        first: impl FnOnce() -> A + Send,
        second: impl FnOnce() -> B + Send,
    ) -> (A, B) {
        beat();
        match self {
            Self::One => (first(), second()),
            Self::All => rayon::join(first, second),
        }
    }

    /// The results for these, in their order.
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
            Self::One => items.into_iter().map(one).collect(),
            Self::All => items.into_par_iter().map(one).collect(),
        }
    }
}
