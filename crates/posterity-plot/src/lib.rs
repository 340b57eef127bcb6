//! Pictures: the same input gives the same bytes, on a machine without fonts too.

mod axis;
mod bars;
mod boxes;
mod canvas;
mod comparison;
mod curve;
mod error;
mod figure;
mod file;
mod forest;
mod keys;
mod laws;
mod legend;
mod lines;
mod name;
mod notched;
mod palette;
mod posterior;
mod ridges;
mod style;

use plotters::prelude::DrawingBackend;

pub use self::axis::{Axis, Scale};
pub use self::bars::{BarKind, Bars};
pub use self::canvas::{Canvas, Drawn};
pub use self::comparison::{Comparison, Curve};
pub use self::error::PlotError;
pub use self::figure::{Content, Figure, Panel};
pub use self::file::{PlotFile, PlotFormat};
pub use self::lines::{Lines, Rule, Series};
pub use self::notched::{NotchedBox, Spread};
pub use self::posterior::PosteriorPlot;
pub use self::style::Style;

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

    /// What it is about: lines of text below the picture, each of which may be long.
    fn caption(&self) -> Vec<String> {
        Vec::new()
    }

    /// Draws everything below the title.
    fn draw<D: DrawingBackend>(&self, canvas: &Canvas<'_, D>) -> Drawn<D>;
}

/// The picture as the bytes of a file; `name` is for the error.
pub fn render(picture: &impl Picture, format: PlotFormat, name: &str) -> Result<Vec<u8>, PlotError> {
    let bytes = match format {
        PlotFormat::Svg => canvas::svg(picture),
        PlotFormat::Png => canvas::png(picture),
    };
    bytes.map_err(|error| PlotError::Drawing { file: name.to_owned(), why: error.to_string() })
}

/// The text of an SVG picture.
pub fn svg(picture: &impl Picture) -> Result<String, PlotError> {
    let bytes = render(picture, PlotFormat::Svg, "the picture")?;
    String::from_utf8(bytes)
        .map_err(|error| PlotError::Drawing { file: "the picture".to_owned(), why: error.to_string() })
}

/// Draws into memory first, so that a failure leaves no broken file.
pub fn write(picture: &impl Picture, file: &PlotFile) -> Result<(), PlotError> {
    let bytes = render(picture, file.format, &file.to_string())?;
    std::fs::write(&file.path, bytes).map_err(|source| PlotError::Writing { file: file.to_string(), source })
}
