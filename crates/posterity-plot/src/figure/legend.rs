//! The legend of a figure: below its panels, where it covers nothing.

use plotters::prelude::{Color, DrawingBackend, Rectangle};
use plotters::style::text_anchor::HPos;

use super::pen::{across, at, marker, path};
use crate::canvas::{Canvas, Drawn, WIDTH};
use crate::style::Style;

/// A sign with its meaning.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum LegendEntry {
    Curve {
        label: String,
        style: Style,
    },
    /// A filled area, mixed with white to this share of its colour.
    Bar {
        label: String,
        style: Style,
        share: f64,
    },
    Rule {
        label: String,
    },
}

const TEXT: f64 = 12.5;
const SIGN: f64 = 30.0;
const GAP: f64 = 6.0;
const APART: f64 = 18.0;
const ROW: f64 = 20.0;

impl LegendEntry {
    fn label(&self) -> &str {
        match self {
            Self::Curve { label, .. } | Self::Bar { label, .. } | Self::Rule { label } => label,
        }
    }

    /// Takes the name of an area that looks the same, so that no sign stands twice. Returns whether it does.
    pub(super) fn takes(&mut self, other: &Self) -> bool {
        match (self, other) {
            (Self::Bar { label, style, share }, Self::Bar { label: also, style: like, share: part })
                if style == like && share == part =>
            {
                *label = format!("{label}, {also}");
                true
            }
            _ => false,
        }
    }

    /// An upper estimate of the width. Rows are counted before there is a page on which text could be measured.
    fn width(&self) -> f64 {
        SIGN + GAP + 0.61 * TEXT * self.label().chars().count() as f64
    }
}

/// Puts as many entries into each row as fit the page.
fn rows(entries: &[LegendEntry]) -> Vec<&[LegendEntry]> {
    let mut rows = Vec::new();
    let (mut first, mut used) = (0, 0.0);
    for (index, entry) in entries.iter().enumerate() {
        let wider = used + entry.width() + if index > first { APART } else { 0.0 };
        if wider > WIDTH - 16.0 && index > first {
            rows.push(&entries[first..index]);
            (first, used) = (index, entry.width());
        } else {
            used = wider;
        }
    }
    if first < entries.len() {
        rows.push(&entries[first..]);
    }
    rows
}

pub(crate) fn height(entries: &[LegendEntry]) -> f64 {
    ROW * rows(entries).len() as f64 + if entries.is_empty() { 0.0 } else { 4.0 }
}

pub(crate) fn draw<D: DrawingBackend>(canvas: &Canvas<'_, D>, entries: &[LegendEntry], top: f64) -> Drawn<D> {
    for (index, row) in rows(entries).into_iter().enumerate() {
        let y = top + 4.0 + ROW * (index as f64 + 0.5);
        let widths: Vec<f64> =
            row.iter().map(|entry| SIGN + GAP + canvas.width(entry.label(), TEXT)).collect();
        let mut x = 0.5 * (WIDTH - widths.iter().sum::<f64>() - APART * (row.len() - 1) as f64);
        for (entry, width) in row.iter().zip(widths) {
            // Signs are centred on lower-case letters.
            let middle = y - 0.5;
            match entry {
                LegendEntry::Curve { style, .. } => {
                    path(canvas, &[(x, middle), (x + SIGN, middle)], *style)?;
                    marker(canvas, *style, (x + 0.5 * SIGN, middle))?;
                }
                LegendEntry::Bar { style, share, .. } => {
                    let corners = [at(canvas, x + 8.0, middle - 5.0), at(canvas, x + SIGN, middle + 5.0)];
                    canvas.area.draw(&Rectangle::new(corners, style.colour.mix(*share).filled()))?;
                }
                LegendEntry::Rule { .. } => across(canvas, (x, x + SIGN), middle)?,
            }
            canvas.write(entry.label(), at(canvas, x + SIGN + GAP, y), TEXT, HPos::Left)?;
            x += width + APART;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_hold_all_keys_and_fit_the_page() {
        let entries: Vec<LegendEntry> =
            (0..9).map(|index| LegendEntry::Rule { label: "x".repeat(5 + 4 * index) }).collect();
        let rows = rows(&entries);
        assert_eq!(rows.concat(), entries);
        for row in rows {
            let width: f64 = row.iter().map(LegendEntry::width).sum();
            assert!(width + APART * (row.len() - 1) as f64 <= WIDTH, "{width}");
        }
    }
}
