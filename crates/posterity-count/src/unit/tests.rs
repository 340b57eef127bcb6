//! The guarantees of the module as a whole.

mod files;
mod model;
mod stability;
mod uniform;

use std::num::{NonZeroU32, NonZeroUsize};
use std::path::Path;

use super::{OrderedRows, PerUnit, UnitError, UnitRow, Units};

/// A record of a test: its order serves the rule `latest`, and its rank the rules `random` and `all`.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Record {
    unit: u128,
    cell: u32,
    rank: u64,
    order: Vec<u8>,
}

/// How many cells there are in tests.
const CELLS: usize = 6;

/// The rules by which a unit counts once.
fn rules() -> [PerUnit; 5] {
    let one = PerUnit::All(NonZeroU32::MIN);
    [PerUnit::Random, PerUnit::First, PerUnit::Latest("day".into()), PerUnit::Mode, one]
}

/// All rules.
fn all_rules() -> impl Iterator<Item = PerUnit> {
    let several = [2, 3, 100, u32::MAX].map(|most| PerUnit::All(NonZeroU32::new(most).expect("not zero")));
    rules().into_iter().chain(several)
}

/// How a count is carried out, which must not matter.
#[derive(Clone, Copy, Debug)]
struct Manner {
    memory: usize,
    threads: usize,
    batch: usize,
}

/// More memory than a test needs.
const PLENTY: Manner = Manner { memory: 64 << 20, threads: 1, batch: usize::MAX };

fn add(units: &Units, rule: &PerUnit, records: &[Record]) -> Result<(), UnitError> {
    if matches!(rule, PerUnit::Latest(_)) {
        let mut rows = OrderedRows::default();
        for record in records {
            rows.push(record.unit, &record.order, record.cell)?;
        }
        let result = units.add_ordered(&mut rows);
        assert_eq!(rows.len(), 0);
        return result;
    }
    let row = |record: &Record| UnitRow { unit: record.unit, cell: record.cell, rank: record.rank };
    let mut rows = records.iter().map(row).collect();
    let result = units.add(&mut rows);
    assert!(rows.is_empty());
    result
}

/// The counts of these records, with batches dealt out to the threads in turn.
fn count(rule: &PerUnit, records: &[Record], manner: Manner, folder: &Path) -> Result<Vec<u64>, UnitError> {
    let units = Units::new(rule, CELLS, manner.memory, folder);
    let batches: Vec<&[Record]> = records.chunks(manner.batch).collect();
    std::thread::scope(|scope| {
        let threads: Vec<_> = (0..manner.threads)
            .map(|thread| {
                let (units, mine) = (&units, batches.iter().skip(thread).step_by(manner.threads));
                scope.spawn(move || mine.into_iter().try_for_each(|batch| add(units, rule, batch)))
            })
            .collect();
        threads.into_iter().try_for_each(|thread| thread.join().expect("no panic"))
    })?;
    units.finish(NonZeroUsize::new(manner.threads).expect("at least one"))
}
