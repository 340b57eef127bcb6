//! What a release is, below every picture of it.

use posterity::number::{short, spent};
use posterity::{About, DiscoveredDocument, Document, Kind, MarginsDocument};

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

impl From<&DiscoveredDocument> for Caption {
    fn from(document: &DiscoveredDocument) -> Self {
        let terms = document.answer().asked().terms();
        let (epsilon, delta) = (short(terms.whole_epsilon().to_f64_shown()), spent(&terms.delta));
        Self {
            private: document.is_private(),
            seed: document.answer().asked().seed(),
            release: format!("Release: discovered categories, epsilon {epsilon}, delta {delta}, n private"),
            about: about(document.about(), document.answer().per_unit().as_deref()),
        }
    }
}

impl From<&MarginsDocument> for Caption {
    fn from(document: &MarginsDocument) -> Self {
        let (answer, terms) = (document.answer(), document.answer().asked().terms());
        let n = answer.n().map_or_else(|| "private".to_owned(), |n| n.to_string());
        Self {
            private: document.is_private(),
            seed: answer.asked().seed(),
            release: format!(
                "Release: tables of many columns, epsilon {}, delta {}, n {n}",
                short(terms.epsilon.to_f64_shown()),
                spent(&terms.delta)
            ),
            about: about(document.about(), answer.per_unit().as_deref()),
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
