//! The least epsilon for the intervals of a table.

use posterity_core::model::{Adjacency, MAX_TOTAL};
use serde::Serialize;

use super::advice::{TableColumn, left_out, seed, ways};
use super::design::{Design, DesignName, Division};
use super::design_error::DesignError;
use super::forecasts::Forecasts;
use super::one_release::OneRelease;
use super::table::{Set, Table};
use super::words;
use crate::least::{HIGHEST, LOWEST, Start, least_budget, root, sum_in_digits, three_digits_up};

/// The least epsilon for which the intervals of all readings of a table are narrow enough, or why there is none. It
/// does not depend on any data.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct LeastTableEpsilon {
    /// The half-width that one can bear.
    pub half_width: f64,
    /// The columns with their numbers of values.
    pub columns: Vec<TableColumn>,
    /// The number of records; where n is private, a guess.
    pub n: u64,
    /// What is protected.
    #[serde(skip_serializing_if = "Adjacency::is_replace")]
    pub adjacency: Adjacency,
    /// The probability of the intervals.
    pub level: f64,
    /// What is assumed of the data, in words.
    pub assumed: String,
    /// The seed of the simulated releases; none if there were none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seed: Option<u64>,
    /// The least epsilon of all releases together, which is the sum of theirs, of three significant digits each; none if
    /// no epsilon up to 20 is enough.
    pub epsilon: Option<f64>,
    /// The half-width of the widest rows without any noise: what the number of records alone makes.
    pub without_privacy: f64,
    /// How many records would be enough without privacy, to three digits, if no epsilon is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub records: Option<u64>,
    /// What to do, in words.
    pub recommendation: String,
    /// Why, in words.
    pub reason: String,
    /// The ways that reach it, each at its least epsilon; the one that needs least first.
    pub designs: Vec<Design>,
    /// For each design, in the same order, the half-width of its widest rows at epsilons around its least one; if asked
    /// for.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub curves: Vec<Vec<[f64; 2]>>,
    /// What was left out because it is too large, in words.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub left_out: Vec<String>,
}

/// The least epsilon of three significant digits for which the expected half-width of every row of every reading is at
/// most as wanted, for the way to release the table that needs least. With several releases each gets what its own
/// readings need. With `curves`, half-widths at epsilons around the least one are computed too.
///
/// ```
/// use posterity_advice::design::{Table, least_table_epsilon};
/// let table = Table::new("2,3".parse()?, vec!["a | b".parse()?], 3_000)?;
/// let found = least_table_epsilon(&table, 0.04, false, &|_| ())?;
/// assert!(found.epsilon.is_some_and(|epsilon| epsilon > 0.1 && epsilon < 0.3), "{:?}", found.epsilon);
/// // About 1,000 records in each condition are too few for this.
/// let found = least_table_epsilon(&table, 0.02, false, &|_| ())?;
/// assert!(found.epsilon.is_none() && found.records.is_some());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// [`DesignError`].
pub fn least_table_epsilon(
    table: &Table,
    half_width: f64,
    curves: bool,
    progress: &(dyn Fn(u64) + Sync),
) -> Result<LeastTableEpsilon, DesignError> {
    if !(half_width > 0.0 && half_width < 0.5) {
        return Err(DesignError::HalfWidth { value: half_width });
    }
    if let Some(mean) = table.readings().iter().find(|reading| reading.number_of().is_some()) {
        return Err(DesignError::Mean { reading: mean.to_string() });
    }
    let forecasts = Forecasts::new(progress);
    let mut found: Vec<(Design, Curve)> = Vec::new();
    for (name, sets) in ways(table) {
        found.extend(way(table, half_width, name, &sets, curves, &forecasts)?);
    }
    found.sort_by(|a, b| a.0.epsilon().total_cmp(&b.0.epsilon()));
    let (designs, all_curves): (Vec<Design>, Vec<Curve>) = found.into_iter().unzip();
    let without_privacy = without(table)?;
    let records =
        if designs.is_empty() && without_privacy >= half_width { records(table, half_width)? } else { None };
    let epsilon = designs.first().map(Design::epsilon);
    let columns = table.columns().sizes().into_iter();
    Ok(LeastTableEpsilon {
        half_width,
        columns: columns.map(|(name, values)| TableColumn { name: name.to_owned(), values }).collect(),
        n: table.n(),
        adjacency: table.adjacency(),
        level: table.level(),
        assumed: table.assumed(),
        seed: seed(&designs),
        epsilon,
        without_privacy,
        records,
        recommendation: words::least(epsilon, &designs),
        reason: words::least_reason(table, half_width, without_privacy, records, &designs),
        designs,
        curves: if curves { all_curves } else { Vec::new() },
        left_out: left_out(table),
    })
}

impl LeastTableEpsilon {
    /// One release of all columns at its least epsilon; none if it does not reach the half-width, or is too large.
    #[must_use]
    pub fn joint(&self) -> Option<&Design> {
        let all = |design: &&Design| matches!(design.releases.as_slice(), [only] if only.columns.len() == self.columns.len());
        self.designs.iter().find(all)
    }

    /// What needs less epsilon than one release of all columns, in words; none if nothing does.
    #[must_use]
    pub fn instead_of_joint(&self) -> Option<String> {
        let (best, joint) = (self.designs.first()?, self.joint()?);
        (best.epsilon() < joint.epsilon()).then(|| words::instead(best))
    }
}

/// The half-width of the widest rows of all readings, without any noise.
fn without(table: &Table) -> Result<f64, DesignError> {
    let mut widest: f64 = 0.0;
    for set in table.sets() {
        let widths = table.release(&set)?.without().iter().map(|one| one.widest).fold(0.0, f64::max);
        widest = widest.max(widths);
    }
    Ok(widest)
}

/// The number of records, of three digits, for which that is at most as wanted; none if that is more than can be
/// handled.
fn records(table: &Table, wanted: f64) -> Result<Option<u64>, DesignError> {
    let value = |n: f64| {
        let n = (n.round() as u64).clamp(1, MAX_TOTAL);
        Ok::<_, DesignError>((without(&table.with_records(n))? / wanted).ln())
    };
    let found = three_digits_up(root((1.0, MAX_TOTAL as f64), table.n() as f64, -0.5, value)?).round();
    Ok((found < 0.99 * MAX_TOTAL as f64).then_some(found as u64))
}

/// Budgets and the half-widths of the widest rows there.
type Curve = Vec<[f64; 2]>;

/// A way at its least epsilon, with its curve; none if it does not reach the goal.
fn way(
    table: &Table,
    wanted: f64,
    name: DesignName,
    sets: &[Set],
    curve: bool,
    forecasts: &Forecasts<'_>,
) -> Result<Option<(Design, Curve)>, DesignError> {
    let releases = sets.iter().map(|set| table.release(set)).collect::<Result<Vec<_>, _>>()?;
    let mut shares = Vec::with_capacity(sets.len());
    for release in &releases {
        match enough(release, wanted, forecasts)? {
            Some(epsilon) => shares.push(epsilon),
            None => return Ok(None),
        }
    }
    let total = sum_in_digits(&shares);
    let division = if sets.len() == 1 { Division::Whole } else { Division::Best };
    let design = Design::new(table, name, division, (sets, &releases), &shares, forecasts)?;
    let mut points = Vec::new();
    for step in (-4..=4).filter(|_| curve) {
        let factor = 10_f64.powf(f64::from(step) / 4.0);
        if (LOWEST..=HIGHEST).contains(&(total * factor)) {
            let mut widest: f64 = 0.0;
            for (release, share) in releases.iter().zip(&shares) {
                let expected = forecasts.at(release, share * factor)?;
                widest = expected.iter().map(|one| one.widest).fold(widest, f64::max);
            }
            points.push([total * factor, widest]);
        }
    }
    Ok(Some((design, points)))
}

/// Below this, and more for many cells, the noise spreads over more numbers than a reading goes through.
const NARROW: f64 = 2e-4;

/// The least epsilon of three digits at which all readings of a release are narrow enough; none if no epsilon up to 20
/// is.
fn enough(release: &OneRelease, wanted: f64, forecasts: &Forecasts<'_>) -> Result<Option<f64>, DesignError> {
    let widest = |epsilon| Ok(forecasts.at(release, epsilon)?.iter().map(|one| one.widest).collect());
    let without: Vec<f64> = release.without().iter().map(|one| one.widest).collect();
    least_budget(wanted, &without, release.start(wanted), widest)
}

impl OneRelease {
    /// Where the search for the least budget begins.
    pub(crate) fn start(&self, wanted: f64) -> Start {
        let (n, cells) = (self.records() as f64, self.space().all_cells() as f64);
        let room = |without: f64| (wanted * wanted - without * without).max(1e-300).sqrt();
        let room = self.without().iter().map(|one| room(one.widest)).fold(f64::INFINITY, f64::min);
        let lowest = NARROW * (1.0 + 0.1 * cells.sqrt());
        Start { lowest, near: (3.0 * cells.sqrt() / (n * room)).clamp(lowest, 5.0) }
    }
}
