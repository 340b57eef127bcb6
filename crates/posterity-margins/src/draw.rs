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

#[cfg(test)]
mod tests {
    use posterity_core::model::Adjacency;
    use posterity_core::sampler::SeededBits;

    use super::*;
    use crate::shape::Shape;

    fn workload() -> Workload {
        Workload::all(Shape::new(vec![2, 2, 3]).expect("sizes"), 2).expect("pairs")
    }

    fn plan(adjacency: Adjacency) -> Plan {
        Plan::new(workload(), adjacency, "1/2".parse().expect("a number")).expect("a budget")
    }

    /// If this fails, a number gets no noise or that of another variance, or a law is made anew without need.
    #[test]
    fn every_number_gets_the_noise_of_its_variance() {
        for adjacency in [Adjacency::AddRemove, Adjacency::Replace] {
            let plan = plan(adjacency);
            let workload = plan.workload();
            let tables = Tables::of_records(workload, [[0, 1, 2], [1, 1, 0], [1, 0, 2]]).expect("records");
            let mut laws = Vec::new();
            // The noise is the number of the law.
            let law = |variance: &RBig| {
                laws.push(variance.clone());
                let noise = laws.len() as i64;
                Ok::<Sampler<'_>, SourceError>(Box::new(move |_| Ok(noise)))
            };
            let released = draw(&plan, &tables, law, &mut SeededBits::new(1)).expect("no source is asked");
            let variances: Vec<_> =
                (0..workload.sets().len()).map(|index| plan.noise_variance(index)).collect();
            let mut changes: Vec<RBig> = variances.iter().flatten().cloned().collect();
            changes.dedup();
            assert_eq!(laws, changes);
            assert!(1 < laws.len() && laws.len() < variances.len() - 1, "{variances:?}");
            let mut number = 0;
            for (index, variance) in variances.iter().enumerate() {
                let noise = match variance {
                    Some(variance) => {
                        number += usize::from(number == 0 || laws[number - 1] != *variance);
                        number as i64
                    }
                    None => 0,
                };
                let mut expected = tables.whole_residual(workload, index);
                expected.iter_mut().for_each(|value| *value += noise);
                assert_eq!(released.residual(index), expected, "set {index}");
                assert_eq!(released.residuals()[index], expected, "set {index}");
            }
        }
    }

    /// If this fails, numbers that are not those of the tables are taken for a draw.
    #[test]
    fn what_is_no_draw_of_the_workload_is_refused() {
        let workload = workload();
        let residuals: Vec<Vec<i64>> =
            (0..workload.sets().len()).map(|index| vec![7; workload.cells(index) as usize]).collect();
        assert!(Released::new(&workload, residuals.clone()).is_ok());
        assert_eq!(Released::new(&workload, residuals[1..].to_vec()), Err(ReleasedError));
        assert_eq!(Released::new(&workload, residuals[..residuals.len() - 1].to_vec()), Err(ReleasedError));
        for index in 0..residuals.len() {
            let mut longer = residuals.clone();
            longer[index].push(7);
            assert_eq!(Released::new(&workload, longer), Err(ReleasedError), "set {index}");
        }
    }
}
