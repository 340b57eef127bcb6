//! Audits that compare complete laws.
//!
//! Laws are computed one data set at a time and compared with those of its neighbours, so memory grows with the number
//! of outcomes and not with its square.

use super::law::ln_law;
use super::report::Audit;
use super::scope::{AuditError, Scope};
use super::selection::Selection;
use super::worst::Worst;
use crate::mechanism::{Mechanism, Space};

/// Audits a mechanism by comparing the complete laws of all adjacent data sets. For exponential mechanisms
/// [`audit`](super::audit) finds the same much faster; this function is how that is checked.
///
/// # Errors
/// [`AuditError::TooLarge`] if there is too much to do.
pub fn enumerate(
    mechanism: &dyn Mechanism,
    epsilons: &[f64],
    limit: f64,
    progress: &(dyn Fn(u64) + Sync),
) -> Result<Audit, AuditError> {
    Scope::by_enumeration(mechanism).within(limit)?;
    run(mechanism, epsilons, progress)
}

pub(super) fn run(
    mechanism: &dyn Mechanism,
    epsilons: &[f64],
    progress: &(dyn Fn(u64) + Sync),
) -> Result<Audit, AuditError> {
    if mechanism.setting().n_is_private() {
        return run_with_private_n(mechanism, epsilons, progress);
    }
    let (k, n) = (mechanism.setting().k(), mechanism.setting().n());
    let mut data_sets = Vec::with_capacity(Space::Candidates.size(k, n) as usize * k);
    Space::Candidates.for_each(k, n, |counts| data_sets.extend_from_slice(counts));
    // Consecutive data sets are mostly adjacent, and share a law that need not be computed twice.
    let chunk = (data_sets.len() / k).div_ceil(64 * rayon::current_num_threads()).max(8) * k;
    let found = Worst::of(epsilons, data_sets.chunks(chunk), |chunk, worst| {
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
        Ok(())
    })?;
    Ok(Audit::new(mechanism, epsilons, found, &Selection::everything(epsilons.len())))
}

/// Compares the laws where it is protected whether a record is there: all data sets of at most n records, each with
/// those that have one record more.
fn run_with_private_n(
    mechanism: &dyn Mechanism,
    epsilons: &[f64],
    progress: &(dyn Fn(u64) + Sync),
) -> Result<Audit, AuditError> {
    let (k, most) = (mechanism.setting().k(), mechanism.setting().n());
    let mut data_sets: Vec<Vec<u64>> = Vec::new();
    // Records that are not there are one more category.
    Space::Candidates.for_each(k + 1, most, |counts| data_sets.push(counts.to_vec()));
    let found = Worst::of(epsilons, &data_sets, |counts, worst| {
        let (here, absent) = (&counts[..k], counts[k]);
        let law = ln_law(mechanism, here)?;
        for to in (0..k).filter(|_| absent > 0) {
            let mut neighbour = here.to_vec();
            neighbour[to] += 1;
            worst.compare((here, &law), (&neighbour, &ln_law(mechanism, &neighbour)?));
        }
        progress(1);
        Ok(())
    })?;
    Ok(Audit::new(mechanism, epsilons, found, &Selection::everything(epsilons.len())))
}
