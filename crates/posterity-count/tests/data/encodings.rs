//! Text in other encodings, other delimiters and arrays, and what is said of them if nobody said so.

use posterity_count::{ColumnHint, DataError, Encoding, Format, Question, ReadError, Source};

use crate::scratch::{Scratch, about, answer, counts};

const TEXT: &str = "id,größe\n1,große\n2,kleine €\n3,große\n";

fn question() -> Question {
    about("größe", &["große", "kleine €"])
}

fn counted(source: &Source) -> Result<Vec<u64>, DataError> {
    answer(source, &question()).map(|counted| counted.counts.as_slice().to_vec())
}

fn windows(text: &str) -> Vec<u8> {
    let byte = |character| if character == '€' { 0x80 } else { u8::try_from(character).expect("Latin") };
    text.chars().map(byte).collect()
}

#[test]
fn every_encoding_of_every_text_format() {
    let scratch = Scratch::new();
    let json = "{\"größe\":\"große\"}\n{\"größe\":\"kleine €\"}\n{\"größe\":\"gro\\u00dfe\"}\n";
    let array = "[{\"größe\":\"große\"}, {\"größe\":\"kleine €\"},\n{\"größe\":\"große\"}]";
    let tabs = TEXT.replace(',', "\t");
    for (name, text) in [("a.csv", TEXT), ("a.tsv", &tabs), ("a.json", json), ("b.json", array)] {
        let low: Vec<u8> = text.encode_utf16().flat_map(u16::to_le_bytes).collect();
        let high: Vec<u8> = text.encode_utf16().flat_map(u16::to_be_bytes).collect();
        for (encoding, bytes) in [
            (Encoding::Utf8, text.as_bytes().to_vec()),
            (Encoding::Windows1252, windows(text)),
            (Encoding::Utf16, [&[0xff, 0xfe][..], &low].concat()),
            (Encoding::Utf16, [&[0xfe, 0xff][..], &high].concat()),
            (Encoding::Utf16Le, low),
            (Encoding::Utf16Be, high),
        ] {
            let zipped = scratch.gzip(&format!("{name}.gz"), &bytes);
            for path in [scratch.write(name, &bytes), zipped] {
                let source = Source::files(&path).with_encoding(encoding);
                assert_eq!(counted(&source), Ok(vec![2, 1]), "{path} {encoding}");
            }
        }
    }
}

#[test]
fn the_encoding_is_named_and_not_guessed() {
    let scratch = Scratch::new();
    let low: Vec<u8> = TEXT.encode_utf16().flat_map(u16::to_le_bytes).collect();
    let marked = scratch.write("a.csv", [&[0xff, 0xfe][..], &low].concat());
    let told = |path: &str| counts(path, &question()).expect_err(path).to_string();
    assert!(told(&marked).ends_with("name the encoding utf-16"), "{}", told(&marked));
    let unmarked = scratch.write("b.csv", &low);
    assert!(told(&unmarked).contains("utf-16le or utf-16be"), "{}", told(&unmarked));
    let unknown = counted(&Source::files(&unmarked).with_encoding(Encoding::Utf16));
    assert!(matches!(unknown, Err(DataError::Read(ReadError::ByteOrder { .. }))), "{unknown:?}");
    assert_eq!(counts(&scratch.write("c.csv", windows(TEXT)), &question()), Err(ReadError::NotUtf8.into()));
    let half = scratch.write("d.csv", &low[..low.len() - 1]);
    let encoding = Encoding::Utf16Le;
    let refused = counted(&Source::files(&half).with_encoding(encoding));
    assert_eq!(refused, Err(ReadError::NotEncoded { encoding }.into()));
    let lone: Vec<u8> = [&low[..], &0xd83d_u16.to_le_bytes(), &0x0a_u16.to_le_bytes()].concat();
    let lone = Source::files(scratch.write("e.csv", lone)).with_encoding(encoding);
    assert_eq!(counted(&lone), Err(ReadError::NotEncoded { encoding }.into()));
    let parquet = Source::files(&marked).with_format(Format::Parquet).with_encoding(encoding);
    assert_eq!(counted(&parquet), Err(ReadError::Encoded { format: Format::Parquet }.into()));
}

/// If this fails, one record that its encoding does not allow has the whole file refused where no record may.
#[test]
fn half_a_character_has_no_name_where_n_is_private() {
    let scratch = Scratch::new();
    let mut units: Vec<u16> = "a,b\nx,1\ny,2\nx,".encode_utf16().collect();
    units.extend([0xdc00, 0x0a]);
    let path = scratch.write("a.csv", units.into_iter().flat_map(u16::to_le_bytes).collect::<Vec<u8>>());
    let adjacency = posterity_count::Adjacency::AddRemove;
    let source = Source::files(&path).with_encoding(Encoding::Utf16Le);
    let found = |column: &str, values: &[&str]| {
        let question = Question { adjacency, ..about(column, values) };
        answer(&source, &question).map(|counted| counted.counts.as_slice().to_vec())
    };
    assert_eq!(found("a", &["x", "y"]), Ok(vec![2, 1]));
    assert_eq!(found("b", &["1", "2"]), Ok(vec![1, 1]));
}

#[test]
fn what_a_file_is_instead() {
    let scratch = Scratch::new();
    let zipped = scratch.gzip("a.csv", TEXT);
    assert_eq!(counts(&zipped, &question()), Err(ReadError::IsGzip { path: zipped.clone() }.into()));
    let sheet = scratch.write("b.csv", b"PK\x03\x04\x14\x00");
    assert_eq!(counts(&sheet, &question()), Err(ReadError::IsZip { path: sheet.clone() }.into()));
    for (name, text) in [
        ("c.json", "{\"größe\":\"große\",\"x\":NaN}\n"),
        ("d.json", "[{\"größe\":\"große\",\"x\":-Infinity}]\n"),
    ] {
        let path = scratch.write(name, text);
        assert_eq!(counts(&path, &question()), Err(ReadError::NotFinite { path: path.clone() }.into()));
    }
}

#[test]
fn a_wrong_delimiter_is_named() {
    let scratch = Scratch::new();
    for (delimiter, name) in [(';', "a.csv"), ('\t', "b.csv"), (',', "c.tsv")] {
        let path = scratch.write(name, TEXT.replace(',', &delimiter.to_string()));
        let hint = ColumnHint::Delimiter { delimiter };
        assert_eq!(
            counts(&path, &question()),
            Err(DataError::UnknownColumn { column: "größe".into(), hint })
        );
        let source = Source::files(path).with_delimiter(delimiter);
        assert_eq!(counted(&source), Ok(vec![2, 1]));
    }
}

/// Arrays larger than a block, on one line and on many, are read as lines are; so are those that are cut.
#[test]
fn large_arrays() {
    let scratch = Scratch::new();
    let record = |i: usize| {
        format!(
            "{{\"größe\": \"{}\", \"x\": [\"],\\\"{{\", {{}}]}}",
            if i.is_multiple_of(3) { "große" } else { "kleine €" }
        )
    };
    let records: Vec<String> = (0..60_000).map(record).collect();
    let expected = Ok(vec![20_000, 40_000]);
    let whole = format!("[{}]", records.join(","));
    assert_eq!(counts(&scratch.write("a.json", &whole), &question()), expected);
    let pretty = format!("[\n{}\n]\n", records.join("\n,\n")).replace(", ", ",\n  ");
    assert_eq!(counts(&scratch.write("b.json", pretty), &question()), expected);
    let cut = counts(&scratch.write("c.json", &whole[..whole.len() - 1]), &question());
    assert_eq!(cut, Err(ReadError::Malformed { format: Format::Json }.into()));
}

#[test]
fn standard_input_needs_a_format_of_text() {
    let source = Source::standard_input(None);
    assert_eq!(counted(&source), Err(ReadError::InputFormat.into()));
    let format = Format::Parquet;
    assert_eq!(counted(&source.with_format(format)), Err(ReadError::InputOrder { format }.into()));
}
