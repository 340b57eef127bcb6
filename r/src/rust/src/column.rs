//! Vectors of R as columns that can be counted without R.
//!
//! What a value means depends on nothing but that value and the type of its vector. In R whole numbers are most often
//! floating-point numbers, and 1.0 is the label, unit or number 1 as everywhere.

use std::sync::Arc;

use arrow_array::types::Int32Type;
use arrow_array::{
    ArrayRef, BooleanArray, DictionaryArray, Float64Array, Int32Array, LargeStringArray, RecordBatch,
    RecordBatchOptions, StringArray,
};
use arrow_schema::{Field, Schema};
use extendr_api::prelude::*;
use posterity::data::{Frame, MixedColumn, MixedValue};

use crate::argument::{exact, texts};
use crate::failure::Failure;

/// One column: of one type, or with a type for each value.
enum Column {
    Typed(ArrayRef),
    Mixed(MixedColumn),
}

/// Copies vectors of the same length that have names.
pub(crate) fn frame(vectors: &[(String, Robj)], length: usize) -> Result<Frame, Failure> {
    let (mut fields, mut arrays, mut mixed) = (Vec::new(), Vec::new(), Vec::new());
    for (name, vector) in vectors {
        match column(vector, name)? {
            Column::Typed(array) => {
                fields.push(Field::new(name, array.data_type().clone(), true));
                arrays.push(array);
            }
            Column::Mixed(column) => mixed.push((name.clone(), column)),
        }
    }
    let options = RecordBatchOptions::new().with_row_count(Some(length));
    let batch = RecordBatch::try_new_with_options(Arc::new(Schema::new(fields)), arrays, &options);
    let batch = batch.map_err(|_| Failure::argument("data", "its columns are not of the same length"))?;
    Ok(Frame::new(Schema::clone(&batch.schema()), vec![batch], mixed))
}

/// The values of a vector. Its class decides what they are.
fn column(vector: &Robj, name: &str) -> Result<Column, Failure> {
    let typed = |array: ArrayRef| Ok(Column::Typed(array));
    if vector.inherits("factor") {
        return typed(factor(vector).ok_or_else(|| unread(vector, name))?);
    }
    if vector.inherits("Date") {
        return Ok(Column::Mixed(floats(vector, day).ok_or_else(|| unread(vector, name))?));
    }
    if vector.inherits("POSIXct") {
        return Ok(Column::Mixed(floats(vector, instant).ok_or_else(|| unread(vector, name))?));
    }
    if vector.inherits("integer64") {
        return Ok(Column::Mixed(integers64(vector).ok_or_else(|| unread(vector, name))?));
    }
    // What a class that is not known means by its values is not known either; a label of haven's is no number.
    if vector.is_object() {
        return Err(unread(vector, name));
    }
    if vector.is_string() {
        return typed(Arc::new(texts(vector).collect::<LargeStringArray>()));
    }
    if let Some(truths) = vector.as_logical_slice() {
        let truths = truths.iter().map(|one| (!one.is_na()).then(|| one.is_true()));
        return typed(Arc::new(truths.collect::<BooleanArray>()));
    }
    if let Some(numbers) = vector.as_integer_slice() {
        return typed(Arc::new(numbers.iter().map(known).collect::<Int32Array>()));
    }
    let numbers = vector.as_real_slice().ok_or_else(|| unread(vector, name))?;
    let numbers = numbers.iter().map(|number| (!number.is_nan()).then_some(*number));
    typed(Arc::new(numbers.collect::<Float64Array>()))
}

/// A column of a type that is not read. The type is that of the column, and says nothing about a record.
fn unread(vector: &Robj, name: &str) -> Failure {
    let class = vector.get_attrib("class");
    let class = class.as_ref().and_then(|class| texts(class).next().flatten().map(str::to_owned));
    let class = class.unwrap_or_else(|| format!("{:?}", vector.rtype()).to_lowercase());
    Failure::argument(
        "data",
        format!(
            "column {name:?} is of the type {class}, which is not read here; make it character, factor, logical, integer, numeric, \
             Date or POSIXct"
        ),
    )
}

/// An integer that is not missing.
fn known(number: &i32) -> Option<i32> {
    (*number != i32::MIN).then_some(*number)
}

/// The labels of a factor. Which levels it has does not matter, only which one each record has.
fn factor(vector: &Robj) -> Option<ArrayRef> {
    let levels = vector.get_attrib("levels")?;
    let levels: StringArray = texts(&levels).collect();
    let codes = vector.as_integer_slice()?.iter().map(|code| known(code).map(|code| code - 1));
    let codes: Int32Array = codes.collect();
    Some(Arc::new(DictionaryArray::<Int32Type>::try_new(codes, Arc::new(levels)).ok()?))
}

/// The values of a numeric vector, each by itself.
fn floats(vector: &Robj, push: fn(&mut MixedColumn, f64)) -> Option<MixedColumn> {
    let mut column = MixedColumn::default();
    let mut one =
        |value: f64| if value.is_nan() { column.push(MixedValue::Missing) } else { push(&mut column, value) };
    if let Some(numbers) = vector.as_real_slice() {
        numbers.iter().for_each(|value| one(*value));
    } else {
        vector.as_integer_slice()?.iter().for_each(|value| one(known(value).map_or(f64::NAN, f64::from)));
    }
    Some(column)
}

/// Days since 1970-01-01, of which R may hold fractions.
fn day(column: &mut MixedColumn, value: f64) {
    let day = exact(value.floor()).and_then(|day| i32::try_from(day).ok());
    column.push(day.map_or(MixedValue::Strange, MixedValue::Day));
}

/// Seconds since 1970-01-01 in UTC, to the microsecond.
fn instant(column: &mut MixedColumn, value: f64) {
    let microseconds = exact((value * 1e6).round());
    column.push(
        microseconds
            .map_or(MixedValue::Strange, |microseconds| MixedValue::Instant { microseconds, nanoseconds: 0 }),
    );
}

/// The integers of the package bit64, which keeps them in the bits of floating-point numbers.
fn integers64(vector: &Robj) -> Option<MixedColumn> {
    let mut column = MixedColumn::default();
    for value in vector.as_real_slice()? {
        match value.to_bits() as i64 {
            i64::MIN => column.push(MixedValue::Missing),
            whole => column.push(MixedValue::Integer(&whole.to_string())),
        }
    }
    Some(column)
}
