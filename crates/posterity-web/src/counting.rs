//! How far a count is, in words.

use posterity::number::grouped;

/// How far a count is. Where n is private, no rows are reported, and none are shown.
pub(crate) fn counting(rows: u64) -> String {
    match rows {
        0 => "Counting.".to_owned(),
        rows => format!("Counting: {} rows so far.", grouped(&rows.to_string())),
    }
}
