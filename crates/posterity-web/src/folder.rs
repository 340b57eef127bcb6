//! The folder whose files can be released, and nothing outside it.

use std::fs;
use std::path::{Component, Path, PathBuf};

use posterity::data::open_below;
use posterity::text_file::read_text_of;
use thiserror::Error;

use crate::sentence::sentence;

/// The most files that are listed.
const MAX_FILES: usize = 500;
/// How deep folders are searched.
const MAX_DEPTH: usize = 4;

/// The message about a file that is not in the folder, or no longer.
const GONE: &str = "There is no such file in the folder.";

/// A folder of data.
#[derive(Debug)]
pub(crate) struct Folder {
    /// As it was named.
    given: PathBuf,
    /// With all links resolved.
    root: PathBuf,
}

/// The folder cannot be used.
#[derive(Debug, Error)]
#[error("{path:?} is no folder that can be read ({kind}); name the folder that holds your files")]
pub struct FolderError {
    path: PathBuf,
    kind: std::io::ErrorKind,
}

impl Folder {
    pub(crate) fn new(given: &Path) -> Result<Self, FolderError> {
        let failed = |kind| FolderError { path: given.to_owned(), kind };
        let root = fs::canonicalize(given).map_err(|error| failed(error.kind()))?;
        fs::read_dir(&root).map_err(|error| failed(error.kind()))?;
        Ok(Self { given: given.to_owned(), root })
    }

    /// The folder as it was named.
    pub(crate) fn name(&self) -> String {
        self.given.display().to_string()
    }

    /// The same as a path.
    pub(crate) fn path(&self) -> &Path {
        &self.given
    }

    /// The folder with all links resolved.
    pub(crate) fn root(&self) -> &Path {
        &self.root
    }

    /// The text of a file of the folder. It is opened first and checked then, so that it is the file that was checked.
    pub(crate) fn text(&self, name: &str) -> Result<String, String> {
        let path = self.find(name).ok_or(GONE)?;
        match open_below(&self.root, &path) {
            Ok(Some(file)) => read_text_of(file, name).map_err(sentence),
            _ => Err(GONE.to_owned()),
        }
    }

    /// The names of the files with records, sorted.
    pub(crate) fn files(&self) -> Vec<String> {
        self.list(|name| {
            let name = name.to_ascii_lowercase();
            let stem = name.strip_suffix(".gz").unwrap_or(&name);
            let record = [".csv", ".tsv", ".json", ".jsonl", ".ndjson", ".parquet", ".arrow", ".feather"];
            record.iter().any(|end| stem.ends_with(end)) && !is_schema(&name)
        })
    }

    /// The names of the files that describe tables.
    pub(crate) fn schemas(&self) -> Vec<String> {
        self.list(|name| is_schema(&name.to_ascii_lowercase()))
    }

    /// The names of the files that may be documents of releases.
    pub(crate) fn documents(&self) -> Vec<String> {
        self.list(|name| {
            let name = name.to_ascii_lowercase();
            name.ends_with(".json") && !is_schema(&name)
        })
    }

    /// The names of all that is in the folder of a file of this folder.
    pub(crate) fn beside(&self, name: &str) -> Vec<String> {
        let before = Path::new(name).parent().unwrap_or(Path::new(""));
        let entries = fs::read_dir(self.root.join(before)).into_iter().flatten().flatten();
        entries.map(|entry| before.join(entry.file_name()).to_string_lossy().into_owned()).collect()
    }

    /// The names of the files that may be plans of studies.
    pub(crate) fn plans(&self) -> Vec<String> {
        self.list(|name| name.to_ascii_lowercase().ends_with(".toml"))
    }

    /// Whether a path that a file of the folder names, from where that file is, leads to a file of the folder.
    pub(crate) fn holds(&self, beside: &str, named: &str) -> bool {
        let from = Path::new(beside).parent().unwrap_or(Path::new(""));
        let resolved = fs::canonicalize(self.root.join(from).join(named));
        resolved.is_ok_and(|path| path.starts_with(&self.root) && path.is_file())
    }

    fn list(&self, wanted: impl Fn(&str) -> bool) -> Vec<String> {
        let mut found = Vec::new();
        let mut folders = vec![(String::new(), 0)];
        while let Some((prefix, depth)) = folders.pop() {
            let Ok(entries) = fs::read_dir(self.root.join(&prefix)) else { continue };
            for entry in entries.flatten() {
                // A name that is not Unicode cannot be typed into a form.
                let Ok(name) = entry.file_name().into_string() else { continue };
                if found.len() == MAX_FILES || name.starts_with('.') {
                    continue;
                }
                let name = if prefix.is_empty() { name } else { format!("{prefix}/{name}") };
                // A link may lead outside, or round in a circle: it is followed to files only.
                let kind = entry.file_type();
                if kind.as_ref().is_ok_and(fs::FileType::is_dir) && depth < MAX_DEPTH {
                    folders.push((name, depth + 1));
                } else if wanted(&name) && self.find(&name).is_some() {
                    found.push(name);
                }
            }
        }
        found.sort();
        found
    }

    /// The path of a file of the folder: none if there is no such file, or if it is elsewhere once links are resolved.
    /// Whoever opens it later checks what is opened again.
    pub(crate) fn find(&self, name: &str) -> Option<PathBuf> {
        let path = Path::new(name);
        let inside = |part: Component<'_>| match part {
            Component::Normal(part) => !part.to_string_lossy().starts_with('.'),
            _ => false,
        };
        if name.is_empty() || name.contains(['\0', '\\']) || !path.components().all(inside) {
            return None;
        }
        let resolved = fs::canonicalize(self.root.join(path)).ok()?;
        let regular = fs::metadata(&resolved).is_ok_and(|metadata| metadata.is_file());
        (resolved.starts_with(&self.root) && regular).then(|| self.given.join(path))
    }
}

/// Whether a file describes a table, by its name.
fn is_schema(name: &str) -> bool {
    let last = name.rsplit('/').next().unwrap_or(name);
    last.ends_with(".schema.json") || last == "schema.json" || last == "datapackage.json"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_files_of_the_folder_are_found() {
        let outer = tempfile::tempdir().expect("a folder");
        let root = outer.path().join("data");
        fs::create_dir_all(root.join("more")).expect("made");
        for name in [
            "data/a.csv",
            "data/more/b.parquet",
            "data/.hidden.csv",
            "data/a.schema.json",
            "outside.csv",
            "data/notes.txt",
        ] {
            fs::write(outer.path().join(name), "x\n1\n").expect("written");
        }
        #[cfg(unix)]
        {
            std::os::unix::fs::symlink(outer.path().join("outside.csv"), root.join("link.csv"))
                .expect("linked");
            std::os::unix::fs::symlink(outer.path(), root.join("up")).expect("linked");
            std::os::unix::fs::symlink(root.join("a.csv"), root.join("same.csv")).expect("linked");
        }
        let folder = Folder::new(&root).expect("a folder");
        assert_eq!(folder.files(), ["a.csv", "more/b.parquet", "same.csv"]);
        assert_eq!(folder.schemas(), ["a.schema.json"]);
        assert_eq!(folder.find("more/b.parquet"), Some(root.join("more/b.parquet")));
        for name in [
            "",
            ".",
            "..",
            "../outside.csv",
            "more/../../outside.csv",
            "/etc/passwd",
            "link.csv",
            "up/outside.csv",
            ".hidden.csv",
            "more",
            "a.csv/",
            "a.csv\0",
            "none.csv",
            "..\\outside.csv",
            "more//../..//outside.csv",
            "%2e%2e/outside.csv",
        ] {
            let found = folder.find(name);
            assert!(found.is_none() || name == "a.csv/", "{name}: {found:?}");
        }
        for (beside, named, held) in [
            ("plan.toml", "a.csv", true),
            ("more/plan.toml", "../a.csv", true),
            ("more/plan.toml", "b.parquet", true),
            ("plan.toml", "../outside.csv", false),
            ("plan.toml", "link.csv", false),
            ("plan.toml", "/etc/passwd", false),
            ("plan.toml", "*.csv", false),
            ("plan.toml", "more", false),
        ] {
            assert_eq!(folder.holds(beside, named), held, "{beside} {named}");
        }
    }

    #[test]
    fn rejects() {
        let file = tempfile::NamedTempFile::new().expect("a file");
        assert!(Folder::new(file.path()).is_err());
        assert!(Folder::new(Path::new("/nonexistent-folder")).is_err());
    }
}
