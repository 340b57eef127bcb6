//! A drawing area with its unit of length and its letters.

use std::ops::Range;

use plotters::chart::MeshStyle;
use plotters::coord::Shift;
use plotters::coord::types::RangedCoordf64;
use plotters::prelude::{
    BLACK, Cartesian2d, ChartBuilder, ChartContext, Color, DrawingArea, DrawingAreaErrorKind, DrawingBackend,
    FontFamily, IntoFont, RGBColor, ShapeStyle, Text, TextStyle,
};
use plotters::style::text_anchor::{HPos, Pos, VPos};

use crate::{font, name};

/// The size of the page in units; a picture may ask for another height.
pub(crate) const WIDTH: f64 = 600.0;
pub(crate) const HEIGHT: f64 = 400.0;

/// The colour of text and axes.
pub(crate) const INK: RGBColor = RGBColor(0x26, 0x26, 0x26);

/// The result of drawing on a backend.
pub type Drawn<D> = Result<(), DrawingAreaErrorKind<<D as DrawingBackend>::ErrorType>>;

/// Two axes of numbers.
pub(crate) type Axes<'a, D> = ChartContext<'a, D, Cartesian2d<RangedCoordf64, RangedCoordf64>>;

/// The room around two axes, which holds their labels.
pub(crate) struct Margins {
    pub(crate) top: f64,
    pub(crate) right: f64,
    pub(crate) bottom: f64,
    pub(crate) left: f64,
}

impl Margins {
    /// The usual margins: a title above, the labels of both axes, and nothing to the right.
    pub(crate) const USUAL: Self = Self { top: 50.0, right: 12.0, bottom: 52.0, left: 64.0 };
}

/// Which letters can be written.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Letters {
    /// All letters: the viewer brings the fonts.
    Any,
    /// Only the letters of the bundled font.
    Bundled,
}

/// A page to draw on, in units of its own.
pub struct Canvas<'a, D: DrawingBackend> {
    pub(crate) area: &'a DrawingArea<D, Shift>,
    unit: f64,
    letters: Letters,
}

impl<'a, D: DrawingBackend> Canvas<'a, D> {
    /// A canvas on this area; `unit` is the length of a unit in pixels.
    pub(crate) fn new(area: &'a DrawingArea<D, Shift>, unit: f64, letters: Letters) -> Self {
        Self { area, unit, letters }
    }

    /// A canvas with the same unit and letters on another area.
    pub(crate) fn on<'b>(&self, area: &'b DrawingArea<D, Shift>) -> Canvas<'b, D> {
        Canvas { area, unit: self.unit, letters: self.letters }
    }

    /// Which letters can be written on it.
    pub(crate) fn letters(&self) -> Letters {
        self.letters
    }

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
        TextStyle::from((FontFamily::Name(font::FAMILY), size).into_font()).color(&INK)
    }

    /// Writes a line at a place in pixels.
    pub(crate) fn write(&self, text: &str, at: (i32, i32), height: f64, across: HPos) -> Drawn<D> {
        self.text(text, at, self.font(height).pos(Pos::new(across, VPos::Center)))
    }

    /// Writes text with its hidden characters shown, which an SVG document must not hold. Every text of a picture is
    /// written by this function.
    pub(crate) fn text(&self, text: &str, at: (i32, i32), style: TextStyle<'static>) -> Drawn<D> {
        self.area.draw(&Text::new(name::printable(text), at, style))
    }

    /// The width of a line of text.
    pub(crate) fn width(&self, text: &str, height: f64) -> f64 {
        // If the font cannot be measured, a letter counts as 0.6 of its height, which is the mean.
        let measured = self.area.estimate_text_size(text, &self.font(height));
        measured.map_or(0.6 * height * text.chars().count() as f64, |(width, _)| f64::from(width) / self.unit)
    }

    /// The name of the category at this index, in letters that can be written and shortened to the width `most`.
    pub(crate) fn name(&self, text: &str, index: usize, height: f64, most: f64) -> String {
        let text = match self.letters {
            Letters::Any => name::printable(text),
            Letters::Bundled => name::bundled(text, index),
        };
        name::shortened(&text, |text| self.width(text, height) <= most)
    }

    /// Two axes of numbers within these margins.
    pub(crate) fn axes(
        &self,
        margins: &Margins,
        x: Range<f64>,
        y: Range<f64>,
    ) -> Result<Axes<'a, D>, DrawingAreaErrorKind<D::ErrorType>> {
        // Descriptions keep away from the edge of the page.
        const EDGES: (f64, f64) = (6.0, 8.0);
        ChartBuilder::on(self.area)
            .margin_top(self.px(margins.top))
            .margin_right(self.px(margins.right))
            .margin_bottom(self.px(EDGES.1))
            .margin_left(self.px(EDGES.0))
            .x_label_area_size(self.px(margins.bottom - EDGES.1))
            .y_label_area_size(self.px(margins.left - EDGES.0))
            .build_cartesian_2d(x, y)
    }

    /// Gives axes the lines and text that all pictures have.
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
}
