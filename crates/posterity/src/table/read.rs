//! From a reading to its rows.

use posterity_core::model::Dirichlet;
use posterity_core::table::{Block, Draws, Grouping, Shares};

use super::error::ReadingError;
use super::labels::Labels;
use super::names::set_text;
use super::reader::{Law, Reader};
use super::reading::Reading;
use super::rows::{ReadingMethod, ReadingRow, ReadingTable, Statistic};
use super::space::Space;
use super::term::{Selection, Term};

impl Reader {
    /// Reads one table of shares or means.
    ///
    /// # Errors
    /// [`ReadingError`] if the release has no such column or value.
    pub fn read(&self, reading: &Reading) -> Result<ReadingTable, ReadingError> {
        read(self, reading)
    }
}

impl Reading {
    /// Checks that a release with these cells can be read in this way. It needs no release, so it can be done before
    /// one is drawn.
    ///
    /// # Errors
    /// [`ReadingError`] as [`Reader::read`].
    pub fn check(&self, space: &Space) -> Result<(), ReadingError> {
        match self.mean_of() {
            Some(column) => numbers(space, self, column).map(|_| ()),
            None => {
                refuse_same(self.shares_of(), self.given())?;
                Layout::new(space, self.shares_of(), self.given(), &|| self.to_string()).map(|_| ())
            }
        }
    }
}

fn read(reader: &Reader, reading: &Reading) -> Result<ReadingTable, ReadingError> {
    let names = |terms: &[Term]| terms.iter().map(|term| term.column.clone()).collect::<Vec<_>>();
    let (of, statistic) = match reading.mean_of() {
        Some(column) => (vec![column.to_owned()], Statistic::Mean),
        None => (names(reading.shares_of()), Statistic::Share),
    };
    let rows = match statistic {
        Statistic::Share => shares(reader, reading)?,
        Statistic::Mean => means(reader, reading, &of[0])?,
    };
    let drawn = rows.method == ReadingMethod::Draws;
    Ok(ReadingTable {
        reading: reading.clone(),
        of,
        given: names(reading.given()),
        statistic,
        method: rows.method,
        error: rows.error,
        draws: drawn.then_some(reader.draws),
        seed: drawn.then_some(reader.seed),
        level: reader.level,
        rows: rows.rows,
    })
}

/// Rows with how they were computed.
struct Rows {
    rows: Vec<ReadingRow>,
    method: ReadingMethod,
    error: f64,
}

/// The cells of each condition, by what is asked of them.
pub(super) struct Layout {
    pub(super) blocks: Vec<Block>,
    /// For each block, its condition and the cells that are asked for.
    pub(super) labels: Vec<(Labels, Vec<Labels>)>,
}

impl Layout {
    pub(super) fn new(
        space: &Space,
        of: &[Term],
        given: &[Term],
        text: &dyn Fn() -> String,
    ) -> Result<Self, ReadingError> {
        let (of, given) = (Choices::new(space, of)?, Choices::new(space, given)?);
        let mut blocks: Vec<(Vec<Vec<usize>>, Vec<usize>)> =
            vec![(vec![Vec::new(); of.len()], Vec::new()); given.len()];
        for cell in 0..space.cells() {
            let Some(block) = given.of_cell(space, cell) else { continue };
            match of.of_cell(space, cell) {
                Some(group) => blocks[block].0[group].push(cell),
                None => blocks[block].1.push(cell),
            }
        }
        let mut layout = Self { blocks: Vec::new(), labels: Vec::new() };
        for (block, (groups, others)) in blocks.into_iter().enumerate() {
            // A column that stands on both sides has values that the condition excludes.
            let asked = groups.into_iter().enumerate().filter(|(_, cells)| !cells.is_empty());
            let (labels, asked): (Vec<Labels>, Vec<Vec<usize>>) =
                asked.map(|(group, cells)| (of.labels(group), cells)).unzip();
            if !asked.is_empty() {
                layout.blocks.push(Block::new(asked, others));
                layout.labels.push((given.labels(block), labels));
            }
        }
        if layout.blocks.is_empty() {
            return Err(ReadingError::NoCells { reading: text() });
        }
        Ok(layout)
    }

    pub(super) fn grouping(self, space: &Space) -> Result<Grouping, ReadingError> {
        Grouping::new(space.all_cells(), self.blocks)
            .map_err(|error| ReadingError::Document { reason: error.to_string() })
    }
}

/// The combinations of the choices of some terms.
struct Choices {
    terms: Vec<Choice>,
}

/// The choices of one term.
struct Choice {
    name: String,
    column: usize,
    /// The name of each choice.
    labels: Vec<String>,
    /// For each value of the column, its choice.
    of_value: Vec<Option<usize>>,
}

impl Choices {
    fn new(space: &Space, terms: &[Term]) -> Result<Self, ReadingError> {
        let terms = terms.iter().map(|term| Choice::new(space, term)).collect::<Result<Vec<_>, _>>()?;
        for (index, term) in terms.iter().enumerate() {
            if terms[..index].iter().any(|other| other.column == term.column) {
                return Err(ReadingError::Repeated { what: term.name.clone() });
            }
        }
        Ok(Self { terms })
    }

    fn len(&self) -> usize {
        self.terms.iter().map(|term| term.labels.len()).product()
    }

    /// The combination that a cell belongs to.
    fn of_cell(&self, space: &Space, cell: usize) -> Option<usize> {
        self.terms.iter().try_fold(0, |index, term| {
            let choice = term.of_value[space.value(cell, term.column)]?;
            Some(index * term.labels.len() + choice)
        })
    }

    fn labels(&self, index: usize) -> Labels {
        let mut rest = index;
        let mut labels: Vec<(String, String)> = self
            .terms
            .iter()
            .rev()
            .map(|term| {
                let choice = rest % term.labels.len();
                rest /= term.labels.len();
                (term.name.clone(), term.labels[choice].clone())
            })
            .collect();
        labels.reverse();
        labels.into_iter().collect()
    }
}

impl Choice {
    fn new(space: &Space, term: &Term) -> Result<Self, ReadingError> {
        let column = space.column(&term.column)?;
        let known = &space.columns()[column];
        let name = term.column.clone();
        Ok(match &term.selection {
            Selection::Each => {
                let of_value = (0..known.values.len()).map(Some).collect();
                Self { name, column, labels: known.values.clone(), of_value }
            }
            Selection::Set(values) => {
                let mut of_value = vec![None; known.values.len()];
                for value in values {
                    of_value[known.position(value)?] = Some(0);
                }
                let label = match values.as_slice() {
                    [only] => only.clone(),
                    several => set_text(several),
                };
                Self { name, column, labels: vec![label], of_value }
            }
        })
    }
}

/// Refuses a column each of whose values is both asked for and given.
fn refuse_same(of: &[Term], given: &[Term]) -> Result<(), ReadingError> {
    let each = |term: &&Term| term.selection == Selection::Each;
    let both = given.iter().filter(each).find(|term| of.iter().any(|asked| asked.column == term.column));
    both.map_or(Ok(()), |term| Err(ReadingError::Repeated { what: term.column.clone() }))
}

fn shares(reader: &Reader, reading: &Reading) -> Result<Rows, ReadingError> {
    refuse_same(reading.shares_of(), reading.given())?;
    let space = &reader.space;
    let layout = Layout::new(space, reading.shares_of(), reading.given(), &|| reading.to_string())?;
    let labels = layout.labels.clone();
    let grouping = layout.grouping(space)?;
    let summaries = Summaries::new(reader, &grouping)?;
    let rows = labels.into_iter().zip(summaries.rows).flat_map(|((given, cells), summaries)| {
        cells.into_iter().zip(summaries).map(move |(cell, (mean, interval))| ReadingRow {
            given: given.clone(),
            cell,
            mean,
            interval,
        })
    });
    Ok(Rows { rows: rows.collect(), method: summaries.method, error: summaries.error })
}

/// The mean and the interval of every share of a grouping.
pub(super) struct Summaries {
    pub(super) rows: Vec<Vec<(f64, [f64; 2])>>,
    pub(super) method: ReadingMethod,
    pub(super) error: f64,
}

impl Summaries {
    pub(super) fn new(reader: &Reader, grouping: &Grouping) -> Result<Self, ReadingError> {
        let aware = match &reader.law {
            Law::Plain(plain) => return Self::plain(plain, grouping, reader.level),
            Law::Aware(aware) => aware,
        };
        if let [block] = grouping.blocks()
            && grouping.rest().is_empty()
            && block.others().is_empty()
            && block.asked().iter().all(|cells| cells.len() == 1)
        {
            // The cells themselves.
            let (mean, intervals) = (aware.mean(), aware.intervals(reader.level)?);
            let row = |cells: &Vec<usize>| (mean[cells[0]], intervals[cells[0]]);
            let rows = vec![block.asked().iter().map(row).collect()];
            return Ok(Self { rows, method: ReadingMethod::Exact, error: aware.error_up() });
        }
        let summaries = Shares::new(aware, grouping).summaries(reader.level)?;
        let mut error: f64 = 0.0;
        let mut rows = Vec::with_capacity(summaries.len());
        for block in summaries {
            let mut row = Vec::with_capacity(block.len());
            for summary in block {
                let Ok(summary) = summary else { return Ok(Self::drawn(reader, grouping)) };
                error = error.max(summary.error);
                row.push((summary.mean, summary.interval));
            }
            rows.push(row);
        }
        Ok(Self { rows, method: ReadingMethod::Exact, error })
    }

    /// The shares of a Dirichlet distribution are Beta distributed.
    fn plain(plain: &Dirichlet, grouping: &Grouping, level: f64) -> Result<Self, ReadingError> {
        let sum = |cells: &mut dyn Iterator<Item = &usize>| {
            cells.map(|&cell| plain.parameters()[cell]).sum::<f64>()
        };
        let share = |inside: f64, beside: f64| -> Result<(f64, [f64; 2]), ReadingError> {
            let two = Dirichlet::new(vec![inside, beside]);
            let Ok(two) = two else { return Ok((1.0, [1.0, 1.0])) };
            Ok((two.mean()[0], two.intervals(level)?[0]))
        };
        let block = |block: &Block| {
            let row = |(index, group): (usize, &Vec<usize>)| {
                let others = block.asked().iter().enumerate().filter(|(other, _)| *other != index);
                let beside = others.flat_map(|(_, cells)| cells).chain(block.others());
                share(sum(&mut group.iter()), sum(&mut beside.into_iter()))
            };
            block.asked().iter().enumerate().map(row).collect::<Result<Vec<_>, _>>()
        };
        let rows = grouping.blocks().iter().map(block).collect::<Result<Vec<_>, _>>()?;
        Ok(Self { rows, method: ReadingMethod::WithoutNoise, error: 0.0 })
    }

    fn drawn(reader: &Reader, grouping: &Grouping) -> Self {
        let draws = reader.sampler(grouping).map(reader.draws, reader.seed, Clone::clone);
        let mut error: f64 = 0.0;
        let mut rows = Vec::new();
        for (block, cells) in grouping.blocks().iter().enumerate() {
            let mut row = Vec::new();
            for group in 0..cells.asked().len() {
                let expected = draws.iter().map(|draw| draw.expected[block][group]).sum::<f64>();
                let sample = Sample::new(draws.iter().map(|draw| draw.shares[block][group]).collect());
                error = error.max(sample.interval_error(reader.level));
                row.push((expected / draws.len() as f64, sample.interval(reader.level)));
            }
            rows.push(row);
        }
        Self { rows, method: ReadingMethod::Draws, error }
    }
}

impl Reader {
    pub(super) fn sampler(&self, grouping: &Grouping) -> Draws {
        match &self.law {
            Law::Aware(aware) => Draws::new(aware, grouping),
            Law::Plain(plain) => Draws::of_dirichlet(plain, grouping),
        }
    }
}

/// Draws of one number, in their order.
pub(super) struct Sample {
    sorted: Vec<f64>,
}

impl Sample {
    pub(super) fn new(mut values: Vec<f64>) -> Self {
        values.sort_unstable_by(f64::total_cmp);
        Self { sorted: values }
    }

    fn at(&self, rank: f64) -> f64 {
        // The cast saturates.
        self.sorted[(rank.max(0.0) as usize).min(self.sorted.len() - 1)]
    }

    pub(super) fn quantile(&self, p: f64) -> f64 {
        self.at(p * self.sorted.len() as f64)
    }

    pub(super) fn interval(&self, level: f64) -> [f64; 2] {
        [self.quantile(0.5 - 0.5 * level), self.quantile(0.5 + 0.5 * level)]
    }

    /// The standard error of a quantile: its rank varies by `sqrt(N p (1-p))`.
    pub(super) fn quantile_error(&self, p: f64) -> f64 {
        let count = self.sorted.len() as f64;
        let (rank, step) = (p * count, (count * p * (1.0 - p)).sqrt());
        0.5 * (self.at(rank + step) - self.at(rank - step))
    }

    /// The larger of the standard errors of both ends.
    pub(super) fn interval_error(&self, level: f64) -> f64 {
        self.quantile_error(0.5 - 0.5 * level).max(self.quantile_error(0.5 + 0.5 * level))
    }
}

/// The cells of each condition by the value of a column of numbers, and these numbers.
fn numbers(space: &Space, reading: &Reading, column: &str) -> Result<(Layout, Vec<Vec<f64>>), ReadingError> {
    let of = Term::each(column);
    refuse_same(std::slice::from_ref(&of), reading.given())?;
    let layout = Layout::new(space, &[of], reading.given(), &|| reading.to_string())?;
    let number = |cell: &Labels| {
        let text = cell.get(column).unwrap_or_default();
        let number = text.trim().parse::<f64>().ok().filter(|number| number.is_finite());
        number.ok_or_else(|| ReadingError::NotNumeric { column: column.to_owned(), value: text.to_owned() })
    };
    let numbers = layout.labels.iter().map(|(_, cells)| cells.iter().map(number).collect());
    let numbers = numbers.collect::<Result<Vec<Vec<f64>>, ReadingError>>()?;
    Ok((layout, numbers))
}

/// The mean of a column of numbers within each condition: its expectation is exact, and with two values so is the
/// interval.
fn means(reader: &Reader, reading: &Reading, column: &str) -> Result<Rows, ReadingError> {
    let (layout, numbers) = numbers(&reader.space, reading, column)?;
    let labels = layout.labels.clone();
    let grouping = layout.grouping(&reader.space)?;
    let summaries = Summaries::new(reader, &grouping)?;
    let (mut method, mut error) = (summaries.method, summaries.error);
    let mut found: Vec<Option<(f64, [f64; 2])>> = Vec::new();
    for (numbers, rows) in numbers.iter().zip(&summaries.rows) {
        let mean = numbers.iter().zip(rows).map(|(number, (mean, _))| number * mean).sum::<f64>();
        // The mean of two values is a share, stretched.
        found.push(match (numbers.as_slice(), rows.as_slice()) {
            ([only], _) => Some((*only, [*only, *only])),
            ([a, b], [(_, interval), _]) => {
                let [one, other] = interval.map(|share| b + (a - b) * share);
                Some((mean, [one.min(other), one.max(other)]))
            }
            _ => {
                method = if method == ReadingMethod::Exact { ReadingMethod::Draws } else { method };
                Some((mean, [f64::NAN; 2]))
            }
        });
    }
    if found.iter().flatten().any(|(_, interval)| interval[0].is_nan()) {
        let value = |draw: &posterity_core::table::Draw| -> Vec<f64> {
            let shares = draw.shares.iter().zip(&numbers);
            shares.map(|(shares, numbers)| shares.iter().zip(numbers).map(|(s, n)| s * n).sum()).collect()
        };
        let draws = reader.sampler(&grouping).map(reader.draws, reader.seed, value);
        error = 0.0;
        for (block, found) in found.iter_mut().enumerate() {
            let Some((_, interval)) = found else { continue };
            if interval[0].is_nan() {
                let sample = Sample::new(draws.iter().map(|values| values[block]).collect());
                *interval = sample.interval(reader.level);
                error = error.max(sample.interval_error(reader.level));
            }
        }
    }
    let rows = labels.into_iter().zip(found).filter_map(|((given, _), found)| {
        let (mean, interval) = found?;
        Some(ReadingRow { given, cell: Labels::default(), mean, interval })
    });
    Ok(Rows { rows: rows.collect(), method, error })
}
