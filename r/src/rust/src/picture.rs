//! Pictures of releases and readings.

use extendr_api::prelude::*;
use posterity::new_file::{self, NewFileError};
use posterity::{Publication, Reader, Reading};
use posterity_plot::{PictureKind, PlotFormat, PosteriorPlot, TablePlot, render};

use crate::argument::named;
use crate::call::Call;
use crate::failure::Failure;
use crate::kept::Kept;
use crate::reading::{reader, refused, reread};
use crate::worker::run;

/// Draws a picture of a release or of a reading into a file. One that exists is overwritten only if that is said.
pub(crate) fn picture(call: &Call) -> Result<Robj, Failure> {
    let (path, force) = (call.needed_path("path")?, call.truth("force")?);
    new_file::refuse(&path, force).map_err(|error| not_written("path", &error))?;
    let kind = call.text("kind")?.map(|name| kind(&name)).transpose()?;
    let format = format(&call.needed_text("format")?)?;
    let asked: Option<Reading> = call.read("reading", named)?;
    let drawn = match (Kept::of(call)?, asked) {
        (Publication::Table(document), None) => {
            run(move |_| Ok(render(&PosteriorPlot::new(&document), format, "the picture")?))?
        }
        (Publication::Table(document), Some(reading)) => {
            let reader = reader(call, (*document).clone())?;
            run(move |_| {
                let reader = reader()?;
                let table = read(&reader, &reading)?;
                let kind = kind.unwrap_or_else(|| PictureKind::usual(&table));
                let picture = TablePlot::new(&*document, &table, kind);
                let picture = picture.map_err(|error| Failure::argument("kind", error))?;
                let picture = match TablePlot::groups(&table, kind) {
                    Some(groups) => picture.weighted(&read(&reader, &groups)?),
                    None => picture,
                };
                Ok(render(&picture, format, "the picture")?)
            })?
        }
        (other, Some(reading)) => {
            let read = reread(call, other, (vec![reading.clone()], Vec::new()), "reading")?;
            run(move |_| {
                let document = read()?;
                let table = document.read(&reading).map_err(|error| refused(error, "reading"))?;
                Ok(render(&TablePlot::new(&document, &table, PictureKind::Forest)?, format, "the picture")?)
            })?
        }
        (document, None) => {
            let pictured = document.pictured().into_owned();
            let [table] = pictured.as_slice() else {
                return Err(Failure::argument("reading", "say what to draw, such as \"cured | ward\""));
            };
            if table.rows.is_empty() {
                let why = "no value passed the threshold, so there is nothing to draw";
                return Err(Failure::argument("x", why));
            }
            let table = table.clone();
            run(move |_| {
                Ok(render(&TablePlot::new(&document, &table, PictureKind::Forest)?, format, "the picture")?)
            })?
        }
    };
    new_file::write(&path, &drawn, force).map_err(|error| not_written("path", &error))?;
    Ok(().into())
}

/// Why a file is not written, with the argument that names it.
pub(crate) fn not_written(argument: &'static str, error: &NewFileError) -> Failure {
    match error {
        NewFileError::Exists { .. } => Failure::argument(argument, format!("{error} (force = TRUE)")),
        _ => Failure::argument(argument, error),
    }
}

fn read(reader: &Reader, reading: &Reading) -> Result<posterity::ReadingTable, Failure> {
    reader.read(reading).map_err(|error| Failure::argument("reading", error))
}

/// The kind of picture with this name.
fn kind(name: &str) -> Result<PictureKind, Failure> {
    PictureKind::named(name).ok_or_else(|| {
        let known = PictureKind::ALL.map(PictureKind::name).join(", ");
        Failure::argument("kind", format!("{name:?} is none of {known}"))
    })
}

/// The format with this name.
fn format(name: &str) -> Result<PlotFormat, Failure> {
    match name {
        "svg" => Ok(PlotFormat::Svg),
        "png" => Ok(PlotFormat::Png),
        other => {
            let why = format!("{other:?} is no format of pictures; end it in .svg or .png");
            Err(Failure::argument("path", why))
        }
    }
}
