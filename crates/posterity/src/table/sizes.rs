//! How large a reading is.

use super::error::ReadingError;
use super::read::Layout;
use super::reading::Reading;
use super::space::Space;
use super::term::Term;

/// How large a reading is, from which follows how long it takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sizes {
    /// The most cells that a row adds up.
    pub row: usize,
    /// The most cells of a condition.
    pub condition: usize,
}

impl Sizes {
    /// The sizes of a reading of a release with these cells.
    ///
    /// # Errors
    /// [`ReadingError`] if the release has no such reading.
    pub fn new(reading: &Reading, space: &Space) -> Result<Self, ReadingError> {
        let mean: Option<Vec<Term>> = reading.mean_of().map(|column| vec![Term::each(column)]);
        let of = mean.as_deref().unwrap_or(reading.shares_of());
        let layout = Layout::new(space, of, reading.given(), &|| reading.to_string())?;
        let groups = || layout.blocks.iter().flat_map(|block| block.asked());
        let of_block = |block: &posterity_core::table::Block| {
            block.others().len() + block.asked().iter().map(Vec::len).sum::<usize>()
        };
        Ok(Self {
            row: groups().map(Vec::len).max().unwrap_or(0),
            condition: layout.blocks.iter().map(of_block).max().unwrap_or(0),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::SpaceColumn;

    #[test]
    fn sizes_of_readings() {
        let column = |name: &str, size: usize| SpaceColumn {
            name: name.into(),
            values: (1..=size).map(|value| value.to_string()).collect(),
        };
        let space = Space::new(vec![column("a", 2), column("b", 3), column("c", 4)]);
        for (text, row, condition) in
            [("a", 12, 24), ("c | b", 2, 8), ("a, b, c", 1, 24), ("mean(c) | a, b", 1, 4)]
        {
            let found = Sizes::new(&text.parse().expect(text), &space);
            assert_eq!(found, Ok(Sizes { row, condition }), "{text}");
        }
    }
}
