//! Columns in memory, ready to be counted without the interpreter.

use std::ops::ControlFlow;

use arrow_array::RecordBatch;
use posterity::data::{Counted, DataError, MixedColumn, Question, Resources, count_batches};
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

    /// Counts the records.
    pub(crate) fn count(
        self,
        question: &Question,
        bits: &mut dyn BitSource,
        resources: &Resources,
        watch: &Watch,
    ) -> Result<Counted, Failure> {
        let (schema, batches) = match self.arrays {
            Arrays::Theirs(columns) => columns.checked(&|| watch.tick())?,
            Arrays::Ours(batches) => {
                let first = batches.first().ok_or(DataError::NoRecords)?;
                (first.schema().as_ref().clone(), batches)
            }
        };
        let progress =
            |_| if watch.is_cancelled() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) };
        Ok(count_batches(&schema, &batches, &self.objects, question, bits, resources, &progress)?)
    }
}
