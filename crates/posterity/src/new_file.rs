//! Files that are written. A file that is there is overwritten only if that was said.

use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::path::Path;

use thiserror::Error;

/// Why a file is not written.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum NewFileError {
    /// There is such a file, and nobody said that it may be overwritten.
    #[error("{path} exists, and is not overwritten unless that is said; choose another name, or allow it")]
    Exists {
        /// The file.
        path: String,
    },
    /// The system cannot write the file.
    #[error("{path} cannot be written: {error}")]
    Unwritable {
        /// The file.
        path: String,
        /// What the system says.
        error: io::Error,
    },
}

/// Refuses a path where a file is, unless it may be overwritten. Devices and pipes hold nothing that could be lost.
///
/// ```
/// use posterity::new_file::refuse;
/// # let folder = tempfile::tempdir()?;
/// # let stays = folder.path().join("stays.csv");
/// # std::fs::write(&stays, "ward,cured\nA,yes\n")?;
/// // The file stays.csv exists.
/// assert!(refuse(&stays, false).is_err());
/// assert!(refuse(&stays, true).is_ok());
/// assert!(refuse(&folder.path().join("rows.csv"), false).is_ok());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// [`NewFileError::Exists`].
pub fn refuse(path: &Path, overwrite: bool) -> Result<(), NewFileError> {
    // A link that leads nowhere is there, too: what is written to it would appear where it leads.
    let is_there = match std::fs::metadata(path) {
        Ok(found) => found.is_file(),
        Err(_) => std::fs::symlink_metadata(path).is_ok(),
    };
    if is_there && !overwrite {
        Err(NewFileError::Exists { path: path.display().to_string() })
    } else {
        Ok(())
    }
}

/// Refuses a path where a file is, as [`refuse`] does, and one that cannot be written. Call it before a step that cannot
/// be undone or takes long, such as a charge. A file that exists is left as it is.
///
/// # Errors
/// [`NewFileError`].
pub fn check(path: &Path, overwrite: bool) -> Result<(), NewFileError> {
    refuse(path, overwrite)?;
    match std::fs::metadata(path) {
        // To open a pipe would wait for its reader.
        Ok(found) if !found.is_file() && !found.is_dir() => Ok(()),
        Ok(_) => {
            OpenOptions::new().append(true).open(path).map(drop).map_err(|error| unwritable(path, error))
        }
        Err(_) => {
            drop(create(path, overwrite)?);
            std::fs::remove_file(path).map_err(|error| unwritable(path, error))
        }
    }
}

/// Opens a file to write to it, from its beginning. Between a check and this, nobody else's file is lost: one that
/// appeared meanwhile is refused, too.
///
/// # Errors
/// [`NewFileError`].
pub fn create(path: &Path, overwrite: bool) -> Result<File, NewFileError> {
    refuse(path, overwrite)?;
    let is_device = std::fs::metadata(path).is_ok_and(|found| !found.is_file());
    let mut options = OpenOptions::new();
    options.write(true);
    if overwrite || is_device {
        options.create(true).truncate(true)
    } else {
        options.create_new(true)
    };
    options.open(path).map_err(|error| match error.kind() {
        io::ErrorKind::AlreadyExists => NewFileError::Exists { path: path.display().to_string() },
        _ => unwritable(path, error),
    })
}

/// Writes a whole file.
///
/// # Errors
/// [`NewFileError`].
pub fn write(path: &Path, bytes: &[u8], overwrite: bool) -> Result<(), NewFileError> {
    create(path, overwrite)?.write_all(bytes).map_err(|error| unwritable(path, error))
}

fn unwritable(path: &Path, error: io::Error) -> NewFileError {
    NewFileError::Unwritable { path: path.display().to_string(), error }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// If this fails, the file of somebody's patients is replaced by synthetic rows.
    #[test]
    fn a_file_that_is_there_stays_unless_that_is_said() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("stays.csv");
        let read = || std::fs::read_to_string(&path).expect("there");
        std::fs::write(&path, "ten years").expect("written");
        for done in [refuse(&path, false), check(&path, false), write(&path, b"rows", false)] {
            assert!(matches!(done, Err(NewFileError::Exists { .. })), "{done:?}");
            assert_eq!(read(), "ten years");
        }
        check(&path, true).expect("it can be written");
        assert_eq!(read(), "ten years", "a check leaves it as it is");
        write(&path, b"rows", true).expect("written");
        assert_eq!(read(), "rows");
    }

    #[test]
    fn a_check_leaves_nothing_behind() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("rows.csv");
        check(&path, false).expect("it can be written");
        assert!(!path.exists());
        let nowhere = folder.path().join("nowhere/rows.csv");
        assert!(matches!(check(&nowhere, false), Err(NewFileError::Unwritable { .. })));
        assert!(
            matches!(check(folder.path(), false), Err(NewFileError::Unwritable { .. })),
            "it is a folder"
        );
        assert!(matches!(write(&nowhere, b"", true), Err(NewFileError::Unwritable { .. })));
    }

    #[cfg(unix)]
    #[test]
    fn links_lead_to_files_and_devices_hold_none() {
        let folder = tempfile::tempdir().expect("a folder");
        let (link, lost) = (folder.path().join("link"), folder.path().join("lost"));
        std::os::unix::fs::symlink(&lost, &link).expect("linked");
        assert!(matches!(create(&link, false), Err(NewFileError::Exists { .. })));
        assert!(!lost.exists());
        let device = Path::new("/dev/null");
        check(device, false).expect("a device");
        write(device, b"rows", false).expect("written");
    }
}
