//! The file of a picture, and its format.

use std::fmt;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use posterity::new_file;

use crate::error::PlotError;

/// The file of a picture. Its extension says the format.
#[derive(Clone, Debug)]
pub struct PlotFile {
    pub(crate) path: PathBuf,
    pub(crate) format: PlotFormat,
    /// Whether a file that is there is overwritten.
    pub(crate) overwrite: bool,
}

/// The formats of pictures.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PlotFormat {
    /// A vector picture with text.
    Svg,
    /// A picture of pixels.
    Png,
}

impl PlotFile {
    /// The format that the extension says.
    pub fn format(&self) -> PlotFormat {
        self.format
    }

    /// Says whether the file is overwritten if it exists.
    #[must_use]
    pub fn overwriting(self, overwrite: bool) -> Self {
        Self { overwrite, ..self }
    }

    /// The file with this number, beside it: `tables-2.svg` for `tables.svg`.
    #[must_use]
    pub fn numbered(&self, number: usize) -> Self {
        let mut name = self.path.file_stem().unwrap_or_default().to_owned();
        name.push(format!("-{number}."));
        name.push(self.path.extension().unwrap_or_default());
        Self { path: self.path.with_file_name(name), ..self.clone() }
    }

    /// Checks that the file can be written, and that it overwrites nothing unless that was said. Call it before a step
    /// that cannot be undone, such as a charge. A file that exists is left as it is. A pipe is refused: to open it would
    /// wait for its reader.
    ///
    /// # Errors
    /// [`PlotError::Writing`] or [`PlotError::Exists`].
    pub fn check(&self) -> Result<(), PlotError> {
        if is_pipe(&self.path) {
            let source = std::io::Error::other("it is a pipe");
            return Err(PlotError::Writing { file: self.to_string(), source });
        }
        Ok(new_file::check(&self.path, self.overwrite)?)
    }
}

#[cfg(unix)]
fn is_pipe(path: &Path) -> bool {
    use std::os::unix::fs::FileTypeExt;
    std::fs::metadata(path).is_ok_and(|found| found.file_type().is_fifo())
}

#[cfg(not(unix))]
fn is_pipe(_: &Path) -> bool {
    false
}

impl FromStr for PlotFile {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let path = PathBuf::from(text);
        let extension = path.extension().map(|extension| extension.to_ascii_lowercase());
        let format = match extension.as_ref().and_then(|extension| extension.to_str()) {
            Some("svg") => PlotFormat::Svg,
            Some("png") => PlotFormat::Png,
            _ => {
                return Err("pictures are written as SVG or PNG; give a file name in .svg or .png".to_owned());
            }
        };
        Ok(Self { path, format, overwrite: false })
    }
}

impl fmt::Display for PlotFile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.path.display().fmt(f)
    }
}
