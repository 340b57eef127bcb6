//! A folder that is there while results are written, and then gone.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::{fs, io};

use crate::secret::Secret;

/// A folder among the temporary files that only its owner may enter. It is removed when this value goes.
#[derive(Debug)]
pub(super) struct Scratch(PathBuf);

impl Scratch {
    pub(super) fn new() -> io::Result<Self> {
        let name = Secret::new().map_err(io::Error::other)?;
        let path = std::env::temp_dir().join(format!("posterity-web-{}", name.as_str()));
        let mut builder = fs::DirBuilder::new();
        #[cfg(unix)]
        {
            use std::os::unix::fs::DirBuilderExt;
            builder.mode(0o700);
        }
        builder.create(&path)?;
        Ok(Self(path))
    }

    pub(super) fn path(&self) -> &Path {
        &self.0
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// The texts of all files of a folder, by their names.
pub(super) fn texts(folder: &Path) -> io::Result<BTreeMap<String, String>> {
    let mut texts = BTreeMap::new();
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let name = entry.file_name().to_string_lossy().into_owned();
        texts.insert(name, fs::read_to_string(entry.path())?);
    }
    Ok(texts)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_folder_goes_with_its_value() {
        let scratch = Scratch::new().expect("a folder");
        let path = scratch.path().to_owned();
        fs::write(path.join("a.txt"), "text").expect("written");
        assert_eq!(texts(&path).expect("read")["a.txt"], "text");
        drop(scratch);
        assert!(!path.exists());
    }
}
