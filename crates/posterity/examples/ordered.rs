//! How often intervals of quantiles, means and sums of bins hold, for laws that are hard and for real tables.
//!
//! `cargo run --release -p posterity --example ordered -- EPSILON [RELEASES] [LAW] [WAY] [READING]`
//! `cargo run --release -p posterity --example ordered -- EPSILON RELEASES FILE COLUMN EDGES GROUP N [WAY] [READING]`
//!
//! Of each law records are drawn, in groups of which one is always empty and two have 5 and 20 records on average, and
//! released with n public (`lattice`), with n private (`geometric, n private`), or as one of two tables of many columns
//! (`margins`, with a delta of 1e-9). Medians, other quantiles, means and sums are read of all records and within each
//! group, about the population and about the records. For each it prints how many intervals hold, marked if they are below
//! 95 % by more than three standard errors, and their mean width. A mean or a sum of bins has to hold wherever in their bins
//! the numbers lie: the worse of all lower and of all upper edges counts. LAW, WAY and READING are parts of names. With FILE
//! the law is that of a COLUMN of a CSV in bins with these EDGES, within the values of GROUP; N is the number of records, or
//! 0 for as many as the file has.

use std::collections::BTreeMap;
use std::error::Error;
use std::sync::Arc;

use posterity::data::{Bins, Column, CountedMargins, Question};
use posterity::margins::{MarginsPublisher, MarginsTerms, PlannedMargins, Which};
use posterity::table::{Law, NumberOf, Space, SpaceColumn, Statistic, Subject, Ways};
use posterity::{Randomness, Reader, Reading, ReadingTable, Terms};
use posterity_core::confidence::Sums;
use posterity_core::mechanism::Mechanism;
use posterity_core::model::{Counts, Prior, Setting};
use posterity_core::sampler::{BitSource, SeededBits};

/// What is read, each of all records and within each group.
const READINGS: [&str; 5] = ["median(x)", "quantile(x, 0.1)", "quantile(x, 0.9)", "mean(x)", "sum(x)"];

/// The share of each bin within each group.
struct Binned {
    name: String,
    edges: Vec<String>,
    groups: Vec<String>,
    /// By groups, and in each by bins; they sum to one.
    shares: Vec<f64>,
    /// The law within each group, also of a group without records.
    within: Vec<Vec<f64>>,
    n: u64,
}

impl Binned {
    /// A law in four groups: none, 5 and 20 records on average, and the rest.
    fn new(name: &str, n: u64, bins: &[f64]) -> Self {
        let sum: f64 = bins.iter().sum();
        let law: Vec<f64> = bins.iter().map(|bin| bin / sum).collect();
        let parts = [0.0, 5.0 / n as f64, 20.0 / n as f64, 1.0 - 25.0 / n as f64];
        Self {
            name: name.to_owned(),
            edges: (0..=bins.len()).map(|edge| (5 * edge).to_string()).collect(),
            groups: ["none", "5", "20", "rest"].map(ToOwned::to_owned).to_vec(),
            shares: parts.iter().flat_map(|part| law.iter().map(move |bin| part * bin)).collect(),
            within: vec![law; 4],
            n,
        }
    }

    fn all() -> Vec<Self> {
        let flat = vec![1.0; 12];
        let ends: Vec<f64> = (0..12).map(|bin| f64::from(u8::from(bin == 0 || bin == 11))).collect();
        let one: Vec<f64> = (0..12).map(|bin| f64::from(u8::from(bin == 6))).collect();
        let half = [&[0.5, 0.0, 0.0, 0.02][..], &[0.06; 8]].concat();
        let tail: Vec<f64> = (0..12).map(|bin| 0.5_f64.powi(bin)).collect();
        let rare: Vec<f64> = (0..12)
            .map(|bin| {
                if bin == 11 {
                    0.004
                } else if bin == 0 {
                    0.996
                } else {
                    0.0
                }
            })
            .collect();
        let fine: Vec<f64> = (0..60).map(|bin| 1.0 + f64::from(bin % 7)).collect();
        vec![
            Self::new("twelve alike", 500, &flat),
            Self::new("both ends, nothing between", 500, &ends),
            Self::new("all in one bin", 500, &one),
            Self::new("half below an edge", 500, &half),
            Self::new("falling by half", 500, &tail),
            Self::new("two far ones in 500", 500, &rare),
            Self::new("sixty bins", 2_000, &fine),
        ]
    }

    /// A column of a file in bins, within the values of another.
    fn of_file(path: &str, column: &str, edges: &str, group: &str, n: u64) -> Result<Self, Box<dyn Error>> {
        let text = std::fs::read_to_string(path)?;
        let mut lines = text.lines().map(|line| line.split(',').map(|text| text.trim().trim_matches('"')));
        let header: Vec<&str> = lines.next().ok_or("an empty file")?.collect();
        let place = |name: &str| header.iter().position(|one| *one == name).ok_or("no such column");
        let (of, by) = (place(column)?, place(group)?);
        let edges: Vec<String> = edges.split(',').map(ToOwned::to_owned).collect();
        let numbers: Vec<f64> = edges.iter().map(|edge| edge.parse()).collect::<Result<_, _>>()?;
        let mut counts: BTreeMap<String, Vec<f64>> = BTreeMap::new();
        for line in lines {
            let line: Vec<&str> = line.collect();
            let Some(Ok(number)) = line.get(of).map(|text| text.parse::<f64>()) else { continue };
            let below = numbers.partition_point(|edge| *edge <= number);
            if below > 0 && below < numbers.len() {
                let bins = counts.entry(line[by].to_owned()).or_insert_with(|| vec![0.0; numbers.len() - 1]);
                bins[below - 1] += 1.0;
            }
        }
        let all: f64 = counts.values().flatten().sum();
        let within = counts.values().map(|bins| {
            let sum: f64 = bins.iter().sum();
            bins.iter().map(|bin| bin / sum).collect()
        });
        Ok(Self {
            name: format!("{column} by {group}"),
            edges,
            within: within.collect(),
            shares: counts.values().flatten().map(|count| count / all).collect(),
            groups: counts.into_keys().collect(),
            n: if n == 0 { all as u64 } else { n },
        })
    }

    fn bins(&self) -> usize {
        self.edges.len() - 1
    }

    fn columns(&self) -> Result<Vec<Column>, Box<dyn Error>> {
        Ok(vec![Column::new("g", self.groups.clone()), Column::binned("x", Bins::new(&self.edges)?)])
    }

    fn space(&self) -> Result<Space, Box<dyn Error>> {
        Ok(Space::new(self.columns()?.iter().map(SpaceColumn::from).collect()))
    }

    /// The counts of records that are drawn, by group and bin.
    fn draw(&self, bits: &mut SeededBits) -> Result<Vec<u64>, Box<dyn Error>> {
        let mut counts = vec![0; self.shares.len()];
        for _ in 0..self.n {
            let mut at = (bits.next_u64()? >> 11) as f64 / (1_u64 << 53) as f64;
            let place = self.shares.iter().position(|share| {
                at -= share;
                at < 0.0
            });
            counts[place.unwrap_or(self.shares.len() - 1)] += 1;
        }
        Ok(counts)
    }

    /// Whether an interval of a number holds all that it may be, for the counts or shares of the bins.
    fn holds(&self, what: &NumberOf, bins: &[f64], [low, high]: [f64; 2]) -> bool {
        let edge = |edge: usize| self.edges[edge].parse::<f64>().unwrap_or(f64::NAN);
        let all: f64 = bins.iter().sum();
        let sum = |upper: usize| -> f64 {
            bins.iter().enumerate().map(|(bin, count)| count * edge(bin + upper)).sum()
        };
        let between =
            |truths: [f64; 2]| truths.iter().all(|truth| low <= truth + 1e-9 && *truth <= high + 1e-9);
        match what {
            NumberOf::Mean => between([sum(0) / all, sum(1) / all]),
            NumberOf::Sum => between([sum(0), sum(1)]),
            what => {
                let part = what.parts()[0];
                let below = |edge: usize| bins[..edge].iter().sum::<f64>() / all;
                // Every quantile is from the bin below the first edge to the one above the last.
                let first = (1..=self.bins()).find(|&edge| below(edge) >= part - 1e-9).unwrap_or(self.bins());
                let last = (0..self.bins()).rev().find(|&edge| below(edge) <= part + 1e-9).unwrap_or(0);
                between([edge(first - 1), edge(last + 1)])
            }
        }
    }
}

/// How a law is released.
enum Way {
    Cells(Box<dyn Mechanism>),
    Pairs(Box<PlannedMargins>),
}

/// Reads a release.
type Read<'a> = &'a dyn Fn(&Reading) -> Result<ReadingTable, Box<dyn Error>>;

/// Asks of a release what it is about.
type Ask<'a> = &'a mut dyn FnMut(Subject, Read<'_>) -> Result<(), Box<dyn Error>>;

impl Way {
    const ALL: [&'static str; 3] = ["lattice", "geometric, n private", "margins"];

    fn new(name: &str, law: &Binned, epsilon: &str) -> Result<Self, Box<dyn Error>> {
        if name == "margins" {
            let terms = MarginsTerms::new(Which::all(2), epsilon.parse()?, "1e-9".parse()?);
            let plan = MarginsPublisher::new(terms).plan(Question::new(law.columns()?))?;
            return Ok(Self::Pairs(Box::new(plan)));
        }
        let prior = Prior::new(vec![1.0; law.shares.len()])?;
        let setting = match name.strip_suffix(", n private") {
            Some(_) => Setting::of_private_n(prior, Terms::MOST, epsilon.parse()?)?,
            None => Setting::new(prior, law.n, epsilon.parse()?)?,
        };
        let spec: posterity::Spec = name.trim_end_matches(", n private").parse()?;
        Ok(Self::Cells(spec.fit(setting)?))
    }

    /// Reads a release of these counts.
    fn read(&self, law: &Binned, counts: &[u64], seed: u64, ask: Ask<'_>) -> Result<(), Box<dyn Error>> {
        let usual = Ways::new(0.95)?;
        let ways = |about| Ways { about, ..usual };
        let both = [Subject::Population, Subject::Records];
        match self {
            Self::Cells(mechanism) => {
                let drawn = mechanism.draw(&Counts::new(counts.to_vec())?, &mut SeededBits::new(seed))?;
                let additive = mechanism.additive().ok_or("additive noise")?;
                let sums = Sums::of_setting(drawn.as_slice().to_vec(), mechanism.setting(), additive);
                let sums = Arc::new(sums);
                for about in both {
                    let posterior = Law::Plain(mechanism.setting().prior().distribution().clone());
                    let reader = Reader::new(law.space()?, posterior, ways(about))?;
                    let reader = reader.with_sums(sums.clone(), false).confidence_alone();
                    ask(about, &|reading| Ok(reader.read(reading)?))?;
                }
            }
            Self::Pairs(plan) => {
                let rows: Vec<&[u64]> = counts.chunks(law.bins()).collect();
                let table = |set: &Vec<usize>| match set.as_slice() {
                    [] => vec![law.n],
                    [0] => rows.iter().map(|row| row.iter().sum()).collect(),
                    [1] => (0..law.bins()).map(|bin| rows.iter().map(|row| row[bin]).sum()).collect(),
                    _ => counts.to_vec(),
                };
                let tables = plan.sets().iter().map(table).collect();
                let counted = CountedMargins { tables, n: law.n, rows_scanned: None };
                let document = (**plan).clone().counted(counted, None, None, Randomness::System)?;
                let document = document.experiment(seed)?;
                for about in both {
                    let document = document.with_readings(ways(about), Vec::new(), Vec::new())?;
                    ask(about, &|reading| Ok(document.answer().read(reading)?))?;
                }
            }
        }
        Ok(())
    }
}

/// What was found of one kind of row.
#[derive(Clone, Default)]
struct Found {
    held: u64,
    rows: u64,
    width: f64,
}

impl Found {
    fn cell(&self) -> String {
        let rows = self.rows.max(1) as f64;
        let held = self.held as f64 / rows;
        let mark = if held < 0.95 - 3.0 * (0.95_f64 * 0.05 / rows).sqrt() { " **too few**" } else { "" };
        if self.rows == 0 { "".to_owned() } else { format!("{held:.3}{mark} ({:.1})", self.width / rows) }
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let text = |place: usize| arguments.get(place).map_or("", String::as_str);
    let epsilon = text(0);
    let releases = arguments.get(1).map_or(Ok(300), |text| text.parse::<u64>())?;
    let from_file = arguments.len() >= 7;
    let laws = if from_file {
        vec![Binned::of_file(text(2), text(3), text(4), text(5), text(6).parse()?)?]
    } else {
        Binned::all().into_iter().filter(|law| law.name.contains(text(2))).collect()
    };
    let [way, wanted] = if from_file { [text(7), text(8)] } else { [text(3), text(4)] };
    let readings: Vec<Reading> =
        READINGS.into_iter().filter(|one| one.contains(wanted)).map(str::parse).collect::<Result<_, _>>()?;
    println!("| law | n | released by | epsilon | about | reading | all | within each group |");
    println!("|{}", "---|".repeat(8));
    for law in &laws {
        for name in Way::ALL.into_iter().filter(|name| name.contains(way)) {
            let way = Way::new(name, law, epsilon)?;
            let bits = &mut SeededBits::new(17);
            let groups = law.groups.len();
            let mut found = vec![vec![vec![Found::default(); groups + 1]; readings.len()]; 2];
            for seed in 0..releases {
                let counts = law.draw(bits)?;
                way.read(law, &counts, seed, &mut |about, read| {
                    let found = &mut found[usize::from(about == Subject::Records)];
                    for (reading, found) in readings.iter().zip(found) {
                        let Some((what, column)) = reading.number_of() else { continue };
                        let given =
                            Reading::number(what.clone(), column, vec![posterity::table::Term::each("g")]);
                        let rows = [read(reading)?.rows, read(&given)?.rows].concat();
                        for (index, row) in rows.iter().enumerate() {
                            let real =
                                |cells: &[u64]| cells.iter().map(|&count| count as f64).collect::<Vec<_>>();
                            let all = |cells: &[f64]| -> Vec<f64> {
                                (0..law.bins())
                                    .map(|bin| cells.iter().skip(bin).step_by(law.bins()).sum())
                                    .collect()
                            };
                            let of_records =
                                about == Subject::Records || reading.statistic() == Statistic::Sum;
                            let truth = match (index.checked_sub(1), of_records) {
                                (None, true) => all(&real(&counts)),
                                (None, false) => all(&law.shares),
                                (Some(group), true) => {
                                    real(&counts[group * law.bins()..(group + 1) * law.bins()])
                                }
                                (Some(group), false) => law.within[group].clone(),
                            };
                            // Of records that do not exist there is no quantile and no mean.
                            if reading.statistic() != Statistic::Sum && truth.iter().sum::<f64>() <= 0.0 {
                                continue;
                            }
                            let Some([low, high]) = row.confidence else { return Err("no interval".into()) };
                            let one = &mut found[index];
                            one.held += u64::from(law.holds(what, &truth, [low, high]));
                            one.rows += 1;
                            one.width += high - low;
                        }
                    }
                    Ok(())
                })?;
            }
            for (about, found) in ["population", "records"].iter().zip(&found) {
                for (reading, cells) in readings.iter().zip(found) {
                    let cells: Vec<String> = cells.iter().map(Found::cell).collect();
                    let (all, within) = (&cells[0], cells[1..].join(", "));
                    println!(
                        "| {} | {} | {name} | {epsilon} | {about} | {reading} | {all} | {within} |",
                        law.name, law.n
                    );
                }
            }
        }
    }
    Ok(())
}
