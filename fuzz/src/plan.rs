//! Plans of studies, and schemas.

use std::path::Path;

use posterity_study::{Plan, needed_fields};

/// Reads a text as a plan and as a Table Schema. The files that it names are not opened.
pub fn look(bytes: &[u8]) {
    let Some(text) = crate::text(bytes) else { return };
    let _ = Plan::parse(text, Path::new("/nonexistent"));
    let _ = needed_fields(text);
}
