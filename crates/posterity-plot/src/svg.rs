//! Pictures as SVG documents.

use std::error::Error;

use plotters::prelude::{IntoDrawingArea, SVGBackend};

use crate::canvas::{Canvas, Letters, WIDTH};
use crate::picture::Picture;
use crate::{font, page};

/// The size of the document per unit of the page.
const SCALE: f64 = 1.2;
/// The picture is drawn this much larger and shown smaller, because plotters rounds coordinates to whole numbers.
const PRECISION: f64 = 10.0;

/// The picture as an SVG document.
pub(crate) fn encode(picture: &impl Picture) -> Result<Vec<u8>, Box<dyn Error>> {
    font::register()?;
    let drawn = [WIDTH, page::height(picture)].map(|length| (length * SCALE * PRECISION) as u32);
    let shown = [WIDTH, page::height(picture)].map(|length| (length * SCALE) as u32);
    let mut text = String::new();
    {
        let area = SVGBackend::with_string(&mut text, drawn.into()).into_drawing_area();
        let canvas = Canvas::new(&area, SCALE * PRECISION, Letters::Any);
        page::draw(&canvas, picture).map_err(|error| error.to_string())?;
        area.present().map_err(|error| error.to_string())?;
    }
    let size = |[width, height]: [u32; 2]| format!("width=\"{width}\" height=\"{height}\"");
    Ok(text.replacen(&size(drawn), &size(shown), 1).into_bytes())
}
