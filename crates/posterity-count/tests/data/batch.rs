//! Several questions in one pass: the answers are those that a plain loop over the records gives.

use std::sync::Arc;

use arrow_array::{ArrayRef, Int64Array, StringArray};
use posterity_core::sampler::SeededBits;
use posterity_count::{Column, DataError, PerUnit, Question, Resources, Source, count, count_all};

use crate::scratch::{Scratch, about, batch, go_on};

/// The values of these columns are a function of the row, so that a plain loop can count them. `v` has more values than
/// two bytes hold, and `u` has three records for each of its values.
const COLUMNS: [(&str, usize, usize); 6] =
    [("a", 2, 7), ("b", 3, 11), ("c", 5, 13), ("d", 6, 3), ("e", 30, 17), ("v", 40_000, 1)];
const ROWS: usize = 30_000;

fn value(column: usize, row: usize) -> usize {
    let (_, values, factor) = COLUMNS[column];
    (row * factor + row * row / 97) % values
}

fn column(position: usize) -> Column {
    let (name, values, _) = COLUMNS[position];
    Column::new(name, (0..values).map(|value| value.to_string()))
}

/// Sets of columns with one, two, three and many dimensions; the last are larger than a shared table.
const SETS: [&[usize]; 12] =
    [&[0], &[1, 0], &[0, 1, 2], &[2], &[3, 4], &[4, 3], &[2, 3], &[1], &[4], &[0, 1, 2, 3, 4], &[5], &[5, 0]];

fn questions() -> Vec<Question> {
    SETS.iter().map(|set| Question::new(set.iter().map(|&position| column(position)).collect())).collect()
}

/// Counts by a plain loop over the rows that count.
fn expected(set: &[usize], counts: impl Fn(usize) -> bool) -> Vec<u64> {
    let cells: usize = set.iter().map(|&position| COLUMNS[position].1).product();
    let mut counted = vec![0; cells];
    for row in (0..ROWS).filter(|&row| counts(row)) {
        let cell = set.iter().fold(0, |cell, &position| cell * COLUMNS[position].1 + value(position, row));
        counted[cell] += 1;
    }
    counted
}

fn csv(scratch: &Scratch) -> String {
    let mut text = String::from("a,b,c,d,e,v,u\n");
    for row in 0..ROWS {
        let values: Vec<String> = (0..COLUMNS.len()).map(|column| value(column, row).to_string()).collect();
        text += &format!("{},{}\n", values.join(","), row / 3);
    }
    scratch.write("wide.csv", text)
}

/// Text, which Parquet writes with dictionaries, and whole numbers.
fn parquet(scratch: &Scratch) -> String {
    let mut columns: Vec<(&str, ArrayRef)> = Vec::new();
    for (position, (name, _, _)) in COLUMNS.iter().enumerate() {
        let values = (0..ROWS).map(|row| value(position, row));
        columns.push((
            name,
            match position % 2 {
                0 => Arc::new(StringArray::from_iter_values(values.map(|value| value.to_string()))),
                _ => Arc::new(Int64Array::from_iter_values(values.map(|value| value as i64))),
            },
        ));
    }
    columns.push(("u", Arc::new(Int64Array::from_iter_values((0..ROWS).map(|row| row as i64 / 3)))));
    scratch.parquet("wide.parquet", &batch(columns))
}

fn together(path: &str, questions: &[Question]) -> Vec<Vec<u64>> {
    let mut bits = SeededBits::new(5);
    let counted = count_all(&Source::files(path), questions, &mut bits, &Resources::default(), &go_on);
    counted.expect("counted").iter().map(|one| one.counts.as_slice().to_vec()).collect()
}

fn apart(path: &str, question: &Question) -> Vec<u64> {
    let mut bits = SeededBits::new(5);
    let counted = count(&Source::files(path), question, &mut bits, &Resources::default(), &go_on);
    counted.expect("counted").counts.as_slice().to_vec()
}

/// If this fails, a study publishes counts that are not those of its questions.
#[test]
fn one_pass_gives_the_counts_of_a_plain_loop() {
    let scratch = Scratch::new();
    for path in [csv(&scratch), parquet(&scratch)] {
        for (set, counts) in SETS.iter().zip(together(&path, &questions())) {
            assert_eq!(counts, expected(set, |_| true), "{set:?}");
        }
        let filtered: Vec<Question> = questions()
            .into_iter()
            .map(|question| Question { filter: Some("d <> '4'".into()), ..question })
            .collect();
        for (set, counts) in SETS.iter().zip(together(&path, &filtered)) {
            assert_eq!(counts, expected(set, |row| value(3, row) != 4), "{set:?}");
        }
        let within: Vec<Question> = questions()
            .into_iter()
            .map(|question| Question { within: Some("d <> '4' AND v < 39000".into()), ..question })
            .collect();
        let inside = |row: usize| value(3, row) != 4 && value(5, row) < 39_000;
        for (set, counts) in SETS.iter().zip(together(&path, &within)) {
            let mut expected = expected(set, inside);
            expected.push((0..ROWS).filter(|&row| !inside(row)).count() as u64);
            assert_eq!(counts, expected, "{set:?}");
        }
    }
}

/// By every rule each question counts the units as it would by itself, and by `random` one record stands for the unit
/// in all.
#[test]
fn units_count_as_they_do_apart() {
    let scratch = Scratch::new();
    for path in [csv(&scratch), parquet(&scratch)] {
        for rule in [PerUnit::Random, PerUnit::First, PerUnit::Mode, PerUnit::Latest("e".into())] {
            for within in [None, Some("d <> '4'".to_owned())] {
                let asked: Vec<Question> = questions()
                    .into_iter()
                    .take(10)
                    .map(|question| Question {
                        unit: Some("u".into()),
                        per_unit: rule.clone(),
                        within: within.clone(),
                        ..question
                    })
                    .collect();
                for (question, counts) in asked.iter().zip(together(&path, &asked)) {
                    assert_eq!(counts.iter().sum::<u64>(), 10_000);
                    assert_eq!(counts, apart(&path, question), "{rule} {question:?}");
                }
            }
        }
    }
}

#[test]
fn questions_of_different_records_are_refused() {
    let scratch = Scratch::new();
    let path = scratch.write("a.csv", "a,b\nx,y\n");
    let one = about("a", &["x", "y"]);
    let refused = |questions: &[Question]| {
        count_all(&Source::files(&path), questions, &mut SeededBits::new(1), &Resources::default(), &go_on)
            .expect_err("refused")
    };
    let table = [
        (Question { filter: Some("b = 'y'".into()), ..one.clone() }, "filter"),
        (Question { within: Some("b = 'y'".into()), ..one.clone() }, "private filter"),
        (Question { unit: Some("b".into()), ..one.clone() }, "unit"),
    ];
    for (other, what) in table {
        let error = DataError::MixedQuestions { question: 3, what };
        assert_eq!(refused(&[one.clone(), one.clone(), other]), error);
    }
    let unit = |per_unit| Question { unit: Some("b".into()), per_unit, ..one.clone() };
    let error = DataError::MixedQuestions { question: 2, what: "rule for units" };
    assert_eq!(refused(&[unit(PerUnit::First), unit(PerUnit::Mode)]), error);
    assert_eq!(refused(&[]), DataError::NoQuestions);
    // A record without a category in one question makes all refused.
    let outside = DataError::Outside { column: "b".into() };
    assert_eq!(refused(&[one, about("b", &["u", "v"])]), outside);
}
