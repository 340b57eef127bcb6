//! How far a count is, in words.

use std::sync::atomic::{AtomicU64, Ordering};

use posterity::number::grouped;

/// How far a release is, for a page that waits.
pub(crate) fn working(rows: &AtomicU64) -> String {
    format!(
        "<p class=\"lead\" role=\"status\">{}</p><p><progress aria-label=\"Counting\"></progress></p>",
        counting(rows.load(Ordering::Relaxed))
    )
}

/// How far a count is. Where n is private, no rows are reported, and none are shown.
pub(crate) fn counting(rows: u64) -> String {
    match rows {
        0 => "Counting.".to_owned(),
        rows => format!("Counting: {} rows so far.", grouped(&rows.to_string())),
    }
}
