//! Draws: whole-number residuals with noise.

use dashu_ratio::RBig;
use posterity_core::sampler::{BitSource, SourceError};
use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::plan::Plan;
use crate::tables::Tables;
use crate::workload::Workload;

/// A sampler of noise of one variance parameter: discrete Gaussian, with probability proportional to
/// `exp(-z^2/(2 variance))` for every whole number z.
pub type Sampler<'a> = Box<dyn FnMut(&mut dyn BitSource) -> Result<i64, SourceError> + 'a>;

/// What was drawn: for every set of the workload, in its order, `M_A r_A` with noise, the last column running fastest.
/// The first number is that of the records, with noise if it is private. Everything in it is public.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Released {
    residuals: Vec<Vec<i64>>,
}

/// Why numbers are no draw of a workload.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("the draw does not have a number for every cell of every table; take all of it from one document")]
pub struct ReleasedError;

impl Released {
    /// A draw that is known, as from a document.
    ///
    /// # Errors
    /// [`ReleasedError`] if it does not fit the workload.
    pub fn new(workload: &Workload, residuals: Vec<Vec<i64>>) -> Result<Self, ReleasedError> {
        let released = Self { residuals };
        if released.fits(workload) { Ok(released) } else { Err(ReleasedError) }
    }

    /// The numbers of a set, by its place in the workload.
    #[must_use]
    pub fn residual(&self, index: usize) -> &[i64] {
        &self.residuals[index]
    }

    /// All numbers.
    #[must_use]
    pub fn residuals(&self) -> &[Vec<i64>] {
        &self.residuals
    }

    pub(crate) fn fits(&self, workload: &Workload) -> bool {
        let mut cells = self.residuals.iter().enumerate();
        self.residuals.len() == workload.sets().len()
            && cells.all(|(index, residual)| residual.len() as u64 == workload.cells(index))
    }
}

/// Draws a release.
///
/// `law` makes a sampler for a variance parameter. It is called again only when the parameter changes.
///
/// # Guarantee
/// If the sampler is exact, the draw is [`Plan::rho`]-zero-concentrated differentially private: nothing else depends on
/// the tables, and all arithmetic is in whole numbers (docs/proofs/residuals.md, theorem 2).
///
/// # Errors
/// Those of `law` and of the source. Nothing is released then.
pub fn draw<'a, E: From<SourceError>>(
    plan: &Plan,
    tables: &Tables,
    mut law: impl FnMut(&RBig) -> Result<Sampler<'a>, E>,
    bits: &mut dyn BitSource,
) -> Result<Released, E> {
    let workload = plan.workload();
    let mut last: Option<(RBig, Sampler<'a>)> = None;
    let mut residuals = Vec::with_capacity(workload.sets().len());
    for index in 0..workload.sets().len() {
        let mut residual = tables.whole_residual(workload, index);
        if let Some(variance) = plan.noise_variance(index) {
            let sampler = match last.take() {
                Some((known, sampler)) if known == variance => sampler,
                _ => law(&variance)?,
            };
            let (_, sampler) = last.insert((variance, sampler));
            for value in &mut residual {
                // A residual is below 2^62, so only noise that never occurs could leave the range.
                *value = value.saturating_add(sampler(bits)?);
            }
        }
        residuals.push(residual);
    }
    Ok(Released { residuals })
}
