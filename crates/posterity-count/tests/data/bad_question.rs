//! Questions that are refused.

use posterity_core::model::CategoriesError;
use posterity_count::{CellsError, Column, DataError, Question, ReadError, Source};

use crate::scratch::{Scratch, about, answer, counts};

#[test]
fn rejects() {
    let scratch = Scratch::new();
    let path = scratch.write("a.csv", "a,b\nx,1\n");
    let values = |error| DataError::Cells(CellsError::Values { column: "a".into(), error });
    let table = [
        (
            about("a", &["x", "y", "x"]),
            values(CategoriesError::Repeated { name: "x".into(), first: 0, second: 2 }),
        ),
        (about("a", &["x"]), values(CategoriesError::TooFew { found: 1 })),
        (about("a", &["x", ""]), values(CategoriesError::Empty { index: 1 })),
        (Question::new(vec![]), DataError::Cells(CellsError::NoColumns)),
        (
            Question::new(vec![Column::new("a", ["x", "y"]), Column::new("a", ["x", "y"])]),
            DataError::Cells(CellsError::RepeatedColumn { column: "a".into() }),
        ),
    ];
    for (question, error) in table {
        assert_eq!(counts(&path, &question), Err(error));
    }
}

#[test]
fn delimiters() {
    let scratch = Scratch::new();
    let path = scratch.write("a.csv", "a\tb\nx\t1\n");
    let question = about("a", &["x", "y"]);
    for delimiter in ['"', '\n', '\r', '\0', 'ä', '→'] {
        let source = Source::files(&path).with_delimiter(delimiter);
        assert_eq!(answer(&source, &question), Err(DataError::Read(ReadError::Delimiter { delimiter })));
    }
    let source = Source::files(&path).with_delimiter('\t');
    assert_eq!(answer(&source, &question).expect("counted").counts.as_slice(), [1, 0]);
}
