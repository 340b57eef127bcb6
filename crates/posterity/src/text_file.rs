//! Small files of text that a user names.

use std::fs::File;
use std::io::Read;
use std::path::Path;

use thiserror::Error;

/// The longest file that is read whole, in bytes.
pub const MAX_TEXT_FILE: u64 = 64 << 20;

/// Why a file was not read.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum TextFileError {
    /// The system cannot read the file.
    #[error("{path} cannot be read: {error}; check the path")]
    Unreadable {
        /// The file.
        path: String,
        /// What the system says.
        error: std::io::Error,
    },
    /// The path is a folder, a device or a pipe, which may have no end.
    #[error("{path} is no regular file; save its content to a file first")]
    NotAFile {
        /// The path.
        path: String,
    },
    /// The file is longer than [`MAX_TEXT_FILE`].
    #[error("{path} is longer than {} MiB; check that it is the right file", MAX_TEXT_FILE >> 20)]
    TooLong {
        /// The file.
        path: String,
    },
    /// The file is not text in UTF-8.
    #[error("{path} is not text in UTF-8; check that it is the right file")]
    NotUtf8 {
        /// The file.
        path: String,
    },
}

/// Reads a whole text file, if it is a regular one of at most [`MAX_TEXT_FILE`] bytes: never a device or a pipe, which
/// may have no end.
///
/// ```
/// # let folder = tempfile::tempdir()?;
/// # let path = folder.path().join("categories.txt");
/// # std::fs::write(&path, "yes\nno\n")?;
/// // The file categories.txt has the lines yes and no.
/// assert_eq!(posterity::text_file::read_text(&path)?.lines().count(), 2);
/// assert!(posterity::text_file::read_text(folder.path()).is_err()); // This is a folder.
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// [`TextFileError`].
pub fn read_text(path: &Path) -> Result<String, TextFileError> {
    read_text_of(open_file(path)?, &path.display().to_string())
}

/// Reads a whole text from a regular file that is open already. Errors name it as `name`.
///
/// # Errors
/// [`TextFileError`].
pub fn read_text_of(file: File, name: &str) -> Result<String, TextFileError> {
    let shown = || name.to_owned();
    let unreadable = |error| TextFileError::Unreadable { path: shown(), error };
    let mut bytes = Vec::new();
    file.take(MAX_TEXT_FILE + 1).read_to_end(&mut bytes).map_err(unreadable)?;
    if bytes.len() as u64 > MAX_TEXT_FILE {
        return Err(TextFileError::TooLong { path: shown() });
    }
    String::from_utf8(bytes).map_err(|_| TextFileError::NotUtf8 { path: shown() })
}

/// Opens a regular file for reading.
///
/// # Errors
/// [`TextFileError`] if it cannot be opened, or is a folder, a device or a pipe.
pub(crate) fn open_file(path: &Path) -> Result<File, TextFileError> {
    let shown = || path.display().to_string();
    let unreadable = |error| TextFileError::Unreadable { path: shown(), error };
    // Before it is opened: to open a pipe waits for its other end.
    if !std::fs::metadata(path).map_err(unreadable)?.is_file() {
        return Err(TextFileError::NotAFile { path: shown() });
    }
    File::open(path).map_err(unreadable)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_short_regular_files_are_read() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("a.txt");
        std::fs::write(&file, "yes\nno\n").expect("written");
        assert_eq!(read_text(&file).expect("read"), "yes\nno\n");
        assert!(matches!(read_text(folder.path()), Err(TextFileError::NotAFile { .. })));
        assert!(matches!(read_text(&folder.path().join("b")), Err(TextFileError::Unreadable { .. })));
        std::fs::write(&file, b"\xff").expect("written");
        assert!(matches!(read_text(&file), Err(TextFileError::NotUtf8 { .. })));
        // A file of many gigabytes that takes no room on the disk.
        File::create(&file).and_then(|file| file.set_len(20 << 30)).expect("a sparse file");
        assert!(matches!(read_text(&file), Err(TextFileError::TooLong { .. })));
    }

    #[cfg(unix)]
    #[test]
    fn devices_have_no_end() {
        assert!(matches!(read_text(Path::new("/dev/zero")), Err(TextFileError::NotAFile { .. })));
    }
}
