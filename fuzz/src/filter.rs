//! Conditions of `where` and `within`.

use posterity::data::{Adjacency, Column, Question};

use crate::formats::{counted, with_file};

/// A few records with values of several types, some of which are missing.
const RECORDS: &str = r#"{"a": "yes", "n": 1, "t": "2026-01-01"}
{"a": "no", "n": -0.5, "t": "2026-01-01 12:00:00"}
{"a": "it's", "t": true}
{"a": true, "n": -99999999999999999999999999, "t": ""}
{"a": null, "n": 1e300, "t": "0000-00-00"}
{"a": "yes", "n": "1"}
"#;

/// Reads a condition, and asks it of the records.
pub fn look(bytes: &[u8]) {
    let Some(text) = crate::text(bytes) else { return };
    with_file(RECORDS.as_bytes(), "records.json", |source| {
        let asked = |filter: Option<&str>, within: Option<&str>| {
            let [filter, within] = [filter, within].map(|one| one.map(str::to_owned));
            let adjacency = Adjacency::AddRemove;
            let column = Column::new("a", ["yes", "no"]);
            counted(source, &Question { filter, within, adjacency, ..Question::new(vec![column]) })
        };
        let (filtered, within) = (asked(Some(text), None), asked(None, Some(text)));
        // Both are the same condition: either both can be read, or none.
        assert_eq!(filtered.is_ok(), within.is_ok(), "{text:?}");
        if let (Ok(filtered), Ok(within)) = (filtered, within) {
            assert_eq!(filtered.counts.as_slice(), &within.counts.as_slice()[..2], "{text:?}");
        }
    });
}
