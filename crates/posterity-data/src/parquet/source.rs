//! A file that several threads read at once.

use std::fs::File;
use std::io;

use crate::column::Flaw;

/// A file and its length. Reading names the place, so that no thread moves another.
#[derive(Debug)]
pub(super) struct Source {
    file: File,
    length: u64,
}

impl Source {
    /// Looks up the length of a file.
    pub(super) fn new(file: File) -> Result<Self, Flaw> {
        let length = file.metadata()?.len();
        Ok(Self { file, length })
    }

    /// How many bytes there are.
    pub(super) fn len(&self) -> u64 {
        self.length
    }

    /// Fills a buffer with the bytes from a place on.
    pub(super) fn read(&self, at: u64, buffer: &mut [u8]) -> Result<(), Flaw> {
        Ok(read_exact_at(&self.file, buffer, at)?)
    }
}

#[cfg(unix)]
fn read_exact_at(file: &File, buffer: &mut [u8], at: u64) -> io::Result<()> {
    std::os::unix::fs::FileExt::read_exact_at(file, buffer, at)
}

#[cfg(windows)]
fn read_exact_at(file: &File, mut buffer: &mut [u8], mut at: u64) -> io::Result<()> {
    while !buffer.is_empty() {
        match std::os::windows::fs::FileExt::seek_read(file, buffer, at) {
            Ok(0) => return Err(io::ErrorKind::UnexpectedEof.into()),
            Ok(count) => {
                buffer = &mut buffer[count..];
                at = at.saturating_add(count as u64);
            }
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(())
}
