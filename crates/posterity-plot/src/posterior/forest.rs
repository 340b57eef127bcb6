//! One interval per line, for releases with too many categories to draw their densities.

use plotters::prelude::DrawingBackend;
use plotters::style::text_anchor::HPos;

use super::PosteriorPlot;
use super::curve::axis;
use super::signs::{self, Sign};
use crate::canvas::{Canvas, Drawn, Margins, WIDTH};

/// The room above the first row and below the last.
const TOP: f64 = 84.0;
const BOTTOM: f64 = 52.0;
/// The most room for names.
const NAMES: f64 = 150.0;
/// Where the columns of numbers end, from the right.
const INTERVALS: f64 = 14.0;
/// The least width of the intervals, and that of the numbers beside them, with the room to their right.
const WIDE: f64 = 94.0;
const MEANS: f64 = 46.0;
const APART: f64 = 14.0;
/// The size of names and numbers.
const TEXT: f64 = 10.5;

fn each(rows: usize) -> f64 {
    (260.0 / rows as f64).clamp(16.0, 24.0)
}

/// The height of the page.
pub(crate) fn height(rows: usize) -> f64 {
    (TOP + rows as f64 * each(rows) + BOTTOM).ceil()
}

pub(crate) fn draw<D: DrawingBackend>(plot: &PosteriorPlot<'_>, canvas: &Canvas<'_, D>) -> Drawn<D> {
    let rows = plot.rows();
    let count = rows.len() as f64;
    let names: Vec<String> = rows.iter().map(|row| canvas.name(&row.name, row.index, TEXT, NAMES)).collect();
    let widest = names.iter().map(|name| canvas.width(name, TEXT)).fold(0.0, f64::max);
    let x = axis(rows.iter().map(|row| row.interval));

    let level = plot.level();
    let means = INTERVALS + canvas.width(&level, TEXT).max(WIDE) + APART;
    let margins = Margins { top: TOP, right: means + MEANS, bottom: BOTTOM, left: widest + 24.0 };
    // The first row is at the top.
    let mut chart = canvas.axes(&margins, x.clone(), 0.0..count)?;
    canvas
        .styled(&mut chart.configure_mesh())
        .x_labels(5)
        .disable_y_mesh()
        .y_labels(0)
        .x_desc("proportion")
        .draw()?;

    let at_right = |from_right: f64| canvas.px(WIDTH - from_right);
    let head = canvas.px(TOP - 9.0);
    canvas.write(plot.value(), (at_right(means), head), TEXT, HPos::Right)?;
    canvas.write(&level, (at_right(INTERVALS), head), TEXT, HPos::Right)?;
    for (place, (row, name)) in rows.iter().zip(&names).enumerate() {
        let at = |x: f64, down: f64| {
            let (x, y) = chart.backend_coord(&(x, count - place as f64 - 0.5));
            (x, y + canvas.px(down))
        };
        let [low, high] = row.interval;
        signs::bar(canvas, at(low, 0.0), at(high, 0.0))?;
        signs::mean(canvas, at(row.mean, 0.0))?;

        let (left, y) = at(x.start, 0.0);
        canvas.write(name, (left - canvas.px(9.0), y), TEXT, HPos::Right)?;
        canvas.write(&format!("{:.4}", row.mean), (at_right(means), y), TEXT, HPos::Right)?;
        canvas.write(&format!("{low:.4} to {high:.4}"), (at_right(INTERVALS), y), TEXT, HPos::Right)?;
    }
    signs::draw(canvas, &legend(plot), 54.0)
}

fn legend(plot: &PosteriorPlot<'_>) -> Vec<(Sign, String)> {
    vec![(Sign::Mean, plot.value().to_owned()), (Sign::Bar, plot.level())]
}
