//! All shards of one rule.

use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use super::error::UnitError;
use super::group::{SHARDS, group};
use super::settle::{SettleRoom, settle};
use super::shard::{Closed, Shard};
use super::spool::Spool;
use super::table::UnitTable;
use super::workers::share;

/// How many temporary files the shards have together. One would make threads wait, and one per shard is more than some
/// systems allow.
const SPOOLS: usize = 16;

/// The shards of one rule, which threads fill at the same time.
pub(super) struct Sharded<T: UnitTable> {
    shards: Vec<Mutex<Shard<T>>>,
    spools: Vec<Spool>,
    rule: T::Rule,
    memory: usize,
    folder: PathBuf,
    /// Where the next batch starts, so that threads do not all wait for the same shard.
    start: AtomicUsize,
}

impl<T: UnitTable> Sharded<T> {
    pub(super) fn new(rule: T::Rule, memory: usize, folder: &Path) -> Self {
        Self {
            shards: (0..SHARDS).map(|_| Mutex::new(Shard::new(rule, memory / SHARDS))).collect(),
            spools: (0..SPOOLS).map(|_| Spool::new(folder)).collect(),
            rule,
            memory,
            folder: folder.into(),
            start: AtomicUsize::new(0),
        }
    }

    /// Keeps a batch of rows, which it reorders.
    ///
    /// # Errors
    /// [`UnitError::Temporary`] if there is no room left. Entries are lost then.
    pub(super) fn add<'a, I>(
        &self,
        items: &mut [I],
        unit: impl Fn(&I) -> u128,
        row: impl Fn(&I) -> T::Row<'a>,
    ) -> Result<(), UnitError> {
        let ends = group(items, unit);
        let start = self.start.fetch_add(SHARDS / 4 + 1, Ordering::Relaxed);
        for shift in 0..SHARDS {
            let shard = start.wrapping_add(shift) % SHARDS;
            let first = shard.checked_sub(1).map_or(0, |before| ends[before]);
            let items = &items[first..ends[shard]];
            if items.is_empty() {
                continue;
            }
            let spool = &self.spools[shard % SPOOLS];
            let mut shard = self.shards[shard].lock().unwrap_or_else(PoisonError::into_inner);
            for item in items {
                shard.keep(row(item), spool)?;
            }
        }
        Ok(())
    }

    /// Tells what counts of each unit, on at most so many threads. Each of them has a state of its own, and `take` adds
    /// one unit to it. Returns the states.
    ///
    /// # Errors
    /// [`UnitError::Temporary`] if the system refuses a file.
    pub(super) fn finish<S: Send>(
        self,
        threads: NonZeroUsize,
        start: impl Fn() -> S + Sync,
        take: impl Fn(&mut S, &T::Chosen) + Sync,
    ) -> Result<Vec<S>, UnitError> {
        let (spools, rule) = (&self.spools, self.rule);
        let room = SettleRoom { memory: self.memory / threads.get(), folder: &self.folder };
        // All shards give their memory back before the first of them is merged.
        let shards = self.shards.into_iter().enumerate().collect();
        let empty = || (start(), Vec::new());
        let closed = share(threads, shards, empty, |(state, large), (index, shard)| {
            let shard = shard.into_inner().unwrap_or_else(PoisonError::into_inner);
            match shard.close(&spools[index % SPOOLS])? {
                Closed::Table(table) => table.tally(&mut |chosen| take(state, chosen)),
                Closed::Written(written) => large.push((index, written)),
            }
            Ok::<(), UnitError>(())
        })?;
        let (states, large): (Vec<_>, Vec<_>) = closed.into_iter().unzip();
        let large = large.into_iter().flatten().collect();
        // The states go on, so that there are never more of them than threads.
        let idle = Mutex::new(states);
        let kept = || idle.lock().unwrap_or_else(PoisonError::into_inner).pop();
        let go_on = || kept().unwrap_or_else(&start);
        let mut done = share(threads, large, go_on, |state, (index, written)| {
            settle::<T>(rule, written, &spools[index % SPOOLS], room, &mut |chosen| take(state, chosen))
        })?;
        done.extend(idle.into_inner().unwrap_or_else(PoisonError::into_inner));
        Ok(done)
    }
}
