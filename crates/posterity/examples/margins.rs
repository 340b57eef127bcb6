//! How near the tables of many columns, and rows fitted to them, come to the truth, and how long they take.
//!
//! `cargo run --release -p posterity --example margins -- FILE.csv DOMAIN.json COLUMNS MARGINS EPSILON DELTA SEED`
//!
//! FILE has a line of names, then whole numbers from 0 with commas between them; DOMAIN says how many values each column has
//! (`{"sex": 2}`). COLUMNS are places from 0 with commas between them, or `all`. All tables of up to MARGINS columns are
//! released from a seed under replace, all their cells are read with 95 % confidence intervals about the records, and rows are
//! fitted. It prints one JSON object: seconds and processor seconds of each step; for tables and for rows, the L1 distance of
//! shares from the true ones, as a mean over all tables of one, two and three columns; and the part of the intervals
//! that hold the truth. Nothing of it is private.

mod common;

use std::error::Error;
use std::ops::ControlFlow;

use common::Watch;
use posterity::data::{Column, Question, Resources, Source};
use posterity::table::{Subject, Term, Ways};
use posterity::{FittedRows, MarginsDocument, MarginsPublisher, MarginsTerms, Randomness, Reading, Which};
use serde_json::{Map, Value, json};

/// Rows are compared with the truth in tables of up to so many columns.
const LEVELS: usize = 3;

/// Levels of more tables than this are not compared.
const MOST_TABLES: usize = 10_000;

/// Codes of named columns.
struct Table {
    names: Vec<String>,
    sizes: Vec<usize>,
    columns: Vec<Vec<usize>>,
}

impl Table {
    fn read(file: &str, domain: &str, columns: &str) -> Result<Self, Box<dyn Error>> {
        let text = std::fs::read_to_string(file)?;
        let domain: Map<String, Value> = serde_json::from_str(&std::fs::read_to_string(domain)?)?;
        let mut lines = text.lines();
        let header: Vec<&str> = lines.next().ok_or("the file is empty")?.split(',').collect();
        let places: Vec<usize> = match columns {
            "all" => (0..header.len()).collect(),
            list => list.split(',').map(str::parse).collect::<Result<_, _>>()?,
        };
        let mut read = vec![Vec::new(); places.len()];
        for line in lines {
            let codes: Vec<usize> = line.split(',').map(str::parse).collect::<Result<_, _>>()?;
            read.iter_mut().zip(&places).for_each(|(column, &place)| column.push(codes[place]));
        }
        let names: Vec<String> = places.iter().map(|&place| header[place].to_owned()).collect();
        let size = |name: &String| domain.get(name).and_then(Value::as_u64).map(|size| size as usize);
        let sizes = names.iter().map(size).collect::<Option<_>>().ok_or("the domain lacks a column")?;
        Ok(Self { names, sizes, columns: read })
    }

    /// Rows with the columns of this table.
    fn fitted(&self, rows: &FittedRows<'_>) -> Result<Self, Box<dyn Error>> {
        let mut columns = vec![Vec::with_capacity(rows.len()); self.names.len()];
        for row in 0..rows.len() {
            for (column, value) in columns.iter_mut().zip(rows.row(row)) {
                column.push(value.parse()?);
            }
        }
        Ok(Self { names: self.names.clone(), sizes: self.sizes.clone(), columns })
    }

    fn question(&self) -> Question {
        let columns = self.names.iter().zip(&self.sizes);
        let column = |(name, &size): (&String, &usize)| Column::new(name, (0..size).map(|code| code.to_string()));
        Question::new(columns.map(column).collect())
    }

    /// The shares of a table, the last column fastest.
    fn shares(&self, set: &[usize]) -> Vec<f64> {
        let rows = self.columns[0].len();
        let mut shares = vec![0.0; set.iter().map(|&column| self.sizes[column]).product()];
        for row in 0..rows {
            let cell = set.iter().fold(0, |cell, &column| cell * self.sizes[column] + self.columns[column][row]);
            shares[cell] += 1.0 / rows as f64;
        }
        shares
    }
}

/// All sets of so many columns.
fn sets(width: usize, level: usize) -> Vec<Vec<usize>> {
    let longer = |set: Vec<usize>| {
        let next = set.last().map_or(0, |last| last + 1);
        (next..width).map(move |column| set.iter().copied().chain([column]).collect())
    };
    (0..level).fold(vec![Vec::new()], |sets, _| sets.into_iter().flat_map(longer).collect())
}

fn release(table: &Table, source: &Source, terms: MarginsTerms, seed: u64) -> Result<MarginsDocument, Box<dyn Error>> {
    let planned = MarginsPublisher::new(terms).plan(table.question())?;
    let go_on = |_| ControlFlow::Continue(());
    let data = planned.count(source, None, Randomness::Seed(seed), &Resources::default(), &go_on)?;
    Ok(data.experiment(seed)?)
}

/// The estimate and the interval of every cell of a table.
type Cells = Vec<(f64, [f64; 2])>;

fn read(document: &MarginsDocument, names: &[String], set: &[usize]) -> Result<Cells, Box<dyn Error>> {
    let terms = set.iter().map(|&column| Term::each(&names[column])).collect();
    let found = document.answer().read(&Reading::shares(terms, Vec::new()))?;
    let cell = |row: &posterity::table::ReadingRow| Some((row.estimate?, row.confidence?));
    found.rows.iter().map(cell).collect::<Option<_>>().ok_or_else(|| "a cell has no estimate".into())
}

fn l1(found: impl Iterator<Item = f64>, truth: &[f64]) -> f64 {
    found.zip(truth).map(|(found, truth)| (found - truth).abs()).sum()
}

fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len() as f64
}

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [file, domain, columns, margins, epsilon, delta, seed] = &arguments[..] else {
        return Err("give FILE.csv DOMAIN.json COLUMNS MARGINS EPSILON DELTA SEED".into());
    };
    let table = Table::read(file, domain, columns)?;
    let (width, margins, seed) = (table.names.len(), margins.parse()?, seed.parse()?);
    let usual = MarginsTerms::new(Which::all(margins), epsilon.parse()?, delta.parse()?);
    let terms = MarginsTerms { ways: Ways { about: Subject::Records, ..usual.ways }, ..usual };

    let watch = Watch::start();
    let document = release(&table, &Source::files(file), terms, seed)?;
    let bytes = serde_json::to_string(&document)?.len();
    let (release, release_processor) = watch.read();

    let (mut errors, mut held, mut cells) = (Vec::new(), 0, 0);
    let watch = Watch::start();
    let levels = (1..=margins).map(|level| sets(width, level));
    let found: Vec<Vec<(Vec<usize>, Cells)>> = levels
        .map(|sets| sets.into_iter().map(|set| Ok((set.clone(), read(&document, &table.names, &set)?))).collect())
        .collect::<Result<_, Box<dyn Error>>>()?;
    let (reading, reading_processor) = watch.read();
    for level in &found {
        let mut of_level = Vec::new();
        for (set, read) in level {
            let truth = table.shares(set);
            of_level.push(l1(read.iter().map(|(estimate, _)| *estimate), &truth));
            let holds = |((_, [low, high]), truth): &(&(f64, [f64; 2]), &f64)| {
                (*low - 1e-12..=*high + 1e-12).contains(*truth)
            };
            held += read.iter().zip(&truth).filter(holds).count();
            cells += read.len();
        }
        errors.push(mean(&of_level));
    }

    let watch = Watch::start();
    let rows = document.rows(None, seed, &|_| ControlFlow::Continue(()))?;
    let (fitting, fitting_processor) = watch.read();
    let fitted = table.fitted(&rows)?;
    let row_errors: Vec<f64> = (1..=LEVELS)
        .map(|level| sets(width, level))
        .take_while(|sets| sets.len() <= MOST_TABLES)
        .map(|sets| mean(&sets.iter().map(|set| l1(fitted.shares(set).into_iter(), &table.shares(set))).collect::<Vec<_>>()))
        .collect();

    let seconds = |elapsed: f64, processor: f64| json!({"elapsed": elapsed, "processor": processor});
    let mut of_rows = seconds(fitting, fitting_processor);
    of_rows["errors"] = json!(row_errors);
    let out = json!({
        "bytes": bytes,
        "release": seconds(release, release_processor),
        "read": seconds(reading, reading_processor),
        "tables": {"errors": errors, "covered": f64::from(held as u32) / cells as f64, "cells": cells},
        "rows": of_rows,
    });
    println!("{out:#}");
    Ok(())
}
