//! How often intervals hold the truth on a real table: the file is the population, records are drawn from it with
//! replacement and released, and shares, shares within groups and differences are read.
//!
//! `cargo run --release --example coverage -- FILE COLUMNS N EPSILON [RELEASES] [PRIOR]`
//!
//! FILE is a CSV with a header line. COLUMNS are names or numbers from 0, separated by commas; each has the values that
//! the file has. N is the number of records, or 0 for as many as the file has. For each kind of row it prints how many
//! intervals hold, with the standard error over releases, and their mean width; beside them the plain interval of the
//! noisy counts (Wald) and the width without noise. PRIOR is the parameter of every cell, from which credible intervals
//! then come; without it they come from the reading's own prior. With `add-remove` in its place n is private, and the
//! intervals know nothing of it. With `margins` in its place all pairs of the columns are released at once, with a delta of
//! 1e-9; of each release eight pairs are read and one difference, and there is no Wald interval. Columns of three or more
//! numbers have means within the values of another column. With `differences` in its place eight differences of such a
//! release are read and nothing else, with confidence intervals only.

use std::collections::{BTreeMap, BTreeSet};
use std::error::Error;
use std::sync::Arc;

use posterity::data::{Column, CountedMargins, Question};
use posterity::margins::{MarginsDocument, MarginsPublisher, MarginsTerms, PlannedMargins, Which};
use posterity::table::{IntervalKind, Law, Space, SpaceColumn, Ways};
use posterity::{Adjacency, Contrasted, Randomness, Reader, ReadingError, ReadingTable, Terms};
use posterity_core::confidence::Sums;
use posterity_core::decode::noise_aware;
use posterity_core::model::{Counts, Prior, Setting};
use posterity_core::sampler::{BitSource, SeededBits};

/// What was found of one kind of row, by confidence, credible and Wald intervals.
#[derive(Default)]
struct Found {
    /// The part of the intervals that hold, for each release.
    releases: Vec<[f64; 3]>,
    widths: [f64; 4],
    rows: f64,
    /// Of the release at hand: how many hold, and how many there are.
    now: ([f64; 3], f64),
}

impl Found {
    fn add(&mut self, truth: f64, intervals: [[f64; 2]; 3], without_noise: f64) {
        for (index, [low, high]) in intervals.into_iter().enumerate() {
            self.now.0[index] += f64::from(u8::from(low - 1e-12 <= truth && truth <= high + 1e-12));
            self.widths[index] += high - low;
        }
        self.widths[3] += without_noise;
        self.rows += 1.0;
        self.now.1 += 1.0;
    }

    fn end_release(&mut self) {
        let (held, rows) = std::mem::take(&mut self.now);
        if rows > 0.0 {
            self.releases.push(held.map(|held| held / rows));
        }
    }

    fn line(&self, what: &str) -> String {
        let number = self.releases.len() as f64;
        let kind = |index: usize| {
            let mean = self.releases.iter().map(|one| one[index]).sum::<f64>() / number;
            let squares = self.releases.iter().map(|one| (one[index] - mean).powi(2)).sum::<f64>();
            let error = squares.sqrt() / number;
            let width = self.widths[index] / self.rows;
            if width.is_nan() { String::new() } else { format!("{mean:.4} +- {error:.4} ({width:.5})") }
        };
        let without = self.widths[3] / self.rows;
        let [confidence, credible, wald] = [0, 1, 2].map(kind);
        format!("| {what} | {} | {confidence} | {credible} | {wald} | {without:.5} |", self.rows)
    }
}

/// A table of a file, as a population.
struct Population {
    space: Space,
    shares: Vec<f64>,
    records: u64,
}

/// Which value each of some columns has.
type Values = BTreeMap<usize, usize>;

impl Population {
    fn read(path: &str, columns: &str) -> Result<Self, Box<dyn Error>> {
        let text = std::fs::read_to_string(path)?;
        let mut lines = text.lines().map(|line| line.split(',').map(str::trim).collect::<Vec<_>>());
        let header = lines.next().ok_or("an empty file")?;
        let place = |name: &str| {
            let known = header.iter().position(|one| *one == name);
            known.or_else(|| name.parse().ok().filter(|index| *index < header.len()))
        };
        let columns: Vec<usize> = columns.split(',').filter_map(place).collect();
        let rows: Vec<Vec<&str>> = lines.collect();
        let column = |(index, place): (usize, &usize)| {
            let values: BTreeSet<&str> = rows.iter().map(|row| row[*place]).collect();
            SpaceColumn::new(format!("c{index}"), values)
        };
        let space = Space::new(columns.iter().enumerate().map(column).collect());
        let mut shares = vec![0.0; space.cells()];
        for row in &rows {
            let cell = columns.iter().zip(space.columns()).try_fold(0, |cell, (place, known)| {
                let value = known.values.iter().position(|value| value == row[*place])?;
                Some(cell * known.values.len() + value)
            });
            shares[cell.ok_or("a value")?] += 1.0 / rows.len() as f64;
        }
        Ok(Self { space, shares, records: rows.len() as u64 })
    }

    fn share(&self, wanted: &Values) -> f64 {
        let inside = |cell: &usize| wanted.iter().all(|(&c, &value)| self.space.value(*cell, c) == value);
        (0..self.shares.len()).filter(inside).map(|cell| self.shares[cell]).sum()
    }

    /// How many cells have these values.
    fn cells(&self, wanted: &Values) -> f64 {
        let fixed: usize = wanted.keys().map(|&column| self.space.columns()[column].values.len()).product();
        (self.space.cells() / fixed) as f64
    }

    /// The values that labels name.
    fn values<'a>(&self, labels: impl Iterator<Item = (&'a str, &'a str)>) -> Values {
        let known = |(name, value): (&str, &str)| {
            let column = self.space.columns().iter().position(|column| column.name == name)?;
            let value = self.space.columns()[column].values.iter().position(|known| known == value)?;
            Some((column, value))
        };
        labels.filter_map(known).collect()
    }
}

/// The normal interval around an estimate from noisy counts, with the variance of the noise.
fn wald(estimate: Option<f64>, count: f64, [group, others, all]: [f64; 3], epsilon: f64) -> [f64; 2] {
    let q = (-0.5 * epsilon).exp();
    let one = 2.0 * q / ((1.0 - q) * (1.0 - q));
    let Some(p) = estimate else { return [0.0, 1.0] };
    let within = p.clamp(0.0, 1.0);
    let sum = (1.0 - within) * group - within * others;
    let noise = one * ((1.0 - within).powi(2) * group + within * within * others - sum * sum / all);
    let half = 1.959_964 * (within * (1.0 - within) / count + noise / (count * count)).sqrt();
    [p - half, p + half]
}

fn size(count: f64) -> &'static str {
    match count {
        count if count < 0.5 => "none",
        count if count < 20.0 => "under 20",
        _ => "20 or more",
    }
}

/// What is read.
enum Released {
    Cells(Box<Reader>),
    Pairs(Box<MarginsDocument>),
}

impl Released {
    fn read(&self, text: &str) -> Result<ReadingTable, ReadingError> {
        match self {
            Self::Cells(reader) => reader.read(&text.parse()?),
            Self::Pairs(document) => document.answer().read(&text.parse()?),
        }
    }

    fn contrast(&self, text: &str) -> Result<Contrasted, ReadingError> {
        match self {
            Self::Cells(reader) => reader.contrast(&text.parse()?),
            Self::Pairs(document) => document.answer().contrast(&text.parse()?),
        }
    }
}

/// All pairs of the columns.
struct Pairs(PlannedMargins);

impl Pairs {
    fn new(space: &Space, epsilon: &str, interval: IntervalKind) -> Result<Self, Box<dyn Error>> {
        let mut terms = MarginsTerms::new(Which::all(2), epsilon.parse()?, "1e-9".parse()?);
        terms.ways.interval = interval;
        let columns = space.columns().iter().map(|column| Column::new(&column.name, column.values.clone()));
        Ok(Self(MarginsPublisher::new(terms).plan(Question::new(columns.collect()))?))
    }

    fn release(&self, space: &Space, counts: &[u64], seed: u64) -> Result<MarginsDocument, Box<dyn Error>> {
        let table = |set: &Vec<usize>| {
            let size = |column: usize| space.columns()[column].values.len();
            let mut table = vec![0; set.iter().map(|&column| size(column)).product()];
            for (cell, &count) in counts.iter().enumerate().filter(|(_, count)| **count > 0) {
                let place = |place, &column: &usize| place * size(column) + space.value(cell, column);
                table[set.iter().fold(0, place)] += count;
            }
            table
        };
        let tables = self.0.sets().iter().map(table).collect();
        let counted = CountedMargins { tables, n: counts.iter().sum(), rows_scanned: None };
        Ok(self.0.clone().counted(counted, None, None, Randomness::System)?.experiment(seed)?)
    }
}

struct Trial<'a> {
    population: &'a Population,
    released: Released,
    n: f64,
    epsilon: f64,
}

impl Trial<'_> {
    /// Reads the mean of a column within the values of another.
    fn means(
        &self,
        of: usize,
        given: usize,
        found: &mut BTreeMap<String, Found>,
    ) -> Result<(), Box<dyn Error>> {
        let population = self.population;
        let values = population.space.columns()[of].values.iter();
        let Ok(numbers) = values.map(|value| value.parse::<f64>()).collect::<Result<Vec<f64>, _>>() else {
            return Ok(());
        };
        if numbers.len() < 3 {
            return Ok(());
        }
        for row in &self.released.read(&format!("mean(c{of}) | c{given}"))?.rows {
            let within = population.values(row.given.iter());
            let whole = population.share(&within);
            let Some(confidence) = row.confidence.filter(|_| whole > 0.0) else { continue };
            let moment = |power: i32| -> f64 {
                let share = |value: usize| {
                    population.share(&within.clone().into_iter().chain([(of, value)]).collect()) / whole
                };
                numbers.iter().enumerate().map(|(value, number)| share(value) * number.powi(power)).sum()
            };
            let truth = moment(1);
            let without = 2.0 * 1.959_964 * ((moment(2) - truth * truth) / (whole * self.n)).sqrt();
            let entry = found.entry(format!("mean within, {}", size(whole * self.n))).or_default();
            entry.add(truth, [confidence, row.credible, [f64::NAN; 2]], without);
        }
        Ok(())
    }

    /// Reads `c0`, `c0, c1` or `c0 | c1`.
    fn read(&self, text: &str, found: &mut BTreeMap<String, Found>) -> Result<(), Box<dyn Error>> {
        let (population, n) = (self.population, self.n);
        for row in &self.released.read(text)?.rows {
            let given = population.values(row.given.iter());
            let both: Values = given.clone().into_iter().chain(population.values(row.cell.iter())).collect();
            let whole = population.share(&given);
            let Some(confidence) = row.confidence.filter(|_| whole > 0.0) else { continue };
            let truth = population.share(&both) / whole;
            let (kind, count) = if given.is_empty() { ("share", truth * n) } else { ("within", whole * n) };
            let cells = [&both, &given].map(|values| population.cells(values));
            let all = population.space.cells() as f64;
            let sizes = [cells[0], cells[1] - cells[0], all];
            let wald = match self.released {
                Released::Cells(_) => wald(row.estimate, whole * n, sizes, self.epsilon),
                Released::Pairs(_) => [f64::NAN; 2],
            };
            let without = 2.0 * 1.959_964 * (truth * (1.0 - truth) / (whole * n)).sqrt();
            let entry = found.entry(format!("{kind}, {}", size(count))).or_default();
            entry.add(truth, [confidence, row.credible, wald], without.min(1.0));
        }
        Ok(())
    }

    /// The difference of two shares within the first two values of a column.
    fn compare(
        &self,
        of: usize,
        given: usize,
        found: &mut BTreeMap<String, Found>,
    ) -> Result<(), Box<dyn Error>> {
        let columns = self.population.space.columns();
        let quoted = |column: usize, value: usize| format!("\"{}\"", columns[column].values[value]);
        let (first, second) = (quoted(given, 0), quoted(given, 1));
        let text = format!("c{of}={} | c{given}: {first} - {second}", quoted(of, 0));
        let compared = self.released.contrast(&text)?;
        let whole = [0, 1].map(|value| self.population.share(&Values::from([(given, value)])));
        let both = [0, 1].map(|value| self.population.share(&Values::from([(given, value), (of, 0)])));
        let measured = &compared.measures[0];
        if let (Some(confidence), true) = (measured.confidence, whole.iter().all(|share| *share > 0.0)) {
            let shares = [both[0] / whole[0], both[1] / whole[1]];
            let variance: f64 = (0..2).map(|i| shares[i] * (1.0 - shares[i]) / (whole[i] * self.n)).sum();
            let wide = 2.0 * 1.959_964 * variance.sqrt();
            let smallest = self.n * whole[0].min(whole[1]);
            let entry = found.entry(format!("difference, {}", size(smallest))).or_default();
            entry.add(shares[0] - shares[1], [confidence, measured.credible, [f64::NAN; 2]], wide.min(2.0));
        }
        Ok(())
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [path, columns, n, epsilon, more @ ..] = arguments.as_slice() else {
        return Err("give FILE COLUMNS N EPSILON [RELEASES] [PRIOR]".into());
    };
    let population = Population::read(path, columns)?;
    let cells = population.space.cells();
    let n = Some(n.parse()?).filter(|n| *n > 0).unwrap_or(population.records);
    let releases: u64 = more.first().map_or(Ok(500), |text| text.parse())?;
    let is = |word: &str| more.get(1).is_some_and(|text| text == word);
    let (private, differences) = (is("add-remove"), is("differences"));
    let pairs = (is("margins") || differences).then(|| {
        // Rows with credible intervals have the others too.
        let interval = if differences { IntervalKind::Confidence } else { IntervalKind::Credible };
        Pairs::new(&population.space, epsilon, interval)
    });
    let pairs = pairs.transpose()?;
    let other = private || pairs.is_some();
    let stated: Option<f64> = more.get(1).filter(|_| !other).map(|text| text.parse()).transpose()?;
    let prior = Prior::new(vec![stated.unwrap_or(1.0); cells])?;
    let adjacency = if private { Adjacency::AddRemove } else { Adjacency::Replace };
    let setting = match adjacency {
        Adjacency::Replace => Setting::new(prior.clone(), n, epsilon.parse()?)?,
        Adjacency::AddRemove => Setting::of_private_n(prior.clone(), Terms::MOST, epsilon.parse()?)?,
    };
    let mechanism = Terms::usual_mechanism(adjacency).fit(setting)?;
    let mut below = population.shares.clone();
    (1..cells).for_each(|cell| below[cell] += below[cell - 1]);
    let bits = &mut SeededBits::new(7);
    let mut found: BTreeMap<String, Found> = BTreeMap::new();
    let started = std::time::Instant::now();
    for release in 0..releases {
        let mut counts = vec![0; cells];
        for _ in 0..n {
            let u = (bits.next_u64()? >> 11) as f64 / (1_u64 << 53) as f64 * below[cells - 1];
            counts[below.partition_point(|&sum| sum <= u).min(cells - 1)] += 1;
        }
        let released = match &pairs {
            Some(pairs) => Released::Pairs(Box::new(pairs.release(&population.space, &counts, release)?)),
            None => {
                let drawn = mechanism.draw(&Counts::new(counts)?, bits)?;
                let law = match stated {
                    Some(_) => {
                        let noisy = mechanism.drawing().released(&drawn, n);
                        Law::Aware(Arc::new(noise_aware(&*mechanism, &noisy)?))
                    }
                    None => Law::Plain(prior.distribution().clone()),
                };
                let additive = mechanism.additive().ok_or("additive noise")?;
                let drawn = drawn.as_slice().to_vec();
                let sums = Arc::new(Sums::of_setting(drawn, mechanism.setting(), additive));
                let reader = Reader::new(population.space.clone(), law, Ways::new(0.95)?)?;
                let reader = reader.with_sums(sums, stated.is_some()).draws(2_000, release);
                Released::Cells(Box::new(reader))
            }
        };
        // The Wald interval has the noise of lattice, at twice the epsilon if n is private.
        let epsilon = epsilon.parse::<f64>()? * if private { 2.0 } else { 1.0 };
        let trial = Trial { population: &population, released, n: n as f64, epsilon };
        let number = population.space.columns().len() as u64;
        for pair in 0..if pairs.is_some() { 8 } else { 1 } {
            let one = (bits.next_u64()? % number) as usize;
            let other = (one + 1 + (bits.next_u64()? % (number - 1)) as usize) % number as usize;
            if differences || pair == 0 {
                trial.compare(one, other, &mut found)?;
            }
            if differences {
                continue;
            }
            for text in [format!("c{one}"), format!("c{one}, c{other}"), format!("c{one} | c{other}")] {
                trial.read(&text, &mut found)?;
            }
            if pair == 0 {
                trial.means(one, other, &mut found)?;
            }
        }
        found.values_mut().for_each(Found::end_release);
    }
    let seconds = started.elapsed().as_secs_f64();
    println!("{cells} cells, n {n}, epsilon {epsilon}, {releases} releases, {seconds:.0} s");
    println!(
        "| rows | number | confidence (width) | credible (width) | Wald (width) | width without noise |"
    );
    println!("|---|---|---|---|---|---|");
    for (what, found) in &found {
        println!("{}", found.line(what));
    }
    Ok(())
}
