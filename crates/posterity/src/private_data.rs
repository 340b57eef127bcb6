//! Private counts, and where they come from.

#[cfg(feature = "data")]
use std::ops::ControlFlow;

use posterity_core::model::{Categories, CategoriesError, Counts, CountsError};
use thiserror::Error;

use crate::about::About;
use crate::facts::Facts;
#[cfg(feature = "data")]
use crate::known_source::KnownSource;

#[cfg(feature = "data")]
use crate::randomness::Randomness;

/// Private counts with their public context: the categories, the number of records, and where the data comes from.
///
/// The `Debug` form hides the counts, and nothing but a [`Publisher`](crate::Publisher) reads them.
///
/// ```
/// use posterity::Data;
/// let data = Data::counts([("yes", 48), ("no", 42)])?.named("trial-7", None, None)?;
/// assert_eq!((data.n(), data.categories().names()), (Some(90), &["yes".to_owned(), "no".to_owned()][..]));
/// assert!(!format!("{data:?}").contains("48"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Data {
    counts: Counts,
    facts: Facts,
    /// Whether the counts depend on a seed, so that anyone can repeat which records were drawn.
    seeded: bool,
    /// Whether it is data in memory that somebody named.
    named: bool,
}

/// There is not one name for each count.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("there are {categories} names for {counts} counts; give one name per count")]
#[non_exhaustive]
pub struct NamesError {
    /// How many names there are.
    pub categories: usize,
    /// How many counts there are.
    pub counts: usize,
}

/// Why counts with names are not valid.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum CountedError {
    /// The counts are not valid.
    #[error(transparent)]
    Counts(#[from] CountsError),
    /// The names are not valid.
    #[error(transparent)]
    Categories(#[from] CategoriesError),
    /// There is not one name for each count.
    #[error(transparent)]
    Names(#[from] NamesError),
}

/// The name of the data is empty.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("the name of the data is empty; give a name that stands for this data only, or none")]
#[non_exhaustive]
pub struct NameError;

impl Data {
    /// Counts that someone has made already, each with the name of its category. The names are published and must not
    /// come from the data.
    ///
    /// ```
    /// let data = posterity::Data::counts([("yes", 48), ("no", 42)])?;
    /// assert_eq!(data.n(), Some(90));
    /// # Ok::<(), posterity::CountedError>(())
    /// ```
    ///
    /// # Errors
    /// [`CountedError`] if the counts or the names are not valid.
    pub fn counts<N: Into<String>>(named: impl IntoIterator<Item = (N, u64)>) -> Result<Self, CountedError> {
        let (names, counts): (Vec<String>, Vec<u64>) =
            named.into_iter().map(|(name, count)| (name.into(), count)).unzip();
        Ok(Self::new(Counts::new(counts)?, Categories::new(names)?)?)
    }

    /// Counts that someone has made already. Nothing says what data they are of, so a ledger never takes two of them
    /// for the same.
    ///
    /// ```
    /// use posterity::{Categories, Counts, Data};
    /// let counts = Counts::new(vec![48, 42])?;
    /// let data = Data::new(counts, Categories::numbered(2)?)?;
    /// assert_eq!(data.description(), None);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`NamesError`] if there is not one name for each.
    pub fn new(counts: Counts, categories: Categories) -> Result<Self, NamesError> {
        if counts.len() != categories.names().len() {
            return Err(NamesError { categories: categories.names().len(), counts: counts.len() });
        }
        Ok(Self { facts: Facts::new(categories, Some(counts.total())), counts, seeded: false, named: false })
    }

    /// Counts the records of a file, a folder or a glob on this machine. The randomness is the operating system's.
    ///
    /// ```
    /// use posterity::data::{Column, Question};
    /// # let folder = tempfile::tempdir()?;
    /// # let path = folder.path().join("people.csv");
    /// # std::fs::write(&path, "cured\nyes\nno\nyes\n")?;
    /// // The file people.csv has a column `cured`, with yes, no and yes.
    /// let question = Question::new(vec![Column::new("cured", ["yes", "no"])]);
    /// let data = posterity::Data::read(path.to_string_lossy(), &question)?;
    /// assert_eq!(data.n(), Some(3));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`DataError`](posterity_count::DataError); it says nothing that a record holds.
    #[cfg(feature = "data")]
    pub fn read(
        path: impl Into<String>,
        question: &posterity_count::Question,
    ) -> Result<Self, posterity_count::DataError> {
        let (source, resources) =
            (posterity_count::Source::files(path), posterity_count::Resources::default());
        Self::read_from(&source, question, Randomness::System, &resources, &|_| ControlFlow::Continue(()))
    }

    /// Counts the records of a source. `progress` is called now and then with the rows read so far, and may end the
    /// count.
    ///
    /// The randomness draws one record of each unit, if the question has a unit and that rule. Counts that depend on a
    /// seed are for experiments: only [`Publisher::experiment`](crate::Publisher::experiment) takes them.
    ///
    /// ```
    /// use std::ops::ControlFlow;
    ///
    /// use posterity::data::{Column, Question, Resources, Source};
    /// use posterity::{Data, Randomness};
    /// # let folder = tempfile::tempdir()?;
    /// # let path = folder.path().join("visits.csv");
    /// # std::fs::write(&path, "patient,cured\n1,yes\n1,no\n2,yes\n")?;
    /// // The file visits.csv has three visits of two patients. Each patient counts once.
    /// let question = Question {
    ///     unit: Some("patient".into()),
    ///     ..Question::new(vec![Column::new("cured", ["yes", "no"])])
    /// };
    /// let (source, resources) = (Source::files(path.to_string_lossy()), Resources::default());
    /// let go_on = |_rows: u64| ControlFlow::Continue(());
    /// let data = Data::read_from(&source, &question, Randomness::System, &resources, &go_on)?;
    /// assert_eq!((data.n(), data.unit()), (Some(2), Some("patient")));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`DataError`](posterity_count::DataError); it says nothing that a record holds.
    #[cfg(feature = "data")]
    pub fn read_from(
        source: &posterity_count::Source,
        question: &posterity_count::Question,
        randomness: Randomness,
        resources: &posterity_count::Resources,
        progress: &dyn Fn(u64) -> ControlFlow<()>,
    ) -> Result<Self, posterity_count::DataError> {
        let mut bits = randomness.bits_of_data();
        let counted = posterity_count::count(source, question, &mut *bits, resources, progress)?;
        Ok(Self::of_source(counted, source, question, randomness))
    }

    /// Counts the records of a source on a cluster: the same data as [`Data::read_from`] gives, down to its
    /// description. Where one record of each unit is drawn, the executors draw it, each from its own system's
    /// randomness.
    ///
    /// # Errors
    /// [`DataError`](posterity_count::DataError); it says nothing that a record holds.
    #[cfg(feature = "cluster")]
    pub fn read_on(
        source: &posterity_count::Source,
        question: &posterity_count::Question,
        cluster: &posterity_count::Cluster,
    ) -> Result<Self, posterity_count::DataError> {
        let counted = posterity_count::count_on(source, question, cluster)?;
        Ok(Self::of_source(counted, source, question, Randomness::System))
    }

    #[cfg(feature = "data")]
    pub(crate) fn of_source(
        counted: posterity_count::Counted,
        source: &posterity_count::Source,
        question: &posterity_count::Question,
        randomness: Randomness,
    ) -> Self {
        let data = Self::counted(counted, question, randomness);
        Self { facts: data.facts.of_source(source, question), ..data }
    }

    /// Names the source in this way to readers, who should not see where it is. A ledger knows the data by
    /// its source all the same.
    #[cfg(feature = "data")]
    #[must_use]
    pub fn shown_as(self, name: &str) -> Self {
        Self { facts: self.facts.shown_as(name), ..self }
    }

    /// Records that were counted in memory, by this question and randomness. Nothing says what data they are of, as for
    /// [`Data::new`].
    #[cfg(feature = "data")]
    #[must_use]
    pub fn counted(
        counted: posterity_count::Counted,
        question: &posterity_count::Question,
        randomness: Randomness,
    ) -> Self {
        let n =
            (question.adjacency == posterity_core::model::Adjacency::Replace).then(|| counted.counts.total());
        Self {
            facts: Facts::asked(counted.categories, n, question),
            counts: counted.counts,
            seeded: randomness.seeds(question.unit.as_ref(), &question.per_unit),
            named: false,
        }
    }

    /// Records that another program counted, by the text of this query if it is known. The document says so.
    #[cfg(feature = "data")]
    #[must_use]
    pub fn counted_elsewhere(
        counted: posterity_count::Counted,
        question: &posterity_count::Question,
        query: Option<&str>,
    ) -> Self {
        let mut data = Self::counted(counted, question, Randomness::System);
        let digest = query.map(crate::digest::text_digest);
        data.facts.about.counted_by = Some(digest.unwrap_or_else(|| crate::about::UNKNOWN_QUERY.to_owned()));
        data
    }

    /// Marks the categories as the keys of a mapping that were not declared otherwise, so that the document says so.
    #[must_use]
    pub fn with_published_keys(mut self) -> Self {
        self.facts.published_keys = true;
        self
    }

    /// Removes the names of the columns, for labels that have none.
    #[must_use]
    pub fn without_columns(mut self) -> Self {
        self.facts.about = self.facts.about.without_columns();
        self
    }

    /// Names the data. Its owner gives the name to this data and to no other: a ledger takes two data sets of one name
    /// for the same data, as it does for two files of one path. `other` and `missing` are the rules of counting.
    ///
    /// The name takes the place of all that was known of the source: for records of a table, which answers many
    /// questions, use `named_table`.
    ///
    /// ```
    /// use posterity::Data;
    /// let counts = || Data::counts([("yes", 48), ("no", 42)]);
    /// assert!(counts()?.named("trial-7", None, None)?.description().is_some());
    /// assert!(counts()?.named(" ", None, None).is_err());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`NameError`] if the name is empty.
    pub fn named(self, name: &str, other: Option<&str>, missing: Option<&str>) -> Result<Self, NameError> {
        if name.trim().is_empty() {
            return Err(NameError);
        }
        // Not the form of a source of files: a path and a name are never the same.
        let description =
            serde_json::json!({ "version": 1, "memory": name, "other": other, "missing": missing });
        Ok(Self { facts: self.facts.named(name, description.to_string()), named: true, ..self })
    }

    /// Names the table that the records come from. One table answers many questions, so the name and this question
    /// together describe the data.
    ///
    /// # Errors
    /// [`NameError`] if the name is empty.
    #[cfg(feature = "data")]
    pub fn named_table(self, name: &str, question: &posterity_count::Question) -> Result<Self, NameError> {
        let description = describe_table(name, question)?;
        Ok(Self { facts: self.facts.named(name, description), named: true, ..self })
    }

    /// Says whether it is data in memory, for whose name its owner answers.
    #[cfg(feature = "data")]
    pub(crate) fn in_memory_if(self, in_memory: bool) -> Self {
        Self { named: in_memory && self.facts.description.is_some(), ..self }
    }

    /// Says which edition of its source it is, if there are several. It is public, and part of the question that a ledger
    /// knows.
    #[must_use]
    pub fn of_edition(self, edition: Option<&str>) -> Self {
        Self { facts: self.facts.of_edition(edition), ..self }
    }

    /// The private counts.
    pub(crate) fn private_counts(&self) -> &Counts {
        &self.counts
    }

    /// The names of the categories.
    #[must_use]
    pub fn categories(&self) -> &Categories {
        &self.facts.categories
    }

    /// The number of records, or of units, if it is public.
    #[must_use]
    pub fn n(&self) -> Option<u64> {
        self.facts.n
    }

    /// Where the data comes from and what is counted, if that is known: a key for the same question.
    #[must_use]
    pub fn description(&self) -> Option<&str> {
        self.facts.description.as_deref()
    }

    /// The column whose values are protected, all records of one value together; records if there is none.
    #[must_use]
    pub fn unit(&self) -> Option<&str> {
        self.facts.about.unit.as_deref()
    }

    /// What the data is and what was asked of it, for a reader.
    #[must_use]
    pub fn about(&self) -> &About {
        &self.facts.about
    }

    /// All that is public about it.
    pub(crate) fn facts(&self) -> &Facts {
        &self.facts
    }

    /// Whether it is data in memory that somebody named.
    pub(crate) fn is_named_in_memory(&self) -> bool {
        self.named
    }

    /// Whether the counts depend on a seed.
    pub(crate) fn is_seeded(&self) -> bool {
        self.seeded
    }
}

/// What a ledger knows a question about a table of this name by.
#[cfg(feature = "data")]
pub(crate) fn describe_table(name: &str, question: &posterity_count::Question) -> Result<String, NameError> {
    let known = KnownSource::named(name, question).ok_or(NameError)?;
    Ok(known.description)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_describes_the_data_and_its_rules() {
        let input = || {
            let counts = Counts::new(vec![3, 4]).expect("valid");
            Data::new(counts, Categories::numbered(2).expect("valid")).expect("fits")
        };
        assert_eq!(input().description(), None);
        let described =
            |name, other, missing| input().named(name, other, missing).map(|input| input.facts.description);
        let plain = described("trial-7", None, None).expect("a name");
        assert!(plain.as_deref().is_some_and(|text| text.contains("trial-7")));
        assert_eq!(plain, described("trial-7", None, None).expect("a name"));
        for (name, other, missing) in
            [("trial-8", None, None), ("trial-7", Some("1"), None), ("trial-7", None, Some("1"))]
        {
            assert_ne!(plain, described(name, other, missing).expect("a name"));
        }
        assert_eq!(described(" ", None, None), Err(NameError));
    }

    /// If this fails, a ledger gives the release of one column of a table for another.
    #[cfg(feature = "data")]
    #[test]
    fn the_name_of_a_table_goes_with_the_question() {
        use posterity_count::{Column, Question};
        let described = |name: &str, question: &Question| {
            let counts = Counts::new(vec![3, 4]).expect("valid");
            let input = Data::new(counts, Categories::numbered(2).expect("valid")).expect("fits");
            input.named_table(name, question).map(|input| input.facts.description)
        };
        let one = Question::new(vec![Column::new("a", ["x", "y"])]);
        let others = [
            Question::new(vec![Column::new("b", ["x", "y"])]),
            Question { filter: Some("c = 1".into()), ..one.clone() },
            Question { unit: Some("who".into()), ..one.clone() },
        ];
        assert_eq!(described("t", &one), described("t", &one));
        assert_ne!(described("t", &one), described("u", &one));
        for other in others {
            assert_ne!(described("t", &one), described("t", &other));
        }
        assert_eq!(described(" ", &one), Err(NameError));
    }
}
