//! Fits rows to a simulated release of a real table, and compares them with the truth.
//!
//!     cargo run --release -p posterity-margins --example fit_rows -- FILE.csv SIZES COLUMNS ORDER RHO SEED [SEED ...]
//!
//! FILE holds a line of names, then whole numbers. SIZES are the numbers of values of all its columns (`2,2,16`); COLUMNS
//! are places or `all`. The noise is normal, a stand-in for the exact sampler: nothing printed here is private.
//! `synthetic:ROWSxWIDTHxSIZE` in place of a file makes a table whose columns follow from their neighbours.

#![allow(
    clippy::disallowed_methods,
    clippy::disallowed_types,
    reason = "an example reads its file and the clock"
)]

use std::error::Error;
use std::ops::ControlFlow;
use std::time::Instant;

use posterity_margins::rows::{Input, Measured, Rows};
use rand_chacha::ChaCha8Rng;
use rand_core::{Rng, SeedableRng};

type Outcome<T> = Result<T, Box<dyn Error>>;

struct Table {
    sizes: Vec<u16>,
    columns: Vec<Vec<u16>>,
}

fn main() -> Outcome<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [file, sizes, columns, order, rho, seeds @ ..] = &arguments[..] else {
        return Err("give FILE SIZES COLUMNS ORDER RHO SEED...".into());
    };
    let table = table(file, sizes, columns)?;
    let (order, rho) = (order.parse()?, rho.parse()?);
    for seed in seeds {
        one(&table, order, rho, seed.parse()?)?;
    }
    Ok(())
}

fn one(table: &Table, order: usize, rho: f64, seed: u64) -> Outcome<()> {
    let input = release(table, order, rho, seed)?;
    let start = Instant::now();
    let rows = Rows::fit(&input, table.columns[0].len(), seed, &|_| ControlFlow::Continue(()))?;
    let seconds = start.elapsed().as_secs_f64();
    let fitted = Table { sizes: table.sizes.clone(), columns: rows.columns().to_vec() };
    print!("seed {seed}: {seconds:.1} s; L1 of rows");
    for level in 1..=3.min(table.sizes.len()) {
        print!(" {:.4}", mean_l1(table, &fitted, level));
    }
    let squares = |level: usize| {
        let of: Vec<f64> =
            rows.distances().iter().filter(|d| d.columns.len() == level).map(|d| d.mean_square).collect();
        of.iter().sum::<f64>() / of.len() as f64
    };
    print!("; mean square");
    (1..=order).for_each(|level| print!(" {:.3}", squares(level)));
    println!();
    Ok(())
}

fn table(file: &str, sizes: &str, columns: &str) -> Outcome<Table> {
    if let Some(shape) = file.strip_prefix("synthetic:") {
        return synthetic(shape);
    }
    let sizes: Vec<u16> = sizes.split(',').map(str::parse).collect::<Result<_, _>>()?;
    let chosen: Vec<usize> = match columns {
        "all" => (0..sizes.len()).collect(),
        list => list.split(',').map(str::parse).collect::<Result<_, _>>()?,
    };
    let text = std::fs::read_to_string(file)?;
    let mut read = vec![Vec::new(); chosen.len()];
    for line in text.lines().skip(1) {
        let codes: Vec<u16> = line.split(',').map(str::parse).collect::<Result<_, _>>()?;
        read.iter_mut().zip(&chosen).for_each(|(column, &place)| column.push(codes[place]));
    }
    Ok(Table { sizes: chosen.iter().map(|&place| sizes[place]).collect(), columns: read })
}

fn synthetic(shape: &str) -> Outcome<Table> {
    let numbers: Vec<usize> = shape.split('x').map(str::parse).collect::<Result<_, _>>()?;
    let [rows, width, size] = numbers[..] else { return Err("give ROWSxWIDTHxSIZE".into()) };
    let mut generator = ChaCha8Rng::seed_from_u64(1);
    let mut columns: Vec<Vec<u16>> = Vec::new();
    for column in 0..width {
        let fresh = (0..rows).map(|_| (generator.next_u64() % size as u64) as u16).collect::<Vec<_>>();
        let same = |row: usize, generator: &mut ChaCha8Rng| {
            column > 0 && row > 0 && generator.next_u64().is_multiple_of(2)
        };
        let codes = (0..rows)
            .map(|row| if same(row, &mut generator) { columns[column - 1][row] } else { fresh[row] });
        let codes = codes.collect();
        columns.push(codes);
    }
    Ok(Table { sizes: vec![size as u16; width], columns })
}

/// Residuals with the noise of the plan `sigma_A^2 ~ sqrt(p_A / v_A)`, scaled to the price under replace.
fn release(table: &Table, order: usize, rho: f64, seed: u64) -> Outcome<Input> {
    let width = table.sizes.len();
    let sets: Vec<Vec<usize>> = (1..=order).flat_map(|level| subsets(width, level)).collect();
    let mut variances: Vec<f64> = sets.iter().map(|set| variance(&table.sizes, set, order)).collect();
    let scale = price(&table.sizes, &sets, &variances) / (2.0 * rho);
    variances.iter_mut().for_each(|variance| *variance *= scale);
    let mut generator = ChaCha8Rng::seed_from_u64(seed);
    let measured = sets.into_iter().zip(variances).map(|(columns, variance)| {
        let noisy = |count: f64| count + variance.sqrt() * normal(&mut generator);
        let residual = counts(table, &columns).into_iter().map(noisy).collect();
        Measured { columns, residual, variance }
    });
    let measured = measured.collect();
    Ok(Input::new(table.sizes.clone(), table.columns[0].len() as f64, measured)?)
}

fn subsets(width: usize, level: usize) -> Vec<Vec<usize>> {
    if level == 0 {
        return vec![Vec::new()];
    }
    let longer = |set: Vec<usize>| {
        let next = set.last().map_or(0, |last| last + 1);
        (next..width).map(move |column| set.iter().copied().chain([column]).collect())
    };
    subsets(width, level - 1).into_iter().flat_map(longer).collect()
}

/// `sqrt(p_A / v_A)`, every level weighted equally. The weight `v_A` is a sum over all ways to add columns; an elementary symmetric
/// polynomial of `1/m_i^2` over the columns outside A gives it.
fn variance(sizes: &[u16], set: &[usize], order: usize) -> f64 {
    let outside = (0..sizes.len()).filter(|column| !set.contains(column));
    let mut symmetric = vec![0.0; order - set.len() + 1];
    symmetric[0] = 1.0;
    for column in outside {
        let term = 1.0 / f64::from(sizes[column]).powi(2);
        (1..symmetric.len()).rev().for_each(|degree| symmetric[degree] += term * symmetric[degree - 1]);
    }
    let weight = |(more, sum): (usize, &f64)| sum / binomial(sizes.len(), set.len() + more);
    // p_A stands in both, and cancels.
    1.0 / symmetric.iter().enumerate().map(weight).sum::<f64>().sqrt()
}

fn binomial(n: usize, k: usize) -> f64 {
    (0..k).map(|i| (n - i) as f64 / (i + 1) as f64).product()
}

/// The largest price over patterns of differing columns: the first columns in three orders. Good enough for a comparison.
fn price(sizes: &[u16], sets: &[Vec<usize>], variances: &[f64]) -> f64 {
    let mut by_size: Vec<usize> = (0..sizes.len()).collect();
    by_size.sort_by_key(|&column| sizes[column]);
    let orders =
        [(0..sizes.len()).collect(), by_size.clone(), by_size.into_iter().rev().collect::<Vec<usize>>()];
    let patterns = orders.iter().flat_map(|order| (1..=order.len()).map(move |length| &order[..length]));
    patterns.map(|pattern| price_of(sizes, sets, variances, pattern)).fold(0.0, f64::max)
}

fn price_of(sizes: &[u16], sets: &[Vec<usize>], variances: &[f64], pattern: &[usize]) -> f64 {
    let differs: Vec<bool> = (0..sizes.len()).map(|column| pattern.contains(&column)).collect();
    let same = |column: usize| 1.0 - 1.0 / f64::from(sizes[column]);
    let other = |column: usize| if differs[column] { -1.0 / f64::from(sizes[column]) } else { same(column) };
    let one = |(set, variance): (&Vec<usize>, &f64)| {
        let (alike, unlike) =
            set.iter().fold((1.0, 1.0), |(a, u), &column| (a * same(column), u * other(column)));
        2.0 * (alike - unlike) / variance
    };
    sets.iter().zip(variances).map(one).sum()
}

fn normal(generator: &mut ChaCha8Rng) -> f64 {
    let mut unit = || ((generator.next_u64() >> 11) as f64 + 0.5) / 9_007_199_254_740_992.0;
    (-2.0 * unit().ln()).sqrt() * (std::f64::consts::TAU * unit()).cos()
}

fn counts(table: &Table, columns: &[usize]) -> Vec<f64> {
    let cells = columns.iter().map(|&column| usize::from(table.sizes[column])).product();
    let mut counts = vec![0.0; cells];
    for row in 0..table.columns[0].len() {
        let cell = |cell, &column: &usize| {
            cell * usize::from(table.sizes[column]) + usize::from(table.columns[column][row])
        };
        counts[columns.iter().fold(0, cell)] += 1.0;
    }
    counts
}

/// The L1 distance of shares, mean over all sets of so many columns, or over every so-manieth if there are very many.
fn mean_l1(truth: &Table, fitted: &Table, level: usize) -> f64 {
    let all = subsets(truth.sizes.len(), level);
    let sets: Vec<&Vec<usize>> = all.iter().step_by(all.len() / 2000 + 1).collect();
    let l1 = |set: &&Vec<usize>| -> f64 {
        let (a, b) = (counts(truth, set), counts(fitted, set));
        a.iter().zip(b).map(|(a, b)| (a - b).abs()).sum::<f64>() / truth.columns[0].len() as f64
    };
    sets.iter().map(l1).sum::<f64>() / sets.len() as f64
}
