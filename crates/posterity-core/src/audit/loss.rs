//! The exact privacy loss over all adjacent data sets.
//!
//! `loss = max ln(P_c(r) / P_c'(r))` over all data sets c of size n, all adjacent c' and all outcomes r; and the privacy
//! profile `delta(epsilon) = max sum_r max(0, P_c(r) - exp(epsilon) P_c'(r))`, the largest hockey-stick divergence. A
//! mechanism is (epsilon, delta)-DP for this prior and n exactly if `delta(epsilon) <= delta`.
//!
//! Laws are computed one data set at a time and compared with those of its neighbours, so memory grows with the number
//! of outcomes and not with its square.

use rayon::prelude::*;
use thiserror::Error;

use crate::mechanism::{Mechanism, Space};
use crate::model::{Counts, CountsError, SettingError};
use crate::special::Sum;

/// The result of an audit: bounds that hold, rounding included.
#[derive(Clone, Debug, PartialEq)]
pub struct Audit {
    loss: f64,
    rounding: f64,
    witness: Witness,
    profile: Vec<(f64, f64)>,
}

/// Where the loss is largest: `outcome` is `exp(loss)` times likelier at `from` than at `to`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Witness {
    /// The data set at which the outcome is likelier.
    pub from: Vec<u64>,
    /// The adjacent one.
    pub to: Vec<u64>,
    /// The released counts.
    pub outcome: Vec<u64>,
}

/// How much work an audit is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Scope {
    /// The number of data sets of size n.
    pub data_sets: f64,
    /// The number of outcomes of the mechanism.
    pub outcomes: f64,
    /// The number of probabilities to compute.
    pub probabilities: f64,
}

/// Why an audit cannot be done.
#[derive(Clone, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum AuditError {
    /// Too much work.
    #[error(
        "an audit would compute about {:.1e} probabilities ({:.3e} data sets, {:.3e} outcomes), more than the limit of {limit:.1e}",
        scope.probabilities, scope.data_sets, scope.outcomes
    )]
    TooLarge {
        /// What it would take.
        scope: Scope,
        /// What is allowed.
        limit: f64,
    },
    /// The setting cannot be enumerated; does not happen for a valid one.
    #[error(transparent)]
    Setting(#[from] SettingError),
    /// As above.
    #[error(transparent)]
    Counts(#[from] CountsError),
}

impl Audit {
    /// An upper bound on the loss, above the true value by at most twice [`Audit::rounding`].
    #[must_use]
    pub fn loss_up(&self) -> f64 {
        self.loss + self.rounding
    }

    /// A lower bound on the loss.
    #[must_use]
    pub fn loss_down(&self) -> f64 {
        self.loss - self.rounding
    }

    /// A bound on the rounding error of the loss as computed.
    #[must_use]
    pub fn rounding(&self) -> f64 {
        self.rounding
    }

    /// The least rounding that an audit of a mechanism with so many outcomes can have: the least likely of them has at most
    /// their mean probability, so there is a logarithm of at least this size.
    pub(crate) fn least_rounding(outcomes: f64) -> f64 {
        rounding_of(libm::log(outcomes))
    }

    /// Where the loss is largest.
    #[must_use]
    pub fn witness(&self) -> &Witness {
        &self.witness
    }

    /// Upper bounds on `delta(epsilon)` for each epsilon asked for.
    #[must_use]
    pub fn profile_up(&self) -> &[(f64, f64)] {
        &self.profile
    }
}

impl Scope {
    /// The work of auditing a mechanism.
    #[must_use]
    pub fn of(mechanism: &dyn Mechanism) -> Self {
        let (k, n) = (mechanism.setting().k(), mechanism.setting().n());
        let data_sets = Space::Candidates.size(k, n);
        let outcomes = mechanism.space().size(k, n);
        // Each law is computed once for itself and once for each pair of categories but the last.
        let laws = if k == 2 { 1.0 } else { (k * (k - 1) / 2) as f64 };
        Self { data_sets, outcomes, probabilities: data_sets * outcomes * laws }
    }

    /// The work of computing one law for each data set.
    pub(crate) fn of_laws(mechanism: &dyn Mechanism) -> Self {
        let Self { data_sets, outcomes, .. } = Self::of(mechanism);
        Self { data_sets, outcomes, probabilities: data_sets * outcomes }
    }

    /// Refuses more work than allowed. A limit that is no number allows nothing.
    pub(crate) fn within(self, limit: f64) -> Result<(), AuditError> {
        if limit.is_nan() || self.probabilities > limit {
            return Err(AuditError::TooLarge { scope: self, limit });
        }
        Ok(())
    }
}

/// Audits a mechanism over all data sets of its size, on all cores. `limit` bounds the number of probabilities computed;
/// `progress` is called with the number of data sets done since the last call.
///
/// # Errors
/// [`AuditError::TooLarge`] if there is too much to do.
pub fn audit(
    mechanism: &dyn Mechanism,
    epsilons: &[f64],
    limit: f64,
    progress: &(dyn Fn(u64) + Sync),
) -> Result<Audit, AuditError> {
    let scope = Scope::of(mechanism);
    scope.within(limit)?;
    let (k, n) = (mechanism.setting().k(), mechanism.setting().n());
    let mut data_sets = Vec::with_capacity(scope.data_sets as usize * k);
    Space::Candidates.for_each(k, n, |counts| data_sets.extend_from_slice(counts));
    // Consecutive data sets are mostly adjacent, and share a law that need not be computed twice.
    let chunk = (data_sets.len() / k).div_ceil(64 * rayon::current_num_threads()).max(8) * k;
    let found = data_sets
        .par_chunks(chunk)
        .map(|chunk| {
            let mut worst = Worst::new(epsilons);
            let mut here: Option<(Vec<u64>, Vec<f64>)> = None;
            for counts in chunk.chunks_exact(k) {
                let law = match here.take() {
                    Some((of, law)) if of == counts => law,
                    _ => ln_law(mechanism, counts)?,
                };
                // Every pair once: the neighbours that come later in the order have a record moved to the front.
                for to in 0..k - 1 {
                    for from in (to + 1..k).filter(|&from| counts[from] > 0) {
                        let mut neighbour = counts.to_vec();
                        neighbour[from] -= 1;
                        neighbour[to] += 1;
                        let other = ln_law(mechanism, &neighbour)?;
                        worst.compare((counts, &law), (&neighbour, &other));
                        if (to, from) == (k - 2, k - 1) {
                            here = Some((neighbour, other));
                        }
                    }
                }
                progress(1);
            }
            Ok::<Worst, AuditError>(worst)
        })
        .try_reduce(|| Worst::new(epsilons), |a, b| Ok(a.or(b)))?;
    Ok(found.report(mechanism, epsilons))
}

/// A bound on the rounding error of a difference of two logarithms of probabilities, none of them larger than this.
///
/// Each is a sum of terms of one sign, each with a relative error of a few units in the last place; 2^-46 is 128 of them
/// (docs/proofs/audit.md).
fn rounding_of(size: f64) -> f64 {
    2.0 * (16.0 + size) * (f64::EPSILON * 64.0)
}

fn ln_law(mechanism: &dyn Mechanism, counts: &[u64]) -> Result<Vec<f64>, AuditError> {
    Ok(mechanism.ln_probabilities(&Counts::new(counts.to_vec())?)?)
}

/// The worst pair so far.
struct Worst {
    loss: f64,
    from: Vec<u64>,
    to: Vec<u64>,
    outcome: usize,
    /// exp(epsilon) and the largest delta for it.
    deltas: Vec<(f64, f64)>,
    /// The largest logarithm seen, in size, which bounds the rounding.
    size: f64,
}

impl Worst {
    fn new(epsilons: &[f64]) -> Self {
        Self {
            loss: f64::NEG_INFINITY,
            from: Vec::new(),
            to: Vec::new(),
            outcome: 0,
            deltas: epsilons.iter().map(|&epsilon| (libm::exp(epsilon), 0.0)).collect(),
            size: 0.0,
        }
    }

    fn compare(&mut self, (c, law): (&[u64], &[f64]), (other_c, other): (&[u64], &[f64])) {
        for (outcome, (&here, &there)) in law.iter().zip(other).enumerate() {
            let ratio = here - there;
            self.size = self.size.max(-here).max(-there);
            if ratio.abs() > self.loss {
                self.loss = ratio.abs();
                self.outcome = outcome;
                let (from, to) = if ratio > 0.0 { (c, other_c) } else { (other_c, c) };
                (self.from, self.to) = (from.to_vec(), to.to_vec());
            }
        }
        for (factor, delta) in &mut self.deltas {
            let excess = |law: &[f64], other: &[f64]| {
                let terms = law.iter().zip(other);
                terms
                    .map(|(&p, &q)| (libm::exp(p) - *factor * libm::exp(q)).max(0.0))
                    .collect::<Sum>()
                    .value()
            };
            *delta = delta.max(excess(law, other)).max(excess(other, law));
        }
    }

    /// The worse of two. Ties go to the first in the order of the data, whatever the threads did.
    fn or(self, other: Self) -> Self {
        let deltas = self.deltas.iter().zip(&other.deltas).map(|(a, b)| (a.0, a.1.max(b.1))).collect();
        let size = self.size.max(other.size);
        Self { deltas, size, ..if other.loss > self.loss { other } else { self } }
    }

    fn report(self, mechanism: &dyn Mechanism, epsilons: &[f64]) -> Audit {
        let rounding = rounding_of(self.size);
        let (k, n) = (mechanism.setting().k(), mechanism.setting().n());
        let (mut index, mut outcome) = (0, Vec::new());
        mechanism.space().for_each(k, n, |counts| {
            if index == self.outcome {
                outcome = counts.to_vec();
            }
            index += 1;
        });
        let profile = epsilons
            .iter()
            .zip(&self.deltas)
            .map(|(&epsilon, &(factor, delta))| (epsilon, (delta + (1.0 + factor) * rounding).min(1.0)));
        Audit {
            loss: self.loss,
            rounding,
            witness: Witness { from: self.from, to: self.to, outcome },
            profile: profile.collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::f64::consts::LN_2;
    use std::sync::atomic::{AtomicU64, Ordering};

    use super::*;
    use crate::fixture::uniform;
    use crate::mechanism::table::Table;
    use crate::mechanism::{Lattice, Spec};

    fn audited(mechanism: &dyn Mechanism, epsilons: &[f64]) -> Audit {
        audit(mechanism, epsilons, 1e6, &|_| ()).expect("small")
    }

    /// The bounds hold, and the upper one is as near as it says.
    fn assert_loss(found: &Audit, loss: f64) {
        assert!(found.loss_down() <= loss && loss <= found.loss_up(), "{found:?}");
        assert!(found.loss_up() - loss <= 2.0 * found.rounding(), "{found:?}");
        assert!(found.rounding() < 1e-11, "{found:?}");
    }

    fn assert_profile(found: &Audit, deltas: &[f64]) {
        assert_eq!(found.profile_up().len(), deltas.len());
        for (&(epsilon, bound), &delta) in found.profile_up().iter().zip(deltas) {
            assert!((delta..delta + 1e-10).contains(&bound), "epsilon {epsilon}: {bound} for {delta}");
        }
    }

    /// Randomised response of one record that tells the truth with probability 3/4: the loss is `ln(3/4 : 1/4)`, and
    /// `delta(epsilon) = 3/4 - exp(epsilon)/4`.
    #[test]
    fn randomised_response() {
        let response =
            Table::new(2, 1, |counts| if counts[0] == 0 { vec![0.75, 0.25] } else { vec![0.25, 0.75] });
        let found = audited(&response, &[0.0, LN_2, 3_f64.ln(), 5.0]);
        assert_loss(&found, 3_f64.ln());
        assert_profile(&found, &[0.5, 0.25, 0.0, 0.0]);
        let witness = Witness { from: vec![0, 1], to: vec![1, 0], outcome: vec![0, 1] };
        assert_eq!(found.witness(), &witness);
    }

    /// Data sets that differ in two records are not adjacent: the ratio 4 of the first and the last row does not count.
    ///
    /// | counts | (0,2) | (1,1) | (2,0) |
    /// |---|---|---|---|
    /// | (0,2) | 1/2 | 1/4 | 1/4 |
    /// | (1,1) | 1/4 | 1/2 | 1/4 |
    /// | (2,0) | 1/8 | 5/16 | 9/16 |
    #[test]
    fn only_adjacent_data_sets_are_compared() {
        let table = Table::new(2, 2, |counts| match counts[0] {
            0 => vec![0.5, 0.25, 0.25],
            1 => vec![0.25, 0.5, 0.25],
            _ => vec![0.125, 0.3125, 0.5625],
        });
        let found = audited(&table, &[0.0, LN_2]);
        // The last outcome at (2,0) against (1,1): 9/16 : 1/4.
        assert_loss(&found, 2.25_f64.ln());
        assert_eq!(found.witness(), &Witness { from: vec![2, 0], to: vec![1, 1], outcome: vec![2, 0] });
        // 9/16 - 1/4, and 9/16 - 2/4.
        assert_profile(&found, &[0.3125, 0.0625]);
    }

    /// With three categories every pair of categories can exchange a record.
    ///
    /// | counts | (0,0,1) | (0,1,0) | (1,0,0) |
    /// |---|---|---|---|
    /// | (0,0,1) | 0.5 | 0.3 | 0.2 |
    /// | (0,1,0) | 0.4 | 0.4 | 0.2 |
    /// | (1,0,0) | 0.1 | 0.4 | 0.5 |
    #[test]
    fn all_pairs_of_categories_are_compared() {
        let table = Table::new(3, 1, |counts| match counts {
            [0, 0, 1] => vec![0.5, 0.3, 0.2],
            [0, 1, 0] => vec![0.4, 0.4, 0.2],
            _ => vec![0.1, 0.4, 0.5],
        });
        let found = audited(&table, &[0.0, LN_2]);
        assert_loss(&found, 5_f64.ln());
        assert_eq!(
            found.witness(),
            &Witness { from: vec![0, 0, 1], to: vec![1, 0, 0], outcome: vec![0, 0, 1] }
        );
        // 0.5 - 0.1, and 0.5 - 2 * 0.1.
        assert_profile(&found, &[0.4, 0.3]);
    }

    /// What does not depend on the data loses nothing.
    #[test]
    fn a_law_without_data_loses_nothing() {
        let found = audited(&Table::new(3, 2, |_| vec![1.0 / 6.0; 6]), &[0.0]);
        assert_loss(&found, 0.0);
        assert_profile(&found, &[0.0]);
    }

    /// What publishes the data as it is loses everything.
    #[test]
    fn the_truth_loses_everything() {
        let truth = Table::new(2, 1, |counts| if counts[0] == 0 { vec![1.0, 0.0] } else { vec![0.0, 1.0] });
        let found = audited(&truth, &[0.0, 10.0]);
        assert_eq!(found.loss_up(), f64::INFINITY);
        assert_eq!(found.profile_up(), [(0.0, 1.0), (10.0, 1.0)]);
    }

    /// The lattice mechanism of two categories is the geometric one, whose loss is its whole budget.
    #[test]
    fn lattice_loses_its_budget() {
        let mechanism = Spec::from(Lattice).fit(uniform(2, 1, "1")).expect("valid");
        let found = audited(&*mechanism, &[0.0]);
        assert_loss(&found, 1.0);
        // Noise Z with P(Z = z) ~ exp(-|z|), clipped to 0..=1, keeps a record with probability e/(1 + e).
        assert_profile(&found, &[0.5_f64.tanh()]);
    }

    #[test]
    fn work_is_counted_and_limited() {
        let pair = Table::new(2, 2, |_| vec![1.0 / 3.0; 3]);
        let scope = Scope { data_sets: 3.0, outcomes: 3.0, probabilities: 9.0 };
        assert_eq!(Scope::of(&pair), scope);
        assert!(audit(&pair, &[], 9.0, &|_| ()).is_ok());
        let refused = |limit| audit(&pair, &[], limit, &|_| ()).expect_err("refused");
        assert_eq!(refused(8.9), AuditError::TooLarge { scope, limit: 8.9 });
        assert!(matches!(refused(f64::NAN), AuditError::TooLarge { limit, .. } if limit.is_nan()));
        let triple = Table::new(3, 1, |_| vec![1.0 / 3.0; 3]);
        // One law for each data set and each of three pairs of categories.
        assert_eq!(Scope::of(&triple), Scope { probabilities: 27.0, ..scope });
    }

    #[test]
    fn progress_counts_data_sets() {
        let done = AtomicU64::new(0);
        let count = |more| {
            done.fetch_add(more, Ordering::Relaxed);
        };
        audit(&Table::new(3, 2, |_| vec![1.0 / 6.0; 6]), &[], 1e6, &count).expect("small");
        assert_eq!(done.into_inner(), 6);
    }
}
