//! Compares readings of tables with sums over all count vectors, and draws with the exact laws.

use std::collections::BTreeMap;

use posterity_core::mechanism::Mechanism;
use posterity_core::model::{Beta, Counts, Dirichlet, Released};
use posterity_core::noise::Evidence;
use posterity_core::noise_aware::NoiseAware;
use posterity_core::sampler::{BitSource, SeededBits};
use posterity_core::special::ln_gamma;
use posterity_core::table::{Block, Draws, Grouping, Share, Shares};
use posterity_testkit::fixture::{mechanism, setting};
use posterity_testkit::{Interval, all_counts, critical_interval};

/// A release, and the weight of every count vector that is possible given it.
struct Case {
    what: String,
    prior: Vec<f64>,
    aware: NoiseAware,
    posterior: Vec<(Vec<u64>, f64)>,
}

impl Case {
    fn new(name: &str, prior: &[f64], n: u64, epsilon: &str, released: &[u64]) -> Self {
        let mechanism = mechanism(name, &setting(prior, n, epsilon));
        let evidence = evidence(&*mechanism, released);
        let ln_weight = |counts: &Vec<u64>| -> f64 {
            let parts = prior.iter().zip(counts).zip(evidence.factors());
            parts
                .map(|((alpha, &c), factor)| {
                    ln_gamma(alpha + c as f64) - ln_gamma(c as f64 + 1.0) + factor.ln(c)
                })
                .sum()
        };
        let all = all_counts(prior.len(), n);
        let logs: Vec<f64> = all.iter().map(ln_weight).collect();
        let largest = logs.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let total: f64 = logs.iter().map(|ln| (ln - largest).exp()).sum();
        let posterior = all.into_iter().zip(logs).map(|(counts, ln)| (counts, (ln - largest).exp() / total));
        Self {
            what: format!("{name} prior {prior:?} n {n} epsilon {epsilon} released {released:?}"),
            prior: prior.to_vec(),
            aware: NoiseAware::new(mechanism.setting(), &evidence).expect("small"),
            posterior: posterior.collect(),
        }
    }

    /// The law of the counts of a group and of its block, by adding up all count vectors.
    fn pairs(&self, group: &[usize], block: &[usize]) -> Vec<(f64, Beta)> {
        let mut pairs: BTreeMap<(u64, u64), f64> = BTreeMap::new();
        let sum = |cells: &[usize], counts: &[u64]| cells.iter().map(|&cell| counts[cell]).sum::<u64>();
        for (counts, weight) in &self.posterior {
            *pairs.entry((sum(group, counts), sum(block, counts))).or_default() += weight;
        }
        let alpha = |cells: &[usize]| cells.iter().map(|&cell| self.prior[cell]).sum::<f64>();
        let beside: Vec<usize> = block.iter().copied().filter(|cell| !group.contains(cell)).collect();
        let beta = |(a, t): (u64, u64)| {
            let parameters = vec![alpha(group) + a as f64, alpha(&beside) + (t - a) as f64];
            Dirichlet::new(parameters).expect("positive").marginal(0).expect("there")
        };
        pairs.into_iter().map(|(pair, weight)| (weight, beta(pair))).collect()
    }

    /// Compares the mean and the ends of intervals with those of the sum over all count vectors.
    fn check(&self, share: &Share, group: &[usize], block: &[usize]) {
        let what = format!("{}: {group:?} within {block:?}", self.what);
        assert!(share.error_up() < 1e-11, "{what}: error {}", share.error_up());
        if group.len() == block.len() {
            assert!(share.is_one() && share.interval(0.95) == Ok((1.0, 1.0)), "{what}");
            return;
        }
        let pairs = self.pairs(group, block);
        let mean: f64 = pairs.iter().map(|(weight, beta)| weight * beta.a() / (beta.a() + beta.b())).sum();
        assert!((share.mean() - mean).abs() < 1e-11, "{what}: mean {} {mean}", share.mean());
        let cdf = |x: f64| pairs.iter().map(|(weight, beta)| weight * beta.cdf(x)).sum::<f64>();
        for level in [0.5, 0.95] {
            let (low, high) = share.interval(level).expect("a level");
            for (end, p) in [(low, 0.5 - 0.5 * level), (high, 0.5 + 0.5 * level)] {
                let expected = bisect(|x| cdf(x) - p);
                assert!((end - expected).abs() < 1e-9, "{what}: level {level}: {end} {expected}");
            }
        }
    }
}

fn evidence(mechanism: &dyn Mechanism, released: &[u64]) -> Evidence {
    mechanism.likelihood().expect("known noise").evidence(&Released::new(released.to_vec()))
}

/// The zero of an increasing function between 0 and 1.
fn bisect(f: impl Fn(f64) -> f64) -> f64 {
    let (mut low, mut high) = (0.0, 1.0);
    for _ in 0..50 {
        let middle = 0.5 * (low + high);
        if f(middle) < 0.0 { low = middle } else { high = middle }
    }
    0.5 * (low + high)
}

/// A number below `bound`.
fn below(bound: u64, bits: &mut SeededBits) -> u64 {
    bits.next_u64().expect("seeded") % bound
}

/// Cells in random blocks and groups, some of them in no block.
fn random_grouping(cells: usize, bits: &mut SeededBits) -> Grouping {
    let mut blocks: Vec<[Vec<usize>; 3]> = vec![Default::default(); 2];
    for cell in 0..cells {
        let (block, group) = (below(3, bits) as usize, below(3, bits) as usize);
        if let Some(block) = blocks.get_mut(block) {
            block[group].push(cell);
        }
    }
    let block = |[first, second, others]: [Vec<usize>; 3]| {
        Block::new([first, second].into_iter().filter(|group| !group.is_empty()).collect(), others)
    };
    let blocks = blocks.into_iter().map(block).filter(|block| !block.asked().is_empty());
    Grouping::new(cells, blocks.collect()).expect("disjoint")
}

/// The marginals of one column of a table, and the conditionals of one column given another.
fn of_columns(sizes: &[usize], of: usize, given: Option<usize>) -> Grouping {
    let cells: usize = sizes.iter().product();
    let index =
        |cell: usize, column: usize| cell / sizes[column + 1..].iter().product::<usize>() % sizes[column];
    let block = |condition: &dyn Fn(usize) -> bool| {
        let group = |value: usize| (0..cells).filter(|&c| condition(c) && index(c, of) == value).collect();
        Block::new((0..sizes[of]).map(group).collect(), Vec::new())
    };
    let blocks = match given {
        None => vec![block(&|_| true)],
        Some(given) => (0..sizes[given]).map(|value| block(&|cell| index(cell, given) == value)).collect(),
    };
    Grouping::new(cells, blocks).expect("disjoint")
}

fn check(case: &Case, grouping: &Grouping) {
    let shares = Shares::new(&case.aware, grouping);
    for (b, block) in grouping.blocks().iter().enumerate() {
        let cells: Vec<usize> = block.asked().iter().flatten().chain(block.others()).copied().collect();
        for (g, group) in block.asked().iter().enumerate() {
            case.check(&shares.share(b, g).expect("few pairs"), group, &cells);
        }
    }
}

const TABLES: [&[usize]; 3] = [&[2, 2], &[2, 3], &[2, 2, 2]];
const NAMES: [&str; 5] = ["lattice", "geometric", "lshist", "lsdim(consistent)", "geometric(consistent)"];

/// If this fails, a marginal or a conditional is not what Bayes' rule gives, for some table, prior and release.
#[test]
fn shares_are_sums_over_all_count_vectors() {
    let mut bits = SeededBits::new(18);
    for sizes in TABLES {
        let cells: usize = sizes.iter().product();
        for round in 0..10 {
            // Priors from 0.1 to 10, budgets from 0.1 to 8; releases with zeros, with n, and with any sum.
            let prior: Vec<f64> =
                (0..cells).map(|_| 0.1 * 100_f64.powf(below(1_001, &mut bits) as f64 / 1_000.0)).collect();
            let n = if cells < 8 { 1 + below(12, &mut bits) } else { 1 + below(8, &mut bits) };
            let epsilon = ["0.1", "0.5", "1", "3", "8"][below(5, &mut bits) as usize];
            let released: Vec<u64> =
                (0..cells).map(|_| [0, n, below(n + 1, &mut bits)][below(3, &mut bits) as usize]).collect();
            let case = Case::new(NAMES[round % NAMES.len()], &prior, n, epsilon, &released);
            for of in 0..sizes.len() {
                check(&case, &of_columns(sizes, of, None));
                for given in (0..sizes.len()).filter(|&given| given != of) {
                    check(&case, &of_columns(sizes, of, Some(given)));
                }
            }
            for _ in 0..4 {
                check(&case, &random_grouping(cells, &mut bits));
            }
        }
    }
}

/// The sizes and priors at the ends of what is promised, with all parameters equal: n = 12 in eight cells.
#[test]
fn shares_at_the_largest_small_size() {
    for (alpha, epsilon) in [(0.1, "1"), (10.0, "0.2")] {
        for name in ["lattice", "geometric", "lshist"] {
            let case = Case::new(name, &[alpha; 8], 12, epsilon, &[5, 0, 0, 3, 0, 4, 0, 0]);
            check(&case, &of_columns(&[2, 2, 2], 0, Some(2)));
            check(&case, &of_columns(&[2, 2, 2], 1, None));
        }
    }
}

/// The likelihood of an exponential mechanism is no product over the cells. Shares and draws come from the list of data
/// sets.
#[test]
fn shares_of_listed_data_sets_are_sums_over_them() {
    for (name, sizes, n, prior) in [
        ("ehds", [2, 2], 6, vec![1.0, 0.5, 3.0, 0.1]),
        ("mh", [2, 2], 5, vec![1.0; 4]),
        ("ehd", [2, 3], 4, vec![0.7; 6]),
    ] {
        let mechanism = mechanism(name, &setting(&prior, n, "2"));
        let data_sets = all_counts(prior.len(), n);
        let place = data_sets.len() / 3;
        let weight = |counts: &Vec<u64>| {
            let law = mechanism.ln_probabilities(&Counts::new(counts.clone()).expect("valid")).expect("fits");
            let parts = prior.iter().zip(counts);
            let ln: f64 = parts.map(|(a, &c)| ln_gamma(a + c as f64) - ln_gamma(c as f64 + 1.0)).sum();
            (ln + law[place]).exp()
        };
        let weights: Vec<f64> = data_sets.iter().map(weight).collect();
        let total: f64 = weights.iter().sum();
        let released = Released::new(data_sets[place].clone());
        let case = Case {
            what: format!("{name} prior {prior:?} n {n}"),
            aware: posterity_core::decode::noise_aware(&*mechanism, &released).expect("small"),
            posterior: data_sets.into_iter().zip(weights).map(|(c, weight)| (c, weight / total)).collect(),
            prior,
        };
        let grouping = of_columns(&sizes, 0, Some(1));
        for grouping in [&grouping, &of_columns(&sizes, 1, None)] {
            check(&case, grouping);
        }
        let number = 20_000;
        let drawn = Draws::new(&case.aware, &grouping).map(number, 3, |draw| draw.expected[1][0]);
        let share = Shares::new(&case.aware, &grouping).share(1, 0).expect("few pairs");
        let mean = drawn.iter().sum::<f64>() / number as f64;
        let allowed = 5.0 * (share.variance() / number as f64).sqrt();
        assert!((mean - share.mean()).abs() < allowed, "{}: {mean} {}", case.what, share.mean());
    }
}

/// Likelihoods come from the mechanism's law itself, for every outcome, so that nothing rests on the factors alone.
#[test]
fn conditionals_are_bayes_rule_with_the_exact_law() {
    for name in ["lattice", "geometric", "lshist", "geometric(consistent)"] {
        for prior in [[0.1; 4], [1.0, 0.5, 3.0, 10.0]] {
            let n = 3;
            let mechanism = mechanism(name, &setting(&prior, n, "0.7"));
            let data_sets = all_counts(4, n);
            let law = |counts: &Vec<u64>| {
                mechanism.ln_probabilities(&Counts::new(counts.clone()).expect("valid")).expect("fits")
            };
            let laws: Vec<Vec<f64>> = data_sets.iter().map(law).collect();
            let mut index = 0;
            mechanism.space().for_each(4, n, |released| {
                let mut case = Case::new(name, &prior, n, "0.7", released);
                let prior_weight = |counts: &[u64]| -> f64 {
                    let parts = prior.iter().zip(counts);
                    parts.map(|(a, &c)| ln_gamma(a + c as f64) - ln_gamma(c as f64 + 1.0)).sum::<f64>().exp()
                };
                let weights: Vec<f64> = data_sets
                    .iter()
                    .zip(&laws)
                    .map(|(counts, law)| prior_weight(counts) * law[index].exp())
                    .collect();
                index += 1;
                let total: f64 = weights.iter().sum();
                if total > 1e-280 && index % 3 == 0 {
                    let weights = weights.iter().map(|weight| weight / total);
                    case.posterior = data_sets.iter().cloned().zip(weights).collect();
                    check(&case, &of_columns(&[2, 2], 1, Some(0)));
                }
            });
        }
    }
}

/// A table with windows and Fourier transforms against one without: the conditional of two of many cells does not
/// depend on how the other cells are grouped.
#[test]
fn large_tables_do_not_depend_on_the_rest() {
    let (k, n) = (24, 4_526);
    let released: Vec<u64> = (0..k).map(|i| if i % 5 == 0 { 0 } else { 12 * i }).collect();
    let mechanism = mechanism("lattice", &setting(&vec![1.0; k as usize], n, "1"));
    let aware = NoiseAware::new(mechanism.setting(), &evidence(&*mechanism, &released)).expect("fits");
    let two = |yes: usize, no: usize| Block::new(vec![vec![yes]], vec![no]);
    let alone = Shares::new(&aware, &Grouping::new(24, vec![two(3, 4)]).expect("valid"));
    let among = Shares::new(
        &aware,
        &Grouping::new(24, (0..12).map(|i| two(2 * i + 1, (2 * i + 2) % 24)).collect()).expect("valid"),
    );
    let (one, other) = (alone.share(0, 0).expect("few"), among.share(1, 0).expect("few"));
    assert!(one.error_up() < 1e-9 && other.error_up() < 1e-9, "{} {}", one.error_up(), other.error_up());
    assert!((one.mean() - other.mean()).abs() < 1e-10);
    let (a, b) = (one.interval(0.95).expect("level"), other.interval(0.95).expect("level"));
    assert!((a.0 - b.0).abs() < 1e-9 && (a.1 - b.1).abs() < 1e-9, "{a:?} {b:?}");
    for p in [0.01, 0.4, 0.9] {
        assert!((one.cdf(one.quantile(p)) / p - 1.0).abs() < 1e-8);
    }
    // The whole table as the block is the marginal of single cells.
    let whole = Block::new((0..24).map(|cell| vec![cell]).collect(), Vec::new());
    let whole = Shares::new(&aware, &Grouping::new(24, vec![whole]).expect("valid"));
    let intervals = aware.intervals(0.95).expect("level");
    for (cell, [low, high]) in intervals.into_iter().enumerate() {
        let found = whole.share(0, cell).expect("few").interval(0.95).expect("level");
        assert!((found.0 - low).abs() < 1e-10 && (found.1 - high).abs() < 1e-10);
    }
}

/// Draws of shares fall below exact quantiles as often as they should. If this fails, counts or shares are drawn from
/// another law.
#[test]
fn draws_follow_the_exact_laws() {
    let released = [9, 0, 4, 12, 3, 0];
    let mechanism = mechanism("lattice", &setting(&[0.5, 1.0, 0.1, 2.0, 1.0, 1.0], 25, "0.5"));
    let aware = NoiseAware::new(mechanism.setting(), &evidence(&*mechanism, &released)).expect("fits");
    let grouping = Grouping::new(
        6,
        vec![Block::new(vec![vec![0], vec![1]], vec![2]), Block::new(vec![vec![3]], vec![4])],
    )
    .expect("valid");
    let shares = Shares::new(&aware, &grouping);
    let (draws, seed) = (20_000, 5);
    let all = Draws::new(&aware, &grouping).map(draws, seed, Clone::clone);
    assert_eq!(all.len(), draws as usize);
    // Three shares with three quantiles: nine tests.
    let false_alarm = 1e-6;
    println!("draws {draws}, seed {seed}, false-alarm rate {false_alarm} for each of 9 tests");
    for (block, group) in [(0, 0), (0, 1), (1, 0)] {
        let share = shares.share(block, group).expect("few");
        for p in [0.1, 0.5, 0.9] {
            let x = share.quantile(p);
            let below = all.iter().filter(|draw| draw.shares[block][group] <= x).count() as u64;
            let Interval { low, high } = critical_interval(draws, p, false_alarm);
            assert!((low..=high).contains(&below), "block {block} group {group} p {p}: {below} of {draws}");
        }
        let mean = all.iter().map(|draw| draw.expected[block][group]).sum::<f64>() / draws as f64;
        assert!((mean - share.mean()).abs() < 6.0 * (share.variance() / draws as f64).sqrt());
    }
}
