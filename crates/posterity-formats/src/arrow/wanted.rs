//! A column that is asked for.

use super::form::Form;
use super::schema::Parts;
use super::snapshot::Snapshot;

/// A column that is asked for: its form, the parts before it, its dictionary, and whether text that is not UTF-8 is
/// refused.
#[derive(Debug)]
pub(super) struct Wanted<'a> {
    pub(super) form: &'a Form,
    pub(super) before: Parts,
    pub(super) dictionary: Option<&'a Snapshot>,
    pub(super) strict: bool,
}
