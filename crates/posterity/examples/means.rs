//! How often intervals of means hold, for laws that are hard: mostly zeros, rare large numbers, bounded numbers.
//!
//! `cargo run --release --example means -- EPSILON [RELEASES] [LAW] [WAY]`
//! `cargo run --release --example means -- EPSILON RELEASES FILE COLUMN N MOST`
//!
//! Of each law records are drawn with three groups, the last of them small, and released by every mechanism whose noise
//! adds up, with n public and private, and as one of two tables of many columns (`margins`, with a delta of 1e-9). The
//! mean of all records and the mean within each group are read, about the population and about the records. For each it
//! prints how many intervals hold, marked if they are below 95 % by more than three standard errors, their mean width, and
//! beside it that of an oracle: a normal interval by someone who knows the variance of the numbers and that of the noise.
//! LAW and WAY are parts of the names of laws and of mechanisms. With FILE the law is that of a COLUMN of whole numbers,
//! cut at MOST; N is 0 for as many records as the file has.

use std::error::Error;
use std::sync::Arc;

use posterity::data::{Column, CountedMargins, Question};
use posterity::margins::{MarginsPublisher, MarginsTerms, PlannedMargins, Which};
use posterity::table::{Law, Space, SpaceColumn, Subject, Ways};
use posterity::{Randomness, Reader, ReadingTable, Terms};
use posterity_core::confidence::Sums;
use posterity_core::mechanism::Mechanism;
use posterity_core::model::{Counts, Prior, Setting};
use posterity_core::sampler::{BitSource, SeededBits};

/// The part of the records that each group has.
const GROUPS: [f64; 3] = [0.6, 0.35, 0.05];

/// Numbers with their shares, and how many records there are.
struct Scored {
    name: String,
    numbers: Vec<u64>,
    shares: Vec<f64>,
    n: u64,
}

impl Scored {
    fn new(name: &str, n: u64, parts: &[(u64, f64)]) -> Self {
        let sum: f64 = parts.iter().map(|(_, share)| share).sum();
        let (numbers, shares) = parts.iter().map(|&(number, share)| (number, share / sum)).unzip();
        Self { name: name.to_owned(), numbers, shares, n }
    }

    fn all() -> Vec<Self> {
        let zeros = |most: u64, zeros: f64| -> Vec<(u64, f64)> {
            let other = (1.0 - zeros) / most as f64;
            (0..=most).map(|number| (number, if number == 0 { zeros } else { other })).collect()
        };
        let rare = |expected: f64, n: f64| [(0, 1.0 - expected / n), (100, expected / n)];
        let only_rare: Vec<(u64, f64)> = (0..=10)
            .map(|number| (number, if number == 10 { 2.0 / 500.0 } else { f64::from(u8::from(number == 0)) }))
            .collect();
        let falling: Vec<(u64, f64)> =
            (0..=20).map(|number| (number, 0.65_f64.powi(number as i32))).collect();
        let ends: Vec<(u64, f64)> =
            (1..=7).map(|number| (number, if number == 1 || number == 7 { 0.45 } else { 0.02 })).collect();
        vec![
            Self::new("0..10, 93 % zeros", 500, &zeros(10, 0.93)),
            Self::new("0..20, 93 % zeros", 1_000, &zeros(20, 0.93)),
            Self::new("0..10, 93 % zeros, many", 20_000, &zeros(10, 0.93)),
            Self::new("0..10, two tens in 500", 500, &only_rare),
            Self::new("0, 1 and 100 once", 500, &[(0, 0.499), (1, 0.499), (100, 0.002)]),
            Self::new("0, 1 and 100 in 0.3 of 500", 500, &[(0, 0.4997), (1, 0.4997), (100, 0.0006)]),
            Self::new(
                "0 or 1, and 5, 30, 100 rarely",
                500,
                &[(0, 0.6), (1, 0.38), (5, 0.014), (30, 0.004), (100, 0.002)],
            ),
            Self::new("0, 50, 100 three times", 500, &[rare(3.0, 500.0).as_slice(), &[(50, 0.0)]].concat()),
            Self::new("1..7, mostly the ends", 300, &ends),
            Self::new("0..20, falling", 2_000, &falling),
            Self::new("1..5, all alike", 60, &[(1, 1.0), (2, 1.0), (3, 1.0), (4, 1.0), (5, 1.0)]),
        ]
    }

    /// The column of a file.
    fn of_file(path: &str, column: &str, n: u64, most: u64) -> Result<Self, Box<dyn Error>> {
        let text = std::fs::read_to_string(path)?;
        let mut lines = text.lines().map(|line| line.split(',').map(|text| text.trim().trim_matches('"')));
        let place =
            lines.next().ok_or("an empty file")?.position(|name| name == column).ok_or("no such column")?;
        let mut parts: Vec<(u64, f64)> = (0..=most).map(|number| (number, 0.0)).collect();
        for mut line in lines {
            let number: f64 = line.nth(place).ok_or("a short line")?.parse()?;
            parts[(number.max(0.0) as u64).min(most) as usize].1 += 1.0;
        }
        let records = parts.iter().map(|(_, count)| count).sum::<f64>() as u64;
        Ok(Self::new(&format!("{column} of {path}"), if n == 0 { records } else { n }, &parts))
    }

    fn mean_of(&self, counts: &[f64]) -> [f64; 2] {
        let all: f64 = counts.iter().sum();
        let sum = |of: &dyn Fn(f64) -> f64| -> f64 {
            counts.iter().zip(&self.numbers).map(|(count, &number)| count * of(number as f64)).sum::<f64>()
                / all
        };
        let mean = sum(&|number| number);
        [mean, sum(&|number| (number - mean) * (number - mean))]
    }

    fn space(&self) -> Space {
        Space::new(vec![
            SpaceColumn::new("g", ["A", "B", "C"]),
            SpaceColumn::new("s", self.numbers.iter().map(ToString::to_string)),
        ])
    }

    /// The counts of records that are drawn, by group and number.
    fn draw(&self, bits: &mut SeededBits) -> Result<Vec<u64>, Box<dyn Error>> {
        let uniform = |bits: &mut SeededBits| -> Result<f64, Box<dyn Error>> {
            Ok((bits.next_u64()? >> 11) as f64 / (1_u64 << 53) as f64)
        };
        let pick = |shares: &[f64], mut at: f64| {
            let place = shares.iter().position(|share| {
                at -= share;
                at < 0.0
            });
            place.unwrap_or(0)
        };
        let mut counts = vec![0; GROUPS.len() * self.numbers.len()];
        for _ in 0..self.n {
            let group = pick(&GROUPS, uniform(bits)?);
            counts[group * self.numbers.len() + pick(&self.shares, uniform(bits)?)] += 1;
        }
        Ok(counts)
    }
}

/// Reads a release.
type Read<'a> = &'a dyn Fn(&str) -> Result<ReadingTable, Box<dyn Error>>;

/// Asks of a release what it is about.
type Ask<'a> = &'a mut dyn FnMut(Subject, Read<'_>) -> Result<(), Box<dyn Error>>;

/// How a law is released.
enum Way {
    Cells(Box<dyn Mechanism>),
    Pairs(Box<PlannedMargins>),
}

impl Way {
    const ALL: [&'static str; 7] =
        ["lattice", "geometric", "lshist", "lsdim", "lszhang", "geometric, n private", "margins"];

    fn new(name: &str, law: &Scored, epsilon: &str) -> Result<Self, Box<dyn Error>> {
        let space = law.space();
        if name == "margins" {
            let terms = MarginsTerms::new(Which::all(2), epsilon.parse()?, "1e-9".parse()?);
            let columns = space.columns().iter();
            let columns = columns.map(|column| Column::new(&column.name, column.values.clone()));
            let plan = MarginsPublisher::new(terms).plan(Question::new(columns.collect()))?;
            return Ok(Self::Pairs(Box::new(plan)));
        }
        let prior = Prior::new(vec![1.0; space.cells()])?;
        let setting = match name.strip_suffix(", n private") {
            Some(_) => Setting::of_private_n(prior, Terms::MOST, epsilon.parse()?)?,
            None => Setting::new(prior, law.n, epsilon.parse()?)?,
        };
        let spec: posterity::Spec = name.trim_end_matches(", n private").parse()?;
        Ok(Self::Cells(spec.fit(setting)?))
    }

    /// Reads a release of these counts.
    fn read(&self, law: &Scored, counts: &[u64], seed: u64, ask: Ask<'_>) -> Result<(), Box<dyn Error>> {
        let usual = Ways::new(0.95)?;
        let ways = |about| Ways { about, ..usual };
        for about in [Subject::Population, Subject::Records] {
            match self {
                Self::Cells(mechanism) => {
                    let bits = &mut SeededBits::new(seed);
                    let drawn = mechanism.draw(&Counts::new(counts.to_vec())?, bits)?;
                    let additive = mechanism.additive().ok_or("additive noise")?;
                    let sums = Sums::of_setting(drawn.as_slice().to_vec(), mechanism.setting(), additive);
                    let posterior = Law::Plain(mechanism.setting().prior().distribution().clone());
                    let reader = Reader::new(law.space(), posterior, ways(about))?;
                    let reader = reader.with_sums(Arc::new(sums), false).confidence_alone();
                    ask(about, &|text| Ok(reader.read(&text.parse()?)?))?;
                }
                Self::Pairs(plan) => {
                    let all: Vec<u64> = (0..law.numbers.len())
                        .map(|number| {
                            (0..GROUPS.len()).map(|group| counts[group * law.numbers.len() + number]).sum()
                        })
                        .collect();
                    let groups: Vec<u64> =
                        counts.chunks(law.numbers.len()).map(|row| row.iter().sum()).collect();
                    let table = |set: &Vec<usize>| match set.as_slice() {
                        [] => vec![law.n],
                        [0] => groups.clone(),
                        [1] => all.clone(),
                        _ => counts.to_vec(),
                    };
                    let tables = plan.sets().iter().map(table).collect();
                    let counted = CountedMargins { tables, n: law.n, rows_scanned: None };
                    let document = (**plan).clone().counted(counted, None, None, Randomness::System)?;
                    let document = document.experiment(seed)?;
                    let document = document.with_readings(ways(about), Vec::new(), Vec::new())?;
                    ask(about, &|text| Ok(document.answer().read(&text.parse()?)?))?;
                }
            }
        }
        Ok(())
    }

    /// The variance of the noise of `sum (s - mean) y` over some cells, by whoever knows the mechanism.
    fn noise(&self, law: &Scored, mean: f64, within: bool) -> f64 {
        let mut weights = law.numbers.iter().map(|&number| number as f64 - mean);
        let squares: f64 = weights.clone().map(|weight| weight * weight).sum();
        let Self::Cells(mechanism) = self else { return f64::NAN };
        let Some(additive) = mechanism.additive() else { return f64::NAN };
        let one = additive.noise.folded(1).map_or(f64::NAN, |law| law.variance());
        let (size, groups) = (law.numbers.len() as f64, GROUPS.len() as f64);
        // What is known of all noise takes a constant away from the weights.
        let (sum, inside) = (weights.clone().sum::<f64>(), if within { 1.0 } else { groups });
        let last = weights.next_back().unwrap_or(0.0);
        let (known, noised) = match (additive.remainder, mechanism.setting().n_is_private()) {
            (_, true) => return one * inside * squares,
            (None, _) => (inside * sum / (size * groups), size * groups),
            // The last cell takes what the others leave; it is in the smallest group.
            (Some(_), _) if !within => (last, size * groups),
            (Some(_), _) => (0.0, size * groups),
        };
        one * (inside * (squares - 2.0 * known * sum) + known * known * noised)
    }
}

/// What was found of one kind of row.
#[derive(Default)]
struct Found {
    held: u64,
    rows: u64,
    width: f64,
    oracle: f64,
}

impl Found {
    /// How many intervals hold, and how wide they are beside those of an oracle.
    fn cell(&self) -> String {
        let rows = self.rows.max(1) as f64;
        let held = self.held as f64 / rows;
        let error = (0.95_f64 * 0.05 / rows).sqrt();
        let mark = if held < 0.95 - 3.0 * error { " **too few**" } else { "" };
        let (width, oracle) = (self.width / rows, self.oracle / rows);
        let beside = if oracle.is_nan() { String::new() } else { format!(" : {oracle:.3}") };
        format!("{held:.3}{mark} ({width:.3}{beside})")
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let (epsilon, releases, laws) = match arguments.as_slice() {
        [epsilon, releases, path, column, n, most] => {
            (epsilon, releases.parse()?, vec![Scored::of_file(path, column, n.parse()?, most.parse()?)?])
        }
        [epsilon, more @ ..] => {
            let releases = more.first().map_or(Ok(300), |text| text.parse::<u64>())?;
            let wanted = |law: &Scored| more.get(1).is_none_or(|part| law.name.contains(part.as_str()));
            (epsilon, releases, Scored::all().into_iter().filter(wanted).collect())
        }
        [] => return Err("give EPSILON [RELEASES] [LAW] [WAY]".into()),
    };
    let way = arguments.get(3).filter(|_| arguments.len() == 4).map_or("", String::as_str);
    let groups = "all | 60 % | 35 % | 5 %";
    println!("| law | n | released by | epsilon | {groups} | records: {groups} |");
    println!("|{}", "---|".repeat(12));
    let started = std::time::Instant::now();
    for law in &laws {
        for name in Way::ALL.into_iter().filter(|name| name.contains(way)) {
            let way = Way::new(name, law, epsilon)?;
            let bits = &mut SeededBits::new(11);
            let mut found: Vec<Found> = std::iter::repeat_with(Found::default).take(8).collect();
            for seed in 0..releases {
                let counts = law.draw(bits)?;
                way.read(law, &counts, seed, &mut |about, read| {
                    let place = 4 * usize::from(about == Subject::Records);
                    let group = |index: usize| -> Vec<f64> {
                        let size = law.numbers.len();
                        counts[index * size..(index + 1) * size].iter().map(|&count| count as f64).collect()
                    };
                    let all: Vec<f64> = (0..law.numbers.len())
                        .map(|number| (0..GROUPS.len()).map(|index| group(index)[number]).sum())
                        .collect();
                    let rows = [read("mean(s)")?.rows, read("mean(s) | g")?.rows].concat();
                    for (index, row) in rows.iter().enumerate() {
                        let records = if index == 0 { all.clone() } else { group(index - 1) };
                        let size: f64 = records.iter().sum();
                        if size <= 0.0 {
                            continue;
                        }
                        let [truth, variance] = match about {
                            Subject::Population => law.mean_of(&law.shares),
                            Subject::Records => law.mean_of(&records),
                        };
                        let sampling = if about == Subject::Population { variance * size } else { 0.0 };
                        let Some([low, high]) = row.confidence else { return Err("no interval".into()) };
                        let one = &mut found[place + index];
                        one.held += u64::from(low - 1e-9 <= truth && truth <= high + 1e-9);
                        one.rows += 1;
                        one.width += high - low;
                        one.oracle +=
                            2.0 * 1.959_964 * (sampling + way.noise(law, truth, index > 0)).sqrt() / size;
                    }
                    Ok(())
                })?;
            }
            eprintln!("{}, {name}: {:.0} s", law.name, started.elapsed().as_secs_f64());
            let cells: Vec<String> = found.iter().map(Found::cell).collect();
            println!("| {} | {} | {name} | {epsilon} | {} |", law.name, law.n, cells.join(" | "));
        }
    }
    Ok(())
}
