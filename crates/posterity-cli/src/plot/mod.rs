//! Pictures: the same input gives the same bytes, on a machine without fonts too.

mod boxes;
mod canvas;
mod comparison;
mod curve;
mod file;
mod forest;
mod keys;
mod laws;
mod name;
mod palette;
mod posterior;
mod ridges;

use plotters::prelude::DrawingBackend;

use self::canvas::{Canvas, Drawn};
pub(crate) use self::comparison::{Curve, Plot};
pub(crate) use self::file::PlotFile;
use self::file::PlotFormat;
pub(crate) use self::posterior::PosteriorPlot;
use crate::failure::Failure;

/// What can be drawn, below a title and a line on how to read it.
trait Picture {
    fn title(&self) -> String;

    fn subtitle(&self) -> String;

    /// The height of the page.
    fn height(&self) -> f64 {
        canvas::HEIGHT
    }

    fn draw<D: DrawingBackend>(&self, canvas: &Canvas<'_, D>) -> Drawn<D>;
}

/// Draws into memory first, so that a failure leaves no broken file.
fn write(picture: &impl Picture, file: &PlotFile) -> Result<(), Failure> {
    let bytes = match file.format {
        PlotFormat::Svg => canvas::svg(picture),
        PlotFormat::Png => canvas::png(picture),
    };
    let bytes =
        bytes.map_err(|error| Failure::refused(format!("--plot: {file} cannot be drawn: {error}")))?;
    std::fs::write(&file.path, bytes)
        .map_err(|error| Failure::refused(format!("--plot: {file} cannot be written: {error}")))
}
