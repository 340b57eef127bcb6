//! Running one experiment.

use posterity_plot::Figure;

use crate::claim::Decision;
use crate::error::ReproduceError;
use crate::experiment::{Experiment, Group};
use crate::progress::Progress;
use crate::table::Table;

/// How much is computed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// A fast pass: fewer sizes and repetitions.
    Quick,
    /// As published.
    Full,
}

impl Mode {
    /// The quick value in a quick pass, if there is one.
    pub(crate) fn choose<T>(self, full: T, quick: Option<T>) -> T {
        match self {
            Self::Quick => quick.unwrap_or(full),
            Self::Full => full,
        }
    }
}

/// What came out.
#[derive(Clone, Debug, PartialEq)]
pub struct Outcome {
    /// The experiment.
    pub name: String,
    /// What it shows.
    pub title: String,
    /// How to read its figure.
    pub reading: String,
    /// The part of the report.
    pub group: Group,
    /// Its numbers.
    pub table: Table,
    /// Its picture.
    pub figure: Figure,
    /// Its claims, decided by the numbers.
    pub decisions: Vec<Decision>,
}

/// Computes an experiment, on all threads of the current pool. The same definition and mode give the same outcome,
/// whatever the number of threads.
///
/// # Errors
/// [`ReproduceError::Failed`] if the computation fails.
pub fn run(experiment: &Experiment, mode: Mode, progress: &dyn Progress) -> Result<Outcome, ReproduceError> {
    let name = experiment.name();
    let (table, rows) = experiment
        .kind()
        .run(experiment, mode, progress)
        .map_err(|why| ReproduceError::Failed { name: name.to_owned(), why })?;
    let subtitle = match (experiment.kind().sampled(mode), mode) {
        (Some(runs), Mode::Full) => format!("{runs} releases each, seed {}", experiment.seed()),
        (Some(runs), Mode::Quick) => format!("quick pass: {runs} releases each, seed {}", experiment.seed()),
        (None, Mode::Full) => "exact".to_owned(),
        (None, Mode::Quick) => "exact; quick pass".to_owned(),
    };
    let figure = Figure { title: experiment.title().to_owned(), subtitle, rows };
    let decisions = experiment.claims().iter().map(|claim| claim.decide(&table)).collect();
    Ok(Outcome {
        name: name.to_owned(),
        title: experiment.title().to_owned(),
        reading: experiment.reading().to_owned(),
        group: experiment.group(),
        table,
        figure,
        decisions,
    })
}
