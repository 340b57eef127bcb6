//! What a release of residuals costs, in zero-concentrated privacy (docs/proofs/residuals.md, theorems 2 and 3).

mod bound;
mod patterns;
mod symmetry;

use dashu_int::{IBig, UBig};
use dashu_ratio::RBig;

pub(crate) use patterns::Patterns;
pub(crate) use symmetry::Symmetry;

use crate::precision::Precision;
use crate::workload::Workload;

/// The most patterns of differing columns that are listed.
pub const MAX_PATTERNS: u64 = 1 << 21;

/// The most patterns of classes that a bound lists.
pub(crate) const BOUND_PATTERNS: u64 = 1 << 17;

/// What a release costs: the release is `upper`-zero-concentrated differentially private.
///
/// # Guarantee
/// `upper` is never below the largest divergence of two adjacent data sets. Where all patterns of differing columns can
/// be listed it is that number, and else it is a bound.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Price {
    upper: RBig,
    found: RBig,
    worst: Vec<u16>,
}

impl Price {
    pub(crate) fn exact(price: RBig, worst: Vec<u16>) -> Self {
        Self { upper: price.clone(), found: price, worst }
    }

    pub(crate) fn bounded(upper: RBig, found: RBig, worst: Vec<u16>) -> Self {
        Self { upper, found, worst }
    }

    /// The price: no pair of adjacent data sets costs more.
    #[must_use]
    pub fn upper(&self) -> &RBig {
        &self.upper
    }

    /// What the worst pair costs that was found.
    #[must_use]
    pub fn found(&self) -> &RBig {
        &self.found
    }

    /// Whether the price is attained.
    #[must_use]
    pub fn is_exact(&self) -> bool {
        self.upper == self.found
    }

    /// How far the price is above what was found, as a part of what was found: zero if it is exact.
    #[must_use]
    pub fn gap(&self) -> f64 {
        let ratio = (&self.upper / &self.found).to_f64().value();
        (ratio - 1.0).max(0.0)
    }

    /// The columns in which the worst pair of records differs; none under add-remove, where all records cost the same.
    #[must_use]
    pub fn worst(&self) -> &[u16] {
        &self.worst
    }
}

/// The precisions of all sets as whole numbers of one unit; zero for the empty set if n is public.
pub(crate) struct Units {
    values: Vec<i128>,
    finest: u32,
}

impl Units {
    /// The precisions in the finest unit that any of them has; nothing if the sum over all cells is too large.
    pub(crate) fn new(workload: &Workload, precisions: &[Option<Precision>]) -> Option<Self> {
        let finest = precisions.iter().flatten().map(|precision| precision.shift()).max().unwrap_or(0);
        let value = |precision: &Option<Precision>| precision.map_or(Some(0), |one| one.in_units(finest));
        let values: Vec<i128> = precisions.iter().map(value).collect::<Option<_>>()?;
        let sum = |sum: i128, (index, value): (usize, &i128)| {
            sum.checked_add(value.checked_mul(i128::from(workload.cells(index)))?)
        };
        // Half the range, so that differences do not overflow either.
        values.iter().enumerate().try_fold(0, sum).filter(|&sum| sum < i128::MAX / 4)?;
        Some(Self { values, finest })
    }

    /// The precision of a set.
    pub(crate) fn value(&self, index: usize) -> i128 {
        self.values[index]
    }

    /// The rational number that this many units are.
    pub(crate) fn rational(&self, units: i128) -> RBig {
        RBig::from_parts(IBig::from(units), UBig::ONE << self.finest as usize)
    }
}

/// The price where one record is there or not: `1/2 sum over A of a_A prod (m_i - 1)`, whatever the record.
pub(crate) fn add_remove(workload: &Workload, units: &Units) -> Price {
    let sum: i128 = (0..workload.sets().len()).map(|index| units.value(index) * same(workload, index)).sum();
    let half = units.rational(sum) / RBig::from(2_u8);
    Price::exact(half, Vec::new())
}

/// The price where one record is replaced: the largest [`between`] over all sets of differing columns.
pub(crate) fn replace(workload: &Workload, symmetry: &Symmetry, units: &Units) -> Price {
    let listed = if symmetry.patterns() <= MAX_PATTERNS { Patterns::new(symmetry) } else { None };
    match listed {
        Some(patterns) if is_symmetric(symmetry, units) => exact(symmetry, &patterns, units),
        _ => bound::price(workload, symmetry, units),
    }
}

/// What replacing a record by one that differs in these columns costs, in units:
/// `sum over A of a_A (prod (m_i - 1) - prod y_i)`, where `y_i = -1` if i differs and else `m_i - 1`.
pub(crate) fn between(workload: &Workload, units: &Units, differs: &[bool]) -> i128 {
    (0..workload.sets().len()).map(|index| term(workload, units, index, differs)).sum()
}

/// What one set contributes to [`between`].
pub(crate) fn term(workload: &Workload, units: &Units, index: usize, differs: &[bool]) -> i128 {
    let mut likeness = 1_i128;
    let mut touched = false;
    for &column in workload.sets()[index].columns() {
        let column = usize::from(column);
        touched |= differs[column];
        likeness *= if differs[column] { -1 } else { i128::from(workload.shape().size(column)) - 1 };
    }
    if touched { units.value(index) * (same(workload, index) - likeness) } else { 0 }
}

/// `prod (m_i - 1)` over the columns of a set.
pub(crate) fn same(workload: &Workload, index: usize) -> i128 {
    let columns = workload.sets()[index].columns().iter();
    columns.map(|&column| i128::from(workload.shape().size(usize::from(column))) - 1).product()
}

/// Whether the precisions are the same within every orbit.
fn is_symmetric(symmetry: &Symmetry, units: &Units) -> bool {
    let of_orbit = |index: usize| units.value(symmetry.orbits()[symmetry.orbit_of()[index]].representative);
    (0..symmetry.orbit_of().len()).all(|index| units.value(index) == of_orbit(index))
}

fn exact(symmetry: &Symmetry, patterns: &Patterns, units: &Units) -> Price {
    let numbers: Vec<i128> =
        symmetry.orbits().iter().map(|orbit| units.value(orbit.representative)).collect();
    let sums = patterns.sums(symmetry.orbits(), &numbers);
    let least = (0..sums.len()).min_by_key(|&pattern| sums[pattern]).unwrap_or(0);
    let worst = realised(symmetry, &patterns.counts(least));
    Price::exact(units.rational(sums[0] - sums[least]), columns(&worst))
}

/// The first columns of each class differ, as many as a pattern says.
fn realised(symmetry: &Symmetry, counts: &[usize]) -> Vec<bool> {
    let mut left = counts.to_vec();
    let pick = |&class: &usize| {
        let picked = left[class] > 0;
        left[class] -= usize::from(picked);
        picked
    };
    symmetry.class_of().iter().map(pick).collect()
}

fn columns(differs: &[bool]) -> Vec<u16> {
    (0..differs.len()).filter(|&column| differs[column]).map(|column| column as u16).collect()
}
