//! A temporary file without a name.

use std::fs::File;
use std::io::{ErrorKind, Read as _, Seek as _, SeekFrom, Write as _};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::error::UnitError;

/// Blocks of bytes in a temporary file, which is made when the first block is written.
///
/// Only the owner may read the file. On Unix it has no name, or loses it at once, and elsewhere it is removed when it
/// is closed: so it is gone when the program ends, whatever happens.
pub(crate) struct Spool {
    folder: PathBuf,
    open: Mutex<Open>,
}

/// The file so far.
#[derive(Default)]
struct Open {
    file: Option<File>,
    length: u64,
}

/// Where a block is.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Block {
    start: u64,
    length: usize,
}

impl Spool {
    /// A file that will be made in this folder.
    pub(crate) fn new(folder: &Path) -> Self {
        Self { folder: folder.into(), open: Mutex::default() }
    }

    /// Writes a block after those before.
    ///
    /// # Errors
    /// [`UnitError::Temporary`] if the system refuses.
    pub(crate) fn write(&self, bytes: &[u8]) -> Result<Block, UnitError> {
        let mut open = self.lock();
        let block = Block { start: open.length, length: bytes.len() };
        let file = match &mut open.file {
            Some(file) => file,
            none => none.insert(private_file(&self.folder)?),
        };
        file.seek(SeekFrom::Start(block.start))?;
        file.write_all(bytes)?;
        open.length += bytes.len() as u64;
        Ok(block)
    }

    /// Reads a block in place of what the vector holds.
    ///
    /// # Errors
    /// [`UnitError::Temporary`] if the system refuses.
    pub(crate) fn read(&self, block: Block, into: &mut Vec<u8>) -> Result<(), UnitError> {
        into.resize(block.length, 0);
        let mut open = self.lock();
        let Some(file) = &mut open.file else {
            return Err(UnitError::Temporary { kind: ErrorKind::NotFound });
        };
        file.seek(SeekFrom::Start(block.start))?;
        file.read_exact(into)?;
        Ok(())
    }

    fn lock(&self) -> MutexGuard<'_, Open> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A file without a name, for its owner only. The library leaves it to the system who else may read.
fn private_file(folder: &Path) -> std::io::Result<File> {
    let file = tempfile::tempfile_in(folder)?;
    #[cfg(unix)]
    file.set_permissions(std::os::unix::fs::PermissionsExt::from_mode(0o600))?;
    Ok(file)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_come_back_in_any_order() {
        let folder = tempfile::tempdir().expect("a folder");
        let spool = Spool::new(folder.path());
        let texts: [&[u8]; 4] = [b"one", b"", b"three", b"four"];
        let blocks = texts.map(|text| spool.write(text).expect("no error"));
        let mut read = b"something longer".to_vec();
        for (block, text) in blocks.iter().zip(texts).rev() {
            spool.read(*block, &mut read).expect("no error");
            assert_eq!(read, text);
        }
    }

    #[test]
    fn a_block_of_another_file_is_refused() {
        let folder = tempfile::tempdir().expect("a folder");
        let block = Spool::new(folder.path()).write(b"one").expect("no error");
        let result = Spool::new(folder.path()).read(block, &mut Vec::new());
        assert_eq!(result, Err(UnitError::Temporary { kind: ErrorKind::NotFound }));
    }

    /// If this fails, others may read what a temporary file holds, or it stays when the program is killed.
    #[cfg(unix)]
    #[test]
    fn the_file_has_no_name_and_one_reader() {
        use std::os::unix::fs::MetadataExt as _;
        let folder = tempfile::tempdir().expect("a folder");
        let spool = Spool::new(folder.path());
        spool.write(b"one").expect("no error");
        let metadata = spool.lock().file.as_ref().expect("a file").metadata().expect("no error");
        assert_eq!(metadata.nlink(), 0);
        assert_eq!(metadata.mode() & 0o777, 0o600);
        assert_eq!(std::fs::read_dir(folder.path()).expect("a folder").count(), 0);
    }
}
