//! The kinds of experiments: each computes a table, and lays out a figure from it.

mod bounds;
mod boxes;
mod candidates;
mod coverage;
mod crossover;
mod landscape;
mod laws;
mod sensitivity;
mod steps;
mod sweep;

pub(crate) use bounds::Bounds;
pub(crate) use boxes::Boxes;
pub(crate) use candidates::Candidates;
pub(crate) use coverage::Coverage;
pub(crate) use crossover::Crossover;
pub(crate) use landscape::Landscape;
pub(crate) use laws::Laws;
pub(crate) use sensitivity::Sensitivity;
pub(crate) use steps::Steps;
pub(crate) use sweep::Sweep;

use posterity_core::model::{Counts, Epsilon, Prior, Setting};
use posterity_plot::Panel;
use rayon::prelude::*;

use crate::contender::Contender;
use crate::experiment::Experiment;
use crate::progress::Progress;
use crate::run::Mode;
use crate::table::Table;

/// One of the kinds.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Kind {
    Sensitivity(Sensitivity),
    Candidates(Candidates),
    Landscape(Landscape),
    Laws(Laws),
    Steps(Steps),
    Boxes(Boxes),
    Sweep(Sweep),
    Bounds(Bounds),
    Crossover(Crossover),
    Coverage(Coverage),
}

/// A table and the panels of its figure, or what went wrong.
pub(crate) type Computed = Result<(Table, Vec<Vec<Panel>>), String>;

/// What a computation knows of its surroundings.
pub(crate) struct Context<'c> {
    pub(crate) name: &'c str,
    pub(crate) seed: u64,
    pub(crate) mode: Mode,
    progress: &'c dyn Progress,
}

impl Context<'_> {
    /// All cells, on all threads, in order.
    pub(crate) fn compute<T: Sync, R: Send>(
        &self,
        cells: &[T],
        one: impl Fn(&T) -> Result<R, String> + Sync,
    ) -> Result<Vec<R>, String> {
        self.progress.start(self.name, cells.len() as u64);
        cells
            .par_iter()
            .map(|cell| {
                let result = one(cell)?;
                self.progress.advance(1);
                Ok(result)
            })
            .collect()
    }
}

impl Kind {
    /// Whether its keys go together; says which do not.
    pub(crate) fn check(&self) -> Result<(), String> {
        match self {
            Self::Sensitivity(one) => one.check(),
            Self::Candidates(one) => one.check(),
            Self::Landscape(one) => one.check(),
            Self::Laws(one) => one.check(),
            Self::Steps(one) => one.check(),
            Self::Boxes(one) => one.check(),
            Self::Sweep(one) => one.check(),
            Self::Bounds(one) => one.check(),
            Self::Crossover(one) => one.check(),
            Self::Coverage(one) => one.check(),
        }
    }

    pub(crate) fn run(&self, experiment: &Experiment, mode: Mode, progress: &dyn Progress) -> Computed {
        let context = Context { name: experiment.name(), seed: experiment.seed(), mode, progress };
        match self {
            Self::Sensitivity(one) => one.run(&context),
            Self::Candidates(one) => one.run(&context),
            Self::Landscape(one) => one.run(&context),
            Self::Laws(one) => one.run(&context),
            Self::Steps(one) => one.run(&context),
            Self::Boxes(one) => one.run(&context),
            Self::Sweep(one) => one.run(&context),
            Self::Bounds(one) => one.run(&context),
            Self::Crossover(one) => one.run(&context),
            Self::Coverage(one) => one.run(&context),
        }
    }

    /// The number of draws for each number, if numbers are drawn.
    pub(crate) fn sampled(&self, mode: Mode) -> Option<usize> {
        match self {
            Self::Boxes(one) => Some(one.repetitions(mode)),
            Self::Sweep(one) => one.sampled(mode),
            Self::Coverage(one) => Some(one.trials(mode)),
            _ => None,
        }
    }
}

/// Public inputs.
pub(crate) fn setting(prior: &Prior, n: u64, epsilon: &Epsilon) -> Result<Setting, String> {
    Setting::new(prior.clone(), n, epsilon.clone()).map_err(|error| error.to_string())
}

/// Whether data and prior have the same categories.
pub(crate) fn fits(panel: &str, prior: &Prior, counts: &Counts) -> Result<(), String> {
    if prior.len() == counts.len() {
        return Ok(());
    }
    Err(format!(
        "panel {panel:?}: prior has {} parameters and counts {} categories; give one parameter per category",
        prior.len(),
        counts.len()
    ))
}

/// Whether there is a prior of two categories, where steps between them are counted.
pub(crate) fn two_categories(prior: &Prior) -> Result<(), String> {
    match prior.len() {
        2 => Ok(()),
        found => Err(format!("prior has {found} parameters; this kind of experiment needs 2")),
    }
}

/// Whether there are any.
pub(crate) fn some<T>(key: &str, list: &[T]) -> Result<(), String> {
    if list.is_empty() { Err(format!("{key} is empty; list at least one")) } else { Ok(()) }
}

/// Whether something is repeated at all, in a quick pass too.
pub(crate) fn repeated(full: usize, quick: Option<usize>, keys: &str, of: &str) -> Result<(), String> {
    if full == 0 || quick == Some(0) {
        return Err(format!("{keys} are numbers of {of}; give at least 1"));
    }
    Ok(())
}

/// Whether titles tell panels apart: rows are found by them.
pub(crate) fn distinct<'t>(titles: impl Iterator<Item = &'t str>) -> Result<(), String> {
    let mut seen: Vec<&str> = Vec::new();
    for title in titles {
        if seen.contains(&title) {
            return Err(format!("two panels have the title {title:?}; give each its own"));
        }
        seen.push(title);
    }
    Ok(())
}

/// Each contender once: those of a panel, and those that are added to it.
pub(crate) fn united(published: &[Contender], beyond: &[Contender]) -> Vec<Contender> {
    let mut all = published.to_vec();
    all.extend(beyond.iter().filter(|one| !published.contains(one)).cloned());
    all
}

/// One panel to a row, followed by its companion if there is one; panels without companions two by two.
pub(crate) fn arranged(panels: Vec<(Panel, Option<Panel>)>) -> Vec<Vec<Panel>> {
    if panels.iter().any(|(_, companion)| companion.is_some()) {
        return panels
            .into_iter()
            .map(|(panel, companion)| [panel].into_iter().chain(companion).collect())
            .collect();
    }
    let mut rows: Vec<Vec<Panel>> = Vec::new();
    for (panel, _) in panels {
        match rows.last_mut() {
            Some(row) if row.len() < 2 => row.push(panel),
            _ => rows.push(vec![panel]),
        }
    }
    rows
}

/// The title of a panel and of its companion.
pub(crate) fn titles(title: &str, has_companion: bool) -> (String, String) {
    let first = if title.is_empty() && has_companion { "as published" } else { title };
    (first.to_owned(), "beyond".to_owned())
}
