//! A map: a grid of cells, each in the colour of what is there.

use plotters::prelude::{Color, DrawingBackend, Rectangle};

use super::frame::Frame;
use super::legend::LegendEntry;
use super::pen::at;
use crate::axis::Ruler;
use crate::canvas::{Canvas, Drawn};
use crate::style::Style;

/// A grid of cells over two axes.
#[derive(Clone, Debug, PartialEq)]
pub struct Cells {
    /// The places of the columns, rising.
    pub columns: Vec<f64>,
    /// The places of the rows, rising.
    pub rows: Vec<f64>,
    /// What a cell may be, for the legend.
    pub kinds: Vec<CellKind>,
    /// For each column, for each row, the index of its kind.
    pub cells: Vec<Vec<usize>>,
}

/// One kind of cell.
#[derive(Clone, Debug, PartialEq)]
pub struct CellKind {
    /// What it is called in the legend.
    pub label: String,
    /// Its colour.
    pub style: Style,
}

impl Cells {
    /// The kinds that occur.
    pub(crate) fn legend(&self) -> Vec<LegendEntry> {
        let occurs = |index: usize| self.cells.iter().flatten().any(|&cell| cell == index);
        let kinds = self.kinds.iter().enumerate().filter(|(index, _)| occurs(*index));
        kinds
            .map(|(_, kind)| LegendEntry::Bar { label: kind.label.clone(), style: kind.style, share: SHARE })
            .collect()
    }
}

/// How much of its colour a cell is filled with, so that lines behind it are seen.
const SHARE: f64 = 0.75;

pub(crate) fn draw<D: DrawingBackend>(
    canvas: &Canvas<'_, D>,
    map: &Cells,
    x: &Ruler,
    y: &Ruler,
    frame: Frame,
) -> Drawn<D> {
    let (across, up) = (edges(&map.columns, x), edges(&map.rows, y));
    for (column, cells) in across.windows(2).zip(&map.cells) {
        for (row, &kind) in up.windows(2).zip(cells) {
            let Some(kind) = map.kinds.get(kind) else { continue };
            let inside = |x: f64, y: f64| {
                at(canvas, x.clamp(frame.left, frame.right), y.clamp(frame.top, frame.bottom))
            };
            let corners = [inside(column[0], row[1]), inside(column[1], row[0])];
            canvas.area.draw(&Rectangle::new(corners, kind.style.colour.mix(SHARE).filled()))?;
        }
    }
    Ok(())
}

/// The borders between neighbours are half-way on the page; the outer ones are as far from the ends.
fn edges(values: &[f64], ruler: &Ruler) -> Vec<f64> {
    let places: Vec<f64> = values.iter().map(|&value| ruler.at(value)).collect();
    let mut edges: Vec<f64> = places.windows(2).map(|pair| 0.5 * (pair[0] + pair[1])).collect();
    if let (Some(&first), Some(&last)) = (places.first(), places.last()) {
        let (head, tail) = (edges.first().copied(), edges.last().copied());
        edges.insert(0, 2.0 * first - head.unwrap_or(first - 5.0));
        edges.push(2.0 * last - tail.unwrap_or(last + 5.0));
    }
    edges
}
