//! Tests of independence and of trends in noisy tables, whose law is simulated.

use std::sync::Arc;

use super::sums::{GroupSum, NoisedCells, Sums};
use crate::noise::FoldedNoise;
use crate::parallelism::Parallelism;
use crate::pulse::beat;
use crate::sampler::{BitSource, SeededBits, SourceError, uniform_unit};
use crate::special::beta::ln_density;

/// What a table is tested for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Hypothesis {
    /// Rows and columns are independent: `sum (y - e)^2 / (e + v)` with the expected counts e and the variances v of the
    /// noise.
    Independence,
    /// The share of the first of two rows is the same in all columns, against one that rises or falls with the place of the
    /// column: the square of the covariance of both, divided by its variance (Cochran 1954, Armitage 1955, with noise).
    Trend,
}

/// What a test found.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Significance {
    /// The statistic.
    pub statistic: f64,
    /// The largest p-value over the margins that were tried. A table without an expected record has 1.
    pub p_value: f64,
    /// The standard error of the p-value, which comes from so few draws.
    pub error: f64,
}

/// A table of groups of noisy cells, row by row, ready to be tested.
#[derive(Debug)]
pub struct NoisyTable<'a> {
    sums: &'a Sums,
    rows: usize,
    columns: usize,
    groups: Vec<GroupSum>,
    /// The law of the noise of each group.
    laws: Vec<Arc<FoldedNoise>>,
    joint: JointNoise,
    /// The number of records, if it is public.
    n: Option<u64>,
}

/// How the noise of all groups is drawn.
#[derive(Debug)]
enum JointNoise {
    /// Each group by itself; one of them has minus the noise of all others, those outside of the table among them.
    Independent { laws: Vec<Option<Arc<FoldedNoise>>>, outside: Option<Arc<FoldedNoise>> },
    /// All noise has a known sum.
    Total { total: i64, steps: Vec<Step> },
}

/// The noise of a group, given that of the groups before it and the sum of all noise.
#[derive(Debug)]
struct Step {
    own: Arc<FoldedNoise>,
    /// The law of all noise that is left after it, with its largest probability; nothing where nothing is left.
    after: Option<(Arc<FoldedNoise>, f64)>,
}

/// How many tables are drawn for each margin.
pub const DRAWS: u64 = 9_999;

/// Statistics are compared in steps of this, so that rounding does not tell equal ones apart.
const STEPS: f64 = 1_048_576.0;

/// This many draws have one stream of random numbers, so that they do not depend on the number of cores.
const BATCH: u64 = 50;

/// What stands for a row or a column without records, beside others of whole records.
const NONE: f64 = 1e-3;

/// For a p-value, so many draws say first which margins of the table matter.
const FIRST: u64 = 1_000;

/// So many standard errors make it clear that a tail is above another one, or above a level.
const CLEARLY: f64 = 5.0;

impl Sums {
    /// A table whose groups have these cells, row by row. Nothing if the noise is too wide.
    ///
    /// # Panics
    /// If the groups do not fill all rows.
    #[must_use]
    pub fn table(&self, cells: &[Vec<usize>], columns: usize) -> Option<NoisyTable<'_>> {
        assert!(columns > 0 && cells.len().is_multiple_of(columns), "a table of whole rows");
        let groups: Vec<GroupSum> = cells.iter().map(|cells| self.group(cells)).collect();
        let laws = groups.iter().map(|&group| self.noise(group)).collect::<Option<Vec<_>>>()?;
        let kinds: Vec<NoisedCells> = groups.iter().map(|group| group.kind()).collect();
        let rest = self.rest(&kinds);
        let joint = if self.has_remainder() {
            let own = |kind: &NoisedCells| {
                if kind.remainder { Some(None) } else { self.folded(kind.noised).map(Some) }
            };
            let laws = kinds.iter().map(own).collect::<Option<Vec<_>>>()?;
            // Noise outside counts where a group has what all others leave.
            let outside = kinds.iter().any(|kind| kind.remainder) && rest.noised > 0;
            JointNoise::Independent {
                laws,
                outside: if outside { Some(self.folded(rest.noised)?) } else { None },
            }
        } else {
            let mut left = rest.noised + kinds.iter().map(|kind| kind.noised).sum::<u64>();
            let mut steps = Vec::with_capacity(kinds.len());
            for kind in &kinds {
                left -= kind.noised;
                let after = if left > 0 { Some(self.folded(left)?) } else { None };
                let after = after.map(|law| (law.clone(), largest(&law)));
                steps.push(Step { own: self.folded(kind.noised)?, after });
            }
            JointNoise::Total { total: self.total(), steps }
        };
        let n = (!self.n_is_private()).then(|| self.records());
        Some(NoisyTable { sums: self, rows: cells.len() / columns, columns, groups, laws, joint, n })
    }
}

impl Sums {
    /// A seed that follows from what was drawn, the law of its noise and a text, so that whoever simulates a test of this
    /// release draws the same (FNV-1a, Fowler, Noll and Vo).
    #[must_use]
    pub fn seed(&self, text: &str) -> u64 {
        let cells: Vec<usize> = (0..self.cells()).collect();
        let variance = self.folded(1).map_or(0, |one| one.variance().to_bits());
        let drawn = cells.iter().map(|&cell| self.group(&[cell]).drawn as u64);
        let law = [variance, u64::from(self.has_remainder()), self.records()];
        let bytes = drawn.chain(law).flat_map(u64::to_le_bytes).chain(text.bytes());
        bytes
            .fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
    }
}

/// The largest probability of a law that rises and falls: the mode of a sum of many is within one of its mean.
fn largest(law: &FoldedNoise) -> f64 {
    let mean = libm::round(law.mean()) as i64;
    (mean - 1..=mean + 1).map(|z| law.probability(z)).fold(0.0, f64::max)
}

impl NoisyTable<'_> {
    /// Tests a hypothesis: the largest p-value over several margins of the table, each from [`DRAWS`] tables with the very
    /// noise.
    ///
    /// What is drawn depends on the seed and on nothing else, so that everybody gets the same p-value.
    ///
    /// # Guarantee
    /// The size of the test was measured, not proven (docs/proofs/ordered.md, "Tests of tables").
    #[must_use]
    pub fn test(&self, hypothesis: Hypothesis, seed: u64) -> Significance {
        let found = self.found();
        let statistic = self.statistic(hypothesis, &found);
        let above = Above { hypothesis, least: fixed(statistic) };
        let laws = self.laws_of_margins(&found);
        let first: Vec<u64> = laws
            .iter()
            .enumerate()
            .map(|(index, law)| self.count(&above, law, FIRST, u64::MAX, of_margins(seed, index)))
            .collect();
        let largest = first.iter().copied().max().unwrap_or(0) as f64;
        let matters = |count: u64| count as f64 + CLEARLY * libm::sqrt(largest + 1.0) >= largest;
        let all = laws.iter().enumerate().filter(|(index, _)| matters(first[*index]));
        let counts =
            all.map(|(index, law)| self.count(&above, law, DRAWS, u64::MAX, of_margins(seed, index)));
        let count = (DRAWS + 1) as f64;
        // A table without an expected record says nothing.
        let p_value = counts.max().map_or(1.0, |as_large| (1 + as_large) as f64 / count);
        let error =
            if p_value < 1.0 { libm::sqrt(p_value * (1.0 - p_value) / count).max(1.0 / count) } else { 0.0 };
        Significance { statistic, p_value, error }
    }

    /// The p-value of a test with so many draws for each margin, if it is at most a level. Tails that are larger are not
    /// computed to the end.
    #[must_use]
    pub fn p_value_below(&self, hypothesis: Hypothesis, level: f64, draws: u64, seed: u64) -> Option<f64> {
        let found = self.found();
        let above = Above { hypothesis, least: fixed(self.statistic(hypothesis, &found)) };
        // So many draws with as large a statistic are too many.
        let enough = (level * (draws + 1) as f64) as u64;
        let mut largest = None;
        for (index, law) in self.laws_of_margins(&found).iter().enumerate() {
            let count = self.count(&above, law, draws, enough, of_margins(seed, index));
            if count >= enough {
                return None;
            }
            largest = largest.max(Some(count));
        }
        largest.map(|count| (1 + count) as f64 / (draws + 1) as f64)
    }

    /// The shares of independent rows and columns, as estimated; all alike where there are none.
    #[must_use]
    pub fn product_of_found(&self) -> Vec<f64> {
        let [rows, columns] = self.sides(&self.found());
        let even = |lines: usize| vec![1.0 / lines as f64; lines];
        let rows = Margins::Estimated.shares(&rows).unwrap_or_else(|| even(self.rows));
        let columns = Margins::Estimated.shares(&columns).unwrap_or_else(|| even(self.columns));
        rows.iter().flat_map(|row| columns.iter().map(move |column| row * column)).collect()
    }

    /// The noisy counts without the mean of their noise.
    #[must_use]
    pub fn found(&self) -> Vec<f64> {
        self.groups.iter().zip(&self.laws).map(|(group, law)| group.drawn as f64 - law.mean()).collect()
    }

    /// The laws of tables with independent rows and columns that a test looks at; none without an expected record.
    ///
    /// Margins that the noise hides matter most: the less records a row has, the larger is the statistic, because what the
    /// noise adds to the row is expected in its cells. So rows and columns that may be empty are taken for nearly empty, at
    /// three thresholds, but for the largest, of both sides and of one. Where n is private, more records than estimated make
    /// a difference as well.
    fn laws_of_margins(&self, found: &[f64]) -> Vec<Simulation> {
        let all: f64 = found.iter().sum();
        if all <= 0.0 {
            return Vec::new();
        }
        let [rows, columns] = self.sides(found);
        use Margins::{Emptied, Estimated, OneMore};
        let mut tried = vec![
            (Estimated, Estimated, all),
            (OneMore, OneMore, all),
            (Emptied(1.5), Emptied(1.5), all),
            (Emptied(2.5), Emptied(2.5), all),
            (Emptied(4.0), Emptied(4.0), all),
            (Emptied(2.5), Estimated, all),
            (Estimated, Emptied(2.5), all),
        ];
        if self.n.is_none() {
            let deviation = libm::sqrt(self.laws.iter().map(|law| law.variance()).sum());
            tried.push((Emptied(2.5), Emptied(2.5), all + deviation));
        }
        let law = |(of_rows, of_columns, all): (Margins, Margins, f64)| {
            let (rows, columns) = (of_rows.shares(&rows)?, of_columns.shares(&columns)?);
            let product = rows.iter().flat_map(|row| columns.iter().map(move |column| row * column));
            Some(self.simulation(&product.collect::<Vec<_>>(), all))
        };
        tried.into_iter().filter_map(law).collect()
    }

    /// The noisy numbers of records of all rows and of all columns, with the deviations of their noise.
    pub(super) fn sides(&self, found: &[f64]) -> [Vec<(f64, f64)>; 2] {
        [
            self.side(found, self.rows, &|place| place / self.columns),
            self.side(found, self.columns, &|place| place % self.columns),
        ]
    }

    pub(super) fn columns(&self) -> usize {
        self.columns
    }

    /// The variance of the noise of a group.
    pub(super) fn variance(&self, place: usize) -> f64 {
        self.laws[place].variance()
    }

    /// What `chi^2` is divided by for the square of Cramer's V.
    pub(super) fn most_squares(&self) -> f64 {
        self.rows.min(self.columns).saturating_sub(1).max(1) as f64
    }

    /// The products of the shares of rows and columns.
    pub(super) fn product(&self, shares: &[f64]) -> Vec<f64> {
        let mut rows = vec![0.0; self.rows];
        let mut columns = vec![0.0; self.columns];
        for (place, share) in shares.iter().enumerate() {
            rows[place / self.columns] += share;
            columns[place % self.columns] += share;
        }
        rows.iter().flat_map(|row| columns.iter().map(move |column| row * column)).collect()
    }

    fn side(&self, found: &[f64], lines: usize, line_of: &dyn Fn(usize) -> usize) -> Vec<(f64, f64)> {
        let mut side = vec![(0.0, 0.0); lines];
        for (place, (y, law)) in found.iter().zip(&self.laws).enumerate() {
            let line = &mut side[line_of(place)];
            *line = (line.0 + y, line.1 + law.variance());
        }
        side.into_iter().map(|(count, variance)| (count, libm::sqrt(variance))).collect()
    }

    /// How tables are drawn from these shares, of about so many records in the table.
    pub(super) fn simulation(&self, shares: &[f64], all: f64) -> Simulation {
        let (records, inside) = match self.n {
            // What is outside the table is one more cell.
            Some(n) => (n, (all / n as f64).clamp(0.0, 1.0)),
            None => (libm::round(all).max(1.0) as u64, 1.0),
        };
        let inside = if self.is_everything() { 1.0 } else { inside };
        let mut left = 1.0;
        let given = shares.iter().map(|share| {
            let share = share * inside;
            let chance = if left > 0.0 { (share / left).min(1.0) } else { 0.0 };
            left -= share;
            chance
        });
        Simulation { records, given: given.collect() }
    }

    /// Whether the table has all records, and their number is public.
    fn is_everything(&self) -> bool {
        let kinds: Vec<NoisedCells> = self.groups.iter().map(|group| group.kind()).collect();
        let rest = self.sums.rest(&kinds);
        self.n.is_some() && rest.noised == 0 && !rest.remainder
    }

    /// How many of so many draws are in a tail. Once there are enough of them, or it is clear that there will be, no more
    /// tables are drawn, and there are said to be at least enough.
    pub(super) fn count(
        &self,
        tail: &impl Tail,
        law: &Simulation,
        draws: u64,
        enough: u64,
        seed: u64,
    ) -> u64 {
        let batches = draws.div_ceil(BATCH);
        let (mut found, mut first) = (0, 0);
        while first < batches {
            // As many as before, so that few are drawn where few are enough.
            let last = (2 * first).max(1).min(batches);
            let how = if last - first > 1 { Parallelism::AllCores } else { Parallelism::OneThread };
            let round = how.map(first..last, |batch| {
                beat();
                let mut bits = SeededBits::new(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15).wrapping_add(batch));
                let length = BATCH.min(draws - batch * BATCH);
                // A seeded source does not fail.
                let drawn = (0..length).filter_map(|_| self.draw(law, &mut bits).ok());
                drawn.filter(|table| tail.holds(self, table)).count() as u64
            });
            found += round.into_iter().sum::<u64>();
            first = last;
            let expected = enough as f64 * ((last * BATCH) as f64 / draws as f64).min(1.0);
            if found >= enough || found as f64 > expected + CLEARLY * libm::sqrt(expected + 4.0) {
                return found.max(enough);
            }
        }
        found
    }

    /// One table with noise, without the mean of the noise.
    pub(super) fn draw(&self, law: &Simulation, bits: &mut dyn BitSource) -> Result<Vec<f64>, SourceError> {
        let noise = self.joint.draw(bits)?;
        let mut left = law.records;
        let mut table = Vec::with_capacity(noise.len());
        for ((chance, z), own) in law.given.iter().zip(noise).zip(&self.laws) {
            let count = binomial(left, *chance, bits)?;
            left -= count;
            table.push(count as f64 + z as f64 - own.mean());
        }
        Ok(table)
    }

    pub(super) fn statistic(&self, hypothesis: Hypothesis, table: &[f64]) -> f64 {
        let mut rows = vec![0.0; self.rows];
        let mut columns = vec![0.0; self.columns];
        for (place, y) in table.iter().enumerate() {
            rows[place / self.columns] += y;
            columns[place % self.columns] += y;
        }
        let all = match self.n {
            Some(n) if self.is_everything() => n as f64,
            _ => table.iter().sum::<f64>().max(1.0),
        };
        let shares = |side: &[f64]| -> Vec<f64> {
            let sum: f64 = side.iter().map(|one| one.max(0.0)).sum();
            side.iter().map(|one| if sum > 0.0 { one.max(0.0) / sum } else { 0.0 }).collect()
        };
        let (of_rows, of_columns) = (shares(&rows), shares(&columns));
        match hypothesis {
            Hypothesis::Independence => table
                .iter()
                .zip(&self.laws)
                .enumerate()
                .map(|(place, (y, law))| {
                    let expected = all * of_rows[place / self.columns] * of_columns[place % self.columns];
                    let away = y - expected;
                    away * away / (expected + law.variance()).max(f64::MIN_POSITIVE)
                })
                .sum(),
            Hypothesis::Trend => {
                let share = of_rows[0];
                let middle: f64 =
                    of_columns.iter().enumerate().map(|(place, part)| place as f64 * part).sum();
                let (mut covariance, mut variance) = (0.0, 0.0);
                for (column, &here) in columns.iter().enumerate() {
                    let score = column as f64 - middle;
                    let [first, second] = [column, self.columns + column];
                    covariance += score * (table[first] - share * (table[first] + table[second]));
                    let noise = (1.0 - share) * (1.0 - share) * self.laws[first].variance()
                        + share * share * self.laws[second].variance();
                    variance += score * score * (share * (1.0 - share) * here.max(0.0) + noise);
                }
                covariance * covariance / variance.max(f64::MIN_POSITIVE)
            }
        }
    }
}

/// Which tables count.
pub(super) trait Tail: Sync {
    fn holds(&self, table: &NoisyTable<'_>, drawn: &[f64]) -> bool;
}

/// Tables whose statistic is at least as large as one.
pub(super) struct Above {
    pub(super) hypothesis: Hypothesis,
    pub(super) least: i64,
}

impl Tail for Above {
    fn holds(&self, table: &NoisyTable<'_>, drawn: &[f64]) -> bool {
        fixed(table.statistic(self.hypothesis, drawn)) >= self.least
    }
}

/// The seed of the draws for one of several margins.
fn of_margins(seed: u64, index: usize) -> u64 {
    seed.wrapping_mul(16).wrapping_add(index as u64)
}

/// How the shares of the rows or of the columns follow from their noisy counts.
#[derive(Clone, Copy)]
enum Margins {
    /// As they are, without negative ones.
    Estimated,
    /// With one record more in each.
    OneMore,
    /// Those below so many deviations of their noise, and one record, have next to none, but for the largest.
    Emptied(f64),
}

impl Margins {
    /// Nothing where all would be zero.
    fn shares(self, side: &[(f64, f64)]) -> Option<Vec<f64>> {
        let largest = side.iter().map(|(count, _)| *count).fold(f64::NEG_INFINITY, f64::max);
        let changed = side.iter().map(|&(count, deviation)| match self {
            Self::Estimated => count.max(0.0),
            Self::OneMore => (count + 1.0).max(0.0),
            Self::Emptied(_) if count >= largest => count.max(1.0),
            Self::Emptied(times) if count < times * deviation + 1.0 => NONE,
            Self::Emptied(_) => count,
        });
        let changed: Vec<f64> = changed.collect();
        let sum: f64 = changed.iter().sum();
        (sum > 0.0).then(|| changed.iter().map(|one| one / sum).collect())
    }
}

/// Multinomial counts: for each group the probability of a record that is in none of the groups before it.
pub(super) struct Simulation {
    records: u64,
    given: Vec<f64>,
}

impl JointNoise {
    fn draw(&self, bits: &mut dyn BitSource) -> Result<Vec<i64>, SourceError> {
        match self {
            Self::Independent { laws, outside } => {
                let mut others = match outside {
                    Some(law) => law.draw(uniform_unit(bits)?),
                    None => 0,
                };
                let mut noise = Vec::with_capacity(laws.len());
                let mut remainder = None;
                for (place, law) in laws.iter().enumerate() {
                    match law {
                        Some(law) => {
                            let z = law.draw(uniform_unit(bits)?);
                            others += z;
                            noise.push(z);
                        }
                        None => {
                            remainder = Some(place);
                            noise.push(0);
                        }
                    }
                }
                if let Some(place) = remainder {
                    noise[place] = -others;
                }
                Ok(noise)
            }
            Self::Total { total, steps } => {
                let mut left = *total;
                let mut noise = Vec::with_capacity(steps.len());
                for Step { own, after } in steps {
                    let z = match after {
                        // What is left of the noise has to be possible.
                        Some((after, most)) => loop {
                            let z = own.draw(uniform_unit(bits)?);
                            if uniform_unit(bits)? * most < after.probability(left - z) {
                                break z;
                            }
                        },
                        None => left,
                    };
                    left -= z;
                    noise.push(z);
                }
                Ok(noise)
            }
        }
    }
}

/// A statistic on the grid on which statistics are compared.
pub(super) fn fixed(statistic: f64) -> i64 {
    // The cast saturates.
    libm::round(statistic * STEPS) as i64
}

/// A binomial number: from the mode outwards, until the probabilities add up to a uniform number.
fn binomial(n: u64, p: f64, bits: &mut dyn BitSource) -> Result<u64, SourceError> {
    if n == 0 || p <= 0.0 {
        return Ok(0);
    }
    if p >= 1.0 {
        return Ok(n);
    }
    let mode = (((n as f64 + 1.0) * p) as u64).min(n);
    let at_mode = libm::exp(ln_density(p, mode as f64 + 1.0, (n - mode) as f64 + 1.0)) / (n as f64 + 1.0);
    let odds = p / (1.0 - p);
    let mut left = uniform_unit(bits)? - at_mode;
    let (mut low, mut below, mut high, mut above) = (mode, at_mode, mode, at_mode);
    while left > 0.0 {
        let stuck = (low == 0 || below < 1e-30) && (high == n || above < 1e-30);
        if stuck {
            // Less than the last digit is left.
            return Ok(mode);
        }
        if high < n {
            above *= (n - high) as f64 / (high + 1) as f64 * odds;
            high += 1;
            left -= above;
            if left <= 0.0 {
                return Ok(high);
            }
        }
        if low > 0 {
            below *= low as f64 / ((n - low + 1) as f64 * odds);
            low -= 1;
            left -= below;
            if left <= 0.0 {
                return Ok(low);
            }
        }
    }
    Ok(mode)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::special::ln_binomial;

    /// The chance that this fails although all is well is 1e-6 for each count: five deviations. Seed 5.
    #[test]
    fn binomial_numbers_have_their_law() {
        for (n, p) in [(1, 0.5), (7, 0.1), (30, 0.9), (400, 0.3)] {
            let bits = &mut SeededBits::new(5);
            let draws = 40_000_u32;
            let mut found = vec![0.0; n as usize + 1];
            for _ in 0..draws {
                found[binomial(n, p, bits).expect("seeded") as usize] += 1.0;
            }
            for (count, found) in found.iter().enumerate() {
                let ln = ln_binomial(n, count as u64)
                    + count as f64 * f64::ln(p)
                    + (n as f64 - count as f64) * f64::ln(1.0 - p);
                let expected = f64::from(draws) * ln.exp();
                assert!(
                    (found - expected).abs() < 5.0 * (expected + 4.0).sqrt(),
                    "{n} {p} {count}: {found} {expected}"
                );
            }
        }
    }
}
