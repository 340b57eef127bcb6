//! Counts of files with any bytes.

use std::cell::RefCell;
use std::fs;
use std::num::NonZeroUsize;
use std::ops::ControlFlow;

use posterity::data::{
    Adjacency, Column, Counted, DataError, Question, Resources, Source, count as count_source,
};
use posterity_core::sampler::SeededBits;
use tempfile::TempDir;

thread_local! {
    /// A folder in memory, if the system has one.
    static FOLDER: RefCell<TempDir> = RefCell::new(
        tempfile::tempdir_in("/dev/shm").or_else(|_| tempfile::tempdir()).expect("a folder"),
    );
}

/// Does something with a file of these bytes.
pub(crate) fn with_file(bytes: &[u8], name: &str, work: impl FnOnce(&Source)) {
    FOLDER.with_borrow(|folder| {
        let path = folder.path().join(name);
        fs::write(&path, bytes).expect("written");
        work(&Source::files(path.to_string_lossy()));
    });
}

/// Counts a file with these bytes in three ways. The format is told by its name.
pub(crate) fn count(bytes: &[u8], name: &str) {
    with_file(bytes, name, |source| {
        let public = counted(source, &Question::new(vec![column()]));
        let private = Question { adjacency: Adjacency::AddRemove, ..Question::new(vec![column()]) };
        let left = counted(source, &private);
        // What is counted where n is public is counted where it is private, too, and no more.
        if let (Ok(public), Ok(left)) = (&public, &left) {
            assert_eq!(public.counts.as_slice(), left.counts.as_slice());
        }
        // Where n is private, only a file that cannot be read is an error, and then it is one for all.
        if let (Ok(_), Err(error)) = (&public, &left) {
            panic!("counted where n is public, and refused where it is private: {error}");
        }
        let of_units = Question { unit: Some("who".to_owned()), ..private.clone() };
        let filtered = Question { filter: Some("n > 1 OR n IS NULL".to_owned()), ..of_units };
        let _ = counted(source, &filtered);
    });
}

fn column() -> Column {
    Column::new("a", ["yes", "no"])
}

/// Counts with little memory and one thread.
pub(crate) fn counted(source: &Source, question: &Question) -> Result<Counted, DataError> {
    let resources = Resources { memory: 16 << 20, threads: NonZeroUsize::MIN };
    count_source(source, question, &mut SeededBits::new(1), &resources, &|_| ControlFlow::Continue(()))
}
