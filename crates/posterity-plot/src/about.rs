//! What a release is, below every picture of it.

use posterity::document::Kind;
use posterity::number::{short, spent};
use posterity::{About, Document, Publication};

/// What a picture says of the release that it shows.
#[derive(Clone, Debug)]
pub struct Caption {
    pub(crate) private: bool,
    pub(crate) seed: Option<u64>,
    /// The mechanism, the budget and n.
    pub(crate) release: String,
    /// The data and the rule of units.
    pub(crate) about: Vec<String>,
}

impl<K: Kind> From<&Document<K>> for Caption
where
    Publication: From<Document<K>>,
{
    fn from(document: &Document<K>) -> Self {
        (&Publication::from(document.clone())).into()
    }
}

impl From<&Publication> for Caption {
    fn from(document: &Publication) -> Self {
        let (epsilon, delta) = document.budget();
        let delta = if delta.is_zero() { String::new() } else { format!(", delta {}", spent(&delta)) };
        Self {
            private: document.is_private(),
            seed: document.seed(),
            release: format!(
                "Release: {}, epsilon {}{delta}, n {}",
                document.name_in_short(),
                short(epsilon.to_f64_shown()),
                document.n_text()
            ),
            about: lines(document.about()),
        }
    }
}

/// The data and the rule of units, in words.
pub(crate) fn lines(about: &About) -> Vec<String> {
    let data = (*about != About::default()).then(|| format!("About: {}", about.data_in_words()));
    let rule = about.rule_in_words().map(|rule| format!("Units: {rule}"));
    data.into_iter().chain(rule).collect()
}
