//! Advice for tables against sums over all releases, and against actual releases.

use posterity_advice::design::{
    DesignName, Division, ExpectedReading, Table, advise_table, least_table_epsilon,
};
use posterity_core::decode::noise_aware;
use posterity_core::mechanism::{Lattice, Mechanism, Spec};
use posterity_core::model::{Counts, Prior, Released, Setting};
use posterity_core::sampler::SeededBits;
use posterity_core::table::{Block, Grouping, Shares};

fn table(columns: &str, readings: &[&str], n: u64) -> Table {
    let readings = readings.iter().map(|text| text.parse().expect("a reading")).collect();
    Table::new(columns.parse().expect("columns"), readings, n).expect("valid")
}

fn lattice(prior: &[f64], n: u64, epsilon: &str) -> Box<dyn Mechanism> {
    let prior = Prior::new(prior.to_vec()).expect("valid");
    let setting = Setting::new(prior, n, epsilon.parse().expect("positive")).expect("valid");
    Spec::from(Lattice).fit(setting).expect("fits")
}

/// The half-widths of all rows of blocks of cells after a release.
fn half_widths(mechanism: &dyn Mechanism, released: &Released, blocks: &[Block], level: f64) -> Vec<f64> {
    let aware = noise_aware(mechanism, released).expect("modelled");
    let cells = aware.marginals().len();
    let shares = Shares::new(&aware, &Grouping::new(cells, blocks.to_vec()).expect("disjoint"));
    let rows = shares.summaries(level, false).expect("a level").into_iter().flatten();
    rows.map(|row| row.expect("few pairs").interval).map(|[low, high]| 0.5 * (high - low)).collect()
}

/// The mean over all releases, each with its probability, of the mean half-width of the rows.
fn over_all_releases(mechanism: &dyn Mechanism, counts: &[u64], blocks: &[Block]) -> f64 {
    let counts = Counts::new(counts.to_vec()).expect("valid");
    let law = mechanism.law(&counts, 10_000_000).expect("small");
    let one = |outcome: posterity_core::mechanism::Outcome<'_>| {
        let widths = half_widths(mechanism, &Released::new(outcome.counts.to_vec()), blocks, 0.95);
        outcome.probability * widths.iter().sum::<f64>() / widths.len() as f64
    };
    law.outcomes().filter(|outcome| outcome.probability > 1e-12).map(one).sum()
}

/// The same over actual releases, with its standard error.
fn over_draws(
    mechanism: &dyn Mechanism,
    counts: &[u64],
    blocks: &[Block],
    runs: usize,
    seed: u64,
) -> (f64, f64) {
    let counts = Counts::new(counts.to_vec()).expect("valid");
    let drawn = mechanism.release_many(&counts, runs, &mut SeededBits::new(seed)).expect("bits");
    let one = |released: &Released| {
        let widths = half_widths(mechanism, released, blocks, 0.95);
        widths.iter().sum::<f64>() / widths.len() as f64
    };
    let means: Vec<f64> = drawn.iter().map(one).collect();
    let mean = means.iter().sum::<f64>() / runs as f64;
    let squares: f64 = means.iter().map(|one| (one - mean) * (one - mean)).sum();
    (mean, (squares / (runs * (runs - 1)) as f64).sqrt())
}

fn groups(groups: &[&[usize]]) -> Block {
    Block::new(groups.iter().map(|group| group.to_vec()).collect(), Vec::new())
}

/// The blocks of cells of a 2x2 table: the shares of a, and those of b within each value of a.
fn two_by_two() -> [Vec<Block>; 2] {
    [vec![groups(&[&[0, 1], &[2, 3]])], vec![groups(&[&[0], &[1]]), groups(&[&[2], &[3]])]]
}

/// If this fails, what is expected of a table is not what its releases have on average.
#[test]
fn tiny_tables_agree_with_all_releases() {
    let [of_a, of_b] = two_by_two();
    for (n, prior, epsilon) in [(6, 1.0, "1"), (5, 0.5, "2"), (4, 2.0, "0.3")] {
        let table = table("2,2", &["a", "b | a"], n).with_prior(prior).expect("valid");
        let advice = advise_table(&table, &epsilon.parse().expect("positive"), &|_| ()).expect("advice");
        assert_eq!(advice.seed, None, "all releases were listed");
        let joint = advice.designs.iter().find(|one| one.name == DesignName::Joint).expect("compared");
        let mut counts = vec![n / 4; 4];
        counts.iter_mut().take(n as usize % 4).for_each(|count| *count += 1);
        let mechanism = lattice(&[prior; 4], n, epsilon);
        for (reading, blocks) in joint.readings.iter().zip([&of_a, &of_b]) {
            let expected = over_all_releases(&*mechanism, &counts, blocks);
            assert!((reading.half_width - expected).abs() < 1e-6, "{n} {reading:?} {expected}");
        }
        // The marginal of a by itself: two cells with the sums of the prior and of the counts.
        let equal = advice.designs.iter().find(|one| one.division == Division::Equal).expect("two sets");
        let half = format!("{}", 0.5 * epsilon.parse::<f64>().expect("a number"));
        let alone = lattice(&[2.0 * prior; 2], n, &half);
        let expected = over_all_releases(
            &*alone,
            &[counts[0] + counts[1], counts[2] + counts[3]],
            &[groups(&[&[0], &[1]])],
        );
        let found: &ExpectedReading = &equal.readings[0];
        assert!((found.half_width - expected).abs() < 1e-6, "{n} {found:?} {expected}");
    }
}

/// Against releases that the mechanism draws itself: 40 releases, five standard errors of both means, so that a false
/// alarm has a probability below 2e-5 for each of the three comparisons.
#[test]
fn larger_tables_agree_with_actual_releases() {
    let (n, epsilon) = (600, "0.4");
    let table = table("2,3", &["a", "a | b"], n);
    assert_eq!(table.prior(), 1.0);
    let advice = advise_table(&table, &epsilon.parse().expect("positive"), &|_| ()).expect("advice");
    let joint = advice.designs.iter().find(|one| one.name == DesignName::Joint).expect("compared");
    let mechanism = lattice(&[1.0; 6], n, epsilon);
    let marginal = vec![groups(&[&[0, 1, 2], &[3, 4, 5]])];
    let conditional = (0..3).map(|b| groups(&[&[b], &[b + 3]])).collect::<Vec<_>>();
    for (reading, blocks) in joint.readings.iter().zip([marginal, conditional]) {
        let (mean, error) = over_draws(&*mechanism, &[100; 6], &blocks, 40, 77);
        let doubt = 5.0 * error.hypot(reading.standard_error);
        assert!((reading.half_width - mean).abs() < doubt, "{reading:?} {mean} {error}");
        assert!(reading.half_width > reading.without_privacy);
    }
    let equal = advice.designs.iter().find(|one| one.division == Division::Equal).expect("two sets");
    let alone = lattice(&[3.0; 2], n, "0.2");
    let (mean, error) = over_draws(&*alone, &[300; 2], &[groups(&[&[0], &[1]])], 40, 78);
    let found = &equal.readings[0];
    let doubt = 5.0 * error.hypot(found.standard_error) + 1e-7;
    assert!((found.half_width - mean).abs() < doubt, "{found:?} {mean} {error}");
}

/// Larger units against records, at a size where both are quick. If this fails, small budgets get wrong advice.
#[test]
fn larger_units_agree_with_actual_releases() {
    let (n, epsilon) = (1_000, "0.02");
    let table = table("2,2", &["a | b", "a"], n);
    let advice = advise_table(&table, &epsilon.parse().expect("positive"), &|_| ()).expect("advice");
    let joint = advice.designs.iter().find(|one| one.name == DesignName::Joint).expect("compared");
    assert_eq!(joint.method, posterity_advice::design::Method::SimulatedInUnits);
    let mechanism = lattice(&[1.0; 4], n, epsilon);
    let conditional = (0..2).map(|b| groups(&[&[b], &[b + 2]])).collect::<Vec<_>>();
    let marginal = vec![groups(&[&[0, 1], &[2, 3]])];
    for (reading, blocks) in joint.readings.iter().zip([conditional, marginal]) {
        let (mean, error) = over_draws(&*mechanism, &[250; 4], &blocks, 8, 79);
        let doubt = 5.0 * error.hypot(reading.standard_error) + 0.01 * mean;
        assert!((reading.half_width - mean).abs() < doubt, "{reading:?} {mean} {error}");
    }
}

/// Berkeley admissions: what is read of all three columns needs the joint release, and the marginal comes with it.
#[test]
fn few_cells_are_best_released_together() {
    let table = table("2,2,6", &["a", "a | b, c"], 4_526);
    let advice = advise_table(&table, &"1".parse().expect("1"), &|_| ()).expect("advice");
    assert_eq!(advice.designs[0].name, DesignName::Joint, "{advice:?}");
    assert!(advice.recommendation.starts_with("Make one joint release of a, b, c."), "{advice:?}");
    for design in &advice.designs {
        let spent: f64 = design.releases.iter().map(|release| release.epsilon).sum();
        assert!((spent - 1.0).abs() < 1e-9, "{design:?}");
        assert!(design.readings.iter().all(|one| one.half_width > 0.999 * one.without_privacy), "{design:?}");
    }
}

/// The noise of a marginal grows with the root of the number of cells that it adds up: many columns are better released
/// alone.
#[test]
fn marginals_of_many_cells_are_best_released_separately() {
    let advice =
        advise_table(&table("4,4,4,4,4", &[], 2_000), &"1".parse().expect("1"), &|_| ()).expect("advice");
    assert_eq!((advice.designs[0].name, advice.designs[0].releases.len()), (DesignName::Separate, 5));
    let joint = advice.designs.iter().find(|one| one.name == DesignName::Joint).expect("compared");
    assert!(joint.times > 1.2 * advice.designs[0].times, "{advice:?}");
    // A joint table of a million million cells is not compared, and the advice says so.
    let many = table(&vec!["4"; 20].join(","), &[], 2_000);
    let advice = advise_table(&many, &"1".parse().expect("1"), &|_| ()).expect("advice");
    assert!(advice.left_out[0].contains("is not compared"), "{advice:?}");
    assert_eq!(advice.designs[0].releases.len(), 20);
}

/// The best shares against a grid of them, by the same forecasts.
#[test]
fn the_best_shares_are_those_of_a_grid() {
    let table = table("2,2,3", &["a", "b | c"], 300);
    let advice = advise_table(&table, &"0.5".parse().expect("0.5"), &|_| ()).expect("advice");
    let best = advice.designs.iter().find(|one| one.division == Division::Best).expect("two sets");
    let equal = advice.designs.iter().find(|one| one.division == Division::Equal).expect("two sets");
    assert!(best.times < equal.times && best.releases[1].epsilon > best.releases[0].epsilon, "{best:?}");
    // Each set alone, as the only one of a table, at shares of the budget.
    let alone = |columns: &str, reading: &str, prior: f64, epsilon: f64| {
        let table = self::table(columns, &[reading], 300).with_prior(prior).expect("valid");
        let epsilon = epsilon.to_string().parse().expect("positive");
        advise_table(&table, &epsilon, &|_| ()).expect("advice").designs[0].times
    };
    let least = (2..=18).step_by(2).map(|step| {
        let share = f64::from(step) / 20.0 * 0.5;
        0.5 * (alone("2", "a", 6.0, share) + alone("b=2,c=3", "b | c", 2.0, 0.5 - share))
    });
    let least = least.fold(f64::INFINITY, f64::min);
    assert!(best.times < 1.01 * least, "{} {least}", best.times);
}

/// The least epsilon against a search over all epsilons of three digits, over all releases of a tiny table.
#[test]
fn the_least_epsilon_of_a_tiny_table_is_that_of_a_search() {
    let [of_a, of_b] = two_by_two();
    let n = 6;
    for (readings, blocks) in [(&["a"][..], vec![&of_a]), (&["a", "b | a"], vec![&of_a, &of_b])] {
        let table = table("a=2,b=2", readings, n).with_prior(1.0).expect("valid");
        let at = |epsilon: f64| {
            let mechanism = lattice(&[1.0; 4], n, &epsilon.to_string());
            // Without noise rows are equally wide if their counts are. Of b within a = 2 they are 1 and 1, within a = 1
            // 2 and 2.
            let classes = |blocks: &Vec<Block>| -> f64 {
                let each = |block: &Block| {
                    over_all_releases(&*mechanism, &[2, 2, 1, 1], std::slice::from_ref(block))
                };
                blocks.iter().map(each).fold(0.0, f64::max)
            };
            blocks.iter().map(|blocks| classes(blocks)).fold(0.0, f64::max)
        };
        let wanted = at(1.7);
        let found = least_table_epsilon(&table, wanted, false, &|_| ()).expect("found");
        let joint = found.designs.iter().find(|one| one.name == DesignName::Joint).expect("compared");
        let epsilon = joint.releases[0].epsilon;
        assert!((epsilon / 1.7 - 1.0).abs() < 0.01, "{readings:?}: {epsilon}");
        assert!(found.epsilon.is_some_and(|least| least <= epsilon), "{found:?}");
    }
}

/// The least epsilon of a larger table against a grid of epsilons with other random numbers.
#[test]
fn the_least_epsilon_of_a_larger_table_is_that_of_a_search() {
    let n = 1_200;
    let conditional = (0..3).map(|b| groups(&[&[b], &[b + 3]])).collect::<Vec<_>>();
    let found = least_table_epsilon(&table("2,3", &["a | b"], n), 0.06, true, &|_| ()).expect("found");
    let epsilon = found.epsilon.expect("enough records");
    let at = |epsilon: f64, seed: u64| {
        let mechanism = lattice(&[1.0; 6], n, &epsilon.to_string());
        over_draws(&*mechanism, &[200; 6], &conditional, 16, seed).0
    };
    // One per cent below and above.
    assert!(at(0.99 * epsilon, 5) > 0.06 && at(1.01 * epsilon, 6) < 0.06, "{epsilon}");
    let curve = &found.curves[0];
    assert!(curve.windows(2).all(|pair| pair[0][1] > pair[1][1]), "{curve:?}");
}

/// What cannot be reached is said, and how many records it would take.
#[test]
fn too_few_records_are_said() {
    let found =
        least_table_epsilon(&table("2,2,6", &["a | b, c"], 500), 0.05, false, &|_| ()).expect("an answer");
    assert_eq!((found.epsilon, found.designs.len()), (None, 0));
    let records = found.records.expect("a number");
    assert!((4_000..5_200).contains(&records), "{records}");
    assert!(found.recommendation.starts_with("No epsilon"), "{found:?}");
    // A prior that knows the answer needs no release.
    let strong = table("2,2", &[], 10).with_prior(1e6).expect("valid");
    let found = least_table_epsilon(&strong, 0.05, false, &|_| ()).expect("an answer");
    assert!(found.epsilon.is_none() && found.recommendation.starts_with("No release is needed"), "{found:?}");
}

#[test]
fn rejects() {
    use posterity_advice::design::DesignError;
    let two = table("2,2", &["mean(a)"], 10);
    for value in [0.0, 0.5, -1.0, f64::NAN] {
        let refused = least_table_epsilon(&table("2,2", &[], 10), value, false, &|_| ());
        assert!(matches!(refused, Err(DesignError::HalfWidth { .. })), "{refused:?}");
    }
    let refused = least_table_epsilon(&two, 0.1, false, &|_| ());
    assert_eq!(refused, Err(DesignError::Mean { reading: "mean(a)".into() }));
}
