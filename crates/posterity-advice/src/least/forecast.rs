//! The error as a function of epsilon.

use posterity_core::decode::Decoder;
use posterity_core::mechanism::Spec;
use posterity_core::model::{Adjacency, Counts, Epsilon, Setting};

use super::budget::{Start, least_budget};
use super::goal::Goal;
use super::least_error::LeastError;
use super::situation::Situation;
use crate::advice::expected_distance;
use crate::design::OneRelease;

/// An expected error.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Error {
    pub(super) value: f64,
    /// Its standard error; zero where nothing was simulated.
    pub(super) standard_error: f64,
}

/// The error as a function of epsilon, for one mechanism. It is the number that advice at an epsilon says.
pub(super) struct Forecast<'a> {
    situation: &'a Situation,
    spec: Spec,
    what: What,
}

enum What {
    Width(Box<OneRelease>),
    Distance { decoder: Decoder, counts: Counts },
}

impl<'a> Forecast<'a> {
    pub(super) fn new(
        situation: &'a Situation,
        goal: Goal,
        spec: &Spec,
        decoder: Decoder,
    ) -> Result<Self, LeastError> {
        let Situation { prior, n, shape, level } = situation;
        let what = match goal {
            Goal::HalfWidth(_) => {
                let release = OneRelease::of_column(
                    (spec.clone(), Adjacency::Replace),
                    prior,
                    *n,
                    shape.as_ref(),
                    *level,
                )?;
                What::Width(Box::new(release))
            }
            Goal::Distance(_) => {
                let counts = Counts::new(situation.assumed_counts()).map_err(crate::AdviceError::from)?;
                What::Distance { decoder, counts }
            }
        };
        Ok(Self { situation, spec: spec.clone(), what })
    }

    /// The expected error at a budget: of half-widths, that of the widest interval.
    pub(super) fn at(&self, epsilon: f64) -> Result<Error, LeastError> {
        match &self.what {
            What::Width(release) => {
                let found = release.at(epsilon)?[0];
                Ok(Error { value: found.widest, standard_error: found.standard_error })
            }
            What::Distance { decoder, counts } => {
                let epsilon = Epsilon::from_f64(epsilon).map_err(crate::design::DesignError::from)?;
                let setting = Setting::new(self.situation.prior.clone(), self.situation.n, epsilon)?;
                let row = expected_distance(&self.spec, *decoder, setting, counts)?;
                let standard_error = row.standard_error.unwrap_or(0.0);
                Ok(Error { value: row.expected_distance, standard_error })
            }
        }
    }

    /// The expected error without any noise.
    pub(super) fn without(&self) -> f64 {
        match &self.what {
            What::Width(release) => release.without()[0].widest,
            What::Distance { .. } => 0.0,
        }
    }

    /// The least budget of three digits at which the error is expected to be at most as wanted, and the error there.
    pub(super) fn least(
        &self,
        wanted: f64,
        progress: &(dyn Fn(u64) + Sync),
    ) -> Result<Option<(f64, Error)>, LeastError> {
        let without = self.without();
        let start = match &self.what {
            What::Width(release) => release.start(wanted),
            What::Distance { .. } => Start::near(1.0 / (wanted * (self.situation.n as f64).sqrt())),
        };
        let errors = |epsilon: f64| {
            let found = self.at(epsilon)?.value;
            progress(1);
            Ok::<_, LeastError>(vec![found])
        };
        let found = least_budget(wanted, &[without], start, errors)?;
        found.map(|epsilon| Ok((epsilon, self.at(epsilon)?))).transpose()
    }
}
