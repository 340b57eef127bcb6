//! The page, its fonts, and the two formats.

use std::error::Error;
use std::ops::Range;

use plotters::chart::MeshStyle;
use plotters::coord::Shift;
use plotters::coord::types::RangedCoordf64;
use plotters::prelude::{
    BLACK, BitMapBackend, Cartesian2d, ChartBuilder, ChartContext, Color, DrawingArea, DrawingAreaErrorKind,
    DrawingBackend, FontFamily, FontStyle, IntoDrawingArea, IntoFont, RGBColor, SVGBackend, ShapeStyle, Text,
    TextStyle, WHITE,
};
use plotters::style::register_font;
use plotters::style::text_anchor::{HPos, Pos, VPos};

use crate::{Picture, name};

/// The page in its own units, unless a picture needs more.
pub(crate) const WIDTH: f64 = 600.0;
pub(crate) const HEIGHT: f64 = 400.0;

/// The colour of text and axes.
pub(crate) const INK: RGBColor = RGBColor(0x26, 0x26, 0x26);

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
static FONT: &[u8] = include_bytes!("../assets/DejaVuSans-subset.ttf");

/// The result of drawing on a backend.
pub type Drawn<D> = Result<(), DrawingAreaErrorKind<<D as DrawingBackend>::ErrorType>>;

/// Two axes of numbers.
pub(crate) type Axes<'a, D> = ChartContext<'a, D, Cartesian2d<RangedCoordf64, RangedCoordf64>>;

/// What is left around two axes, for their labels too.
pub(crate) struct Space {
    pub(crate) top: f64,
    pub(crate) right: f64,
    pub(crate) bottom: f64,
    pub(crate) left: f64,
}

impl Space {
    /// The usual one: a title above, the labels of both axes, and nothing to the right.
    pub(crate) const USUAL: Self = Self { top: 50.0, right: 12.0, bottom: 52.0, left: 64.0 };
}

/// Whose letters there are.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Letters {
    /// Those of whoever looks at it.
    Any,
    /// Those of the bundled font.
    Bundled,
}

/// A page to draw on, in units of its own.
pub struct Canvas<'a, D: DrawingBackend> {
    pub(crate) area: &'a DrawingArea<D, Shift>,
    unit: f64,
    letters: Letters,
}

impl<'a, D: DrawingBackend> Canvas<'a, D> {
    /// A length in pixels.
    pub(crate) fn px(&self, length: f64) -> i32 {
        (length * self.unit).round() as i32
    }

    /// A line of this width.
    pub(crate) fn stroke(&self, colour: &impl Color, width: f64) -> ShapeStyle {
        colour.stroke_width(self.px(width).unsigned_abs())
    }

    /// Text of this height.
    pub(crate) fn font(&self, height: f64) -> TextStyle<'static> {
        // The backends take the height of a line.
        let size = f64::from(self.px(height * 1.2));
        TextStyle::from((FontFamily::Name(FAMILY), size).into_font()).color(&INK)
    }

    /// Writes a line at a place in pixels.
    pub(crate) fn write(&self, text: &str, at: (i32, i32), height: f64, across: HPos) -> Drawn<D> {
        self.text(text, at, self.font(height).pos(Pos::new(across, VPos::Center)))
    }

    /// Writes text that may come from anywhere: all of it goes through here, because an SVG document must not hold control
    /// characters.
    pub(crate) fn text(&self, text: &str, at: (i32, i32), style: TextStyle<'static>) -> Drawn<D> {
        self.area.draw(&Text::new(name::printable(text), at, style))
    }

    /// The width of a line of text.
    pub(crate) fn width(&self, text: &str, height: f64) -> f64 {
        // An estimate that fails is no reason for no picture: 0.6 of the height is the mean.
        let measured = self.area.estimate_text_size(text, &self.font(height));
        measured.map_or(0.6 * height * text.chars().count() as f64, |(width, _)| f64::from(width) / self.unit)
    }

    /// The name of the category at this index, as far as it can be written and as much of it as fits.
    pub(crate) fn name(&self, text: &str, index: usize, height: f64, most: f64) -> String {
        let text = match self.letters {
            Letters::Any => name::printable(text),
            Letters::Bundled => name::bundled(text, index),
        };
        name::shortened(&text, |text| self.width(text, height) <= most)
    }

    pub(crate) fn axes(
        &self,
        space: &Space,
        x: Range<f64>,
        y: Range<f64>,
    ) -> Result<Axes<'a, D>, DrawingAreaErrorKind<D::ErrorType>> {
        // Descriptions keep away from the edge of the page.
        const EDGES: (f64, f64) = (6.0, 8.0);
        ChartBuilder::on(self.area)
            .margin_top(self.px(space.top))
            .margin_right(self.px(space.right))
            .margin_bottom(self.px(EDGES.1))
            .margin_left(self.px(EDGES.0))
            .x_label_area_size(self.px(space.bottom - EDGES.1))
            .y_label_area_size(self.px(space.left - EDGES.0))
            .build_cartesian_2d(x, y)
    }

    /// Lines and text of axes, as in every picture.
    pub(crate) fn styled<'m, 'c, 'b>(
        &self,
        mesh: &'m mut MeshStyle<'c, 'b, RangedCoordf64, RangedCoordf64, D>,
    ) -> &'m mut MeshStyle<'c, 'b, RangedCoordf64, RangedCoordf64, D> {
        mesh.x_labels(7)
            .y_labels(7)
            .max_light_lines(0)
            .bold_line_style(self.stroke(&BLACK.mix(0.12), 0.8))
            .axis_style(self.stroke(&INK, 1.0))
            .set_all_tick_mark_size(self.px(4.0))
            .label_style(self.font(11.5))
            .axis_desc_style(self.font(13.0))
    }

    fn draw(&self, picture: &impl Picture) -> Drawn<D> {
        self.area.fill(&WHITE)?;
        let (page, foot) = self.area.split_vertically(self.px(picture.height()));
        let canvas = Canvas { area: &page, ..*self };
        canvas.title(&picture.title(), &picture.subtitle())?;
        picture.draw(&canvas)?;
        let foot = Canvas { area: &foot, ..*self };
        for (row, line) in picture.caption().iter().flat_map(|line| name::wrapped(line)).enumerate() {
            let line = foot.name(&line, row, CAPTION, WIDTH - 24.0);
            foot.write(
                &line,
                (foot.px(12.0), foot.px(CAPTION_LINE * (row as f64 + 0.5))),
                CAPTION,
                HPos::Left,
            )?;
        }
        Ok(())
    }

    fn title(&self, title: &str, subtitle: &str) -> Drawn<D> {
        self.write(title, (self.px(WIDTH / 2.0), self.px(16.0)), 14.0, HPos::Center)?;
        self.write(subtitle, (self.px(WIDTH / 2.0), self.px(35.0)), 11.0, HPos::Center)
    }
}

/// The height of the text of a caption, and of a line of it.
const CAPTION: f64 = 9.5;
const CAPTION_LINE: f64 = 14.0;

/// The height of the page, with the caption.
fn page_height(picture: &impl Picture) -> f64 {
    let lines = picture.caption().iter().map(|line| name::wrapped(line).len()).sum::<usize>();
    let foot = if lines == 0 { 0.0 } else { CAPTION_LINE * lines as f64 + 4.0 };
    (picture.height() + foot).ceil()
}

/// The picture as an SVG document.
pub(crate) fn svg(picture: &impl Picture) -> Result<Vec<u8>, Box<dyn Error>> {
    register()?;
    let drawn = [WIDTH, page_height(picture)].map(|length| (length * SVG_SCALE * SVG_PRECISION) as u32);
    let shown = [WIDTH, page_height(picture)].map(|length| (length * SVG_SCALE) as u32);
    let mut text = String::new();
    {
        let area = SVGBackend::with_string(&mut text, drawn.into()).into_drawing_area();
        let canvas = Canvas { area: &area, unit: SVG_SCALE * SVG_PRECISION, letters: Letters::Any };
        canvas.draw(picture).map_err(|error| error.to_string())?;
        area.present().map_err(|error| error.to_string())?;
    }
    let size = |[width, height]: [u32; 2]| format!("width=\"{width}\" height=\"{height}\"");
    Ok(text.replacen(&size(drawn), &size(shown), 1).into_bytes())
}

/// The picture as a PNG file.
pub(crate) fn png(picture: &impl Picture) -> Result<Vec<u8>, Box<dyn Error>> {
    register()?;
    let [width, height] = [WIDTH, page_height(picture)].map(|length| length as u32 * PNG_SCALE);
    let (wide, high) = (width * PNG_OVERSAMPLING, height * PNG_OVERSAMPLING);
    let mut pixels = vec![0; 3 * wide as usize * high as usize];
    {
        let area = BitMapBackend::with_buffer(&mut pixels, (wide, high)).into_drawing_area();
        let unit = f64::from(PNG_SCALE * PNG_OVERSAMPLING);
        let canvas = Canvas { area: &area, unit, letters: Letters::Bundled };
        canvas.draw(picture).map_err(|error| error.to_string())?;
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
