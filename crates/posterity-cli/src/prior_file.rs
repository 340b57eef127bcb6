//! A prior in a file.

use std::path::Path;

use posterity::Prior;
use posterity::text_file::read_text;
use posterity_core::model::PriorError;

use crate::failure::Failure;

/// The text of a prior in a file, which has one number for each category.
pub(crate) fn prior_in(path: &Path) -> Result<String, Failure> {
    let text = read_text(path).map_err(|error| Failure::refused(format!("--prior-file: {error}")))?;
    match text.parse::<Prior>() {
        Ok(_) => Ok(text),
        Err(error @ PriorError::TooFew { .. }) => {
            Err(Failure::usage("--prior-file", format!("{error}. One number for all is for --prior")))
        }
        Err(error) => Err(Failure::usage("--prior-file", error)),
    }
}
