//! Columns in memory, ready to be counted without the interpreter.

use arrow_array::cast::AsArray;
use arrow_array::types::{Float16Type, Float32Type, Float64Type};
use arrow_array::{Array, RecordBatch};
use arrow_schema::{DataType, Schema};
use posterity::data::{
    Counted, CountedMargins, DataError, MixedColumn, MixedValue, Question, Resources, Values, ValuesAsked,
    count_batches, count_margins_of_batches, gather_values_of_batches, needed_columns,
};
use posterity_core::sampler::BitSource;

use crate::capsule::Columns;
use crate::error::Failure;
use crate::interrupt::Watch;
use crate::objects::{Floats, whole_digits};

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

    /// The columns after all their values were found to be what their types say, for this question and parts of it.
    pub(crate) fn checked(self, question: &Question, watch: &Watch) -> Result<CheckedMemory, Failure> {
        let (schema, batches) = match self.arrays {
            Arrays::Theirs(columns) => columns.checked(&|| watch.tick())?,
            Arrays::Ours(batches) => {
                let first = batches.first().ok_or(DataError::NoRecords)?;
                (first.schema().as_ref().clone(), batches)
            }
        };
        let checked = CheckedMemory { schema, batches, objects: self.objects };
        match Floats::from(question.adjacency) {
            Floats::Plain => Ok(checked),
            Floats::WholeAsIntegers => checked.with_whole_floats(question, watch),
        }
    }

    /// Counts the records.
    pub(crate) fn count(
        self,
        question: &Question,
        bits: &mut dyn BitSource,
        resources: &Resources,
        watch: &Watch,
    ) -> Result<Counted, Failure> {
        self.checked(question, watch)?.count(question, bits, resources, watch)
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

    /// The same with the columns of floating-point numbers that a question needs read value by value: see [`Floats`].
    fn with_whole_floats(self, question: &Question, watch: &Watch) -> Result<Self, Failure> {
        let Self { schema, batches, mut objects } = self;
        let mut names: Vec<String> = schema.fields().iter().map(|field| field.name().clone()).collect();
        names.extend(objects.iter().map(|(name, _)| name.clone()));
        let needed = needed_columns(question, &names)?;
        let is_float =
            |place: &usize| needed.contains(place) && holds_floats(schema.field(*place).data_type());
        let (floats, others): (Vec<usize>, Vec<usize>) = (0..schema.fields().len()).partition(is_float);
        if floats.is_empty() {
            return Ok(Self { schema, batches, objects });
        }
        for place in floats {
            let mut column = MixedColumn::default();
            for batch in &batches {
                push(&mut column, batch.column(place))?;
                watch.tick();
            }
            objects.push((names[place].clone(), column));
        }
        let kept = |_| Failure::Internal { what: "columns could not be chosen" };
        let schema = schema.project(&others).map_err(kept)?;
        let batches = batches.iter().map(|batch| batch.project(&others)).collect::<Result<_, _>>();
        Ok(Self { schema, batches: batches.map_err(kept)?, objects })
    }
}

/// Whether a type is one of floating-point numbers, or a dictionary of them.
fn holds_floats(kind: &DataType) -> bool {
    match kind {
        DataType::Dictionary(_, values) => values.is_floating(),
        kind => kind.is_floating(),
    }
}

/// Adds the numbers of an array.
fn push(column: &mut MixedColumn, array: &dyn Array) -> Result<(), Failure> {
    let (values, keys) = match array.as_any_dictionary_opt() {
        // Then every key is missing.
        Some(dictionary) if dictionary.values().is_empty() => {
            (0..array.len()).for_each(|_| column.push(MixedValue::Missing));
            return Ok(());
        }
        Some(dictionary) => (dictionary.values().as_ref(), Some(dictionary.normalized_keys())),
        None => (array, None),
    };
    for row in 0..array.len() {
        let place = keys.as_ref().map_or(row, |keys| keys[row]);
        if array.is_null(row) || values.is_null(place) {
            column.push(MixedValue::Missing);
            continue;
        }
        let number = match values.data_type() {
            DataType::Float16 => values.as_primitive::<Float16Type>().value(place).to_f64(),
            DataType::Float32 => values.as_primitive::<Float32Type>().value(place).into(),
            DataType::Float64 => values.as_primitive::<Float64Type>().value(place),
            _ => return Err(Failure::Internal { what: "a column is of another type" }),
        };
        match (whole_digits(number), values.data_type()) {
            (Some(digits), _) => column.push(MixedValue::Integer(&digits)),
            (None, DataType::Float64) => column.push(MixedValue::Double(number)),
            (None, _) => column.push(MixedValue::Single(number as f32)),
        }
    }
    Ok(())
}
