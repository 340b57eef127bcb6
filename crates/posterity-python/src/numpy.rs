//! NumPy arrays of integers, truth values and text, read where they are.

#![allow(unsafe_code, reason = "the memory belongs to NumPy")]

use std::ptr::NonNull;
use std::sync::Arc;

use posterity::data::LabelCounter;
use posterity::data::datafusion::arrow::array::{ArrayData, make_array};
use posterity::data::datafusion::arrow::buffer::Buffer;
use posterity::data::datafusion::arrow::datatypes::DataType;
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::error::Failure;

/// What `__array_interface__` says of an array in one piece.
struct Interface {
    kind: u8,
    width: usize,
    pointer: usize,
    length: usize,
}

/// How many elements are counted between two looks at signals.
const PIECE: usize = 1 << 20;

/// Counts the elements of an array, with the interpreter held, so that nobody changes them meanwhile. False if it is not an
/// array of one axis in one piece, of a kind that can be read directly.
pub(crate) fn count(array: &Bound<'_, PyAny>, counter: &mut LabelCounter) -> Result<bool, Failure> {
    let kind = array.get_type();
    let named = |what: PyResult<Bound<'_, pyo3::types::PyString>>, expected: &str| {
        what.ok().is_some_and(|name| name.to_str().is_ok_and(|name| name == expected))
    };
    // A subclass may mean something else by its elements: a masked array does.
    if !(named(kind.module(), "numpy") && named(kind.name(), "ndarray")) {
        return Ok(false);
    }
    let Some(interface) = interface(array) else { return Ok(false) };
    let Interface { kind, width, pointer, length } = interface;
    let Some(start) = NonNull::new(pointer as *mut u8) else { return Ok(false) };
    let mut done = 0;
    while done < length {
        let piece = PIECE.min(length - done);
        // SAFETY: NumPy says that so many elements of this width are there.
        let place = unsafe { start.add(done * width) };
        match kind {
            b'b' => {
                // SAFETY: as above.
                let values = unsafe { std::slice::from_raw_parts(place.as_ptr(), piece) };
                let yes = values.iter().filter(|value| **value != 0).count() as u64;
                counter.add(Some("true"), yes);
                counter.add(Some("false"), piece as u64 - yes);
            }
            b'U' => {
                // SAFETY: as above.
                let bytes = unsafe { std::slice::from_raw_parts(place.as_ptr(), piece * width) };
                count_text(bytes, width, counter)?;
            }
            kind => {
                let Some(kind) = integer(kind, width) else { return Ok(false) };
                let owner = Arc::new(Owner(array.clone().unbind()));
                // SAFETY: as above; the owner keeps the memory.
                let buffer = unsafe { Buffer::from_custom_allocation(place, piece * width, owner as _) };
                let data = ArrayData::builder(kind).len(piece).add_buffer(buffer).align_buffers(true);
                // SAFETY: integers may hold any bits.
                counter.add_array(&make_array(unsafe { data.build_unchecked() }))?;
            }
        }
        done += piece;
        array.py().check_signals()?;
    }
    Ok(true)
}

/// Keeps an array alive.
struct Owner(#[allow(dead_code, reason = "kept, not read")] Py<PyAny>);

impl std::panic::RefUnwindSafe for Owner {}

fn interface(array: &Bound<'_, PyAny>) -> Option<Interface> {
    let interface = array.getattr("__array_interface__").ok()?;
    let interface = interface.cast::<PyDict>().ok()?;
    let item = |name: &str| interface.get_item(name).ok().flatten();
    let code: String = item("typestr")?.extract().ok()?;
    let shape: Vec<usize> = item("shape")?.extract().ok()?;
    let (pointer, _): (usize, bool) = item("data")?.extract().ok()?;
    let (Some(&[order, kind]), [length]) = (code.as_bytes().first_chunk::<2>(), &shape[..]) else {
        return None;
    };
    let items: usize = code.get(2..)?.parse().ok()?;
    let native = order == b'|' || (order == b'<') == cfg!(target_endian = "little");
    let in_one_piece = item("strides").is_none_or(|strides| strides.is_none());
    let width = if kind == b'U' { 4 * items } else { items };
    let known =
        matches!((kind, width), (b'b', 1) | (b'i' | b'u', 1 | 2 | 4 | 8)) || (kind == b'U' && width > 0);
    (native && in_one_piece && known).then_some(Interface { kind, width, pointer, length: *length })
}

fn integer(kind: u8, width: usize) -> Option<DataType> {
    Some(match (kind, width) {
        (b'i', 1) => DataType::Int8,
        (b'i', 2) => DataType::Int16,
        (b'i', 4) => DataType::Int32,
        (b'i', 8) => DataType::Int64,
        (b'u', 1) => DataType::UInt8,
        (b'u', 2) => DataType::UInt16,
        (b'u', 4) => DataType::UInt32,
        (b'u', 8) => DataType::UInt64,
        _ => return None,
    })
}

/// Text of fixed width, in four bytes a letter, filled up with zeros.
fn count_text(bytes: &[u8], width: usize, counter: &mut LabelCounter) -> Result<(), Failure> {
    let mut text = String::new();
    for element in bytes.chunks_exact(width) {
        text.clear();
        let letters = element
            .chunks_exact(4)
            .map(|letter| u32::from_ne_bytes([letter[0], letter[1], letter[2], letter[3]]));
        let end = element.chunks_exact(4).rposition(|letter| letter != [0; 4]).map_or(0, |last| last + 1);
        for letter in letters.take(end) {
            let letter = char::from_u32(letter)
                .ok_or_else(|| crate::labels::unsupported("text that is not Unicode"))?;
            text.push(letter);
        }
        counter.add(Some(&text), 1);
    }
    Ok(())
}
