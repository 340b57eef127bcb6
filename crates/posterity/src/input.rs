//! What is released from: private counts and where they come from.

use posterity_core::model::{Categories, Counts};
use thiserror::Error;

/// Private counts with their public context.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Input {
    counts: Counts,
    categories: Categories,
    description: Option<String>,
    unit: Option<String>,
}

/// Names and counts do not go together.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("there are {categories} names for {counts} counts; give one name per count")]
pub struct InputError {
    /// How many names there are.
    pub categories: usize,
    /// How many counts.
    pub counts: usize,
}

impl Input {
    /// Counts that someone has made already. Nothing says what data they are of, so a ledger never takes two such inputs for
    /// the same.
    ///
    /// # Errors
    /// [`InputError`] if there is not one name for each.
    pub fn counts(counts: Counts, categories: Categories) -> Result<Self, InputError> {
        if counts.len() != categories.names().len() {
            return Err(InputError { categories: categories.names().len(), counts: counts.len() });
        }
        Ok(Self { counts, categories, description: None, unit: None })
    }

    /// Counts the records of a source. `progress` is called now and then with the rows read so far.
    ///
    /// # Errors
    /// [`DataError`](posterity_data::DataError); it says nothing that a record holds.
    #[cfg(feature = "data")]
    pub fn read(
        source: &posterity_data::Source,
        question: &posterity_data::Question,
        resources: &posterity_data::Resources,
        progress: &(dyn Fn(u64) + Sync),
    ) -> Result<Self, posterity_data::DataError> {
        let counted = posterity_data::count(source, question, resources, progress)?;
        Ok(Self::counted(counted, source, question))
    }

    /// Counts the records of a source on a cluster: the same input as [`Input::read`] gives, down to its description.
    ///
    /// # Errors
    /// [`DataError`](posterity_data::DataError); it says nothing that a record holds.
    #[cfg(feature = "cluster")]
    pub fn read_on(
        source: &posterity_data::Source,
        question: &posterity_data::Question,
        cluster: &posterity_data::Cluster,
    ) -> Result<Self, posterity_data::DataError> {
        let counted = posterity_data::count_on(source, question, cluster)?;
        Ok(Self::counted(counted, source, question))
    }

    #[cfg(feature = "data")]
    fn counted(
        counted: posterity_data::Counted,
        source: &posterity_data::Source,
        question: &posterity_data::Question,
    ) -> Self {
        Self {
            counts: counted.counts,
            categories: counted.categories,
            // Two files of one name in two folders are two questions.
            description: Some(posterity_data::describe(&source.clone().absolute(), question)),
            unit: question.unit.clone(),
        }
    }

    /// The private counts.
    pub(crate) fn counts_of(&self) -> &Counts {
        &self.counts
    }

    /// The names of the categories.
    #[must_use]
    pub fn categories(&self) -> &Categories {
        &self.categories
    }

    /// The number of records, or of units, which is public.
    #[must_use]
    pub fn n(&self) -> u64 {
        self.counts.total()
    }

    /// Where the data comes from and what is counted, if that is known: a key for the same question.
    #[must_use]
    pub fn description(&self) -> Option<&str> {
        self.description.as_deref()
    }

    /// The column whose values are protected, all records of one value together; records if there is none.
    #[must_use]
    pub fn unit(&self) -> Option<&str> {
        self.unit.as_deref()
    }
}
