//! What is drawn and where, worked out before there is a page: so the height of the page is known, and can be tested.

use plotters::prelude::{Color, DrawingBackend, FontTransform, PathElement, Rectangle};
use plotters::style::RGBColor;
use plotters::style::text_anchor::{HPos, Pos, VPos};

use crate::canvas::{Canvas, Drawn, INK, Letters};
use crate::figure::pen;
use crate::style::Style;

/// Things at places of a page, in its units.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Scene {
    pub(crate) items: Vec<Item>,
    /// The height of the page, without the caption.
    pub(crate) height: f64,
}

/// One thing.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Item {
    /// A line of text; its middle is at this height of the page.
    Text { text: String, at: (f64, f64), height: f64, side: Side, ink: RGBColor },
    /// Text that runs upwards from this place.
    Upright { text: String, at: (f64, f64), height: f64 },
    /// A coloured rectangle from its upper left to its lower right corner.
    Fill { corners: [(f64, f64); 2], colour: RGBColor },
    /// A straight line.
    Line { ends: [(f64, f64); 2], width: f64, colour: RGBColor },
    /// The marker of a mean.
    Mark { at: (f64, f64), style: Style },
}

/// Which side of a text is at its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Side {
    Left,
    Centre,
    Right,
}

/// The faint lines behind a picture.
pub(crate) const FAINT: RGBColor = RGBColor(0xdd, 0xdd, 0xdd);
/// Lines between groups.
pub(crate) const BETWEEN: RGBColor = RGBColor(0xb0, 0xb0, 0xb0);

impl Scene {
    /// Adds text in the colour of all text.
    pub(crate) fn text(&mut self, text: impl Into<String>, at: (f64, f64), height: f64, side: Side) {
        self.ink(text, at, height, side, INK);
    }

    /// Adds text in a colour of its own. No text is left out.
    pub(crate) fn ink(
        &mut self,
        text: impl Into<String>,
        at: (f64, f64),
        height: f64,
        side: Side,
        ink: RGBColor,
    ) {
        let text = text.into();
        if !text.is_empty() {
            self.items.push(Item::Text { text, at, height, side, ink });
        }
    }

    /// Adds a straight line.
    pub(crate) fn line(&mut self, from: (f64, f64), to: (f64, f64), width: f64, colour: RGBColor) {
        self.items.push(Item::Line { ends: [from, to], width, colour });
    }

    /// Adds a rectangle.
    pub(crate) fn fill(&mut self, from: (f64, f64), to: (f64, f64), colour: RGBColor) {
        self.items.push(Item::Fill { corners: [from, to], colour });
    }

    /// Draws everything.
    pub(crate) fn draw<D: DrawingBackend>(&self, canvas: &Canvas<'_, D>) -> Drawn<D> {
        let place = |(x, y): (f64, f64)| pen::at(canvas, x, y);
        // Pictures of pixels centre a line with the room above its letters, vector pictures the letters themselves.
        let down = if canvas.letters() == Letters::Bundled { 0.16 } else { 0.0 };
        for item in &self.items {
            match item {
                Item::Text { text, at, height, side, ink } => {
                    let across = match side {
                        Side::Left => HPos::Left,
                        Side::Centre => HPos::Center,
                        Side::Right => HPos::Right,
                    };
                    let mut style = canvas.font(*height).pos(Pos::new(across, VPos::Center));
                    style.color = ink.to_backend_color();
                    canvas.text(text, place((at.0, at.1 + down * height)), style)?;
                }
                Item::Upright { text, at, height } => {
                    let style = canvas.font(*height).pos(Pos::new(HPos::Left, VPos::Center));
                    canvas.text(text, place(*at), style.transform(FontTransform::Rotate270))?;
                }
                Item::Fill { corners, colour } => {
                    canvas.area.draw(&Rectangle::new(corners.map(place), colour.filled()))?;
                }
                Item::Line { ends, width, colour } => {
                    let stroke = canvas.stroke(colour, *width);
                    canvas.area.draw(&PathElement::new(ends.map(place), stroke))?;
                }
                Item::Mark { at, style } => pen::marker(canvas, *style, *at)?,
            }
        }
        Ok(())
    }
}
