//! Differences of shares in tiny groups, and tests of tables: how often they hold what is true.

use posterity_core::confidence::{ComparedShare, DRAWS, Hypothesis, Scale, Side, Subject, Sums, Within};
use posterity_core::mechanism::Mechanism;
use posterity_core::model::{Counts, Prior, Setting};
use posterity_core::sampler::SeededBits;
use posterity_testkit::fixture::mechanism;
use posterity_testkit::{critical_interval, multinomial};

/// The chance that one of these checks fails although all is well.
const RATE: f64 = 1e-6;

struct Population {
    shares: Vec<f64>,
    n: u64,
    mechanism: Box<dyn Mechanism>,
}

impl Population {
    /// Cells with these shares, and noise with n public, or private for `private`.
    fn new(shares: &[f64], n: u64, name: &str, epsilon: &str) -> Self {
        let prior = Prior::new(vec![1.0; shares.len()]).expect("valid");
        let epsilon = epsilon.parse().expect("positive");
        let (name, setting) = match name {
            "private" => ("geometric", Setting::of_private_n(prior, 1_000_000, epsilon)),
            name => (name, Setting::new(prior, n, epsilon)),
        };
        Self { shares: shares.to_vec(), n, mechanism: mechanism(name, &setting.expect("valid")) }
    }

    fn draw(&self, bits: &mut SeededBits) -> Sums {
        let counts = multinomial(self.n, &self.shares, bits);
        let drawn = self.mechanism.draw(&Counts::new(counts).expect("counts"), bits).expect("seeded");
        let additive = self.mechanism.additive().expect("additive noise");
        Sums::of_setting(drawn.as_slice().to_vec(), self.mechanism.setting(), additive)
    }

    /// How many of so many draws something holds of.
    fn count(&self, draws: u64, seed: u64, holds: impl Fn(&Sums) -> bool) -> u64 {
        let bits = &mut SeededBits::new(seed);
        let found = (0..draws).filter(|_| holds(&self.draw(bits))).count() as u64;
        println!("{found} of {draws}, seed {seed}, false-alarm rate {RATE}");
        found
    }
}

/// The intervals of the difference, the ratio and the odds ratio of the shares of cell 0 among cells 0 and 1, and of cell 2
/// among cells 2 and 3.
fn contrasts(sums: &Sums) -> [[f64; 2]; 3] {
    let share = |first: usize| {
        let within = Within { group: sums.group(&[first]), others: sums.group(&[first + 1]) };
        ComparedShare::new(0.95, |level| Ok::<_, ()>(sums.conditional(within, Subject::Population, level)))
            .expect("an interval")
    };
    let shares = [share(0), share(2)];
    let sides = [
        Side { group: &[0], condition: &[0, 1], share: &shares[0] },
        Side { group: &[2], condition: &[2, 3], share: &shares[1] },
    ];
    [Scale::Difference, Scale::Ratio, Scale::OddsRatio]
        .map(|scale| sums.contrast(sides, Subject::Population, scale).ends)
}

/// If this fails, a group of a few records is compared as if its share were known better than it is.
///
/// With the distances from the ends alone, the first four hold 0.86, 0.70, 0.83 and 0.63 of the differences.
#[test]
fn differences_hold_in_groups_of_a_few_records() {
    let draws = 150;
    let least = critical_interval(draws, 0.95, RATE).low;
    for (name, epsilon, n, few, [one, other]) in [
        ("lattice", "0.5", 50, 1.0, [0.98, 0.98]),
        ("lattice", "0.5", 500, 5.0, [0.1, 0.0]),
        ("lattice", "0.5", 500, 20.0, [0.1, 0.0]),
        ("lattice", "0.1", 500, 1.0, [0.1, 0.0]),
        ("private", "0.5", 500, 5.0, [0.1, 0.0]),
    ] {
        let part = few / n as f64;
        let cells = [(1.0 - part) * one, (1.0 - part) * (1.0 - one), part * other, part * (1.0 - other)];
        let population = Population::new(&cells, n, name, epsilon);
        let held = population.count(draws, 3, |sums| {
            let [difference, ratio, odds] = contrasts(sums);
            let truths = [one - other, one / other, one / (1.0 - one) * (1.0 - other) / other];
            let holds = |([low, high], truth): ([f64; 2], f64)| low <= truth && truth <= high;
            [difference, ratio, odds].into_iter().zip(truths).all(holds)
        });
        assert!(held >= least, "{name} {epsilon} {n} {few} {one} {other}: {held}, expected {least}");
    }
}

/// If this fails, an interval at the ends of shares is narrower than what is proven of both shares.
#[test]
fn an_end_of_all_shares_is_no_deviation() {
    let population = Population::new(&[0.45, 0.45, 0.05, 0.05], 100, "lattice", "0.5");
    let bits = &mut SeededBits::new(8);
    let mut cut = 0;
    for _ in 0..30 {
        let sums = population.draw(bits);
        let at = |first: usize, level: f64| {
            let within = Within { group: sums.group(&[first]), others: sums.group(&[first + 1]) };
            sums.conditional(within, Subject::Population, level)
        };
        let [wide, other] = [at(0, 0.975).ends, at(2, 0.975).ends];
        let found = at(2, 0.95);
        if found.ends[0] <= 0.0 || found.may_be_empty {
            cut += 1;
            let [_, high] = contrasts(&sums)[0];
            assert!((high - (wide[1] - other[0])).abs() < 1e-12, "{high} {wide:?} {other:?}");
        }
    }
    assert!(cut > 5, "{cut}");
}

fn cells(rows: &[f64], columns: &[f64]) -> Vec<f64> {
    rows.iter().flat_map(|row| columns.iter().map(move |column| row * column)).collect()
}

fn places(count: usize) -> Vec<Vec<usize>> {
    (0..count).map(|cell| vec![cell]).collect()
}

/// If this fails, tests reject more often than they may, or hardly ever find what anyone would see.
#[test]
fn tests_of_tables_have_their_size() {
    let draws = 200;
    let most = critical_interval(draws, 0.05, RATE).high;
    let rare = [0.96, 0.02, 0.02];
    for (name, epsilon) in [("lattice", "0.5"), ("private", "0.5"), ("lshist", "1")] {
        for rows in [[0.5, 0.5].as_slice(), &rare] {
            let population = Population::new(&cells(rows, &rare), 60, name, epsilon);
            let places = places(rows.len() * rare.len());
            let rejected = population.count(draws, 5, |sums| {
                let table = sums.table(&places, rare.len()).expect("narrow noise");
                table.p_value_below(Hypothesis::Independence, 0.05, 199, sums.seed("size")).is_some()
            });
            assert!(rejected <= most, "{name} {epsilon} {rows:?}: {rejected}, expected at most {most}");
        }
    }
    let population = Population::new(&[0.4, 0.1, 0.1, 0.4], 200, "lattice", "1");
    let found = population.count(40, 5, |sums| {
        let table = sums.table(&places(4), 2).expect("narrow noise");
        table.p_value_below(Hypothesis::Independence, 0.05, 199, sums.seed("power")).is_some()
    });
    assert!(found >= 35, "{found}");
}

/// If this fails, a p-value and the decision at a level come from different tests, or a p-value from another seed differs by
/// more than its error says.
#[test]
fn decisions_follow_p_values() {
    let population = Population::new(&[0.3, 0.2, 0.2, 0.3], 80, "lattice", "1");
    let bits = &mut SeededBits::new(11);
    for _ in 0..6 {
        let sums = population.draw(bits);
        let table = sums.table(&places(4), 2).expect("narrow noise");
        let found = table.test(Hypothesis::Independence, 1);
        assert_eq!(found, table.test(Hypothesis::Independence, 1));
        let other = table.test(Hypothesis::Independence, 2);
        // Six deviations of each.
        assert!(
            (found.p_value - other.p_value).abs() <= 6.0 * (found.error + other.error),
            "{found:?} {other:?}"
        );
        let near = 7.0 * found.error;
        for level in [0.01, 0.05, 0.5] {
            if (found.p_value - level).abs() > near {
                let below = table.p_value_below(Hypothesis::Independence, level, DRAWS, 3);
                assert_eq!(below.is_some(), found.p_value <= level, "{found:?} {level}");
            }
        }
    }
}

/// If this fails, independent columns are said to depend on each other, or an association is missed.
#[test]
fn associations_hold_zero_and_the_truth() {
    let draws = 40;
    let least = critical_interval(draws, 0.95, RATE).low;
    for (shares, v) in [([0.25; 4], 0.0), ([0.3, 0.2, 0.2, 0.3], 0.2), ([0.45, 0.05, 0.05, 0.45], 0.8)] {
        let population = Population::new(&shares, 400, "lattice", "1");
        let held = population.count(draws, 7, |sums| {
            let table = sums.table(&places(4), 2).expect("narrow noise");
            let [low, high] = table.association(0.95, sums.seed("V")).ends;
            // What is seen is neither nothing nor everything.
            let is_seen = v < 0.5 || (low > 0.6 && high < 1.0);
            low <= v && v <= high && is_seen && (v > 0.0 || low == 0.0)
        });
        assert!(held >= least, "V {v}: {held} of {draws}, expected {least}");
    }
}
