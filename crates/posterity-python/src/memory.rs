//! Columns in memory, ready to be counted without the interpreter.

use arrow_array::RecordBatch;
use posterity::data::{DataError, Frame, MixedColumn};

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

    /// The columns after all their values were found to be what their types say, so that they can be counted.
    pub(crate) fn checked(self, watch: &Watch) -> Result<Frame, Failure> {
        let (schema, batches) = match self.arrays {
            Arrays::Theirs(columns) => columns.checked(&|| watch.tick())?,
            Arrays::Ours(batches) => {
                let first = batches.first().ok_or(DataError::NoRecords)?;
                (first.schema().as_ref().clone(), batches)
            }
        };
        Ok(Frame::new(schema, batches, self.objects))
    }
}
