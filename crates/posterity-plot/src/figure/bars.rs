//! Groups of bars.

use plotters::prelude::{Color, DrawingBackend, Rectangle};
use plotters::style::text_anchor::HPos;

use super::frame::Frame;
use super::legend::LegendEntry;
use super::pen::at;
use crate::axis::Ruler;
use crate::canvas::{Canvas, Drawn, INK};
use crate::style::Style;

/// Groups of bars, one of each kind in every group.
#[derive(Clone, Debug, PartialEq)]
pub struct Bars {
    /// What the groups are called below the axis.
    pub groups: Vec<String>,
    /// The kinds.
    pub kinds: Vec<BarKind>,
}

/// The bars of one kind.
#[derive(Clone, Debug, PartialEq)]
pub struct BarKind {
    /// What it is called in the legend.
    pub label: String,
    /// Its colour.
    pub style: Style,
    /// The height in each group.
    pub heights: Vec<f64>,
}

impl Bars {
    pub(crate) fn heights(&self) -> Vec<f64> {
        self.kinds.iter().flat_map(|kind| kind.heights.iter().copied()).chain([0.0]).collect()
    }

    pub(crate) fn legend(&self) -> Vec<LegendEntry> {
        let entry =
            |kind: &BarKind| LegendEntry::Bar { label: kind.label.clone(), style: kind.style, share: 1.0 };
        self.kinds.iter().map(entry).collect()
    }
}

pub(crate) fn draw<D: DrawingBackend>(
    canvas: &Canvas<'_, D>,
    bars: &Bars,
    y: &Ruler,
    frame: Frame,
) -> Drawn<D> {
    let step = (frame.right - frame.left) / bars.groups.len() as f64;
    // A fifth of a group is left free.
    let width = 0.8 * step / bars.kinds.len() as f64;
    for (group, name) in bars.groups.iter().enumerate() {
        let left = frame.left + step * (group as f64 + 0.1);
        for (index, kind) in bars.kinds.iter().enumerate() {
            let Some(&height) = kind.heights.get(group).filter(|height| height.is_finite()) else { continue };
            let from = left + width * (index as f64 + 0.06);
            let to = left + width * (index as f64 + 0.94);
            let corners = [at(canvas, from, y.at(height)), at(canvas, to, frame.bottom)];
            canvas.area.draw(&Rectangle::new(corners, kind.style.colour.filled()))?;
            canvas.area.draw(&Rectangle::new(corners, canvas.stroke(&INK, 0.8)))?;
        }
        let centre = left + 0.4 * step;
        canvas.write(name, at(canvas, centre, frame.bottom + 12.0), 12.5, HPos::Center)?;
    }
    Ok(())
}
