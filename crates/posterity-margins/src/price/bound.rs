//! A bound on the price where there are too many patterns to list.

use dashu_ratio::RBig;

use super::{BOUND_PATTERNS, Patterns, Price, Symmetry, Units, between, columns, realised, same, term};
use crate::workload::Workload;

/// How often the search for a bad pattern goes through all columns.
const SWEEPS: usize = 8;

/// The smaller of two bounds, with the worst pattern that a search finds.
pub(super) fn price(workload: &Workload, symmetry: &Symmetry, units: &Units) -> Price {
    let coarse = symmetry.coarser(workload, BOUND_PATTERNS);
    let (mut upper, mut starts) = (by_terms(workload, units), vec![vec![true; workload.shape().columns()]]);
    if let Some((bound, pattern)) = by_classes(workload, &coarse, units) {
        upper = upper.min(bound);
        starts.push(pattern);
    }
    let climbed = starts.into_iter().map(|start| climb(workload, units, start));
    let (found, worst) = climbed.max_by_key(|(found, _)| *found).unwrap_or_default();
    Price::bounded(upper, units.rational(found), columns(&worst))
}

/// Each set at its own worst pattern: one column differs, that of the fewest values. The product `prod y_i` is then
/// `-prod (m_i - 1)/(m - 1)` with the least m, and no pattern makes it smaller.
fn by_terms(workload: &Workload, units: &Units) -> RBig {
    let worst = |index: usize| {
        let sizes = workload.sizes(index);
        let least = sizes.iter().min().map_or(1, |&least| least as i128);
        if sizes.is_empty() { 0 } else { units.value(index) * (same(workload, index) / (least - 1) * least) }
    };
    units.rational((0..workload.sets().len()).map(worst).sum())
}

/// Columns of similar sizes count as columns of the largest, and sets of one orbit have the precision of the most
/// precise. Neither lowers what a pattern costs (docs/proofs/residuals.md, lemma 4).
fn by_classes(workload: &Workload, coarse: &Symmetry, units: &Units) -> Option<(RBig, Vec<bool>)> {
    let patterns = Patterns::new(coarse)?;
    let numbers = numbers_up(workload, coarse, units)?;
    let total = coarse.orbits().iter().zip(&numbers).try_fold(0_i128, |sum, (orbit, number)| {
        sum.checked_add(number.checked_mul(patterns.largest(orbit)?)?)
    });
    total.filter(|&total| total < i128::MAX / 4)?;
    let sums = patterns.sums(coarse.orbits(), &numbers);
    let least = (0..sums.len()).min_by_key(|&pattern| sums[pattern])?;
    Some((units.rational(sums[0] - sums[least]), realised(coarse, &patterns.counts(least))))
}

/// The least number of each orbit that is no less precise than its sets: the largest `a_A prod m_i` over its sets,
/// divided by the product of the sizes of its classes, rounded up.
fn numbers_up(workload: &Workload, coarse: &Symmetry, units: &Units) -> Option<Vec<i128>> {
    let mut numbers = vec![0_i128; coarse.orbits().len()];
    for (index, &orbit) in coarse.orbit_of().iter().enumerate() {
        let weight = units.value(index) * i128::from(workload.cells(index));
        numbers[orbit] = numbers[orbit].max(weight);
    }
    let cells = |parts: &[(usize, usize)]| {
        parts.iter().try_fold(1_i128, |product, &(class, count)| {
            let size = i128::from(coarse.classes()[class].size);
            product.checked_mul(size.checked_pow(u32::try_from(count).ok()?)?)
        })
    };
    let divided =
        |(orbit, weight): (&super::symmetry::Orbit, i128)| Some(div_up(weight, cells(&orbit.parts)?));
    coarse.orbits().iter().zip(numbers).map(divided).collect()
}

fn div_up(value: i128, by: i128) -> i128 {
    value / by + i128::from(value % by != 0)
}

/// Changes one column at a time, as long as that costs more.
fn climb(workload: &Workload, units: &Units, mut differs: Vec<bool>) -> (i128, Vec<bool>) {
    let mut sets_with = vec![Vec::new(); differs.len()];
    for (index, set) in workload.sets().iter().enumerate() {
        set.columns().iter().for_each(|&column| sets_with[usize::from(column)].push(index));
    }
    let part = |column: usize, differs: &[bool]| -> i128 {
        sets_with[column].iter().map(|&index| term(workload, units, index, differs)).sum()
    };
    for _ in 0..SWEEPS {
        let mut better = false;
        for column in 0..differs.len() {
            let before = part(column, &differs);
            differs[column] = !differs[column];
            if part(column, &differs) > before {
                better = true;
            } else {
                differs[column] = !differs[column];
            }
        }
        if !better {
            break;
        }
    }
    (between(workload, units, &differs), differs)
}
