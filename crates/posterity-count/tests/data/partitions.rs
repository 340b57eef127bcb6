//! Folders whose names hold columns. Their values are data.

use std::collections::BTreeMap;

use posterity_count::{
    Column, DataError, Format, PerUnit, Question, ReadError, Source, common_fields, describe,
};
use posterity_testkit::{Random, trials};

use crate::scratch::{Scratch, about, batch, counts, strings};

/// A value of some records, which no error may contain.
const SECRET: &str = "Mallory4711";

fn rows(ids: &[&str]) -> arrow_array::RecordBatch {
    let values: Vec<Option<&str>> = ids.iter().map(|id| Some(*id)).collect();
    batch(vec![("id", strings(&values))])
}

#[test]
fn folders_give_columns_in_every_format() {
    let scratch = Scratch::new();
    let (first, second) = (rows(&["1", "2"]), rows(&["3"]));
    scratch.parquet("p/year=2020/site=a%2Fb/x.parquet", &first);
    scratch.parquet("p/year=2021/site=__HIVE_DEFAULT_PARTITION__/x.parquet", &second);
    scratch.arrow("a/year=2020/site=a%2Fb/x.arrow", &first);
    scratch.arrow("a/year=2021/site=__HIVE_DEFAULT_PARTITION__/x.arrow", &second);
    scratch.write("c/year=2020/site=a%2Fb/x.csv", "id,x\n1,\n2,\n");
    scratch.write("c/year=2021/site=__HIVE_DEFAULT_PARTITION__/x.csv", "id,x\n3,\n");
    scratch.write("j/year=2020/site=a%2Fb/x.json", "{\"id\":1}\n{\"id\":2}\n");
    scratch.write("j/year=2021/site=__HIVE_DEFAULT_PARTITION__/x.json", "[{\"id\":3}]");
    scratch.write("p/year=2020/_SUCCESS", "");
    for source in ["p", "a", "c", "j", "p/**/*.parquet", "c/year=*/*/x.csv"] {
        let path = scratch.text(source);
        assert_eq!(counts(&path, &about("year", &["2020", "2021"])), Ok(vec![2, 1]), "{source}");
        let site = about("site", &["a/b", "c"]).with_missing("none");
        assert_eq!(counts(&path, &site), Ok(vec![2, 0, 1]), "{source}");
        let both = Question {
            filter: Some("year >= 2020 AND id <> 1".into()),
            unit: Some("id".into()),
            ..Question::new(vec![Column::new("year", ["2020", "2021"]), Column::new("id", ["2", "3"])])
        };
        assert_eq!(counts(&path, &both), Ok(vec![1, 0, 0, 1]), "{source}");
    }
    let fields = common_fields(&Source::files(scratch.text("p")).find().expect("found")).expect("read");
    assert_eq!(fields.iter().map(|field| field.name.as_str()).collect::<Vec<_>>(), ["id", "year", "site"]);
    // A folder that was named is chosen and not counted.
    let one = counts(&scratch.text("p/year=2020"), &about("id", &["1", "2"]));
    assert_eq!(one, Ok(vec![1, 1]));
}

#[test]
fn values_of_folders_are_never_told() {
    let scratch = Scratch::new();
    let good = format!("d/name={SECRET}/x.csv");
    let cases: [(&str, &[u8]); 6] = [
        ("a.csv", b""),
        ("b.csv", b"id,cured\n1,\"yes\n"),
        ("README", b"x"),
        ("c.json", b"{}"),
        ("d.csv", b"cured\nyes\n"),
        ("e.csv", b"\x1f\x8b\x08"),
    ];
    for (name, bytes) in cases {
        let scratch = Scratch::new();
        scratch.write(&good, "id,cured\n1,yes\n");
        let bad = scratch.write(&format!("d/name={SECRET}/{name}"), bytes);
        assert!(std::path::Path::new(&bad).exists());
        for source in ["d", "d/**/*"] {
            let error = counts(&scratch.text(source), &about("cured", &["yes", "no"])).expect_err(name);
            assert!(!format!("{error:?} {error}").contains(SECRET), "{error:?}");
        }
    }
    scratch.write(&good, "id,cured\n1,yes\n");
    scratch.write(&format!("d/name={SECRET}/more/x.csv"), "id,cured\n1,yes\n");
    let error = counts(&scratch.text("d"), &about("cured", &["yes", "no"])).expect_err("a folder");
    assert!(matches!(error, DataError::Read(ReadError::Subfolder { .. })), "{error:?}");
    assert!(!format!("{error:?} {error}").contains(SECRET), "{error:?}");
    let source = Source::files(scratch.text("d"));
    let described = describe(&source, &about("cured", &["yes", "no"]));
    assert!(!described.contains(SECRET) && !source.to_string().contains(SECRET), "{described}");
}

#[test]
fn folders_that_do_not_go_together() {
    let scratch = Scratch::new();
    let text = "id,cured\n1,yes\n";
    scratch.write("d/a=1/x.csv", text);
    scratch.write("d/x.csv", text);
    let path = scratch.text("d");
    let refused = DataError::Read(ReadError::Partitions { path: path.clone() });
    assert_eq!(counts(&path, &about("cured", &["yes", "no"])), Err(refused));
    // A column that the file has too.
    scratch.write("e/id=1/x.csv", text);
    let twice = DataError::Read(ReadError::DuplicateColumn { column: "id".into() });
    assert_eq!(counts(&scratch.text("e"), &about("id", &["1", "2"])), Err(twice));
    assert_eq!(Format::of_name("x.csv").0, Some(Format::Csv));
}

/// The records of one person move to other folders, and other columns of theirs change. If this fails, a folder changes
/// how the records of others are read.
#[test]
fn one_unit_moves_one_count() {
    let mut dice = Random::new(11);
    let mut moved = 0;
    let many = trials(60_usize);
    for _ in 0..many {
        let record = |dice: &mut Random, id: usize| {
            (dice.pick(&["2020", "2021", "a/b", "none"]).to_owned(), id, dice.pick(&["yes", "no"]).to_owned())
        };
        let before: Vec<_> = (0..1 + dice.index(12)).map(|row| record(&mut dice, row % 5)).collect();
        let after: Vec<_> =
            before.iter().map(|row| if row.1 == 0 { record(&mut dice, 0) } else { row.clone() }).collect();
        let question = Question {
            unit: Some("id".into()),
            per_unit: [PerUnit::First, PerUnit::Mode][dice.index(2)].clone(),
            within: (dice.index(2) == 0).then(|| "TEXT(place) <> '2021'".into()),
            ..Question::new(vec![
                Column::new("place", ["2020", "2021", "a/b"]),
                Column::new("cured", ["yes", "no"]),
            ])
        };
        let question = question.with_other("other");
        let counted = [&before, &after].map(|rows| {
            let scratch = Scratch::new();
            let mut files: BTreeMap<String, String> = BTreeMap::new();
            for (place, id, cured) in rows {
                let file = files.entry(place.replace('/', "%2F")).or_insert("id,cured\n".into());
                *file += &format!("{id},{cured}\n");
            }
            for (place, text) in files {
                scratch.write(&format!("d/place={place}/x.csv"), text);
            }
            counts(&scratch.text("d"), &question).expect("counted")
        });
        let [first, second] = counted;
        let change = |a: &[u64], b: &[u64]| a.iter().zip(b).map(|(a, b)| a.saturating_sub(*b)).sum::<u64>();
        assert!(change(&first, &second) <= 1 && change(&second, &first) <= 1, "{before:?} {after:?}");
        assert_eq!(first.iter().sum::<u64>(), second.iter().sum::<u64>());
        moved += usize::from(first != second);
    }
    assert!(moved * 4 > many, "{moved} of {many}");
}
