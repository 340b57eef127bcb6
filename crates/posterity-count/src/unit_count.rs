//! The units of a count, and how they are told apart.

use std::num::NonZeroUsize;

use crate::checked_questions::CheckedQuestions;
use crate::error::DataError;
use crate::margins::{RecordPacking, RecordTally};
use crate::question_group::QuestionGroup;
use crate::unit::{UnitHash, UnitRecords, Units};

/// The units of a count, and how they are told apart.
#[derive(Debug)]
pub(crate) struct UnitCount {
    pub(crate) kept: KeptUnits,
    pub(crate) hash: UnitHash,
}

/// What is kept of each unit.
#[derive(Debug)]
pub(crate) enum KeptUnits {
    /// A cell of each group of questions.
    Cells(Vec<Units>),
    /// The codes of all columns.
    Records(UnitRecords, RecordPacking),
}

impl UnitCount {
    /// No units yet, of all groups together in this memory.
    pub(crate) fn new(
        checked: &CheckedQuestions<'_>,
        groups: &[QuestionGroup],
        hash: UnitHash,
        memory: usize,
    ) -> Self {
        let (rule, folder) = (&checked.question.per_unit, std::env::temp_dir());
        if checked.whole {
            let packing = RecordPacking::new(checked);
            let kept = UnitRecords::new(rule, packing.bytes(), memory, &folder);
            return Self { kept: KeptUnits::Records(kept, packing), hash };
        }
        let memory = memory / groups.len().max(1);
        let cells = |group: &QuestionGroup| group.cells + usize::from(checked.within.is_some());
        let units = groups.iter().map(|group| Units::new(rule, cells(group), memory, &folder));
        Self { kept: KeptUnits::Cells(units.collect()), hash }
    }

    /// The counts of each group.
    ///
    /// # Errors
    /// [`DataError::Units`].
    pub(crate) fn finish(
        self,
        checked: &CheckedQuestions<'_>,
        groups: &[QuestionGroup],
        threads: NonZeroUsize,
    ) -> Result<Vec<Vec<u64>>, DataError> {
        match self.kept {
            KeptUnits::Cells(units) => units.into_iter().map(|units| Ok(units.finish(threads)?)).collect(),
            KeptUnits::Records(kept, packing) => {
                let start = || RecordTally::new(checked, groups, &packing);
                let tallies = kept.finish(threads, start, RecordTally::add)?;
                Ok(RecordTally::sum(tallies, start))
            }
        }
    }
}
