//! Means of numbers: the law of their noise, and how often their intervals hold.

use posterity_core::confidence::{MeanNoise, Subject, Sums};
use posterity_core::model::{Counts, Prior, Setting};
use posterity_core::sampler::SeededBits;
use posterity_testkit::fixture::{mechanism, uniform};
use posterity_testkit::{critical_interval, multinomial, trials};

use super::{ADDITIVE, additive, for_each_noise};

/// If this fails, the noise of a mean has another law than the mechanism gives it.
#[test]
fn the_noise_of_a_mean_is_a_sum_over_all_noise() {
    for name in ADDITIVE {
        let (k, n) = (3, 15);
        let additive = additive(name, k, n, "5");
        for total in if name == "lszhang" { vec![-3, 0, 2] } else { vec![0] } {
            let mut drawn = vec![5; k];
            drawn[k - 1] += total;
            let sums = Sums::new(drawn, n, additive.clone());
            let all = vec![vec![0], vec![1], vec![2]];
            for groups in [all, vec![vec![1], vec![0, 2]], vec![vec![0], vec![1]], vec![vec![1], vec![2]]] {
                let scores: Vec<f64> = [0.0, 0.3, 1.0][..groups.len()].to_vec();
                let noise = sums.mean_noise(&groups, scores.clone()).expect("narrow");
                for mean in [0.0, 0.2, 0.7] {
                    let mut law: Vec<(f64, f64)> = Vec::new();
                    for_each_noise(&additive, k, 40, total, |z, weight| {
                        let sum = |cells: &Vec<usize>| cells.iter().map(|&cell| z[cell] as f64).sum::<f64>();
                        let terms = groups.iter().zip(&scores);
                        law.push((terms.map(|(cells, score)| (score - mean) * sum(cells)).sum(), weight));
                    });
                    let weight: f64 = law.iter().map(|(_, weight)| weight).sum();
                    let expected = law.iter().map(|(at, weight)| at * weight).sum::<f64>() / weight;
                    let square = |at: f64| (at - expected) * (at - expected);
                    let variance = law.iter().map(|(at, weight)| square(*at) * weight).sum::<f64>() / weight;
                    if name != "lattice" && name != "lszhang" {
                        let found = noise.variance(mean);
                        assert!((found / variance - 1.0).abs() < 1e-4, "{name} {mean}: {found} {variance}");
                    }
                    for t in [0.01, 0.5, 2.0, 9.0] {
                        let part = |of: fn(f64) -> f64| {
                            law.iter().map(|(at, weight)| weight * of(t * (at - expected))).sum::<f64>()
                                / weight
                        };
                        let found = noise.wave(mean, t);
                        for (found, expected) in found.into_iter().zip([part(f64::cos), part(f64::sin)]) {
                            assert!(
                                (found - expected).abs() < 1e-5,
                                "{name} {groups:?} {mean} {t} {total}: {found} {expected}"
                            );
                        }
                    }
                }
            }
        }
    }
}

/// If this fails, the mean of zeros and ones has an interval far from that of the share.
#[test]
fn means_of_two_numbers_are_shares() {
    for (name, epsilon) in [("lattice", "0.5"), ("geometric", "1"), ("lshist", "0.3"), ("lszhang", "2")] {
        let setting = uniform(6, 900, epsilon);
        let fitted = mechanism(name, &setting);
        let counts = Counts::new(vec![30, 170, 200, 100, 390, 10]).expect("valid");
        let drawn = fitted.draw(&counts, &mut SeededBits::new(5)).expect("bits").as_slice().to_vec();
        let sums = Sums::of_setting(drawn, &setting, fitted.additive().expect("additive"));
        for about in [Subject::Population, Subject::Records] {
            for (ones, zeros) in [(vec![0], vec![1, 2]), (vec![0, 3], vec![1, 2, 4, 5])] {
                let whole = ones.len() + zeros.len() == 6;
                let group = sums.group(&ones);
                let share = if whole {
                    sums.share(group, about, 0.95)
                } else {
                    sums.conditional(
                        posterity_core::confidence::Within { group, others: sums.group(&zeros) },
                        about,
                        0.95,
                    )
                };
                let found = sums.mean(&[zeros, ones], &[2.0, 12.0], about, 0.95);
                let width = share.ends[1] - share.ends[0];
                for (found, share) in found.ends.into_iter().zip(share.ends) {
                    let off = ((found - 2.0) / 10.0 - share) / width;
                    assert!(off.abs() < 0.06, "{name} {about:?}: {found} {share} {off}");
                }
            }
        }
    }
}

/// Mostly zeros, and the other numbers up to the largest alike.
fn mostly_zeros(most: usize) -> Vec<f64> {
    (0..=most).map(|number| if number == 0 { 0.93 } else { 0.07 / most as f64 }).collect()
}

/// If this fails, intervals of means do not hold where few records have large numbers. The chance that one of these laws
/// fails although all is well is 1e-6.
#[test]
fn intervals_hold_for_mostly_zeros() {
    let releases = trials(30);
    for (name, most, n, epsilon) in [
        ("lattice", 10, 500, "0.1"),
        ("lattice", 10, 500, "1"),
        ("lattice", 20, 1_000, "0.1"),
        ("geometric", 10, 500, "1"),
    ] {
        let shares = mostly_zeros(most);
        let truth: f64 = shares.iter().enumerate().map(|(number, share)| number as f64 * share).sum();
        let prior = Prior::new(vec![1.0; shares.len()]).expect("positive");
        let setting = Setting::new(prior, n, epsilon.parse().expect("positive")).expect("valid");
        let fitted = mechanism(name, &setting);
        let numbers: Vec<f64> = (0..=most).map(|number| number as f64).collect();
        let groups: Vec<Vec<usize>> = (0..=most).map(|cell| vec![cell]).collect();
        let bits = &mut SeededBits::new(17);
        let (mut held, mut held_of_records) = (0, 0);
        for _ in 0..releases {
            let counts = multinomial(n, &shares, bits);
            let of_records: f64 =
                counts.iter().enumerate().map(|(number, &count)| number as f64 * count as f64).sum::<f64>()
                    / n as f64;
            let drawn = fitted.draw(&Counts::new(counts).expect("valid"), bits).expect("bits");
            let sums =
                Sums::of_setting(drawn.as_slice().to_vec(), &setting, fitted.additive().expect("additive"));
            let holds = |about: Subject, truth: f64| {
                let [low, high] = sums.mean(&groups, &numbers, about, 0.95).ends;
                u64::from(low <= truth && truth <= high)
            };
            held += holds(Subject::Population, truth);
            held_of_records += holds(Subject::Records, of_records);
        }
        let least = critical_interval(releases, 0.95, 1e-7).low;
        assert!(held >= least, "{name} {most} {epsilon}: {held} of {releases}, seed 17");
        assert!(
            held_of_records >= least,
            "{name} {most} {epsilon}: {held_of_records} of {releases}, seed 17"
        );
    }
}

/// If this fails, a document that was made by hand ends in an error, or an interval leaves the numbers.
#[test]
fn strange_draws_have_intervals() {
    let setting = uniform(3, 10, "1");
    let additive = mechanism("geometric", &setting).additive().expect("additive");
    for drawn in [[-900, 1000, -90], [0, 0, 10], [10, 0, 0], [-5, -5, 20], [i64::MIN, 0, i64::MAX]] {
        let sums = Sums::new(drawn.to_vec(), 10, additive.clone());
        for groups in [vec![vec![0], vec![1], vec![2]], vec![vec![0], vec![1]]] {
            for about in [Subject::Population, Subject::Records] {
                let found = sums.mean(&groups, &[3.0, 5.0, 9.0][..groups.len()], about, 0.9);
                assert!(
                    found.ends[0] >= 3.0 && found.ends[0] <= found.ends[1] && found.ends[1] <= 9.0,
                    "{found:?}"
                );
            }
        }
        let same = sums.mean(&[vec![0], vec![1]], &[4.0, 4.0], Subject::Population, 0.9);
        assert_eq!(same.ends, [4.0, 4.0]);
    }
}
