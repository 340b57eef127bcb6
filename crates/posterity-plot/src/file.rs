//! The file of a picture, and its format.

use std::fmt;
use std::fs::OpenOptions;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use crate::error::PlotError;

/// The file of a picture. Its extension says the format.
#[derive(Clone, Debug)]
pub struct PlotFile {
    pub(crate) path: PathBuf,
    pub(crate) format: PlotFormat,
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

    /// The file with this number, beside it: `tables-2.svg` for `tables.svg`.
    #[must_use]
    pub fn numbered(&self, number: usize) -> Self {
        let mut name = self.path.file_stem().unwrap_or_default().to_owned();
        name.push(format!("-{number}."));
        name.push(self.path.extension().unwrap_or_default());
        Self { path: self.path.with_file_name(name), format: self.format }
    }

    /// Checks that the file can be written. Call it before a step that cannot be undone, such as a charge. A file that
    /// exists is left as it is. A pipe is refused: to open it would wait for its reader.
    ///
    /// # Errors
    /// [`PlotError::Writing`].
    pub fn check(&self) -> Result<(), PlotError> {
        let failed = |source| PlotError::Writing { file: self.to_string(), source };
        let is_new = !self.path.exists();
        if is_pipe(&self.path) {
            return Err(failed(std::io::Error::other("it is a pipe")));
        }
        OpenOptions::new().append(true).create(true).open(&self.path).map_err(failed)?;
        if is_new { std::fs::remove_file(&self.path).map_err(failed) } else { Ok(()) }
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
        Ok(Self { path, format })
    }
}

impl fmt::Display for PlotFile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.path.display().fmt(f)
    }
}
