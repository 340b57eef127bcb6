//! Where n is private, no record is an error, and one record, or one unit, changes the counts by at most one, or by as
//! many as its rule says (docs/proofs/stability.md).

use std::num::NonZeroU32;
use std::sync::Arc;

use arrow_array::builder::{Int64Builder, ListBuilder};
use arrow_array::{ArrayRef, Int64Array, StringArray, StructArray};
use arrow_schema::{DataType, Field, Fields};
use posterity_core::sampler::SeededBits;
use posterity_count::{
    Adjacency, Bins, Column, DataError, MAX_RECORD, PerUnit, Question, ReadError, Source, count_all, describe,
};
use posterity_testkit::{Random, trials};
use rusqlite::types::Value as Cell;

use crate::scratch::{Scratch, about, alone, batch, cast, counts, go_on, strings};
use crate::stability::{Row, WRITERS, Writer, beside, counted_together, question};

fn private(question: Question) -> Question {
    Question { adjacency: Adjacency::AddRemove, ..question }
}

fn all(most: u32) -> PerUnit {
    PerUnit::All(NonZeroU32::new(most).expect("not zero"))
}

/// How many pairs ended in which way. The summary shows that the test is not trivial.
#[derive(Debug, Default)]
struct Seen {
    pairs: usize,
    changed: usize,
    by_several: usize,
    empty: usize,
    strays: usize,
    broken: usize,
}

/// Units that are none: missing ones, and those without an exact name.
fn nobody(writer: &Writer) -> &'static [&'static str] {
    match writer.name {
        "json" | "array.json" | "folder" => &["null", "1.5", "[1]", "1e-3"],
        "sqlite" => &["null", "1.5", "1e-3"],
        _ => &[""],
    }
}

/// One pair of sources: all records, and all but one, or but those of one unit.
fn pair(dice: &mut Random, scratch: &Scratch, writer: &Writer, seen: &mut Seen) {
    let rules = [
        None,
        Some(PerUnit::First),
        Some(PerUnit::Mode),
        Some(PerUnit::Latest("time".into())),
        Some(PerUnit::Latest("category".into())),
        Some(PerUnit::Random),
        Some(all(1 + dice.index(3) as u32)),
    ];
    let rule = rules[dice.index(rules.len())].clone().filter(|rule| !(writer.moves() && rule.draws()));
    let mut questions = vec![private(question(dice, rule.clone()))];
    for _ in 0..dice.index(3) {
        questions.push(beside(dice, &questions[0]));
    }
    let record = |dice: &mut Random| {
        let wild = dice.index(3) == 0;
        if dice.index(5) == 0
            && let Some(text) = (writer.broken)(dice)
        {
            return Row::broken(&text, nobody(writer)[0]);
        }
        let mut row = (writer.row)(dice, wild);
        if dice.index(6) == 0 {
            row.id = dice.pick(nobody(writer)).to_owned();
        }
        row
    };
    let mut with: Vec<Row> = (0..1 + dice.index(9)).map(|_| record(dice)).collect();
    let chosen = dice.index(with.len());
    let id = with[chosen].id.clone();
    let is_unit = !nobody(writer).contains(&id.as_str());
    let without: Vec<Row> = match &rule {
        None => {
            with.iter().enumerate().filter(|(row, _)| *row != chosen).map(|(_, row)| row.clone()).collect()
        }
        Some(rule) => {
            if rule.draws() {
                // The draws of others belong to their places, which must stay: that is the coupling of the proof.
                with.sort_by_key(|row| row.id == id);
            }
            with.iter().filter(|row| row.id != id).cloned().collect()
        }
    };
    let path = |which: &str| format!("{which}.{}", writer.name);
    let more = counted_together(&(writer.file)(scratch, &path("with"), &with), &questions);
    let less = counted_together(&(writer.file)(scratch, &path("without"), &without), &questions);
    let told =
        || format!("{} {questions:?}\nwith {with:#?}\nwithout {without:#?}\n{more:?} {less:?}", writer.name);
    let (Ok(more), Ok(less)) = (&more, &less) else { unreachable!("refused: {}", told()) };
    let most = match &rule {
        None => 1,
        Some(_) if !is_unit => 0,
        Some(rule) => u64::from(rule.most().get()),
    };
    seen.pairs += 1;
    seen.empty += usize::from(without.is_empty());
    let broken = |rows: &[Row]| rows.iter().filter(|row| row.broken.is_some()).count();
    seen.broken += usize::from(broken(&with) > broken(&without));
    for (more, less) in more.iter().zip(less) {
        let change: Option<u64> = more.iter().zip(less).map(|(more, less)| more.checked_sub(*less)).sum();
        let change = change.unwrap_or(u64::MAX);
        assert!(change <= most, "{change}: {}", told());
        seen.changed += usize::from(change > 0);
        seen.by_several += usize::from(change > 1);
        seen.strays += usize::from(rule.is_none() && more.iter().sum::<u64>() < with.len() as u64);
    }
}

fn pairs(of_each: usize, seed: u64) {
    let of_one_kind = |writer: &Writer| {
        let scratch = Scratch::new();
        let mut seen = Seen::default();
        let mut dice = Random::new(seed);
        for _ in 0..of_each {
            pair(&mut dice, &scratch, writer, &mut seen);
        }
        println!("{}: seed {seed}, {seen:?}", writer.name);
        assert!(seen.changed * 4 > seen.pairs && (seen.by_several > 0 || writer.moves()), "{seen:?}");
        assert!(seen.empty > 0 && seen.strays * 20 > seen.pairs, "{seen:?}");
        assert!(seen.broken > 0 || (writer.broken)(&mut dice).is_none(), "{seen:?}");
        (seen.pairs, seen.broken)
    };
    let of_all: Vec<(usize, usize)> = std::thread::scope(|scope| {
        let kinds: Vec<_> = WRITERS.iter().map(|writer| scope.spawn(|| of_one_kind(writer))).collect();
        kinds.into_iter().map(|kind| kind.join().expect("one record changes one count")).collect()
    });
    let (pairs, broken) = of_all.iter().fold((0, 0), |sum, one| (sum.0 + one.0, sum.1 + one.1));
    println!(
        "{pairs} pairs of adjacent sources, none refused; in {broken} what is gone is none of its format"
    );
}

/// If this fails, someone can tell from a release whether a record is there.
#[test]
fn one_record_changes_one_count() {
    pairs(trials(2_000_usize).div_ceil(WRITERS.len()).max(100), 1);
}

#[test]
#[ignore = "20,000 pairs; ./test --slow"]
fn one_record_changes_one_count_of_many() {
    pairs(trials(20_000_usize).div_ceil(WRITERS.len()), 2);
}

#[test]
fn no_records_count_nothing() {
    let scratch = Scratch::new();
    let unit = Question { unit: Some("id".into()), ..about("category", &["x", "y"]) };
    let latest = Question { per_unit: PerUnit::Latest("time".into()), ..unit.clone() };
    let several = Question { per_unit: all(3), ..unit.clone() };
    let within = Question { within: Some("number > 5".into()), ..about("category", &["x", "y"]) };
    for writer in &WRITERS {
        let path = (writer.file)(&scratch, &format!("none.{}", writer.name), &[]);
        for question in [about("category", &["x", "y"]), unit.clone(), latest.clone(), several.clone()] {
            assert_eq!(counts(&path, &private(question)), Ok(vec![0, 0]), "{path}");
        }
        assert_eq!(counts(&path, &private(within.clone())), Ok(vec![0, 0, 0]), "{path}");
    }
    let question = private(about("category", &["x", "y"]));
    for (name, text) in
        [("a.csv", "category\n"), ("b.csv", "id,category"), ("c.json", "\n\n"), ("d.json", "")]
    {
        assert_eq!(counts(&scratch.write(name, text), &question), Ok(vec![0, 0]), "{name}");
    }
    assert_eq!(counts(&scratch.gzip("e.json.gz", ""), &question), Ok(vec![0, 0]));
    // Only a JSON file without records has no bytes. Of the others, a file of no bytes was never written.
    for name in ["f.csv", "f.parquet", "f.arrow", "f.json.gz"] {
        let path = scratch.write(name, "");
        assert_eq!(counts(&path, &question), Err(DataError::Read(ReadError::EmptyFile { path })));
    }
    // A line that is no object is a record without values. An array with such an element is none, and refused.
    for text in ["{}\n\"x\"", "[1]", "[\n1\n]\n", "x"] {
        assert_eq!(counts(&scratch.write("g.json", text), &question), Ok(vec![0, 0]), "{text}");
    }
    let path = scratch.write("g.json", "[{\"category\":\"x\"}, 1]");
    assert_eq!(counts(&path, &question), Err(DataError::Read(ReadError::NotLines { path })));
    for text in ["[]", " [ ]\n"] {
        assert_eq!(counts(&scratch.write("h.json", text), &question), Ok(vec![0, 0]), "{text}");
    }
}

/// Every kind of record that is an error where n is public, between records that count.
#[test]
fn strays_are_left_out() {
    let scratch = Scratch::new();
    let csv = "id,a,n,t\n1,x,5,1\n2,zzz,5,1\n3,,5,1\n4,y,five,1\n5,y,,1\n,y,6,1\n6,x,7,1\n";
    let json = [
        r#"{"id":1,"a":"x","n":5,"t":1}"#,
        r#"{"id":2,"a":"zzz","n":5,"t":1}"#,
        r#"{"id":3,"n":5,"t":1}"#,
        r#"{"id":4,"a":"y","n":"five","t":1}"#,
        r#"{"id":5,"a":"y","t":1}"#,
        r#"{"a":"y","n":6,"t":1}"#,
        r#"{"id":6,"a":"x","n":7,"t":1}"#,
    ];
    let more = [
        r#"{"id":7,"a":0.5,"n":[],"t":{}}"#,
        r#"{"id":8,"a":"y","a":"y","n":1,"n":1,"t":[]}"#,
        r#"{"id":1.5,"a":"\ud800","n":"\ud800","t":[]}"#,
    ];
    let texts = strings(&[Some("x"), Some("zzz"), None, Some("y"), Some("y"), Some("y"), Some("x")]);
    let numbers = strings(&[Some("5"), Some("5"), Some("5"), Some("five"), None, Some("6"), Some("7")]);
    let ids: ArrayRef =
        Arc::new(Int64Array::from(vec![Some(1), Some(2), Some(3), Some(4), Some(5), None, Some(6)]));
    let dictionary = DataType::Dictionary(Box::new(DataType::Int32), Box::new(DataType::Utf8));
    let table = |a: &ArrayRef| {
        batch(vec![("id", ids.clone()), ("a", a.clone()), ("n", numbers.clone()), ("t", ids.clone())])
    };
    let paths = [
        scratch.write("a.csv", csv),
        scratch.write("b.json", json.join("\n")),
        scratch.write("c.json", [&json[..], &more].concat().join("\n")),
        scratch.parquet("d.parquet", &table(&texts)),
        scratch.arrow("e.arrow", &table(&texts)),
        scratch.arrow("f.arrow", &table(&cast(&texts, &dictionary))),
    ];
    let one = private(about("a", &["x", "y"]));
    let bins = Column::binned("n", Bins::new(["0", "6", "10"]).expect("valid"));
    let two = private(Question::new(vec![Column::new("a", ["x", "y"]), bins.clone()]));
    let filter = Question { filter: Some("n >= 6".into()), ..one.clone() };
    let within = Question { within: Some("n >= 6".into()), ..one.clone() };
    let by = |rule: PerUnit| Question { unit: Some("id".into()), per_unit: rule, ..one.clone() };
    let table = [
        (one.clone(), vec![2, 3]),
        (private(Question::new(vec![bins])), vec![3, 2]),
        (two.clone(), vec![1, 1, 0, 1]),
        (filter.clone(), vec![1, 1]),
        (by(PerUnit::First), vec![2, 2]),
        (by(PerUnit::Mode), vec![2, 2]),
        (by(PerUnit::Random), vec![2, 2]),
        (by(all(2)), vec![2, 2]),
    ];
    for path in &paths {
        for (question, expected) in &table {
            assert_eq!(counts(path, question).as_ref(), Ok(expected), "{path} {question:?}");
        }
        // A record for which the filter has no answer, or is not true, is outside, whatever else it holds.
        let strays = if path.ends_with("c.json") { 3 } else { 0 };
        assert_eq!(counts(path, &within), Ok(vec![1, 1, 5 + strays]), "{path}");
        let unnamed = if path.ends_with("c.json") { 2 } else { 0 };
        let units = Question { unit: Some("id".into()), ..within.clone() };
        assert_eq!(counts(path, &units), Ok(vec![1, 0, 5 + unnamed]), "{path}");
        // Each question by itself leaves records out.
        let asked = [one.clone(), two.clone()];
        let mut bits = SeededBits::new(3);
        let both = count_all(&Source::files(path), &asked, &mut bits, &alone(), &go_on).expect("counted");
        assert_eq!(both[0].counts.as_slice(), [2, 3], "{path}");
        assert_eq!(both[1].counts.as_slice(), [1, 1, 0, 1], "{path}");
    }
    let other = one.clone().with_other("rest").with_missing("none");
    assert_eq!(counts(&paths[0], &other), Ok(vec![2, 3, 1, 1]));
    // A value that is no text is left out by every rule that needs its order.
    let ordered = by(PerUnit::Latest("t".into()));
    assert_eq!(counts(&paths[2], &ordered), Ok(vec![2, 2]));
    let lone = scratch.write("g.json", format!("{{\"id\":1,\"a\":\"x\",\"t\":1}}\n{}", more.join("\n")));
    let other = ordered.with_other("rest");
    assert_eq!(counts(&lone, &other), Ok(vec![1, 0, 0]), "values without a name are not other values");
}

/// A column that no record has is one that one more record may have.
#[test]
fn a_column_of_json_may_be_in_no_record() {
    let scratch = Scratch::new();
    let path = scratch.write("a.json", "{\"a\":\"x\"}\n{\"a\":\"y\"}\n");
    let question = private(about("b", &["x", "y"]));
    assert_eq!(counts(&path, &question), Ok(vec![0, 0]));
    assert_eq!(counts(&path, &question.clone().with_missing("none")), Ok(vec![0, 0, 2]));
    let filter = Question { filter: Some("c = 'x'".into()), ..private(about("a", &["x", "y"])) };
    assert_eq!(counts(&path, &filter), Ok(vec![0, 0]));
    let unit = Question { unit: Some("id".into()), ..private(about("a", &["x", "y"])) };
    assert_eq!(counts(&path, &unit), Ok(vec![0, 0]));
    // The columns of other formats are declared, and public.
    let csv = scratch.write("a.csv", "a\nx\n");
    assert!(matches!(counts(&csv, &question), Err(DataError::UnknownColumn { .. })));
}

/// A unit counts with all of its records that have a category, up to the bound.
#[test]
fn a_unit_counts_with_several_records() {
    let scratch = Scratch::new();
    let path = scratch.write("a.csv", "id,a\n1,x\n1,x\n1,x\n1,\n2,y\n2,x\n2,z\n,x\n3,z\n");
    let ask = |most: u32| {
        let unit = Some("id".into());
        Question { unit, per_unit: all(most), ..private(about("a", &["x", "y"])) }
    };
    assert_eq!(counts(&path, &ask(9)), Ok(vec![4, 1]));
    assert_eq!(counts(&path, &ask(3)), Ok(vec![4, 1]));
    assert_eq!(counts(&path, &ask(2)), Ok(vec![3, 1]));
    assert_eq!(counts(&path, &ask(1)).map(|counts| counts.iter().sum::<u64>()), Ok(2));
    let filter = Question { filter: Some("id > 1".into()), ..ask(9) };
    assert_eq!(counts(&path, &filter), Ok(vec![1, 1]));
    // The records that are drawn are the same in all questions that have them.
    let twice = [ask(1), Question { columns: vec![Column::new("a", ["y", "x"])], ..ask(1) }];
    for seed in 0..20 {
        let mut bits = SeededBits::new(seed);
        let both = count_all(&Source::files(&path), &twice, &mut bits, &alone(), &go_on).expect("counted");
        let reversed: Vec<u64> = both[1].counts.as_slice().iter().rev().copied().collect();
        assert_eq!(both[0].counts.as_slice(), reversed);
    }
}

/// Batches with and without strays, tables that share columns, and more categories than two bytes hold.
#[test]
fn many_records_are_counted_as_one_by_one() {
    let scratch = Scratch::new();
    let rows = 20_000_usize;
    // Whole stretches have no strays, so that both ways of counting are taken.
    let value = |row: usize, column: usize| {
        let mixed = (row * 7 + column * 13 + row / 11) % 40_000;
        if (row / 5_000).is_multiple_of(2) && mixed % 9 == column {
            None
        } else {
            Some(mixed % [3, 40_000, 5][column])
        }
    };
    let line = |row: usize| {
        let text = |column| value(row, column).map(|value| value.to_string()).unwrap_or_default();
        format!("{},{},{},{}\n", row % 700, text(0), text(1), text(2))
    };
    let path = scratch.write("a.csv", format!("id,a,b,c\n{}", (0..rows).map(line).collect::<String>()));
    let column = |name: &str, values: usize| Column::new(name, (0..values).map(|value| value.to_string()));
    // One value of each column is not declared.
    let columns = [column("a", 2), column("b", 39_999), column("c", 4)];
    let sizes = [2, 39_999, 4];
    let sets: [&[usize]; 6] = [&[0], &[1], &[2], &[0, 2], &[2, 0], &[1, 2]];
    let ask = |set: &&[usize]| private(Question::new(set.iter().map(|&at| columns[at].clone()).collect()));
    let questions: Vec<Question> = sets.iter().map(ask).collect();
    let cell = |set: &[usize], row: usize| {
        set.iter()
            .try_fold(0, |cell, &at| Some(cell * sizes[at] + value(row, at).filter(|&v| v < sizes[at])?))
    };
    let expected = |set: &[usize]| {
        let mut counts = vec![0_u64; set.iter().map(|&at| sizes[at]).product()];
        (0..rows).filter_map(|row| cell(set, row)).for_each(|cell| counts[cell] += 1);
        counts
    };
    let found = counted_together(&path, &questions).expect("counted");
    for (set, found) in sets.iter().zip(&found) {
        assert!(*found == expected(set), "{set:?}");
    }
    let unit =
        |question: &Question| Question { unit: Some("id".into()), per_unit: all(9), ..question.clone() };
    let questions: Vec<Question> = questions.iter().map(unit).collect();
    let found = counted_together(&path, &questions).expect("counted");
    for (set, found) in sets.iter().zip(&found) {
        let of_unit = |unit: usize| (unit..rows).step_by(700).filter(|&row| cell(set, row).is_some()).count();
        let most: usize = (0..700).map(|unit| of_unit(unit).min(9)).sum();
        assert_eq!(found.iter().sum::<u64>(), most as u64, "{set:?}");
    }
}

/// What a format allows is no error, however strange; what breaks the format is one, and the file is not told.
#[test]
fn text_that_is_none() {
    let scratch = Scratch::new();
    let question = private(about("a", &["x", "y"]));
    let path = scratch.write("a.csv", b"id,a\n1,x\n2,\xff\n\xfe,y\n".as_slice());
    assert_eq!(counts(&path, &question), Ok(vec![1, 1]));
    let path = scratch.write("b.csv", "a\nx\n\ny\n\n");
    assert_eq!(counts(&path, &question), Ok(vec![1, 1]));
    let long = "z".repeat(70_000);
    let path = scratch.write("c.csv", format!("id,a,t\n1,x,1\n1,y,{long}\n2,y,\n"));
    let latest =
        Question { unit: Some("id".into()), per_unit: PerUnit::Latest("t".into()), ..question.clone() };
    assert_eq!(counts(&path, &latest), Ok(vec![1, 1]));
    scratch.write("d/a.csv", "id,a\n1,x\n");
    scratch.write("d/b.csv", "id,a\n1,\"x\n");
    let path = scratch.text("d/*.csv");
    let error = counts(&path, &question);
    assert_eq!(error, Err(DataError::Read(ReadError::OpenQuote { path })));
    let other = scratch.write("e.csv", "id,a\n1,x,2\n1,x\n1\n");
    assert_eq!(counts(&other, &question), Ok(vec![1, 0]), "records of another length have no values");
    assert_eq!(counts(&other, &question.clone().with_missing("none")), Ok(vec![1, 0, 2]));
    assert_eq!(counts(&other, &about("a", &["x", "y"])), Err(DataError::Read(ReadError::FieldCount)));
}

/// If this fails, one line has a file refused, or is not counted among those without values, or the promise of a public n
/// holds for a file that nobody can read.
#[test]
fn a_line_that_is_no_object_has_no_values() {
    let scratch = Scratch::new();
    let public = about("category", &["x", "y"]).with_missing("none");
    for line in crate::stability::NO_OBJECTS {
        for place in 0..3 {
            let mut lines: Vec<&[u8]> = vec![b"{\"category\":\"x\"}", b"{\"category\":\"y\"}"];
            lines.insert(place, line);
            let shown = String::from_utf8_lossy(line);
            let path = scratch.write("a.jsonl", lines.join(&b'\n'));
            assert_eq!(counts(&path, &private(public.clone())), Ok(vec![1, 1, 1]), "{shown}");
            let refused = counts(&path, &public);
            assert!(matches!(refused, Err(DataError::Read(_))), "{shown} {refused:?}");
            // Neither is there anything of it in a column of which nobody asked.
            let other = private(about("other", &["x", "y"]).with_missing("none"));
            assert_eq!(counts(&path, &other), Ok(vec![0, 0, 3]), "{shown}");
        }
    }
    // An array that is none is refused, whatever n is.
    for array in ["[{\"category\":NaN}]", "[{\"category\":\"x\ty\"}]", "[{\"category\":\"x\"}", "[{}}]"] {
        let path = scratch.write("b.json", array);
        assert!(matches!(counts(&path, &private(public.clone())), Err(DataError::Read(_))), "{array}");
    }
}

/// A folder, or a pattern, whose last file is gone has no records. If this fails, one record decides whether a release is
/// made.
#[test]
fn folders_may_have_no_files() {
    let scratch = Scratch::new();
    let public = about("c", &["x", "y"]).with_missing("none");
    let question = private(public.clone());
    let paths = ["d", "d/*/*.csv", "d/**/*.csv", "d/c=*/part-?.csv", "d/c=x"];
    let within = Question { within: Some("c = 'x'".into()), ..question.clone() };
    std::fs::create_dir_all(scratch.path("d/c=x")).expect("a folder");
    for path in paths {
        assert_eq!(counts(&scratch.text(path), &question), Ok(vec![0, 0, 0]), "{path}");
        assert_eq!(counts(&scratch.text(path), &within), Ok(vec![0, 0, 0, 0]), "{path}");
        let refused = counts(&scratch.text(path), &public);
        assert!(matches!(refused, Err(DataError::Read(_))), "{path} {refused:?}");
    }
    scratch.write("d/c=x/part-0.csv", "id\n1\n");
    for path in &paths[..4] {
        assert_eq!(counts(&scratch.text(path), &question), Ok(vec![1, 0, 0]), "{path}");
        assert_eq!(counts(&scratch.text(path), &within), Ok(vec![1, 0, 0, 0]), "{path}");
    }
    // The name of a folder that is no text, escaped or not.
    scratch.write("d/c=%FF/part-0.csv", "id\n2\n");
    assert_eq!(counts(&scratch.text("d"), &question), Ok(vec![1, 0, 1]));
    let path = scratch.text("d");
    assert_eq!(counts(&path, &public), Err(DataError::Read(ReadError::Partitions { path })));
    // What is no pattern, or is below no folder, is misspelt.
    for path in ["e", "d/part-0.csv", "e/*.csv", "e/c=*/part-0.csv"] {
        let path = scratch.text(path);
        assert_eq!(counts(&path, &question), Err(DataError::Read(ReadError::NotFound { path })));
    }
    // Arguments that are wrong for every format are refused with and without files.
    std::fs::create_dir(scratch.path("none")).expect("a folder");
    for folder in ["d", "none"] {
        let source = Source::files(scratch.text(folder)).with_delimiter('\n');
        let asked = [question.clone()];
        let found = count_all(&source, &asked, &mut SeededBits::new(1), &alone(), &go_on);
        assert_eq!(found, Err(DataError::Read(ReadError::Delimiter { delimiter: '\n' })), "{folder}");
    }
}

/// What a column is follows from what the file declares. If this fails, the first record has a file refused that was read
/// without it.
#[test]
fn a_type_that_is_not_read_is_refused_without_records_too() {
    let scratch = Scratch::new();
    let list = |rows: usize| -> ArrayRef {
        let mut list = ListBuilder::new(Int64Builder::new());
        (0..rows).for_each(|row| list.append_value([Some(row as i64)]));
        Arc::new(list.finish())
    };
    let table = |rows: usize| {
        let text: ArrayRef = Arc::new(StringArray::from(vec!["x"; rows]));
        let fields: Fields = vec![Field::new("a", DataType::Utf8, true)].into();
        let nested: ArrayRef = Arc::new(StructArray::new(fields, vec![text.clone()], None));
        batch(vec![("a", text), ("l", list(rows)), ("s", nested)])
    };
    for column in ["l", "s"] {
        for filter in [format!("{column} IS NOT NULL"), format!("a = 'x' OR {column} IS NULL")] {
            let one = Question { filter: Some(filter), ..about("a", &["x", "y"]) };
            let within = Question { within: one.filter.clone(), filter: None, ..one.clone() };
            for question in [one.clone(), private(one.clone()), private(within)] {
                let found = [0, 1].map(|rows| {
                    let path = scratch.parquet("a.parquet", &table(rows));
                    (counts(&path, &question), path)
                });
                for (counted, path) in found {
                    let refused = ReadError::UnsupportedFile { path, what: "nested columns" };
                    assert_eq!(counted, Err(DataError::Read(refused)), "{question:?}");
                }
            }
        }
    }
    // Of a column in an Arrow file it can be told whether it is there, so nothing is refused.
    let question = private(Question { filter: Some("l IS NOT NULL".into()), ..about("a", &["x", "y"]) });
    for rows in [0, 1] {
        let path = scratch.arrow("a.arrow", &table(rows));
        assert_eq!(counts(&path, &question), Ok(vec![rows as u64, 0]));
    }
}

/// Text that is none in a file that says it is text. If this fails, the bytes of one record have the file refused.
#[test]
fn bytes_in_a_column_of_text_have_no_name() {
    let scratch = Scratch::new();
    let column = |dictionary: bool| {
        let text = strings(&[Some("x"), Some("MARK"), None, Some("y"), Some("x")]);
        let kind = DataType::Dictionary(Box::new(DataType::Int32), Box::new(DataType::Utf8));
        batch(vec![("a", if dictionary { cast(&text, &kind) } else { text })])
    };
    let public = about("a", &["x", "y"]).with_missing("none");
    for dictionary in [false, true] {
        let table = column(dictionary);
        for path in [scratch.parquet("a.parquet", &table), scratch.arrow("a.arrow", &table)] {
            let mut bytes = std::fs::read(&path).expect("read");
            // Also where the file says which values are the least and the largest.
            for at in 0..bytes.len() - 4 {
                if bytes[at..].starts_with(b"MARK") {
                    bytes[at + 1] = 0xff;
                }
            }
            std::fs::write(&path, bytes).expect("written");
            assert_eq!(counts(&path, &private(public.clone())), Ok(vec![2, 1, 1]), "{path} {dictionary}");
            let filter = Question { filter: Some("a <> 'x'".into()), ..private(public.clone()) };
            assert_eq!(counts(&path, &filter), Ok(vec![0, 1, 0]), "{path} {dictionary}");
            assert_eq!(
                counts(&path, &public),
                Err(DataError::Read(ReadError::NotUtf8)),
                "{path} {dictionary}"
            );
        }
    }
}

/// If this fails, one long value has a database refused.
#[test]
fn a_row_of_a_database_that_is_too_long_has_no_values() {
    let scratch = Scratch::new();
    let text = |text: &str| Cell::Text(text.to_owned());
    let half = "z".repeat(MAX_RECORD / 2 + 1);
    let long = "z".repeat(MAX_RECORD + 1);
    let rows = [
        vec![text("x"), text("1")],
        vec![text(&long), text("x")],
        vec![text("x"), text(&long)],
        vec![text(&half), text(&half)],
        vec![text("y"), Cell::Null],
    ];
    let path = scratch.sqlite("a.sqlite", &["a", "b"], &rows);
    let public = Question { filter: Some("b <> 'z' OR b IS NULL".into()), ..about("a", &["x", "y"]) };
    let public = public.with_missing("none");
    assert_eq!(counts(&path, &private(public.clone())), Ok(vec![1, 1, 3]));
    assert_eq!(counts(&path, &public), Err(DataError::Read(ReadError::TooLong { path: path.clone() })));
}

#[test]
fn rejects() {
    let scratch = Scratch::new();
    let path = scratch.write("a.csv", "id,a\n1,x\n");
    let several = Question { unit: Some("id".into()), per_unit: all(3), ..about("a", &["x", "y"]) };
    let error = Err(DataError::SeveralRecords { rule: "all 3".into() });
    assert_eq!(counts(&path, &several), error, "n is public");
    assert_eq!(counts(&path, &Question { unit: None, ..private(several.clone()) }), error, "no unit");
    let mixed = [about("a", &["x", "y"]), private(about("a", &["x", "y"]))];
    let found = count_all(&Source::files(&path), &mixed, &mut SeededBits::new(1), &alone(), &go_on);
    assert_eq!(found, Err(DataError::MixedQuestions { question: 2, what: "adjacency" }));
    let described = describe(&Source::files("a.csv"), &private(several));
    assert!(
        described.ends_with(r#","unit":"id","per_unit":"all 3","adjacency":"add-remove"}"#),
        "{described}"
    );
}
