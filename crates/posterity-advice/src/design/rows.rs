//! The rows of a reading, by the made-up counts that they are of.

use std::collections::HashMap;

use posterity::Reading;
use posterity::table::Space;
use posterity_core::table::Block;

use super::design_error::DesignError;

/// The rows of a reading of which the same is to be expected.
#[derive(Clone, Debug)]
pub(super) struct Rows {
    /// For a share the cells of its group and the others of its condition; for a mean the cells of each number.
    pub(super) groups: Vec<Vec<usize>>,
    /// The made-up number of records of each of these.
    pub(super) counts: Vec<u64>,
    /// Whether the groups are all cells.
    pub(super) is_everything: bool,
    /// The positions of the rows in the reading.
    pub(super) positions: Vec<usize>,
}

/// The shares of the cells in made-up data, and the number of records.
#[derive(Clone, Debug)]
pub(super) struct MadeUp {
    pub(super) shares: Vec<f64>,
    pub(super) n: u64,
}

impl MadeUp {
    /// The number of records in some cells. Sums that are equal but for the last digit are rounded alike.
    fn count(&self, cells: &[usize]) -> u64 {
        let share: f64 = cells.iter().map(|&cell| self.shares[cell]).sum();
        ((self.n as f64 * share + 1e-6).round() as u64).min(self.n)
    }
}

impl Rows {
    /// All rows of a reading but those of groups that nobody asks for, because a value that a group is made by is unknown.
    /// The cell without noise of its own, if there is one, is not like the others.
    pub(super) fn all(
        reading: &Reading,
        space: &Space,
        made_up: &MadeUp,
        remainder: Option<usize>,
    ) -> Result<Vec<Self>, DesignError> {
        let grouping = reading.grouping(space)?;
        let is_everything = grouping.rest().is_empty() && grouping.blocks().len() == 1;
        let part = |cells: &[usize], count: u64| {
            (count, cells.len(), remainder.is_some_and(|last| cells.contains(&last)))
        };
        let mut found: Vec<Self> = Vec::new();
        let mut places: HashMap<Vec<(u64, usize, bool)>, usize> = HashMap::new();
        let mut add = |position: usize,
                       key: Vec<(u64, usize, bool)>,
                       counts: Vec<u64>,
                       groups: &dyn Fn() -> Vec<Vec<usize>>| {
            let place = *places.entry(key).or_insert(found.len());
            match found.get_mut(place) {
                Some(known) => known.positions.push(position),
                None => {
                    found.push(Self { groups: groups(), counts, is_everything, positions: vec![position] });
                }
            }
        };
        let mut next = 0;
        let all = grouping.blocks().iter();
        let asked_for = all.clone().any(|block| !is_of_unknown(reading, space, block));
        for block in all {
            let rows = if reading.number_of().is_some() { 1 } else { block.asked().len() };
            let first = next;
            next += rows;
            if asked_for && is_of_unknown(reading, space, block) {
                continue;
            }
            if reading.number_of().is_some() {
                let counts: Vec<u64> = block.asked().iter().map(|cells| made_up.count(cells)).collect();
                let key = block.asked().iter().zip(&counts).map(|(cells, &count)| part(cells, count));
                add(first, key.collect(), counts, &|| block.asked().to_vec());
                continue;
            }
            let condition: Vec<usize> =
                block.asked().iter().flatten().chain(block.others()).copied().collect();
            let all = made_up.count(&condition);
            let whole = part(&condition, all);
            for (index, group) in block.asked().iter().enumerate() {
                let count = made_up.count(group).min(all);
                let one = part(group, count);
                // A share and what it leaves have intervals of the same width.
                let mut key = vec![one, (all - count, whole.1 - one.1, whole.2 && !one.2)];
                key.sort_unstable();
                add(first + index, key, vec![count, all - count], &|| {
                    let others = condition.iter().filter(|cell| !group.contains(cell)).copied();
                    vec![group.clone(), others.collect()]
                });
            }
        }
        Ok(found)
    }
}

/// Whether the records of a block have an unknown value of a column that its condition names, so that they are no group
/// that somebody asked for.
#[must_use]
pub fn is_of_unknown(reading: &Reading, space: &Space, block: &Block) -> bool {
    let named = |name: &str| space.columns().iter().position(|column| column.name == name);
    reading.given().iter().filter_map(|term| named(&term.column)).any(|column| {
        let mut cells = block.asked().iter().flatten().chain(block.others());
        cells.all(|&cell| !space.columns()[column].is_answer(space.value(cell, column)))
    })
}
