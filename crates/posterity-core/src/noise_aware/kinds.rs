//! Cells with the same evidence.

use std::collections::HashMap;
use std::sync::Arc;

use crate::noise::Factor;

/// Which cells have the same prior parameter and the same factor. All that is computed for one of them holds for the
/// others.
#[derive(Clone, Debug)]
pub(crate) struct Kinds {
    /// The kind of each cell.
    pub(crate) of_cell: Vec<u32>,
    /// The first cell of each kind.
    pub(crate) first: Vec<usize>,
    /// How many cells each kind has.
    pub(crate) cells: Vec<u64>,
}

/// What makes two factors the same.
#[derive(PartialEq, Eq, Hash)]
enum Key {
    Flat,
    TwoSided(u64, u64),
    Floored(u64, i64),
    /// A law of noise, by its place in memory, and a count.
    Noise(usize, u8, i64),
    /// The law of a sum, by its place in memory, and a count.
    Summed(usize, i64),
}

impl Key {
    fn new(factor: &Factor) -> Self {
        let noise = |noise: &Arc<dyn crate::noise::Noise>| Arc::as_ptr(noise).cast::<()>() as usize;
        match factor {
            Factor::Flat => Self::Flat,
            Factor::TwoSided { rate, at } => Self::TwoSided(rate.to_bits(), *at),
            Factor::Floored { rate, at } => Self::Floored(rate.to_bits(), *at),
            Factor::Equal { noise: law, at } => Self::Noise(noise(law), 0, *at),
            Factor::Summed { law, at } => Self::Summed(Arc::as_ptr(law) as usize, *at),
            Factor::AtMost { noise: law, most } => Self::Noise(noise(law), 1, *most as i64),
            Factor::AtLeast { noise: law, least } => Self::Noise(noise(law), 2, *least as i64),
        }
    }
}

impl Kinds {
    pub(crate) fn new(alpha: &[f64], factors: &[Factor]) -> Self {
        let mut known: HashMap<(u64, Key), u32> = HashMap::new();
        let mut kinds =
            Self { of_cell: Vec::with_capacity(alpha.len()), first: Vec::new(), cells: Vec::new() };
        for (cell, (alpha, factor)) in alpha.iter().zip(factors).enumerate() {
            let next = kinds.first.len() as u32;
            let kind = *known.entry((alpha.to_bits(), Key::new(factor))).or_insert(next);
            if kind == next {
                kinds.first.push(cell);
                kinds.cells.push(0);
            }
            kinds.cells[kind as usize] += 1;
            kinds.of_cell.push(kind);
        }
        kinds
    }

    /// A value for each cell from a value for each kind.
    pub(crate) fn spread<T: Clone>(&self, of_kind: &[T]) -> Vec<T> {
        self.of_cell.iter().map(|&kind| of_kind[kind as usize].clone()).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::noise::TwoSidedGeometric;
    use crate::sampler::Rate;

    #[test]
    fn the_same_evidence_is_one_kind() {
        let rate = || Rate::new("1/2".parse().expect("a fraction")).expect("positive");
        let noise: Arc<dyn crate::noise::Noise> = Arc::new(TwoSidedGeometric::new(rate()));
        let factors = [
            Factor::TwoSided { rate: 0.5, at: 3 },
            Factor::TwoSided { rate: 0.5, at: 4 },
            Factor::TwoSided { rate: 0.5, at: 3 },
            Factor::AtMost { noise: Arc::clone(&noise), most: 3 },
            Factor::AtLeast { noise: Arc::clone(&noise), least: 3 },
            Factor::AtMost { noise, most: 3 },
            Factor::TwoSided { rate: 0.5, at: 3 },
        ];
        let kinds = Kinds::new(&[1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 2.0], &factors);
        assert_eq!(kinds.of_cell, [0, 1, 0, 2, 3, 2, 4]);
        assert_eq!(
            (kinds.first.as_slice(), kinds.cells.as_slice()),
            (&[0, 1, 3, 4, 6][..], &[2, 1, 2, 1, 1][..])
        );
        assert_eq!(kinds.spread(&['a', 'b', 'c', 'd', 'e']), ['a', 'b', 'a', 'c', 'd', 'c', 'e']);
    }
}
