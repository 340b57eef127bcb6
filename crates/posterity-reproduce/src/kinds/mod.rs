//! The kinds of experiments: each computes a table, and lays out a figure from it.

mod bounds;
mod boxes;
mod candidates;
mod context;
mod coverage;
mod crossover;
mod explicit;
mod landscape;
mod laws;
mod layout;
mod map;
mod noise;
mod radius;
mod scores;
mod sensitivity;
mod sliding;
mod steps;
mod sweep;
mod tails;
mod validity;

pub(crate) use bounds::Bounds;
pub(crate) use boxes::Boxes;
pub(crate) use candidates::Candidates;
pub(crate) use context::RunContext;
pub(crate) use coverage::Coverage;
pub(crate) use crossover::Crossover;
pub(crate) use explicit::Explicit;
pub(crate) use landscape::Landscape;
pub(crate) use laws::Laws;
pub(crate) use map::Map;
pub(crate) use noise::Noise;
pub(crate) use radius::Radius;
pub(crate) use scores::Scores;
pub(crate) use sensitivity::SensitivityCurves;
pub(crate) use sliding::Sliding;
pub(crate) use steps::Steps;
pub(crate) use sweep::Sweep;
pub(crate) use tails::Tails;

use self::context::Computed;
use crate::mode::Mode;

/// What an experiment computes.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum ExperimentKind {
    Sensitivity(SensitivityCurves),
    Candidates(Candidates),
    Landscape(Landscape),
    Laws(Laws),
    Steps(Steps),
    Boxes(Boxes),
    Sweep(Sweep),
    Bounds(Bounds),
    Crossover(Crossover),
    Coverage(Coverage),
    Explicit(Explicit),
    Map(Map),
    Noise(Noise),
    Radius(Radius),
    Sliding(Sliding),
    Tails(Tails),
    Scores(Scores),
}

impl ExperimentKind {
    /// Checks that its keys fit together. The error says which do not.
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
            Self::Explicit(one) => one.check(),
            Self::Map(one) => one.check(),
            Self::Noise(one) => one.check(),
            Self::Radius(one) => one.check(),
            Self::Sliding(one) => one.check(),
            Self::Tails(one) => one.check(),
            Self::Scores(one) => one.check(),
        }
    }

    pub(crate) fn run(&self, context: &RunContext<'_>) -> Computed {
        match self {
            Self::Sensitivity(one) => one.run(context),
            Self::Candidates(one) => one.run(context),
            Self::Landscape(one) => one.run(context),
            Self::Laws(one) => one.run(context),
            Self::Steps(one) => one.run(context),
            Self::Boxes(one) => one.run(context),
            Self::Sweep(one) => one.run(context),
            Self::Bounds(one) => one.run(context),
            Self::Crossover(one) => one.run(context),
            Self::Coverage(one) => one.run(context),
            Self::Explicit(one) => one.run(context),
            Self::Map(one) => one.run(context),
            Self::Noise(one) => one.run(context),
            Self::Radius(one) => one.run(context),
            Self::Sliding(one) => one.run(context),
            Self::Tails(one) => one.run(context),
            Self::Scores(one) => one.run(context),
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
