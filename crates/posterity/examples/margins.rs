//! How near the tables of many columns, and rows fitted to them, come to the truth, and how long they take.
//!
//! `cargo run --release -p posterity --example margins -- FILE.csv DOMAIN.json COLUMNS MARGINS EPSILON DELTA SEED ..`
//!
//! FILE has a line of names, then whole numbers from 0 with commas between them; DOMAIN says how many values each column has
//! (`{"sex": 2}`). COLUMNS are places from 0 with commas between them, or `all`. For each seed all tables of up to MARGINS
//! columns are released under replace, all their cells are read with 95 % confidence intervals about the records, and rows
//! are fitted. It prints one JSON object of means over the seeds: seconds and processor seconds of the release, of all
//! readings and of the fit; for tables and for rows, the L1 distance of shares from the true ones, as a mean over all tables of
//! one, two and three columns; and the part of the intervals that hold the truth. Nothing of it is private.

mod common;

use std::error::Error;
use std::ops::ControlFlow;

use common::Watch;
use posterity::data::{Column, Question, Resources, Source};
use posterity::margins::{FittedRows, MarginsDocument, MarginsPublisher, MarginsTerms, Which};
use posterity::table::{Subject, Term, Ways};
use posterity::{Randomness, Reading};
use serde_json::{Map, Value, json};

/// Rows are compared with the truth in tables of up to this many columns.
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
        let column =
            |(name, &size): (&String, &usize)| Column::new(name, (0..size).map(|code| code.to_string()));
        Question::new(columns.map(column).collect())
    }

    /// The shares of a table, the last column fastest.
    fn shares(&self, set: &[usize]) -> Vec<f64> {
        let rows = self.columns[0].len();
        let mut shares = vec![0.0; set.iter().map(|&column| self.sizes[column]).product()];
        for row in 0..rows {
            let cell =
                set.iter().fold(0, |cell, &column| cell * self.sizes[column] + self.columns[column][row]);
            shares[cell] += 1.0 / rows as f64;
        }
        shares
    }
}

/// All sets of this many columns.
fn sets(width: usize, level: usize) -> Vec<Vec<usize>> {
    let longer = |set: Vec<usize>| {
        let next = set.last().map_or(0, |last| last + 1);
        (next..width).map(move |column| set.iter().copied().chain([column]).collect())
    };
    (0..level).fold(vec![Vec::new()], |sets, _| sets.into_iter().flat_map(longer).collect())
}

fn release(
    table: &Table,
    source: &Source,
    terms: MarginsTerms,
    seed: u64,
) -> Result<MarginsDocument, Box<dyn Error>> {
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

fn mean(values: impl IntoIterator<Item = f64>) -> f64 {
    let (sum, number) =
        values.into_iter().fold((0.0, 0.0), |(sum, number), value| (sum + value, number + 1.0));
    sum / number
}

/// What one seed comes to.
struct Run {
    /// Seconds and processor seconds of the release, of all readings and of the rows.
    times: [(f64, f64); 3],
    /// The errors of tables and of rows, level by level.
    errors: [Vec<f64>; 2],
    /// The part of the intervals that hold the truth.
    covered: f64,
}

impl Run {
    fn new(table: &Table, source: &Source, terms: MarginsTerms, seed: u64) -> Result<Self, Box<dyn Error>> {
        let watch = Watch::start();
        let document = release(table, source, terms, seed)?;
        serde_json::to_string(&document)?;
        let released = watch.read();
        let order = document.answer().plan().workload().order();
        let watch = Watch::start();
        let found = read_all(&document, table, order)?;
        let read = watch.read();
        let watch = Watch::start();
        let rows = document.rows(None, seed, &|_| ControlFlow::Continue(()))?;
        let fitted = watch.read();
        let (errors, covered) = compare(table, &found);
        let of_rows = row_errors(table, &table.fitted(&rows)?);
        Ok(Self { times: [released, read, fitted], errors: [errors, of_rows], covered })
    }
}

/// The sets of one size with their cells.
type Level = Vec<(Vec<usize>, Cells)>;

fn read_all(document: &MarginsDocument, table: &Table, order: usize) -> Result<Vec<Level>, Box<dyn Error>> {
    let read = |set: Vec<usize>| read(document, &table.names, &set).map(|cells| (set, cells));
    (1..=order).map(|level| sets(table.names.len(), level).into_iter().map(read).collect()).collect()
}

/// The errors of each level, and the part of all intervals that hold.
fn compare(table: &Table, found: &[Level]) -> (Vec<f64>, f64) {
    let (mut errors, mut held) = (Vec::new(), Vec::new());
    for level in found {
        let mut of_level = Vec::new();
        for (set, cells) in level {
            let truth = table.shares(set);
            of_level.push(l1(cells.iter().map(|(estimate, _)| *estimate), &truth));
            let holds = cells
                .iter()
                .zip(&truth)
                .map(|((_, [low, high]), truth)| (low - 1e-12..=high + 1e-12).contains(truth));
            held.extend(holds.map(|holds| f64::from(u8::from(holds))));
        }
        errors.push(mean(of_level));
    }
    (errors, mean(held))
}

fn row_errors(table: &Table, fitted: &Table) -> Vec<f64> {
    let levels = (1..=LEVELS).map(|level| sets(table.names.len(), level));
    let error = |set: &Vec<usize>| l1(fitted.shares(set).into_iter(), &table.shares(set));
    levels.take_while(|sets| sets.len() <= MOST_TABLES).map(|sets| mean(sets.iter().map(error))).collect()
}

/// Means over the runs.
fn summary(runs: &[Run]) -> Value {
    let of = |number: &dyn Fn(&Run) -> f64| mean(runs.iter().map(number));
    let seconds = |step: usize| json!({"elapsed": of(&|run| run.times[step].0), "processor": of(&|run| run.times[step].1)});
    let errors = |kind: usize| {
        let levels = 0..runs[0].errors[kind].len();
        json!(levels.map(|level| of(&|run| run.errors[kind][level])).collect::<Vec<_>>())
    };
    json!({
        "release": seconds(0),
        "read": seconds(1),
        "fit": seconds(2),
        "tables": errors(0),
        "rows": errors(1),
        "covered": of(&|run| run.covered),
    })
}

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [file, domain, columns, margins, epsilon, delta, seeds @ ..] = &arguments[..] else {
        return Err("give FILE.csv DOMAIN.json COLUMNS MARGINS EPSILON DELTA SEED ...".into());
    };
    let table = Table::read(file, domain, columns)?;
    let usual = MarginsTerms::new(Which::all(margins.parse()?), epsilon.parse()?, delta.parse()?);
    let terms = MarginsTerms { ways: Ways { about: Subject::Records, ..usual.ways }, ..usual };
    let run = |seed: &String| Run::new(&table, &Source::files(file), terms.clone(), seed.parse()?);
    let runs: Vec<Run> = seeds.iter().map(run).collect::<Result<_, _>>()?;
    if runs.is_empty() {
        return Err("give at least one seed".into());
    }
    println!("{:#}", summary(&runs));
    Ok(())
}
