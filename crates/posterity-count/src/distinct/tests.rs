//! Sorted, spilled and merged strings beside a map.

use std::collections::BTreeMap;

use posterity_testkit::Random;

use super::merge::{MergeRoom, Merged, reduce};
use super::run::Run;
use super::sorter::Sorter;
use crate::error::DataError;

fn merged(runs: Vec<Run>, group: usize) -> Vec<(Vec<u8>, u64)> {
    let mut merged = Merged::new(runs, group).expect("no error");
    let mut found = Vec::new();
    while let Some((string, count)) = merged.next().expect("no error") {
        found.push((string.to_vec(), count));
    }
    found
}

/// Strings of a few letters, and now and then a long one.
fn string(dice: &mut Random, letters: usize) -> Vec<u8> {
    let length = if dice.index(500) == 0 { 10_000 } else { dice.index(letters) };
    (0..length).map(|_| [0, b'a', b'b', 255][dice.index(4)]).collect()
}

/// The strings that are kept, found in the plainest way.
fn expected(strings: &[(Vec<u8>, u64)], group: usize) -> Vec<(Vec<u8>, u64)> {
    let mut kept: BTreeMap<Vec<u8>, (Vec<u8>, u64)> = BTreeMap::new();
    for (string, count) in strings {
        let first = string[..string.len().min(group)].to_vec();
        let entry = kept.entry(first).or_insert_with(|| (string.clone(), 0));
        entry.0 = std::mem::take(&mut entry.0).min(string.clone());
        entry.1 += count;
    }
    kept.into_values().collect()
}

/// If this fails, a value is lost, or counted twice, where memory ends.
#[test]
fn no_string_is_lost_in_any_memory() {
    let folder = tempfile::tempdir().expect("a folder");
    let go_on = || Ok::<(), DataError>(());
    let mut dice = Random::new(1);
    let mut most_runs = 0;
    for round in 0..60 {
        let group = [usize::MAX, 3][round % 2];
        let (letters, many) = ([2, 5, 12, 30][dice.index(4)], dice.index(6_000));
        let strings: Vec<(Vec<u8>, u64)> =
            (0..many).map(|_| (string(&mut dice, letters), 1 + dice.below(3))).collect();
        for memory in [0, 20_000, 200_000, 64 << 20] {
            let threads = 1 + dice.index(3);
            let mut sorters: Vec<Sorter> =
                (0..threads).map(|_| Sorter::new(group, memory / threads, folder.path())).collect();
            for (string, count) in &strings {
                sorters[dice.index(threads)].add(string, *count).expect("no error");
            }
            let runs = sorters.into_iter().flat_map(|sorter| sorter.finish().expect("no error")).collect();
            let room = MergeRoom { memory, folder: folder.path(), group, go_on: &go_on };
            let before = Vec::len(&runs);
            let runs = reduce(runs, room).expect("no error");
            assert!(memory > 0 || runs.len() <= 2, "{}", runs.len());
            assert!(memory < 64 << 20 || before == threads, "everything stays in memory");
            most_runs = most_runs.max(before);
            assert!(merged(runs, group) == expected(&strings, group), "round {round}, memory {memory}");
            assert_eq!(std::fs::read_dir(folder.path()).expect("a folder").count(), 0);
        }
    }
    assert!(most_runs > 20, "{most_runs}");
}

/// Few strings stay in memory, however often they occur.
#[test]
fn few_strings_need_no_file() {
    let mut sorter = Sorter::new(usize::MAX, 0, std::path::Path::new("/nowhere/at/all"));
    for round in 0_u32..100_000 {
        sorter.add(&(round % 50).to_be_bytes(), 1).expect("no file is made");
    }
    let found = merged(sorter.finish().expect("no error"), usize::MAX);
    assert_eq!(found.len(), 50);
    assert!(found.iter().all(|(_, count)| *count == 2_000));
}

/// A folder that is not there is an error, and so is the wish to stop.
#[test]
fn rejects() {
    let nowhere = std::path::Path::new("/nowhere/at/all");
    let mut sorter = Sorter::new(usize::MAX, 0, nowhere);
    let refused = (0_u32..1_000).try_for_each(|number| sorter.add(&number.to_be_bytes(), 1));
    assert!(matches!(refused, Err(DataError::Units(_))), "{refused:?}");
    let runs = || ["a", "b", "c"].map(|string| Run::held(std::iter::once((string.as_bytes(), 1)))).into();
    let stop = || Err(DataError::Stopped);
    let room = MergeRoom { memory: 0, folder: nowhere, group: 1, go_on: &stop };
    assert_eq!(reduce(runs(), room).err(), Some(DataError::Stopped));
    let go_on = || Ok(());
    assert!(matches!(reduce(runs(), MergeRoom { go_on: &go_on, ..room }).err(), Some(DataError::Units(_))));
}
