//! Every value that occurs in a column is counted, as if it had been declared.

use std::collections::BTreeMap;
use std::num::{NonZeroU32, NonZeroUsize};
use std::ops::ControlFlow;
use std::sync::Arc;

use arrow_array::{ArrayRef, BooleanArray, Date32Array, Float64Array, Int64Array};
use arrow_schema::DataType;
use posterity_core::sampler::SeededBits;
use posterity_count::{
    Adjacency, Column, DataError, PerUnit, Question, ReadError, Resources, Source, ValuesAsked, count,
    gather_values,
};
use posterity_testkit::{Random, trials};

use crate::scratch::{Scratch, alone, batch, cast, go_on, source, strings};
use crate::stability::{FILTERS, Row, WRITERS, Writer};

type Found = Result<Vec<(String, u64)>, DataError>;

/// So little memory that it ends after some dozens of values.
fn tiny() -> Resources {
    Resources { memory: 0, threads: NonZeroUsize::MIN.saturating_add(1) }
}

fn values_in(path: &str, asked: &ValuesAsked, seed: u64, resources: &Resources) -> Found {
    let mut found = Vec::new();
    let mut each = |value: &str, count| {
        found.push((value.to_owned(), count));
        Ok::<(), DataError>(())
    };
    let mut bits = SeededBits::new(seed);
    gather_values(&source(path), asked, &mut bits, resources, &go_on)?.each(&go_on, &mut each)?;
    Ok(found)
}

/// The values, which are the same in any memory and on any number of threads, and come in their order.
fn values(path: &str, asked: &ValuesAsked) -> Found {
    let found = values_in(path, asked, 9, &alone());
    assert_eq!(found, values_in(path, asked, 9, &tiny()), "{path} {asked:?}");
    if let Ok(found) = &found {
        assert!(found.is_sorted_by(|(a, m), (b, _)| a < b && *m > 0), "{path} {asked:?}");
    }
    found
}

/// The counts of declared values with the same bits; those that do not occur are left out.
fn declared(path: &str, asked: &ValuesAsked, names: &[String]) -> Found {
    let column = Column { missing: asked.missing.clone(), ..Column::new(&asked.column, names) };
    let question = Question {
        filter: asked.filter.clone(),
        unit: asked.unit.clone(),
        per_unit: asked.per_unit.clone(),
        adjacency: Adjacency::AddRemove,
        ..Question::new(vec![column])
    };
    let counted = count(&source(path), &question, &mut SeededBits::new(9), &alone(), &go_on)?;
    let names = counted.categories.names().to_vec();
    let pairs = names.into_iter().zip(counted.counts.as_slice().iter().copied());
    Ok(pairs.filter(|(_, count)| *count > 0).collect())
}

fn pairs(expected: &[(&str, u64)]) -> Found {
    Ok(expected.iter().map(|(value, count)| ((*value).to_owned(), *count)).collect())
}

const RULES: [Option<&str>; 6] =
    [None, Some("first"), Some("mode"), Some("random"), Some("latest time"), Some("latest category")];

fn asked(dice: &mut Random) -> ValuesAsked {
    let rule = RULES[dice.index(RULES.len())];
    let columns: [&str; 2] = ["category", "time"];
    ValuesAsked {
        filter: (dice.index(2) == 0).then(|| dice.pick(&FILTERS).to_owned()),
        unit: rule.map(|_| "id".to_owned()),
        per_unit: rule.map_or_else(PerUnit::default, |rule| rule.parse().expect("a rule")),
        missing: (dice.index(3) == 0).then(|| dice.pick(&["none", "x"]).to_owned()),
        ..ValuesAsked::new(if dice.index(4) == 0 { columns[1] } else { columns[0] })
    }
}

/// Every value that any record can have in these files, and names of missing ones, ordered by their bytes.
fn all_names(found: &[(String, u64)]) -> Vec<String> {
    let mut names: Vec<String> = found.iter().map(|(value, _)| value.clone()).collect();
    names.extend(["none", "x", "never"].map(String::from));
    names.sort();
    names.dedup();
    names
}

/// How many pairs ended in which way. The summary shows that the test is not trivial.
#[derive(Debug, Default)]
struct Seen {
    pairs: usize,
    changed: usize,
    new: usize,
    empty: usize,
}

/// One pair of sources: all records, and all but one, or but those of one unit. Those before keep their places, and so
/// their ranks.
fn pair(dice: &mut Random, scratch: &Scratch, writer: &Writer, seen: &mut Seen) {
    let asked = asked(dice);
    let record = |dice: &mut Random| {
        let wild = dice.index(3) == 0;
        (writer.row)(dice, wild)
    };
    let mut without: Vec<Row> = (0..dice.index(9)).map(|_| record(dice)).collect();
    let one = record(dice);
    let mut more = vec![one.clone()];
    if asked.unit.is_some() {
        without.retain(|row| row.id != one.id);
        for _ in 0..dice.index(3) {
            let mut row = record(dice);
            row.id.clone_from(&one.id);
            more.push(row);
        }
    }
    let with: Vec<Row> = without.iter().chain(&more).cloned().collect();
    let file = |which: &str, rows: &[Row]| (writer.file)(scratch, &format!("{which}.{}", writer.name), rows);
    let (with_path, without_path) = (file("with", &with), file("without", &without));
    let found = values(&with_path, &asked).expect("no record is an error");
    let less = values(&without_path, &asked).expect("no record is an error");
    let told = || format!("{} {asked:?}\n{with:#?}\n{without:#?}\n{found:?} {less:?}", writer.name);
    // What is found is what a question finds that declares it.
    for (path, found) in [(&with_path, &found), (&without_path, &less)] {
        let mut expected = declared(path, &asked, &all_names(found)).expect("counted");
        expected.sort();
        assert_eq!(&expected, found, "{}", told());
    }
    let mut change: BTreeMap<&str, i64> = BTreeMap::new();
    found.iter().for_each(|(value, count)| *change.entry(value).or_default() += *count as i64);
    less.iter().for_each(|(value, count)| *change.entry(value).or_default() -= *count as i64);
    assert!(change.values().all(|&by| by >= 0) && change.values().sum::<i64>() <= 1, "{}", told());
    seen.pairs += 1;
    seen.changed += usize::from(found != less);
    seen.new += usize::from(found.len() > less.len());
    seen.empty += usize::from(less.is_empty());
}

fn pairs_of(of_each: usize, seed: u64) {
    let of_one_kind = |writer: &Writer| {
        let scratch = Scratch::new();
        let (mut seen, mut dice) = (Seen::default(), Random::new(seed));
        for _ in 0..of_each {
            pair(&mut dice, &scratch, writer, &mut seen);
        }
        println!("{}: seed {seed}, {seen:?}", writer.name);
        assert!(seen.changed * 3 > seen.pairs && seen.new * 10 > seen.pairs && seen.empty > 0, "{seen:?}");
    };
    std::thread::scope(|scope| {
        for writer in &WRITERS {
            scope.spawn(|| of_one_kind(writer));
        }
    });
}

/// If this fails, someone can tell from a release whether a record is there, or a value is counted in another way than
/// where it is declared.
#[test]
fn one_record_changes_one_value() {
    pairs_of(trials(1_000_usize).div_ceil(WRITERS.len()).max(60), 3);
}

#[test]
#[ignore = "10,000 pairs; ./test --slow"]
fn one_record_changes_one_value_of_many() {
    pairs_of(trials(10_000_usize).div_ceil(WRITERS.len()), 4);
}

/// Large enough that memory ends dozens of times, and runs are merged on several levels.
#[test]
fn many_values_leave_memory() {
    let scratch = Scratch::new();
    let mut dice = Random::new(5);
    let rows: Vec<(u64, Option<String>, u64)> = (0..12_000)
        .map(|_| {
            let value = match dice.index(20) {
                0 => None,
                1..=9 => Some(format!("often {}", dice.below(7))),
                _ => Some(format!("{}{}", "long ".repeat(dice.index(9)), dice.below(9_000))),
            };
            (dice.below(1_600), value, dice.below(50))
        })
        .collect();
    let texts: Vec<Option<&str>> = rows.iter().map(|(_, value, _)| value.as_deref()).collect();
    let number = |of: fn(&(u64, Option<String>, u64)) -> u64| -> ArrayRef {
        Arc::new(Int64Array::from_iter_values(rows.iter().map(|row| of(row) as i64)))
    };
    let table = |a: ArrayRef| batch(vec![("id", number(|row| row.0)), ("a", a), ("t", number(|row| row.2))]);
    let dictionary = DataType::Dictionary(Box::new(DataType::Int32), Box::new(DataType::Utf8));
    let text = |value: &Option<String>| value.clone().unwrap_or_default();
    let csv: String = rows.iter().map(|(id, value, t)| format!("{id},{},{t}\n", text(value))).collect();
    let json: String = rows
        .iter()
        .map(|(id, value, t)| format!("{}\n", serde_json::json!({ "id": id, "a": value, "t": t })))
        .collect();
    let paths = [
        scratch.write("a.csv", format!("id,a,t\n{csv}")),
        scratch.gzip("b.csv.gz", format!("id,a,t\n{csv}")),
        scratch.write("c.json", json),
        scratch.parquet("d.parquet", &table(strings(&texts))),
        scratch.arrow("e.arrow", &table(strings(&texts))),
        scratch.arrow("f.arrow", &table(cast(&strings(&texts), &dictionary))),
    ];
    // Without a unit.
    let mut all: BTreeMap<String, u64> = BTreeMap::new();
    let mut late: BTreeMap<String, u64> = BTreeMap::new();
    for (_, value, t) in &rows {
        let value = value.clone().unwrap_or_else(|| "none".into());
        *all.entry(value.clone()).or_default() += 1;
        if *t >= 40 && value != "none" {
            *late.entry(value).or_default() += 1;
        }
    }
    assert!(all.len() > 3_000);
    let missing = ValuesAsked { missing: Some("none".into()), ..ValuesAsked::new("a") };
    let filter = ValuesAsked { filter: Some("t >= 40".into()), ..ValuesAsked::new("a") };
    for path in &paths {
        assert!(values(path, &missing) == Ok(all.clone().into_iter().collect()), "{path}");
        assert!(values(path, &filter) == Ok(late.clone().into_iter().collect()), "{path}");
    }
    // With one, by the rules that draw nothing: the choices of a plain model.
    let mut units: BTreeMap<u64, Vec<(u64, &str)>> = BTreeMap::new();
    for (id, value, t) in &rows {
        if let Some(value) = value {
            units.entry(*id).or_default().push((*t, value));
        }
    }
    type Choose = fn(&[(u64, &str)]) -> String;
    let first: Choose = |records| records.iter().map(|(_, value)| *value).min().expect("a record").into();
    let latest: Choose = |records| {
        let last = records.iter().map(|(t, _)| *t).max();
        records
            .iter()
            .filter(|(t, _)| Some(*t) == last)
            .map(|(_, value)| *value)
            .min()
            .expect("a record")
            .into()
    };
    let mode: Choose = |records| {
        let many = |value: &str| records.iter().filter(|(_, other)| *other == value).count();
        let best = records.iter().map(|(_, value)| (std::cmp::Reverse(many(value)), *value)).min();
        best.expect("a record").1.into()
    };
    for (rule, choose) in [("first", first), ("latest t", latest), ("mode", mode)] {
        let mut chosen: BTreeMap<String, u64> = BTreeMap::new();
        units.values().for_each(|records| *chosen.entry(choose(records)).or_default() += 1);
        let asked = ValuesAsked {
            unit: Some("id".into()),
            per_unit: rule.parse().expect("a rule"),
            ..ValuesAsked::new("a")
        };
        for path in &paths {
            assert!(values(path, &asked) == Ok(chosen.clone().into_iter().collect()), "{path} {rule}");
        }
    }
    // A drawn record is one of the unit's own, the same for the same seed, and another for another seed.
    let asked = ValuesAsked { unit: Some("id".into()), ..ValuesAsked::new("a") };
    for path in &paths {
        let drawn = values(path, &asked).expect("counted");
        assert_eq!(drawn.iter().map(|(_, count)| count).sum::<u64>(), units.len() as u64);
        assert!(
            declared(path, &asked, &all_names(&drawn)).map(BTreeMap::from_iter)
                == Ok(BTreeMap::from_iter(drawn.clone()))
        );
        assert!(values_in(path, &asked, 10, &tiny()).expect("counted") != drawn, "{path}");
    }
}

#[test]
fn no_records_have_no_values() {
    let scratch = Scratch::new();
    let unit = ValuesAsked { unit: Some("id".into()), ..ValuesAsked::new("category") };
    let mode = ValuesAsked { per_unit: PerUnit::Mode, ..unit.clone() };
    for writer in &WRITERS {
        let path = (writer.file)(&scratch, &format!("none.{}", writer.name), &[]);
        for asked in [&ValuesAsked::new("category"), &unit, &mode] {
            assert_eq!(values(&path, asked), pairs(&[]), "{path}");
        }
    }
    assert_eq!(values(&scratch.write("a.json", ""), &mode), pairs(&[]));
    // A column of JSON that no record has is one that one more record may have.
    let path = scratch.write("b.json", "{\"a\":\"x\"}\n");
    assert_eq!(values(&path, &ValuesAsked::new("b")), pairs(&[]));
    let missing = ValuesAsked { missing: Some("none".into()), ..ValuesAsked::new("b") };
    assert_eq!(values(&path, &missing), pairs(&[("none", 1)]));
}

/// Every kind of value in one column: those without an exact name and blank ones are left out.
#[test]
fn values_are_named_as_where_they_are_declared() {
    let scratch = Scratch::new();
    let lines = [
        r#"{"a":"x"}"#,
        r#"{"a":7}"#,
        r#"{"a":"7"}"#,
        r#"{"a":-0}"#,
        r#"{"a":true}"#,
        r#"{"a":7.0}"#,
        r#"{"a":1e3}"#,
        r#"{"a":[1]}"#,
        r#"{"a":null}"#,
        r#"{}"#,
        r#"{"a":""}"#,
        r#"{"a":" \u00a0"}"#,
        r#"{"a":" x"}"#,
        r#"{"a":"\ud800"}"#,
        r#"{"a":"x","a":"x"}"#,
        r#"{"a":"\u0000"}"#,
        r#"{"a":"a\"b,\nc"}"#,
    ];
    let path = scratch.write("a.json", lines.join("\n"));
    // Whole numbers are one value, however they are written.
    let expected =
        [("\0", 1), (" x", 1), ("0", 1), ("1000", 1), ("7", 3), ("a\"b,\nc", 1), ("true", 1), ("x", 1)];
    assert_eq!(values(&path, &ValuesAsked::new("a")), pairs(&expected));
    // Text of a CSV file that is not UTF-8 has no exact name; an empty field is missing.
    let csv =
        b"id,a\n1,x\n2,\xff\n3,\"a\"\"b,\nc\"\n4,\n5,\"\"\n6,\"\0\"\n7,\"\r\n\"\n8,\"\xc3\xa4\"\n".as_slice();
    let path = scratch.write("b.csv", csv);
    assert_eq!(
        values(&path, &ValuesAsked::new("a")),
        pairs(&[("\0", 1), ("a\"b,\nc", 1), ("x", 1), ("ä", 1)])
    );
    let missing = ValuesAsked { missing: Some("x".into()), ..ValuesAsked::new("a") };
    assert_eq!(values(&path, &missing), pairs(&[("\0", 1), ("a\"b,\nc", 1), ("x", 3), ("ä", 1)]));
    // Typed columns.
    let columns: Vec<(&str, ArrayRef)> = vec![
        ("truth", Arc::new(BooleanArray::from(vec![Some(true), None, Some(false)]))),
        ("number", Arc::new(Int64Array::from(vec![Some(i64::MIN), Some(5), Some(5)]))),
        ("float", Arc::new(Float64Array::from(vec![1.0, 2.0, 3.0]))),
        ("day", Arc::new(Date32Array::from(vec![1, 2, 3]))),
    ];
    let table = batch(columns);
    for path in [scratch.parquet("c.parquet", &table), scratch.arrow("d.arrow", &table)] {
        assert_eq!(values(&path, &ValuesAsked::new("truth")), pairs(&[("false", 1), ("true", 1)]));
        let numbers = [("-9223372036854775808", 1), ("5", 2)];
        assert_eq!(values(&path, &ValuesAsked::new("number")), pairs(&numbers));
        let days = [("1970-01-02", 1), ("1970-01-03", 1), ("1970-01-04", 1)];
        assert_eq!(values(&path, &ValuesAsked::new("day")), pairs(&days));
        let whole = [("1", 1), ("2", 1), ("3", 1)];
        assert_eq!(values(&path, &ValuesAsked::new("float")), pairs(&whole));
    }
}

/// Values as long as a reader allows, which are the same in all but the last letter.
#[test]
fn long_values_are_told_apart() {
    let scratch = Scratch::new();
    let long = "z".repeat(1 << 20);
    let row = |id: usize, end: &str| format!("{id},{long}{end}\n");
    let csv: String = (0..24).map(|id| row(id, ["a", "b", "c", ""][id % 4])).collect();
    let path = scratch.write("a.csv", format!("id,a\n{csv}1,x\n"));
    let expected = [("x", 1), (long.as_str(), 6)].map(|(value, count)| (value.to_owned(), count));
    let mut expected = expected.to_vec();
    expected.extend(["a", "b", "c"].map(|end| (format!("{long}{end}"), 6)));
    assert!(values(&path, &ValuesAsked::new("a")) == Ok(expected));
    let unit = ValuesAsked { unit: Some("id".into()), per_unit: PerUnit::Mode, ..ValuesAsked::new("a") };
    let found = values(&path, &unit).expect("counted");
    assert_eq!(found.iter().map(|(value, count)| (value.len(), *count)).collect::<Vec<_>>(), {
        let long = 1 << 20;
        [(1, 1), (long, 6), (long + 1, 6), (long + 1, 5), (long + 1, 6)]
    });
}

/// Files that hold more than memory does, so that temporary ones are made.
fn large(scratch: &Scratch) -> String {
    scratch.write(
        "large.csv",
        (0..20_000).fold(String::from("id,a\n"), |text, id| text + &format!("{id},v{id}\n")),
    )
}

/// Progress tells nothing of the records, and may end the count at any time.
#[test]
fn progress_is_silent() {
    let scratch = Scratch::new();
    let path = large(&scratch);
    let told = std::cell::Cell::new(0);
    for last in 0..4 {
        told.set(0);
        let progress = |rows: u64| {
            assert_eq!(rows, 0);
            told.set(told.get() + 1);
            if told.get() > last { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        };
        let mut each = |_: &str, _| Ok::<(), DataError>(());
        let mut bits = SeededBits::new(1);
        let asked = ValuesAsked { unit: Some("id".into()), ..ValuesAsked::new("a") };
        let done = gather_values(&Source::files(&path), &asked, &mut bits, &tiny(), &progress)
            .and_then(|values| values.each(&progress, &mut each));
        assert!(told.get() >= 1 && (told.get() <= last || done == Err(DataError::Stopped)), "{done:?}");
    }
}

#[test]
fn rejects() {
    let scratch = Scratch::new();
    let path = scratch.write("a.csv", "id,a\n1,x\n");
    let asked = ValuesAsked::new("a");
    let several = PerUnit::All(NonZeroU32::MIN);
    let error = DataError::SeveralValues { rule: "all 1".into() };
    for unit in [None, Some("id".to_owned())] {
        let asked = ValuesAsked { unit, per_unit: several.clone(), ..asked.clone() };
        assert_eq!((asked.check(), values(&path, &asked)), (Err(error.clone()), Err(error.clone())));
    }
    for name in ["", " \u{a0}"] {
        let asked = ValuesAsked { missing: Some(name.into()), ..asked.clone() };
        assert!(matches!(
            (asked.check(), values(&path, &asked)),
            (Err(DataError::Cells(_)), Err(DataError::Cells(_)))
        ));
    }
    let filter = ValuesAsked { filter: Some("a >".into()), ..asked.clone() };
    assert!(matches!((filter.check(), values(&path, &filter)), (Err(DataError::Filter { .. }), Err(_))));
    assert_eq!(asked.check(), Ok(()));
    for column in ["A", ""] {
        assert!(matches!(values(&path, &ValuesAsked::new(column)), Err(DataError::UnknownColumn { .. })));
    }
    let unit = ValuesAsked { unit: Some("who".into()), ..asked.clone() };
    assert!(
        matches!(values(&path, &unit), Err(DataError::UnknownColumn { ref column, .. }) if column == "who")
    );
    let other = ValuesAsked { filter: Some("b = 'x'".into()), ..asked.clone() };
    assert!(matches!(values(&path, &other), Err(DataError::Filter { .. })));
    // No error tells which file, or which line.
    scratch.write("d/a.csv", "id,a\n1,x\n");
    scratch.write("d/b.csv", "id,a\n1,\"x\n");
    let path = scratch.text("d/*.csv");
    assert_eq!(values(&path, &asked), Err(DataError::Read(ReadError::OpenQuote { path })));
}
