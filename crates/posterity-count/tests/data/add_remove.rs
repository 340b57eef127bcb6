//! Where n is private, no record is an error, and one record, or one unit, changes the counts by at most one, or by as
//! many as its rule says (docs/proofs/stability.md).

use std::num::NonZeroU32;
use std::sync::Arc;

use arrow_array::{ArrayRef, Int64Array};
use arrow_schema::DataType;
use posterity_core::sampler::SeededBits;
use posterity_count::{
    Adjacency, Bins, Column, DataError, PerUnit, Question, ReadError, Source, count_all, describe,
};
use posterity_testkit::{Random, trials};

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
}

/// Units that are none: missing ones, and those without an exact name.
fn nobody(writer: &Writer) -> &'static [&'static str] {
    match writer.name {
        "json" | "array.json" => &["null", "1.5", "[1]", "1e3"],
        "sqlite" => &["null", "1.5", "1e3"],
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
    let rule = rules[dice.index(rules.len())].clone();
    let mut questions = vec![private(question(dice, rule.clone()))];
    for _ in 0..dice.index(3) {
        questions.push(beside(dice, &questions[0]));
    }
    let record = |dice: &mut Random| {
        let wild = dice.index(3) == 0;
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
        assert!(seen.changed * 3 > seen.pairs && seen.by_several > 0, "{seen:?}");
        assert!(seen.empty > 0 && seen.strays * 20 > seen.pairs, "{seen:?}");
    };
    std::thread::scope(|scope| {
        for writer in &WRITERS {
            scope.spawn(|| of_one_kind(writer));
        }
    });
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
    // A JSON file that is neither lines nor an array of objects is refused with and without records.
    for text in ["{}\n\"x\"", "[1]", "[{\"category\":\"x\"}, 1]"] {
        let path = scratch.write("g.json", text);
        assert_eq!(counts(&path, &question), Err(DataError::Read(ReadError::NotLines { path })));
    }
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
    let broken = scratch.write("e.csv", "id,a\n1,x,2\n");
    assert_eq!(counts(&broken, &question), Err(DataError::Read(ReadError::FieldCount)));
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
