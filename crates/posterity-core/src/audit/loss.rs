//! The exact privacy loss over all adjacent data sets.
//!
//! `loss = max ln(P_c(r) / P_c'(r))` over all data sets c of size n, all adjacent c' and all outcomes r; and the
//! privacy profile `delta(epsilon) = max sum_r max(0, P_c(r) - exp(epsilon) P_c'(r))`, the largest hockey-stick
//! divergence. A mechanism is (epsilon, delta)-DP for this prior and n exactly if `delta(epsilon) <= delta`.

use super::estimate::refine;
use super::report::Audit;
use super::scope::{AuditError, Method, Scope};
use super::{band, enumeration, tiles};
use crate::mechanism::Mechanism;

/// Audits a mechanism over all data sets of its size, on all cores. `limit` bounds the number of probabilities
/// computed; `progress` is called with the number of data sets done since the last call.
///
/// ```
/// use posterity_core::audit::audit;
/// use posterity_core::mechanism::Spec;
/// use posterity_core::model::{Prior, Setting};
/// let setting = Setting::new(Prior::uniform(2)?, 1_000, "1".parse()?)?;
/// let ehds = "ehds".parse::<Spec>()?.fit(setting)?;
/// let found = audit(&*ehds, &[], 1e6, &|_| ())?;
/// assert!(found.loss_up() <= 1.0 && found.loss_up() - found.loss_down() < 1e-9);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// [`AuditError::TooLarge`] if there is too much to do.
pub fn audit(
    mechanism: &dyn Mechanism,
    epsilons: &[f64],
    limit: f64,
    progress: &(dyn Fn(u64) + Sync),
) -> Result<Audit, AuditError> {
    Scope::with_profile(mechanism, epsilons.len()).within(limit)?;
    let (exponential, method) = match mechanism.tunable() {
        Some(exponential) => (exponential, Method::choose(mechanism)),
        None => return enumeration::run(mechanism, epsilons, progress),
    };
    let estimates = match method {
        Method::Enumeration => return enumeration::run(mechanism, epsilons, progress),
        Method::Band => band::estimate(exponential, epsilons, progress)?,
        Method::Tiles => tiles::estimate(exponential, epsilons, progress)?,
    };
    refine(mechanism, epsilons, &estimates)
}

#[cfg(test)]
mod tests {
    use std::f64::consts::LN_2;
    use std::sync::atomic::{AtomicU64, Ordering};

    use super::*;
    use crate::audit::Witness;
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
