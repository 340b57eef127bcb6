//! What every picture has.

use plotters::prelude::DrawingBackend;

use crate::canvas::{Canvas, Drawn, HEIGHT};

/// A picture below a title and a line on how to read it.
pub trait Picture {
    /// What it shows.
    fn title(&self) -> String;

    /// How to read it.
    fn subtitle(&self) -> String;

    /// The height of the page, without the caption.
    fn height(&self) -> f64 {
        HEIGHT
    }

    /// Lines of text below the picture that say what it is about. A long line is wrapped.
    fn caption(&self) -> Vec<String> {
        Vec::new()
    }

    /// Draws everything between the title and the caption.
    fn draw<D: DrawingBackend>(&self, canvas: &Canvas<'_, D>) -> Drawn<D>;
}
