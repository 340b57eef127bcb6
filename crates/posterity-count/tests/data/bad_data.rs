//! Sources that cannot be counted: each gives one typed error, which contains no value of a record.

use std::error::Error;
use std::fs::File;
use std::io::{Seek, SeekFrom, Write};
use std::path::Path;
use std::sync::Arc;

use arrow_array::types::Int32Type;
use arrow_array::{ArrayRef, Float64Array, ListArray};
use arrow_schema::{DataType, TimeUnit};
use posterity_count::{ColumnHint, DataError, FilterError, Format, MAX_RECORD, Question, ReadError, Source};

use crate::scratch::{Scratch, about, answer, batch, cast, counts, strings};

/// A value of a record, which no error may contain.
const SECRET: &str = "Mallory4711";

fn question() -> Question {
    about("cured", &["yes", "no"])
}

/// The file's name at the end of a canonical path, so that the test does not depend on where it runs.
fn named(error: DataError) -> String {
    let text = format!("{error:?}");
    assert!(!text.contains(SECRET) && !error.to_string().contains(SECRET), "{error:?}");
    assert!(error.source().is_none(), "{error:?}");
    text.split(['/', '"']).collect::<Vec<_>>().join(" ")
}

fn refused(path: &str) -> DataError {
    answer(&Source::files(path), &question()).expect_err(path)
}

#[test]
fn nothing_there() {
    let scratch = Scratch::new();
    let path = scratch.text("none.csv");
    assert_eq!(refused(&path), DataError::Read(ReadError::NotFound { path }));
    let path = scratch.text("none-*.csv");
    assert_eq!(refused(&path), DataError::Read(ReadError::NotFound { path }));
    let path = scratch.text("***.csv");
    assert_eq!(refused(&path), DataError::Read(ReadError::Pattern { path }));
    scratch.write("d/_hidden.csv", "x");
    let path = scratch.text("d");
    assert_eq!(refused(&path), DataError::Read(ReadError::NoFiles { path }));
    scratch.write("e/f/a.csv", "x");
    let path = scratch.text("e");
    assert_eq!(refused(&path), DataError::Read(ReadError::Subfolder { path, name: "f".into() }));
    let path = scratch.write("a.txt", "x");
    assert_eq!(refused(&path), DataError::Read(ReadError::UnknownFormat { path }));
    scratch.write("g/a.csv", "cured\nyes\n");
    let path = scratch.write("g/README.md", "x");
    let stray = ReadError::StrayFile { path, folder: scratch.text("g") };
    assert_eq!(refused(&scratch.text("g")), DataError::Read(stray));
    let path = scratch.write("a.csv/b.csv", "cured\nyes\n");
    assert_eq!(
        refused(&format!("{path}/c.csv")),
        DataError::Read(ReadError::Unreadable {
            path: format!("{path}/c.csv"),
            kind: std::io::ErrorKind::NotADirectory
        })
    );
}

#[cfg(unix)]
#[test]
fn neither_file_nor_folder() {
    let path = "/dev/null".to_owned();
    let source = Source::files(&path).with_format(Format::Csv);
    assert_eq!(answer(&source, &question()), Err(DataError::Read(ReadError::NotAFile { path })));
}

#[test]
fn files_that_do_not_go_together() {
    let scratch = Scratch::new();
    let csv = scratch.write("d/a.csv", "cured\nyes\n");
    let json = scratch.write("d/b.json", "{\"cured\":\"yes\"}\n");
    assert_eq!(
        refused(&scratch.text("d")),
        DataError::Read(ReadError::MixedFormats { first: csv, second: json })
    );
    let plain = scratch.write("e/a.csv", "cured\nyes\n");
    let zipped = scratch.gzip("e/b.csv.gz", "cured\nyes\n");
    assert_eq!(
        refused(&scratch.text("e")),
        DataError::Read(ReadError::MixedFormats { first: plain, second: zipped })
    );
    scratch.write("f/a.csv", "id,cured\n1,yes\n");
    scratch.write("f/b.csv", "cured,id\nyes,1\n");
    assert!(matches!(refused(&scratch.text("f")), DataError::Read(ReadError::MixedColumns { .. })));
    let text = strings(&[Some("yes"), Some("no")]);
    let number: ArrayRef = Arc::new(Float64Array::from(vec![1.0, 2.0]));
    scratch.parquet("g/a.parquet", &batch(vec![("cured", text.clone()), ("x", text.clone())]));
    scratch.parquet("g/b.parquet", &batch(vec![("x", number), ("cured", text.clone())]));
    assert!(matches!(refused(&scratch.text("g")), DataError::Read(ReadError::MixedColumns { .. })));
    scratch.parquet("h/a.parquet", &batch(vec![("cured", text.clone()), ("x", text.clone())]));
    scratch.parquet("h/b.parquet", &batch(vec![("x", strings(&[Some("1"), None])), ("cured", text)]));
    assert_eq!(counts(&scratch.text("h"), &question()), Ok(vec![2, 2]), "another order is fine");
}

/// If this fails, the records of a file with two names count twice, and a release loses twice its epsilon.
#[cfg(unix)]
#[test]
fn one_file_under_two_names() {
    type Link = fn(&Path, &Path) -> std::io::Result<()>;
    let links: [Link; 2] =
        [|file, link| std::os::unix::fs::symlink(file, link), |file, link| std::fs::hard_link(file, link)];
    for link in links {
        let scratch = Scratch::new();
        let first = scratch.write("d/a.csv", "cured\nyes\nno\n");
        scratch.write("d/b.csv", "cured\nyes\n");
        let second = scratch.text("d/c.csv");
        link(Path::new(&first), Path::new(&second)).expect("linked");
        let same = DataError::Read(ReadError::SameFile { first, second: second.clone() });
        assert_eq!(refused(&scratch.text("d")), same);
        assert_eq!(refused(&scratch.text("d/*.csv")), same);
        assert_eq!(counts(&scratch.text("d/[ab].csv"), &question()), Ok(vec![2, 1]), "without the link");
        assert_eq!(counts(&second, &question()), Ok(vec![1, 1]), "the link alone is a file like any other");
    }
    // A folder under two names holds every file twice.
    let scratch = Scratch::new();
    let first = scratch.write("e/a/x.csv", "cured\nyes\n");
    std::os::unix::fs::symlink(scratch.path("e/a"), scratch.path("e/b")).expect("linked");
    let second = scratch.text("e/b/x.csv");
    assert_eq!(refused(&scratch.text("e/*/x.csv")), DataError::Read(ReadError::SameFile { first, second }));
}

#[test]
fn nothing_in_it() {
    let scratch = Scratch::new();
    for name in ["a.csv", "a.json", "a.parquet", "a.arrow", "a.csv.gz"] {
        let path = scratch.write(name, "");
        assert_eq!(refused(&path), DataError::Read(ReadError::EmptyFile { path }));
    }
    assert!(matches!(refused(&scratch.gzip("b.csv.gz", "")), DataError::Read(ReadError::EmptyFile { .. })));
    assert!(matches!(refused(&scratch.write("c.csv", "\n\n")), DataError::Read(ReadError::EmptyFile { .. })));
    for (name, text) in [("d.csv", "cured\n"), ("e.csv", "id,cured"), ("f.csv", "cured,id\n\n\n")] {
        assert_eq!(refused(&scratch.write(name, text)), DataError::NoRecords, "{name}");
    }
    assert_eq!(refused(&scratch.write("g.json", "\n\n")), DataError::NoRecords);
    let none = batch(vec![("cured", strings(&[]))]);
    assert_eq!(refused(&scratch.parquet("h.parquet", &none)), DataError::NoRecords);
    assert_eq!(refused(&scratch.arrow("h.arrow", &none)), DataError::NoRecords);
}

#[test]
fn columns_that_are_not_there_or_twice() {
    let scratch = Scratch::new();
    let path = scratch.write("a.csv", "id,Cured\n1,yes\n");
    let error = refused(&path);
    let unknown = |column: &str, hint| DataError::UnknownColumn { column: column.into(), hint };
    assert_eq!(error, unknown("cured", ColumnHint::Like("Cured".into())));
    assert_eq!(error.to_string(), "there is no column \"cured\"; there is one named \"Cured\"");
    let unit = Question { unit: Some("ID".into()), ..about("Cured", &["yes", "no"]) };
    assert_eq!(counts(&path, &unit), Err(unknown("ID", ColumnHint::Like("id".into()))));
    // Without a header the first line is a record: its values are not told.
    let bare = scratch.write("c.csv", format!("{SECRET},yes\nEve,no\n"));
    let error = refused(&bare);
    assert_eq!(error, unknown("cured", ColumnHint::Header { columns: 2 }));
    named(error);
    let lines = scratch.write("d.csv", format!("{{\"name\":\"{SECRET}\",\"cured\":\"yes\"}}\n"));
    named(refused(&lines));
    let json = scratch.write("d.json", format!("{{\"{SECRET}\":\"yes\"}}\n"));
    let error = refused(&json);
    assert_eq!(error, unknown("cured", ColumnHint::NoRecord));
    named(error);
    let table = batch(vec![("id", strings(&[Some("1")])), ("Cured", strings(&[Some("yes")]))]);
    let all = ColumnHint::Columns(vec!["id".into(), "Cured".into()]);
    assert_eq!(refused(&scratch.parquet("c.parquet", &table)), unknown("cured", all));
    let twice = DataError::Read(ReadError::DuplicateColumn { column: "cured".into() });
    assert_eq!(refused(&scratch.write("b.csv", "cured,cured\nyes,no\n")), twice);
    let text = strings(&[Some("yes"), Some("no")]);
    let table = batch(vec![("cured", text.clone()), ("cured", text)]);
    assert_eq!(refused(&scratch.arrow("b.arrow", &table)), twice);
}

#[test]
fn types_without_an_exact_name() {
    let scratch = Scratch::new();
    let text = strings(&[Some("1"), Some("2")]);
    let lists: ArrayRef =
        Arc::new(ListArray::from_iter_primitive::<Int32Type, _, _>([Some([Some(1)]), None]));
    let days = cast(&strings(&[Some("2020-01-01"), None]), &DataType::Date32);
    let moments = cast(&days, &DataType::Timestamp(TimeUnit::Second, None));
    let nested = [lists, moments, cast(&text, &DataType::Float64), cast(&text, &DataType::Decimal128(9, 2))];
    for array in nested {
        let kind = array.data_type().to_string();
        let path = scratch.arrow("a.arrow", &batch(vec![("cured", array)]));
        let error = refused(&path);
        // Lists and decimals are named without their details.
        let fits = matches!(
            &error,
            DataError::UnsupportedType { column, kind: found, .. }
                if column == "cured" && kind.starts_with(found.split('(').next().unwrap_or(found))
        );
        assert!(fits, "{error:?}");
    }
    let path = scratch.write("a.json", "{\"cured\":\"yes\"}\n{\"cured\":1.5}\n");
    assert_eq!(refused(&path), DataError::Unnamed { column: "cured".into() });
}

#[test]
fn values_outside_and_missing() {
    let scratch = Scratch::new();
    let outside = DataError::Outside { column: "cured".into() };
    let missing = DataError::Missing { column: "cured".into() };
    let secret = strings(&[Some("yes"), Some(SECRET)]);
    let null = strings(&[Some("yes"), None]);
    let table = [
        (scratch.write("a.csv", format!("cured\nyes\n{SECRET}\n")), &outside),
        (scratch.write("a.json", format!("{{\"cured\":\"yes\"}}\n{{\"cured\":\"{SECRET}\"}}\n")), &outside),
        (scratch.parquet("a.parquet", &batch(vec![("cured", secret.clone())])), &outside),
        (scratch.arrow("a.arrow", &batch(vec![("cured", secret)])), &outside),
        (scratch.write("b.csv", "i,cured\n1,yes\n2,\n"), &missing),
        (scratch.write("b.json", "{\"cured\":\"yes\"}\n{\"x\":1}\n"), &missing),
        (scratch.parquet("b.parquet", &batch(vec![("cured", null.clone())])), &missing),
        (scratch.arrow("b.arrow", &batch(vec![("cured", null)])), &missing),
    ];
    for (path, error) in table {
        let found = refused(&path);
        assert_eq!(found, *error, "{path}");
        named(found);
    }
}

#[test]
fn malformed_csv() {
    let scratch = Scratch::new();
    for text in [format!("cured,x\nyes,1\nno\nyes,{SECRET}\n"), format!("cured,x\nyes,1\nno,{SECRET},2\n")] {
        let found = refused(&scratch.write("a.csv", &text));
        assert_eq!(found, DataError::Read(ReadError::FieldCount), "{text}");
        named(found);
    }
    let found = refused(&scratch.write("a.csv", format!("cured,x\nyes,\"{SECRET}\nno,2\n")));
    assert!(matches!(found, DataError::Read(ReadError::OpenQuote { .. })), "{found:?}");
    named(found);
    let path =
        scratch.write("b.csv", [b"cured,x\nyes,".as_slice(), SECRET.as_bytes(), b"\xff\xfe\n"].concat());
    assert_eq!(refused(&path), DataError::Read(ReadError::NotUtf8));
    let path = scratch.write("c.csv", [b"cured,x\xff\nyes,".as_slice(), SECRET.as_bytes()].concat());
    assert_eq!(refused(&path), DataError::Read(ReadError::NotUtf8));
    let path = scratch.write("d.csv", "cured\nyes\n\nno\n");
    assert!(matches!(refused(&path), DataError::Read(ReadError::BlankLine { .. })));
}

#[test]
fn malformed_json() {
    let scratch = Scratch::new();
    let malformed = DataError::Read(ReadError::Malformed { format: Format::Json });
    for text in [
        format!("{{\"cured\":\"yes\"}}\n{{\"cured\":{SECRET}}}\n"),
        format!("{{\"cured\":\"yes\"}}\n{{\"cured\":\"{SECRET}}}\n"),
        format!("{{\"cured\":\"yes\"}}\n{{\"cured\":\"no\",,\"x\":\"{SECRET}\"}}\n"),
    ] {
        let found = refused(&scratch.write("a.json", &text));
        assert_eq!(found, malformed, "{text}");
        named(found);
    }
    let path = scratch.write("a.json", format!("{{\"cured\":[\"{SECRET}\"]}}\n{{\"cured\":{{\"x\":1}}}}\n"));
    assert_eq!(refused(&path), DataError::Unnamed { column: "cured".into() });
    let twice = format!("{{\"cured\":\"yes\",\"x\":\"{SECRET}\",\"cured\":\"yes\"}}\n");
    let found = refused(&scratch.write("a.json", twice));
    assert!(matches!(found, DataError::Read(ReadError::RepeatedKey { .. })), "{found:?}");
    named(found);
    for text in ["[\"yes\"]", "{\n\"cured\": \"yes\"\n}\n", "\"yes\"\n", "yes\n"] {
        assert!(
            matches!(refused(&scratch.write("b.json", text)), DataError::Read(ReadError::NotLines { .. })),
            "{text}"
        );
    }
    let path =
        scratch.write("c.json", [b"{\"cured\":\"".as_slice(), SECRET.as_bytes(), b"\xff\"}\n"].concat());
    let found = refused(&path);
    assert!(
        matches!(
            found,
            DataError::Read(ReadError::NotUtf8)
                | DataError::Read(ReadError::Malformed { .. })
                | DataError::Read(ReadError::Damaged { .. })
        ),
        "{found:?}"
    );
    named(found);
}

#[test]
fn damaged_files() {
    let scratch = Scratch::new();
    let values: Vec<Option<&str>> = (0..5000).map(|i| Some(if i % 2 == 0 { SECRET } else { "no" })).collect();
    let table = batch(vec![("cured", strings(&values))]);
    for (format, path) in [
        (Format::Parquet, scratch.parquet("a.parquet", &table)),
        (Format::Arrow, scratch.arrow("a.arrow", &table)),
    ] {
        let bytes = std::fs::read(&path).expect("read");
        let name = Path::new(&path).file_name().and_then(|name| name.to_str()).expect("a name");
        let damaged = DataError::Read(ReadError::Damaged { format });
        let half = scratch.write(&format!("half-{name}"), &bytes[..bytes.len() / 2]);
        assert_eq!(refused(&half), damaged, "{half}");
        let other = scratch.write(&format!("other-{name}"), format!("cured\n{SECRET}\n"));
        assert_eq!(refused(&other), damaged, "{other}");
        named(refused(&other));
    }
    let path = scratch.write("a.csv.gz", format!("cured\n{SECRET}\n"));
    assert!(matches!(refused(&path), DataError::Read(ReadError::DamagedGzip { .. })));
    let whole =
        std::fs::read(scratch.gzip("b.csv.gz", format!("cured\n{}", "yes\n".repeat(100_000)))).expect("read");
    let path = scratch.write("b.csv.gz", &whole[..whole.len() / 2]);
    assert!(matches!(refused(&path), DataError::Read(ReadError::DamagedGzip { .. })));
}

#[test]
fn records_that_are_too_long() {
    let scratch = Scratch::new();
    let long = "x".repeat(MAX_RECORD + 1);
    let texts = [
        ("a.csv", format!("cured,x\nyes,1\nno,{long}\nyes,2\n")),
        ("b.csv", long.clone()),
        ("c.csv", format!("cured,x\nyes,\"1\n{}", "no,1\n".repeat(MAX_RECORD / 4))),
        ("d.json", format!("{{\"cured\":\"yes\",\"x\":\"{long}\"}}\n")),
    ];
    for (name, text) in texts {
        let zipped = scratch.gzip(&format!("{name}.gz"), &text);
        for path in [scratch.write(name, text), zipped] {
            let error = refused(&path);
            assert!(matches!(error, DataError::Read(ReadError::TooLong { .. })), "{path}: {error:?}");
        }
    }
}

/// Records of several blocks are put together again.
#[test]
fn long_records_are_counted() {
    let scratch = Scratch::new();
    let long = "x".repeat(3 << 20);
    let path = scratch.write("a.csv", format!("cured,x\nyes,{long}\nno,{long}\nyes,1\n"));
    assert_eq!(counts(&path, &question()), Ok(vec![2, 1]));
}

#[test]
#[ignore = "writes a sparse file of 1 GiB; run with --ignored"]
fn a_line_of_a_gigabyte_takes_no_memory() {
    let scratch = Scratch::new();
    let path = scratch.text("a.csv");
    let mut file = File::create(&path).expect("created");
    file.write_all(b"cured,x\nyes,1\nno,").expect("written");
    file.seek(SeekFrom::Start(1 << 30)).expect("sought");
    file.write_all(b"\nyes,2\n").expect("written");
    drop(file);
    let before = peak_kib();
    assert!(matches!(refused(&path), DataError::Read(ReadError::TooLong { .. })));
    assert!(peak_kib() - before < 64 << 10, "{} KiB", peak_kib() - before);
}

/// The most memory this process ever held.
fn peak_kib() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    line.and_then(|line| line.trim().trim_end_matches(" kB").trim().parse().ok()).unwrap_or(0)
}

#[test]
fn a_filter_that_fails_on_a_record_does_not_quote_it() {
    let scratch = Scratch::new();
    let csv = scratch.write("a.csv", format!("cured,age\nyes,31\nno,{SECRET}\n"));
    let table = batch(vec![
        ("cured", strings(&[Some("yes"), Some("no")])),
        ("age", strings(&[Some("31"), Some(SECRET)])),
    ]);
    let parquet = scratch.parquet("a.parquet", &table);
    let arrow = scratch.arrow("a.arrow", &table);
    for path in [csv, parquet, arrow] {
        for filter in ["age > 30", "age BETWEEN 1 AND 40", "age + 1 > 2", "age IN (1, 31)", "-age < 0"] {
            let question = Question { filter: Some(filter.into()), ..question() };
            let error = answer(&Source::files(&path), &question).expect_err(filter);
            let expected = DataError::Filter {
                filter: filter.into(),
                error: FilterError::NotANumber { column: "age".into() },
            };
            assert_eq!(error, expected, "{path}");
            named(error);
        }
    }
    let path = scratch.write("b.csv", "cured,age\nyes,0\nno,1\n");
    let question = Question { filter: Some("1 / age > 0".into()), ..question() };
    let error = answer(&Source::files(&path), &question).expect_err("division by zero");
    assert!(matches!(error, DataError::Filter { error: FilterError::DivisionByZero, .. }), "{error:?}");
}

#[test]
fn a_missing_unit() {
    let scratch = Scratch::new();
    let question = Question { unit: Some("id".into()), ..question() };
    let path = scratch.write("a.csv", "id,cured\n1,yes\n,no\n");
    assert_eq!(counts(&path, &question), Err(DataError::MissingUnit { column: "id".into() }));
    let numbers: ArrayRef = Arc::new(Float64Array::from(vec![1.0, 2.5]));
    let table = batch(vec![("id", numbers), ("cured", strings(&[Some("yes"), Some("no")]))]);
    let path = scratch.parquet("a.parquet", &table);
    assert_eq!(counts(&path, &question), Err(DataError::Unnamed { column: "id".into() }));
}
