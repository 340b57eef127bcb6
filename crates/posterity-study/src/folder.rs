//! The folder of results: written as a whole, and never over the files of others.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use posterity::hexadecimal::hex;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::answers::{Answer, Answers};
use crate::csv;
use crate::error::StudyError;
use crate::files::{picture_file, reading_files};
use crate::folder_error::FolderError;
use crate::plan::Plan;
use crate::report::report;
use crate::watch::Watch;

/// A folder that results may be written to.
#[derive(Debug)]
pub struct Folder {
    path: PathBuf,
    /// The folder that is filled first, beside it.
    partial: PathBuf,
}

/// What a folder of results says of itself.
#[derive(Debug, Serialize, Deserialize)]
struct Manifest {
    made_by: String,
    title: String,
    private: bool,
    epsilon: f64,
    version: String,
    /// From each file to its SHA-256.
    files: BTreeMap<String, String>,
}

/// The file with the manifest.
const MANIFEST: &str = "study.json";

/// What is left of a study that died is removed after this time.
const STALE: Duration = Duration::from_secs(3600);

impl Folder {
    /// Takes a folder for results: one that is not there yet, or one that holds nothing but results of a study, as they were
    /// written. Call it before anything is charged; it makes sure that the folder can be made.
    ///
    /// # Errors
    /// [`FolderError`].
    pub fn take(path: &Path) -> Result<Self, FolderError> {
        let name = path.file_name().and_then(|name| name.to_str());
        let name = name.ok_or_else(|| FolderError::NoName { path: path.display().to_string() })?;
        let parent = match path.parent() {
            Some(parent) if !parent.as_os_str().is_empty() => parent.to_owned(),
            _ => PathBuf::from("."),
        };
        check_ours(path)?;
        fs::create_dir_all(&parent).map_err(|error| FolderError::refused(&parent, "made", error))?;
        remove_stale(&parent, name);
        let partial = parent.join(format!(".{name}.partial-{}-{}", std::process::id(), nanoseconds()));
        fs::create_dir(&partial).map_err(|error| FolderError::refused(&partial, "made", error))?;
        Ok(Self { path: path.to_owned(), partial })
    }

    /// The folder.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Writes all results, and puts them in their place at the end: whoever looks sees all of them or none.
    ///
    /// # Errors
    /// [`StudyError`].
    pub fn write(self, plan: &Plan, answers: &Answers, watch: &dyn Watch) -> Result<PathBuf, StudyError> {
        let all = plan.asked().len();
        let mut files = BTreeMap::new();
        let mut put = |name: String, text: String| {
            let path = self.partial.join(&name);
            fs::write(&path, &text).map_err(|error| FolderError::refused(&path, "written", error))?;
            files.insert(name, hash(text.as_bytes()));
            Ok::<(), FolderError>(())
        };
        let mut pictures = Vec::with_capacity(all);
        for (index, answer) in answers.answers().iter().enumerate() {
            watch.results(index, all);
            let name = answer.name();
            let plot = |error| StudyError::Plot { question: name.to_owned(), error };
            let drawn = answer.pictures().map_err(plot)?;
            put(format!("{name}.svg"), drawn.cells.clone())?;
            put(format!("{name}.json"), json(answer)?)?;
            put(format!("{name}.csv"), csv::cells(answer.document()))?;
            let files = reading_files(answer.name(), answer.tables());
            for ((file, table), picture) in files.into_iter().zip(answer.tables()).zip(&drawn.tables) {
                put(picture_file(&file), picture.clone())?;
                put(file, csv::reading(table))?;
            }
            pictures.push(drawn);
            if !answer.comparisons().is_empty() {
                put(format!("{name}-comparisons.csv"), csv::comparisons(answer.comparisons()))?;
            }
        }
        put("report.html".to_owned(), report(plan, answers, &pictures))?;
        watch.results(all, all);
        let manifest = Manifest {
            made_by: "posterity study".to_owned(),
            title: plan.title().to_owned(),
            private: answers.private(),
            epsilon: plan.epsilon().to_f64_shown(),
            version: env!("CARGO_PKG_VERSION").to_owned(),
            files,
        };
        let path = self.partial.join(MANIFEST);
        let text = serde_json::to_string_pretty(&manifest).unwrap_or_default() + "\n";
        fs::write(&path, text).map_err(|error| FolderError::refused(&path, "written", error))?;
        Ok(self.place()?)
    }

    /// Puts the new results in the place of the old ones.
    fn place(self) -> Result<PathBuf, FolderError> {
        let mut tries = 0;
        loop {
            // A place of its own for each try: what an earlier one moved away may still be there.
            let mut old = self.partial.clone().into_os_string();
            old.push(format!("-old{tries}"));
            let old = PathBuf::from(old);
            // Someone may have written there meanwhile: another run of the same plan, or somebody with another purpose.
            match check_ours(&self.path) {
                // The folder may have been exchanged while it was read; then it fits when it is read again.
                Err(FolderError::NotOurs { .. }) if tries < TRIES => {
                    tries += 1;
                    std::thread::sleep(Duration::from_millis(20));
                    continue;
                }
                checked => checked?,
            }
            match fs::rename(&self.path, &old) {
                Err(error) if error.kind() != io::ErrorKind::NotFound => {
                    return Err(FolderError::refused(&self.path, "replaced", error));
                }
                _ => {}
            }
            let placed = fs::rename(&self.partial, &self.path);
            // What was moved away are results that a study wrote.
            if placed.is_err() && !self.path.exists() {
                let _ = fs::rename(&old, &self.path);
            }
            if self.path.exists() {
                let _ = fs::remove_dir_all(&old);
            }
            tries += 1;
            match placed {
                Ok(()) => return Ok(self.path.clone()),
                // Another run was quicker. Its results have the same answers, and are replaced by these.
                Err(_) if tries < TRIES && self.path.exists() => {}
                Err(error) => return Err(FolderError::refused(&self.path, "written", error)),
            }
        }
    }
}

/// How often results are put in their place while other runs of the same plan do so, too.
const TRIES: u32 = 20;

impl Drop for Folder {
    /// Removes what was written so far and is not in its place.
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.partial);
    }
}

fn json(answer: &Answer) -> Result<String, StudyError> {
    let text = serde_json::to_string_pretty(answer.document());
    let text = text.map_err(|error| FolderError::Refused {
        path: answer.name().to_owned(),
        action: "written as JSON",
        error: error.into(),
    })?;
    Ok(text + "\n")
}

/// Refuses a folder that holds anything but unchanged results of a study.
fn check_ours(path: &Path) -> Result<(), FolderError> {
    let found = match fs::read_dir(path) {
        Ok(found) => found,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        Err(error) => return Err(FolderError::refused(path, "read", error)),
    };
    let text = fs::read_to_string(path.join(MANIFEST)).unwrap_or_default();
    let manifest: Option<Manifest> = serde_json::from_str(&text).ok();
    for entry in found {
        let entry = entry.map_err(|error| FolderError::refused(path, "read", error))?;
        let name = entry.file_name().to_string_lossy().into_owned();
        let expected = manifest.as_ref().and_then(|manifest| manifest.files.get(&name));
        let ours = match expected {
            _ if name == MANIFEST => manifest.is_some(),
            Some(expected) => fs::read(entry.path()).is_ok_and(|bytes| hash(&bytes) == *expected),
            None => false,
        };
        if !ours {
            return Err(FolderError::NotOurs { folder: path.display().to_string(), name });
        }
    }
    Ok(())
}

/// Removes what studies that died have left beside this folder. Whoever writes there now has done so within the hour.
fn remove_stale(parent: &Path, name: &str) {
    let begin = format!(".{name}.partial-");
    for entry in fs::read_dir(parent).into_iter().flatten().flatten() {
        let stale = entry.file_name().to_string_lossy().starts_with(&begin)
            && entry.metadata().and_then(|about| about.modified()).is_ok_and(|changed| {
                SystemTime::now().duration_since(changed).is_ok_and(|since| since > STALE)
            });
        if stale {
            let _ = fs::remove_dir_all(entry.path());
        }
    }
}

fn nanoseconds() -> u128 {
    SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).map_or(0, |since| since.as_nanos())
}

fn hash(bytes: &[u8]) -> String {
    hex(&Sha256::digest(bytes))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// If this fails, somebody loses files.
    #[test]
    fn the_files_of_others_are_left_alone() {
        let scratch = tempfile::tempdir().expect("a folder");
        let path = scratch.path().join("results");
        fs::create_dir(&path).expect("made");
        drop(Folder::take(&path).expect("an empty folder may be used"));
        fs::write(path.join("thesis.doc"), "ten years").expect("written");
        let error = Folder::take(&path).expect_err("refused");
        assert!(matches!(&error, FolderError::NotOurs { name, .. } if name == "thesis.doc"), "{error}");
        assert!(matches!(Folder::take(Path::new("/")), Err(FolderError::NoName { .. })));
        // A file in the place of the folder.
        let file = scratch.path().join("file");
        fs::write(&file, "").expect("written");
        assert!(matches!(Folder::take(&file), Err(FolderError::Refused { .. })));
        let left: Vec<_> = fs::read_dir(scratch.path()).expect("read").collect();
        assert_eq!(left.len(), 2, "nothing is left behind");
    }
}
