//! Files of the Apache projects, as they were written by others. `tools/corpora.py` reads all of theirs and compares each
//! value with pyarrow's; tests/corpus has some of them, and what it printed of those.

#[path = "../examples/values.rs"]
#[allow(dead_code, reason = "the example has a main function")]
mod values;

/// If this fails, a file of somebody else means something else than it did.
#[test]
fn files_of_others_keep_their_meaning() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/corpus/");
    let known = std::fs::read_to_string(format!("{folder}values.jsonl")).expect("the list is there");
    let mut seen = 0;
    for line in known.lines() {
        let expected: serde_json::Value = serde_json::from_str(line).expect("a line of JSON");
        let name = expected["file"].as_str().expect("the name of a file");
        let said = values::file(&format!("{folder}{name}")).to_string().replace(folder, "");
        assert_eq!(said.parse::<serde_json::Value>().expect("JSON"), expected, "{name}");
        seen += 1;
    }
    let files = std::fs::read_dir(folder).expect("a folder").flatten();
    let data =
        |path: &std::path::Path| path.extension().is_some_and(|end| end == "parquet" || end == "arrow");
    assert_eq!(seen, files.filter(|file| data(&file.path())).count());
}
