//! Which releases to make of a table at a budget.

use posterity_core::model::{Adjacency, Epsilon};
use serde::Serialize;

use super::design::{Design, DesignName, Division};
use super::design_error::DesignError;
use super::forecasts::Forecasts;
use super::one_release::SEED;
use super::split::{Curve, best_shares};
use super::table::{Set, Table};
use super::words;

/// Which releases to make of a table, the best first. It does not depend on any data.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct TableAdvice {
    /// The columns with their numbers of values.
    pub columns: Vec<TableColumn>,
    /// The number of records; where n is private, a guess.
    pub n: u64,
    /// What is protected.
    #[serde(skip_serializing_if = "Adjacency::is_replace")]
    pub adjacency: Adjacency,
    /// The privacy budget of all releases together.
    pub epsilon: f64,
    /// The probability of the intervals.
    pub level: f64,
    /// What is assumed of the data, in words.
    pub assumed: String,
    /// The seed of the simulated releases; none if there were none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seed: Option<u64>,
    /// What to do, in words.
    pub recommendation: String,
    /// Why, in words.
    pub reason: String,
    /// The ways to spend the budget, the recommended one first.
    pub designs: Vec<Design>,
    /// What was left out because it is too large, in words.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub left_out: Vec<String>,
}

/// A column with its number of values.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct TableColumn {
    /// Its name.
    pub name: String,
    /// The number of its values.
    pub values: usize,
}

/// The recommended design may be this much worse than the best one if it is the joint release, which answers every
/// other question about these columns as well.
const ALIKE: f64 = 1.02;

/// How often the shares are searched for: each time near those of the time before.
const ROUNDS: usize = 3;

/// Compares the ways to spend a budget on readings of a table: one joint release, one release for each set of columns
/// that is read together, or one for each such set that is in no larger one; with equal shares of the budget, and with
/// the best ones. These make the mean over the readings of the half-width, in units of that without privacy, least.
///
/// Half-widths are those to expect of the confidence intervals of releases of the mechanism `lattice` at made-up data, from
/// a few numbers that stand for the noise (docs/proofs/forecast.md). Means have credible intervals; these are means over
/// simulated releases, and have a standard error.
///
/// ```
/// use posterity_advice::design::{DesignName, Table, advise_table};
/// let table = Table::new("2,2,6".parse()?, vec!["a | c".parse()?], 4_526)?;
/// let advice = advise_table(&table, &"0.1".parse()?, &|_| ())?;
/// // Nobody reads b, so that leaving it out makes less noise.
/// assert_eq!(advice.designs[0].name, DesignName::Separate);
/// assert!(advice.designs[0].times < advice.designs[1].times);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// [`DesignError`].
pub fn advise_table(
    table: &Table,
    epsilon: &Epsilon,
    progress: &(dyn Fn(u64) + Sync),
) -> Result<TableAdvice, DesignError> {
    let total = epsilon.to_f64();
    let forecasts = Forecasts::new(progress);
    let mut designs = Vec::new();
    for (name, sets) in ways(table) {
        designs.extend(divided(table, name, &sets, total, &forecasts)?);
    }
    recommend(&mut designs);
    let columns = table.columns().sizes().into_iter();
    Ok(TableAdvice {
        columns: columns.map(|(name, values)| TableColumn { name: name.to_owned(), values }).collect(),
        n: table.n(),
        adjacency: table.adjacency(),
        epsilon: epsilon.to_f64_shown(),
        level: table.level(),
        assumed: table.assumed(),
        seed: seed(&designs),
        recommendation: words::recommendation(&designs),
        reason: words::reason(table, &designs),
        designs,
        left_out: left_out(table),
    })
}

/// The seed, if anything was simulated.
pub(super) fn seed(designs: &[Design]) -> Option<u64> {
    let mut readings = designs.iter().flat_map(|design| &design.readings);
    readings.any(|one| one.simulated).then_some(SEED)
}

/// What is not compared, in words.
pub(super) fn left_out(table: &Table) -> Vec<String> {
    if table.has_joint() { Vec::new() } else { vec![words::no_joint(table)] }
}

/// The sets of columns of each way that differs from those before it.
pub(super) fn ways(table: &Table) -> Vec<(DesignName, Vec<Set>)> {
    let joint = table.has_joint().then(|| (DesignName::Joint, vec![table.joint()]));
    let (largest, separate) = (table.largest_sets(), table.sets());
    let mut ways: Vec<(DesignName, Vec<Set>)> = joint.into_iter().collect();
    let columns = |sets: &[Set]| sets.iter().map(|set| set.columns.clone()).collect::<Vec<_>>();
    for (name, sets) in [(DesignName::Separate, separate), (DesignName::Largest, largest)] {
        if ways.iter().all(|(_, known)| columns(known) != columns(&sets)) {
            ways.push((name, sets));
        }
    }
    ways
}

/// A way with equal shares, and with better ones if there are any.
fn divided(
    table: &Table,
    name: DesignName,
    sets: &[Set],
    total: f64,
    forecasts: &Forecasts<'_>,
) -> Result<Vec<Design>, DesignError> {
    let releases = sets.iter().map(|set| table.release(set)).collect::<Result<Vec<_>, _>>()?;
    let make =
        |division, shares: &[f64]| Design::new(table, name, division, (sets, &releases), shares, forecasts);
    if let [_] = sets {
        return Ok(vec![make(Division::Whole, &[total])?]);
    }
    let equal = vec![total / sets.len() as f64; sets.len()];
    let mut designs = vec![make(Division::Equal, &equal)?];
    let (mut shares, mut last) = (equal, designs[0].clone());
    let mut best: Option<Design> = None;
    for _ in 0..ROUNDS {
        let curves = |(set, &share): (&Set, &f64)| -> Vec<Curve> {
            set.readings.iter().map(|&reading| last.readings[reading].curve(share)).collect()
        };
        let curves: Vec<Vec<Curve>> = sets.iter().zip(&shares).map(curves).collect();
        let found = best_shares(&curves, total);
        let near = found.iter().zip(&shares).all(|(a, b)| (a / b - 1.0).abs() < 0.03);
        if near && best.is_some() {
            break;
        }
        shares = found;
        last = make(Division::Best, &shares)?;
        if best.as_ref().is_none_or(|best| last.times < best.times) {
            best = Some(last.clone());
        }
    }
    // Shares that gain nothing are not worth unequal numbers.
    designs.extend(best.filter(|best| best.times < 0.999 * designs[0].times));
    Ok(designs)
}

/// Puts the recommended design first: the best one, or the joint release if that is about as good.
pub(super) fn recommend(designs: &mut [Design]) {
    designs.sort_by(|a, b| a.times.total_cmp(&b.times));
    let best = designs.first().map_or(0.0, |best| best.times);
    let joint = designs.iter().position(|one| one.name == DesignName::Joint && one.times <= ALIKE * best);
    if let Some(joint) = joint {
        designs[..=joint].rotate_right(1);
    }
}
