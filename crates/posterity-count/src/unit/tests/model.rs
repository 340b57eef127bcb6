//! Every rule against a model that holds all records in memory and follows the words of the rule.

use std::cmp::Reverse;
use std::collections::{BTreeMap, HashSet};

use proptest::prelude::*;

use super::{CELLS, Manner, PLENTY, Record, all_rules, count};
use crate::unit::PerUnit;

/// The categories of a unit with these records.
pub(super) fn chosen(rule: &PerUnit, records: &[&Record]) -> Vec<u32> {
    let same = |cell: u32| records.iter().filter(|record| record.cell == cell).count();
    let best = match rule {
        PerUnit::Random => records.iter().min_by_key(|record| (record.rank, record.cell)),
        PerUnit::First => records.iter().min_by_key(|record| record.cell),
        PerUnit::Latest(_) => records.iter().max_by_key(|record| (&record.order, Reverse(record.cell))),
        PerUnit::Mode => records.iter().max_by_key(|record| (same(record.cell), Reverse(record.cell))),
        PerUnit::All(most) => {
            let mut drawn: Vec<(u64, u32)> =
                records.iter().map(|record| (record.rank, record.cell)).collect();
            drawn.sort_unstable();
            drawn.truncate(most.get() as usize);
            return drawn.into_iter().map(|(_, cell)| cell).collect();
        }
    };
    vec![best.expect("at least one record").cell]
}

/// The counts of the model.
pub(super) fn model(rule: &PerUnit, records: &[Record]) -> Vec<u64> {
    let mut units: BTreeMap<u128, Vec<&Record>> = BTreeMap::new();
    for record in records {
        units.entry(record.unit).or_default().push(record);
    }
    let mut counts = vec![0; CELLS];
    for records in units.values() {
        chosen(rule, records).into_iter().for_each(|cell| counts[cell as usize] += 1);
    }
    counts
}

/// Units that share the first bits of their hash, so that few shards get all of them and are divided many times.
fn unit() -> impl Strategy<Value = u128> {
    let at = |unit: u128, shift: u32| unit << shift;
    prop_oneof![
        4 => (0..40_u128).prop_map(move |unit| at(unit, 112)),
        4 => (0..400_u128).prop_map(move |unit| at(unit, 100)),
        2 => (0..40_u128).prop_map(move |unit| at(unit, 60)),
        2 => 0..40_u128,
        1 => any::<u128>(),
    ]
}

pub(super) fn record() -> impl Strategy<Value = Record> {
    let order = prop_oneof![prop::collection::vec(0..3_u8, 0..3), prop::collection::vec(any::<u8>(), 0..60)];
    (unit(), 0..CELLS as u32, prop_oneof![0..4_u64, any::<u64>()], order)
        .prop_map(|(unit, cell, rank, order)| Record { unit, cell, rank, order })
}

pub(super) fn manner() -> impl Strategy<Value = Manner> {
    let memory = prop_oneof![Just(0), Just(500), Just(4_000), Just(40_000), Just(400_000)];
    (memory, 1..4_usize, prop_oneof![1..10_usize, 10..3_000_usize])
        .prop_map(|(memory, threads, batch)| Manner { memory, threads, batch })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    /// If this fails, a unit is counted twice, not at all, or by another rule.
    #[test]
    fn counts_are_those_of_the_model(
        records in prop::collection::vec(record(), 0..1_500),
        manner in manner(),
    ) {
        let folder = tempfile::tempdir().expect("a folder");
        for rule in all_rules() {
            prop_assert_eq!(count(&rule, &records, manner, folder.path()), Ok(model(&rule, &records)));
        }
    }

    /// If this fails, the result depends on threads, batches, the memory or the order of records.
    #[test]
    fn the_manner_does_not_matter(
        records in prop::collection::vec(record(), 0..500).prop_shuffle(),
        one in manner(),
    ) {
        let folder = tempfile::tempdir().expect("a folder");
        let reversed: Vec<Record> = records.iter().rev().cloned().collect();
        for rule in all_rules() {
            prop_assert_eq!(
                count(&rule, &records, one, folder.path()),
                count(&rule, &reversed, PLENTY, folder.path())
            );
        }
    }
}

/// Many units, each with records far apart, so that every rule leaves memory and large shards are divided. One unit has
/// more categories than fit, for the rule `mode`.
#[test]
fn large_shards_are_divided() {
    let folder = tempfile::tempdir().expect("a folder");
    let record = |i: u64| {
        let mixed = (i % 2_000).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let unit = if i.is_multiple_of(5) { 7 } else { u128::from(mixed) << 40 };
        let rank = i.wrapping_mul(0xd134_2543_de82_ef95);
        Record { unit, cell: (rank >> 40) as u32 % CELLS as u32, rank, order: vec![(rank >> 50) as u8; 9] }
    };
    let records: Vec<Record> = (0..8_000).map(record).collect();
    assert_eq!(records.iter().map(|record| record.unit).collect::<HashSet<_>>().len(), 1_601);
    for rule in all_rules() {
        for memory in [0, 3_000, 30_000] {
            let manner = Manner { memory, threads: 3, batch: 777 };
            assert_eq!(count(&rule, &records, manner, folder.path()), Ok(model(&rule, &records)), "{memory}");
        }
    }
}

/// Orders of the greatest length leave memory at once, and units whose hashes differ in the last bits only are divided.
#[test]
fn long_orders_of_similar_units() {
    let folder = tempfile::tempdir().expect("a folder");
    let record = |i: u32| {
        let mut order = vec![1; 65_535];
        order[65_534] = (i * 7 % 40) as u8;
        Record { unit: u128::MAX - u128::from(i % 5), cell: i % CELLS as u32, rank: 0, order }
    };
    let records: Vec<Record> = (0..40).map(record).collect();
    let rule = PerUnit::Latest("day".into());
    let manner = Manner { memory: 1_000, threads: 2, batch: 10 };
    assert_eq!(count(&rule, &records, manner, folder.path()), Ok(model(&rule, &records)));
}
