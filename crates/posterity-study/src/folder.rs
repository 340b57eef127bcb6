//! The folder of results: written as a whole, and never over the files of others.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use posterity::hexadecimal::hex;
use posterity::plan::Plan;
use posterity::signing::{SecretKey, Signature};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::answers::Answers;
use crate::error::StudyError;
use crate::files::MANIFEST;
use crate::folder_error::FolderError;
use crate::outline::Outline;
use crate::results::results;
use crate::scratch::Scratch;
use crate::watch::Watch;

/// A folder that results may be written to.
#[derive(Debug)]
pub struct Folder {
    path: PathBuf,
    /// A folder beside it, in which the new results are written and the old ones are kept until the new ones have their
    /// place.
    scratch: Scratch,
}

/// What a folder of results says of itself.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Manifest {
    made_by: String,
    pub(crate) version: String,
    pub(crate) private: bool,
    pub(crate) outline: Outline,
    /// The SHA-256 of the plan, as a ledger that charged it holds it.
    #[serde(default)]
    pub(crate) plan: String,
    /// From each file to its SHA-256.
    pub(crate) files: BTreeMap<String, String>,
    /// A signature of the digest of all the above.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub(crate) signature: Option<Signature>,
}

impl Manifest {
    /// The SHA-256 of all but the signature, as JSON without spaces and with the keys in alphabetical order.
    pub(crate) fn digest(&self) -> Result<String, serde_json::Error> {
        let mut whole = serde_json::to_value(Self { signature: None, ..self.clone() })?;
        whole.sort_all_objects();
        Ok(hash(whole.to_string().as_bytes()))
    }
}

/// The name of the program that makes folders of results.
const MADE_BY: &str = "posterity study";

/// The folder of the new results, until they have their place.
const NEW: &str = "new";

/// How the names of folders begin that hold the old results meanwhile.
const OLD: &str = "old-";

impl Folder {
    /// Takes a folder for results: one that is not there yet, or one that holds nothing but results of a study, as they
    /// were written. Call it before anything is charged; it makes sure that the folder can be made.
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
        let begin = format!(".{name}.partial-");
        Scratch::clean(&parent, &begin, |left| put_back(left, path));
        check_ours(path)?;
        fs::create_dir_all(&parent).map_err(|error| FolderError::refused(&parent, "made", error))?;
        let refused = |error| FolderError::refused(path, "made", error);
        let scratch = Scratch::new(&parent, &begin).map_err(refused)?;
        fs::create_dir(scratch.path().join(NEW)).map_err(refused)?;
        Ok(Self { path: path.to_owned(), scratch })
    }

    /// The folder.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Writes all results, and puts them in their place at the end: whoever looks sees all of them or none. A key signs
    /// the list of all files.
    ///
    /// # Errors
    /// [`StudyError`].
    pub fn write(
        self,
        plan: &Plan,
        answers: &Answers,
        key: Option<&SecretKey>,
        watch: &dyn Watch,
    ) -> Result<PathBuf, StudyError> {
        let (outline, new) = (Outline::new(plan), self.scratch.path().join(NEW));
        let results = results(&outline, answers, watch)?;
        for (name, text) in &results {
            let path = new.join(name);
            fs::write(&path, text).map_err(|error| FolderError::refused(&path, "written", error))?;
        }
        let mut manifest = Manifest {
            made_by: MADE_BY.to_owned(),
            version: env!("CARGO_PKG_VERSION").to_owned(),
            private: answers.private(),
            plan: outline.agreed(answers.documents().map(|(_, document)| document)).plan,
            outline,
            files: results.iter().map(|(name, text)| (name.clone(), hash(text.as_bytes()))).collect(),
            signature: None,
        };
        let path = new.join(MANIFEST);
        let unwritten = |error: serde_json::Error| FolderError::refused(&path, "written", error.into());
        if let Some(key) = key {
            manifest.signature = Some(key.sign(&manifest.digest().map_err(unwritten)?));
        }
        let text = posterity::json::text(&manifest).map_err(unwritten)? + "\n";
        fs::write(&path, text).map_err(|error| FolderError::refused(&path, "written", error))?;
        Ok(self.place()?)
    }

    /// Puts the new results in place of the old ones.
    fn place(self) -> Result<PathBuf, FolderError> {
        let mut tries = 0;
        loop {
            // A place of its own for each try: what an earlier one moved away is still there.
            let old = self.scratch.path().join(format!("{OLD}{tries}"));
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
            let placed = fs::rename(self.scratch.path().join(NEW), &self.path);
            if placed.is_err() {
                put_back(self.scratch.path(), &self.path);
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

/// Puts old results back into their place, if nothing took it: a study may die between moving them away and putting the
/// new ones there.
fn put_back(scratch: &Path, path: &Path) {
    for entry in fs::read_dir(scratch).into_iter().flatten().flatten() {
        if entry.file_name().to_string_lossy().starts_with(OLD) && !path.exists() {
            let _ = fs::rename(entry.path(), path);
        }
    }
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

pub(crate) fn hash(bytes: &[u8]) -> String {
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
        // A file in place of the folder.
        let file = scratch.path().join("file");
        fs::write(&file, "").expect("written");
        assert!(matches!(Folder::take(&file), Err(FolderError::Refused { .. })));
        let left: Vec<_> = fs::read_dir(scratch.path()).expect("read").collect();
        assert_eq!(left.len(), 2, "nothing is left behind");
    }

    /// A study that died is cleaned up by the next one, which finds the old results where they were.
    #[cfg(unix)]
    #[test]
    fn what_a_study_left_is_cleaned_up() {
        let scratch = tempfile::tempdir().expect("a folder");
        let path = scratch.path().join("results");
        let manifest = r#"{"made_by": "posterity study", "version": "", "private": true,
            "outline": {"title": "", "source": "", "epsilon": 1, "questions": []}, "files": {}}"#;
        let left = scratch.path().join(".results.partial-1-1");
        for folder in [NEW, &format!("{OLD}0")] {
            fs::create_dir_all(left.join(folder)).expect("made");
            fs::write(left.join(folder).join(MANIFEST), manifest).expect("written");
        }
        fs::write(scratch.path().join(".results.partial-1-1.lock"), "").expect("written");
        let living = Folder::take(&path).expect("a folder");
        assert_eq!(fs::read_to_string(path.join(MANIFEST)).expect("put back"), manifest);
        let names = || {
            let mut names: Vec<_> = fs::read_dir(scratch.path())
                .expect("read")
                .map(|entry| entry.expect("read").file_name())
                .collect();
            names.sort();
            names
        };
        assert_eq!(names().len(), 3, "the results, and what the new study uses: {:?}", names());
        // A second study at the same time leaves the first one alone.
        drop(Folder::take(&path).expect("a folder"));
        assert!(living.scratch.path().join(NEW).exists());
        drop(living);
        assert_eq!(names(), ["results"]);
    }
}
