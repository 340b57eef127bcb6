//! The parts of a linear function of a table, and the variance of its estimate.

use crate::axes::Fibres;
use crate::plan::Plan;

/// What is known of the noise of the estimate of a table B.
///
/// The functions on the cells of B are a sum of orthogonal spaces, one for each subset A of its columns. If `g_A` is the
/// part of g in that of A, the variance of the estimate of `sum g_i T_i` is the sum over A of
/// `sigma_A^2 |g_A|^2 / prod of m_i over B without A` (docs/proofs/residuals.md, theorem 5).
#[derive(Clone, Debug)]
pub struct Components {
    sizes: Vec<usize>,
    /// `sigma_A^2 / prod of m_i over B without A`, by the bits of the columns of A.
    factors: Vec<f64>,
    terms: f64,
    least: f64,
}

impl Components {
    pub(crate) fn new(plan: &Plan, index: usize) -> Self {
        let sizes = plan.workload().sizes(index);
        let subsets = plan.workload().subsets(index);
        let cells = plan.workload().cells(index) as f64;
        let cells_of = |subset: usize| plan.workload().cells(subset) as f64;
        let factors =
            subsets.iter().map(|&subset| plan.variance(subset) * cells_of(subset) / cells).collect();
        let noisy = || subsets.iter().copied().filter(|&subset| plan.precision(subset).is_some());
        let deviation = |subset: usize| libm::sqrt(plan.variance(subset)) * cells_of(subset);
        let least = noisy().map(deviation).fold(f64::INFINITY, f64::min);
        Self { sizes, factors, terms: noisy().map(cells_of).sum(), least }
    }

    /// How many independent draws of noise the estimate holds.
    #[must_use]
    pub fn terms(&self) -> f64 {
        self.terms
    }

    /// The least parameter `sqrt(variance)` of these draws, as whole numbers.
    #[must_use]
    pub fn least_parameter(&self) -> f64 {
        self.least
    }

    /// The covariance of the estimates of `sum g_i T_i` and `sum h_i T_i`. Cells beyond a list count zero.
    #[must_use]
    pub fn covariance(&self, g: &[f64], h: &[f64]) -> f64 {
        self.product(&self.transformed(g), &self.transformed(h))
    }

    /// The covariances of the estimates of several linear functions, row by row.
    #[must_use]
    pub fn covariances(&self, functions: &[Vec<f64>]) -> Vec<f64> {
        let parts: Vec<Vec<f64>> = functions.iter().map(|function| self.transformed(function)).collect();
        parts.iter().flat_map(|g| parts.iter().map(|h| self.product(g, h))).collect()
    }

    /// The covariance of the estimates of two functions that are in the orthonormal basis.
    fn product(&self, g: &[f64], h: &[f64]) -> f64 {
        (0..g.len()).map(|place| g[place] * h[place] * self.factors[self.mask(place)]).sum()
    }

    /// The variance of the estimate of a product set, of this many values of each column:
    /// `prod over A of k (1 - k/m) * prod over the others of k^2/m`, times the factor of A, summed over A.
    #[must_use]
    pub fn product_variance(&self, values: &[usize]) -> f64 {
        let part = |mask: usize| {
            let of_axis = |(place, (&size, &k)): (usize, (&usize, &usize))| {
                let (size, k) = (size as f64, k as f64);
                if mask >> place & 1 == 1 { k * (1.0 - k / size) } else { k * k / size }
            };
            self.sizes.iter().zip(values).enumerate().map(of_axis).product::<f64>()
        };
        self.factors.iter().enumerate().map(|(mask, factor)| factor * part(mask)).sum()
    }

    /// A function in an orthonormal basis: along each axis the first vector is constant, and the others sum to zero
    /// (Helmert 1876). So the part of A is spanned by the places that are not zero on the axes of A and zero elsewhere.
    fn transformed(&self, g: &[f64]) -> Vec<f64> {
        let mut values = g.to_vec();
        values.resize(self.sizes.iter().product(), 0.0);
        for axis in 0..self.sizes.len() {
            let fibres = Fibres::along(&self.sizes, axis);
            for start in fibres.starts() {
                helmert(&mut values, start, &fibres);
            }
        }
        values
    }

    /// The axes on which a place is not zero.
    fn mask(&self, mut place: usize) -> usize {
        let mut mask = 0;
        for (axis, &size) in self.sizes.iter().enumerate().rev() {
            mask |= usize::from(!place.is_multiple_of(size)) << axis;
            place /= size;
        }
        mask
    }
}

fn helmert(values: &mut [f64], start: usize, fibres: &Fibres) {
    let mut sum = values[start];
    for step in 1..fibres.length {
        let place = start + step * fibres.stride;
        let (value, k) = (values[place], step as f64);
        values[place] = (sum - k * value) / libm::sqrt(k * (k + 1.0));
        sum += value;
    }
    values[start] = sum / libm::sqrt(fibres.length as f64);
}
