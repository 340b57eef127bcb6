//! The page, its fonts, and the two formats.

use std::error::Error;

use plotters::coord::Shift;
use plotters::prelude::{
    BitMapBackend, Color, DrawingArea, DrawingAreaErrorKind, DrawingBackend, FontFamily, FontStyle,
    IntoDrawingArea, IntoFont, RGBColor, SVGBackend, ShapeStyle, Text, TextStyle, WHITE,
};
use plotters::style::register_font;
use plotters::style::text_anchor::{HPos, Pos, VPos};

use super::Plot;

/// The page in its own units.
pub(super) const WIDTH: f64 = 600.0;
const HEIGHT: f64 = 400.0;

/// The colour of text and axes.
pub(super) const INK: RGBColor = RGBColor(0x26, 0x26, 0x26);

/// Pixels per unit of a PNG file.
const PNG_SCALE: u32 = 2;
/// A PNG file is drawn this much larger and averaged: plotters leaves thick lines jagged.
const PNG_OVERSAMPLING: u32 = 3;
/// Size of an SVG file per unit.
const SVG_SCALE: f64 = 1.2;
/// An SVG file is drawn this much larger, and shown smaller: plotters knows whole coordinates only.
const SVG_PRECISION: f64 = 10.0;

/// The bundled font, and what an SVG viewer without it takes.
const FAMILY: &str = "DejaVu Sans, Verdana, sans-serif";
static FONT: &[u8] = include_bytes!("../../assets/DejaVuSans-subset.ttf");

/// The result of drawing on a backend.
pub(super) type Drawn<D> = Result<(), DrawingAreaErrorKind<<D as DrawingBackend>::ErrorType>>;

/// A page to draw on, in units of its own.
pub(super) struct Canvas<'a, D: DrawingBackend> {
    pub(super) area: &'a DrawingArea<D, Shift>,
    unit: f64,
}

impl<'a, D: DrawingBackend> Canvas<'a, D> {
    pub(super) fn new(area: &'a DrawingArea<D, Shift>, unit: f64) -> Self {
        Self { area, unit }
    }

    /// A length in pixels.
    pub(super) fn px(&self, length: f64) -> i32 {
        (length * self.unit).round() as i32
    }

    /// A line of this width.
    pub(super) fn stroke(&self, colour: &impl Color, width: f64) -> ShapeStyle {
        colour.stroke_width(self.px(width).unsigned_abs())
    }

    /// Text of this height.
    pub(super) fn font(&self, height: f64) -> TextStyle<'static> {
        // The backends take the height of a line.
        let size = f64::from(self.px(height * 1.2));
        TextStyle::from((FontFamily::Name(FAMILY), size).into_font()).color(&INK)
    }

    /// Writes a line at a place in pixels.
    pub(super) fn write(&self, text: &str, at: (i32, i32), height: f64, across: HPos) -> Drawn<D> {
        let style = self.font(height).pos(Pos::new(across, VPos::Center));
        self.area.draw(&Text::new(text.to_owned(), at, style))
    }

    pub(super) fn title(&self, title: &str, subtitle: &str) -> Drawn<D> {
        self.area.fill(&WHITE)?;
        self.write(title, (self.px(WIDTH / 2.0), self.px(16.0)), 14.0, HPos::Center)?;
        self.write(subtitle, (self.px(WIDTH / 2.0), self.px(35.0)), 11.0, HPos::Center)
    }
}

/// The picture as an SVG document.
pub(super) fn svg(plot: &Plot<'_>) -> Result<Vec<u8>, Box<dyn Error>> {
    register()?;
    let drawn = [WIDTH, HEIGHT].map(|length| (length * SVG_SCALE * SVG_PRECISION) as u32);
    let shown = [WIDTH, HEIGHT].map(|length| (length * SVG_SCALE) as u32);
    let mut text = String::new();
    {
        let area = SVGBackend::with_string(&mut text, drawn.into()).into_drawing_area();
        plot.draw(&area, SVG_SCALE * SVG_PRECISION).map_err(|error| error.to_string())?;
        area.present().map_err(|error| error.to_string())?;
    }
    let size = |[width, height]: [u32; 2]| format!("width=\"{width}\" height=\"{height}\"");
    Ok(text.replacen(&size(drawn), &size(shown), 1).into_bytes())
}

/// The picture as a PNG file.
pub(super) fn png(plot: &Plot<'_>) -> Result<Vec<u8>, Box<dyn Error>> {
    register()?;
    let [width, height] = [WIDTH, HEIGHT].map(|length| length as u32 * PNG_SCALE);
    let (wide, high) = (width * PNG_OVERSAMPLING, height * PNG_OVERSAMPLING);
    let mut pixels = vec![0; 3 * wide as usize * high as usize];
    {
        let area = BitMapBackend::with_buffer(&mut pixels, (wide, high)).into_drawing_area();
        plot.draw(&area, f64::from(PNG_SCALE * PNG_OVERSAMPLING)).map_err(|error| error.to_string())?;
        area.present().map_err(|error| error.to_string())?;
    }
    let mut bytes = Vec::new();
    let mut encoder = png::Encoder::new(&mut bytes, width, height);
    encoder.set_color(png::ColorType::Rgb);
    encoder.set_depth(png::BitDepth::Eight);
    encoder.write_header()?.write_image_data(&averaged(&pixels, wide as usize))?;
    Ok(bytes)
}

fn register() -> Result<(), &'static str> {
    register_font(FAMILY, FontStyle::Normal, FONT).map_err(|_| "the bundled font cannot be read")
}

/// The mean of every square of pixels.
fn averaged(pixels: &[u8], wide: usize) -> Vec<u8> {
    let side = PNG_OVERSAMPLING as usize;
    let width = wide / side;
    let mut out = Vec::with_capacity(pixels.len() / (side * side));
    let mut sums = vec![0_u32; 3 * width];
    for rows in pixels.chunks_exact(3 * wide * side) {
        sums.fill(0);
        for row in rows.chunks_exact(3 * wide) {
            for (index, &value) in row.iter().enumerate() {
                sums[3 * (index / (3 * side)) + index % 3] += u32::from(value);
            }
        }
        let area = PNG_OVERSAMPLING * PNG_OVERSAMPLING;
        out.extend(sums.iter().map(|sum| ((sum + area / 2) / area) as u8));
    }
    out
}
