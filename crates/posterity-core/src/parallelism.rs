//! Whether a computation runs on one thread or on all cores.
//!
//! Parallel computations of this crate and of most others go through here, and rayon sees one kind of work only. Its code
//! is compiled anew for every closure it is handed, and made half of what the compiler had to do for this crate.

use std::sync::{Mutex, MutexGuard, PoisonError};

use rayon::prelude::*;

use crate::pulse::beat;

/// Run on one thread or on all cores; the values are the same to the last digit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Parallelism {
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
        if self == Self::OneThread {
            return (first(), second());
        }
        let (mut here, mut there) = (Task::Waits(first), Task::Waits(second));
        both(&mut || here.run(), &mut || there.run());
        (here.result(), there.result())
    }

    /// Applies `one` to every item and returns the results in the order of the items.
    ///
    /// ```
    /// use posterity_core::parallelism::Parallelism;
    /// assert_eq!(Parallelism::AllCores.map(1..=4, |i| i * i), [1, 4, 9, 16]);
    /// ```
    pub fn map<I, T>(self, items: I, one: impl Fn(I::Item) -> T + Sync) -> Vec<T>
    where
        I: IntoIterator<IntoIter: Send, Item: Send>,
        T: Send,
    {
        let one = |item| {
            beat();
            one(item)
        };
        match self {
            Self::OneThread => items.into_iter().map(one).collect(),
            Self::AllCores => Shared::new(items.into_iter()).map(&one),
        }
    }

    /// What `work` gives for each item, in the order of the items, where it may fail.
    ///
    /// # Errors
    /// Of all items that fail, the first one's.
    pub fn try_map<I, T, E>(self, items: I, one: impl Fn(I::Item) -> Result<T, E> + Sync) -> Result<Vec<T>, E>
    where
        I: IntoIterator<IntoIter: Send, Item: Send>,
        T: Send,
        E: Send,
    {
        self.map(items, one).into_iter().collect()
    }
}

/// About this many pieces of work there are for each thread, so that none waits long for another.
const PIECES: usize = 64;

/// Items that several threads take piece by piece.
struct Shared<I> {
    /// How many items are one piece.
    size: usize,
    pieces: usize,
    /// The number of pieces taken, and the items left.
    left: Mutex<(usize, I)>,
}

impl<I: Iterator<Item: Send> + Send> Shared<I> {
    fn new(items: I) -> Self {
        let number = items.size_hint().0;
        let size = number.div_ceil(PIECES * rayon::current_num_threads()).max(1);
        Self { size, pieces: number.div_ceil(size).max(1), left: Mutex::new((0, items)) }
    }

    fn map<T: Send>(self, one: &(impl Fn(I::Item) -> T + Sync)) -> Vec<T> {
        let found = Mutex::new(std::iter::repeat_with(Vec::new).take(self.pieces).collect::<Vec<Vec<T>>>());
        every(self.pieces, &|| {
            let (place, items) = self.take();
            let results = items.into_iter().map(one).collect();
            lock(&found)[place] = results;
        });
        let mut all = Vec::new();
        for piece in &mut *lock(&found) {
            all.append(piece);
        }
        all
    }

    /// The next piece, and its place among all. The last one is whatever is left.
    fn take(&self) -> (usize, Vec<I::Item>) {
        let mut left = lock(&self.left);
        let (taken, items) = &mut *left;
        *taken += 1;
        let size = if *taken == self.pieces { usize::MAX } else { self.size };
        (*taken - 1, items.by_ref().take(size).collect())
    }
}

/// What a thread that was interrupted left behind is complete: nothing is computed while the lock is held.
fn lock<T>(shared: &Mutex<T>) -> MutexGuard<'_, T> {
    shared.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Runs `work` this number of times, on all threads.
fn every(times: usize, work: &(dyn Fn() + Sync)) {
    (0..times).into_par_iter().for_each(|_| work());
}

/// Runs both, perhaps on two threads.
fn both(first: &mut (dyn FnMut() + Send), second: &mut (dyn FnMut() + Send)) {
    rayon::join(first, second);
}

/// A closure before and after it was run.
enum Task<F, T> {
    Waits(F),
    Runs,
    Done(T),
}

impl<T, F: FnOnce() -> T> Task<F, T> {
    fn run(&mut self) {
        if let Self::Waits(closure) = std::mem::replace(self, Self::Runs) {
            *self = Self::Done(closure());
        }
    }

    fn result(self) -> T {
        match self {
            Self::Done(result) => result,
            Self::Waits(_) | Self::Runs => unreachable!("both closures have returned"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// If this fails, results get lost or change places when threads share the work.
    #[test]
    fn results_have_the_order_of_the_items() {
        for number in [0, 1, 2, 63, 64, 65, 1_000, 20_000] {
            let squares: Vec<u64> = (0..number).map(|i| i * i).collect();
            assert_eq!(Parallelism::AllCores.map(0..number, |i| i * i), squares);
            let owned: Vec<Box<u64>> = (0..number).map(Box::new).collect();
            assert_eq!(Parallelism::AllCores.map(owned, |i| *i * *i), squares);
        }
    }

    /// If this fails, items are left out where their number is not known beforehand.
    #[test]
    fn items_may_be_more_than_they_seem() {
        for step in [1, 7, 300, 1_000] {
            let some = || (0..1_000_u64).filter(move |i| i % step == 0);
            assert_eq!(Parallelism::AllCores.map(some(), |i| i), some().collect::<Vec<u64>>());
        }
    }

    /// If this fails, an error depends on which thread was first.
    #[test]
    fn the_first_failure_is_told() {
        let found = Parallelism::AllCores.try_map(0..1_000, |i| if i % 400 == 399 { Err(i) } else { Ok(i) });
        assert_eq!(found, Err(399));
        assert_eq!(Parallelism::AllCores.try_map(0..=3, Ok::<u64, ()>), Ok(vec![0, 1, 2, 3]));
    }

    /// If this fails, the two results of a pair are exchanged or missing.
    #[test]
    fn pairs_are_joined() {
        for how in [Parallelism::OneThread, Parallelism::AllCores] {
            assert_eq!(how.join(|| 1, || "two"), (1, "two"));
        }
    }
}
