//! How often tests reject what is true: the size of tests of independence and of trends, in tables that are hard.
//!
//! `cargo run --release -p posterity --example sizes -- EPSILON [RELEASES] [TABLE] [WAY]`
//!
//! Records are drawn with independent rows and columns and released with n public (`lattice`) or private (`geometric, n
//! private`). For each table it prints how often the p-value is at most 0.05 and 0.10, marked if that is more often than it
//! should be by more than three standard errors, and how often it is so where rows and columns depend on each other: a
//! tenth of the records is moved to the first cell and to the last. TABLE and WAY are parts of names.

use std::error::Error;
use std::sync::Arc;

use posterity::table::{Law, Space, SpaceColumn, Test, Ways};
use posterity::{Reader, Terms};
use posterity_core::confidence::Sums;
use posterity_core::mechanism::Mechanism;
use posterity_core::model::{Counts, Prior, Setting};
use posterity_core::sampler::{BitSource, SeededBits};

/// Shares of rows and of columns, and how many records there are.
struct Margins {
    name: &'static str,
    rows: Vec<f64>,
    columns: Vec<f64>,
    n: u64,
}

fn all() -> Vec<Margins> {
    let one = |name, rows: &[f64], columns: &[f64], n| {
        let share = |side: &[f64]| side.iter().map(|part| part / side.iter().sum::<f64>()).collect();
        Margins { name, rows: share(rows), columns: share(columns), n }
    };
    vec![
        one("2 x 2, halves", &[1.0, 1.0], &[1.0, 1.0], 200),
        one("2 x 2, 2 % each", &[0.98, 0.02], &[0.98, 0.02], 50),
        one("3 x 3, 0.1 % each", &[0.998, 0.001, 0.001], &[0.998, 0.001, 0.001], 50),
        one("4 x 4, rare rows", &[0.94, 0.02, 0.02, 0.02], &[0.85, 0.05, 0.05, 0.05], 50),
        one("2 x 5", &[0.8, 0.2], &[0.3, 0.3, 0.2, 0.15, 0.05], 400),
        one("6 x 8", &[0.4, 0.3, 0.1, 0.1, 0.05, 0.05], &[1.0; 8], 1_000),
    ]
}

impl Margins {
    fn space(&self) -> Space {
        let names = |letter: char, count: usize| (0..count).map(move |index| format!("{letter}{index}"));
        let edges = (0..=self.columns.len()).map(|edge| edge.to_string());
        Space::new(vec![
            SpaceColumn::new("a", names('r', self.rows.len())),
            SpaceColumn::new("b", names('c', self.columns.len())).with_edges(edges),
        ])
    }

    fn draw(&self, dependent: bool, bits: &mut SeededBits) -> Result<Vec<u64>, Box<dyn Error>> {
        let mut uniform =
            || -> Result<f64, Box<dyn Error>> { Ok((bits.next_u64()? >> 11) as f64 / (1_u64 << 53) as f64) };
        let pick = |shares: &[f64], mut at: f64| {
            let place = shares.iter().position(|share| {
                at -= share;
                at < 0.0
            });
            place.unwrap_or(0)
        };
        let cells = self.rows.len() * self.columns.len();
        let mut counts = vec![0; cells];
        for _ in 0..self.n {
            let moved = uniform()?;
            let (row, column) = (pick(&self.rows, uniform()?), pick(&self.columns, uniform()?));
            let cell = match moved {
                part if dependent && part < 0.05 => 0,
                part if dependent && part < 0.1 => cells - 1,
                _ => row * self.columns.len() + column,
            };
            counts[cell] += 1;
        }
        Ok(counts)
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let text = |place: usize| arguments.get(place).map_or("", String::as_str);
    let releases: u64 = arguments.get(1).map_or(Ok(300), |text| text.parse())?;
    println!("| table | n | released by | epsilon | test | 0.05 | 0.10 | dependent: 0.05 |");
    println!("|{}", "---|".repeat(8));
    for table in all().iter().filter(|table| table.name.contains(text(2))) {
        for name in ["lattice", "geometric, n private"].into_iter().filter(|name| name.contains(text(3))) {
            let prior = Prior::new(vec![1.0; table.rows.len() * table.columns.len()])?;
            let setting = match name {
                "lattice" => Setting::new(prior, table.n, text(0).parse()?)?,
                _ => Setting::of_private_n(prior, Terms::MOST, text(0).parse()?)?,
            };
            let spec: posterity::Spec = name.trim_end_matches(", n private").parse()?;
            let mechanism: Box<dyn Mechanism> = spec.fit(setting)?;
            let tests = ["independence: a, b", "equal: a=r0 | b", "trend: a=r0 | b"];
            let mut below = [[0_u64; 3]; 3];
            let bits = &mut SeededBits::new(23);
            for seed in 0..2 * releases {
                let dependent = seed >= releases;
                let counts = table.draw(dependent, bits)?;
                let drawn = mechanism.draw(&Counts::new(counts)?, &mut SeededBits::new(seed))?;
                let additive = mechanism.additive().ok_or("additive noise")?;
                let sums = Sums::of_setting(drawn.as_slice().to_vec(), mechanism.setting(), additive);
                let posterior = Law::Plain(mechanism.setting().prior().distribution().clone());
                let reader = Reader::new(table.space(), posterior, Ways::new(0.95)?)?;
                let reader = reader.with_sums(Arc::new(sums), false);
                for (test, below) in tests.iter().zip(&mut below) {
                    let p_value = reader.test(&test.parse::<Test>()?)?.p_value;
                    let found = if dependent {
                        [false, false, p_value <= 0.05]
                    } else {
                        [p_value <= 0.05, p_value <= 0.1, false]
                    };
                    below.iter_mut().zip(found).for_each(|(below, found)| *below += u64::from(found));
                }
            }
            for (test, below) in tests.iter().zip(below) {
                let part = |count: u64| count as f64 / releases as f64;
                let size = |count: u64, level: f64| {
                    let error = (level * (1.0 - level) / releases as f64).sqrt();
                    let mark = if part(count) > level + 3.0 * error { " **too often**" } else { "" };
                    format!("{:.3}{mark}", part(count))
                };
                println!(
                    "| {} | {} | {name} | {} | {test} | {} | {} | {:.3} |",
                    table.name,
                    table.n,
                    text(0),
                    size(below[0], 0.05),
                    size(below[1], 0.1),
                    part(below[2])
                );
            }
        }
    }
    Ok(())
}
