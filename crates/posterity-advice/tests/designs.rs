//! Advice for tables, against releases that the mechanism draws itself.

use std::sync::Arc;

use posterity::table::{IntervalKind, Law, Space, Ways};
use posterity::{Reader, Reading};
use posterity_advice::design::{
    Columns, DesignName, Division, ExpectedReading, Table, advise_table, expected_readings,
    least_table_epsilon,
};
use posterity_core::confidence::{Subject, Sums, Within};
use posterity_core::mechanism::Spec;
use posterity_core::model::{Counts, Prior, Setting};
use posterity_core::sampler::SeededBits;
use posterity_core::table::Grouping;

fn table(columns: &str, readings: &[&str], n: u64) -> Table {
    let readings = readings.iter().map(|text| text.parse().expect("a reading")).collect();
    Table::new(columns.parse().expect("columns"), readings, n).expect("valid")
}

/// Releases of made-up data, and what their confidence intervals really are.
struct Real<'a> {
    columns: &'a str,
    counts: &'a [u64],
    epsilon: f64,
    mechanism: &'a str,
}

impl Real<'_> {
    /// The mean half-width of each row of a reading, with its standard error.
    fn half_widths(&self, reading: &str, runs: usize, seed: u64) -> Vec<(f64, f64)> {
        let columns: Columns = self.columns.parse().expect("columns");
        let space = Space::new(columns.as_slice().to_vec());
        let reading: Reading = reading.parse().expect("a reading");
        let counts = Counts::new(self.counts.to_vec()).expect("valid");
        let prior = Prior::uniform(counts.len()).expect("valid");
        let epsilon = self.epsilon.to_string().parse().expect("positive");
        let setting = Setting::new(prior.clone(), counts.total(), epsilon).expect("valid");
        let mechanism = self.mechanism.parse::<Spec>().expect("a mechanism").fit(setting).expect("fits");
        let additive = || mechanism.additive().expect("noise that adds up");
        let drawn = mechanism.draw_many(&counts, runs, &mut SeededBits::new(seed)).expect("bits");
        // What was drawn of a lattice always sums to n, so that the laws of the noise are the same in all releases.
        let of_all = Arc::new(Sums::new(drawn[0].as_slice().to_vec(), counts.total(), additive()));
        let mut sums = Vec::new();
        for (index, one) in drawn.iter().enumerate() {
            let own = Arc::new(Sums::new(one.as_slice().to_vec(), counts.total(), additive()));
            let laws = if self.mechanism == "lattice" { &of_all } else { &own };
            let intervals = intervals(&own, laws, &reading.grouping(&space).expect("fits"));
            if index == 0 {
                let law = Law::Plain(prior.distribution().clone());
                let reader =
                    Reader::new(space.clone(), law, Ways::new(0.95).expect("a level")).expect("fits");
                let rows: Vec<usize> = (0..intervals.len()).collect();
                let read = reader.with_sums(own, false).intervals_of(&reading, &rows);
                assert_eq!(read.as_ref(), Ok(&intervals), "the reader");
                sums = vec![(0.0, 0.0); rows.len()];
            }
            for (sum, [low, high]) in sums.iter_mut().zip(intervals) {
                let half = 0.5 * (high - low);
                *sum = (sum.0 + half, sum.1 + half * half);
            }
        }
        let runs = runs as f64;
        let mean_and_error = |(sum, squares): &(f64, f64)| {
            let mean = sum / runs;
            (mean, ((squares / runs - mean * mean).max(0.0) / (runs - 1.0)).sqrt())
        };
        sums.iter().map(mean_and_error).collect()
    }

    /// The row with the largest mean half-width.
    fn widest(&self, reading: &str, runs: usize, seed: u64) -> (f64, f64) {
        let all = self.half_widths(reading, runs, seed);
        all.into_iter().max_by(|a, b| a.0.total_cmp(&b.0)).expect("rows")
    }
}

/// The confidence interval of each row, with laws of the noise that were computed before.
fn intervals(drawn: &Sums, laws: &Sums, grouping: &Grouping) -> Vec<[f64; 2]> {
    let mut found = Vec::new();
    for block in grouping.blocks() {
        for group in block.asked() {
            let beside = block.asked().iter().filter(|other| *other != group).flatten().chain(block.others());
            let others: Vec<usize> = beside.copied().collect();
            let within = Within { group: drawn.group(group), others: drawn.group(&others) };
            let interval = if grouping.blocks().len() == 1 && grouping.rest().is_empty() {
                laws.share(within.group, Subject::Population, 0.95)
            } else {
                laws.conditional(within, Subject::Population, 0.95)
            };
            found.push(interval.ends);
        }
    }
    found
}

/// How far a forecast may be from the expectation, relative to it, besides the standard error of the simulation: a few
/// numbers stand for the noise.
const TYPICAL: f64 = 0.01;

/// Four standard errors of the releases, so that a false alarm has a probability below 1e-4 for each comparison.
fn agrees(forecast: f64, (mean, error): (f64, f64), what: &str) {
    println!("{what}: forecast {forecast}, releases {mean}, standard error {error}");
    assert!((forecast - mean).abs() < 4.0 * error + TYPICAL * mean, "{what}: {forecast} {mean} {error}");
}

/// If this fails, what is expected of a table is not what its releases have on average.
#[test]
fn forecasts_agree_with_actual_releases() {
    let cases: [(&str, &str, &[u64], &str); 8] = [
        ("2,3", "0.4", &[100; 6], "a | b"),
        ("2,3", "0.4", &[100; 6], "a"),
        ("2,3", "0.05", &[100; 6], "a | b"),
        ("2,3", "0.05", &[100; 6], "b"),
        ("2,3", "0.01", &[100; 6], "a | b"),
        ("2,2", "2", &[2, 2, 2, 2], "a | b"),
        ("2,2", "0.5", &[3; 4], "a, b"),
        ("3,4", "0.1", &[2_500; 12], "a | b"),
    ];
    for (columns, epsilon, counts, reading) in cases {
        let n = counts.iter().sum();
        let advice =
            advise_table(&table(columns, &[reading], n), &epsilon.parse().expect("positive"), &|_| ());
        let advice = advice.expect("advice");
        assert_eq!(advice.seed, None);
        let joint = advice.designs.iter().find(|one| one.name == DesignName::Joint).expect("compared");
        let found: &ExpectedReading = &joint.readings[0];
        assert_eq!(found.interval, IntervalKind::Confidence);
        let real =
            Real { columns, counts, epsilon: epsilon.parse().expect("a number"), mechanism: "lattice" };
        let all = real.half_widths(reading, 60, 77);
        let rows = all.len() as f64;
        let mean = all.iter().map(|one| one.0).sum::<f64>() / rows;
        let error = all.iter().map(|one| one.1).sum::<f64>() / rows;
        agrees(found.half_width, (mean, error), &format!("{columns} {reading} {epsilon}"));
    }
}

/// Mechanisms that leave a cell without noise, or whose noise has a mean.
#[test]
fn forecasts_of_other_mechanisms_agree_with_actual_releases() {
    let columns: Columns = "2,3".parse().expect("columns");
    let space = Space::new(columns.as_slice().to_vec());
    let counts = [40; 6];
    for mechanism in ["geometric", "lshist", "lsdim", "lszhang"] {
        let terms = posterity::Terms {
            spec: mechanism.parse().expect("known"),
            ..posterity::Terms::new("0.3".parse().expect("positive"))
        };
        let readings = ["a | b", "b"];
        let parsed: Vec<Reading> = readings.iter().map(|text| text.parse().expect("a reading")).collect();
        let found = expected_readings(&space, &parsed, &terms, (240, &[]), &|_| ()).expect("a forecast");
        for (reading, found) in readings.iter().zip(found) {
            let real = Real { columns: "2,3", counts: &counts, epsilon: 0.3, mechanism };
            agrees(found.widest, real.widest(reading, 24, 78), &format!("{mechanism} {reading}"));
        }
    }
}

/// If this fails, somebody spends less than the intervals that they need would take, or more.
#[test]
fn an_advised_epsilon_gives_the_half_width_that_was_asked_for() {
    let sizes = [5_000, 2_400, 1_600, 1_000];
    for (shape, sizes) in [(None, [2_500; 4]), (Some("ward=50,24,16,10"), sizes)] {
        let counts: Vec<u64> = sizes.iter().flat_map(|&size| [size / 2; 2]).collect();
        let mut asked = table("ward=4,cured=2", &["cured | ward"], 10_000);
        if let Some(shape) = shape {
            asked = asked.with_shape(shape.parse().expect("a shape")).expect("fits");
        }
        let wanted = 0.05;
        let found = least_table_epsilon(&asked, wanted, false, &|_| ()).expect("an answer");
        let epsilon = found.epsilon.expect("enough records");
        let expected = found.designs[0].readings[0].widest;
        // Epsilon has three digits, which are rounded up.
        assert!(expected <= wanted && expected > 0.99 * wanted, "{expected}");
        let real = Real { columns: "ward=4,cured=2", counts: &counts, epsilon, mechanism: "lattice" };
        // The other value of cured has intervals of the same width.
        let widest = real.widest("cured=1 | ward", 200, 79);
        agrees(expected, widest, &format!("{shape:?} {wanted} epsilon {epsilon}"));
        // Four times the records of the smallest group would halve its interval.
        let smallest = *sizes.iter().min().expect("four") as f64;
        let impossible = 0.9 * 0.98 / smallest.sqrt();
        let found = least_table_epsilon(&asked, impossible, false, &|_| ()).expect("an answer");
        assert_eq!((found.epsilon, found.designs.len()), (None, 0));
        assert!(found.recommendation.starts_with("No epsilon"), "{found:?}");
        assert!(found.reason.starts_with("The data are too few"), "{found:?}");
        assert!(found.without_privacy > impossible && found.records.is_some_and(|records| records > 10_000));
    }
}

/// Intervals of means are simulated, and this is said.
#[test]
fn means_are_simulated() {
    let advice =
        advise_table(&table("3,2", &["mean(a) | b", "b"], 600), &"0.5".parse().expect("0.5"), &|_| ());
    let advice = advice.expect("advice");
    assert!(advice.seed.is_some());
    let readings = &advice.designs[0].readings;
    assert_eq!(
        readings.iter().map(|one| one.interval).collect::<Vec<_>>(),
        [IntervalKind::Confidence, IntervalKind::Confidence]
    );
    assert!(
        readings[0].standard_error > 0.0 && readings[0].half_width > 0.99 * readings[0].without_privacy,
        "{readings:?}"
    );
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
    let alone = |columns: &str, reading: &str, epsilon: f64| {
        let table = self::table(columns, &[reading], 300);
        let epsilon = epsilon.to_string().parse().expect("positive");
        advise_table(&table, &epsilon, &|_| ()).expect("advice").designs[0].times
    };
    let least = (2..=18).step_by(2).map(|step| {
        let share = f64::from(step) / 20.0 * 0.5;
        0.5 * (alone("2", "a", share) + alone("b=2,c=3", "b | c", 0.5 - share))
    });
    let least = least.fold(f64::INFINITY, f64::min);
    assert!(best.times < 1.01 * least, "{} {least}", best.times);
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
