//! The sum over all sets at every pattern of differing columns, at once.

use std::ops::{Add, Mul};

use super::symmetry::{Class, Orbit, Symmetry};
use crate::axes::Fibres;

/// Patterns: how many columns of each class differ.
///
/// For a set A with the number `a` of its orbit let `y_i = m_i - 1` where column i is the same in both records and -1
/// where it differs. The sum of `a prod y_i` over all sets of all orbits, as a function of the pattern, is computed by
/// one pass over each class: the sum of `prod y_i` over the sets of t columns of a class of which b differ is the
/// coefficient of `x^t` in `(1 + (m-1) x)^(members-b) (1 - x)^b` (Krawtchouk).
pub(crate) struct Patterns {
    dimensions: Vec<usize>,
    /// By class, by b: the coefficients from `x^0` on, as far as an orbit needs them.
    coefficients: Vec<Vec<Vec<i128>>>,
}

impl Patterns {
    /// Those of a symmetry; nothing if a coefficient is too large.
    pub(crate) fn new(symmetry: &Symmetry) -> Option<Self> {
        let mut most = vec![0; symmetry.classes().len()];
        for &(class, count) in symmetry.orbits().iter().flat_map(|orbit| &orbit.parts) {
            most[class] = most[class].max(count);
        }
        let coefficients =
            symmetry.classes().iter().zip(most).map(|(&class, most)| table(class, most)).collect();
        let dimensions = symmetry.classes().iter().map(|class| class.members + 1).collect();
        Some(Self { dimensions, coefficients: coefficients_checked(coefficients)? })
    }

    /// How many patterns there are.
    pub(crate) fn len(&self) -> usize {
        self.dimensions.iter().product()
    }

    /// About how many multiplications [`Self::sums`] takes.
    pub(crate) fn work(&self) -> usize {
        let terms: usize = self.coefficients.iter().map(|of_class| of_class[0].len()).sum();
        self.len() * terms
    }

    /// The sum at every pattern, the last class running fastest. The numbers must be so small that the sum of
    /// `a prod (m_i - 1)` does not overflow: no sum on the way is larger.
    pub(crate) fn sums<T>(&self, orbits: &[Orbit], numbers: &[T]) -> Vec<T>
    where
        T: Copy + Default + Add<Output = T> + Mul<Output = T> + FromWhole,
    {
        let mut sums = vec![T::default(); self.len()];
        for (orbit, &number) in orbits.iter().zip(numbers) {
            sums[self.place(orbit)] = number;
        }
        for (axis, of_class) in self.coefficients.iter().enumerate() {
            let rows: Vec<Vec<T>> =
                of_class.iter().map(|row| row.iter().map(|&x| T::from_whole(x)).collect()).collect();
            self.pass(axis, &rows, &mut sums);
        }
        sums
    }

    fn pass<T>(&self, axis: usize, rows: &[Vec<T>], sums: &mut [T])
    where
        T: Copy + Default + Add<Output = T> + Mul<Output = T>,
    {
        let fibres = Fibres::along(&self.dimensions, axis);
        let mut fibre = vec![T::default(); rows[0].len()];
        for start in fibres.starts() {
            fibre.iter_mut().enumerate().for_each(|(t, entry)| *entry = sums[start + t * fibres.stride]);
            for (b, row) in rows.iter().enumerate() {
                let sum = row.iter().zip(&fibre).fold(T::default(), |sum, (&x, &entry)| sum + x * entry);
                sums[start + b * fibres.stride] = sum;
            }
        }
    }

    /// How many columns of each class differ in a pattern.
    pub(crate) fn counts(&self, mut pattern: usize) -> Vec<usize> {
        let mut counts = vec![0; self.dimensions.len()];
        for (count, &dimension) in counts.iter_mut().zip(&self.dimensions).rev() {
            *count = pattern % dimension;
            pattern /= dimension;
        }
        counts
    }

    /// The mean of `prod y_i/(m_i - 1)` over the sets of an orbit, at a pattern: 1 if nothing differs.
    pub(crate) fn likeness(&self, orbit: &Orbit, counts: &[usize]) -> f64 {
        let part = |&(class, t): &(usize, usize)| {
            let of_class = &self.coefficients[class];
            of_class[counts[class]][t] as f64 / of_class[0][t] as f64
        };
        orbit.parts.iter().map(part).product()
    }

    /// The sum of `prod (m_i - 1)` over all sets that an orbit may have.
    pub(crate) fn largest(&self, orbit: &Orbit) -> Option<i128> {
        orbit
            .parts
            .iter()
            .try_fold(1_i128, |product, &(class, t)| product.checked_mul(self.coefficients[class][0][t]))
    }

    fn place(&self, orbit: &Orbit) -> usize {
        let mut counts = vec![0; self.dimensions.len()];
        orbit.parts.iter().for_each(|&(class, t)| counts[class] = t);
        counts.iter().zip(&self.dimensions).fold(0, |place, (count, dimension)| place * dimension + count)
    }
}

/// Numbers in which patterns are summed.
pub(crate) trait FromWhole {
    /// The number, or the nearest one.
    fn from_whole(whole: i128) -> Self;
}

impl FromWhole for i128 {
    fn from_whole(whole: i128) -> Self {
        whole
    }
}

impl FromWhole for f64 {
    fn from_whole(whole: i128) -> Self {
        whole as f64
    }
}

/// The coefficients of a class for every b.
fn table(class: Class, most: usize) -> Option<Vec<Vec<i128>>> {
    (0..=class.members).map(|differing| polynomial(class, differing, most)).collect()
}

/// `(1 + (m-1) x)^(members-b) (1 - x)^b` up to `x^most`.
fn polynomial(class: Class, differing: usize, most: usize) -> Option<Vec<i128>> {
    let mut coefficients = vec![0_i128; most + 1];
    coefficients[0] = 1;
    let same = i128::from(class.size) - 1;
    for column in 0..class.members {
        let y = if column < differing { -1 } else { same };
        for t in (1..=most).rev() {
            coefficients[t] = coefficients[t].checked_add(coefficients[t - 1].checked_mul(y)?)?;
        }
    }
    Some(coefficients)
}

fn coefficients_checked(tables: Vec<Option<Vec<Vec<i128>>>>) -> Option<Vec<Vec<Vec<i128>>>> {
    tables.into_iter().collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Shape, Workload};

    /// If this fails, the price of a pattern is not the sum over its sets.
    #[test]
    fn sums_are_those_over_all_sets() {
        let workload = Workload::all(Shape::new(vec![2, 3, 2, 5, 3, 2]).expect("sizes"), 3).expect("triples");
        let symmetry = Symmetry::of(&workload);
        let patterns = Patterns::new(&symmetry).expect("small");
        let numbers: Vec<i128> =
            (0..symmetry.orbits().len() as i128).map(|orbit| 3 + 7 * orbit % 11).collect();
        let sums = patterns.sums(symmetry.orbits(), &numbers);
        for mask in 0..1_usize << 6 {
            let y = |column: u16| {
                let size = i128::from(workload.shape().size(usize::from(column)));
                if mask >> column & 1 == 1 { -1 } else { size - 1 }
            };
            let term = |index: usize| {
                let set = &workload.sets()[index];
                numbers[symmetry.orbit_of()[index]] * set.columns().iter().map(|&c| y(c)).product::<i128>()
            };
            let expected: i128 = (0..workload.sets().len()).map(term).sum();
            let mut counts = vec![0; symmetry.classes().len()];
            (0..6).filter(|column| mask >> column & 1 == 1).for_each(|c| counts[symmetry.class_of()[c]] += 1);
            let found = (0..patterns.len()).find(|&pattern| patterns.counts(pattern) == counts);
            assert_eq!(found.map(|pattern| sums[pattern]), Some(expected), "{mask:b}");
        }
    }
}
