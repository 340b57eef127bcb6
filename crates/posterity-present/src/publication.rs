//! A document from a file.

use std::path::Path;

use posterity::Publication;

/// The document in a file, of any kind, if it promises what follows from its request.
///
/// # Errors
/// Why it cannot be used.
pub fn load_publication(path: &Path) -> Result<Publication, String> {
    let found = Publication::load(path).map_err(|error| error.to_string())?;
    if found.promises_what_it_should() {
        Ok(found)
    } else {
        Err("the document promises more or less than follows from its request; ask for the original"
            .to_owned())
    }
}
