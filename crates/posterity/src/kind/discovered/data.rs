//! Private counts of all values of a column.

use std::fmt;
use std::ops::ControlFlow;

use posterity_count::{Column, DataError, Question, Resources, Source, Values, ValuesAsked, gather_values};

use crate::about::About;
use crate::known_source::KnownSource;
use crate::private_data::{NameError, describe_table};
use crate::randomness::Randomness;

/// How often each value of a column occurs, of which nobody declared which there are. It is private: a [`Discovery`]
/// draws from it once, and nothing else reads it.
///
/// [`Discovery`]: super::Discovery
pub struct ValueData {
    pub(super) values: Values,
    pub(super) about: About,
    /// What a ledger knows the source and the question by; nothing for data without a name, which is never taken for
    /// the same as other data.
    pub(super) description: Option<String>,
    /// Whether the records of units were drawn from a seed.
    pub(super) seeded: bool,
}

impl ValueData {
    /// Counts the values of a column of a file, a folder or a glob. The randomness is the operating system's.
    ///
    /// # Errors
    /// [`DataError`]; it says nothing that a record holds.
    pub fn read(path: impl Into<String>, asked: &ValuesAsked) -> Result<Self, DataError> {
        let go_on = |_| ControlFlow::Continue(());
        Self::read_from(&Source::files(path), asked, Randomness::System, &Resources::default(), &go_on)
    }

    /// Counts the values of a column of a source. `progress` is called now and then, and may end the count.
    ///
    /// # Errors
    /// [`DataError`]; it says nothing that a record holds.
    pub fn read_from(
        source: &Source,
        asked: &ValuesAsked,
        randomness: Randomness,
        resources: &Resources,
        progress: &dyn Fn(u64) -> ControlFlow<()>,
    ) -> Result<Self, DataError> {
        let mut bits = randomness.bits_of_data();
        let values = gather_values(source, asked, &mut *bits, resources, progress)?;
        Ok(Self::of_source(values, source, asked, randomness))
    }

    /// Values that were gathered of a source.
    pub(crate) fn of_source(
        values: Values,
        source: &Source,
        asked: &ValuesAsked,
        randomness: Randomness,
    ) -> Self {
        let (about, description) = asked_of(source, asked);
        Self { about, description, ..Self::gathered(values, asked, randomness) }
    }

    /// Names the source in this way to readers of the release, who should not see where it is.
    #[must_use]
    pub fn shown_as(mut self, name: &str) -> Self {
        self.about = shown_as(self.about, name);
        self
    }

    /// Values that were gathered in memory, by this question and randomness. Nothing says what data they are of, so every
    /// release of them is charged; see [`ValueData::named_table`].
    #[must_use]
    pub fn gathered(values: Values, asked: &ValuesAsked, randomness: Randomness) -> Self {
        Self {
            values,
            about: About::new(&question(asked), None),
            description: None,
            seeded: randomness.seeds(asked.unit.as_ref(), &asked.per_unit),
        }
    }

    /// Names the table in memory that the values come from. Its owner gives the name to this table and to no other: a
    /// ledger answers the same question about the same name from what it holds.
    ///
    /// # Errors
    /// [`NameError`] if the name is empty.
    pub fn named_table(mut self, name: &str, asked: &ValuesAsked) -> Result<Self, NameError> {
        self.description = Some(describe_table(name, &question(asked))?);
        self.about.source = Some(name.to_owned());
        Ok(self)
    }

    /// Says which edition of its source it is, if there are several.
    #[must_use]
    pub fn of_edition(mut self, edition: Option<&str>) -> Self {
        self.about.edition = edition.map(ToOwned::to_owned);
        self
    }

    /// What the data is and what is asked of it.
    #[must_use]
    pub fn about(&self) -> &About {
        &self.about
    }
}

/// What is asked of a source, and what a ledger knows it by.
pub(crate) fn asked_of(source: &Source, asked: &ValuesAsked) -> (About, Option<String>) {
    let question = question(asked);
    let known = KnownSource::of(source, &question);
    let view = known.as_ref().is_some_and(|known| known.view);
    let (name, description) = known.map(|known| (known.name, known.description)).unzip();
    (About { view, ..About::new(&question, name) }, description)
}

/// What the data is, with the name that readers learn in the place of that of its source, if it has one.
pub(crate) fn shown_as(about: About, name: &str) -> About {
    About { source: about.source.map(|_| name.to_owned()), ..about }
}

/// The question about a column that declares no values.
pub(super) fn question(asked: &ValuesAsked) -> Question {
    let column =
        Column { missing: asked.missing.clone(), ..Column::new(&asked.column, Vec::<String>::new()) };
    Question {
        filter: asked.filter.clone(),
        unit: asked.unit.clone(),
        per_unit: asked.per_unit.clone(),
        adjacency: posterity_core::model::Adjacency::AddRemove,
        ..Question::new(vec![column])
    }
}

/// Hides the data.
impl fmt::Debug for ValueData {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ValueData").field("about", &self.about).finish_non_exhaustive()
    }
}
