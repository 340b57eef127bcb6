//! Reads a release.

use std::sync::Arc;

use posterity_core::confidence::{Listed, Sums};
use posterity_core::model::{Dirichlet, Prior, interval_level};
use posterity_core::noise_aware::NoiseAware;

use super::error::ReadingError;
use super::space::Space;
use super::ways::{Subject, Ways};
use crate::lazy::Lazy;

/// Reads a release: its cells, and the posterior given what was released. It needs no data and costs nothing.
///
/// ```
/// use posterity::{Data, Document, Publisher};
/// let data = Data::counts([("A", 30), ("B", 20), ("C", 50)])?;
/// let release = Publisher::new("1".parse()?).publish(&data)?;
/// let text = serde_json::to_string(release.document())?;
///
/// // Later, and by anyone:
/// let document: Document = serde_json::from_str(&text)?;
/// let reader = document.reader()?.level(0.9)?;
/// let table = reader.read(&"category in {A, B}".parse()?)?;
/// assert_eq!((table.rows.len(), table.level), (1, 0.9));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Reader {
    pub(super) space: Space,
    pub(super) law: Lazy<Law>,
    /// The sums of what was drawn, if its noise adds up.
    pub(super) sums: Option<Arc<Sums>>,
    /// What all laws of a mechanism whose noise does not add up say of the release, where they can be listed.
    pub(super) listed: Option<Arc<Listed>>,
    /// Whether somebody stated the prior of the cells.
    pub(super) stated_prior: bool,
    /// The prior of the cells that somebody stated where n is private.
    pub(super) cell_prior: Option<Arc<Prior>>,
    /// Whether each unit counts by one of its records, drawn at random.
    pub(super) random_records: bool,
    /// Whether several records of a unit count, so that nothing is said about a population.
    pub(super) dependent: bool,
    /// Whether nothing but confidence intervals is wanted.
    pub(super) confidence_alone: bool,
    pub(super) ways: Ways,
    pub(super) draws: u64,
    pub(super) seed: u64,
}

/// The posterior of the cells.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Law {
    /// Takes the noise into account.
    Aware(Arc<NoiseAware>),
    /// The released one, where the noise is not modelled.
    Plain(Dirichlet),
}

impl Reader {
    /// How many draws are made where there is no exact method, unless another number is asked for.
    pub const DRAWS: u64 = 100_000;

    /// The seed of these draws, unless another one is asked for. They protect nothing, so everyone may repeat them.
    pub const SEED: u64 = 1;

    /// Reads cells with this posterior.
    ///
    /// # Errors
    /// [`ReadingError::Cells`] if the posterior has another number of cells.
    pub fn new(space: Space, law: Law, ways: Ways) -> Result<Self, ReadingError> {
        let found = match &law {
            Law::Aware(aware) => aware.marginals().len(),
            Law::Plain(plain) => plain.parameters().len(),
        };
        Self::of_cells(space, found, law.into(), ways)
    }

    /// Reads this many cells with a posterior that is computed when it is needed.
    ///
    /// # Errors
    /// As [`Reader::new`].
    pub(crate) fn of_cells(
        space: Space,
        found: usize,
        law: Lazy<Law>,
        ways: Ways,
    ) -> Result<Self, ReadingError> {
        if found != space.all_cells() {
            return Err(ReadingError::Cells { categories: found, cells: space.all_cells() });
        }
        let (draws, seed) = (Self::DRAWS, Self::SEED);
        Ok(Self {
            space,
            law,
            sums: None,
            listed: None,
            stated_prior: true,
            cell_prior: None,
            random_records: false,
            dependent: false,
            confidence_alone: false,
            ways,
            draws,
            seed,
        })
    }

    /// Takes what was drawn, so that there are confidence intervals. Unless somebody stated the prior of the
    /// cells, credible intervals come from a prior on the groups of each reading.
    #[must_use]
    pub fn with_sums(self, sums: Arc<Sums>, stated_prior: bool) -> Self {
        Self { sums: Some(sums), stated_prior, ..self }
    }

    /// Takes what was drawn where n is private. All credible intervals come from the sums of groups.
    #[must_use]
    pub(crate) fn with_sums_of_private_n(self, sums: Arc<Sums>, prior: Option<Prior>) -> Self {
        Self { cell_prior: prior.map(Arc::new), ..self.with_sums(sums, false) }
    }

    /// Whether each share has a prior of its own, because n is private and nobody stated another.
    pub(super) fn reads_one_by_one(&self) -> bool {
        self.cell_prior.is_none() && self.sums.as_ref().is_some_and(|sums| sums.n_is_private())
    }

    /// Whether there are no credible intervals, which are about a population: what is read is about the records.
    pub(super) fn has_no_credible(&self) -> bool {
        self.dependent || self.ways.about == Subject::Records
    }

    /// Whether the noise of the mechanism is in the posterior.
    #[must_use]
    pub fn models_noise(&self) -> bool {
        matches!(*self.law, Law::Aware(_)) || self.sums.as_ref().is_some_and(|sums| sums.n_is_private())
    }

    /// Takes a list of all laws, so that the two categories of a single column have confidence intervals.
    #[must_use]
    pub fn with_listed(self, listed: Option<Arc<Listed>>) -> Self {
        Self { listed, ..self }
    }

    /// Says whether units count by one of their records, drawn at random. Intervals about the records are refused.
    #[must_use]
    pub(crate) fn of_random_records(self, random_records: bool) -> Self {
        Self { random_records, ..self }
    }

    /// Says whether several records of a unit count. There are intervals about the records only.
    #[must_use]
    pub(crate) fn of_dependent_records(self, dependent: bool) -> Self {
        Self { dependent, ..self }
    }

    /// Sets the level of the intervals.
    ///
    /// # Errors
    /// [`ReadingError::Level`] if it is not strictly between 0 and 1.
    pub fn level(self, level: f64) -> Result<Self, ReadingError> {
        let level = interval_level(level)?;
        Ok(Self { ways: Ways { level, ..self.ways }, ..self })
    }

    /// Sets which intervals are shown, of what, and at which level.
    ///
    /// # Errors
    /// [`ReadingError`] as [`Ways::check`], and [`ReadingError::RandomRecords`] if they are about the records, and one record of
    /// each unit was drawn.
    pub fn ways(self, ways: Ways) -> Result<Self, ReadingError> {
        ways.check()?;
        if self.random_records && ways.about == Subject::Records {
            return Err(ReadingError::RandomRecords);
        }
        if self.dependent && ways.about == Subject::Population {
            return Err(ReadingError::DependentRecords);
        }
        Ok(Self { ways, ..self })
    }

    /// Sets the seed of the draws and how many are made, at least 1,000, where there is no exact method.
    #[must_use]
    pub fn draws(self, draws: u64, seed: u64) -> Self {
        Self { draws: draws.max(1_000), seed, ..self }
    }

    /// Leaves posterior means and credible intervals of shares out where confidence intervals are asked for and each has an
    /// estimate: they take more than half of the time. Then the mean of a row is what [`ReadingRow::shown`] shows.
    ///
    /// [`ReadingRow::shown`]: crate::table::ReadingRow::shown
    #[must_use]
    pub fn confidence_alone(self) -> Self {
        Self { confidence_alone: true, ..self }
    }

    /// The cells of the release.
    #[must_use]
    pub fn space(&self) -> &Space {
        &self.space
    }

    /// The posterior that takes the noise into account, if the noise can be modelled.
    #[must_use]
    pub fn noise_aware(&self) -> Option<&Arc<NoiseAware>> {
        match &*self.law {
            Law::Aware(aware) => Some(aware),
            Law::Plain(_) => None,
        }
    }
}
