//! Arrays of other libraries through the Arrow C data interface, without copying them.
//!
//! The structures are those of the interface's specification (arrow.apache.org, "The Arrow C data interface" and "The Arrow C
//! stream interface"). As there, a producer is trusted to describe its own memory truly; what cannot be is refused.

#![allow(unsafe_code, reason = "the memory belongs to another library")]

use std::ffi::{CStr, c_char, c_int, c_void};
use std::ptr::NonNull;
use std::sync::Arc;

use posterity::data::DataError;
use posterity::data::datafusion::arrow::array::{ArrayData, ArrayRef, make_array, new_empty_array};
use posterity::data::datafusion::arrow::buffer::Buffer;
use posterity::data::datafusion::arrow::datatypes::DataType;
use pyo3::prelude::*;
use pyo3::types::PyCapsule;

use crate::error::Failure;

#[repr(C)]
struct Schema {
    format: *const c_char,
    name: *const c_char,
    metadata: *const c_char,
    flags: i64,
    n_children: i64,
    children: *mut *mut Schema,
    dictionary: *mut Schema,
    release: Option<unsafe extern "C" fn(*mut Schema)>,
    private_data: *mut c_void,
}

#[repr(C)]
struct Array {
    length: i64,
    null_count: i64,
    offset: i64,
    n_buffers: i64,
    n_children: i64,
    buffers: *mut *const c_void,
    children: *mut *mut Array,
    dictionary: *mut Array,
    release: Option<unsafe extern "C" fn(*mut Array)>,
    private_data: *mut c_void,
}

#[repr(C)]
struct Stream {
    get_schema: Option<unsafe extern "C" fn(*mut Stream, *mut Schema) -> c_int>,
    get_next: Option<unsafe extern "C" fn(*mut Stream, *mut Array) -> c_int>,
    get_last_error: Option<unsafe extern "C" fn(*mut Stream) -> *const c_char>,
    release: Option<unsafe extern "C" fn(*mut Stream)>,
    private_data: *mut c_void,
}

/// A structure that is released when it is dropped.
trait Released: Sized {
    const EMPTY: Self;
    fn callback(&self) -> Option<unsafe extern "C" fn(*mut Self)>;
}

impl Released for Schema {
    const EMPTY: Self = Self {
        format: std::ptr::null(),
        name: std::ptr::null(),
        metadata: std::ptr::null(),
        flags: 0,
        n_children: 0,
        children: std::ptr::null_mut(),
        dictionary: std::ptr::null_mut(),
        release: None,
        private_data: std::ptr::null_mut(),
    };
    fn callback(&self) -> Option<unsafe extern "C" fn(*mut Self)> {
        self.release
    }
}

impl Released for Array {
    const EMPTY: Self = Self {
        length: 0,
        null_count: 0,
        offset: 0,
        n_buffers: 0,
        n_children: 0,
        buffers: std::ptr::null_mut(),
        children: std::ptr::null_mut(),
        dictionary: std::ptr::null_mut(),
        release: None,
        private_data: std::ptr::null_mut(),
    };
    fn callback(&self) -> Option<unsafe extern "C" fn(*mut Self)> {
        self.release
    }
}

impl Released for Stream {
    const EMPTY: Self = Self {
        get_schema: None,
        get_next: None,
        get_last_error: None,
        release: None,
        private_data: std::ptr::null_mut(),
    };
    fn callback(&self) -> Option<unsafe extern "C" fn(*mut Self)> {
        self.release
    }
}

/// A structure that is ours.
struct Owned<T: Released>(T);

impl<T: Released> Drop for Owned<T> {
    fn drop(&mut self) {
        if let Some(release) = self.0.callback() {
            // SAFETY: the structure was filled by its producer, was not released, and is released here only.
            unsafe { release(&raw mut self.0) };
        }
    }
}

// SAFETY: the specification requires that structures may be moved, and released on any thread; an array is only read.
unsafe impl Send for Owned<Array> {}
// SAFETY: as above.
unsafe impl Sync for Owned<Array> {}
impl std::panic::RefUnwindSafe for Owned<Array> {}

/// The arrays of an object that offers them: one, or the pieces of one. Nothing if it offers none.
pub(crate) fn arrays(object: &Bound<'_, PyAny>) -> Result<Option<Vec<ArrayRef>>, Failure> {
    let offers = |name: &str| object.hasattr(name).unwrap_or(false);
    if offers("__arrow_c_stream__") {
        match object.call_method0("__arrow_c_stream__") {
            Ok(capsule) => return stream(&capsule).map(Some),
            // A library that needs another one for it.
            Err(error) if error.is_instance_of::<pyo3::exceptions::PyImportError>(object.py()) => {
                return Ok(None);
            }
            Err(cause) => return Err(Failure::Unreadable { what: "Arrow stream", cause }),
        }
    }
    if offers("__arrow_c_array__") {
        let pair = object.call_method0("__arrow_c_array__");
        let pair = pair.and_then(|pair| pair.extract::<(Bound<'_, PyAny>, Bound<'_, PyAny>)>());
        let (schema, array) = pair.map_err(|cause| Failure::Unreadable { what: "Arrow array", cause })?;
        let schema: Owned<Schema> = take(&schema, c"arrow_schema")?;
        let array: Owned<Array> = take(&array, c"arrow_array")?;
        return Ok(Some(vec![import(&schema.0, array)?]));
    }
    Ok(None)
}

fn strange() -> Failure {
    Failure::Data(DataError::Engine { stage: "to take over an Arrow array" })
}

/// Moves a structure out of its capsule.
fn take<T: Released>(capsule: &Bound<'_, PyAny>, name: &'static CStr) -> Result<Owned<T>, Failure> {
    let capsule = capsule.cast::<PyCapsule>().map_err(|_| strange())?;
    let pointer = capsule.pointer_checked(Some(name)).map_err(|_| strange())?.cast::<T>();
    // SAFETY: a capsule of this name holds this structure. What is left behind is marked as released, as the
    // specification says for a move, so the capsule's destructor leaves it alone.
    let taken = unsafe { std::ptr::replace(pointer.as_ptr(), T::EMPTY) };
    let taken = Owned(taken);
    if taken.0.callback().is_none() {
        return Err(strange());
    }
    Ok(taken)
}

/// All arrays of a stream.
fn stream(capsule: &Bound<'_, PyAny>) -> Result<Vec<ArrayRef>, Failure> {
    let mut stream: Owned<Stream> = take(capsule, c"arrow_array_stream")?;
    let (Some(get_schema), Some(get_next)) = (stream.0.get_schema, stream.0.get_next) else {
        return Err(strange());
    };
    let mut schema = Owned(Schema::EMPTY);
    // SAFETY: the stream is not released, and the callbacks are its own.
    if unsafe { get_schema(&raw mut stream.0, &raw mut schema.0) } != 0 {
        return Err(strange());
    }
    let mut arrays = Vec::new();
    loop {
        let mut array = Owned(Array::EMPTY);
        // SAFETY: as above.
        if unsafe { get_next(&raw mut stream.0, &raw mut array.0) } != 0 {
            return Err(strange());
        }
        // The end of a stream is an array that is released already.
        if array.0.release.is_none() {
            return Ok(arrays);
        }
        arrays.push(import(&schema.0, array)?);
    }
}

/// An array over the memory of its producer, which lives until the array is dropped.
fn import(schema: &Schema, array: Owned<Array>) -> Result<ArrayRef, Failure> {
    let owner = Arc::new(array);
    let data = describe(schema, &owner.0, &owner)?;
    Ok(make_array(data))
}

/// The type that a format stands for, if its values can be labels.
fn data_type(schema: &Schema) -> Result<DataType, Failure> {
    if schema.format.is_null() {
        return Err(strange());
    }
    // SAFETY: the format is a text that ends with a zero.
    let format = unsafe { CStr::from_ptr(schema.format) }.to_str().map_err(|_| strange())?;
    Ok(match format {
        "n" => DataType::Null,
        "b" => DataType::Boolean,
        "c" => DataType::Int8,
        "C" => DataType::UInt8,
        "s" => DataType::Int16,
        "S" => DataType::UInt16,
        "i" => DataType::Int32,
        "I" => DataType::UInt32,
        "l" => DataType::Int64,
        "L" => DataType::UInt64,
        "u" => DataType::Utf8,
        "U" => DataType::LargeUtf8,
        "vu" => DataType::Utf8View,
        other => {
            let kind = match other {
                "e" | "f" | "g" => "float".to_owned(),
                "+s" => "table; take one of its columns".to_owned(),
                other => format!("Arrow format {other}"),
            };
            return Err(DataError::UnsupportedType { column: crate::data::COLUMN.into(), kind }.into());
        }
    })
}

fn describe(schema: &Schema, array: &Array, owner: &Arc<Owned<Array>>) -> Result<ArrayData, Failure> {
    let key = data_type(schema)?;
    let length = usize::try_from(array.length).map_err(|_| strange())?;
    let offset = usize::try_from(array.offset).map_err(|_| strange())?;
    let end = length.checked_add(offset).ok_or_else(strange)?;
    let (kind, values) = match (NonNull::new(schema.dictionary), NonNull::new(array.dictionary)) {
        (None, _) => (key.clone(), None),
        (Some(schema), Some(values)) => {
            // SAFETY: both belong to structures that are alive.
            let values = describe(unsafe { schema.as_ref() }, unsafe { values.as_ref() }, owner)?;
            let kind = DataType::Dictionary(Box::new(key.clone()), Box::new(values.data_type().clone()));
            (kind, Some(values))
        }
        (Some(_), None) => return Err(strange()),
    };
    if length == 0 {
        return Ok(new_empty_array(&kind).to_data());
    }
    let memory = Memory { array, owner };
    let mut builder = ArrayData::builder(kind).len(length).offset(offset).align_buffers(true);
    if key != DataType::Null && array.null_count != 0 {
        builder = builder.null_bit_buffer(memory.buffer(0, end.div_ceil(8))?);
    }
    match key {
        DataType::Null => {}
        DataType::Boolean => builder = builder.add_buffer(memory.required(1, end.div_ceil(8))?),
        DataType::Utf8 => builder = builder.buffers(memory.text::<i32>(end)?),
        DataType::LargeUtf8 => builder = builder.buffers(memory.text::<i64>(end)?),
        DataType::Utf8View => builder = builder.buffers(memory.views(end)?),
        integer => {
            let width = integer.primitive_width().ok_or_else(strange)?;
            builder = builder.add_buffer(memory.required(1, end.checked_mul(width).ok_or_else(strange)?)?);
        }
    }
    if let Some(values) = values {
        builder = builder.add_child_data(values);
    }
    // SAFETY: the buffers have the lengths that the specification gives them; their producer answers for what they hold.
    Ok(unsafe { builder.build_unchecked() })
}

/// The buffers of an array.
struct Memory<'a> {
    array: &'a Array,
    owner: &'a Arc<Owned<Array>>,
}

impl Memory<'_> {
    /// A buffer of so many bytes; nothing if there is none.
    fn buffer(&self, index: i64, bytes: usize) -> Result<Option<Buffer>, Failure> {
        if index >= self.array.n_buffers || self.array.buffers.is_null() {
            return Err(strange());
        }
        let place = usize::try_from(index).map_err(|_| strange())?;
        // SAFETY: there are n_buffers pointers.
        let pointer = unsafe { *self.array.buffers.add(place) };
        let Some(pointer) = NonNull::new(pointer.cast_mut().cast::<u8>()) else { return Ok(None) };
        // SAFETY: the producer gives this many bytes, and the owner keeps them.
        Ok(Some(unsafe { Buffer::from_custom_allocation(pointer, bytes, Arc::clone(self.owner) as _) }))
    }

    /// A buffer that must be there, unless it is empty.
    fn required(&self, index: i64, bytes: usize) -> Result<Buffer, Failure> {
        match self.buffer(index, bytes)? {
            Some(buffer) => Ok(buffer),
            None if bytes == 0 => Ok(Buffer::from(Vec::<u8>::new())),
            None => Err(strange()),
        }
    }

    /// Offsets and text.
    fn text<O: Copy + TryInto<usize>>(&self, end: usize) -> Result<Vec<Buffer>, Failure> {
        let width = size_of::<O>();
        let bytes = end.checked_add(1).and_then(|count| count.checked_mul(width)).ok_or_else(strange)?;
        let offsets = self.required(1, bytes)?;
        // SAFETY: the buffer holds end + 1 offsets; it may be anywhere.
        let last = unsafe { offsets.as_ptr().cast::<O>().add(end).read_unaligned() };
        let text = self.required(2, last.try_into().map_err(|_| strange())?)?;
        Ok(vec![offsets, text])
    }

    /// Views, and the buffers that they look into, whose lengths are in the last one.
    fn views(&self, end: usize) -> Result<Vec<Buffer>, Failure> {
        let mut buffers = vec![self.required(1, end.checked_mul(16).ok_or_else(strange)?)?];
        let variadic = self.array.n_buffers - 3;
        if variadic > 0 {
            let count = usize::try_from(variadic).map_err(|_| strange())?;
            let lengths = self.required(self.array.n_buffers - 1, count * 8)?;
            for index in 0..count {
                // SAFETY: the last buffer holds one length for each of the others; it may be anywhere.
                let length = unsafe { lengths.as_ptr().cast::<i64>().add(index).read_unaligned() };
                let place = 2 + i64::try_from(index).map_err(|_| strange())?;
                buffers.push(self.required(place, usize::try_from(length).map_err(|_| strange())?)?);
            }
        }
        Ok(buffers)
    }
}
