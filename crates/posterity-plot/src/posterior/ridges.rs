//! The density of every category, one below the other over one axis of proportions.

use std::ops::Range;

use plotters::prelude::{Color, DashedLineSeries, DrawingBackend, LabelAreaPosition, PathElement, Polygon};
use plotters::style::text_anchor::HPos;
use posterity_core::model::Beta;

use posterity::number::short;

use super::curve::{Law, axis, below, windows};
use super::signs::{self, DASH, INSIDE, OUTSIDE, Sign};
use super::{CategoryRow, PosteriorPlot};
use crate::canvas::{Canvas, Drawn, INK, Margins, WIDTH};
use crate::palette::{POSTERIOR, RELEASED};

/// The room above the first row, below the last and to the left.
const TOP: f64 = 68.0;
const BOTTOM: f64 = 52.0;
const LEFT: f64 = 64.0;
/// The line of text above each density, and the lane of the interval below it.
const STRIP: f64 = 22.0;
const LANE: f64 = 9.0;
/// The labels of a row's own axis.
const LABELS: f64 = 18.0;
/// The least height at which a density can be read.
const MIN_DENSITY_HEIGHT: f64 = 44.0;
/// The released distribution may be this much higher than the density before it is cut.
const HIGHER: f64 = 4.0;
/// A line ends where it is lower than this share of the height.
const LOW: f64 = 0.004;

/// The least height of the page.
pub(crate) fn height(rows: usize) -> f64 {
    TOP + rows as f64 * (STRIP + MIN_DENSITY_HEIGHT + LANE) + BOTTOM
}

/// One category's distributions.
struct Ridge<'a> {
    row: &'a CategoryRow,
    law: &'a dyn Law,
    /// The released distribution, if it is another one.
    released: Option<Beta>,
}

impl Ridge<'_> {
    /// What an axis should show of it.
    fn bulk(&self) -> [f64; 2] {
        let shown =
            [self.law.bulk(), self.row.interval].into_iter().chain(self.released.as_ref().map(Law::bulk));
        shown.fold([1.0, 0.0], |[low, high], one| [one[0].min(low), one[1].max(high)])
    }
}

pub(crate) fn draw<D: DrawingBackend>(
    plot: &PosteriorPlot<'_>,
    canvas: &Canvas<'_, D>,
    height: f64,
) -> Drawn<D> {
    let ridges: Vec<Ridge<'_>> = plot
        .rows()
        .iter()
        .zip(plot.laws())
        .map(|(row, laws)| match &laws.aware {
            Some(law) => Ridge { row, law: &**law, released: Some(laws.released) },
            None => Ridge { row, law: &laws.released, released: None },
        })
        .collect();
    let bulks: Vec<[f64; 2]> = ridges.iter().map(Ridge::bulk).collect();
    let windows = windows(&bulks);
    let common = axis(bulks.into_iter());

    // The axes that all rows share.
    let bottom = if windows.is_some() { BOTTOM - LABELS } else { BOTTOM };
    let margins = Margins { top: TOP, right: 12.0, bottom, left: LEFT };
    let mut outer = canvas.axes(&margins, common.clone(), 0.0..1.0)?;
    let mut mesh = outer.configure_mesh();
    canvas
        .styled(&mut mesh)
        .disable_mesh()
        .disable_y_axis()
        .y_labels(0)
        .x_desc("proportion")
        .y_desc("density");
    if windows.is_some() {
        mesh.disable_x_axis().x_labels(0).x_desc("proportion (one scale, each category at its own place)");
    }
    mesh.draw()?;
    let each = (height - TOP - bottom) / ridges.len() as f64;
    for (index, ridge) in ridges.iter().enumerate() {
        let top = TOP + each * index as f64;
        let (x, labels) = match windows.as_ref().and_then(|windows| windows.get(index)) {
            Some(window) => (window.clone(), LABELS),
            None => (common.clone(), 0.0),
        };
        let margins = Margins { top: top + STRIP, bottom: height - top - each + labels, ..margins };
        draw_ridge(plot, canvas, ridge, &margins, each - STRIP - labels, x, labels > 0.0)?;
    }
    signs::draw(canvas, &legend(plot), 54.0)
}

fn draw_ridge<D: DrawingBackend>(
    plot: &PosteriorPlot<'_>,
    canvas: &Canvas<'_, D>,
    ridge: &Ridge<'_>,
    margins: &Margins,
    height: f64,
    x: Range<f64>,
    labelled: bool,
) -> Drawn<D> {
    let CategoryRow { index, ref name, mean, interval: [low, high], .. } = *ridge.row;
    let peak = ridge.law.top(&x);
    let released = ridge.released.map_or(0.0, |law| law.top(&x));
    let top = peak.max(released.min(HIGHER * peak));
    let lane = LANE / (height - LANE) * top;

    let mut chart = canvas.axes(margins, x.clone(), -lane..1.05 * top)?;
    let nothing = |_: &f64| String::new();
    let density = |y: &f64| if *y < 0.0 { String::new() } else { short(*y) };
    let mut mesh = chart.configure_mesh();
    canvas
        .styled(&mut mesh)
        .y_labels(((height / 22.0) as usize).max(3))
        .y_label_formatter(&density)
        .label_style(canvas.font(10.0));
    if !labelled {
        mesh.x_label_formatter(&nothing).set_tick_mark_size(LabelAreaPosition::Bottom, 0);
    }
    mesh.draw()?;

    let seen = |line: Vec<(f64, f64)>| -> Vec<(f64, f64)> {
        let high = |point: &(f64, f64)| point.1 > LOW * top;
        let first = line.iter().position(high).unwrap_or(0).saturating_sub(1);
        let last = line.iter().rposition(high).unwrap_or(0) + 1;
        let shown = line.into_iter().take(last + 1).skip(first);
        shown.filter(|(at, _)| (x.start..=x.end).contains(at)).collect()
    };
    let line = seen(ridge.law.line());
    let cut: Vec<(f64, f64)> = line.iter().map(|&(x, y)| (x, y.min(top))).collect();
    // The curve's own points between two proportions, and the ends on it.
    let under = |from: f64, to: f64| {
        let end = |x: f64| (x, ridge.law.density(x).min(top));
        let inner = cut.iter().copied().filter(move |point| point.0 > from && point.0 < to);
        let curve = [end(from)].into_iter().chain(inner).chain([end(to)]);
        [(from, 0.0)].into_iter().chain(curve).chain([(to, 0.0)]).collect::<Vec<_>>()
    };
    if let (Some(first), Some(last)) = (line.first(), line.last()) {
        let areas = [(first.0, low, OUTSIDE), (low, high, INSIDE), (high, last.0, OUTSIDE)];
        let areas = areas.into_iter().filter(|(from, to, _)| from < to);
        chart.draw_series(
            areas.map(|(from, to, share)| Polygon::new(under(from, to), POSTERIOR.mix(share).filled())),
        )?;
    }
    for piece in below(&line, top) {
        let stroke = canvas.stroke(&POSTERIOR, 1.6);
        // The pieces are drawn one by one, because the joints of a steep path would overshoot.
        chart.draw_series(piece.windows(2).map(|pair| PathElement::new(pair.to_vec(), stroke)))?;
    }
    if let Some(law) = &ridge.released {
        for piece in below(&seen(law.line()), top) {
            let stroke = canvas.stroke(&RELEASED, 1.2);
            let (dash, gap) = (canvas.px(DASH.0), canvas.px(DASH.1));
            chart.draw_series(DashedLineSeries::new(piece, dash, gap, stroke))?;
        }
    }
    let at = |x: f64| chart.backend_coord(&(x, -0.5 * lane));
    let up = vec![(mean, 0.0), (mean, ridge.law.density(mean).min(top))];
    signs::bar(canvas, at(low), at(high))?;
    signs::mean(canvas, at(mean))?;
    chart.draw_series([PathElement::new(up, canvas.stroke(&INK, 1.0))])?;

    let y = canvas.px(margins.top - 7.0);
    let summary = format!("{} {mean:.4} · {} {low:.4} to {high:.4}", plot.value(), plot.level());
    let room = WIDTH - margins.left - margins.right - canvas.width(&summary, 10.5) - 14.0;
    let name = canvas.name(name, index, 12.0, room);
    canvas.write(&name, (canvas.px(margins.left), y), 12.0, HPos::Left)?;
    canvas.write(&summary, (canvas.px(WIDTH - margins.right), y), 10.5, HPos::Right)
}

fn legend(plot: &PosteriorPlot<'_>) -> Vec<(Sign, String)> {
    let mut keys = Vec::new();
    match plot.laws().first().and_then(|laws| laws.aware.as_ref()) {
        Some(_) => {
            keys.push((Sign::Curve, "posterior given the release".to_owned()));
            keys.push((Sign::ReleasedCurve, "released Dirichlet, without the noise".to_owned()));
        }
        None => keys.push((Sign::Curve, "released Dirichlet, without the noise".to_owned())),
    }
    keys.push((Sign::Bar, plot.level()));
    keys.push((Sign::Mean, plot.value().to_owned()));
    keys
}
