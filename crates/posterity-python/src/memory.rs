//! Columns in memory, ready to be counted without the interpreter.

use arrow_array::RecordBatch;
use arrow_schema::Schema;
use posterity::data::{
    Counted, CountedMargins, DataError, MixedColumn, Question, Resources, Values, ValuesAsked, count_batches,
    count_margins_of_batches, gather_values_of_batches,
};
use posterity_core::sampler::BitSource;

use crate::capsule::Columns;
use crate::error::Failure;
use crate::interrupt::Watch;

/// Columns in memory.
pub(crate) struct Memory {
    arrays: Arrays,
    /// Columns of Python objects, with their names.
    objects: Vec<(String, MixedColumn)>,
}

/// Columns that have a type.
enum Arrays {
    /// Of another library, not yet checked.
    Theirs(Columns),
    /// Copied.
    Ours(Vec<RecordBatch>),
}

impl Memory {
    /// Arrays of another library.
    pub(crate) fn theirs(columns: Columns) -> Self {
        Self { arrays: Arrays::Theirs(columns), objects: Vec::new() }
    }

    /// Arrays that were copied.
    pub(crate) fn ours(batches: Vec<RecordBatch>) -> Self {
        Self { arrays: Arrays::Ours(batches), objects: Vec::new() }
    }

    /// The same with columns of objects.
    pub(crate) fn with_objects(self, objects: Vec<(String, MixedColumn)>) -> Self {
        Self { objects, ..self }
    }

    /// The columns after all their values were found to be what their types say.
    pub(crate) fn checked(self, watch: &Watch) -> Result<CheckedMemory, Failure> {
        let (schema, batches) = match self.arrays {
            Arrays::Theirs(columns) => columns.checked(&|| watch.tick())?,
            Arrays::Ours(batches) => {
                let first = batches.first().ok_or(DataError::NoRecords)?;
                (first.schema().as_ref().clone(), batches)
            }
        };
        Ok(CheckedMemory { schema, batches, objects: self.objects })
    }

    /// Counts the records.
    pub(crate) fn count(
        self,
        question: &Question,
        bits: &mut dyn BitSource,
        resources: &Resources,
        watch: &Watch,
    ) -> Result<Counted, Failure> {
        self.checked(watch)?.count(question, bits, resources, watch)
    }
}

/// Columns that can be counted.
pub(crate) struct CheckedMemory {
    schema: Schema,
    batches: Vec<RecordBatch>,
    objects: Vec<(String, MixedColumn)>,
}

impl CheckedMemory {
    /// How many records there are.
    pub(crate) fn rows(&self) -> u64 {
        self.batches.iter().map(|batch| batch.num_rows() as u64).sum()
    }

    /// Counts the records.
    pub(crate) fn count(
        &self,
        question: &Question,
        bits: &mut dyn BitSource,
        resources: &Resources,
        watch: &Watch,
    ) -> Result<Counted, Failure> {
        let Self { schema, batches, objects } = self;
        let progress = |_| watch.progress();
        Ok(count_batches(schema, batches, objects, question, bits, resources, &progress)?)
    }

    /// Counts tables over sets of columns.
    pub(crate) fn count_margins(
        &self,
        question: &Question,
        sets: &[Vec<usize>],
        bits: &mut dyn BitSource,
        watch: &Watch,
    ) -> Result<CountedMargins, Failure> {
        let Self { schema, batches, objects } = self;
        let (resources, progress) = (Resources::default(), |_| watch.progress());
        let counted =
            count_margins_of_batches(schema, batches, objects, question, sets, bits, &resources, &progress);
        Ok(counted?)
    }

    /// Gathers every value of a column.
    pub(crate) fn gather(
        &self,
        asked: &ValuesAsked,
        bits: &mut dyn BitSource,
        watch: &Watch,
    ) -> Result<Values, Failure> {
        let Self { schema, batches, objects } = self;
        let resources = Resources::default();
        let progress = |_| watch.progress();
        Ok(gather_values_of_batches(schema, batches, objects, asked, bits, &resources, &progress)?)
    }
}
