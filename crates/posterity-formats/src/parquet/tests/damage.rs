//! Every damage of a single byte of a page: it is refused, or gives what other decoders give.

use std::fs::File;
use std::io::{Read, Seek, SeekFrom, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use ::parquet::arrow::ArrowWriter;
use ::parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
use ::parquet::basic::Encoding;
use ::parquet::file::properties::{EnabledStatistics, WriterProperties, WriterVersion};
use ::parquet::file::reader::{FileReader, SerializedFileReader};
use arrow_array::{
    ArrayRef, BooleanArray, FixedSizeBinaryArray, Float64Array, Int32Array, Int64Array, RecordBatch,
    StringArray,
};

use crate::memory_limit::MemoryLimit;
use crate::parquet::page::Header;

use super::seen::{Seen, of_array, read_all};

/// A file of one column and one page of rows.
struct Sample {
    file: File,
    /// The bytes behind the header of that page.
    body: std::ops::Range<usize>,
    bytes: Vec<u8>,
}

impl Sample {
    /// Without an encoding there is a dictionary.
    fn new(array: ArrayRef, encoding: Option<Encoding>, version: WriterVersion) -> Self {
        let properties = WriterProperties::builder()
            .set_writer_version(version)
            .set_dictionary_enabled(encoding.is_none())
            .set_statistics_enabled(EnabledStatistics::None);
        let properties = match encoding {
            Some(encoding) => properties.set_encoding(encoding),
            None => properties,
        };
        let batch = RecordBatch::try_from_iter([("c", array)]).unwrap();
        let mut file = tempfile::tempfile().unwrap();
        let mut writer =
            ArrowWriter::try_new(file.try_clone().unwrap(), batch.schema(), Some(properties.build()))
                .unwrap();
        writer.write(&batch).unwrap();
        writer.close().unwrap();
        let mut bytes = Vec::new();
        file.seek(SeekFrom::Start(0)).unwrap();
        file.read_to_end(&mut bytes).unwrap();
        let reader = SerializedFileReader::new(file.try_clone().unwrap()).unwrap();
        let chunk = reader.metadata().row_group(0).column(0);
        let (start, size) = chunk.byte_range();
        let page = usize::try_from(chunk.data_page_offset()).unwrap();
        let (header, length) = Header::read(&bytes[page..]).unwrap().unwrap();
        let body = page + length..page + length + header.stored;
        assert_eq!(body.end as u64, start + size, "one page");
        Self { file, body, bytes }
    }

    /// Overwrites a byte.
    fn set(&mut self, at: usize, byte: u8) {
        self.file.seek(SeekFrom::Start(at as u64)).unwrap();
        self.file.write_all(&[byte]).unwrap();
    }

    fn ours(&self) -> Option<Vec<Seen>> {
        let mut columns = read_all(self.file.try_clone().unwrap(), &MemoryLimit::new(64 << 20)).ok()?;
        columns.pop()
    }

    /// What the `parquet` crate says; nothing if it refuses, in whatever way.
    fn theirs(&self) -> Option<Vec<Seen>> {
        let file = self.file.try_clone().unwrap();
        let read = move || {
            let reader = ParquetRecordBatchReaderBuilder::try_new(file).ok()?.build().ok()?;
            let mut seen = Vec::new();
            for batch in reader {
                seen.extend(of_array(batch.ok()?.column(0)));
            }
            Some(seen)
        };
        catch_unwind(AssertUnwindSafe(read)).ok().flatten()
    }

    /// Does something with every file of which one byte of the body is another: with the position in the body, the
    /// byte, and what is read here.
    fn each(&mut self, changes: &[u8], mut check: impl FnMut(&Self, usize, u8, Option<Vec<Seen>>)) {
        for at in self.body.clone() {
            let right = self.bytes[at];
            for change in changes {
                self.set(at, right ^ change);
                check(self, at - self.body.start, right ^ change, self.ours());
            }
            self.set(at, right);
        }
    }
}

/// All changes of a byte, and those of one bit.
fn changes() -> Vec<u8> {
    (1..=255).collect()
}
const BITS: [u8; 8] = [1, 2, 4, 8, 16, 32, 64, 128];

/// Decodes `DELTA_BINARY_PACKED` as the format defines it, bit by bit and without any thought of speed.
fn reference(body: &[u8], bits: u32, count: usize) -> Option<Vec<i64>> {
    let mut at = 0;
    let varint = |at: &mut usize, bits: u32| {
        let mut value = 0u128;
        for index in 0..10 {
            let byte = *body.get(*at)?;
            *at += 1;
            value |= u128::from(byte & 127) << (7 * index);
            if byte < 128 {
                return (value >> bits == 0).then_some(value);
            }
        }
        None
    };
    let zigzag = |value: u128| (value >> 1).cast_signed() ^ -(value & 1).cast_signed();
    let block = usize::try_from(varint(&mut at, 32)?).ok()?;
    let parts = usize::try_from(varint(&mut at, 32)?).ok()?;
    let total = usize::try_from(varint(&mut at, 64)?).ok()?;
    let first = zigzag(varint(&mut at, bits)?);
    if block == 0 || block % 128 != 0 || parts == 0 || block % parts != 0 || (block / parts) % 32 != 0 {
        return None;
    }
    if total != count || block > 1 << 31 {
        return None;
    }
    let mut values = vec![first];
    while values.len() < total {
        let least = zigzag(varint(&mut at, bits)?);
        let widths = body.get(at..at.checked_add(parts)?)?.to_vec();
        at += parts;
        for width in widths {
            if values.len() >= total {
                break;
            }
            if u32::from(width) > bits {
                return None;
            }
            let size = block / parts / 8 * usize::from(width);
            let part = body.get(at..at.checked_add(size)?)?;
            for index in 0..block / parts {
                if values.len() == total {
                    break;
                }
                let mut packed = 0i128;
                for bit in 0..usize::from(width) {
                    let place = index * usize::from(width) + bit;
                    packed |= i128::from(part.get(place / 8)? >> (place % 8) & 1) << bit;
                }
                values.push(values.last()? + least + packed);
            }
            at += size;
        }
    }
    // Zeros may follow the last part.
    if body[at..].iter().any(|byte| *byte != 0) {
        return None;
    }
    let wrap = |value: i128| if bits == 32 { i64::from(value as i32) } else { value as i64 };
    Some(values.into_iter().take(total).map(wrap).collect())
}

/// If this fails, a damaged page of differences gives numbers that nobody wrote.
#[test]
fn damaged_differences_are_refused_or_read_as_the_format_says() {
    let numbers = |count: i64| (0..count).map(|i| i * i * 7919 % 1000 - 300);
    // One part of a block; a whole part and some more, of which the other parts of the block have no values; extremes.
    let narrow = |count| Arc::new(Int32Array::from_iter_values(numbers(count).map(|n| n as i32))) as ArrayRef;
    let wide = |count| Arc::new(Int64Array::from_iter_values(numbers(count))) as ArrayRef;
    let extreme = [i32::MIN, i32::MAX, 0, i32::MIN, -1];
    let samples: [(ArrayRef, u32); 5] = [
        (narrow(9), 32),
        (narrow(40), 32),
        (Arc::new(Int32Array::from(extreme.to_vec())), 32),
        (wide(9), 64),
        (wide(70), 64),
    ];
    for (array, bits) in samples {
        let count = array.len();
        let expected = of_array(&array);
        let version = WriterVersion::PARQUET_1_0;
        let mut sample = Sample::new(array, Some(Encoding::DELTA_BINARY_PACKED), version);
        let body = sample.bytes[sample.body.clone()].to_vec();
        assert_eq!(sample.ours().unwrap(), expected);
        let (mut refused, mut same, mut other) = (0, 0, 0);
        sample.each(&changes(), |sample, at, byte, ours| {
            let mut damaged = body.clone();
            damaged[at] = byte;
            let seen = |values: Vec<i64>| values.into_iter().map(|n| Seen::Integer(n.into())).collect();
            let reference: Option<Vec<Seen>> = reference(&damaged, bits, count).map(seen);
            assert_eq!(ours, reference, "byte {at} is {byte:#04x}");
            match ours {
                None => refused += 1,
                Some(values) => {
                    same += usize::from(values == expected);
                    other += usize::from(values != expected);
                    // Each of these runs takes long, and all of them show the same.
                    if byte.is_power_of_two() {
                        assert_eq!(Some(values), sample.theirs(), "byte {at} is {byte:#04x}");
                    }
                }
            }
        });
        println!(
            "{count} values of {bits} bits, {} bytes: {refused} refused, {same} the same, {other} others",
            body.len()
        );
        assert!(refused > 0 && other > 0);
    }
}

/// If this fails, a page of some encoding is read in another way than the `parquet` crate reads it.
#[test]
fn damaged_pages_are_refused_or_read_as_by_another_reader() {
    let some = |i: i64| i % 5 != 3;
    let text = |i: i64| ["", "a", "abc", "abd", "längere"][(i * i % 5) as usize];
    let integers: ArrayRef = Arc::new((0..21).map(|i| some(i).then_some(i * i - 40)).collect::<Int64Array>());
    let strings: ArrayRef = Arc::new((0..21).map(|i| some(i).then(|| text(i))).collect::<StringArray>());
    let full: ArrayRef = Arc::new((0..21).map(|i| Some(text(i))).collect::<StringArray>());
    let truths: ArrayRef = Arc::new((0..21).map(|i| some(i).then_some(i % 2 == 0)).collect::<BooleanArray>());
    let doubles: ArrayRef =
        Arc::new((0..9).map(|i| some(i).then_some(i as f64 / 4.0)).collect::<Float64Array>());
    let fixed = (0..9).map(|i| some(i).then_some([i as u8, 7, 9]));
    let fixed: ArrayRef = Arc::new(FixedSizeBinaryArray::try_from_sparse_iter_with_size(fixed, 3).unwrap());
    let samples = [
        (&integers, Some(Encoding::PLAIN)),
        (&integers, Some(Encoding::DELTA_BINARY_PACKED)),
        (&integers, Some(Encoding::BYTE_STREAM_SPLIT)),
        (&integers, None),
        (&strings, Some(Encoding::PLAIN)),
        (&strings, Some(Encoding::DELTA_LENGTH_BYTE_ARRAY)),
        (&strings, Some(Encoding::DELTA_BYTE_ARRAY)),
        (&strings, None),
        (&full, None),
        (&truths, Some(Encoding::PLAIN)),
        (&truths, Some(Encoding::RLE)),
        (&doubles, Some(Encoding::BYTE_STREAM_SPLIT)),
        (&fixed, Some(Encoding::PLAIN)),
        (&fixed, Some(Encoding::DELTA_BYTE_ARRAY)),
    ];
    for (array, encoding) in samples {
        for version in [WriterVersion::PARQUET_1_0, WriterVersion::PARQUET_2_0] {
            let mut sample = Sample::new(Arc::clone(array), encoding, version);
            let expected = of_array(array);
            assert_eq!(sample.ours().unwrap(), expected);
            let (mut refused, mut read) = (0, 0);
            sample.each(&BITS, |sample, at, byte, ours| match ours {
                None => refused += 1,
                Some(values) => {
                    read += 1;
                    assert_eq!(
                        Some(values),
                        sample.theirs(),
                        "{encoding:?} {version:?}: byte {at} is {byte:#04x}"
                    );
                }
            });
            println!("{encoding:?} {version:?}: {refused} refused, {read} read");
            assert!(refused > 0);
        }
    }
}
