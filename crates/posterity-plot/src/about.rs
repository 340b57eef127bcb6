//! What a release is about, below every picture of it.

use posterity::{About, Document};

/// The data and the rule of units, in words.
pub(crate) fn lines(document: &Document) -> Vec<String> {
    let about = document.about();
    let data = (*about != About::default()).then(|| format!("About: {}", about.data_in_words()));
    let rule = document.per_unit().map(|rule| format!("Units: {rule}"));
    data.into_iter().chain(rule).collect()
}
