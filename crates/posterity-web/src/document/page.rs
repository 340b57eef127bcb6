//! The page of a release, and its files.

use super::published::Published;
use crate::readings::{ReadingForm, Source};
use crate::reply::Answer;
use crate::site::Site;
use crate::{margins, release};

/// The page of a release, with what was typed into its form and what is wrong with that.
pub(crate) fn body(
    site: &Site,
    published: &Published,
    source: &Source,
    typed: &ReadingForm,
    wrong: Option<&str>,
) -> String {
    match published {
        Published::Posterior(shown) => release::document_body(site, shown, source, typed, wrong),
        Published::Margins(shown) => margins::body(site, shown, source, typed, wrong),
    }
}

/// A file of a release.
pub(crate) fn file(site: &Site, published: &Published, name: &str) -> Answer {
    match published {
        Published::Posterior(shown) => release::file(site, shown, name),
        Published::Margins(shown) => margins::file(site, shown, name),
    }
}
