//! The files of an experiment and of the report.

use std::fs;
use std::path::{Path, PathBuf};

use posterity::new_file::{self, NewFileError};
use posterity_plot::{PlotFormat, render};

use crate::error::ReproduceError;
use crate::run::ExperimentResult;

/// The ends of the names of the files of an experiment.
const ENDS: [&str; 3] = ["csv", "svg", "png"];

/// The names of the report and of the list of claims.
const REPORT: &str = "report.html";
const CLAIMS: &str = "claims.csv";

/// Refuses a folder with files that the experiments of these names would overwrite, unless that was said. Call it before
/// they are run.
///
/// # Errors
/// [`NewFileError::Exists`].
pub fn refuse(folder: &Path, names: &[&str], overwrite: bool) -> Result<(), NewFileError> {
    let of_experiments = names.iter().flat_map(|name| ENDS.map(|end| format!("{name}.{end}")));
    let mut files = of_experiments.chain([REPORT, CLAIMS].map(ToOwned::to_owned));
    files.try_for_each(|file| new_file::refuse(&folder.join(file), overwrite))
}

/// Writes `NAME.csv`, `NAME.svg` and `NAME.png` into a folder and returns their paths. All three are made before the
/// first is written, and each appears under its name only when it is complete.
///
/// # Errors
/// [`ReproduceError`] if the picture cannot be drawn or a file cannot be written.
pub fn write(folder: &Path, result: &ExperimentResult) -> Result<Vec<PathBuf>, ReproduceError> {
    let name = &result.name;
    let files = [
        result.table.to_csv().into_bytes(),
        render(&result.figure, PlotFormat::Svg, name)?,
        render(&result.figure, PlotFormat::Png, name)?,
    ];
    let files = ENDS.into_iter().zip(files);
    files.map(|(end, bytes)| whole(&folder.join(format!("{name}.{end}")), &bytes)).collect()
}

/// Writes the report into a folder as `report.html`.
///
/// # Errors
/// [`ReproduceError::File`] if it cannot be written.
pub fn write_report(folder: &Path, html: &str) -> Result<PathBuf, ReproduceError> {
    whole(&folder.join(REPORT), html.as_bytes())
}

/// Writes the list of claims into a folder as `claims.csv`.
///
/// # Errors
/// [`ReproduceError::File`] if it cannot be written.
pub fn write_claims(folder: &Path, csv: &str) -> Result<PathBuf, ReproduceError> {
    whole(&folder.join(CLAIMS), csv.as_bytes())
}

/// Writes another file and renames it, so that a failure leaves no partial file.
fn whole(path: &Path, bytes: &[u8]) -> Result<PathBuf, ReproduceError> {
    let failed =
        |source| ReproduceError::File { file: path.display().to_string(), action: "written", source };
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder).map_err(failed)?;
    }
    let mut part = path.as_os_str().to_owned();
    part.push(".part");
    let part = PathBuf::from(part);
    let written = fs::write(&part, bytes).and_then(|()| fs::rename(&part, path));
    if let Err(source) = written {
        // The first error is reported, whether or not the partial file can be removed.
        let _ = fs::remove_file(&part);
        return Err(failed(source));
    }
    Ok(path.to_owned())
}
