//! Arrays of other libraries through the Arrow PyCapsule interface, without copying them.
//!
//! The interface says where memory begins, but not where it ends. So the library that offers an array is trusted to
//! describe its own memory correctly (pyarrow can check that, and is asked to). What can be checked is checked: the
//! structures before they are followed ([`fits`]), the values before they are used ([`Columns::checked`]).

#![allow(unsafe_code, reason = "the memory belongs to another library")]

use std::ffi::CStr;
use std::sync::Arc;

use arrow_array::ffi::{FFI_ArrowArray, FFI_ArrowSchema, from_ffi_and_data_type};
use arrow_array::ffi_stream::FFI_ArrowArrayStream;
use arrow_array::{ArrayRef, RecordBatch, RecordBatchOptions, StructArray, make_array, new_empty_array};
use arrow_buffer::{BooleanBuffer, Buffer, NullBuffer};
use arrow_data::ArrayData;
use arrow_schema::{DataType, Field, Schema, SchemaRef};
use pyo3::exceptions::{PyException, PyImportError};
use pyo3::prelude::*;
use pyo3::types::{PyCapsule, PyDict, PyList};

use crate::error::Failure;

/// Columns of another library, not yet checked.
pub(crate) struct Columns {
    schema: SchemaRef,
    /// For each batch its length and its columns.
    batches: Vec<(usize, Vec<Taken>)>,
    /// Whether they belong to a table; otherwise there is one, without a name.
    pub(crate) is_table: bool,
}

/// One column of one batch.
enum Taken {
    /// Its values.
    Values(ArrayData),
    /// The values have a type that is not read. Only which ones are missing is kept.
    Strange(Option<NullBuffer>),
}

/// What an object offers.
pub(crate) enum Offer {
    /// Columns.
    Columns(Columns),
    /// It would offer columns if the package that it needs for them were installed.
    NeedsPackage,
    /// Nothing of Arrow.
    Nothing,
}

/// The name of an array that is not a column of a table.
const NAMELESS: &str = crate::labels::COLUMN;

/// An array that claims more elements is refused: no memory holds so many.
const MAX_ELEMENTS: i64 = 1 << 48;

/// A table that claims more columns is refused.
const MOST_COLUMNS: i64 = 1 << 20;

/// Types that are nested deeper are refused.
const DEPTH: usize = 32;

fn strange() -> Failure {
    Failure::Arrow
}

/// Takes the columns that an object offers.
pub(crate) fn take(object: &Bound<'_, PyAny>) -> Result<Offer, Failure> {
    let offers = |name: &str| object.hasattr(name).unwrap_or(false);
    let (stream, array) = (offers("__arrow_c_stream__"), offers("__arrow_c_array__"));
    if !stream && !array {
        return Ok(Offer::Nothing);
    }
    let object = &validated(object)?;
    let method = if stream { "__arrow_c_stream__" } else { "__arrow_c_array__" };
    match object.call_method0(method) {
        Ok(capsule) if stream => from_stream(&capsule).map(Offer::Columns),
        Ok(pair) => from_pair(&pair).map(Offer::Columns),
        Err(error) if error.is_instance_of::<PyImportError>(object.py()) => Ok(Offer::NeedsPackage),
        Err(error) if error.is_instance_of::<PyException>(object.py()) => Err(Failure::Conversion),
        Err(error) => Err(error.into()),
    }
}

/// The same object, after pyarrow has validated its memory if the object is one of pyarrow. Only pyarrow knows where
/// that memory ends.
fn validated<'py>(object: &Bound<'py, PyAny>) -> Result<Bound<'py, PyAny>, Failure> {
    let module: String = object.get_type().module().and_then(|module| module.extract()).unwrap_or_default();
    if module.split('.').next() != Some("pyarrow") {
        return Ok(object.clone());
    }
    let py = object.py();
    let refused =
        |error: PyErr| if error.is_instance_of::<PyException>(py) { strange() } else { error.into() };
    let full = PyDict::new(py);
    full.set_item("full", true)?;
    let validate = |part: &Bound<'py, PyAny>| part.call_method("validate", (), Some(&full)).map_err(refused);
    if object.hasattr("validate")? {
        validate(object)?;
        return Ok(object.clone());
    }
    if !object.hasattr("read_next_batch")? {
        return Ok(object.clone());
    }
    // A reader gives each batch once.
    let schema = object.getattr("schema")?;
    let batches = PyList::empty(py);
    for batch in object.try_iter()? {
        let batch = batch.map_err(refused)?;
        validate(&batch)?;
        batches.append(batch)?;
        py.check_signals()?;
    }
    let table = py.import("pyarrow")?.getattr("Table")?;
    table.call_method1("from_batches", (batches, schema)).map_err(refused)
}

/// The structure within a capsule of this name.
fn pointer<T>(capsule: &Bound<'_, PyAny>, name: &'static CStr) -> Result<*mut T, Failure> {
    let capsule = capsule.cast::<PyCapsule>().map_err(|_| strange())?;
    Ok(capsule.pointer_checked(Some(name)).map_err(|_| strange())?.cast::<T>().as_ptr())
}

fn from_pair(pair: &Bound<'_, PyAny>) -> Result<Columns, Failure> {
    let (schema, array): (Bound<'_, PyAny>, Bound<'_, PyAny>) = pair.extract().map_err(|_| strange())?;
    let (schema, array) = (pointer(&schema, c"arrow_schema")?, pointer(&array, c"arrow_array")?);
    // SAFETY: capsules of these names hold these structures, which are moved out of them.
    let (schema, array) = unsafe { (FFI_ArrowSchema::from_raw(schema), FFI_ArrowArray::from_raw(array)) };
    let mut columns = Columns::new(&schema)?;
    columns.add(array)?;
    Ok(columns)
}

fn from_stream(capsule: &Bound<'_, PyAny>) -> Result<Columns, Failure> {
    let stream = pointer(capsule, c"arrow_array_stream")?;
    // SAFETY: a capsule of this name holds this structure, which is moved out of it.
    let mut stream = unsafe { FFI_ArrowArrayStream::from_raw(stream) };
    let (Some(get_schema), Some(get_next), Some(_)) = (stream.get_schema, stream.get_next, stream.release)
    else {
        return Err(strange());
    };
    let mut schema = FFI_ArrowSchema::empty();
    // SAFETY: the stream is not released, and the callbacks are its own.
    if unsafe { get_schema(&raw mut stream, &raw mut schema) } != 0 {
        return Err(strange());
    }
    let mut columns = Columns::new(&schema)?;
    loop {
        let mut array = FFI_ArrowArray::empty();
        // SAFETY: as above.
        if unsafe { get_next(&raw mut stream, &raw mut array) } != 0 {
            return Err(strange());
        }
        // The end of a stream is an array that is released already.
        if array.is_released() {
            return Ok(columns);
        }
        columns.add(array)?;
        capsule.py().check_signals()?;
    }
}

impl Columns {
    /// No batches yet of columns as a schema describes them.
    fn new(schema: &FFI_ArrowSchema) -> Result<Self, Failure> {
        if schema.release.is_none() || !well_formed(schema, DEPTH) {
            return Err(strange());
        }
        let is_table = schema.format() == "+s";
        let field = |schema: &FFI_ArrowSchema, name: String| {
            let kind = DataType::try_from(schema).map_err(|_| strange())?;
            // Missing values of these are not where those of all others are.
            if matches!(kind, DataType::Union(..) | DataType::RunEndEncoded(..)) {
                return Err(Failure::UnreadColumn { column: name, kind: kind.to_string() });
            }
            Ok(Field::new(name, kind, true))
        };
        let fields: Vec<Field> = if is_table {
            let named = |child: &FFI_ArrowSchema| field(child, child.name().unwrap_or_default().to_owned());
            schema.children().map(named).collect::<Result<_, _>>()?
        } else {
            vec![field(schema, NAMELESS.to_owned())?]
        };
        Ok(Self { schema: Arc::new(Schema::new(fields)), batches: Vec::new(), is_table })
    }

    /// Adds a batch, or a piece of the one column.
    fn add(&mut self, array: FFI_ArrowArray) -> Result<(), Failure> {
        let length = usize::try_from(array.length).map_err(|_| strange())?;
        if !self.is_table {
            let taken = Taken::new(self.schema.field(0).data_type(), array)?;
            self.batches.push((length, vec![taken]));
            return Ok(());
        }
        let fields = self.schema.fields();
        let has_children =
            array.n_children == fields.len() as i64 && (fields.is_empty() || !array.children.is_null());
        if !has_children || !extent_fits(&array) || !array.dictionary.is_null() || missing(&array)?.is_some()
        {
            return Err(strange());
        }
        let offset = usize::try_from(array.offset).map_err(|_| strange())?;
        let mut columns = Vec::with_capacity(fields.len());
        for (index, field) in fields.iter().enumerate() {
            // SAFETY: there are n_children pointers.
            let child = unsafe { *array.children.add(index) };
            if child.is_null() {
                return Err(strange());
            }
            // SAFETY: the child is alive as long as its parent. The specification allows to move it out.
            let child = unsafe { FFI_ArrowArray::from_raw(child) };
            if child.is_released() || child.length < array.length + array.offset {
                return Err(strange());
            }
            columns.push(Taken::new(field.data_type(), child)?.slice(offset, length));
        }
        self.batches.push((length, columns));
        Ok(())
    }

    /// The columns after all their values were found to be what their types say. `beat` is called after each array.
    pub(crate) fn checked(self, beat: &dyn Fn()) -> Result<(Schema, Vec<RecordBatch>), Failure> {
        let mut batches = Vec::with_capacity(self.batches.len());
        // Types whose values are not read stand in the schema, and nothing but what is missing in the batch.
        let stand_in = |field: &Arc<Field>| match is_read(field.data_type()) {
            true => Arc::clone(field),
            false => Arc::new(Field::new(field.name(), DataType::Struct(Default::default()), true)),
        };
        let stand_ins = Arc::new(Schema::new(self.schema.fields().iter().map(stand_in).collect::<Vec<_>>()));
        for (length, columns) in self.batches {
            let column = |taken| {
                let array: ArrayRef = match taken {
                    Taken::Values(data) => {
                        data.validate_full().map_err(|_| strange())?;
                        make_array(data)
                    }
                    Taken::Strange(nulls) => Arc::new(StructArray::new_empty_fields(length, nulls)),
                };
                beat();
                Ok(array)
            };
            let columns = columns.into_iter().map(column).collect::<Result<Vec<_>, Failure>>()?;
            let options = RecordBatchOptions::new().with_row_count(Some(length));
            let batch = RecordBatch::try_new_with_options(Arc::clone(&stand_ins), columns, &options);
            batches.push(batch.map_err(|_| strange())?);
        }
        Ok((self.schema.as_ref().clone(), batches))
    }
}

impl Taken {
    fn new(kind: &DataType, array: FFI_ArrowArray) -> Result<Self, Failure> {
        if !is_read(kind) {
            return if extent_fits(&array) { missing(&array).map(Self::Strange) } else { Err(strange()) };
        }
        if *kind == DataType::Null && extent_fits(&array) {
            // All of them are missing, whatever buffers there are: Polars has one where the format has none.
            return Ok(Self::Values(ArrayData::new_null(kind, array.length as usize)));
        }
        if !fits(&array, kind) {
            return Err(strange());
        }
        if array.length == 0 {
            // Its buffers may be anything.
            return Ok(Self::Values(new_empty_array(kind).to_data()));
        }
        // SAFETY: the structure fits the type, as far as that can be seen; its producer answers for its memory.
        let mut data = unsafe { from_ffi_and_data_type(array, kind.clone()) }.map_err(|_| strange())?;
        data.align_buffers();
        Ok(Self::Values(data))
    }

    fn slice(self, offset: usize, length: usize) -> Self {
        match self {
            Self::Values(data) => Self::Values(data.slice(offset, length)),
            Self::Strange(nulls) => Self::Strange(nulls.map(|nulls| nulls.slice(offset, length))),
        }
    }
}

/// Whether values of this type are read. Of all other types only missing values can be used in a question.
fn is_read(kind: &DataType) -> bool {
    use DataType::{
        Binary, BinaryView, Boolean, Date32, Date64, Decimal32, Decimal64, Decimal128, Dictionary,
        FixedSizeBinary, LargeBinary, LargeUtf8, Null, Timestamp, Utf8, Utf8View,
    };
    match kind {
        Null | Boolean | Utf8 | LargeUtf8 | Utf8View | Binary | LargeBinary | BinaryView | Date32
        | Date64 => true,
        Decimal32(..) | Decimal64(..) | Decimal128(..) | Timestamp(..) => true,
        FixedSizeBinary(width) => *width >= 0,
        Dictionary(key, value) => {
            key.is_dictionary_key_type() && !matches!(**value, Dictionary(..)) && is_read(value)
        }
        kind => kind.is_integer() || kind.is_floating(),
    }
}

/// Whether a schema is well formed, so that its pointers may be followed.
fn well_formed(schema: &FFI_ArrowSchema, depth: usize) -> bool {
    let text = |text: *const std::ffi::c_char| {
        // SAFETY: a text ends with a zero.
        !text.is_null() && unsafe { CStr::from_ptr(text) }.to_str().is_ok()
    };
    if depth == 0 || !text(schema.format) || !(schema.name.is_null() || text(schema.name)) {
        return false;
    }
    let children = match schema.n_children {
        0 => 0,
        children if (1..=MOST_COLUMNS).contains(&children) && !schema.children.is_null() => children as usize,
        _ => return false,
    };
    let child = |index: usize| {
        // SAFETY: there are n_children pointers, to structures or nothing.
        unsafe { (*schema.children.add(index)).as_ref() }
    };
    let needed = match schema.format() {
        "+l" | "+L" | "+vl" | "+vL" | "+m" => 1,
        "+r" => 2,
        format if format.starts_with("+w:") => 1,
        _ => 0,
    };
    children >= needed
        && (0..children).all(|index| child(index).is_some_and(|child| well_formed(child, depth - 1)))
        && schema.dictionary().is_none_or(|values| well_formed(values, depth - 1))
}

/// Whether length and offset are possible.
fn extent_fits(array: &FFI_ArrowArray) -> bool {
    let possible = 0..=MAX_ELEMENTS;
    possible.contains(&array.length)
        && possible.contains(&array.offset)
        && (-1..=array.length).contains(&array.null_count)
        && (0..=MOST_COLUMNS).contains(&array.n_buffers)
        && (array.n_buffers == 0 || !array.buffers.is_null())
}

/// Where values are missing, copied.
fn missing(array: &FFI_ArrowArray) -> Result<Option<NullBuffer>, Failure> {
    if array.null_count == 0 || array.n_buffers == 0 {
        return Ok(None);
    }
    let (length, offset) = (array.length as usize, array.offset as usize);
    let bits = array.buffer(0);
    if bits.is_null() {
        return if array.null_count > 0 { Err(strange()) } else { Ok(None) };
    }
    // SAFETY: the first buffer has one bit for each element.
    let bits = unsafe { std::slice::from_raw_parts(bits, (length + offset).div_ceil(8)) };
    let nulls = NullBuffer::new(BooleanBuffer::new(Buffer::from(bits), offset, length));
    Ok(Some(nulls).filter(|nulls| nulls.null_count() > 0))
}

/// Whether a structure has the buffers that its type needs, so that no missing pointer is followed.
fn fits(array: &FFI_ArrowArray, kind: &DataType) -> bool {
    let plain = extent_fits(array) && array.n_children == 0;
    // SAFETY: a dictionary is a structure or nothing, and lives as long as the array.
    let values = unsafe { array.dictionary.as_ref() };
    let (kind, values_fit) = match (kind, values) {
        (DataType::Dictionary(key, value), Some(values)) => (&**key, fits(values, value)),
        (DataType::Dictionary(..), None) | (_, Some(_)) => return false,
        (kind, None) => (kind, true),
    };
    if !(plain && values_fit) {
        return false;
    }
    let buffers = array.n_buffers as usize;
    if array.length == 0 {
        return true;
    }
    let end = (array.length + array.offset) as usize;
    let there = |index: usize| !array.buffer(index).is_null();
    // Offsets and lengths are read while the array is taken over, so they must be where such numbers may be.
    let aligned =
        |index: usize, width: usize| there(index) && array.buffer(index).addr().is_multiple_of(width);
    match kind {
        DataType::Utf8 | DataType::Binary => {
            // SAFETY: there is one offset more than there are elements, and the place is aligned.
            buffers == 3 && aligned(1, 4) && unsafe { *array.buffer(1).cast::<i32>().add(end) } >= 0
        }
        DataType::LargeUtf8 | DataType::LargeBinary => {
            buffers == 3
                && aligned(1, 8)
                // SAFETY: as above.
                && (0..=MAX_ELEMENTS).contains(&unsafe { *array.buffer(1).cast::<i64>().add(end) })
        }
        DataType::Utf8View | DataType::BinaryView => {
            buffers >= 3 && there(1) && {
                let variadic = buffers - 3;
                // SAFETY: the last buffer holds one length for each of the others, and the place is aligned.
                let length = |index| unsafe { *array.buffer(buffers - 1).cast::<i64>().add(index) };
                variadic == 0
                    || aligned(buffers - 1, 8)
                        && (0..variadic).all(|index| {
                            (0..=MAX_ELEMENTS).contains(&length(index))
                                && (length(index) == 0 || there(2 + index))
                        })
            }
        }
        DataType::FixedSizeBinary(width) => {
            buffers == 2 && there(1) && (*width as usize).checked_mul(8 * end).is_some()
        }
        _ => buffers == 2 && there(1),
    }
}
