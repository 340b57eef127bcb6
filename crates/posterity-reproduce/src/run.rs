//! Running one experiment.

use posterity_plot::Figure;

use crate::claim::Decision;
use crate::error::ReproduceError;
use crate::experiment::{Experiment, Group};
use crate::kinds::RunContext;
use crate::mode::Mode;
use crate::table::ResultTable;
use crate::watcher::Watcher;

/// The result of running an experiment.
#[derive(Clone, Debug, PartialEq)]
pub struct ExperimentResult {
    /// The experiment.
    pub name: String,
    /// What it shows.
    pub title: String,
    /// How to read its figure.
    pub reading: String,
    /// The part of the report.
    pub group: Group,
    /// Its numbers.
    pub table: ResultTable,
    /// Its picture.
    pub figure: Figure,
    /// Its claims, decided by the numbers.
    pub decisions: Vec<Decision>,
}

/// Computes an experiment, on all threads of the current pool. The same definition and mode give the same result
/// on any number of threads.
///
/// # Errors
/// [`ReproduceError::Failed`] if the computation fails.
pub fn run(
    experiment: &Experiment,
    mode: Mode,
    watcher: &dyn Watcher,
) -> Result<ExperimentResult, ReproduceError> {
    let name = experiment.name();
    let (table, rows) = experiment
        .procedure()
        .run(&RunContext { name, seed: experiment.seed(), mode, watcher })
        .map_err(|why| ReproduceError::Failed { name: name.to_owned(), why })?;
    let subtitle = match (experiment.procedure().sampled(mode), mode) {
        (Some(runs), Mode::Full) => format!("{runs} releases each, seed {}", experiment.seed()),
        (Some(runs), Mode::Quick) => format!("quick pass: {runs} releases each, seed {}", experiment.seed()),
        (None, Mode::Full) => "exact".to_owned(),
        (None, Mode::Quick) => "exact; quick pass".to_owned(),
    };
    let figure = Figure { title: experiment.title().to_owned(), subtitle, rows };
    let decisions = experiment.claims().iter().map(|claim| claim.decide(&table)).collect();
    Ok(ExperimentResult {
        name: name.to_owned(),
        title: experiment.title().to_owned(),
        reading: experiment.reading().to_owned(),
        group: experiment.group(),
        table,
        figure,
        decisions,
    })
}
