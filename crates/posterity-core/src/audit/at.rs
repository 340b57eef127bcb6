//! What a mechanism loses at one data set.

use super::law::ln_law;
use super::report::Audit;
use super::scope::{AuditError, Scope};
use super::selection::Selection;
use super::worst::Worst;
use crate::mechanism::Mechanism;
use crate::model::{Counts, Setting};

/// The loss between one data set and those adjacent to it, in both directions, and the deltas of the same pairs.
///
/// It is at most the loss over all data sets, which [`audit`](super::audit) finds, and promises nothing: differential
/// privacy is about all of them. The research shows it for balanced data (001_620eaed63190b1ed.txt, figure 6).
///
/// ```
/// use posterity_core::audit::{audit, audit_at};
/// use posterity_core::mechanism::Spec;
/// use posterity_core::model::{Counts, Prior, Setting};
/// let setting = Setting::new(Prior::uniform(2)?, 100, "1".parse()?)?;
/// let ehd = "ehd".parse::<Spec>()?.fit(setting)?;
/// let balanced = audit_at(&*ehd, &Counts::new(vec![50, 50])?, &[], 1e6)?;
/// assert!((balanced.loss_up() - 0.104).abs() < 5e-4);
/// assert!(balanced.loss_up() < audit(&*ehd, &[], 1e6, &|_| ())?.loss_up());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// [`AuditError::Setting`] if the counts do not fit, [`AuditError::TooLarge`] if there is too much to do.
pub fn audit_at(
    mechanism: &dyn Mechanism,
    counts: &Counts,
    epsilons: &[f64],
    limit: f64,
) -> Result<Audit, AuditError> {
    mechanism.setting().check(counts)?;
    scope_at(mechanism, counts).within(limit)?;
    let here = counts.as_slice();
    let law = ln_law(mechanism, here)?;
    let found = Worst::of(epsilons, neighbours(here, mechanism.setting()), |neighbour, worst| {
        worst.compare((here, &law), (&neighbour, &ln_law(mechanism, &neighbour)?));
        Ok(())
    })?;
    Ok(Audit::new(mechanism, epsilons, found, &Selection::everything(epsilons.len())))
}

/// The work of [`audit_at`]: the law of the data set and of every adjacent one.
#[must_use]
pub fn scope_at(mechanism: &dyn Mechanism, counts: &Counts) -> Scope {
    let (k, n) = (mechanism.setting().k(), mechanism.setting().n());
    let outcomes = mechanism.space().size(k, n);
    let occupied = counts.as_slice().iter().filter(|&&count| count > 0).count();
    let adjacent = if mechanism.setting().n_is_private() { occupied + k } else { occupied * (k - 1) };
    let data_sets = 1.0 + adjacent as f64;
    Scope { data_sets, outcomes, probabilities: data_sets * outcomes }
}

/// All data sets that differ in one record.
fn neighbours(counts: &[u64], setting: &Setting) -> Vec<Vec<u64>> {
    let k = counts.len();
    if setting.n_is_private() {
        let changed = |category: usize, count: Option<u64>| {
            let mut neighbour = counts.to_vec();
            neighbour[category] = count?;
            Some(neighbour)
        };
        let more = (0..k).filter_map(|category| changed(category, counts[category].checked_add(1)));
        return more
            .chain((0..k).filter_map(|category| changed(category, counts[category].checked_sub(1))))
            .collect();
    }
    let pairs = (0..k).flat_map(|from| (0..k).map(move |to| (from, to)));
    pairs
        .filter(|&(from, to)| from != to && counts[from] > 0)
        .map(|(from, to)| {
            let mut neighbour = counts.to_vec();
            neighbour[from] -= 1;
            neighbour[to] += 1;
            neighbour
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::audit::{Witness, enumerate};
    use crate::fixture::uniform;
    use crate::mechanism::Spec;
    use crate::mechanism::table::Table;
    use crate::model::SettingError;

    fn counts(list: &[u64]) -> Counts {
        Counts::new(list.to_vec()).expect("valid")
    }

    fn fitted(text: &str, k: usize, n: u64, epsilon: &str) -> Box<dyn Mechanism> {
        text.parse::<Spec>().expect("a mechanism").fit(uniform(k, n, epsilon)).expect("fits")
    }

    /// The rows of a table, so that the loss at each data set can be seen: (1,1) against (0,2) is ln 2, (1,1) against
    /// (2,0) is ln(9/4), and the ratio 4 of (0,2) and (2,0) does not count.
    #[test]
    fn only_neighbours_of_the_data_count() {
        let table = Table::new(2, 2, |counts| match counts[0] {
            0 => vec![0.5, 0.25, 0.25],
            1 => vec![0.25, 0.5, 0.25],
            _ => vec![0.125, 0.3125, 0.5625],
        });
        for (data, loss, delta) in [([0, 2], 2_f64, 0.25), ([1, 1], 2.25, 0.3125), ([2, 0], 2.25, 0.3125)] {
            let found = audit_at(&table, &counts(&data), &[0.0], 1e6).expect("small");
            assert!(found.loss_down() <= loss.ln() && loss.ln() <= found.loss_up(), "{data:?} {found:?}");
            assert!(found.loss_up() - loss.ln() < 1e-11, "{data:?} {found:?}");
            assert!((found.profile_up()[0].1 - delta).abs() < 1e-10, "{data:?} {found:?}");
        }
        let middle = audit_at(&table, &counts(&[1, 1]), &[], 1e6).expect("small");
        let witness = Witness { from: vec![2, 0], to: vec![1, 1], outcome: vec![2, 0] };
        assert_eq!(middle.witness(), &witness);
    }

    /// If this fails, the loss over all data sets is not the largest loss at one of them.
    #[test]
    fn the_largest_over_all_data_is_the_audit() {
        for (k, n) in [(2, 12), (3, 5)] {
            for name in ["ehd", "ehdl", "ehds", "mh", "lshist", "lattice"] {
                let mechanism = fitted(name, k, n, "1");
                let all = enumerate(&*mechanism, &[0.3], 1e9, &|_| ()).expect("small");
                let (mut loss, mut delta) = (0.0_f64, 0.0_f64);
                for data in posterity_testkit::all_counts(k, n) {
                    let one = audit_at(&*mechanism, &counts(&data), &[0.3], 1e9).expect("small");
                    assert!(one.loss_down() <= all.loss_up(), "{name} {data:?}");
                    loss = loss.max(one.loss_up());
                    delta = delta.max(one.profile_up()[0].1);
                }
                assert!((loss - all.loss_up()).abs() < 1e-11, "{name} k {k}: {loss} {all:?}");
                assert!((delta - all.profile_up()[0].1).abs() < 1e-11, "{name} k {k}: {delta} {all:?}");
            }
        }
    }

    /// Balanced data and prior (1, 1), n = 100, epsilon = 1, found by an independent program to three digits.
    #[test]
    fn balanced_data_loses_less() {
        for (name, at, everywhere) in [
            ("ehd", 0.104, 0.531),
            ("ehdl", 0.500, 0.804),
            ("ehds", 0.250, 0.400),
            ("mh(delta=0.0005)", 0.500, 0.531),
        ] {
            let mechanism = fitted(name, 2, 100, "1");
            let one = audit_at(&*mechanism, &counts(&[50, 50]), &[], 1e9).expect("small").loss_up();
            let all = crate::audit::audit(&*mechanism, &[], 1e9, &|_| ()).expect("small").loss_up();
            assert!((one - at).abs() < 5.1e-4 && (all - everywhere).abs() < 5.1e-4, "{name}: {one} {all}");
        }
    }

    #[test]
    fn rejects() {
        let mechanism = fitted("ehds", 2, 10, "1");
        let refused =
            |data: &[u64], limit| audit_at(&*mechanism, &counts(data), &[], limit).expect_err("refused");
        assert!(matches!(refused(&[5, 6], 1e6), AuditError::Setting(SettingError::Total { .. })));
        assert!(matches!(refused(&[5, 3, 2], 1e6), AuditError::Setting(SettingError::Categories { .. })));
        let scope = Scope { data_sets: 3.0, outcomes: 11.0, probabilities: 33.0 };
        assert_eq!(refused(&[5, 5], 32.0), AuditError::TooLarge { scope, limit: 32.0 });
        let edge = Scope { data_sets: 2.0, outcomes: 11.0, probabilities: 22.0 };
        assert_eq!(refused(&[0, 10], 21.0), AuditError::TooLarge { scope: edge, limit: 21.0 });
    }
}
