//! Bitmaps: bit `i` of a bitmap is bit `i mod 8`, from the lowest, of byte `i / 8`.

use super::buffers::Buffer;
use crate::flaw::Flaw;
use crate::positional_file::PositionalFile;

/// The bits of some rows.
pub(super) fn bits(
    buffer: &Buffer,
    source: &PositionalFile,
    start: u64,
    rows: usize,
) -> Result<Vec<bool>, Flaw> {
    let first = (start % 8) as usize;
    let bytes = buffer.range(source, start / 8, (first + rows).div_ceil(8))?;
    let mut bits = Vec::with_capacity(bytes.len() * 8);
    for &byte in bytes.iter() {
        bits.extend((0..8).map(|bit| byte >> bit & 1 != 0));
    }
    bits.drain(..first);
    bits.truncate(rows);
    Ok(bits)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::memory_limit::MemoryLimit;

    #[test]
    fn any_start_and_length() -> Result<(), Flaw> {
        let source = PositionalFile::new(tempfile::tempfile()?)?;
        let bytes = vec![0b1010_0110, 0b0011_0101];
        let buffer = Buffer::Held { bytes, _held: MemoryLimit::new(2).take(2)? };
        let all = bits(&buffer, &source, 0, 16)?;
        let expected = [0, 1, 1, 0, 0, 1, 0, 1, 1, 0, 1, 0, 1, 1, 0, 0].map(|bit| bit == 1);
        assert_eq!(all, expected);
        for start in 0..16 {
            for rows in 0..=16 - start {
                assert_eq!(bits(&buffer, &source, start as u64, rows)?, expected[start..start + rows]);
            }
            assert!(matches!(bits(&buffer, &source, start as u64, 17 - start), Err(Flaw::Damaged)));
        }
        Ok(())
    }
}
