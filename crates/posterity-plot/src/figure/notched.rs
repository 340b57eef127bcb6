//! Notched boxes side by side.

use plotters::prelude::{BLACK, Color, DrawingBackend, PathElement, Polygon, WHITE};
use plotters::style::text_anchor::HPos;

use super::frame::Frame;
use super::legend::LegendEntry;
use super::pen::{at, line};
use crate::axis::Ruler;
use crate::canvas::{Canvas, Drawn, INK};
use crate::spread::Spread;
use crate::style::Style;

/// The box of one sample.
#[derive(Clone, Debug, PartialEq)]
pub struct NotchedBox {
    /// What it is called below the axis, line by line.
    pub label: Vec<String>,
    /// Its colour.
    pub style: Style,
    /// Whether it is pale, as mechanisms without a guarantee are.
    pub pale: bool,
    /// What it shows.
    pub spread: Spread,
}

impl NotchedBox {
    /// The heights that must be on the axis.
    pub(crate) fn heights(&self) -> [f64; 2] {
        [self.spread.least, self.spread.top()]
    }

    /// How much of its colour it is filled with.
    fn share(&self) -> f64 {
        if self.pale { 0.2 } else { 0.75 }
    }
}

/// Boxes in groups, one of each kind in every group.
#[derive(Clone, Debug, PartialEq)]
pub struct BoxGroups {
    /// What each group is called below the axis, and its boxes. Their labels are not written.
    pub groups: Vec<(String, Vec<NotchedBox>)>,
    /// What the boxes of a group are, in their order, for the legend.
    pub kinds: Vec<String>,
}

impl BoxGroups {
    pub(crate) fn heights(&self) -> Vec<f64> {
        self.groups.iter().flat_map(|(_, boxes)| boxes.iter().flat_map(NotchedBox::heights)).collect()
    }

    pub(crate) fn legend(&self) -> Vec<LegendEntry> {
        let Some((_, boxes)) = self.groups.first() else { return Vec::new() };
        let entry = |(one, label): (&NotchedBox, &String)| LegendEntry::Bar {
            label: label.clone(),
            style: one.style,
            share: one.share(),
        };
        boxes.iter().zip(&self.kinds).map(entry).collect()
    }
}

/// Half the widths of a box, of its waist and of a whisker's end, where boxes are one apart.
const HALF: f64 = 0.31;
const WAIST: f64 = 0.17;
const END: f64 = 0.12;

/// Draws groups with half a box between them, each with its name below.
pub(crate) fn draw_groups<D: DrawingBackend>(
    canvas: &Canvas<'_, D>,
    all: &BoxGroups,
    y: &Ruler,
    frame: Frame,
) -> Drawn<D> {
    let units: f64 = all.groups.iter().map(|(_, boxes)| boxes.len() as f64 + 0.5).sum();
    let step = (frame.right - frame.left) / units;
    let mut left = frame.left + 0.25 * step;
    for (name, boxes) in &all.groups {
        let right = left + step * boxes.len() as f64;
        draw_boxes(canvas, boxes, y, Frame { left, right, ..frame }, false)?;
        let centre = 0.5 * (left + right);
        canvas.write(name, at(canvas, centre, frame.bottom + 12.0), 12.5, HPos::Center)?;
        left = right + 0.5 * step;
    }
    Ok(())
}

pub(crate) fn draw<D: DrawingBackend>(
    canvas: &Canvas<'_, D>,
    boxes: &[NotchedBox],
    y: &Ruler,
    frame: Frame,
) -> Drawn<D> {
    draw_boxes(canvas, boxes, y, frame, true)
}

fn draw_boxes<D: DrawingBackend>(
    canvas: &Canvas<'_, D>,
    boxes: &[NotchedBox],
    y: &Ruler,
    frame: Frame,
    labels: bool,
) -> Drawn<D> {
    let step = (frame.right - frame.left) / boxes.len() as f64;
    let edge = canvas.stroke(&INK, 1.2);
    for (index, one) in boxes.iter().enumerate() {
        let spread = one.spread;
        let centre = frame.left + step * (index as f64 + 0.5);
        let place =
            |half: f64, value: f64| (centre + half * step, y.at(value).clamp(frame.top, frame.bottom));
        for (from, to) in [(spread.least, spread.q1), (spread.q3, spread.most)] {
            line(canvas, place(0.0, from), place(0.0, to), edge)?;
        }
        for end in [spread.least, spread.most] {
            line(canvas, place(-END, end), place(END, end), edge)?;
        }
        let outline = spread.outline(HALF, WAIST).map(|(half, value)| place(half, value));
        let outline = outline.map(|(x, y)| at(canvas, x, y));
        let fill = one.style.colour.mix(one.share());
        for fill in [WHITE.to_rgba(), fill] {
            canvas.area.draw(&Polygon::new(outline.to_vec(), fill.filled()))?;
        }
        let closed: Vec<(i32, i32)> = outline.iter().chain(outline.first()).copied().collect();
        // The pieces are drawn one by one, because the joints of a flat box would overshoot.
        for pair in closed.windows(2) {
            canvas.area.draw(&PathElement::new(pair.to_vec(), edge))?;
        }
        let median = canvas.stroke(&BLACK, 2.4);
        line(canvas, place(-WAIST, spread.median), place(WAIST, spread.median), median)?;
        for (row, text) in one.label.iter().enumerate().filter(|_| labels) {
            let below = frame.bottom + 12.0 + 14.0 * row as f64;
            canvas.write(text, at(canvas, centre, below), 11.5, HPos::Center)?;
        }
    }
    Ok(())
}
