//! The lattice mechanism: the number of points at each distance, its law, its guarantee, and the geometric mechanism as
//! its special case.

use std::collections::BTreeMap;

use dashu_int::IBig;
use dashu_ratio::RBig;
use posterity_core::audit::audit;
use posterity_core::mechanism::{Mechanism, geometric, lattice};
use posterity_core::model::Counts;
use posterity_core::noise::LatticeNoise;
use posterity_core::sampler::{Rate, SeededBits};
use posterity_testkit::fixture::setting;
use posterity_testkit::{Fit, all_counts};

/// All vectors of `k` numbers within `reach` of zero that sum to zero.
fn zero_sum(k: usize, reach: i64) -> Vec<Vec<i64>> {
    let mut all = vec![vec![]];
    for _ in 1..k {
        all = all
            .into_iter()
            .flat_map(|z| (-reach..=reach).map(move |next| [&z[..], &[next]].concat()))
            .collect();
    }
    all.into_iter()
        .map(|z| {
            let last = -z.iter().sum::<i64>();
            [z, vec![last]].concat()
        })
        .filter(|z| z[k - 1].abs() <= reach)
        .collect()
}

fn distance(z: &[i64]) -> i64 {
    z.iter().map(|part| part.abs()).sum::<i64>() / 2
}

fn binomial(n: i64, j: i64) -> i64 {
    if j < 0 || j > n { 0 } else { (0..j).fold(1, |product, i| product * (n - i) / (i + 1)) }
}

/// Compares both formulas of the sampler with enumeration: the number of points at a distance, and the number of points
/// at a distance with a given number of positive parts.
#[test]
fn spheres_have_the_stated_sizes() {
    for k in 2..=5_i64 {
        let reach = 5;
        let mut found: BTreeMap<(i64, i64), i64> = BTreeMap::new();
        for z in zero_sum(k as usize, reach) {
            let positive = z.iter().filter(|&&part| part > 0).count() as i64;
            *found.entry((distance(&z), positive)).or_default() += 1;
        }
        for d in 1..=reach {
            let mut total = 0;
            for j in 1..k {
                let stated = binomial(k, j) * binomial(d - 1, j - 1) * binomial(d + k - j - 1, k - j - 1);
                assert_eq!(found.get(&(d, j)).copied().unwrap_or(0), stated, "k {k} d {d} j {j}");
                total += stated;
            }
            // The coefficient of t^d in sum_j C(k-1, j)^2 t^j / (1-t)^(k-1).
            let series: i64 =
                (0..k).map(|j| binomial(k - 1, j).pow(2) * binomial(d - j + k - 2, k - 2)).sum();
            assert_eq!(series, total, "k {k} d {d}");
        }
    }
}

/// If this fails, the stated probability of clipped counts is not the sum over all noise that leads to them.
#[test]
fn the_law_is_the_clipped_noise() {
    for (counts, epsilon) in
        [(vec![2, 1], "0.8"), (vec![1, 0, 2], "1"), (vec![0, 3, 0], "1.5"), (vec![1, 1, 0, 1], "2.5")]
    {
        let (k, n) = (counts.len(), counts.iter().sum::<u64>());
        let mechanism = lattice(setting(&vec![1.0; k], n, epsilon));
        let rate: f64 = epsilon.parse().expect("a number");
        let noise = LatticeNoise::new(
            k,
            Rate::new(RBig::from_parts(IBig::from((rate * 10.0) as i64), 10_u8.into())).expect("positive"),
        )
        .expect("categories");
        // All noise beyond this has a probability below 1e-12.
        let reach = (if k == 4 { 40.0 } else { 60.0 } / rate) as i64;
        let mut brute: BTreeMap<Vec<u64>, f64> = BTreeMap::new();
        for z in zero_sum(k, reach) {
            let clipped =
                counts.iter().zip(&z).map(|(&c, &z)| (c as i64 + z).clamp(0, n as i64) as u64).collect();
            *brute.entry(clipped).or_default() += noise.ln_probability(distance(&z) as u64).exp();
        }
        let law = mechanism.law(&Counts::new(counts.clone()).expect("valid"), 100_000).expect("small");
        assert_eq!(law.len(), brute.len());
        let total: f64 = law.outcomes().map(|outcome| outcome.probability).sum();
        assert!((total - 1.0).abs() < 1e-12, "{counts:?}: the law sums to {total}");
        for outcome in law.outcomes() {
            let found = brute.get(outcome.counts).copied().unwrap_or(0.0);
            assert!((outcome.probability - found).abs() < 1e-11, "{counts:?} {outcome:?} {found}");
        }
    }
}

#[test]
fn for_two_categories_it_is_the_geometric_mechanism() {
    for epsilon in ["0.05", "1", "7"] {
        let setting = setting(&[1.0, 2.0], 12, epsilon);
        let (ours, theirs) = (lattice(setting.clone()), geometric(setting, false));
        for counts in all_counts(2, 12) {
            let counts = Counts::new(counts).expect("valid");
            let (ours, theirs) =
                (ours.law(&counts, 100).expect("small"), theirs.law(&counts, 100).expect("small"));
            assert_eq!(ours.len(), theirs.len());
            for (a, b) in ours.outcomes().zip(theirs.outcomes()) {
                assert_eq!(a.counts, b.counts);
                assert!((a.probability - b.probability).abs() < 1e-14, "{a:?} {b:?}");
            }
        }
    }
}

/// If this fails, the mechanism exceeds its budget, or wastes some of it.
#[test]
fn the_loss_is_epsilon() {
    for (k, n) in [(2, 9), (3, 5), (4, 3), (5, 2)] {
        for epsilon in ["0.1", "1", "4"] {
            let mechanism = lattice(setting(&vec![1.0; k], n, epsilon));
            let found = audit(&mechanism, &[], 1e8, &|_| ()).expect("small");
            let epsilon: f64 = epsilon.parse().expect("a number");
            assert!(found.loss_down() <= epsilon && epsilon <= found.loss_up(), "k {k} n {n}: {found:?}");
            assert!(found.rounding() < 1e-9);
        }
    }
}

/// Compares draws with the law of the noise, before clipping, at a stated false-alarm rate.
#[test]
fn draws_follow_the_law() {
    for (seed, (k, rate)) in
        [(2, (1, 1)), (3, (1, 2)), (3, (3, 1)), (4, (1, 1)), (6, (2, 1))].into_iter().enumerate()
    {
        let noise = LatticeNoise::new(
            k,
            Rate::new(RBig::from_parts(IBig::from(rate.0), (rate.1 as u8).into())).expect("positive"),
        )
        .expect("categories");
        let reach = if k > 4 { 2 } else { 4 };
        let inside: BTreeMap<Vec<i64>, f64> = zero_sum(k, reach)
            .into_iter()
            .map(|z| (z.clone(), noise.ln_probability(distance(&z) as u64).exp()))
            .collect();
        let beyond = 1.0 - inside.values().sum::<f64>();
        let far = vec![i64::MAX];
        let law: Vec<(Vec<i64>, f64)> = inside.into_iter().chain([(far.clone(), beyond)]).collect();
        let mut bits = SeededBits::new(seed as u64);
        let draws: Vec<Vec<i64>> = (0..60_000)
            .map(|_| {
                let z = noise.sample(&mut bits).expect("seeded");
                assert_eq!(z.iter().sum::<IBig>(), IBig::ZERO);
                let small = z.iter().map(|part| i64::try_from(part).ok().filter(|part| part.abs() <= reach));
                small.collect::<Option<Vec<i64>>>().unwrap_or(far.clone())
            })
            .collect();
        let what = format!("lattice noise, k {k}, rate {rate:?}");
        Fit { what: &what, seed: seed as u64, false_alarms: 1e-6 }.check(&law, &draws);
    }
}

/// Budgets so small that the noise overflows in floating point, and so large that there is no noise.
#[test]
fn extreme_budgets() {
    for epsilon in ["1e-300", "1e-20", "1e4"] {
        let mechanism = lattice(setting(&[1.0; 4], 10, epsilon));
        let counts = Counts::new(vec![4, 3, 2, 1]).expect("valid");
        let released = mechanism.release(&counts, &mut SeededBits::new(2)).expect("seeded");
        assert!(released.as_slice().iter().all(|&count| count <= 10));
        if epsilon == "1e4" {
            assert_eq!(released.as_slice(), counts.as_slice());
        }
    }
}
