//! Which cells belong together.

use thiserror::Error;

/// Disjoint blocks of cells. The question is what share of its block each group of cells has. Cells that are in no
/// block are the rest.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Grouping {
    blocks: Vec<Block>,
    rest: Vec<usize>,
}

/// The cells of one condition: groups whose shares are asked for, and the other cells for which the condition holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Block {
    asked: Vec<Vec<usize>>,
    others: Vec<usize>,
}

/// Why cells cannot be grouped in this way.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum GroupingError {
    /// There is no such cell.
    #[error("there is no cell {cell}; the cells are numbered from 0 to {}", cells - 1)]
    NoSuchCell {
        /// The number that was given.
        cell: usize,
        /// How many cells there are.
        cells: usize,
    },
    /// A cell stands twice.
    #[error("the cell {cell} is in two groups; each cell belongs to at most one")]
    Repeated {
        /// The cell.
        cell: usize,
    },
    /// A group has no cells.
    #[error("group {group} of block {block} has no cells; every group needs at least one")]
    Empty {
        /// The position of the block, from zero.
        block: usize,
        /// The position of the group in it, from zero.
        group: usize,
    },
}

impl Block {
    /// Groups whose shares are asked for, and the other cells of the block.
    #[must_use]
    pub fn new(asked: Vec<Vec<usize>>, others: Vec<usize>) -> Self {
        Self { asked, others }
    }

    /// The groups whose shares are asked for.
    #[must_use]
    pub fn asked(&self) -> &[Vec<usize>] {
        &self.asked
    }

    /// The other cells of the block.
    #[must_use]
    pub fn others(&self) -> &[usize] {
        &self.others
    }

    /// The number of groups, with the others as one if there are any.
    #[must_use]
    pub fn members_len(&self) -> usize {
        self.asked.len() + usize::from(!self.others.is_empty())
    }

    /// The groups that are asked for, and the others as a last group if there are any.
    pub(crate) fn members(&self) -> impl Iterator<Item = &[usize]> {
        let others = (!self.others.is_empty()).then_some(self.others.as_slice());
        self.asked.iter().map(Vec::as_slice).chain(others)
    }
}

impl Grouping {
    /// Blocks of `cells` cells.
    ///
    /// # Errors
    /// [`GroupingError`] if a group is empty, or a cell does not exist or is in two groups.
    pub fn new(cells: usize, blocks: Vec<Block>) -> Result<Self, GroupingError> {
        let mut seen = vec![false; cells];
        for (position, block) in blocks.iter().enumerate() {
            if let Some(group) = block.asked.iter().position(Vec::is_empty) {
                return Err(GroupingError::Empty { block: position, group });
            }
            for &cell in block.members().flatten() {
                match seen.get_mut(cell) {
                    None => return Err(GroupingError::NoSuchCell { cell, cells }),
                    Some(true) => return Err(GroupingError::Repeated { cell }),
                    Some(place) => *place = true,
                }
            }
        }
        let rest = (0..cells).filter(|&cell| !seen[cell]).collect();
        Ok(Self { blocks, rest })
    }

    /// The blocks.
    #[must_use]
    pub fn blocks(&self) -> &[Block] {
        &self.blocks
    }

    /// The cells that are in no block.
    #[must_use]
    pub fn rest(&self) -> &[usize] {
        &self.rest
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rejects() {
        let block = |asked: &[&[usize]], others: &[usize]| {
            Block::new(asked.iter().map(|group| group.to_vec()).collect(), others.to_vec())
        };
        let table = [
            (vec![block(&[&[0], &[4]], &[])], GroupingError::NoSuchCell { cell: 4, cells: 4 }),
            (vec![block(&[&[0], &[1]], &[0])], GroupingError::Repeated { cell: 0 }),
            (vec![block(&[&[0]], &[1]), block(&[&[1]], &[])], GroupingError::Repeated { cell: 1 }),
            (vec![block(&[&[0], &[]], &[1])], GroupingError::Empty { block: 0, group: 1 }),
        ];
        for (blocks, error) in table {
            assert_eq!(Grouping::new(4, blocks), Err(error));
        }
        let valid = Grouping::new(4, vec![block(&[&[0, 2]], &[3])]).expect("valid");
        assert_eq!(valid.rest(), [1]);
    }
}
