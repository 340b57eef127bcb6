//! Compares the laws of sums of noise with sums over all noise vectors, the posterior of groups with sums over all
//! counts, and the coverage of confidence intervals with their level, exactly.

use std::collections::{BTreeMap, HashMap};

use posterity_core::confidence::{Additive, Interval, Listed, Subject, Sums, Within};
use posterity_core::mechanism::Spec;
use posterity_core::model::{Beta, Counts, Dirichlet, Prior, Setting};
use posterity_core::noise::FoldedNoise;
use posterity_core::sampler::SeededBits;
use posterity_core::special::beta::ln_density;
use posterity_core::special::ln_gamma;
use posterity_testkit::fixture::{mechanism, uniform};
use posterity_testkit::{Random, all_counts};

#[path = "confidence/means.rs"]
mod means;
#[path = "confidence/ordered.rs"]
mod ordered;
#[path = "confidence/private_n.rs"]
mod private_n;
#[path = "confidence/tables.rs"]
mod tables;

const ADDITIVE: [&str; 5] = ["lattice", "geometric", "lshist", "lsdim", "lszhang"];

fn additive(name: &str, k: usize, n: u64, epsilon: &str) -> Additive {
    mechanism(name, &uniform(k, n, epsilon)).additive().expect("additive noise")
}

/// Calls back with every vector of noise between two bounds and its weight, given what is known of its sum.
fn for_each_noise(additive: &Additive, k: usize, reach: i64, total: i64, mut one: impl FnMut(&[i64], f64)) {
    let weight = |z: i64| additive.noise.probability(z);
    let mut z = vec![-reach; k - 1];
    loop {
        let last = total - z.iter().sum::<i64>();
        let noised = match additive.remainder {
            Some(_) => 1.0,
            None => weight(last),
        };
        let all = [z.as_slice(), &[last]].concat();
        one(&all, noised * z.iter().map(|&z| weight(z)).product::<f64>());
        let Some(place) = z.iter().position(|&z| z < reach) else { return };
        z[place] += 1;
        z[..place].fill(-reach);
    }
}

/// If this fails, the noise of a sum has another law than the mechanism gives it.
#[test]
fn noise_of_sums_is_a_sum_over_all_noise() {
    for name in ADDITIVE {
        for (k, epsilon, reach) in [(3, "4", 30), (4, "6", 16)] {
            let n = 20;
            let additive = additive(name, k, n, epsilon);
            for total in if name == "lszhang" { vec![-3, 0, 2] } else { vec![0] } {
                let mut drawn = vec![5; k];
                drawn[k - 1] += n as i64 - 5 * k as i64 + total;
                let sums = Sums::new(drawn, n, additive.clone());
                for cells in [vec![0], vec![k - 1], vec![0, 1], vec![1, k - 1]] {
                    let mut law: BTreeMap<i64, f64> = BTreeMap::new();
                    for_each_noise(&additive, k, reach, total, |z, weight| {
                        *law.entry(cells.iter().map(|&cell| z[cell]).sum()).or_default() += weight;
                    });
                    let all: f64 = law.values().sum();
                    let found = sums.noise(sums.group(&cells)).expect("narrow");
                    for z in -4..=4 {
                        let expected = law.get(&z).copied().unwrap_or(0.0) / all;
                        let found = found.probability(z);
                        assert!(
                            (found - expected).abs() < 1e-6 * expected,
                            "{name} {cells:?} {total} {z}: {found} {expected}"
                        );
                    }
                }
            }
        }
    }
}

/// The noise of a real mechanism has the variance that the intervals assume.
#[test]
fn mechanisms_draw_this_noise() {
    for name in ADDITIVE {
        let (k, n) = (4, 400);
        let fitted = mechanism(name, &uniform(k, n, "1"));
        let sums = Sums::new(vec![100; k], n, fitted.additive().expect("additive"));
        let noise = sums.noise(sums.group(&[0, 1])).expect("narrow");
        let bits = &mut SeededBits::new(5);
        let counts = Counts::new(vec![100; k]).expect("valid");
        let draws = 4_000;
        let mut squares = 0.0;
        for _ in 0..draws {
            let drawn = fitted.draw(&counts, bits).expect("drawn");
            // Where the noise of all cells is known, so is half of the noise of two of four.
            let total = drawn.as_slice().iter().sum::<i64>() - n as i64;
            let z = (drawn.as_slice()[0] + drawn.as_slice()[1] - 200) as f64 - 0.5 * total as f64;
            squares += z * z;
        }
        let ratio = squares / f64::from(draws) / noise.variance();
        // The standard error of a variance of such a law is below sqrt(6/draws).
        assert!(
            (ratio - 1.0).abs() < 5.0 * (6.0 / f64::from(draws)).sqrt() || name == "lszhang",
            "{name}: {ratio}"
        );
    }
}

/// If this fails, credible intervals of groups are not those of the posterior.
#[test]
fn posteriors_of_groups_are_sums_over_all_counts() {
    for name in ADDITIVE {
        let (k, n) = (6, 12_u64);
        let drawn = vec![4, -1, 3, 0, 7, -1];
        let additive = additive(name, k, n, "3");
        let sums = Sums::new(drawn.clone(), n, additive.clone());
        let groups = [vec![0, 1, 2], vec![3], vec![4, 5]];
        let prior = 0.7;
        let of = |cells: &Vec<usize>| sums.group(cells);
        let found = sums.posterior(&groups.iter().map(of).collect::<Vec<_>>(), &[prior; 3]).expect("narrow");
        // The law of the noise of a group by one convolution after another.
        let law = |cells: &Vec<usize>| -> HashMap<i64, f64> {
            if additive.remainder.is_some_and(|last| cells.contains(&last)) {
                return HashMap::new();
            }
            let mut sum = HashMap::from([(0, 1.0)]);
            for _ in cells {
                let mut next: HashMap<i64, f64> = HashMap::new();
                for (at, weight) in &sum {
                    for z in -60..=60 {
                        *next.entry(at + z).or_default() += weight * additive.noise.probability(z);
                    }
                }
                sum = next;
            }
            sum
        };
        let laws: Vec<HashMap<i64, f64>> = groups.iter().map(law).collect();
        let mut posterior = Vec::new();
        for counts in all_counts(3, n) {
            let mut weight = 1.0;
            for (group, &count) in counts.iter().enumerate() {
                let y: i64 = groups[group].iter().map(|&cell| drawn[cell]).sum();
                let noise = if laws[group].is_empty() { 1.0 } else { laws[group][&(y - count as i64)] };
                weight *= noise * (ln_gamma(prior + count as f64) - ln_gamma(count as f64 + 1.0)).exp();
            }
            posterior.push((counts, weight));
        }
        let total: f64 = posterior.iter().map(|(_, weight)| weight).sum();
        for (group, marginal) in found.marginals().iter().enumerate() {
            let part = |(counts, weight): &(Vec<u64>, f64)| -> (f64, Beta) {
                let inside = prior + counts[group] as f64;
                let beside = 2.0 * prior + (n - counts[group]) as f64;
                let two = Dirichlet::new(vec![inside, beside]).expect("positive");
                (weight / total, two.marginal(0).expect("there"))
            };
            let parts: Vec<(f64, Beta)> = posterior.iter().map(part).collect();
            let cdf = |x: f64| parts.iter().map(|(weight, beta)| weight * beta.cdf(x)).sum::<f64>();
            let (low, high) = marginal.interval(0.95).expect("a level");
            assert!((cdf(low) - 0.025).abs() < 1e-9, "{name} {group}: {}", cdf(low));
            assert!((cdf(high) - 0.975).abs() < 1e-9, "{name} {group}: {}", cdf(high));
        }
    }
}

fn binomial(n: u64, p: f64, count: u64) -> f64 {
    match p {
        p if p <= 0.0 => f64::from(u8::from(count == 0)),
        p if p >= 1.0 => f64::from(u8::from(count == n)),
        p => (ln_density(p, count as f64 + 1.0, (n - count) as f64 + 1.0)).exp() / (n as f64 + 1.0),
    }
}

/// The counts that matter for a proportion.
fn likely(n: u64, p: f64) -> std::ops::RangeInclusive<u64> {
    let spread = 9.0 * (n as f64 * p * (1.0 - p)).sqrt() + 30.0;
    let mean = n as f64 * p;
    (mean - spread).max(0.0) as u64..=(mean + spread).min(n as f64) as u64
}

/// Where the intervals begin and cease to hold something, as the noisy count grows: both ends grow with it.
fn holding(noise: &FoldedNoise, n: u64, holds: impl Fn(i64) -> std::cmp::Ordering) -> (i64, i64) {
    let first = |reached: &dyn Fn(i64) -> bool| {
        let (mut no, mut yes) = (noise.start() - 1, n as i64 + noise.end() + 1);
        while yes - no > 1 {
            let middle = no + (yes - no) / 2;
            if reached(middle) { yes = middle } else { no = middle }
        }
        yes
    };
    (first(&|y| holds(y).is_ge()), first(&|y| holds(y).is_gt()) - 1)
}

/// Whether a value is above an interval, in it, or below it, as the noisy count grows.
fn beside(ends: [f64; 2], truth: f64) -> std::cmp::Ordering {
    if ends[1] < truth {
        std::cmp::Ordering::Less
    } else if ends[0] > truth {
        std::cmp::Ordering::Greater
    } else {
        std::cmp::Ordering::Equal
    }
}

/// The probability that the interval for the share of one of k cells holds it.
fn coverage_of_share(sums: &Sums, cells: &[usize], about: Subject, truth: f64, level: f64) -> f64 {
    let (n, group) = (sums.size() as u64, sums.group(cells));
    let noise = sums.noise(group).expect("narrow");
    let (first, last) =
        holding(&noise, n, |drawn| beside(sums.share(group.as_if_drawn(drawn), about, level).ends, truth));
    let given = |count: u64| noise.at_least(first - count as i64) - noise.at_least(last + 1 - count as i64);
    match about {
        Subject::Population => likely(n, truth).map(|count| binomial(n, truth, count) * given(count)).sum(),
        Subject::Records => given((truth * n as f64).round() as u64),
    }
}

fn check_shares(ks: &[usize], ns: &[u64], epsilons: &[&str], random: u64) {
    for &k in ks {
        for &n in ns {
            for epsilon in epsilons {
                for name in ["lattice", "lshist"] {
                    let mut drawn = vec![0; k];
                    drawn[0] = n as i64;
                    let sums = Sums::new(drawn, n, additive(name, k, n, epsilon));
                    let mut bits = Random::new(n ^ k as u64);
                    let between = (0..random).map(|_| bits.uniform(0.0, 1.0));
                    let truths: Vec<f64> =
                        [0.0, 1.0 / n as f64, 0.5, 1.0].into_iter().chain(between).collect();
                    for level in [0.95, 0.8] {
                        for &truth in &truths {
                            let record = (truth * n as f64).round() / n as f64;
                            for (about, truth) in [(Subject::Population, truth), (Subject::Records, record)] {
                                let found = coverage_of_share(&sums, &[0], about, truth, level);
                                assert!(
                                    found >= level - 1e-9,
                                    "{name} k {k} n {n} epsilon {epsilon} {about:?} {truth}: {found} below {level}"
                                );
                            }
                        }
                    }
                }
            }
        }
    }
}

/// If this fails, there is a truth that intervals miss more often than they may.
#[test]
fn shares_are_covered_whatever_the_truth() {
    check_shares(&[2, 8], &[10, 1_000], &["0.1", "1", "10"], 4);
}

/// The same on the whole grid.
#[test]
#[ignore = "slow: some minutes"]
fn shares_are_covered_on_the_whole_grid() {
    let ns = [10, 30, 100, 1_000, 10_000, 100_000, 1_000_000];
    check_shares(&[2, 3, 8], &ns, &["0.01", "0.03", "0.1", "0.3", "1", "3", "10"], 100);
}

/// The intervals for the share of the first cell within the first two, of k cells, each computed once.
struct Conditionals {
    sums: Sums,
    known: HashMap<(i64, i64), Interval>,
    about: Subject,
    level: f64,
    rate: f64,
}

impl Conditionals {
    fn new(k: usize, n: u64, epsilon: &str, about: Subject, level: f64) -> Self {
        let mut drawn = vec![0; k];
        drawn[k - 1] = n as i64;
        let sums = Sums::new(drawn, n, additive("lattice", k, n, epsilon));
        let rate = 0.5 * epsilon.parse::<f64>().expect("a number");
        Self { sums, known: HashMap::new(), about, level, rate }
    }

    fn interval(&mut self, u: i64, v: i64) -> Interval {
        let Self { sums, about, level, .. } = self;
        *self.known.entry((u, v)).or_insert_with(|| {
            let group = sums.group(&[0]).as_if_drawn(u);
            let others = sums.group(&[1]).as_if_drawn(v);
            sums.conditional(Within { group, others }, *about, *level)
        })
    }

    /// The probability that the interval holds the share p, if c records satisfy the condition: in the population, or
    /// among these records.
    fn coverage(&mut self, k: u64, c: u64, p: f64) -> f64 {
        /// Draws of less probability than this are left out.
        const LEAST: f64 = 1e-7;
        let one = FoldedNoise::two_sided(self.rate, 1).expect("narrow");
        let rest = FoldedNoise::two_sided(self.rate, k - 2).expect("narrow");
        let all = FoldedNoise::two_sided(self.rate, k).expect("narrow").probability(0);
        let reach = (one.start()..0).find(|&z| one.probability(z) > LEAST).unwrap_or(0);
        let mut noise = Vec::new();
        for a in reach..=-reach {
            for b in reach..=-reach {
                let weight = one.probability(a) * one.probability(b) * rest.probability(-a - b) / all;
                if weight > LEAST {
                    noise.push((a, b, weight));
                }
            }
        }
        let counts: Vec<(u64, f64)> = match self.about {
            Subject::Population => {
                likely(c, p).map(|part| (part, binomial(c, p, part))).filter(|(_, w)| *w > LEAST).collect()
            }
            Subject::Records => vec![((p * c as f64).round() as u64, 1.0)],
        };
        let (mut held, mut all_weights) = (0.0, 0.0);
        for (part, weight) in counts {
            for &(a, b, of_noise) in &noise {
                let [low, high] = self.interval(part as i64 + a, (c - part) as i64 + b).ends;
                all_weights += weight * of_noise;
                if low <= p && p <= high {
                    held += weight * of_noise;
                }
            }
        }
        held / all_weights
    }
}

fn check_conditionals(ks: &[usize], epsilons: &[&str], counts: &[u64], random: u64) {
    let (n, level) = (1_000, 0.95);
    for &k in ks {
        for epsilon in epsilons {
            for about in [Subject::Population, Subject::Records] {
                let mut conditionals = Conditionals::new(k, n, epsilon, about, level);
                let mut bits = Random::new(k as u64);
                for &count in counts {
                    let between = (0..random).map(|_| bits.uniform(0.0, 1.0)).collect::<Vec<_>>();
                    let ends = [0.0, 1.0 / count.max(1) as f64, 0.5, 1.0];
                    for truth in ends.into_iter().chain(between) {
                        // If there are no records, there is no share of them.
                        if about == Subject::Records && count == 0 {
                            continue;
                        }
                        let whole = (truth * count as f64).round() / count.max(1) as f64;
                        let truth = if about == Subject::Records { whole } else { truth };
                        let found = conditionals.coverage(k as u64, count, truth);
                        assert!(
                            found >= level - 1e-5,
                            "k {k} epsilon {epsilon} {about:?} {count} records, share {truth}: {found}"
                        );
                    }
                }
            }
        }
    }
}

/// If this fails, there is a truth that intervals within a group miss more often than they may.
#[test]
fn conditionals_are_covered_whatever_the_truth() {
    check_conditionals(&[3], &["3"], &[0, 1, 6, 30], 2);
}

/// The same on the whole grid.
#[test]
#[ignore = "slow: some minutes"]
fn conditionals_are_covered_on_the_whole_grid() {
    check_conditionals(&[3, 8], &["0.5", "1", "3", "10"], &[0, 1, 2, 3, 5, 10, 20, 50, 100, 300, 1_000], 20);
}

/// If this fails, intervals are wider than they need be: the width without noise is known, and at a small epsilon the
/// noise alone makes the width.
#[test]
fn intervals_are_not_wider_than_needed() {
    // Without noise: Clopper and Pearson 1934, 7 of 20 records at 95 %.
    let sums = Sums::new(vec![7, 13], 20, additive("lattice", 2, 20, "60"));
    let [low, high] = sums.share(sums.group(&[0]), Subject::Population, 0.95).ends;
    assert!((low - 0.153_909).abs() < 1e-5 && (high - 0.592_189).abs() < 1e-5, "{low} {high}");
    // Beside the credible interval.
    for (count, n, epsilon, most) in
        [(100, 1_000, "1", 1.06), (100, 100_000, "0.5", 1.06), (20, 200, "1", 1.1)]
    {
        let drawn = vec![count, n - count];
        let sums = Sums::new(drawn, n as u64, additive("lattice", 2, n as u64, epsilon));
        let groups = [sums.group(&[0]), sums.group(&[1])];
        let [low, high] = sums.share(groups[0], Subject::Population, 0.95).ends;
        let posterior = sums.posterior(&groups, &[1.0; 2]).expect("narrow");
        let (from, to) = posterior.marginals()[0].interval(0.95).expect("a level");
        let ratio = (high - low) / (to - from);
        assert!(ratio < most, "{count} of {n} at {epsilon}: {ratio}");
    }
}

/// Noisy counts that no mechanism draws, as in a forged document, and noise that is too wide.
#[test]
fn anything_has_an_interval() {
    for drawn in [vec![i64::MIN, i64::MAX, 0], vec![-1_000, 2_000, 10], vec![0, 0, 0]] {
        let sums = Sums::new(drawn, 10, additive("lattice", 3, 10, "1"));
        let groups = [0, 1, 2].map(|cell| sums.group(&[cell]));
        for about in [Subject::Population, Subject::Records] {
            for group in groups {
                let [low, high] = sums.share(group, about, 0.95).ends;
                assert!((0.0..=1.0).contains(&low) && low <= high && high <= 1.0, "{low} {high}");
            }
            let within = Within { group: groups[0], others: groups[1] };
            let [low, high] = sums.conditional(within, about, 0.95).ends;
            assert!((0.0..=1.0).contains(&low) && low <= high && high <= 1.0, "{low} {high}");
        }
    }
    for epsilon in ["60", "1000", "1e6"] {
        let exact = Sums::new(vec![4, 0, 6], 10, additive("lattice", 3, 10, epsilon));
        let within = Within { group: exact.group(&[0]), others: exact.group(&[1]) };
        let [low, high] = exact.conditional(within, Subject::Population, 0.95).ends;
        // Four of four: Clopper and Pearson's lower end is 0.025^(1/4).
        assert!((low - 0.397_635).abs() < 0.01 && high == 1.0, "{epsilon}: {low} {high}");
    }
    let wide = Sums::new(vec![4, 6], 10, additive("lattice", 2, 10, "1e-9"));
    assert_eq!(wide.share(wide.group(&[0]), Subject::Population, 0.95).ends, [0.0, 1.0]);
}

/// Rows of a reading are computed beside each other: if this fails, the digits of an interval depend on which comes first.
#[test]
fn intervals_do_not_depend_on_what_was_asked_before() {
    let mut random = Random::new(17);
    for name in ["geometric", "lattice", "lsdim(consistent)"] {
        for k in [5, 9, 18] {
            let drawn: Vec<i64> = (0..k).map(|_| random.below(40) as i64).collect();
            let cells: Vec<usize> = (0..k).collect();
            let (some, others) = (&cells[k - 2..], &cells[..k / 2]);
            let ask = |backwards_first: bool| {
                let sums = Sums::new(drawn.clone(), 20 * k as u64, additive(name, k, 20 * k as u64, "1"));
                let (group, others) = (sums.group(some), sums.group(others));
                let interval =
                    |group, others| sums.conditional(Within { group, others }, Subject::Population, 0.95);
                if backwards_first {
                    interval(others, group);
                }
                [interval(group, others), interval(others, group)]
            };
            assert_eq!(ask(false), ask(true), "{name} {k}");
        }
    }
}

/// Every release of two categories of mechanisms whose noise does not add up, at every truth of a grid: the probability
/// that the interval holds is a sum over all counts and all releases.
#[test]
fn listed_intervals_are_covered_whatever_the_truth() {
    let level = 0.95;
    for (name, prior, n, epsilon) in [
        ("ehd", "1,1", 12, "20"),
        ("ehds", "0.1,7", 20, "5"),
        ("mhg", "1,1", 30, "4"),
        ("mh", "3,0.2", 25, "8"),
        ("simplex", "1,1", 15, "3"),
        ("ehd(score=tv)", "1,1", 60, "30"),
    ] {
        let prior: Vec<f64> = prior.split(',').map(|part| part.parse().expect("a number")).collect();
        let setting = Setting::new(Prior::new(prior).expect("a prior"), n, epsilon.parse().expect("epsilon"));
        let spec: Spec = name.parse().expect("a mechanism");
        let mechanism = spec.fit(setting.expect("a setting")).expect("fits");
        let listed: Vec<Listed> =
            (0..=n).map(|r| Listed::new(&*mechanism, &[r, n - r]).expect("two categories")).collect();
        let laws: Vec<Vec<f64>> = (0..=n)
            .map(|c| {
                let law = mechanism.law(&Counts::new(vec![c, n - c]).expect("counts"), 1_000).expect("small");
                law.outcomes().map(|outcome| outcome.probability).collect()
            })
            .collect();
        for category in 0..2 {
            for c in 0..=n {
                let truth = if category == 0 { c } else { n - c } as f64 / n as f64;
                let held: f64 = laws[c as usize]
                    .iter()
                    .zip(&listed)
                    .filter(|(_, one)| {
                        beside(one.share(category, Subject::Records, level).ends, truth).is_eq()
                    })
                    .map(|(probability, _)| probability)
                    .sum();
                assert!(held >= level - 1e-9, "{name}: {c} of {n} records: {held}");
            }
            let intervals: Vec<[f64; 2]> =
                listed.iter().map(|one| one.share(category, Subject::Population, level).ends).collect();
            assert!(intervals.iter().any(|[low, high]| high - low < 0.95), "{name}: {intervals:?}");
            for truth in (0..=40).map(|step| f64::from(step) / 40.0).chain([1e-3, 1.0 / n as f64, 0.999]) {
                let held: f64 = (0..=n)
                    .map(|count| {
                        let c = if category == 0 { count } else { n - count };
                        let of_release = laws[c as usize].iter().zip(&intervals);
                        let held = of_release.filter(|(_, ends)| beside(**ends, truth).is_eq());
                        binomial(n, truth, count) * held.map(|(probability, _)| probability).sum::<f64>()
                    })
                    .sum();
                assert!(held >= level - 1e-9, "{name}: {truth} of category {category}: {held}");
            }
        }
    }
}
