//! Temporary files, and what happens when they cannot be made.

use std::io::ErrorKind;
use std::num::NonZeroUsize;
use std::path::Path;

use super::{CELLS, Manner, Record, add, count, rules};
use crate::unit::{OrderedRows, PerUnit, UnitError, UnitRow, Units};

/// Records of this many units, which leave memory if there is hardly any.
fn records(units: u32) -> Vec<Record> {
    let record = |unit: u32| Record {
        unit: u128::from(unit).wrapping_mul(0x9e37_79b9_7f4a_7c15_f39c_c060_5ced_c835),
        cell: unit % CELLS as u32,
        rank: u64::from(unit),
        order: vec![0; 10],
    };
    (0..units).map(record).collect()
}

const TIGHT: Manner = Manner { memory: 1_000, threads: 2, batch: 100 };

fn files(folder: &Path) -> usize {
    std::fs::read_dir(folder).expect("a folder").count()
}

#[test]
fn no_files_are_left() {
    let folder = tempfile::tempdir().expect("a folder");
    for rule in rules() {
        let total: u64 = count(&rule, &records(3_000), TIGHT, folder.path()).expect("counts").iter().sum();
        assert_eq!((total, files(folder.path())), (3_000, 0));
        let dropped = Units::new(&rule, CELLS, TIGHT.memory, folder.path());
        add(&dropped, &rule, &records(3_000)).expect("no error");
        // On Unix there is no name even while the file is in use.
        assert!(cfg!(not(unix)) || files(folder.path()) == 0);
        drop(dropped);
        assert_eq!(files(folder.path()), 0);
        let failed = Units::new(&rule, CELLS, TIGHT.memory, folder.path());
        add(&failed, &rule, &records(3_000)).expect("no error");
        let wrong = Record { unit: 0, cell: CELLS as u32, rank: 0, order: Vec::new() };
        assert_eq!(add(&failed, &rule, &[wrong]), Err(UnitError::Cell));
        assert_eq!(failed.finish(NonZeroUsize::MIN), Err(UnitError::Cell));
        assert_eq!(files(folder.path()), 0);
    }
}

#[test]
fn a_folder_that_does_not_exist_matters_when_it_is_needed() {
    let parent = tempfile::tempdir().expect("a folder");
    let missing = parent.path().join("missing");
    let error = UnitError::Temporary { kind: ErrorKind::NotFound };
    for rule in rules() {
        let enough = Manner { memory: 64 << 20, ..TIGHT };
        assert!(count(&rule, &records(3_000), enough, &missing).is_ok());
        assert_eq!(count(&rule, &records(3_000), TIGHT, &missing), Err(error));
        // Entries are lost after the error, so there must be no counts.
        let units = Units::new(&rule, CELLS, TIGHT.memory, &missing);
        assert_eq!(add(&units, &rule, &records(3_000)), Err(error));
        assert_eq!(add(&units, &rule, &records(1)), Err(error));
        assert_eq!(units.finish(NonZeroUsize::MIN), Err(error));
    }
    assert!(error.to_string().contains("TMPDIR"));
}

#[test]
fn few_units_never_leave_memory() {
    let missing = Path::new("/no/such/folder");
    let records: Vec<Record> = (0..50).flat_map(|_| records(100)).collect();
    for rule in rules() {
        let manner = Manner { memory: 1 << 20, ..TIGHT };
        assert_eq!(count(&rule, &records, manner, missing).expect("counts").iter().sum::<u64>(), 100);
    }
}

#[test]
fn rejects_rows_of_the_wrong_kind() {
    let folder = tempfile::tempdir().expect("a folder");
    for rule in rules() {
        let units = || Units::new(&rule, CELLS, 0, folder.path());
        let mut ordered = OrderedRows::default();
        ordered.push(1, &[], 0).expect("no error");
        let mut rows = vec![UnitRow { unit: 1, cell: 0, rank: 0 }];
        let results = (units().add(&mut rows), units().add_ordered(&mut ordered));
        let expected = match rule {
            PerUnit::Latest(_) => (Err(UnitError::Rows), Ok(())),
            _ => (Ok(()), Err(UnitError::Rows)),
        };
        assert_eq!(results, expected);
    }
    let mut ordered = OrderedRows::default();
    assert_eq!(ordered.push(1, &[0; 65_536], 0), Err(UnitError::Order));
    assert_eq!(ordered.push(1, &[0; 65_535], 0), Ok(()));
}

#[test]
fn no_rows_give_no_counts() {
    let folder = tempfile::tempdir().expect("a folder");
    for rule in rules() {
        assert_eq!(count(&rule, &[], TIGHT, folder.path()), Ok(vec![0; CELLS]));
        let shown = format!("{:?}", Units::new(&rule, CELLS, 0, folder.path()));
        assert_eq!(shown, "Units { cells: 6, .. }");
    }
}
