//! Where definitions come from: the binary, a file, or a folder.

use std::fs;
use std::path::Path;

use crate::conclusions::Conclusions;
use crate::error::ReproduceError;
use crate::experiment::Experiment;

/// The name of the file with the conclusions, which is not an experiment.
pub const CONCLUSIONS: &str = "conclusions";

static SHIPPED: &[(&str, &str)] = &include!(concat!(env!("OUT_DIR"), "/shipped.rs"));

/// Experiments with the conclusions that they decide.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Library {
    /// In the order of the report.
    pub experiments: Vec<Experiment>,
    /// The conclusions that they decide together.
    pub conclusions: Conclusions,
}

impl Library {
    fn from_files<'f>(files: impl Iterator<Item = (&'f str, &'f str)>) -> Result<Self, ReproduceError> {
        let mut library = Self::default();
        for (name, text) in files {
            if name == CONCLUSIONS {
                library.conclusions = Conclusions::from_toml("conclusions.toml", text)?;
            } else {
                library.experiments.push(Experiment::from_toml(name, text)?);
            }
        }
        library.experiments.sort_by(|a, b| a.group().cmp(&b.group()).then_with(|| a.name().cmp(b.name())));
        Ok(library)
    }

    /// The experiments with these names, in the order of the report; all if there are no names.
    ///
    /// # Errors
    /// [`ReproduceError::Unknown`] for a name that is not there.
    pub fn choose(&self, names: &[String]) -> Result<Vec<&Experiment>, ReproduceError> {
        let known = |name: &str| self.experiments.iter().any(|experiment| experiment.name() == name);
        if let Some(name) = names.iter().find(|name| !known(name)) {
            let all: Vec<&str> = self.experiments.iter().map(Experiment::name).collect();
            return Err(ReproduceError::Unknown { name: name.clone(), known: all.join(", ") });
        }
        let wanted =
            |experiment: &&Experiment| names.is_empty() || names.iter().any(|name| name == experiment.name());
        Ok(self.experiments.iter().filter(wanted).collect())
    }
}

/// The experiments that are shipped with the program.
///
/// # Errors
/// [`ReproduceError::Definition`] if one of them is wrong; a test makes sure that none is.
pub fn experiments() -> Result<Library, ReproduceError> {
    Library::from_files(SHIPPED.iter().copied())
}

/// The experiments in a file `*.toml`, or in all such files of a folder.
///
/// # Errors
/// [`ReproduceError`] if the path cannot be read, holds no experiments, or one of them is wrong.
pub fn definitions(path: &Path) -> Result<Library, ReproduceError> {
    let wrong =
        |why: &str| Err(ReproduceError::Definition { file: path.display().to_string(), why: why.to_owned() });
    let is_definition = |file: &Path| file.extension().is_some_and(|extension| extension == "toml");
    let mut files = Vec::new();
    if path.is_file() {
        if !is_definition(path) {
            return wrong("it is no file *.toml; name a definition, or a folder of them");
        }
        files.push(named_text(path)?);
    } else {
        let failed =
            |source| ReproduceError::File { file: path.display().to_string(), action: "read", source };
        for entry in fs::read_dir(path).map_err(failed)? {
            let file = entry.map_err(failed)?.path();
            if is_definition(&file) {
                files.push(named_text(&file)?);
            }
        }
    }
    files.sort();
    let library = Library::from_files(files.iter().map(|(name, text)| (name.as_str(), text.as_str())))?;
    if library.experiments.is_empty() {
        return wrong("it holds no experiments; name a definition in a file *.toml, or a folder of them");
    }
    Ok(library)
}

/// The name of a definition, and its text.
fn named_text(file: &Path) -> Result<(String, String), ReproduceError> {
    let text = posterity::text_file::read_text(file)?;
    let name = file.file_stem().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    Ok((name, text))
}
