//! What to expect of readings of a table: one joint release, or one release for each set of columns that is read together.

use std::collections::BTreeSet;
use std::sync::Arc;

use posterity_core::decode::noise_aware;
use posterity_core::model::Epsilon;
use posterity_core::sampler::SeededBits;
use serde::Serialize;

use super::draws::SEED;
use super::plan_error::PlanError;
use super::truth::Truth;
use crate::table::{Law, Reader, Reading, Space};
use crate::terms::Terms;

/// Which releases to make of a table, the narrowest intervals first. It does not depend on any data.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct TableAdvice {
    /// The names of the columns with their numbers of values.
    pub columns: Vec<(String, usize)>,
    /// The number of records.
    pub n: u64,
    /// The privacy budget of all releases together.
    pub epsilon: f64,
    /// The probability of the intervals.
    pub level: f64,
    /// What is assumed of the data: the same number of records in every cell.
    pub assumed: &'static str,
    /// The ways to spend the budget, the best first.
    pub designs: Vec<Design>,
}

/// One way to spend a budget on a table.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Design {
    /// Which way.
    pub name: DesignName,
    /// The releases.
    pub releases: Vec<PlannedRelease>,
    /// What to expect of each reading.
    pub readings: Vec<ExpectedReading>,
    /// The mean of the half-widths of the readings.
    pub half_width: f64,
}

/// The ways that are compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum DesignName {
    /// One release of all columns together.
    Joint,
    /// One release for each set of columns that is read together, with equal shares of the budget.
    Separate,
    /// The same with the shares that make the intervals narrowest on average.
    SeparateBest,
}

/// A release of a design.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PlannedRelease {
    /// Its columns.
    pub columns: Vec<String>,
    /// The number of its cells.
    pub cells: usize,
    /// Its share of the budget.
    pub epsilon: f64,
}

/// What to expect of a reading.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ExpectedReading {
    /// The reading.
    pub reading: Reading,
    /// The number of its rows.
    pub rows: usize,
    /// The mean half-width of the intervals of its rows.
    pub half_width: f64,
    /// The standard error of that number, which comes from simulated releases.
    pub standard_error: f64,
    /// The half-width without any noise.
    pub without: f64,
}

impl DesignName {
    /// The way in words.
    #[must_use]
    pub fn in_words(self) -> &'static str {
        match self {
            Self::Joint => "one joint release",
            Self::Separate => "separate releases with equal shares",
            Self::SeparateBest => "separate releases with the best shares",
        }
    }
}

/// How many releases are simulated for each design.
const RUNS: usize = 24;

/// Compares the ways to spend a budget on readings of a table whose cells have the same number of records each.
///
/// Half-widths are means over 24 simulated releases of the lattice mechanism, from a fixed seed, so that everybody gets the same
/// advice. Half-widths of shares near 0 or 1 are narrower.
///
/// ```
/// use posterity::plan::{DesignName, advise_table};
/// use posterity::{Space, SpaceColumn};
/// let column = |name: &str, size: usize| SpaceColumn::numbered(name, size);
/// let space = Space::new(vec![column("cured", 2), column("ward", 3)]);
/// let advice = advise_table(&space, &["cured | ward".parse()?], 900, &"1".parse()?, 0.95)?;
/// // One question: there is nothing to split.
/// assert_eq!(advice.designs[0].name, DesignName::Joint);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// [`PlanError`], for example if a reading names another column.
pub fn advise_table(
    space: &Space,
    readings: &[Reading],
    n: u64,
    epsilon: &Epsilon,
    level: f64,
) -> Result<TableAdvice, PlanError> {
    for reading in readings {
        reading.check(space)?;
    }
    let table = Table { space, n, level };
    let total = epsilon.to_f64();
    let joint = table.release(space.clone(), epsilon, readings)?;
    let names = |space: &Space| space.columns().iter().map(|column| column.name.clone()).collect();
    let one =
        |space: &Space, epsilon| PlannedRelease { columns: names(space), cells: space.cells(), epsilon };
    let mut designs = vec![Design::new(DesignName::Joint, vec![one(space, total)], joint)];
    let sets = table.sets(readings);
    if sets.len() > 1 {
        let even = vec![total / sets.len() as f64; sets.len()];
        let separate = table.separate(&sets, readings, &even)?;
        let shares = best_shares(&sets, &separate, &even, total);
        let best = table.separate(&sets, readings, &shares)?;
        for (name, shares, expected) in
            [(DesignName::Separate, even, separate), (DesignName::SeparateBest, shares, best)]
        {
            let releases = sets.iter().zip(shares).map(|((space, _), epsilon)| one(space, epsilon));
            designs.push(Design::new(name, releases.collect(), expected));
        }
    }
    designs.sort_by(|a, b| a.half_width.total_cmp(&b.half_width));
    let columns = space.columns().iter().map(|column| (column.name.clone(), column.values.len()));
    let assumed = "the same number of records in every cell";
    Ok(TableAdvice { columns: columns.collect(), n, epsilon: total, level, assumed, designs })
}

impl Design {
    fn new(name: DesignName, releases: Vec<PlannedRelease>, readings: Vec<ExpectedReading>) -> Self {
        let half_width =
            readings.iter().map(|reading| reading.half_width).sum::<f64>() / readings.len() as f64;
        Self { name, releases, readings, half_width }
    }
}

/// The table that is read.
struct Table<'a> {
    space: &'a Space,
    n: u64,
    level: f64,
}

impl Table<'_> {
    /// The sets of columns that readings use, each with the positions of its readings.
    fn sets(&self, readings: &[Reading]) -> Vec<(Space, Vec<usize>)> {
        let mut sets: Vec<(BTreeSet<usize>, Vec<usize>)> = Vec::new();
        for (index, reading) in readings.iter().enumerate() {
            let used = reading.columns();
            let columns = self.space.columns().iter().enumerate();
            let columns: BTreeSet<usize> =
                columns.filter(|(_, column)| used.contains(&column.name.as_str())).map(|(i, _)| i).collect();
            match sets.iter_mut().find(|(known, _)| *known == columns) {
                Some((_, of_set)) => of_set.push(index),
                None => sets.push((columns, vec![index])),
            }
        }
        let space = |columns: BTreeSet<usize>| {
            Space::new(columns.into_iter().map(|i| self.space.columns()[i].clone()).collect())
        };
        sets.into_iter().map(|(columns, of_set)| (space(columns), of_set)).collect()
    }

    /// What to expect of all readings when each set of columns is released by itself.
    fn separate(
        &self,
        sets: &[(Space, Vec<usize>)],
        readings: &[Reading],
        shares: &[f64],
    ) -> Result<Vec<ExpectedReading>, PlanError> {
        let mut all: Vec<(usize, ExpectedReading)> = Vec::new();
        for ((space, of_set), &share) in sets.iter().zip(shares) {
            let epsilon = Epsilon::from_f64(share).map_err(|_| PlanError::Share { epsilon: share })?;
            let some: Vec<Reading> = of_set.iter().map(|&index| readings[index].clone()).collect();
            all.extend(of_set.iter().copied().zip(self.release(space.clone(), &epsilon, &some)?));
        }
        all.sort_by_key(|(index, _)| *index);
        Ok(all.into_iter().map(|(_, expected)| expected).collect())
    }

    /// What to expect of readings of one release.
    fn release(
        &self,
        space: Space,
        epsilon: &Epsilon,
        readings: &[Reading],
    ) -> Result<Vec<ExpectedReading>, PlanError> {
        let terms = Terms { level: self.level, ..Terms::new(epsilon.clone()) };
        let request = terms.request(space.all_cells(), self.n, &|_| ())?;
        let mechanism = request.mechanism(&|_| ())?;
        let Some(counts) = Truth::Even.counts(request.setting())? else { return Ok(Vec::new()) };
        let released = mechanism.release_many(&counts, RUNS, &mut SeededBits::new(SEED))?;
        let mut widths = vec![Vec::with_capacity(RUNS); readings.len()];
        for released in &released {
            let law = Law::Aware(Arc::new(noise_aware(&*mechanism, released)?));
            let reader = Reader::of(space.clone(), law, self.level)?;
            for (widths, reading) in widths.iter_mut().zip(readings) {
                widths.push(mean_half_width(&reader, reading)?);
            }
        }
        // The posterior of the assumed counts themselves.
        let plain = request.setting().prior().posterior(counts.as_slice())?;
        let reader = Reader::of(space, Law::Plain(plain), self.level)?;
        let expected = readings.iter().zip(widths).map(|(reading, widths)| {
            let mean =
                |widths: &[(f64, usize)]| widths.iter().map(|one| one.0).sum::<f64>() / widths.len() as f64;
            let half_width = mean(&widths);
            let squares: f64 = widths.iter().map(|one| (one.0 - half_width).powi(2)).sum();
            let (without, rows) = mean_half_width(&reader, reading)?;
            let standard_error = (squares / (RUNS * (RUNS - 1)) as f64).sqrt();
            Ok(ExpectedReading { reading: reading.clone(), rows, half_width, standard_error, without })
        });
        expected.collect()
    }
}

/// The mean half-width of the rows of a reading, and how many rows there are.
fn mean_half_width(reader: &Reader, reading: &Reading) -> Result<(f64, usize), PlanError> {
    let table = reader.read(reading)?;
    let widths = table.rows.iter().map(|row| 0.5 * (row.interval[1] - row.interval[0]));
    Ok((widths.sum::<f64>() / table.rows.len() as f64, table.rows.len()))
}

/// The shares of the budget that make the mean of all half-widths least, where the half-width of a reading at epsilon is
/// `sqrt(s^2 + t^2 / epsilon^2)`: s is the half-width without noise, and t comes from the half-width at the given share. Each
/// half-width is convex in its share, so at the best shares all have the same slope.
fn best_shares(
    sets: &[(Space, Vec<usize>)],
    expected: &[ExpectedReading],
    even: &[f64],
    total: f64,
) -> Vec<f64> {
    let slope = |set: usize, epsilon: f64| -> f64 {
        let of_reading = |&index: &usize| {
            let (width, without) = (expected[index].half_width, expected[index].without);
            let noise = (width * width - without * without).max(1e-12) * even[set] * even[set];
            noise / (epsilon.powi(3) * (without * without + noise / (epsilon * epsilon)).sqrt())
        };
        sets[set].1.iter().map(of_reading).sum()
    };
    let share = |set: usize, level: f64| bisect(1e-6 * total, total, |epsilon| slope(set, epsilon) - level);
    let sum = |level: f64| (0..sets.len()).map(|set| share(set, level)).sum::<f64>();
    let ln_level = bisect(-60.0, 60.0, |ln| sum(ln.exp()) - total);
    let shares: Vec<f64> = (0..sets.len()).map(|set| share(set, ln_level.exp())).collect();
    let scale = total / shares.iter().sum::<f64>();
    shares.into_iter().map(|share| share * scale).collect()
}

/// The zero of a decreasing function.
fn bisect(mut low: f64, mut high: f64, f: impl Fn(f64) -> f64) -> f64 {
    for _ in 0..80 {
        let middle = 0.5 * (low + high);
        if f(middle) > 0.0 { low = middle } else { high = middle }
    }
    0.5 * (low + high)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::SpaceColumn;

    fn space(sizes: &[usize]) -> Space {
        let names = ["a", "b", "c", "d", "e", "f", "g", "h"];
        Space::new(sizes.iter().zip(names).map(|(&size, name)| SpaceColumn::numbered(name, size)).collect())
    }

    fn advise(sizes: &[usize], readings: &[&str], n: u64, epsilon: &str) -> TableAdvice {
        let readings: Vec<Reading> = readings.iter().map(|text| text.parse().expect("a reading")).collect();
        advise_table(&space(sizes), &readings, n, &epsilon.parse().expect("positive"), 0.95).expect("advice")
    }

    /// Berkeley admissions: what is read of all three columns needs the joint release, and two marginals are better with it, too.
    #[test]
    fn few_cells_are_best_released_together() {
        let advice = advise(&[2, 2, 6], &["a", "a | b, c"], 4_526, "1");
        assert_eq!(advice.designs[0].name, DesignName::Joint, "{advice:?}");
        for design in &advice.designs {
            let spent: f64 = design.releases.iter().map(|release| release.epsilon).sum();
            assert!((spent - 1.0).abs() < 1e-9, "{design:?}");
            assert!(design.readings.iter().all(|one| one.half_width > 0.99 * one.without), "{design:?}");
        }
    }

    /// The noise of a marginal grows with the root of the number of cells that it sums: many columns are better released alone.
    #[test]
    fn marginals_of_many_cells_are_best_released_separately() {
        let advice = advise(&[4, 4, 4, 4, 4], &["a", "b", "c", "d", "e"], 2_000, "0.5");
        assert_ne!(advice.designs[0].name, DesignName::Joint, "{advice:?}");
    }

    /// The best shares are no worse than equal ones, to within the error of the simulation, and better where questions differ.
    #[test]
    fn the_best_shares_are_better_than_equal_ones() {
        let advice = advise(&[2, 3, 6], &["a", "b | c"], 1_500, "0.3");
        let of = |name| advice.designs.iter().find(|one| one.name == name).expect("three designs");
        let (even, best) = (of(DesignName::Separate), of(DesignName::SeparateBest));
        assert!(best.half_width < even.half_width, "{advice:?}");
        assert!(best.releases[1].epsilon > best.releases[0].epsilon, "{advice:?}");
    }

    #[test]
    fn rejects_a_reading_of_another_column() {
        let found = advise_table(
            &space(&[2, 2]),
            &["a | z".parse().expect("a reading")],
            10,
            &"1".parse().expect("1"),
            0.95,
        );
        assert!(matches!(found, Err(PlanError::Reading(_))), "{found:?}");
    }
}
