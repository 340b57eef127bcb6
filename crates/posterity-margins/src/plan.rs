//! How much noise each residual gets.

use dashu_int::UBig;
use dashu_ratio::RBig;
use posterity_core::model::Adjacency;
use thiserror::Error;

use crate::column_set::ColumnSet;
use crate::optimise;
use crate::precision::Precision;
use crate::price::{self, BOUND_PATTERNS, MAX_PATTERNS, Patterns, Price, Symmetry, Units};
use crate::workload::Workload;

/// The mean of the size of a standard normal number.
const MEAN_SIZE: f64 = 0.797_884_560_802_865_4;

/// How often a plan is scaled down until its exact price fits.
const TRIES: usize = 14;

/// By which part a plan is scaled down further at first. Rounding may raise a price a little, so it grows with each try.
const MARGIN: f64 = 1e-9;

/// How much noise the residual of each set of columns gets, so that all together cost at most rho.
///
/// # Guarantee
/// The release of `M_A r_A + noise`, for all sets A of the workload, with discrete Gaussian noise of the variance
/// parameter [`Plan::noise_variance`] on every entry, is rho-zero-concentrated differentially private. The price is
/// computed exactly, from the numbers that the noise is drawn with (docs/proofs/residuals.md).
///
/// ```
/// use posterity_core::model::Adjacency;
/// use posterity_margins::{Plan, Shape, Workload};
/// let workload = Workload::all(Shape::new(vec![2; 16])?, 3)?;
/// let plan = Plan::new(workload, Adjacency::Replace, "14973/1000000".parse()?)?;
/// assert!(plan.price().upper() <= plan.rho() && plan.price().is_exact());
/// // The expected L1 error of a table of shares of 21,574 records: singles, pairs and triples.
/// assert!(plan.level_l1(1, 21_574.0) < 0.0026);
/// assert!(plan.level_l1(2, 21_574.0) < 0.0062);
/// assert!(plan.level_l1(3, 21_574.0) < 0.0168);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Plan {
    workload: Workload,
    adjacency: Adjacency,
    rho: RBig,
    /// For every set; none for the empty set if n is public.
    precisions: Vec<Option<Precision>>,
    price: Price,
    within: Option<f64>,
}

/// Why there is no plan.
#[derive(Clone, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum PlanError {
    /// The budget is not possible.
    #[error("rho is {rho}; choose a number from 1e-12 to 10000")]
    Rho {
        /// The budget.
        rho: f64,
    },
    /// Weights or sizes differ too much.
    #[error(
        "the tables' weights or sizes differ so much that the noise of {set} cannot be stated; choose weights that differ less"
    )]
    Uneven {
        /// The columns of the table.
        set: ColumnSet,
    },
    /// Stated precisions are not as many as there are sets, or are there for the empty set where n is public.
    #[error("there are {given} precisions for {expected} sets of columns; give one for each that gets noise")]
    Number {
        /// How many there are.
        given: usize,
        /// How many there should be.
        expected: usize,
    },
    /// Stated precisions cost more than rho.
    #[error("the stated noise costs rho = {price}, more than {rho}; state more noise or a larger budget")]
    Costly {
        /// What it costs.
        price: f64,
        /// The budget.
        rho: f64,
    },
}

impl Plan {
    /// The plan with the least mean variance that costs at most rho: optimal under add-remove, and under replace close
    /// to it ([`Plan::within`]).
    ///
    /// # Errors
    /// [`PlanError`].
    pub fn new(workload: Workload, adjacency: Adjacency, rho: RBig) -> Result<Self, PlanError> {
        check_rho(&rho)?;
        let symmetry = Symmetry::of(&workload);
        let candidates = match adjacency {
            Adjacency::AddRemove => vec![by_price(&workload, Some(1.0))],
            Adjacency::Replace if symmetry.patterns() <= MAX_PATTERNS => by_patterns(&workload, &symmetry),
            Adjacency::Replace => {
                let coarse = symmetry.coarser(&workload, BOUND_PATTERNS);
                vec![by_orbits(&workload, &coarse), by_price(&workload, None)]
            }
        };
        let fitted =
            candidates.into_iter().map(|wanted| Self::fitted(&workload, adjacency, &rho, &symmetry, wanted));
        let fitted: Vec<Self> = fitted.collect::<Result<_, _>>()?;
        let better = |a: &Self, b: &Self| a.mean_variance().total_cmp(&b.mean_variance());
        fitted.into_iter().min_by(better).ok_or(PlanError::Rho { rho: rho.to_f64().value() })
    }

    /// A plan whose precisions are known, as from a document: one for every set of the workload, in its order; without
    /// the empty set if n is public.
    ///
    /// # Errors
    /// [`PlanError::Costly`] if they cost more than rho.
    pub fn stated(
        workload: Workload,
        adjacency: Adjacency,
        rho: RBig,
        precisions: &[Precision],
    ) -> Result<Self, PlanError> {
        check_rho(&rho)?;
        let quiet = usize::from(adjacency.is_replace());
        let expected = workload.sets().len() - quiet;
        if precisions.len() != expected {
            return Err(PlanError::Number { given: precisions.len(), expected });
        }
        let precisions: Vec<_> =
            std::iter::repeat_n(None, quiet).chain(precisions.iter().copied().map(Some)).collect();
        let price = priced(&workload, adjacency, &Symmetry::of(&workload), &precisions)?;
        if price.upper() > &rho {
            return Err(PlanError::Costly {
                price: price.upper().to_f64().value(),
                rho: rho.to_f64().value(),
            });
        }
        Ok(Self { workload, adjacency, rho, precisions, price, within: None })
    }

    /// Scales weights to the budget, rounds them down, and checks the exact price.
    fn fitted(
        workload: &Workload,
        adjacency: Adjacency,
        rho: &RBig,
        symmetry: &Symmetry,
        wanted: Wanted,
    ) -> Result<Self, PlanError> {
        let mut scale = rho.to_f64().value() / wanted.price(workload, adjacency);
        let mut margin = MARGIN;
        for _ in 0..TRIES {
            let precisions = wanted.precisions(workload, adjacency, scale)?;
            let price = priced(workload, adjacency, symmetry, &precisions)?;
            if price.upper() <= rho {
                let (workload, rho) = (workload.clone(), rho.clone());
                return Ok(Self { workload, adjacency, rho, precisions, price, within: wanted.within });
            }
            scale *= (rho / price.upper()).to_f64().value().min(1.0) * (1.0 - margin);
            margin *= 4.0;
        }
        Err(PlanError::Uneven { set: ColumnSet::default() })
    }

    /// The tables that are released.
    #[must_use]
    pub fn workload(&self) -> &Workload {
        &self.workload
    }

    /// Which data sets must look alike.
    #[must_use]
    pub fn adjacency(&self) -> Adjacency {
        self.adjacency
    }

    /// The budget.
    #[must_use]
    pub fn rho(&self) -> &RBig {
        &self.rho
    }

    /// What the release costs: at most the budget.
    #[must_use]
    pub fn price(&self) -> &Price {
        &self.price
    }

    /// The precision of the residual of a set; none if n is public and the set is empty.
    #[must_use]
    pub fn precision(&self, index: usize) -> Option<Precision> {
        self.precisions[index]
    }

    /// A number that the mean variance of the workload divided by the least possible one does not exceed, up to the
    /// rounding of a precision; nothing if it is not known.
    #[must_use]
    pub fn within(&self) -> Option<f64> {
        self.within
    }

    /// The variance parameter of the discrete Gaussian noise on every entry of `M_A r_A`, which are whole numbers;
    /// nothing if they are released as they are.
    #[must_use]
    pub fn noise_variance(&self, index: usize) -> Option<RBig> {
        let cells = RBig::from(UBig::from(self.workload.cells(index)));
        self.precisions[index].map(|precision| cells / precision.rational())
    }

    /// `sigma_A^2`: the noise of the residual `r_A` has the covariance `sigma_A^2 C_A`, at most, where `C_A` centres
    /// along every axis. Zero if n is public and the set is empty.
    #[must_use]
    pub fn variance(&self, index: usize) -> f64 {
        let cells = self.workload.cells(index) as f64;
        self.precisions[index].map_or(0.0, |precision| 1.0 / (precision.to_f64() * cells))
    }

    /// What replacing a record by one that differs in exactly these columns costs.
    ///
    /// Columns that do not exist are left out.
    #[must_use]
    pub fn rho_between(&self, columns: &[u16]) -> RBig {
        let all = 0..self.workload.shape().columns();
        let differs: Vec<bool> = all.map(|column| columns.contains(&(column as u16))).collect();
        // The precisions of a plan were summed before.
        let units = Units::new(&self.workload, &self.precisions);
        units.map_or(RBig::ZERO, |units| units.rational(price::between(&self.workload, &units, &differs)))
    }

    /// The variance of the estimate of one cell of a table. It is the same for all its cells, and at most this: discrete
    /// Gaussian noise has at most the variance of its parameter.
    #[must_use]
    pub fn cell_variance(&self, index: usize) -> f64 {
        let sizes = self.workload.sizes(index);
        let subsets = self.workload.subsets(index);
        let part = |(mask, &subset): (usize, &usize)| self.variance(subset) * cell_part(&sizes, mask);
        subsets.iter().enumerate().map(part).sum()
    }

    /// The expected L1 error of a table of shares of n records: `cells * sd * sqrt(2/pi) / n`, with normal noise. Where n
    /// is private, that is with the true n as the denominator.
    #[must_use]
    pub fn expected_l1(&self, index: usize, n: f64) -> f64 {
        self.workload.cells(index) as f64 * libm::sqrt(self.cell_variance(index)) * MEAN_SIZE / n
    }

    /// The mean of [`Plan::expected_l1`] over all tables of this many columns; zero if there are none.
    #[must_use]
    pub fn level_l1(&self, columns: usize, n: f64) -> f64 {
        let sets = self.workload.sets().iter().enumerate().filter(|(_, set)| set.len() == columns);
        let (sum, members) = sets
            .fold((0.0, 0.0), |(sum, members), (index, _)| (sum + self.expected_l1(index, n), members + 1.0));
        if members > 0.0 { sum / members } else { 0.0 }
    }

    /// What the plan makes small: see [`Workload`].
    #[must_use]
    pub fn mean_variance(&self) -> f64 {
        let counts_for = self.workload.importance();
        let term = |(index, weight): (usize, &f64)| {
            if *weight > 0.0 { weight * self.cell_variance(index) } else { 0.0 }
        };
        counts_for.iter().enumerate().map(term).sum()
    }
}

/// Weights `1/sigma_A^2` up to a factor.
struct Wanted {
    weights: Vec<f64>,
    /// See [`Plan::within`].
    within: Option<f64>,
}

impl Wanted {
    /// About what the weights cost as they are.
    fn price(&self, workload: &Workload, adjacency: Adjacency) -> f64 {
        let quiet = usize::from(adjacency.is_replace());
        let sum: f64 =
            (quiet..self.weights.len()).map(|index| self.weights[index] * part_of_one(workload, index)).sum();
        if adjacency.is_replace() { sum } else { 0.5 * sum }
    }

    fn precisions(
        &self,
        workload: &Workload,
        adjacency: Adjacency,
        scale: f64,
    ) -> Result<Vec<Option<Precision>>, PlanError> {
        let down = |index: usize| {
            if index == 0 && adjacency.is_replace() {
                return Ok(None);
            }
            let value = scale * self.weights[index] / workload.cells(index) as f64;
            let uneven = || PlanError::Uneven { set: workload.sets()[index].clone() };
            Precision::down(value).map(Some).ok_or_else(uneven)
        };
        (0..self.weights.len()).map(down).collect()
    }
}

fn check_rho(rho: &RBig) -> Result<(), PlanError> {
    let nearest = rho.to_f64().value();
    if (1e-12..=1e4).contains(&nearest) { Ok(()) } else { Err(PlanError::Rho { rho: nearest }) }
}

fn priced(
    workload: &Workload,
    adjacency: Adjacency,
    symmetry: &Symmetry,
    precisions: &[Option<Precision>],
) -> Result<Price, PlanError> {
    let units = Units::new(workload, precisions).ok_or(PlanError::Uneven { set: ColumnSet::default() })?;
    Ok(match adjacency {
        Adjacency::AddRemove => price::add_remove(workload, &units),
        Adjacency::Replace => price::replace(workload, symmetry, &units),
    })
}

/// `p_A = prod (1 - 1/m_i)`: what one record adds to a residual, squared.
fn part_of_one(workload: &Workload, index: usize) -> f64 {
    workload.sizes(index).iter().map(|&size| 1.0 - 1.0 / size as f64).product()
}

/// The part of `sigma_A^2` in the variance of a cell of a table B, where A has the columns of the mask:
/// `prod over A of (1 - 1/m_i) / prod over B without A of m_i^2`.
pub(crate) fn cell_part(sizes: &[usize], mask: usize) -> f64 {
    let factor = |(place, &size): (usize, &usize)| {
        let size = size as f64;
        if mask >> place & 1 == 1 { 1.0 - 1.0 / size } else { 1.0 / (size * size) }
    };
    sizes.iter().enumerate().map(factor).product()
}

/// `v_A`: what `sigma_A^2` counts for in the mean variance.
fn variances(workload: &Workload) -> Vec<f64> {
    let mut sums = vec![0.0; workload.sets().len()];
    for (index, importance) in workload.importance().into_iter().enumerate() {
        if importance > 0.0 {
            let sizes = workload.sizes(index);
            for (mask, subset) in workload.subsets(index).into_iter().enumerate() {
                sums[subset] += importance * cell_part(&sizes, mask);
            }
        }
    }
    sums
}

/// Optimal under add-remove.
fn by_price(workload: &Workload, within: Option<f64>) -> Wanted {
    let prices: Vec<f64> = (0..workload.sets().len()).map(|index| part_of_one(workload, index)).collect();
    Wanted { weights: optimise::for_add_remove(&variances(workload), &prices), within }
}

/// Close to optimal under replace, where all patterns can be listed.
fn by_patterns(workload: &Workload, symmetry: &Symmetry) -> Vec<Wanted> {
    let Some(patterns) = Patterns::new(symmetry) else { return vec![by_price(workload, None)] };
    let (variance, price) = of_orbits(workload, symmetry);
    let optimum = optimise::for_replace(symmetry, &patterns, &variance, &price);
    let weights = symmetry.orbit_of().iter().map(|&orbit| optimum.weights[orbit]).collect();
    vec![Wanted { weights, within: Some(optimum.within) }]
}

/// The same weight for all sets of an orbit, as for add-remove, so that a bound by orbits is close.
fn by_orbits(workload: &Workload, symmetry: &Symmetry) -> Wanted {
    let (variance, price) = of_orbits(workload, symmetry);
    let of_orbit = optimise::for_add_remove(&variance, &price);
    Wanted { weights: symmetry.orbit_of().iter().map(|&orbit| of_orbit[orbit]).collect(), within: None }
}

/// The sums of `v_A` and of `p_A` over the sets of each orbit. The empty set is left out: it costs nothing.
fn of_orbits(workload: &Workload, symmetry: &Symmetry) -> (Vec<f64>, Vec<f64>) {
    let orbits = symmetry.orbits().len();
    let (mut variance, mut price) = (vec![0.0; orbits], vec![0.0; orbits]);
    let of_sets = variances(workload);
    for (index, &orbit) in symmetry.orbit_of().iter().enumerate() {
        variance[orbit] += if index == 0 { 0.0 } else { of_sets[index] };
        price[orbit] += part_of_one(workload, index);
    }
    (variance, price)
}
