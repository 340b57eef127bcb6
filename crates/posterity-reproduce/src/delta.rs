//! The least delta with which a mechanism keeps an epsilon.

use posterity_core::mechanism::{Mechanism, Space};
use posterity_core::model::Counts;

/// No more data sets than this are compared with each other.
const DATA_SETS: usize = 1_500;

/// The largest `sum_r max(P_x(r) - exp(epsilon) P_y(r), 0)` over all adjacent data sets x and y. None if there are too
/// many of them. An audit has a bound on the same from above, which is far too large where delta is tiny; this keeps
/// its digits, because it is computed from logarithms of probabilities.
pub(crate) fn least_delta(mechanism: &dyn Mechanism, epsilon: f64) -> Result<Option<f64>, String> {
    let setting = mechanism.setting();
    let all = Space::Candidates.list(setting.k(), setting.n());
    if all.len() > DATA_SETS {
        return Ok(None);
    }
    let law = |counts: &Vec<u64>| {
        let counts = Counts::new(counts.clone()).map_err(|error| error.to_string())?;
        mechanism.ln_probabilities(&counts).map_err(|error| error.to_string())
    };
    let laws: Vec<Vec<f64>> = all.iter().map(law).collect::<Result<_, String>>()?;
    let mut most = 0.0_f64;
    for (x, here) in all.iter().zip(&laws) {
        for (y, there) in all.iter().zip(&laws) {
            if x.iter().zip(y).map(|(a, b)| a.abs_diff(*b)).sum::<u64>() == 2 {
                most = most.max(excess(here, there, epsilon));
            }
        }
    }
    Ok(Some(most))
}

/// `sum_r max(p(r) - exp(epsilon) q(r), 0)`, from the logarithms of p and q.
fn excess(p: &[f64], q: &[f64], epsilon: f64) -> f64 {
    let part = |(p, q): (&f64, &f64)| -libm::exp(*p) * libm::expm1((epsilon - (p - q)).min(0.0));
    p.iter().zip(q).map(part).sum()
}

#[cfg(test)]
mod tests {
    use posterity_core::mechanism::Spec;
    use posterity_core::model::{Prior, Setting};

    use super::*;

    fn mh(text: &str, prior: [f64; 2], n: u64, epsilon: &str) -> Result<Option<f64>, String> {
        let prior = Prior::new(prior.to_vec()).expect("valid");
        let setting = Setting::new(prior, n, epsilon.parse().expect("valid")).expect("valid");
        let mechanism = text.parse::<Spec>().expect("valid").fit(setting).expect("fits");
        least_delta(&*mechanism, epsilon.parse().expect("a number"))
    }

    /// Computed apart from this project, in extended precision by the definitions.
    #[test]
    fn of_mh_where_it_loses_more_than_epsilon() {
        for (text, prior, epsilon, expected) in [
            ("mh(delta=0.1)", [1e-4, 1e3], "14", 5.087_679e-6),
            ("mh(delta=1e-8)", [1e-4, 1e4], "25", 7.089_5e-21),
        ] {
            let found = mh(text, prior, 50, epsilon).expect("computed").expect("small");
            assert!((found / expected - 1.0).abs() < 1e-4, "{text} {prior:?}: {found}");
        }
        assert_eq!(mh("mh", [1.0, 1.0], 50, "1"), Ok(Some(0.0)));
        assert_eq!(mh("mh", [1.0, 1.0], 5_000, "1"), Ok(None));
    }

    /// If this fails, the theorem of docs/proofs/mh.md is wrong: mh is (3 epsilon/2, delta/2)-private.
    #[test]
    fn of_mh_at_three_halves_of_epsilon() {
        for prior in [vec![1e-4, 1e3], vec![1.0, 1.0], vec![1e-9, 1e7], vec![1e3, 1083.0, 1e7]] {
            for (delta, epsilon) in [(0.1, "14"), (0.00275, "8"), (0.9, "0.5"), (1e-8, "40")] {
                let n = if prior.len() == 2 { 20 } else { 8 };
                let setting = Setting::new(
                    Prior::new(prior.clone()).expect("valid"),
                    n,
                    epsilon.parse().expect("valid"),
                );
                let spec: Spec = format!("mh(delta={delta})").parse().expect("valid");
                let mechanism = spec.fit(setting.expect("valid")).expect("fits");
                let more = 1.5 * epsilon.parse::<f64>().expect("a number");
                let needed = least_delta(&*mechanism, more).expect("computed").expect("small");
                assert!(needed <= 0.5 * delta, "{prior:?} {delta} {epsilon}: {needed}");
            }
        }
    }

    #[test]
    fn only_what_exceeds_counts() {
        let [p, q] = [[0.5_f64, 0.5], [0.1, 0.9]].map(|law| law.map(f64::ln));
        let expected = 0.5 - 1.0_f64.exp() * 0.1;
        assert!((excess(&p, &q, 1.0) - expected).abs() < 1e-15);
    }
}
