//! JSON.

use std::io::{self, Write};

use serde::Serialize;

/// Writes one JSON document and a line break.
pub(super) fn export(out: &mut impl Write, document: &(impl Serialize + ?Sized)) -> io::Result<()> {
    posterity::json::write(&mut *out, document)?;
    writeln!(out)
}
