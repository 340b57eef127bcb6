//! Compressed pages.

use std::io::Read;

use brotli_decompressor::{BrotliDecompressStream, BrotliResult, BrotliState, StandardAlloc};

use crate::flaw::Flaw;
use crate::memory_limit::MemoryLimit;
use crate::zstd;

/// What a Brotli decoder may hold besides its output: the largest window of the format, and tables.
const BROTLI: usize = 17 << 20;

/// How pages are compressed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Codec {
    None,
    Snappy,
    Gzip,
    Brotli,
    /// LZ4 as Hadoop frames it.
    Lz4Hadoop,
    Zstd,
    Lz4,
}

impl Codec {
    /// The codec of a number of the format.
    pub(super) fn new(number: i32) -> Result<Self, Flaw> {
        match number {
            0 => Ok(Self::None),
            1 => Ok(Self::Snappy),
            2 => Ok(Self::Gzip),
            3 => Err(Flaw::Unsupported("LZO compression")),
            4 => Ok(Self::Brotli),
            5 => Ok(Self::Lz4Hadoop),
            6 => Ok(Self::Zstd),
            7 => Ok(Self::Lz4),
            _ => Err(Flaw::Unsupported("an unknown compression")),
        }
    }

    /// Fills a buffer, which has the stated size, with what the bytes hold. It is an error if there is more or less.
    pub(super) fn decompress(self, bytes: &[u8], out: &mut [u8], memory: &MemoryLimit) -> Result<(), Flaw> {
        match self {
            Self::None if bytes.len() == out.len() => {
                out.copy_from_slice(bytes);
                Ok(())
            }
            Self::None => Err(Flaw::Damaged),
            Self::Snappy => snappy(bytes, out),
            Self::Gzip => gzip(bytes, out),
            Self::Brotli => brotli(bytes, out, memory),
            Self::Lz4Hadoop => lz4_hadoop(bytes, out).or_else(|_| lz4(bytes, out)),
            Self::Zstd => {
                let _tables = memory.take(zstd::MEMORY)?;
                zstd::decompress(bytes, out)
            }
            Self::Lz4 => lz4(bytes, out),
        }
    }
}

fn snappy(bytes: &[u8], out: &mut [u8]) -> Result<(), Flaw> {
    if snap::raw::decompress_len(bytes).map_err(|_| Flaw::Damaged)? != out.len() {
        return Err(Flaw::Damaged);
    }
    match snap::raw::Decoder::new().decompress(bytes, out) {
        Ok(written) if written == out.len() => Ok(()),
        _ => Err(Flaw::Damaged),
    }
}

fn gzip(bytes: &[u8], out: &mut [u8]) -> Result<(), Flaw> {
    let mut decoder = flate2::bufread::MultiGzDecoder::new(bytes);
    decoder.read_exact(out).map_err(|_| Flaw::Damaged)?;
    match decoder.read(&mut [0]) {
        Ok(0) => Ok(()),
        _ => Err(Flaw::Damaged),
    }
}

fn brotli(bytes: &[u8], out: &mut [u8], memory: &MemoryLimit) -> Result<(), Flaw> {
    let _window = memory.take(BROTLI)?;
    // The strict state refuses windows beyond those of the format.
    let mut state =
        BrotliState::new_strict(StandardAlloc::default(), StandardAlloc::default(), StandardAlloc::default());
    let (mut bytes_left, mut bytes_at) = (bytes.len(), 0);
    let (mut out_left, mut out_at, mut written) = (out.len(), 0, 0);
    let result = BrotliDecompressStream(
        &mut bytes_left,
        &mut bytes_at,
        bytes,
        &mut out_left,
        &mut out_at,
        out,
        &mut written,
        &mut state,
    );
    match result {
        BrotliResult::ResultSuccess if out_left == 0 && bytes_left == 0 => Ok(()),
        _ => Err(Flaw::Damaged),
    }
}

fn lz4(bytes: &[u8], out: &mut [u8]) -> Result<(), Flaw> {
    match lz4_flex::block::decompress_into(bytes, out) {
        Ok(written) if written == out.len() => Ok(()),
        _ => Err(Flaw::Damaged),
    }
}

/// Blocks, each after its two sizes, which are big-endian.
fn lz4_hadoop(mut bytes: &[u8], mut out: &mut [u8]) -> Result<(), Flaw> {
    while let Some((sizes, rest)) = bytes.split_first_chunk::<8>() {
        let [a, b, c, d, e, f, g, h] = *sizes;
        let plain = u32::from_be_bytes([a, b, c, d]) as usize;
        let packed = u32::from_be_bytes([e, f, g, h]) as usize;
        let (block, after) = rest.split_at_checked(packed).ok_or(Flaw::Damaged)?;
        let (now, later) = out.split_at_mut_checked(plain).ok_or(Flaw::Damaged)?;
        lz4(block, now)?;
        (bytes, out) = (after, later);
    }
    if bytes.is_empty() && out.is_empty() { Ok(()) } else { Err(Flaw::Damaged) }
}
