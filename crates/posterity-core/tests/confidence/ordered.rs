//! Tests of stated shares, quantiles and sums, compared with sums over all records and all noise.

use std::collections::HashMap;

use posterity_core::confidence::{Interval, Subject, Sums, Tested, Within, isotonic_bin};
use posterity_core::special::ln_binomial;
use posterity_testkit::{Random, all_counts};

use crate::{additive, for_each_noise};

fn binomial(n: u64, c: u64, p: f64) -> f64 {
    ln_binomial(n, c).exp() * p.powi(c as i32) * (1.0 - p).powi((n - c) as i32)
}

/// If this fails, a p-value is not the probability that it is said to be.
#[test]
fn p_values_are_sums_over_all_records_and_noise() {
    for name in ["lattice", "geometric", "lshist"] {
        let (k, n, reach) = (3, 6_u64, 40);
        let additive = additive(name, k, n, "3");
        let drawn = vec![4, 1, 1];
        let sums = Sums::new(drawn.clone(), n, additive.clone());
        let [group, others, rest] = [[0], [1], [2]].map(|cells| sums.group(&cells));
        for about in [Subject::Population, Subject::Records] {
            for p in [0.1, 0.5, 0.8] {
                // Within the condition of the first two cells, of which every count is looked at.
                let tested = Tested::new(&sums, group.with(others), false, about, 1e-15).expect("narrow");
                let found = tested.p_value_up(Within { group, others }, p);
                let statistic = drawn[0] as f64 - p * (drawn[0] + drawn[1]) as f64;
                let mut tails = [0.0; 7];
                let mut all = 0.0;
                for_each_noise(&additive, k, reach, 0, |z, weight| {
                    all += weight;
                    let noise = (1.0 - p) * z[0] as f64 - p * z[1] as f64;
                    for (c, tail) in tails.iter_mut().enumerate() {
                        for part in 0..=c as u64 {
                            let chance = if about == Subject::Population {
                                binomial(c as u64, part, p)
                            } else {
                                f64::from(u8::from(part == 0))
                            };
                            let centred =
                                if about == Subject::Population { part as f64 - p * c as f64 } else { 0.0 };
                            if centred + noise >= statistic - 1e-6 {
                                *tail += weight * chance;
                            }
                        }
                    }
                });
                let exact = tails.iter().map(|tail| tail / all).fold(0.0, f64::max);
                // The joint law of the noise leaves out 2e-6, which is added.
                assert!(
                    found >= exact - 1e-9 && found <= exact + 5e-6,
                    "{name} {about:?} {p}: {found} {exact}"
                );

                // Of all records.
                let whole = sums.group(&[0, 1, 2]);
                let tested = Tested::new(&sums, whole, true, about, 0.0).expect("narrow");
                let found = tested.p_value_up(Within { group, others: others.with(rest) }, p);
                let mut exact = 0.0;
                for_each_noise(&additive, k, reach, 0, |z, weight| {
                    let most = (p * n as f64 + 1e-9) as u64;
                    for c in 0..=n {
                        let chance = match about {
                            Subject::Population => binomial(n, c, p),
                            Subject::Records => f64::from(u8::from(c == most)),
                        };
                        if c as i64 + z[0] >= drawn[0] {
                            exact += weight / all * chance;
                        }
                    }
                });
                assert!((found - exact).abs() < 1e-9, "{name} {about:?} {p}: {found} {exact}");
            }
        }
    }
}

/// How often the interval of a quantile misses it, summed over all records and all noise, below and above.
fn missed(name: &str, shares: &[f64], n: u64, p: f64, epsilon: &str, bins: usize, level: f64) -> [f64; 2] {
    let k = shares.len();
    let additive = additive(name, k, n, epsilon);
    let mut law: HashMap<Vec<i64>, f64> = HashMap::new();
    let mut noise: Vec<(Vec<i64>, f64)> = Vec::new();
    for_each_noise(&additive, k, if k > 3 { 7 } else { 14 }, 0, |z, weight| noise.push((z.to_vec(), weight)));
    let all: f64 = noise.iter().map(|(_, weight)| weight).sum();
    for counts in all_counts(k, n) {
        let ways = counts.iter().scan(n, |left, &c| {
            let ways = ln_binomial(*left, c);
            *left -= c;
            Some(ways)
        });
        let chance = ways.sum::<f64>().exp()
            * counts.iter().zip(shares).map(|(&c, share)| share.powi(c as i32)).product::<f64>();
        if chance <= 0.0 {
            continue;
        }
        for (z, weight) in &noise {
            let y = z.iter().zip(&counts).map(|(z, &c)| z + c as i64).collect();
            *law.entry(y).or_default() += chance * weight / all;
        }
    }
    let inside: f64 = shares[..bins].iter().sum();
    let below = |edge: usize| shares[..edge].iter().sum::<f64>() / inside;
    let first = (1..=bins).find(|&edge| below(edge) >= p - 1e-12).expect("the last");
    let last = (0..bins).rev().find(|&edge| below(edge) <= p + 1e-12).expect("the first");
    let cells: Vec<Vec<usize>> = (0..bins).map(|bin| vec![bin]).collect();
    let mut missed = [0.0; 2];
    for (y, chance) in law {
        let sums = Sums::new(y, n, additive.clone());
        let found = sums.quantile(&cells, p, Subject::Population, level).expect("narrow");
        assert!(found.ends[0] < found.ends[1]);
        missed[0] += if found.ends[0] >= first { chance } else { 0.0 };
        missed[1] += if found.ends[1] <= last { chance } else { 0.0 };
    }
    missed
}

/// If this fails, quantiles are missed more often than the level says. No simulation: all records and all noise.
#[test]
fn quantiles_hold_at_every_truth() {
    for name in ["lattice", "geometric"] {
        for (shares, p) in
            [([0.2, 0.3, 0.5], 0.5), ([0.5, 0.0, 0.5], 0.5), ([0.02, 0.9, 0.08], 0.9), ([1.0, 0.0, 0.0], 0.5)]
        {
            let [low, high] = missed(name, &shares, 12, p, "2", 3, 0.9);
            assert!(low <= 0.05 && high <= 0.05, "{name} {shares:?} {p}: {low} {high}");
        }
    }
}

/// If this fails, the same is true within a condition, whose number of records is not known.
#[test]
fn quantiles_hold_within_a_condition() {
    for (shares, p) in
        [([0.1, 0.2, 0.1, 0.6], 0.5), ([0.3, 0.0, 0.3, 0.4], 0.5), ([0.0, 0.05, 0.05, 0.9], 0.25)]
    {
        let found = missed("geometric", &shares, 5, p, "5", 3, 0.8);
        assert!(found[0] <= 0.1 && found[1] <= 0.1, "{shares:?} {p}: {found:?}");
    }
}

/// If this fails, an interval of a sum is not that of its noise.
#[test]
fn sums_are_sums_over_all_noise() {
    let numbers = [1.0, 4.0, -2.5];
    for name in ["lattice", "geometric", "lszhang"] {
        for parts in [3, 2] {
            // There are enough records that no end is cut to what is possible.
            let (n, level) = (900, 0.9);
            let additive = additive(name, 3, n, "2");
            let counts = [400_i64, 300, 200];
            let of = |counts: &[i64]| (0..parts).map(|cell| counts[cell] as f64 * numbers[cell]).sum::<f64>();
            let cells: Vec<Vec<usize>> = (0..parts).map(|cell| vec![cell]).collect();
            let found = |noise: &[i64]| {
                let drawn = counts.iter().zip(noise).map(|(c, z)| c + z).collect();
                let found = Sums::new(drawn, n, additive.clone()).sum(&cells, &numbers[..parts], level);
                let Interval { ends: [low, high], estimate, .. } = found.expect("narrow");
                let estimate = estimate.expect("additive noise");
                [estimate, estimate - low, high - estimate]
            };
            // The ends are as far from the estimate whatever the noise was, and the estimate moves as the counts do.
            let [estimate, below, above] = found(&[0; 3]);
            for noise in [[1, -1, 0], [-3, 1, 2], [4, 0, -4]] {
                let moved = found(&noise);
                assert!(
                    (moved[0] - estimate - of(&noise)).abs() < 1e-9,
                    "{name} {parts} {noise:?}: {moved:?}"
                );
                assert!(
                    (moved[1] - below).abs() < 1e-9 && (moved[2] - above).abs() < 1e-9,
                    "{name} {parts}: {moved:?}"
                );
            }
            let off = estimate - of(&counts);
            let (mut missed, mut all) = ([0.0; 2], 0.0);
            for_each_noise(&additive, 3, 25, 0, |z, weight| {
                all += weight;
                let error = off + of(z);
                missed[0] += if error > below + 1e-9 { weight } else { 0.0 };
                missed[1] += if -error > above + 1e-9 { weight } else { 0.0 };
            });
            let [below, above] = missed.map(|weight| weight / all);
            assert!(below <= 0.05 && above <= 0.05, "{name} {parts}: {below} {above}");
            assert!(below + above > 0.01, "{name} {parts}: intervals are too wide");
        }
    }
}

/// If this fails, the bin of an estimate is not that of the nearest increasing numbers.
#[test]
fn bins_are_those_of_the_nearest_increasing_numbers() {
    let mut random = Random::new(3);
    for _ in 0..500 {
        let over: Vec<f64> = (0..7).map(|edge| random.uniform(-4.0, 4.0) + 0.5 * f64::from(edge)).collect();
        // Blocks of numbers that fall are replaced by their mean (Ayer et al. 1955).
        let mut blocks: Vec<(f64, usize)> = Vec::new();
        for &value in &over {
            blocks.push((value, 1));
            while let [.., (a, m), (b, k)] = blocks[..]
                && a >= b
            {
                blocks.truncate(blocks.len() - 2);
                blocks.push(((a * m as f64 + b * k as f64) / (m + k) as f64, m + k));
            }
        }
        let increasing = blocks.iter().flat_map(|&(value, times)| std::iter::repeat_n(value, times));
        let expected = increasing.take_while(|value| *value < 0.0).count();
        assert_eq!(isotonic_bin(&over), expected, "{over:?}");
    }
}
