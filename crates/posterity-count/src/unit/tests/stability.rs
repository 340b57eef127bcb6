//! Replacing all records of one unit moves at most one count, and adding a unit changes at most as many as its rule says.

use proptest::prelude::*;

use super::model::{manner, record};
use super::{PLENTY, Record, all_rules, count, rules};

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    /// The ranks of the other units stay as they are: that is the coupling of the proof. If this fails, no mechanism
    /// that reads these counts is private for units.
    #[test]
    fn one_unit_moves_one_count(
        records in prop::collection::vec(record(), 1..500),
        others in prop::collection::vec(record(), 1..50),
        place in any::<prop::sample::Index>(),
        manner in manner(),
    ) {
        let unit = place.get(&records).unit;
        let mut replaced: Vec<Record> = records.iter().filter(|record| record.unit != unit).cloned().collect();
        replaced.extend(others.into_iter().map(|record| Record { unit, ..record }));
        let folder = tempfile::tempdir().expect("a folder");
        for rule in rules() {
            let before = count(&rule, &records, PLENTY, folder.path()).expect("counts");
            let after = count(&rule, &replaced, manner, folder.path()).expect("counts");
            let up: u64 = before.iter().zip(&after).map(|(b, a)| a.saturating_sub(*b)).sum();
            let down: u64 = before.iter().zip(&after).map(|(b, a)| b.saturating_sub(*a)).sum();
            prop_assert!(up == down && up <= 1, "{} moves {:?} to {:?}", rule, before, after);
        }
    }
    /// If this fails, no mechanism that reads these counts is private for units where n is private.
    #[test]
    fn one_unit_more_changes_as_many_counts_as_its_rule_says(
        records in prop::collection::vec(record(), 0..500),
        place in any::<prop::sample::Index>(),
        manner in manner(),
    ) {
        let unit = if records.is_empty() { 7 } else { place.get(&records).unit };
        let removed: Vec<Record> = records.iter().filter(|record| record.unit != unit).cloned().collect();
        let folder = tempfile::tempdir().expect("a folder");
        for rule in all_rules() {
            let with = count(&rule, &records, manner, folder.path()).expect("counts");
            let without = count(&rule, &removed, PLENTY, folder.path()).expect("counts");
            let gone = with.iter().zip(&without).map(|(with, without)| with.checked_sub(*without));
            let gone = gone.sum::<Option<u64>>();
            let own = (records.len() - removed.len()).min(rule.most().get() as usize) as u64;
            prop_assert_eq!(gone, Some(own), "{} changes {:?} to {:?}", rule, with, without);
        }
    }
}
