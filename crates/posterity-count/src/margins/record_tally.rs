//! Counting the records that stand for units.

use super::record_packing::RecordPacking;
use crate::cell_table::{CellTable, Places};
use crate::checked_questions::CheckedQuestions;
use crate::column_codes::ColumnCodes;
use crate::question_group::QuestionGroup;

/// How many records are counted together, so that all that is known of them stays in fast memory.
const TOGETHER: usize = 1 << 14;

/// The tables of all groups, to which one thread adds packed records.
pub(crate) struct RecordTally<'a> {
    checked: &'a CheckedQuestions<'a>,
    groups: &'a [QuestionGroup],
    packing: &'a RecordPacking,
    tables: Vec<CellTable>,
    /// The codes of records that are not in the tables yet, and how many records that are.
    codes: Vec<ColumnCodes>,
    held: usize,
    places: Places,
}

impl<'a> RecordTally<'a> {
    /// Empty tables.
    pub(crate) fn new(
        checked: &'a CheckedQuestions<'a>,
        groups: &'a [QuestionGroup],
        packing: &'a RecordPacking,
    ) -> Self {
        let codes = checked.codings.iter().map(|coding| ColumnCodes::new(coding.dimension.len));
        Self {
            checked,
            groups,
            packing,
            tables: groups.iter().map(|group| CellTable::new(checked, group)).collect(),
            codes: codes.collect(),
            held: 0,
            places: Places::default(),
        }
    }

    /// Adds a record.
    pub(crate) fn add(&mut self, record: &[u8]) {
        self.packing.unpack(record, &mut self.codes);
        self.held += 1;
        if self.held == TOGETHER {
            self.count();
        }
    }

    /// The counts of each group, of all tallies together.
    pub(crate) fn sum(tallies: Vec<Self>, empty: impl FnOnce() -> Self) -> Vec<Vec<u64>> {
        let mut tallies = tallies.into_iter();
        let mut sum = tallies.next().unwrap_or_else(empty);
        sum.count();
        for mut tally in tallies {
            tally.count();
            sum.tables.iter_mut().zip(tally.tables).for_each(|(sum, table)| sum.absorb(table));
        }
        sum.tables.into_iter().map(CellTable::finish).collect()
    }

    /// Adds the records that are held to the tables.
    fn count(&mut self) {
        if self.held == 0 {
            return;
        }
        for (table, group) in self.tables.iter_mut().zip(self.groups) {
            table.add(self.checked, group, &self.codes, &mut self.places);
        }
        self.codes.iter_mut().for_each(ColumnCodes::clear);
        self.held = 0;
    }
}
