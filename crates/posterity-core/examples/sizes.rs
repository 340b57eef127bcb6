//! How often tests of noisy tables reject what is true, and what is not, in tables that are hard.
//!
//! `cargo run --release -p posterity-core --example sizes -- [TABLES] [TABLE] [WAY] [EPSILON]`
//!
//! Records are drawn with independent rows and columns, counted, and drawn with the noise of a mechanism; with n private
//! for `private`. Each line says how often tests of independence and of a trend reject at 0.05 and 0.10, with 999 draws for
//! each margin; a number is marked if it is above its level by more than three standard errors of so many tables. TABLE,
//! WAY and EPSILON choose among the lines; `-` stands for all.
//!
//! With `power` in the place of TABLES, a table of 2 by 3 depends: how often the test of independence rejects at 0.05,
//! beside the test of Pearson without noise, and two tests of noisy counts from the literature, both with the same noise:
//! the statistic of Pearson of the noisy counts against draws with as much noise at the estimated margins (Gaboardi, Lim,
//! Rogers and Vadhan 2016), and against the law without noise, which is not a test.
//!
//! With `association`, how often the intervals of Cramer's V hold it, and how often they hold zero.

#![allow(clippy::disallowed_methods, reason = "this program has arguments; the library reads no environment")]

use std::error::Error;

use posterity_core::confidence::{Hypothesis, NoisyTable, Sums};
use posterity_core::mechanism::{Mechanism, Spec};
use posterity_core::model::{Counts, Prior, Setting};
use posterity_core::sampler::{BitSource, SeededBits};

type Any<T> = Result<T, Box<dyn Error>>;

const WAYS: [&str; 4] = ["lattice", "geometric", "lshist", "private"];

/// The draws for each margin.
const DRAWS: u64 = 999;

/// Shares of the cells of a table, row by row.
struct Shares {
    name: &'static str,
    cells: Vec<f64>,
    columns: usize,
    n: u64,
}

impl Shares {
    fn product(name: &'static str, rows: &[f64], columns: &[f64], n: u64) -> Self {
        let sum: f64 = rows.iter().sum::<f64>() * columns.iter().sum::<f64>();
        let cells = rows.iter().flat_map(|row| columns.iter().map(move |column| row * column / sum));
        Self { name, cells: cells.collect(), columns: columns.len(), n }
    }

    /// The same margins, where each record of the first rows tends to one half of the columns, and others to the other.
    fn depending(&self, part: f64) -> Self {
        let rows = self.cells.len() / self.columns;
        let [mut of_rows, mut of_columns] = [vec![0.0; rows], vec![0.0; self.columns]];
        for (place, share) in self.cells.iter().enumerate() {
            of_rows[place / self.columns] += share;
            of_columns[place % self.columns] += share;
        }
        let split = |side: &[f64]| {
            // The line with which half of the records are reached.
            let mut sum = 0.0;
            side.iter().map(|share| (sum, sum += share).0 < 0.5).collect::<Vec<bool>>()
        };
        let (first_rows, first_columns) = (split(&of_rows), split(&of_columns));
        let inside = |side: &[f64], first: &[bool]| -> f64 {
            side.iter().zip(first).filter(|(_, first)| **first).map(|(share, _)| share).sum()
        };
        let (a, b) = (inside(&of_rows, &first_rows), inside(&of_columns, &first_columns));
        let most = (a * (1.0 - b)).min((1.0 - a) * b);
        let cells = self.cells.iter().enumerate().map(|(place, share)| {
            let [row, column] = [first_rows[place / self.columns], first_columns[place % self.columns]];
            let of_block = if row { a } else { 1.0 - a } * if column { b } else { 1.0 - b };
            share * (1.0 + part * most * if row == column { 1.0 } else { -1.0 } / of_block)
        });
        Self {
            cells: cells.collect(),
            ..Self { name: self.name, cells: Vec::new(), columns: self.columns, n: self.n }
        }
    }

    /// Cramer's V.
    fn v(&self) -> f64 {
        let rows = self.cells.len() / self.columns;
        let row = |row: usize| self.cells[row * self.columns..(row + 1) * self.columns].iter().sum::<f64>();
        let column = |column: usize| self.cells.iter().skip(column).step_by(self.columns).sum::<f64>();
        let squares: f64 = self
            .cells
            .iter()
            .enumerate()
            .map(|(place, share)| {
                let product = row(place / self.columns) * column(place % self.columns);
                (share - product).powi(2) / product
            })
            .sum();
        (squares / (rows.min(self.columns) - 1) as f64).sqrt()
    }

    fn draw(&self, bits: &mut SeededBits) -> Any<Vec<u64>> {
        let mut counts = vec![0; self.cells.len()];
        for _ in 0..self.n {
            let mut at = (bits.next_u64()? >> 11) as f64 / (1_u64 << 53) as f64;
            let place = self.cells.iter().position(|share| {
                at -= share;
                at < 0.0
            });
            counts[place.unwrap_or(0)] += 1;
        }
        Ok(counts)
    }

    fn mechanism(&self, way: &str, epsilon: &str) -> Any<Box<dyn Mechanism>> {
        let prior = Prior::new(vec![1.0; self.cells.len()])?;
        let setting = match way {
            "private" => Setting::of_private_n(prior, 10_000_000_000, epsilon.parse()?)?,
            _ => Setting::new(prior, self.n, epsilon.parse()?)?,
        };
        let spec: Spec = if way == "private" { "geometric" } else { way }.parse()?;
        Ok(spec.fit(setting)?)
    }

    /// Does something with the noisy tables of so many draws, and counts how often each of several things is so.
    fn count<const K: usize>(
        &self,
        (way, epsilon): (&str, &str),
        tables: u64,
        of: impl Fn(&NoisyTable<'_>, &[u64], u64) -> [bool; K],
    ) -> Any<[f64; K]> {
        let mechanism = self.mechanism(way, epsilon)?;
        let bits = &mut SeededBits::new(23);
        let places: Vec<Vec<usize>> = (0..self.cells.len()).map(|cell| vec![cell]).collect();
        let mut found = [0_u64; K];
        for seed in 0..tables {
            let counts = self.draw(bits)?;
            let drawn = mechanism.draw(&Counts::new(counts.clone())?, &mut SeededBits::new(seed))?;
            let additive = mechanism.additive().ok_or("additive noise")?;
            let sums = Sums::of_setting(drawn.as_slice().to_vec(), mechanism.setting(), additive);
            let table = sums.table(&places, self.columns).ok_or("narrow noise")?;
            let is = of(&table, &counts, sums.seed("a table"));
            found.iter_mut().zip(is).for_each(|(found, is)| *found += u64::from(is));
        }
        Ok(found.map(|found| found as f64 / tables as f64))
    }
}

fn hard() -> Vec<Shares> {
    let rare = |first: f64, others: usize, each: f64| [vec![first], vec![each; others]].concat();
    vec![
        Shares::product("2 x 2, halves", &[1.0, 1.0], &[1.0, 1.0], 30),
        Shares::product("2 x 2, 2 %", &[0.98, 0.02], &[0.98, 0.02], 50),
        Shares::product("2 x 2, 3 %", &[0.97, 0.03], &[0.5, 0.5], 300),
        Shares::product("3 x 3, 0.1 %", &rare(0.998, 2, 0.001), &rare(0.998, 2, 0.001), 50),
        Shares::product("3 x 3", &[0.6, 0.3, 0.1], &[0.5, 0.49, 0.01], 2_000),
        Shares::product("4 x 4, 2 % and 5 %", &rare(0.94, 3, 0.02), &rare(0.85, 3, 0.05), 50),
        Shares::product("2 x 8, 1 %", &[0.99, 0.01], &[1.0; 8], 200),
        Shares::product("4 x 8, 5 %", &rare(0.85, 3, 0.05), &[1.0; 8], 60),
        Shares::product("6 x 8, 2 %", &rare(0.9, 5, 0.02), &rare(0.86, 7, 0.02), 30),
        Shares::product("6 x 8", &[0.4, 0.3, 0.1, 0.1, 0.05, 0.05], &[1.0; 8], 1_000),
    ]
}

fn sizes(tables: u64, only: &[String]) -> Any<()> {
    let is = |place: usize, text: &str| {
        only.get(place).is_none_or(|one| one == "-" || text.contains(one.as_str()))
    };
    println!("| table | n | noise | epsilon | independence 0.05 | 0.10 | trend 0.05 | 0.10 |");
    println!("|{}", "---|".repeat(8));
    for table in hard().iter().filter(|table| is(0, table.name)) {
        for way in WAYS.into_iter().filter(|way| is(1, way)) {
            for epsilon in ["0.05", "0.2", "0.5", "1", "2", "5"].into_iter().filter(|epsilon| is(2, epsilon))
            {
                let has_two_rows = table.cells.len() == 2 * table.columns;
                let rejected = table.count((way, epsilon), tables, |noisy, _, seed| {
                    let at = |hypothesis, level: f64| noisy.rejects(hypothesis, level, DRAWS, seed);
                    let both = |hypothesis| {
                        let wide = at(hypothesis, 0.1);
                        [wide && at(hypothesis, 0.05), wide]
                    };
                    let [a, b] = both(Hypothesis::Independence);
                    let [c, d] = if has_two_rows { both(Hypothesis::Trend) } else { [false; 2] };
                    [a, b, c, d]
                })?;
                let cell = |place: usize, level: f64| {
                    let error = (level * (1.0 - level) / tables as f64).sqrt();
                    let mark = if rejected[place] > level + 3.0 * error { " **too often**" } else { "" };
                    if place >= 2 && !has_two_rows {
                        "-".into()
                    } else {
                        format!("{:.3}{mark}", rejected[place])
                    }
                };
                println!(
                    "| {} | {} | {way} | {epsilon} | {} | {} | {} | {} |",
                    table.name,
                    table.n,
                    cell(0, 0.05),
                    cell(1, 0.1),
                    cell(2, 0.05),
                    cell(3, 0.1)
                );
            }
        }
    }
    Ok(())
}

/// Pearson's statistic of counts, of which none is below zero and no margin is empty; zero otherwise.
fn pearson(counts: &[f64], columns: usize) -> f64 {
    let all: f64 = counts.iter().sum();
    let row = |row: usize| counts[row * columns..(row + 1) * columns].iter().sum::<f64>();
    let column = |column: usize| counts.iter().skip(column).step_by(columns).sum::<f64>();
    let each = counts.iter().enumerate().map(|(place, count)| {
        let expected = row(place / columns) * column(place % columns) / all;
        if expected > 0.0 { (count - expected).powi(2) / expected } else { 0.0 }
    });
    each.sum()
}

/// Of two degrees of freedom.
fn is_large(statistic: f64) -> bool {
    (-0.5 * statistic).exp() <= 0.05
}

fn power() -> Any<()> {
    let tables = 1_000;
    println!("| n | epsilon | V | without noise | here | as Pearson with noise | Pearson of noisy counts |");
    println!("|{}", "---|".repeat(7));
    for n in [200_u64, 1_000, 5_000] {
        for epsilon in ["0.1", "0.5", "2"] {
            for part in [0.0, 0.1, 0.2, 0.4] {
                let table = Shares::product("2 x 3", &[0.5, 0.5], &[0.4, 0.3, 0.3], n).depending(part);
                let mechanism = table.mechanism("lattice", epsilon)?;
                let columns = table.columns;
                let found = table.count(("lattice", epsilon), tables, |noisy, counts, seed| {
                    let truth: Vec<f64> = counts.iter().map(|&count| count as f64).collect();
                    let drawn = noisy.found();
                    let all_positive = drawn.iter().all(|y| *y > 0.0);
                    let statistic = pearson(&drawn, columns);
                    let simulated = || -> Any<bool> {
                        let shares = Shares { cells: noisy.product_of_found(), n, name: "", columns };
                        let bits = &mut SeededBits::new(seed);
                        let mut as_large = 0;
                        for _ in 0..199 {
                            let counts = Counts::new(shares.draw(bits)?)?;
                            let other = mechanism.draw(&counts, bits)?;
                            let other: Vec<f64> = other.as_slice().iter().map(|&y| y as f64).collect();
                            as_large += u64::from(pearson(&other, columns) >= statistic);
                        }
                        Ok(as_large < 10)
                    };
                    [
                        is_large(pearson(&truth, columns)),
                        noisy.rejects(Hypothesis::Independence, 0.05, DRAWS, seed),
                        all_positive && simulated().unwrap_or(false),
                        all_positive && is_large(statistic),
                    ]
                })?;
                let [without, here, with, of_noisy] = found;
                println!(
                    "| {n} | {epsilon} | {:.3} | {without:.3} | {here:.3} | {with:.3} | {of_noisy:.3} |",
                    table.v()
                );
            }
        }
    }
    Ok(())
}

fn association(only: &[String]) -> Any<()> {
    let tables = 400;
    let is = |place: usize, text: &str| {
        only.get(place).is_none_or(|one| one == "-" || text.contains(one.as_str()))
    };
    println!("| table | n | noise | epsilon | V | hold it | hold zero |");
    println!("|{}", "---|".repeat(7));
    for table in hard().iter().filter(|table| is(0, table.name)) {
        for way in ["lattice", "private"].into_iter().filter(|way| is(1, way)) {
            for epsilon in ["0.2", "1", "5"].into_iter().filter(|epsilon| is(2, epsilon)) {
                for part in [0.0, 0.3, 0.8] {
                    let table = table.depending(part);
                    let v = table.v();
                    let [held, zero] = table.count((way, epsilon), tables, |noisy, _, seed| {
                        let [low, high] = noisy.association(0.95, seed).ends;
                        [low <= v + 1e-12 && v <= high, low <= 0.0]
                    })?;
                    println!(
                        "| {} | {} | {way} | {epsilon} | {v:.3} | {held:.3} | {zero:.3} |",
                        table.name, table.n
                    );
                }
            }
        }
    }
    Ok(())
}

fn main() -> Any<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match arguments.first().map(String::as_str) {
        Some("power") => power(),
        Some("association") => association(&arguments[1..]),
        Some(tables) => sizes(tables.parse()?, &arguments[1..]),
        None => sizes(5_000, &[]),
    }
}
