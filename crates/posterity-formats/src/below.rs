//! Files that are opened only if they are below a folder.

use std::fs::{self, File};
use std::io;
use std::path::Path;

/// Opens a regular file that is below a folder once all links are resolved; none if it is elsewhere, or no regular
/// file.
///
/// The folder is named as [`fs::canonicalize`] names it. What is checked is the file that was opened, and not what its
/// name stood for at another moment: a file that is exchanged for a link in between is not opened. Whoever can exchange
/// the folder itself is not guarded against.
///
/// ```
/// # let folder = tempfile::tempdir()?;
/// # let root = std::fs::canonicalize(folder.path())?;
/// # std::fs::write(root.join("people.csv"), "cured\nyes\n")?;
/// assert!(posterity_formats::open_below(&root, &root.join("people.csv"))?.is_some());
/// assert!(posterity_formats::open_below(&root.join("other"), &root.join("people.csv"))?.is_none());
/// # Ok::<(), std::io::Error>(())
/// ```
///
/// # Errors
/// What the system says of a file that it cannot find or open.
pub fn open_below(folder: &Path, path: &Path) -> io::Result<Option<File>> {
    let resolved = fs::canonicalize(path)?;
    let Ok(inside) = resolved.strip_prefix(folder) else { return Ok(None) };
    let opened = walk(folder, inside)?;
    let regular = opened.as_ref().map(File::metadata).transpose()?.is_some_and(|about| about.is_file());
    Ok(opened.filter(|_| regular))
}

/// Opens each folder on the way and then the file, each from within the one before and none of them by a link. The path
/// has no links, so a part of it that is one now was exchanged.
#[cfg(unix)]
fn walk(folder: &Path, inside: &Path) -> io::Result<Option<File>> {
    use rustix::fs::{CWD, Mode, OFlags, openat};
    use rustix::io::Errno;
    // A pipe that took the place of the file would keep whoever opens it waiting.
    let file = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::CLOEXEC | OFlags::NONBLOCK;
    let mut place = openat(CWD, folder, file | OFlags::DIRECTORY, Mode::empty())?;
    let mut parts = inside.components().peekable();
    while let Some(part) = parts.next() {
        let flags = if parts.peek().is_some() { file | OFlags::DIRECTORY } else { file };
        place = match openat(&place, part.as_os_str(), flags, Mode::empty()) {
            Ok(next) => next,
            Err(Errno::LOOP | Errno::NOTDIR | Errno::NXIO) => return Ok(None),
            Err(error) => return Err(error.into()),
        };
    }
    Ok(Some(File::from(place)))
}

/// Opens the file, and looks whether its name still means the same. Someone who exchanges it and puts it back in
/// between is not noticed here.
#[cfg(not(unix))]
fn walk(folder: &Path, inside: &Path) -> io::Result<Option<File>> {
    let path = folder.join(inside);
    let file = File::open(&path)?;
    Ok((fs::canonicalize(&path)? == path).then_some(file))
}

#[cfg(all(test, unix))]
mod tests {
    use std::io::Read;
    use std::os::unix::fs::symlink;
    use std::sync::atomic::{AtomicBool, Ordering};

    use super::*;

    #[test]
    fn only_files_below_the_folder_are_opened() {
        let outer = tempfile::tempdir().unwrap();
        let outer = fs::canonicalize(outer.path()).unwrap();
        let root = outer.join("data");
        fs::create_dir_all(root.join("more")).unwrap();
        for name in ["data/a.csv", "data/more/b.csv", "outside.csv"] {
            fs::write(outer.join(name), name).unwrap();
        }
        symlink(root.join("a.csv"), root.join("same.csv")).unwrap();
        symlink(root.join("more"), root.join("again")).unwrap();
        symlink(outer.join("outside.csv"), root.join("link.csv")).unwrap();
        symlink(&outer, root.join("up")).unwrap();
        let read = |name: &str| {
            open_below(&root, &root.join(name)).unwrap().map(|file| io::read_to_string(file).unwrap())
        };
        for (name, found) in [
            ("a.csv", Some("data/a.csv")),
            ("more/b.csv", Some("data/more/b.csv")),
            ("more/../a.csv", Some("data/a.csv")),
            ("same.csv", Some("data/a.csv")),
            ("again/b.csv", Some("data/more/b.csv")),
            ("link.csv", None),
            ("up/outside.csv", None),
            ("../outside.csv", None),
            ("more", None),
        ] {
            assert_eq!(read(name).as_deref(), found, "{name}");
        }
        assert!(open_below(&root, &root.join("none.csv")).is_err());
    }

    /// A file and a folder that are exchanged for links, over and over, while they are opened. If this fails, what was
    /// opened is not what was checked.
    #[test]
    fn what_is_exchanged_meanwhile_is_not_opened() {
        let outer = tempfile::tempdir().unwrap();
        let outer = fs::canonicalize(outer.path()).unwrap();
        let (root, elsewhere) = (outer.join("data"), outer.join("elsewhere"));
        for folder in [root.join("kept"), root.join("more"), elsewhere.clone()] {
            fs::create_dir_all(&folder).unwrap();
            fs::write(folder.join("b.csv"), if folder == elsewhere { "outside" } else { "inside" }).unwrap();
        }
        let done = AtomicBool::new(false);
        let (mut inside, mut refused) = (0, 0);
        std::thread::scope(|scope| {
            scope.spawn(|| {
                while !done.load(Ordering::Relaxed) {
                    // The name is gone for a moment, is a link for a moment, and then is what it was.
                    fs::rename(root.join("more"), root.join("away")).unwrap();
                    symlink(&elsewhere, root.join("more")).unwrap();
                    fs::remove_file(root.join("more")).unwrap();
                    fs::rename(root.join("away"), root.join("more")).unwrap();
                }
            });
            for _ in 0..20_000 {
                match open_below(&root, &root.join("more/b.csv")) {
                    Ok(Some(mut file)) => {
                        let mut text = String::new();
                        file.read_to_string(&mut text).unwrap();
                        assert_eq!(text, "inside");
                        inside += 1;
                    }
                    _ => refused += 1,
                }
            }
            done.store(true, Ordering::Relaxed);
        });
        println!("{inside} opened, {refused} refused");
        assert!(inside > 0 && refused > 0, "{inside} {refused}");
    }
}
