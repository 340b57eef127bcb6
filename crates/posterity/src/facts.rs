//! What is public about private counts.

use std::num::NonZeroU64;

use posterity_core::model::{Adjacency, Categories};

use crate::about::About;
#[cfg(feature = "data")]
use crate::known_source::KnownSource;

/// All that is public about private counts: the categories, how many records there are, and where they come from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Facts {
    pub(crate) categories: Categories,
    /// The number of records, or of units; none if it is private.
    pub(crate) n: Option<u64>,
    /// A key for the same question of the same data, if there is one.
    pub(crate) description: Option<String>,
    pub(crate) about: About,
    /// By which of its records each unit counts, in words.
    pub(crate) rule: Option<String>,
    /// Whether the categories are the keys of a mapping.
    pub(crate) published_keys: bool,
}

impl Facts {
    /// Counts about which nothing else is known.
    pub(crate) fn new(categories: Categories, n: Option<u64>) -> Self {
        let about = About::default();
        Self { categories, n, description: None, about, rule: None, published_keys: false }
    }

    /// Records about which a reader learns this.
    pub(crate) fn of_about(categories: Categories, n: Option<u64>, about: About) -> Self {
        Self { rule: about.rule_in_words(), about, ..Self::new(categories, n) }
    }

    /// Whether each unit counts by one of its records, drawn at random.
    pub(crate) fn draws_records(&self) -> bool {
        self.about.per_unit.as_deref().is_some_and(|rule| rule == "random")
    }

    /// What is public of a release under an adjacency: where n is private, nothing is left of it.
    pub(crate) fn under(&self, adjacency: Adjacency) -> Self {
        let n = self.n.filter(|_| adjacency == Adjacency::Replace);
        Self { n, ..self.clone() }
    }

    /// The most records by which one unit counts.
    pub(crate) fn records_per_unit(&self) -> NonZeroU64 {
        self.about.records_per_unit()
    }

    /// Records that were counted by this question.
    #[cfg(feature = "data")]
    pub(crate) fn asked(
        categories: Categories,
        n: Option<u64>,
        question: &posterity_count::Question,
    ) -> Self {
        Self::of_about(categories, n, About::new(question, None))
    }

    /// Says that the records are of this source.
    #[cfg(feature = "data")]
    pub(crate) fn of_source(
        self,
        source: &posterity_count::Source,
        question: &posterity_count::Question,
    ) -> Self {
        match KnownSource::of(source, question) {
            None => self,
            Some(KnownSource { name, description, view }) => {
                let about = About { view, ..About::new(question, Some(name)) };
                Self { about, description: Some(description), ..self }
            }
        }
    }

    /// Names the source in this way to a reader.
    #[cfg(feature = "data")]
    pub(crate) fn shown_as(mut self, name: &str) -> Self {
        self.about.source = Some(name.to_owned());
        self
    }

    /// Says which edition of the source it is, if there are several.
    pub(crate) fn of_edition(mut self, edition: Option<&str>) -> Self {
        self.about.edition = edition.map(ToOwned::to_owned);
        self
    }

    /// Gives it a name that stands for this data only.
    pub(crate) fn named(self, name: &str, description: String) -> Self {
        let about = About { source: Some(name.to_owned()), ..self.about };
        Self { description: Some(description), about, ..self }
    }

    /// The column whose values are protected; records if there is none.
    pub(crate) fn unit(&self) -> Option<&str> {
        self.about.unit.as_deref()
    }
}
