//! NumPy arrays of integers, truth values and text, copied piece by piece.

use std::sync::Arc;

use arrow_array::{ArrayRef, Int64Array, RecordBatch, UInt64Array};
use posterity::data::{Adjacency, LabelCounter};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PySlice};

use crate::error::Failure;
use crate::labels::COLUMN;

/// How many elements are copied between two looks at signals.
const PIECE: usize = 1 << 20;

/// Counts the elements of an array of truth values or text, or takes over integers, which are counted without Python.
/// Nothing if it is not an array of one axis, of a kind that can be read directly.
/// `unnamed` counts elements that are left out, because they have no exact name.
pub(crate) fn take(
    array: &Bound<'_, PyAny>,
    counter: &mut LabelCounter,
    adjacency: Adjacency,
    unnamed: &mut u64,
) -> Result<Option<Vec<RecordBatch>>, Failure> {
    let class = array.get_type();
    let named = |what: PyResult<Bound<'_, pyo3::types::PyString>>, expected: &str| {
        what.ok().is_some_and(|name| name.to_str().is_ok_and(|name| name == expected))
    };
    // A subclass may mean something else by its elements: a masked array does.
    if !(named(class.module(), "numpy") && named(class.name(), "ndarray")) {
        return Ok(None);
    }
    let Some((kind, width, length)) = form(array) else { return Ok(None) };
    let mut batches = Vec::new();
    for start in (0..length).step_by(PIECE) {
        let end = length.min(start + PIECE);
        let slice = PySlice::new(array.py(), start as isize, end as isize, 1);
        let bytes = array.get_item(slice).and_then(|piece| piece.call_method0("tobytes"));
        let Ok(bytes) = bytes.and_then(|bytes| Ok(bytes.cast_into::<PyBytes>()?)) else { return Ok(None) };
        let bytes = bytes.as_bytes();
        match kind {
            b'b' => {
                let yes = bytes.iter().filter(|value| **value != 0).count() as u64;
                counter.add(Some("true"), yes);
                counter.add(Some("false"), bytes.len() as u64 - yes);
            }
            b'U' => *unnamed += count_text(bytes, width, counter, adjacency)?,
            kind => batches.push(integers(bytes, kind, width)?),
        }
        array.py().check_signals()?;
    }
    Ok(Some(batches))
}

/// The kind and the width of the elements, and how many there are.
fn form(array: &Bound<'_, PyAny>) -> Option<(u8, usize, usize)> {
    let (length,): (usize,) = array.getattr("shape").ok()?.extract().ok()?;
    let code: String = array.getattr("dtype").ok()?.getattr("str").ok()?.extract().ok()?;
    let (order, rest) = (code.as_bytes().first()?, code.get(1..)?);
    let (kind, items) = (*rest.as_bytes().first()?, rest.get(1..)?.parse::<usize>().ok()?);
    let native = *order == b'|' || (*order == b'<') == cfg!(target_endian = "little");
    let width = if kind == b'U' { items.checked_mul(4)? } else { items };
    let known =
        matches!((kind, width), (b'b', 1) | (b'i' | b'u', 1 | 2 | 4 | 8)) || (kind == b'U' && width > 0);
    (native && known).then_some((kind, width, length))
}

/// Integers as a column.
fn integers(bytes: &[u8], kind: u8, width: usize) -> Result<RecordBatch, Failure> {
    macro_rules! as_numbers {
        ($from:ty, $to:ty) => {
            bytes
                .as_chunks::<{ size_of::<$from>() }>()
                .0
                .iter()
                .map(|one| <$to>::from(<$from>::from_ne_bytes(*one)))
        };
    }
    let column: ArrayRef = match (kind, width) {
        (b'i', 1) => Arc::new(Int64Array::from_iter_values(as_numbers!(i8, i64))),
        (b'i', 2) => Arc::new(Int64Array::from_iter_values(as_numbers!(i16, i64))),
        (b'i', 4) => Arc::new(Int64Array::from_iter_values(as_numbers!(i32, i64))),
        (b'i', _) => Arc::new(Int64Array::from_iter_values(as_numbers!(i64, i64))),
        (_, 1) => Arc::new(UInt64Array::from_iter_values(as_numbers!(u8, u64))),
        (_, 2) => Arc::new(UInt64Array::from_iter_values(as_numbers!(u16, u64))),
        (_, 4) => Arc::new(UInt64Array::from_iter_values(as_numbers!(u32, u64))),
        (_, _) => Arc::new(UInt64Array::from_iter_values(as_numbers!(u64, u64))),
    };
    RecordBatch::try_from_iter([(COLUMN, column)])
        .map_err(|_| Failure::Internal { what: "a column of integers could not be made" })
}

/// Text of fixed width, in four bytes a letter, filled up with zeros.
fn count_text(
    bytes: &[u8],
    width: usize,
    counter: &mut LabelCounter,
    adjacency: Adjacency,
) -> Result<u64, Failure> {
    let (mut text, mut unnamed) = (String::new(), 0);
    'elements: for element in bytes.chunks_exact(width) {
        text.clear();
        let letters = element.as_chunks::<4>().0;
        let end = letters.iter().rposition(|letter| *letter != [0; 4]).map_or(0, |last| last + 1);
        for letter in &letters[..end] {
            match char::from_u32(u32::from_ne_bytes(*letter)) {
                Some(letter) => text.push(letter),
                None if adjacency == Adjacency::AddRemove => {
                    unnamed += 1;
                    continue 'elements;
                }
                None => return Err(crate::labels::unsupported("text that is not Unicode")),
            }
        }
        counter.add(Some(&text), 1);
    }
    Ok(unnamed)
}
