//! From which balanced sizes on the smooth sensitivities are the local one (docs/paper.md, theorem 4).

use posterity_core::mechanism::mh_beta;
use posterity_core::model::{Counts, Delta, Gamma, Prior, Setting};
use posterity_core::sensitivity::{beta_smooth, gamma_smooth, local};

/// Prior (1, .., 1), epsilon = 1, delta = 1e-8: categories, and the least size from which on S = LS.
const FROM: [(usize, u64); 5] = [(2, 188), (3, 375), (4, 640), (6, 1446), (10, 4350)];

/// The largest size that is evaluated. Beyond, the inequality of the theorem decides.
const EVALUATED: u64 = 20_000;

/// Whether the beta-smooth and the 1-smooth sensitivity are the local one at balanced data.
fn alike(k: usize, n: u64) -> [bool; 2] {
    let prior = Prior::uniform(k).expect("valid");
    let counts = Counts::new(vec![n / k as u64; k]).expect("valid");
    let setting = Setting::new(prior.clone(), n, "1".parse().expect("valid")).expect("valid");
    let here = local(&prior, &counts).expect("fits");
    let beta = mh_beta(&setting, Delta::RESEARCH);
    let smooth = [
        beta_smooth(&prior, &counts, beta).expect("fits"),
        gamma_smooth(&prior, &counts, Gamma::ONE).expect("fits"),
    ];
    smooth.map(|smooth| smooth <= here * (1.0 + 1e-12))
}

#[test]
fn smooth_sensitivities_are_the_local_one_from_these_sizes_on() {
    for (k, from) in FROM {
        let step = k as u64;
        assert!(!alike(k, from - step)[0], "one step before {from} with {k} categories");
        for n in (from..=EVALUATED).step_by(k) {
            assert_eq!(alike(k, n), [true; 2], "{n} records, {k} categories");
        }
    }
}

/// Beyond: beta (n/k - 1) is at least ln(8A + 2)/2, which bounds the logarithm of any two local sensitivities' ratio, and
/// grows faster. The first is at least a (m - 1)/(L + a/2), a = epsilon/2, m = n/k, whose derivative is at least that of
/// the second where 2 a m (L + a/2 - (k - 1)) >= (L + a/2)^2; and that stays so, as L grows by at most (k - 1)/m per step
/// of m.
#[test]
fn the_inequality_of_the_tail_holds() {
    for (k, _) in FROM {
        let (k_f, a) = (k as f64, 0.5);
        let m = EVALUATED as f64 / k_f;
        let n = EVALUATED as f64;
        let ln_card: f64 = (1..k).map(|i| ((n + i as f64) / i as f64).ln()).sum();
        let log = (2.0_f64 / 1e-8).ln() + ln_card + a / 2.0;
        assert!(a * (m - 1.0) / log >= 0.5 * (8.0 * (n + k_f) + 2.0).ln(), "{k}");
        // Twice as much as is needed, which the growth of L, at most k - 1 over m, cannot use up.
        assert!(2.0 * a * m * (log - (k_f - 1.0)) >= 2.0 * log * log && log > 2.0 * (k_f - 1.0), "{k}");
    }
}
