//! The same where the number of records is private.

use std::collections::HashMap;
use std::num::NonZeroU64;
use std::sync::Arc;

use posterity_core::audit::{audit, audit_at};
use posterity_core::confidence::{Interval, Subject, Sums, Within};
use posterity_core::mechanism::{ALL, FitError, Mechanism, Spec};
use posterity_core::model::{Adjacency, Counts, Prior, Setting};
use posterity_core::noise::{FoldedNoise, Noise, TwoSidedGeometric};
use posterity_core::sampler::{Rate, SeededBits};
use posterity_core::special::ln_gamma;
use posterity_core::table::{Block, Grouping, Shares};
use posterity_testkit::all_counts;

use super::{binomial, likely};

fn setting(k: usize, most: u64, epsilon: &str) -> Setting {
    let prior = Prior::new(vec![1.0 / k as f64; k]).expect("positive");
    Setting::of_private_n(prior, most, epsilon.parse().expect("positive")).expect("valid")
}

fn geometric(setting: Setting) -> Box<dyn Mechanism> {
    "geometric".parse::<Spec>().expect("a mechanism").fit(setting).expect("fits")
}

fn noise(rate: &str) -> Arc<dyn Noise> {
    Arc::new(TwoSidedGeometric::new(Rate::new(rate.parse().expect("a fraction")).expect("positive")))
}

/// If this fails, a mechanism that publishes n takes data whose n is private.
#[test]
fn only_noise_on_every_count_is_fitted() {
    let specs = ALL
        .iter()
        .map(|one| (one.usual)())
        .chain(["geometric(consistent)", "tight(ehds)"].map(|text| text.parse().expect("a mechanism")));
    for spec in specs {
        let found = spec.fit(setting(3, 20, "1"));
        match spec.to_string().as_str() {
            "geometric" => assert!(found.is_ok()),
            name => assert_eq!(found.err(), Some(FitError::PublicN { mechanism: name.to_owned() })),
        }
    }
}

/// All data sets of at most `most` records against those with one record more, by their complete laws.
#[test]
fn one_record_more_or_less_costs_epsilon() {
    for (k, most, epsilon) in [(2, 7, "1"), (2, 5, "0.3"), (3, 4, "1"), (3, 3, "2.5")] {
        let mechanism = geometric(setting(k, most, epsilon));
        let epsilon: f64 = epsilon.parse().expect("a number");
        let found = audit(&*mechanism, &[], 1e8, &|_| ()).expect("small");
        assert!((found.loss_up() - epsilon).abs() < 1e-9, "k {k}: {}", found.loss_up());
        let empty = Counts::perhaps_empty(vec![0; k]).expect("allowed");
        let nobody = audit_at(&*mechanism, &empty, &[], 1e8).expect("small");
        assert!((nobody.loss_up() - epsilon).abs() < 1e-9, "k {k}: {}", nobody.loss_up());
    }
    // A unit of two records: each of them costs a half.
    let two = setting(2, 5, "1").with_records_per_unit(NonZeroU64::MIN.saturating_add(1));
    let found = audit(&*geometric(two), &[], 1e8, &|_| ()).expect("small");
    assert!((found.loss_up() - 0.5).abs() < 1e-9, "{}", found.loss_up());
}

/// Real draws against the law: the chance of a larger chi-square is above one in a million.
#[test]
fn draws_have_the_law() {
    let (k, epsilon, draws) = (3, "0.7", 60_000);
    let mechanism = geometric(setting(k, 1_000, epsilon));
    let counts = Counts::perhaps_empty(vec![0, 4, 1]).expect("allowed");
    let drawn = mechanism.draw_many(&counts, draws, &mut SeededBits::new(28)).expect("drawn");
    let law = noise("7/10");
    for cell in 0..k {
        let mut found: HashMap<i64, f64> = HashMap::new();
        for one in &drawn {
            let z = one.as_slice()[cell] - counts.as_slice()[cell] as i64;
            *found.entry(z.clamp(-9, 9)).or_default() += 1.0;
        }
        let expected = |z: i64| match z {
            -9 => law.at_most(-9),
            9 => law.at_least(9),
            z => law.probability(z),
        };
        let chi: f64 = (-9..=9)
            .map(|z| {
                let expected = draws as f64 * expected(z);
                (found.get(&z).copied().unwrap_or(0.0) - expected).powi(2) / expected
            })
            .sum();
        // 18 degrees of freedom.
        assert!(chi < 63.0, "cell {cell}: {chi}");
    }
}

/// Every n as likely as any other, and the shares Dirichlet given n: a sum over all counts of all sizes.
#[test]
fn posteriors_sum_over_n() {
    for drawn in [vec![4, -1, 2], vec![0, 0, 1], vec![-3, -2, 0], vec![9, 5, 1]] {
        let (rate, prior) = ("6/5", [0.25, 0.25, 0.5]);
        let law = noise(rate);
        let sums = Sums::of_private_n(drawn.clone(), 1_000_000, Arc::clone(&law));
        let groups: Vec<_> = (0..3).map(|cell| sums.group(&[cell])).collect();
        let aware = sums.posterior(&groups, &prior).expect("narrow");
        let mut posterior = Vec::new();
        for n in 0..60 {
            for counts in all_counts(3, n) {
                // The Dirichlet-multinomial probability of the counts given n.
                let mut ln = ln_gamma(n as f64 + 1.0) + ln_gamma(1.0) - ln_gamma(n as f64 + 1.0);
                for (cell, &count) in counts.iter().enumerate() {
                    ln += ln_gamma(prior[cell] + count as f64)
                        - ln_gamma(prior[cell])
                        - ln_gamma(count as f64 + 1.0);
                    ln += law.ln_probability(drawn[cell] - count as i64);
                }
                posterior.push((counts, ln.exp()));
            }
        }
        let total: f64 = posterior.iter().map(|(_, weight)| weight).sum();
        let asked = vec![vec![0], vec![1], vec![2]];
        let grouping = Grouping::new(4, vec![Block::new(asked, Vec::new())]).expect("valid");
        let shares = Shares::new(&aware, &grouping);
        for cell in 0..3 {
            let mean = |(counts, weight): &(Vec<u64>, f64)| {
                weight * (prior[cell] + counts[cell] as f64) / (1.0 + counts.iter().sum::<u64>() as f64)
            };
            let expected = posterior.iter().map(mean).sum::<f64>() / total;
            let found = shares.share(0, cell).expect("few").mean();
            assert!((found - expected).abs() < 1e-8, "{drawn:?} {cell}: {found} {expected}");
            let count =
                posterior.iter().map(|(counts, weight)| weight * counts[cell] as f64).sum::<f64>() / total;
            let found = aware.marginals()[cell].mean_count();
            assert!((found - count).abs() < 1e-8 * (1.0 + count), "{drawn:?} {cell}: {found} {count}");
        }
    }
}

/// The exact coverage of counts: of one cell, of many, and of everything.
#[test]
fn counts_are_covered_whatever_the_truth() {
    for (rate, cells) in [("1/10", 1_u64), ("1", 1), ("1", 5), ("3", 40)] {
        let law = noise(rate);
        let sums = Sums::of_private_n(vec![0; cells as usize + 2], 10_000, Arc::clone(&law));
        let group = sums.group(&(0..cells as usize).collect::<Vec<_>>());
        let folded = sums.noise(group).expect("narrow");
        for level in [0.8, 0.95, 0.999] {
            for truth in [0, 1, 2, 7, 300] {
                let held = |z: &i64| {
                    let [low, high] = sums.count(group.as_if_drawn(truth + z), level).ends;
                    low as i64 <= truth && truth <= high as i64
                };
                let covered: f64 =
                    (folded.start()..=folded.end()).filter(held).map(|z| folded.probability(z)).sum();
                assert!(covered >= level - 1e-9, "{rate} {cells} {truth}: {covered} below {level}");
                let [low, high] = sums.count(group.as_if_drawn(truth), level).ends;
                let width = folded.middle(0.5 * (1.0 - level));
                assert!(high - low <= (width.1 - width.0) as u64, "{rate} {cells} {truth}");
            }
        }
    }
}

/// The exact coverage of the share of a group of some cells among all, if n records are there.
fn coverage(
    rate: &str,
    cells: [u64; 2],
    n: u64,
    p: f64,
    about: Subject,
    known: &mut HashMap<(i64, i64), Interval>,
) -> f64 {
    const LEAST: f64 = 1e-8;
    let level = 0.95;
    let sums = Sums::of_private_n(vec![0; (cells[0] + cells[1]) as usize], 1_000_000, noise(rate));
    let group = sums.group(&(0..cells[0] as usize).collect::<Vec<_>>());
    let others = sums.group(&(cells[0] as usize..(cells[0] + cells[1]) as usize).collect::<Vec<_>>());
    let laws = [group, others].map(|group| sums.noise(group).expect("narrow"));
    let reach = |law: &FoldedNoise| -> Vec<i64> {
        (law.start()..=law.end()).filter(|&z| law.probability(z) > LEAST).collect()
    };
    let counts: Vec<(u64, f64)> = match about {
        Subject::Population => {
            likely(n, p).map(|part| (part, binomial(n, p, part))).filter(|(_, w)| *w > LEAST).collect()
        }
        Subject::Records => vec![((p * n as f64).round() as u64, 1.0)],
    };
    let (mut held, mut all) = (0.0, 0.0);
    for (part, weight) in counts {
        for a in reach(&laws[0]) {
            for b in reach(&laws[1]) {
                let weight = weight * laws[0].probability(a) * laws[1].probability(b);
                if weight < LEAST {
                    continue;
                }
                let (u, v) = (part as i64 + a, (n - part) as i64 + b);
                let interval = known.entry((u, v)).or_insert_with(|| {
                    let within = Within { group: group.as_if_drawn(u), others: others.as_if_drawn(v) };
                    sums.conditional(within, about, level)
                });
                all += weight;
                held += if interval.ends[0] <= p && p <= interval.ends[1] { weight } else { 0.0 };
                // Nobody may be there, and then the interval says so.
                assert!(n > 0 || interval.may_be_empty || weight < 1e-3, "{u} {v}");
            }
        }
    }
    held / all
}

fn check_shares(rates: &[&str], cells: &[[u64; 2]], ns: &[u64], truths: &[f64]) {
    for rate in rates {
        for &cells in cells {
            for about in [Subject::Population, Subject::Records] {
                let mut known = HashMap::new();
                for &n in ns {
                    for &p in truths {
                        let whole = (p * n as f64).round() / n.max(1) as f64;
                        let p = if about == Subject::Records { whole } else { p };
                        if about == Subject::Records && n == 0 {
                            continue;
                        }
                        let found = coverage(rate, cells, n, p, about, &mut known);
                        assert!(found >= 0.95 - 1e-5, "{rate} {cells:?} {about:?} n {n} share {p}: {found}");
                    }
                }
            }
        }
    }
}

/// If this fails, there is a number of records and a share that intervals miss more often than they may.
#[test]
fn shares_are_covered_whatever_n_is() {
    check_shares(&["2"], &[[1, 1]], &[0, 1, 4, 25], &[0.0, 0.3, 1.0]);
}

/// The same on the whole grid.
#[test]
#[ignore = "slow: some minutes"]
fn shares_are_covered_on_the_whole_grid_of_n() {
    let truths = [0.0, 0.01, 0.1, 0.27, 0.5, 0.81, 0.99, 1.0];
    check_shares(
        &["1/2", "1", "3"],
        &[[1, 1], [3, 1], [2, 9]],
        &[0, 1, 2, 3, 5, 10, 30, 100, 300, 1_000],
        &truths,
    );
}

/// The size of a table of unknown size is estimated, never taken from anywhere.
#[test]
fn the_size_is_estimated() {
    let sums = Sums::of_private_n(vec![40, -3, 20], 1_000, noise("1"));
    assert!(sums.n_is_private() && (sums.size() - 57.0).abs() < 1e-9);
    assert!((Sums::of_private_n(vec![-5, 1], 1_000, noise("1")).size() - 1.0).abs() < 1e-9);
    assert_eq!(setting(2, 9, "1").adjacency(), Adjacency::AddRemove);
}
