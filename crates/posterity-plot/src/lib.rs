//! Pictures: the same input gives the same bytes, on a machine without fonts too.

mod boxes;
mod canvas;
mod comparison;
mod curve;
mod error;
mod file;
mod forest;
mod keys;
mod laws;
mod name;
mod number;
mod palette;
mod posterior;
mod ridges;

use plotters::prelude::DrawingBackend;

pub use self::canvas::{Canvas, Drawn};
pub use self::comparison::{Comparison, Curve};
pub use self::error::PlotError;
pub use self::file::{PlotFile, PlotFormat};
pub use self::posterior::PosteriorPlot;

/// What can be drawn, below a title and a line on how to read it.
pub trait Picture {
    /// What it shows.
    fn title(&self) -> String;

    /// How to read it.
    fn subtitle(&self) -> String;

    /// The height of the page.
    fn height(&self) -> f64 {
        canvas::HEIGHT
    }

    /// Draws everything below the title.
    fn draw<D: DrawingBackend>(&self, canvas: &Canvas<'_, D>) -> Drawn<D>;
}

/// The text of an SVG picture.
pub fn svg(picture: &impl Picture) -> Result<String, PlotError> {
    let failed = |why: String| PlotError::Drawing { file: "the picture".to_owned(), why };
    let bytes = canvas::svg(picture).map_err(|error| failed(error.to_string()))?;
    String::from_utf8(bytes).map_err(|error| failed(error.to_string()))
}

/// Draws into memory first, so that a failure leaves no broken file.
pub fn write(picture: &impl Picture, file: &PlotFile) -> Result<(), PlotError> {
    let bytes = match file.format {
        PlotFormat::Svg => canvas::svg(picture),
        PlotFormat::Png => canvas::png(picture),
    };
    let bytes =
        bytes.map_err(|error| PlotError::Drawing { file: file.to_string(), why: error.to_string() })?;
    std::fs::write(&file.path, bytes).map_err(|source| PlotError::Writing { file: file.to_string(), source })
}
