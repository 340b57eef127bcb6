//! Columns of one name.

use crate::read_error::ReadError;

/// Refuses a name that two columns have.
pub(crate) fn refuse_repeated<'a>(names: impl Iterator<Item = &'a str>) -> Result<(), ReadError> {
    let mut names: Vec<&str> = names.collect();
    names.sort_unstable();
    match names.windows(2).find(|pair| pair[0] == pair[1]) {
        Some(pair) => Err(ReadError::DuplicateColumn { column: pair[0].into() }),
        None => Ok(()),
    }
}
