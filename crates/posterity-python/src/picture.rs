//! Pictures of readings.

use posterity::new_file::{self, NewFileError};
use posterity::{Document, Reader, Reading};
use posterity_plot::{PictureKind, PlotFormat, TablePlot, render};
use pyo3::prelude::*;

use crate::argument::{self, truth};
use crate::error::Failure;

/// Writes the bytes of a picture to a file. One that exists is overwritten only if that is said.
#[pyfunction]
pub(crate) fn write_file(path: &Bound<'_, PyAny>, bytes: &[u8], force: &Bound<'_, PyAny>) -> PyResult<()> {
    let (path, force) = (argument::path(path, "path")?, truth(force, "force")?);
    Ok(new_file::write(&path, bytes, force).map_err(|error| not_written("path", &error))?)
}

/// Why a file is not written, with the argument that names it.
pub(crate) fn not_written(argument: &'static str, error: &NewFileError) -> Failure {
    match error {
        NewFileError::Exists { .. } => Failure::argument(argument, format!("{error} (force=True)")),
        _ => Failure::argument(argument, error),
    }
}

/// The kind of picture with this name.
pub(crate) fn kind(name: &str) -> Result<PictureKind, Failure> {
    PictureKind::named(name).ok_or_else(|| {
        let known = PictureKind::ALL.map(PictureKind::name).join(", ");
        Failure::argument("kind", format!("{name:?} is none of {known}"))
    })
}

/// The format with this name.
pub(crate) fn format(name: &str) -> Result<PlotFormat, Failure> {
    match name {
        "svg" => Ok(PlotFormat::Svg),
        "png" => Ok(PlotFormat::Png),
        other => Err(Failure::argument(
            "path",
            format!("{other:?} is no format of pictures; end it in .svg or .png"),
        )),
    }
}

/// The picture of a reading as the bytes of a file.
pub(crate) fn draw(
    document: &Document,
    reader: &Reader,
    reading: &Reading,
    kind: Option<PictureKind>,
    format: PlotFormat,
) -> Result<Vec<u8>, Failure> {
    let read = |reading: &Reading| reader.read(reading).map_err(|error| Failure::argument("reading", error));
    let table = read(reading)?;
    let kind = kind.unwrap_or_else(|| PictureKind::usual(&table));
    let picture = TablePlot::new(document, &table, kind).map_err(|error| Failure::argument("kind", error))?;
    let picture = match TablePlot::groups(&table, kind) {
        Some(groups) => picture.weighted(&read(&groups)?),
        None => picture,
    };
    Ok(render(&picture, format, "the picture")?)
}
