//! Private filters: records outside have a cell of their own, so that n does not depend on the filter.

use posterity_count::{DataError, FilterError, PerUnit, Question, Source};

use crate::scratch::{Scratch, about, answer};

fn question() -> Question {
    Question { within: Some("age >= 18".into()), ..about("cured", &["yes", "no"]) }
}

fn counts(path: &str, question: &Question) -> Result<Vec<u64>, DataError> {
    answer(&Source::files(path), question).map(|counted| counted.counts.as_slice().to_vec())
}

#[test]
fn records_outside_count_to_the_last_cell() {
    let scratch = Scratch::new();
    let path = scratch.write("a.csv", "cured,age\nyes,20\nno,30\nyes,40\nyes,10\n");
    assert_eq!(counts(&path, &question()), Ok(vec![2, 1, 1]));
    let names = answer(&Source::files(&path), &question()).expect("counted").categories;
    assert_eq!(names.names(), ["yes", "no", "outside"]);
    // A condition that is unknown is not true.
    let path = scratch.write("a.csv", "cured,age\nyes,20\nno,\n");
    assert_eq!(counts(&path, &question()), Ok(vec![1, 0, 1]));
}

/// What a record outside holds does not matter; a record inside must have a category.
#[test]
fn values_outside_need_not_be_declared() {
    let scratch = Scratch::new();
    let path = scratch.write("a.csv", "cured,age\nyes,20\nperhaps,10\n,11\n");
    assert_eq!(counts(&path, &question()), Ok(vec![1, 0, 2]));
    let path = scratch.write("a.csv", "cured,age\nyes,20\nperhaps,30\n");
    assert_eq!(counts(&path, &question()), Err(DataError::Outside { column: "cured".into() }));
    let other = question().with_other("other");
    assert_eq!(counts(&path, &other), Ok(vec![1, 0, 1, 0]));
}

/// The public filter comes first: what it leaves out is not outside but gone.
#[test]
fn both_filters() {
    let scratch = Scratch::new();
    let path = scratch.write("a.csv", "cured,age,year\nyes,20,1\nno,10,1\nno,30,2\nno,10,2\n");
    let both = Question { filter: Some("year = 1".into()), ..question() };
    assert_eq!(counts(&path, &both), Ok(vec![1, 0, 1]));
}

#[test]
fn units_may_count_outside() {
    let scratch = Scratch::new();
    let text = "id,cured,age\n1,yes,10\n1,no,20\n2,yes,30\n2,no,5\n2,no,6\n3,no,1\n";
    let path = scratch.write("a.csv", text);
    let by = |per_unit| Question { unit: Some("id".into()), per_unit, ..question() };
    // The category that is declared first: outside is the last.
    assert_eq!(counts(&path, &by(PerUnit::First)), Ok(vec![1, 1, 1]));
    assert_eq!(counts(&path, &by(PerUnit::Mode)), Ok(vec![0, 1, 2]));
    assert_eq!(counts(&path, &by(PerUnit::Latest("age".into()))), Ok(vec![1, 1, 1]));
    let random = counts(&path, &by(PerUnit::Random)).expect("counted");
    assert!(random.iter().sum::<u64>() == 3 && random[2] >= 1, "{random:?}");
}

#[test]
fn errors_name_the_private_filter() {
    let scratch = Scratch::new();
    let path = scratch.write("a.csv", "cured,age\nyes,old\n");
    let error = counts(&path, &question()).expect_err("refused");
    assert!(matches!(&error, DataError::Within { error, .. } if error.is_about_a_record()), "{error}");
    let unknown = Question { within: Some("height > 3".into()), ..question() };
    let error = counts(&path, &unknown).expect_err("refused");
    assert!(matches!(&error, DataError::Within { error: FilterError::UnknownColumn { .. }, .. }), "{error}");
    let wrong = Question { within: Some("age >".into()), ..question() };
    assert!(matches!(counts(&path, &wrong), Err(DataError::Within { .. })));
}
