//! A file that several threads read at once, each at its own positions.

use std::fs::File;

use crate::flaw::Flaw;

/// An open file and its length, which no position may exceed.
#[derive(Debug)]
pub(crate) struct PositionalFile {
    file: File,
    len: u64,
}

impl PositionalFile {
    /// Looks up the length of a file.
    pub(crate) fn new(file: File) -> Result<Self, Flaw> {
        let len = file.metadata()?.len();
        Ok(Self { file, len })
    }

    /// How many bytes there are.
    pub(crate) fn len(&self) -> u64 {
        self.len
    }

    /// The end of a range, if the range lies within the file.
    pub(crate) fn end(&self, at: u64, len: u64) -> Result<u64, Flaw> {
        at.checked_add(len).filter(|&end| end <= self.len).ok_or(Flaw::Damaged)
    }

    /// Fills a slice with the bytes at a position.
    pub(crate) fn fill(&self, at: u64, bytes: &mut [u8]) -> Result<(), Flaw> {
        self.end(at, bytes.len() as u64)?;
        Ok(read_at(&self.file, at, bytes)?)
    }

    /// The bytes of a range. Memory is taken only after the range is seen to lie within the file; the caller bounds its
    /// length.
    pub(crate) fn bytes(&self, at: u64, len: usize) -> Result<Vec<u8>, Flaw> {
        self.end(at, len as u64)?;
        let mut bytes = vec![0; len];
        read_at(&self.file, at, &mut bytes)?;
        Ok(bytes)
    }

    /// A few bytes.
    pub(crate) fn array<const N: usize>(&self, at: u64) -> Result<[u8; N], Flaw> {
        let mut bytes = [0; N];
        self.fill(at, &mut bytes)?;
        Ok(bytes)
    }
}

#[cfg(unix)]
fn read_at(file: &File, at: u64, bytes: &mut [u8]) -> std::io::Result<()> {
    std::os::unix::fs::FileExt::read_exact_at(file, bytes, at)
}

#[cfg(windows)]
fn read_at(file: &File, mut at: u64, mut bytes: &mut [u8]) -> std::io::Result<()> {
    use std::io::ErrorKind;
    while !bytes.is_empty() {
        match std::os::windows::fs::FileExt::seek_read(file, bytes, at) {
            Ok(0) => return Err(ErrorKind::UnexpectedEof.into()),
            Ok(read) => {
                bytes = &mut bytes[read..];
                at += read as u64;
            }
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(())
}
