//! A document from a file.

use std::path::Path;

use posterity::Publication;

use crate::error::Failure;

/// The document in a file, of any kind, if it promises what follows from its request.
pub(crate) fn load(path: &Path) -> Result<Publication, Failure> {
    let wrong = |why: String| Failure::argument("path", why);
    let found = Publication::load(path).map_err(|error| wrong(error.to_string()))?;
    if found.promises_what_it_should() {
        Ok(found)
    } else {
        Err(wrong(
            "the document promises more or less than follows from its request; ask for the original".into(),
        ))
    }
}
