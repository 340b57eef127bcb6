//! From a test to its p-value.

use posterity_core::confidence::{
    ComparedShare, GroupSum, Hypothesis, Scale, Side, Subject, Sums, Tested, Within, half_of_misses,
};
use posterity_core::table::Block;
use serde::{Deserialize, Serialize};

use super::error::ReadingError;
use super::labels::Labels;
use super::layout::{Layout, Terms};
use super::reader::Reader;
use super::rows::ReadingMethod;
use super::space::Space;
use super::term::{Selection, Term};
use super::test::{Test, TestKind};

/// What a test found.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TestResult {
    /// The test as text.
    pub test: Test,
    /// What is compared with its law: for a share its estimate, for the shares of two groups their difference, otherwise a sum
    /// of squares.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub statistic: Option<f64>,
    /// The probability of a statistic at least as far from what is claimed, if that is true. It is rounded up.
    pub p_value: f64,
    /// The standard error of the p-value, where it comes from draws; otherwise zero.
    pub error: f64,
    /// What is known of the p-value.
    pub method: ReadingMethod,
}

/// The part of a p-value that the set of counts of a condition may take.
const SET: f64 = 1e-3;

/// P-values of differences are not told apart below this.
const LEAST: f64 = 1e-6;

/// How precisely the p-value of a difference is found, relative to it.
const CLOSE: f64 = 1e-3;

impl Test {
    /// Checks that a release with these cells can be tested in this way.
    ///
    /// # Errors
    /// [`ReadingError`] if there is no such column or value, or a column has no order.
    pub fn check(&self, space: &Space) -> Result<(), ReadingError> {
        Cells::new(space, self).map(|_| ())
    }
}

impl Reader {
    /// Tests a hypothesis about the population. It costs nothing.
    ///
    /// The laws of [`Hypothesis`] are simulated by generators that depend on what was drawn, the law of its noise and the
    /// test, so that everybody gets the same p-value.
    ///
    /// # Errors
    /// [`ReadingError`] if there is no such column or value, if the noise does not add up, or if the records depend on each
    /// other.
    pub fn test(&self, test: &Test) -> Result<TestResult, ReadingError> {
        let test = &test.in_categories(&self.space)?;
        let cells = Cells::new(&self.space, test)?;
        if self.dependent {
            return Err(ReadingError::DependentTest);
        }
        let Some(sums) = &self.sums else { return Err(ReadingError::NotAdditive { what: "tests" }) };
        let seed = sums.seed(&test.to_string());
        let found = |statistic, p_value, error, method| TestResult {
            test: test.clone(),
            statistic,
            p_value,
            error,
            method,
        };
        Ok(match cells {
            Cells::Share { block, share } => {
                let (estimate, p_value) = of_share(sums, &block, share, self);
                found(estimate, p_value, 0.0, ReadingMethod::Proven)
            }
            Cells::Two(sides) => {
                let (estimate, p_value) = of_two(sums, &sides);
                // Neither the interval of the difference nor the simulated test is proven: both have to speak against it.
                let cells = sides.each_ref().map(|block| [block.asked()[0].clone(), block.others().to_vec()]);
                let [[a, b], [c, d]] = cells;
                let table = sums
                    .table(&[a, c, b, d], 2)
                    .ok_or(ReadingError::NotAdditive { what: "tests of so many cells" })?;
                let simulated = table.test(Hypothesis::Independence, seed);
                let error = if simulated.p_value > p_value { simulated.error } else { 0.0 };
                found(estimate, p_value.max(simulated.p_value), error, ReadingMethod::Measured)
            }
            Cells::Many { cells, columns, hypothesis } => {
                let table = sums
                    .table(&cells, columns)
                    .ok_or(ReadingError::NotAdditive { what: "tests of so many cells" })?;
                let one = table.test(hypothesis, seed);
                found(Some(one.statistic), one.p_value, one.error, ReadingMethod::Measured)
            }
        })
    }
}

/// The cells that a test looks at.
enum Cells {
    /// A group in its condition, and what its share is said to be.
    Share { block: Block, share: f64 },
    /// A group in each of two conditions.
    Two([Block; 2]),
    /// The groups of a table, row by row.
    Many { cells: Vec<Vec<usize>>, columns: usize, hypothesis: Hypothesis },
}

impl Cells {
    fn new(space: &Space, test: &Test) -> Result<Self, ReadingError> {
        let missing = || ReadingError::NoCells { reading: test.to_string() };
        let terms = Terms { of: &test.of, given: &test.given, of_all: test.of_all };
        let mut layout = Layout::new(space, terms, &|| test.to_string())?;
        match &test.kind {
            TestKind::Share(share) => {
                let block = layout.blocks.pop().ok_or_else(missing)?;
                // The text was made of a number.
                Ok(Self::Share { block, share: share.parse().unwrap_or(0.5) })
            }
            TestKind::Independence => {
                let answers = |term: &Term| -> Result<usize, ReadingError> {
                    let column = &space.columns()[space.column(&term.column)?];
                    Ok(if test.of_all { column.values.len() } else { column.answers().count() })
                };
                let (rows, columns) = (answers(&test.of[0])?, answers(&test.of[1])?);
                let cells = layout.blocks.pop().ok_or_else(missing)?.asked().to_vec();
                if cells.len() != rows * columns || rows < 2 || columns < 2 {
                    return Err(missing());
                }
                Ok(Self::Many { cells, columns, hypothesis: Hypothesis::Independence })
            }
            kind => {
                let trend = *kind == TestKind::Trend;
                if trend {
                    layout = in_order(space, test, layout)?;
                }
                let of_value = test.of[0].selection != Selection::Each;
                let rows = |block: &Block| -> Vec<Vec<usize>> {
                    let mut rows = block.asked().to_vec();
                    if of_value {
                        rows.push(block.others().to_vec());
                    }
                    rows
                };
                let groups: Vec<Vec<Vec<usize>>> = layout.blocks.iter().map(rows).collect();
                let count = groups.first().map_or(0, Vec::len);
                let same = groups.iter().all(|rows| rows.len() == count && !rows.iter().any(Vec::is_empty));
                if groups.len() < 2 || count < 2 || !same {
                    return Err(missing());
                }
                if let ([first, second], true, false) = (layout.blocks.as_slice(), of_value, trend) {
                    return Ok(Self::Two([first.clone(), second.clone()]));
                }
                let cells = (0..count).flat_map(|row| groups.iter().map(move |rows| rows[row].clone()));
                let hypothesis = if trend { Hypothesis::Trend } else { Hypothesis::Independence };
                Ok(Self::Many { cells: cells.collect(), columns: groups.len(), hypothesis })
            }
        }
    }
}

/// The conditions in the order of the column that has a trend.
fn in_order(space: &Space, test: &Test, mut layout: Layout) -> Result<Layout, ReadingError> {
    let free = test.given.iter().find(|term| term.selection == Selection::Each);
    let column = free.map_or("", |term| term.column.as_str());
    let known = &space.columns()[space.column(column)?];
    let place = |given: &Labels| {
        let value = given.get(column).unwrap_or_default();
        known
            .numbers(value)
            .map(|[low, _]| low)
            .ok_or_else(|| ReadingError::NoOrder { column: column.to_owned(), value: value.to_owned() })
    };
    // A category of unknown values is no group in an order.
    let is_answer = |given: &Labels| {
        let unknown = |&position: &usize| Some(known.values[position].as_str()) == given.get(column);
        !known.unknown.iter().any(unknown)
    };
    let blocks =
        layout.blocks.drain(..).zip(layout.labels.drain(..)).filter(|(_, (given, _))| is_answer(given));
    let mut placed = Vec::new();
    for (block, labels) in blocks {
        placed.push((place(&labels.0)?, block, labels));
    }
    placed.sort_by(|(one, ..), (other, ..)| one.total_cmp(other));
    for (_, block, labels) in placed {
        layout.blocks.push(block);
        layout.labels.push(labels);
    }
    Ok(layout)
}

/// The noisy counts of a group and of the others of its condition; nothing if there are no others.
fn within(sums: &Sums, block: &Block) -> Option<Within> {
    let group = sums.group(&block.asked()[0]);
    (!block.others().is_empty()).then(|| Within { group, others: sums.group(block.others()) })
}

/// The p-value of a stated share, twice the smaller of both sides, with the allowance for the size of its condition.
fn of_share(sums: &Sums, block: &Block, share: f64, reader: &Reader) -> (Option<f64>, f64) {
    let Some(both) = within(sums, block) else { return (Some(1.0), if share < 1.0 { 0.0 } else { 1.0 }) };
    let everything = block.members_len() == 2
        && block.asked()[0].len() + block.others().len() == reader.space.all_cells()
        && !sums.n_is_private();
    let condition: GroupSum = both.group.with(both.others);
    let beta = if everything { 0.0 } else { SET };
    let Some(tested) = Tested::new(sums, condition, everything, Subject::Population, beta) else {
        return (None, 1.0);
    };
    let mirrored = Within { group: both.others, others: both.group };
    let sides = [tested.p_value_up(both, share), tested.p_value_up(mirrored, 1.0 - share)];
    let estimate = if everything {
        sums.share(both.group, Subject::Population, 0.95).estimate
    } else {
        sums.conditional(both, Subject::Population, 0.95).estimate
    };
    (estimate, (2.0 * sides[0].min(sides[1]) + beta).min(1.0))
}

/// The p-value of no difference: one minus the level at which the interval of the difference ends at zero.
fn of_two(sums: &Sums, sides: &[Block; 2]) -> (Option<f64>, f64) {
    let both = [within(sums, &sides[0]), within(sums, &sides[1])];
    let [Some(first), Some(second)] = both else { return (None, 1.0) };
    let conditions = sides.each_ref().map(|block| [&block.asked()[0][..], block.others()].concat());
    let contrast = |level: f64| {
        let at = |one: Within, level: f64| sums.conditional(one, Subject::Population, level);
        let shares = [first, second]
            .map(|one| ComparedShare { interval: at(one, level), wide: at(one, half_of_misses(level)).ends });
        let side = |index: usize| Side {
            group: &sides[index].asked()[0],
            condition: &conditions[index],
            share: &shares[index],
        };
        sums.contrast([side(0), side(1)], Subject::Population, Scale::Difference)
    };
    let holds_zero = |p: f64| {
        let [low, high] = contrast(1.0 - p).ends;
        low <= 0.0 && 0.0 <= high
    };
    let estimate = contrast(0.95).estimate;
    if !holds_zero(LEAST) {
        return (estimate, LEAST);
    }
    // The interval grows with its level. What is printed held zero itself.
    let (mut low, mut high) = (LEAST, 1.0_f64);
    while high - low > CLOSE * high {
        let middle = (low * high).sqrt();
        if holds_zero(middle) { low = middle } else { high = middle }
    }
    (estimate, high)
}

/// Holm's adjusted p-values (Holm 1979): with them, at most one in so many families of true hypotheses has a rejection.
#[must_use]
pub fn holm(p_values: &[f64]) -> Vec<f64> {
    let mut order: Vec<usize> = (0..p_values.len()).collect();
    order.sort_by(|&one, &other| p_values[one].total_cmp(&p_values[other]));
    let mut adjusted = vec![0.0; p_values.len()];
    let mut largest: f64 = 0.0;
    for (rank, &place) in order.iter().enumerate() {
        largest = largest.max((p_values.len() - rank) as f64 * p_values[place]).min(1.0);
        adjusted[place] = largest;
    }
    adjusted
}

#[cfg(test)]
mod tests {
    use super::holm;

    /// Golden values of R: `p.adjust(c(0.01, 0.04, 0.03, 0.5), "holm")`.
    #[test]
    fn holms_values() {
        let found = holm(&[0.01, 0.04, 0.03, 0.5]);
        for (found, expected) in found.iter().zip([0.04, 0.09, 0.09, 0.5]) {
            assert!((found - expected).abs() < 1e-12, "{found} {expected}");
        }
    }
}
