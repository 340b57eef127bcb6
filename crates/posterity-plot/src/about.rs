//! What a release is, below every picture of it.

use posterity::number::{short, spent};
use posterity::{About, Document, Kind, Paper};

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

impl From<&Document> for Caption {
    fn from(document: &Document) -> Self {
        let (mechanism, n) = (document.mechanism(), document.n_text());
        Self {
            private: document.is_private(),
            seed: document.seed(),
            release: format!("Release: {mechanism}, epsilon {}, n {n}", short(document.epsilon())),
            about: lines(document),
        }
    }
}

impl<K: Kind> From<&Paper<K>> for Caption {
    fn from(document: &Paper<K>) -> Self {
        let (epsilon, delta) = document.budget();
        Self {
            private: document.is_private(),
            seed: document.seed(),
            release: format!(
                "Release: {}, epsilon {}, delta {}, n {}",
                K::TITLE,
                short(epsilon.to_f64_shown()),
                spent(&delta),
                document.n_text()
            ),
            about: about(document.about(), document.per_unit().as_deref()),
        }
    }
}

/// The data and the rule of units, in words.
pub(crate) fn lines(document: &Document) -> Vec<String> {
    about(document.about(), document.per_unit())
}

fn about(about: &About, rule: Option<&str>) -> Vec<String> {
    let data = (*about != About::default()).then(|| format!("About: {}", about.data_in_words()));
    let rule = rule.map(|rule| format!("Units: {rule}"));
    data.into_iter().chain(rule).collect()
}
