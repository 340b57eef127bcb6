//! Few tables that hold the tables of many sets of columns.
//!
//! Adding one to a table takes longer than finding the place in it. So sets whose columns have few combinations
//! together are counted in one table, and the table of each set is a sum over it. All records count in all sets, so
//! this changes no count. All 1,225 pairs of 50 columns with eight values are counted in fewer than 300 tables of four columns.

use std::cmp::Reverse;

use crate::cells::code_bits;
use crate::question_group::QuestionGroup;

/// The most cells of a table that several sets share, so that it stays in the fastest memory. If that makes all tables
/// together too large, the next of these is tried. Under the last one no set makes a table larger.
const SHARED: [usize; 4] = [4096, 1024, 256, 0];

/// The most cells that tables may have together so that sets share them, unless the sets have more by themselves.
const SHARED_TOGETHER: usize = 1 << 21;

/// The tables for all sets, whose indices are their parts. There is at least one table, and every set is a part of one
/// of them.
pub(super) fn cover(lengths: &[usize], sets: &[Vec<usize>]) -> Vec<QuestionGroup> {
    let alone: usize = sets.iter().filter_map(|set| cells(lengths, set)).sum();
    let together = |groups: &[QuestionGroup]| groups.iter().map(|group| group.cells).sum::<usize>();
    let mut groups = Vec::new();
    for most in SHARED {
        groups = Covering::new(lengths, sets).groups(most);
        if together(&groups) <= alone.max(SHARED_TOGETHER) {
            break;
        }
    }
    // The empty set is in every table.
    let empty = sets.iter().enumerate().filter(|(_, set)| set.is_empty()).map(|(index, _)| index);
    match groups.first_mut() {
        Some(first) => first.parts.extend(empty),
        None => groups.push(QuestionGroup {
            codings: vec![0],
            cells: lengths.first().copied().unwrap_or(1),
            parts: empty.collect(),
        }),
    }
    groups
}

/// The cells of a set, if they can be counted.
pub(super) fn cells(lengths: &[usize], set: &[usize]) -> Option<usize> {
    set.iter().try_fold(1_usize, |cells, &column| cells.checked_mul(lengths[column]))
}

/// The sets, and which of them are in a table already.
struct Covering<'a> {
    lengths: &'a [usize],
    sets: &'a [Vec<usize>],
    /// For each column the sets that have it.
    of_column: Vec<Vec<usize>>,
    covered: Vec<bool>,
}

/// A table to which columns are added.
struct Growing {
    group: QuestionGroup,
    has: Vec<bool>,
    /// For each column, how many more sets are in the table if it is added.
    gains: Vec<usize>,
}

impl<'a> Covering<'a> {
    fn new(lengths: &'a [usize], sets: &'a [Vec<usize>]) -> Self {
        let mut of_column = vec![Vec::new(); lengths.len()];
        for (index, set) in sets.iter().enumerate() {
            set.iter().for_each(|&column| of_column[column].push(index));
        }
        Self { lengths, sets, of_column, covered: vec![false; sets.len()] }
    }

    /// Tables of which none has more than so many cells, except for a set that has more itself.
    fn groups(mut self, most: usize) -> Vec<QuestionGroup> {
        let mut order: Vec<usize> = (0..self.sets.len()).filter(|&set| !self.sets[set].is_empty()).collect();
        // Large sets come first: small ones are often in their tables.
        order.sort_by_key(|&set| Reverse(cells(self.lengths, &self.sets[set])));
        let mut groups = Vec::new();
        for set in order {
            if !self.covered[set] {
                groups.push(self.grow(set, most));
            }
        }
        groups
    }

    /// The table of a set, and of as many others as there is room for.
    fn grow(&mut self, set: usize, most: usize) -> QuestionGroup {
        let columns = self.lengths.len();
        let group = QuestionGroup { codings: Vec::new(), cells: 1, parts: Vec::new() };
        let mut growing = Growing { group, has: vec![false; columns], gains: vec![0; columns] };
        let sets = self.sets;
        sets[set].iter().for_each(|&column| self.add(&mut growing, column));
        while let Some(column) = growing.best(self.lengths, most) {
            self.add(&mut growing, column);
        }
        growing.group
    }

    /// Adds a column to a table, and finds the sets that are in it now, or would be with one more column.
    fn add(&mut self, growing: &mut Growing, column: usize) {
        growing.has[column] = true;
        growing.group.cells *= self.lengths[column];
        growing.group.codings.push(column);
        for &set in &self.of_column[column] {
            if self.covered[set] {
                continue;
            }
            let mut lacking = self.sets[set].iter().filter(|&&column| !growing.has[column]);
            match (lacking.next(), lacking.next()) {
                (None, _) => {
                    self.covered[set] = true;
                    growing.group.parts.push(set);
                }
                (Some(&only), None) => growing.gains[only] += 1,
                (Some(_), Some(_)) => {}
            }
        }
    }
}

impl Growing {
    /// The column that brings most sets for the room that it takes, if one brings any and has room.
    fn best(&self, lengths: &[usize], most: usize) -> Option<usize> {
        let bits = |column: usize| code_bits(lengths[column]) as usize;
        let worth = |one: usize, other: usize| {
            let (gain, loss) = (self.gains[one] * bits(other), self.gains[other] * bits(one));
            gain.cmp(&loss).then_with(|| other.cmp(&one))
        };
        (0..lengths.len())
            .filter(|&column| !self.has[column] && self.gains[column] > 0)
            .filter(|&column| self.group.cells.saturating_mul(lengths[column]) <= most)
            .max_by(|&one, &other| worth(one, other))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// All sets of so many of these columns.
    fn all(columns: usize, size: usize) -> Vec<Vec<usize>> {
        let mut sets: Vec<Vec<usize>> = vec![Vec::new()];
        for _ in 0..size {
            let longer = |set: &Vec<usize>| {
                let first = set.last().map_or(0, |last| last + 1);
                let set = set.clone();
                (first..columns).map(move |column| [set.as_slice(), &[column]].concat())
            };
            sets = sets.iter().flat_map(longer).collect();
        }
        sets
    }

    /// If this fails, a table is counted twice or not at all, or in one that lacks a column of it.
    #[test]
    fn every_set_is_in_one_table() {
        let mixed = [2, 3, 70_000, 2, 9, 40, 12];
        let mut sets = all(7, 2);
        sets.extend([vec![], vec![2], vec![0, 1, 3, 4], vec![0, 1], vec![]]);
        for (lengths, sets) in [
            (mixed.to_vec(), sets),
            (vec![2; 16], all(16, 3)),
            (vec![8; 50], all(50, 2)),
            (vec![3, 2], vec![]),
            (vec![3, 2], vec![vec![]]),
        ] {
            let groups = cover(&lengths, &sets);
            let mut parts: Vec<usize> = groups.iter().flat_map(|group| group.parts.clone()).collect();
            parts.sort_unstable();
            assert_eq!(parts, (0..sets.len()).collect::<Vec<_>>());
            for group in &groups {
                assert_eq!(Some(group.cells), cells(&lengths, &group.codings));
                for &part in &group.parts {
                    assert!(sets[part].iter().all(|column| group.codings.contains(column)));
                }
                let largest = group.parts.iter().filter_map(|&part| cells(&lengths, &sets[part])).max();
                assert!(group.cells <= largest.unwrap_or(lengths[0]).max(SHARED[0]));
            }
            assert!(!groups.is_empty());
        }
    }

    #[test]
    fn few_tables_hold_many_sets() {
        assert_eq!(all(50, 2).len(), 1225);
        let pairs = cover(&[8; 50], &all(50, 2)).len();
        assert!(pairs <= 300, "{pairs}");
        let triples = cover(&[2; 16], &all(16, 3)).len();
        assert!(triples <= 16, "{triples}");
    }

    /// If this fails, many sets of large tables take more memory than their own tables do.
    #[test]
    fn tables_that_are_shared_stay_small() {
        let (lengths, sets) = (vec![5; 50], all(50, 3));
        let together: usize = cover(&lengths, &sets).iter().map(|group| group.cells).sum();
        assert!(together <= (125 * sets.len()).max(SHARED_TOGETHER), "{together}");
    }
}
