//! Folders that last no longer than the process that made them.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

/// A folder that only its owner may enter. It is removed when this value goes; if the process dies before,
/// [`Scratch::clean`] of the next one removes it.
///
/// A file beside the folder, its mark, is locked as long as the process lives. The system unlocks it whatever the
/// process dies of, so a mark that can be locked belongs to nobody.
#[derive(Debug)]
pub struct Scratch {
    path: PathBuf,
    mark: PathBuf,
    /// Holds the lock.
    _held: File,
}

impl Scratch {
    /// Makes a folder in another one, with a name that begins so.
    ///
    /// # Errors
    /// What the system says.
    pub fn new(parent: &Path, begin: &str) -> io::Result<Self> {
        loop {
            let path = parent.join(format!("{begin}{}-{}", std::process::id(), nanoseconds()));
            let mark = parent.join(marked(&path));
            let held = match create(&mark) {
                // The clock stood still.
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => continue,
                created => created?,
            };
            // A process that cleans up may have found the mark before it was locked. Then the mark is gone, or soon
            // will be.
            if matches!(lock(&held), Ok(false)) || !mark.exists() {
                continue;
            }
            if let Err(error) = make(&path) {
                let _ = fs::remove_file(&mark);
                return Err(error);
            }
            return Ok(Self { path, mark, _held: held });
        }
    }

    /// The folder.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Removes the folders with such names whose processes died, after each was shown to `rescue`. It never touches one
    /// whose process lives.
    pub fn clean(parent: &Path, begin: &str, rescue: impl Fn(&Path)) {
        for entry in fs::read_dir(parent).into_iter().flatten().flatten() {
            let name = entry.file_name();
            let number = name.to_str().and_then(|name| name.strip_prefix(begin)?.strip_suffix(MARK));
            let Some(number) = number.filter(|number| number.bytes().all(is_of_number)) else { continue };
            let mark = entry.path();
            let Ok(held) = open(&mark) else { continue };
            if matches!(lock(&held), Ok(true)) {
                let path = parent.join(format!("{begin}{number}"));
                rescue(&path);
                // The mark is removed last, because a folder without a mark would never be removed.
                if remove(&path).is_ok() {
                    let _ = fs::remove_file(&mark);
                }
            }
        }
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        if remove(&self.path).is_ok() {
            let _ = fs::remove_file(&self.mark);
        }
    }
}

/// How the name of a mark ends.
const MARK: &str = ".lock";

/// The name of the mark of a folder.
fn marked(path: &Path) -> String {
    path.file_name().map_or_else(String::new, |name| name.to_string_lossy().into_owned()) + MARK
}

fn is_of_number(byte: u8) -> bool {
    byte.is_ascii_digit() || byte == b'-'
}

fn nanoseconds() -> u128 {
    SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).map_or(0, |since| since.as_nanos())
}

/// Removes a folder, if it is there.
fn remove(path: &Path) -> io::Result<()> {
    match fs::remove_dir_all(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    }
}

/// Makes a folder that only its owner may enter.
fn make(path: &Path) -> io::Result<()> {
    let mut builder = fs::DirBuilder::new();
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(path)
}

/// Makes a file that only its owner may open.
fn create(path: &Path) -> io::Result<File> {
    let mut options = File::options();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(path)
}

/// Opens a mark, and nothing that someone put in place of one: in a folder for all users it could be a link or a pipe.
#[cfg(unix)]
fn open(path: &Path) -> io::Result<File> {
    use rustix::fs::{Mode, OFlags};
    let flags = OFlags::RDWR | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
    Ok(File::from(rustix::fs::open(path, flags, Mode::empty())?))
}

/// Whether a file could be locked, because no process that lives has locked it.
#[cfg(unix)]
fn lock(file: &File) -> io::Result<bool> {
    use rustix::fs::{FlockOperation, flock};
    use rustix::io::Errno;
    match flock(file, FlockOperation::NonBlockingLockExclusive) {
        Ok(()) => Ok(true),
        Err(Errno::WOULDBLOCK) => Ok(false),
        Err(error) => Err(error.into()),
    }
}

#[cfg(not(unix))]
fn open(_path: &Path) -> io::Result<File> {
    Err(io::ErrorKind::Unsupported.into())
}

/// This system cannot tell whether a process lives, so nothing that others made is removed.
#[cfg(not(unix))]
fn lock(_file: &File) -> io::Result<bool> {
    Err(io::ErrorKind::Unsupported.into())
}

#[cfg(all(test, unix))]
mod tests {
    use std::os::unix::fs::PermissionsExt;
    use std::sync::atomic::{AtomicU32, Ordering};

    use super::*;

    const BEGIN: &str = "test-";

    fn left(folder: &Path) -> usize {
        fs::read_dir(folder).expect("a folder").count()
    }

    /// What a process that died leaves: the folder and its mark, which nobody holds.
    fn dead(parent: &Path, number: &str) -> PathBuf {
        let path = parent.join(format!("{BEGIN}{number}"));
        fs::create_dir(&path).expect("made");
        fs::write(path.join("file"), "text").expect("written");
        fs::write(parent.join(format!("{BEGIN}{number}{MARK}")), "").expect("written");
        path
    }

    #[test]
    fn the_folder_goes_with_its_value() {
        let parent = tempfile::tempdir().expect("a folder");
        let scratch = Scratch::new(parent.path(), BEGIN).expect("a folder");
        let mode = |path: &Path| fs::metadata(path).expect("there").permissions().mode() & 0o777;
        assert_eq!((mode(scratch.path()), mode(&scratch.mark)), (0o700, 0o600));
        fs::write(scratch.path().join("a.txt"), "text").expect("written");
        assert_eq!(left(parent.path()), 2);
        drop(scratch);
        assert_eq!(left(parent.path()), 0);
    }

    #[test]
    fn what_died_is_removed_and_what_lives_is_not() {
        let parent = tempfile::tempdir().expect("a folder");
        let living = Scratch::new(parent.path(), BEGIN).expect("a folder");
        let rescued = AtomicU32::new(0);
        for number in ["1-1", "7-123"] {
            dead(parent.path(), number);
        }
        // The mark of a process that died before it made the folder.
        fs::write(parent.path().join(format!("{BEGIN}3-3{MARK}")), "").expect("written");
        // What only looks like it.
        for name in ["test-other.lock", "other-1-1.lock", "test-1-1.locked"] {
            fs::write(parent.path().join(name), "").expect("written");
        }
        let precious = parent.path().join("precious");
        fs::write(&precious, "ten years").expect("written");
        std::os::unix::fs::symlink(&precious, parent.path().join(format!("{BEGIN}9-9{MARK}")))
            .expect("linked");
        Scratch::clean(parent.path(), BEGIN, |_| {
            rescued.fetch_add(1, Ordering::Relaxed);
        });
        assert_eq!(rescued.load(Ordering::Relaxed), 3);
        assert!(living.path().exists() && living.mark.exists() && precious.exists());
        drop(living);
        assert_eq!(left(parent.path()), 5, "three that only look like it, the precious one and a link to it");
    }

    /// A folder that is exchanged for a link loses the link only.
    #[test]
    fn a_link_in_the_place_of_a_folder_is_not_followed() {
        let parent = tempfile::tempdir().expect("a folder");
        let precious = parent.path().join("precious");
        fs::create_dir(&precious).expect("made");
        fs::write(precious.join("file"), "ten years").expect("written");
        let path = dead(parent.path(), "1-1");
        fs::remove_dir_all(&path).expect("removed");
        std::os::unix::fs::symlink(&precious, &path).expect("linked");
        Scratch::clean(parent.path(), BEGIN, |_| ());
        assert!(precious.join("file").exists());
    }

    /// Threads that clean while others make folders: if this fails, a folder was removed while it was in use.
    #[test]
    fn cleaning_and_making_at_once() {
        let parent = tempfile::tempdir().expect("a folder");
        std::thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| {
                    for _ in 0..200 {
                        let scratch = Scratch::new(parent.path(), BEGIN).expect("a folder");
                        let file = scratch.path().join("file");
                        fs::write(&file, "text").expect("the folder is there");
                        Scratch::clean(parent.path(), BEGIN, |_| ());
                        assert_eq!(fs::read_to_string(&file).expect("the file is there"), "text");
                    }
                });
            }
        });
        Scratch::clean(parent.path(), BEGIN, |_| ());
        assert_eq!(left(parent.path()), 0);
    }
}
