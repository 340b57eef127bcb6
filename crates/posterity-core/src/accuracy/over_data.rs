//! Accuracy over all data sets: on average under the prior, and at worst.

use super::prior_predictive;
use crate::audit::{AuditError, Scope};
use crate::mechanism::{Mechanism, Space};
use crate::model::Counts;
use crate::parallelism::Parallelism;
use crate::special::Sum;

/// The expected Hellinger distance of a mechanism over the data sets of its size.
#[derive(Clone, Debug, PartialEq)]
pub struct OverData {
    /// Its mean, when the data follow the prior-predictive law.
    pub mean: f64,
    /// Its largest value.
    pub worst: f64,
    /// A data set at which it is largest.
    pub worst_counts: Vec<u64>,
}

/// The expected distance at every data set of size n, on all cores. `limit` bounds the number of probabilities
/// computed.
///
/// # Errors
/// [`AuditError::TooLarge`] if there is too much to do.
pub fn over_data(mechanism: &dyn Mechanism, limit: f64) -> Result<OverData, AuditError> {
    let setting = mechanism.setting();
    let (k, n) = (setting.k(), setting.n());
    let scope = Scope::of_laws(mechanism);
    scope.within(limit)?;
    let mut all = Space::Candidates.list(k, n);
    let distances = Parallelism::AllCores.try_map(&all, |counts| {
        let counts = Counts::new(counts.clone())?;
        let law = mechanism.law(&counts, u64::MAX).map_err(|error| match error {
            crate::mechanism::LawError::Setting(error) => AuditError::Setting(error),
            // Not reached: there is no limit.
            crate::mechanism::LawError::TooLarge { .. } => AuditError::TooLarge { scope, limit },
        })?;
        Ok::<f64, AuditError>(law.expected_distance())
    })?;
    let mean = all.iter().zip(&distances).map(|(counts, d)| prior_predictive(setting.prior(), counts) * d);
    let mean = mean.collect::<Sum>().value();
    let mut worst = (0.0, 0);
    for (index, &distance) in distances.iter().enumerate() {
        if distance > worst.0 {
            worst = (distance, index);
        }
    }
    Ok(OverData { mean, worst: worst.0, worst_counts: all.swap_remove(worst.1) })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::accuracy::{DistanceLaw, Metric};
    use crate::fixture::{setting, uniform};
    use crate::mechanism::{Ehds, Lshist, Spec};

    fn mechanism(spec: Spec, prior: &[f64], n: u64) -> Box<dyn Mechanism> {
        spec.fit(setting(prior, n, "1")).expect("valid")
    }

    /// Figures of the design document: prior (1,1,1), prior-predictive expected H of lshist.
    #[test]
    fn stated_means() {
        for (n, epsilon, stated) in [(9, "1", 0.5185), (8, "2", 0.3764)] {
            let lshist = Spec::from(Lshist::default()).fit(uniform(3, n, epsilon)).expect("valid");
            let found = over_data(&*lshist, 1e9).expect("small");
            assert!((found.mean - stated).abs() < 5e-5, "n {n}: {}", found.mean);
            assert!(found.worst >= found.mean);
        }
    }

    /// ehds at prior (1,1), n = 100, epsilon = 1, balanced: 0.4099.
    #[test]
    fn laws_of_the_distance() {
        let ehds = mechanism(Ehds::default().into(), &[1.0, 1.0], 100);
        let counts = Counts::new(vec![50, 50]).expect("valid");
        let law = ehds.law(&counts, 1_000).expect("small");
        let prior = ehds.setting().prior();
        let distance = DistanceLaw::new(&law, prior, Metric::Hellinger).expect("fits");
        assert!((distance.mean() - 0.4099).abs() < 5e-5, "{}", distance.mean());
        // Balanced data: every distance but zero belongs to two candidates.
        assert_eq!(distance.points().len(), 51);
        let total: f64 = distance.points().map(|(_, p)| p).sum();
        assert!((total - 1.0).abs() < 1e-12);
        assert!((distance.at_least(0.0) - 1.0).abs() < 1e-12);
        assert!((1.0 - distance.at_least(1e-9) - distance.probability_exact()).abs() < 1e-12);
        let (q1, median, q3) = (distance.quantile(0.25), distance.quantile(0.5), distance.quantile(0.75));
        assert!(0.0 < q1 && q1 < median && median < q3 && q3 < 1.0);
        // In l1 a step moves both parameters by one.
        let l1 = DistanceLaw::new(&law, prior, Metric::L1).expect("fits");
        assert!(l1.points().zip(0..).all(|((distance, _), steps)| distance == 2.0 * f64::from(steps)));
        let kl = DistanceLaw::new(&law, prior, Metric::Kl).expect("fits");
        assert!(kl.mean() > distance.mean().powi(2), "KL is at least the squared Hellinger distance");
    }
}
