//! Streams put together by hand, with content that no writer produces.

use arrow_ipc as ipc;
use arrow_ipc::writer::{DictionaryTracker, IpcDataGenerator, IpcWriteOptions};
use arrow_schema::{DataType, Field, Schema};
use flatbuffers::FlatBufferBuilder;

/// A batch.
#[derive(Clone, Debug, Default)]
pub(super) struct Craft {
    pub(super) rows: i64,
    pub(super) nodes: Vec<(i64, i64)>,
    pub(super) buffers: Vec<(i64, i64)>,
    pub(super) variadic: Vec<i64>,
    pub(super) codec: Option<ipc::CompressionType>,
    pub(super) body: Vec<u8>,
    pub(super) body_length: Option<i64>,
    /// The identity of the dictionary whose values these are, and whether they continue it.
    pub(super) dictionary: Option<(i64, bool)>,
}

impl Craft {
    /// One column with these buffers.
    pub(super) fn new(rows: i64, missing: i64, buffers: &[&[u8]]) -> Self {
        let mut craft = Self { rows, nodes: vec![(rows, missing)], ..Self::default() };
        for buffer in buffers {
            craft.buffers.push((craft.body.len() as i64, buffer.len() as i64));
            craft.body.extend_from_slice(buffer);
            craft.body.resize(craft.body.len().next_multiple_of(8), 0);
        }
        craft
    }

    fn message(&self) -> Vec<u8> {
        let mut builder = FlatBufferBuilder::new();
        let nodes: Vec<_> = self.nodes.iter().map(|&(len, nulls)| ipc::FieldNode::new(len, nulls)).collect();
        let buffers: Vec<_> =
            self.buffers.iter().map(|&(offset, len)| ipc::Buffer::new(offset, len)).collect();
        let nodes = builder.create_vector(&nodes);
        let buffers = builder.create_vector(&buffers);
        let variadic = builder.create_vector(&self.variadic);
        let compression = self.codec.map(|codec| {
            let args = ipc::BodyCompressionArgs { codec, method: ipc::BodyCompressionMethod::BUFFER };
            ipc::BodyCompression::create(&mut builder, &args)
        });
        let args = ipc::RecordBatchArgs {
            length: self.rows,
            nodes: Some(nodes),
            buffers: Some(buffers),
            compression,
            variadicBufferCounts: Some(variadic),
        };
        let records = ipc::RecordBatch::create(&mut builder, &args);
        let (header_type, header) = match self.dictionary {
            None => (ipc::MessageHeader::RecordBatch, records.as_union_value()),
            Some((id, delta)) => {
                let args = ipc::DictionaryBatchArgs { id, data: Some(records), isDelta: delta };
                let batch = ipc::DictionaryBatch::create(&mut builder, &args);
                (ipc::MessageHeader::DictionaryBatch, batch.as_union_value())
            }
        };
        let args = ipc::MessageArgs {
            version: ipc::MetadataVersion::V5,
            header_type,
            header: Some(header),
            bodyLength: self.body_length.unwrap_or(self.body.len() as i64),
            custom_metadata: None,
        };
        let message = ipc::Message::create(&mut builder, &args);
        builder.finish(message, None);
        framed(builder.finished_data())
    }
}

/// Metadata behind their length.
pub(super) fn framed(metadata: &[u8]) -> Vec<u8> {
    let len = metadata.len().next_multiple_of(8);
    let mut bytes = [[0xff; 4], (len as u32).to_le_bytes()].concat();
    bytes.extend_from_slice(metadata);
    bytes.resize(8 + len, 0);
    bytes
}

/// A stream of one column.
pub(super) fn stream(data_type: &DataType, batches: &[Craft]) -> Vec<u8> {
    let schema = Schema::new(vec![Field::new("column", data_type.clone(), true)]);
    let mut tracker = DictionaryTracker::new(false);
    let options = IpcWriteOptions::default();
    let encoded =
        IpcDataGenerator::default().schema_to_bytes_with_dictionary_tracker(&schema, &mut tracker, &options);
    let mut bytes = framed(&encoded.ipc_message);
    for batch in batches {
        bytes.extend(batch.message());
        bytes.extend_from_slice(&batch.body);
    }
    bytes
}

/// A stream whose schema is made of fields that a function builds.
pub(super) fn schema_only(
    endianness: ipc::Endianness,
    build: impl for<'b> Fn(&mut FlatBufferBuilder<'b>) -> flatbuffers::WIPOffset<ipc::Field<'b>>,
) -> Vec<u8> {
    let mut builder = FlatBufferBuilder::new();
    let field = build(&mut builder);
    let fields = builder.create_vector(&[field]);
    let args = ipc::SchemaArgs { endianness, fields: Some(fields), ..Default::default() };
    let schema = ipc::Schema::create(&mut builder, &args);
    let args = ipc::MessageArgs {
        version: ipc::MetadataVersion::V5,
        header_type: ipc::MessageHeader::Schema,
        header: Some(schema.as_union_value()),
        bodyLength: 0,
        custom_metadata: None,
    };
    let message = ipc::Message::create(&mut builder, &args);
    builder.finish(message, None);
    framed(builder.finished_data())
}
