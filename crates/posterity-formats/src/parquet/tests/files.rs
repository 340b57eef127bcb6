//! Files that the `parquet` crate writes.

use std::fs::File;
use std::io::{Seek, SeekFrom, Write};
use std::sync::Arc;

use ::parquet::arrow::ArrowWriter;
use ::parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
use ::parquet::basic::{BrotliLevel, Compression, Encoding, GzipLevel, ZstdLevel};
use ::parquet::file::properties::{EnabledStatistics, WriterProperties, WriterVersion};
use ::parquet::schema::types::ColumnPath;
use arrow_array::{ArrayRef, RecordBatch};
use arrow_schema::{DataType, Field, Schema};
use posterity_testkit::Random;

use super::generate::{Draw, array, types};
use super::seen::{Seen, of_array};

/// All codecs that the `parquet` crate writes and that are read here.
pub(super) fn codecs() -> Vec<Compression> {
    vec![
        Compression::UNCOMPRESSED,
        Compression::SNAPPY,
        Compression::GZIP(GzipLevel::default()),
        Compression::BROTLI(BrotliLevel::default()),
        Compression::LZ4,
        Compression::LZ4_RAW,
        Compression::ZSTD(ZstdLevel::default()),
    ]
}

/// How a file is written.
#[derive(Clone, Copy, Debug)]
pub(super) struct Options {
    pub(super) version: WriterVersion,
    pub(super) codec: Compression,
    pub(super) dictionary: bool,
    /// Beyond this size of a dictionary the writer falls back to other encodings.
    pub(super) dictionary_limit: usize,
    pub(super) page: usize,
    pub(super) page_rows: usize,
    pub(super) group: usize,
    /// Whether the encodings of columns without a dictionary are drawn.
    pub(super) encodings: bool,
    pub(super) statistics: bool,
}

impl Options {
    pub(super) const PLAIN: Self = Self {
        version: WriterVersion::PARQUET_1_0,
        codec: Compression::UNCOMPRESSED,
        dictionary: true,
        dictionary_limit: 1 << 20,
        page: 1 << 20,
        page_rows: 20_000,
        group: 1 << 20,
        encodings: false,
        statistics: false,
    };
}

/// Encodings that the writer has for a type.
fn encodings(of: &DataType) -> &'static [Encoding] {
    match of {
        DataType::Boolean => &[Encoding::PLAIN, Encoding::RLE],
        DataType::Utf8 | DataType::LargeUtf8 | DataType::Binary => {
            &[Encoding::PLAIN, Encoding::DELTA_LENGTH_BYTE_ARRAY, Encoding::DELTA_BYTE_ARRAY]
        }
        DataType::FixedSizeBinary(_) | DataType::Float16 => {
            &[Encoding::PLAIN, Encoding::DELTA_BYTE_ARRAY, Encoding::BYTE_STREAM_SPLIT]
        }
        DataType::Decimal128(precision, _) if *precision > 18 => {
            &[Encoding::PLAIN, Encoding::DELTA_BYTE_ARRAY, Encoding::BYTE_STREAM_SPLIT]
        }
        DataType::Float32 | DataType::Float64 => &[Encoding::PLAIN, Encoding::BYTE_STREAM_SPLIT],
        DataType::Decimal256(..) | DataType::Null => &[Encoding::PLAIN],
        _ => &[Encoding::PLAIN, Encoding::DELTA_BINARY_PACKED, Encoding::BYTE_STREAM_SPLIT],
    }
}

/// Some columns of drawn types.
pub(super) fn columns(seed: &mut Random, count: usize, draw: Draw) -> Vec<ArrayRef> {
    let types = types();
    (0..count)
        .map(|_| {
            let of = &types[seed.index(types.len())];
            array(of, seed, draw)
        })
        .collect()
}

/// Writes arrays into a file.
pub(super) fn write(arrays: &[ArrayRef], options: Options, seed: &mut Random) -> File {
    let fields: Vec<Field> = arrays
        .iter()
        .enumerate()
        .map(|(index, array)| {
            let optional = array.null_count() > 0 || array.data_type() == &DataType::Null || index % 2 == 0;
            Field::new(format!("c{index}"), array.data_type().clone(), optional)
        })
        .collect();
    let mut properties = WriterProperties::builder()
        .set_writer_version(options.version)
        .set_compression(options.codec)
        .set_dictionary_enabled(options.dictionary)
        .set_dictionary_page_size_limit(options.dictionary_limit)
        .set_data_page_size_limit(options.page)
        .set_data_page_row_count_limit(options.page_rows)
        .set_write_batch_size(options.page_rows.min(1024))
        .set_max_row_group_row_count(Some(options.group))
        .set_statistics_enabled(if options.statistics {
            EnabledStatistics::Page
        } else {
            EnabledStatistics::None
        })
        .set_write_page_header_statistics(options.statistics);
    if options.encodings {
        for field in &fields {
            let choices = encodings(field.data_type());
            let path = ColumnPath::from(field.name().as_str());
            properties = properties.set_column_encoding(path, choices[seed.index(choices.len())]);
        }
    }
    let schema = Arc::new(Schema::new(fields));
    let mut file = tempfile::tempfile().unwrap();
    let mut writer =
        ArrowWriter::try_new(file.try_clone().unwrap(), Arc::clone(&schema), Some(properties.build()))
            .unwrap();
    if !arrays.is_empty() {
        writer.write(&RecordBatch::try_new(schema, arrays.to_vec()).unwrap()).unwrap();
    }
    writer.close().unwrap();
    file.flush().unwrap();
    file.seek(SeekFrom::Start(0)).unwrap();
    file
}

/// What the reader of the `parquet` crate says of all columns.
pub(super) fn read_by_other(file: File) -> Vec<Vec<Seen>> {
    let builder = ParquetRecordBatchReaderBuilder::try_new(file).unwrap();
    let mut all = vec![Vec::new(); builder.schema().fields().len()];
    for batch in builder.build().unwrap() {
        for (seen, array) in all.iter_mut().zip(batch.unwrap().columns()) {
            seen.extend(of_array(array));
        }
    }
    all
}

/// A file of these bytes.
pub(super) fn file_of(bytes: &[u8]) -> File {
    let mut file = tempfile::tempfile().unwrap();
    file.write_all(bytes).unwrap();
    file
}
