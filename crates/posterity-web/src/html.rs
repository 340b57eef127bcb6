//! Text in pages.

use std::fmt::Display;

use posterity_present::html::escaped;

/// A value as text of a page or of an attribute: what has a meaning in HTML is written as itself.
pub(crate) fn text(value: impl Display) -> String {
    escaped(&value.to_string())
}
