//! A look at Parquet and Arrow files before the engine reads them: their columns, and that no length leads beyond them.
//!
//! The engine merges columns of the same name, so that one would go unnoticed. It also believes the lengths that an Arrow
//! file states and allocates that much, gigabytes for a file that is cut.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::path::Path;

use datafusion::arrow::datatypes::SchemaRef;
use datafusion::arrow::ipc::reader::{FileReader, StreamReader, read_footer_length};
use datafusion::arrow::ipc::{root_as_footer, root_as_message};
use datafusion::parquet::arrow::arrow_reader::{ArrowReaderMetadata, ArrowReaderOptions};

use crate::error::DataError;
use crate::files::{shown, unreadable};
use crate::source::Format;

/// The largest batch, in bytes as stored, that an Arrow file may hold.
pub const MAX_BATCH: u64 = 128 << 20;

const MAGIC: &[u8] = b"ARROW1";
const CONTINUATION: [u8; 4] = [0xff; 4];

/// What is wrong with a file.
enum Flaw {
    Damaged,
    TooLarge,
    Io(io::Error),
}

impl From<io::Error> for Flaw {
    fn from(error: io::Error) -> Self {
        match error.kind() {
            io::ErrorKind::UnexpectedEof | io::ErrorKind::InvalidInput => Self::Damaged,
            _ => Self::Io(error),
        }
    }
}

/// The columns of a Parquet or Arrow file, as it states them.
pub(crate) fn columns(path: &Path, format: Format) -> Result<SchemaRef, DataError> {
    let file = File::open(path).map_err(|error| unreadable(path, &error))?;
    let schema = match format {
        Format::Parquet => ArrowReaderMetadata::load(&file, ArrowReaderOptions::new())
            .map(|metadata| metadata.schema().clone())
            .map_err(|_| Flaw::Damaged),
        _ => arrow(file),
    };
    schema.map_err(|flaw| match flaw {
        Flaw::Damaged => DataError::Damaged { format },
        Flaw::TooLarge => DataError::LargeBatch { path: shown(path) },
        Flaw::Io(error) => unreadable(path, &error),
    })
}

fn arrow(mut file: File) -> Result<SchemaRef, Flaw> {
    let len = file.metadata()?.len();
    let mut start = [0; 6];
    file.read_exact(&mut start)?;
    if start == MAGIC {
        check_blocks(&mut file, len)?;
        file.rewind()?;
        FileReader::try_new(file, None).map(|reader| reader.schema()).map_err(|_| Flaw::Damaged)
    } else {
        file.rewind()?;
        check_messages(&mut file, len)?;
        file.rewind()?;
        StreamReader::try_new(file, None).map(|reader| reader.schema()).map_err(|_| Flaw::Damaged)
    }
}

/// The file format: a footer says where the batches are.
fn check_blocks(file: &mut File, len: u64) -> Result<(), Flaw> {
    let mut end = [0; 10];
    file.seek(SeekFrom::Start(len.checked_sub(10).ok_or(Flaw::Damaged)?))?;
    file.read_exact(&mut end)?;
    let footer = read_footer_length(end).map_err(|_| Flaw::Damaged)? as u64;
    let start = (len - 10).checked_sub(footer).ok_or(Flaw::Damaged)?;
    file.seek(SeekFrom::Start(start))?;
    let mut bytes = Vec::new();
    file.take(footer).read_to_end(&mut bytes)?;
    let footer = root_as_footer(&bytes).map_err(|_| Flaw::Damaged)?;
    for block in footer.recordBatches().into_iter().chain(footer.dictionaries()).flatten() {
        fits(block.offset(), i64::from(block.metaDataLength()), block.bodyLength(), len)?;
    }
    Ok(())
}

/// The stream format: one message after the other, up to an empty one or the end.
fn check_messages(file: &mut File, len: u64) -> Result<(), Flaw> {
    let mut at = 0;
    while at < len {
        let mut word = [0; 4];
        file.read_exact(&mut word)?;
        at += 4;
        if word == CONTINUATION {
            file.read_exact(&mut word)?;
            at += 4;
        }
        let metadata = i64::from(i32::from_le_bytes(word));
        if metadata == 0 {
            break;
        }
        fits(at as i64, metadata, 0, len)?;
        let mut bytes = vec![0; metadata as usize];
        file.read_exact(&mut bytes)?;
        let body = root_as_message(&bytes).map_err(|_| Flaw::Damaged)?.bodyLength();
        at = fits(at as i64, metadata, body, len)?;
        file.seek(SeekFrom::Start(at))?;
    }
    Ok(())
}

/// The end of a piece of the file, if it lies within and is not too large.
fn fits(offset: i64, metadata: i64, body: i64, len: u64) -> Result<u64, Flaw> {
    let piece = |length: i64| u64::try_from(length).map_err(|_| Flaw::Damaged);
    let size = piece(metadata)?.checked_add(piece(body)?).ok_or(Flaw::Damaged)?;
    let end = piece(offset)?.checked_add(size).filter(|&end| end <= len).ok_or(Flaw::Damaged)?;
    if size > MAX_BATCH { Err(Flaw::TooLarge) } else { Ok(end) }
}
