//! What is done with the bytes of a fuzzer: one module for each parser, whose `look` panics if something is wrong.
//!
//! A parser must not panic, must end, and must stay within its memory. Most targets look at more: what was read can be written
//! and read again, and where n is private nothing that a record holds is an error.

pub mod arrow;
pub mod csv;
pub mod document;
pub mod filter;
mod formats;
pub mod http;
pub mod json;
pub mod mechanism;
pub mod parquet;
pub mod plan;
pub mod reading;

/// A target by its name.
pub type Target = (&'static str, fn(&[u8]));

/// All targets.
pub const ALL: [Target; 10] = [
    ("csv", csv::look),
    ("json", json::look),
    ("parquet", parquet::look),
    ("arrow", arrow::look),
    ("filter", filter::look),
    ("reading", reading::look),
    ("mechanism", mechanism::look),
    ("plan", plan::look),
    ("document", document::look),
    ("http", http::look),
];

/// The text of the bytes, if they are text.
fn text(bytes: &[u8]) -> Option<&str> {
    std::str::from_utf8(bytes).ok()
}
