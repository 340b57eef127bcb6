//! The law of the distance: one line per mechanism.

use plotters::prelude::{Color, DashedLineSeries, DrawingBackend, EmptyElement, PathElement, Polygon};
use plotters::style::text_anchor::HPos;

use posterity_core::decode::Decoder;

use super::{ComparisonPlot, Curve};
use crate::axis::power;
use crate::canvas::{Canvas, Drawn, Margins, WIDTH};
use crate::palette;

/// The axis ends where every mechanism has less probability than this left.
const AXIS_TAIL: f64 = 0.001;
/// Of more points than this, only some are drawn.
const MAX_DRAWN_POINTS: usize = 400;
/// With three categories or more the distances are dense and their probabilities erratic. Probabilities are summed over
/// about this many intervals then.
const BINS: f64 = 40.0;
/// Where the legend begins.
const LEGEND: f64 = 462.0;

pub(crate) fn draw<D: DrawingBackend>(plot: &ComparisonPlot<'_>, canvas: &Canvas<'_, D>) -> Drawn<D> {
    let end = end(plot);
    let dense =
        plot.counts.len() > 2 && plot.curves.iter().any(|curve| curve.law.points().len() as f64 > BINS);
    let width = dense.then(|| nice(end / BINS));
    let lines: Vec<Vec<(f64, f64)>> = plot
        .curves
        .iter()
        .map(|curve| match (width, support(plot, curve)) {
            // Whole intervals only: the last may not reach beyond the end.
            (Some(width), _) => curve.law.binned(width, (end * (1.0 + 1e-9) / width) as usize),
            (None, Some(places)) => gathered(curve, &places, end),
            (None, None) => thinned(inside(curve, end).collect(), end),
        })
        .collect();
    let top = lines.iter().flatten().map(|point| point.1).fold(0.0, f64::max);
    let label = match width {
        Some(width) => format!("probability per {width} of distance"),
        None => "probability".to_owned(),
    };

    let margins = Margins { right: WIDTH - LEGEND + 12.0, ..Margins::USUAL };
    let mut chart = canvas.axes(&margins, -0.01 * end..end, 0.0..1.05 * top)?;
    canvas.styled(&mut chart.configure_mesh()).x_desc(plot.distance()).y_desc(label).draw()?;

    // The first curve is drawn last, on top of the others.
    for (curve, line) in plot.curves.iter().zip(&lines).rev() {
        let colour = palette::mechanism(curve.mechanism).colour;
        let stroke = canvas.stroke(&colour, 1.6);
        if curve.unlike.is_none() {
            // The pieces are drawn one by one, because the joints of a steep path would overshoot.
            chart.draw_series(line.windows(2).map(|pair| PathElement::new(pair.to_vec(), stroke)))?;
        } else {
            let (dash, gap) = (canvas.px(6.0), canvas.px(4.0));
            chart.draw_series(DashedLineSeries::new(line.iter().copied(), dash, gap, stroke))?;
        }
        let mut last = None;
        for &point in line {
            let (x, y) = chart.backend_coord(&point);
            let apart = f64::from(canvas.px(9.0));
            let near = |(a, b): (i32, i32)| f64::from(x - a).hypot(f64::from(y - b)) < apart;
            if !last.is_some_and(near) {
                draw_marker(canvas, curve, (x, y))?;
                last = Some((x, y));
            }
        }
    }
    legend(plot, canvas)
}

fn draw_marker<D: DrawingBackend>(canvas: &Canvas<'_, D>, curve: &Curve<'_>, at: (i32, i32)) -> Drawn<D> {
    let look = palette::mechanism(curve.mechanism);
    let outline = palette::marker(look, f64::from(canvas.px(2.8)));
    canvas.area.draw(&(EmptyElement::at(at) + Polygon::new(outline, look.colour.filled())))
}

/// Draws the legend to the right of the axes, where it covers nothing.
fn legend<D: DrawingBackend>(plot: &ComparisonPlot<'_>, canvas: &Canvas<'_, D>) -> Drawn<D> {
    let mut y = 62.0;
    for curve in &plot.curves {
        let (from, to) = ((canvas.px(LEGEND), canvas.px(y)), (canvas.px(LEGEND + 32.0), canvas.px(y)));
        let stroke = canvas.stroke(&palette::mechanism(curve.mechanism).colour, 1.6);
        if curve.unlike.is_none() {
            canvas.area.draw(&PathElement::new([from, to], stroke))?;
        } else {
            for start in [0.0, 13.0, 26.0] {
                let dash = [LEGEND + start, LEGEND + start + 6.0].map(|x| (canvas.px(x), canvas.px(y)));
                canvas.area.draw(&PathElement::new(dash, stroke))?;
            }
        }
        draw_marker(canvas, curve, (canvas.px(LEGEND + 16.0), canvas.px(y)))?;
        let beside = canvas.px(LEGEND + 39.0);
        canvas.write(curve.mechanism.name, (beside, canvas.px(y)), 12.5, HPos::Left)?;
        let decoder = (curve.decoder != Decoder::None).then(|| format!("+ {}", curve.decoder));
        let unlike = curve.unlike.as_ref().map(|why| format!("({why})"));
        let gathered = support(plot, curve).map(|_| "(summed)".to_owned());
        for remark in decoder.into_iter().chain(unlike).chain(gathered) {
            y += 15.0;
            canvas.write(&remark, (beside, canvas.px(y)), 11.0, HPos::Left)?;
        }
        y += 24.0;
    }
    Ok(())
}

/// Where the axis of distances ends.
fn end(plot: &ComparisonPlot<'_>) -> f64 {
    let far = plot.curves.iter().map(|curve| curve.law.quantile(1.0 - AXIS_TAIL));
    let end = far.filter(|distance| distance.is_finite()).fold(0.0, f64::max);
    if end > 0.0 { end } else { 1.0 }
}

fn inside(curve: &Curve<'_>, end: f64) -> impl Iterator<Item = (f64, f64)> {
    curve.law.points().filter(move |&(distance, _)| distance <= end)
}

/// The distances of the other laws, if this one has so many more that single probabilities cannot be compared: lszhang
/// releases counts of any sum, and its law over two categories is as dense as that of three.
fn support(plot: &ComparisonPlot<'_>, curve: &Curve<'_>) -> Option<Vec<f64>> {
    let n: u64 = plot.counts.iter().sum();
    let listed = |curve: &Curve<'_>| curve.law.points().len() as u64 <= n + 1;
    if plot.counts.len() > 2 || listed(curve) {
        return None;
    }
    let other = plot.curves.iter().find(|other| listed(other))?;
    Some(other.law.points().map(|(distance, _)| distance).collect())
}

/// Each probability at the nearest of these places, as far as they are drawn.
fn gathered(curve: &Curve<'_>, places: &[f64], end: f64) -> Vec<(f64, f64)> {
    let mut points = curve.law.gathered(places);
    points.retain(|&(distance, _)| distance <= end);
    thinned(points, end)
}

/// At most two points, the least and the most likely, from each of many narrow columns.
fn thinned(points: Vec<(f64, f64)>, end: f64) -> Vec<(f64, f64)> {
    if points.len() <= MAX_DRAWN_POINTS {
        return points;
    }
    let column = |&(distance, _): &(f64, f64)| (distance / end * MAX_DRAWN_POINTS as f64) as usize;
    let mut kept = Vec::new();
    for group in points.chunk_by(|a, b| column(a) == column(b)) {
        let least = group.iter().copied().min_by(|a, b| a.1.total_cmp(&b.1));
        let most = group.iter().copied().max_by(|a, b| a.1.total_cmp(&b.1));
        let mut pair: Vec<(f64, f64)> = least.into_iter().chain(most).collect();
        pair.sort_by(|a, b| a.0.total_cmp(&b.0));
        pair.dedup();
        kept.extend(pair);
    }
    kept
}

/// The least number of the form 1, 2 or 5 times a power of ten that is not below the value.
fn nice(value: f64) -> f64 {
    let exponent = value.log10().floor() as i32;
    let steps = [1, 2, 5, 10].map(|digit| power(digit, exponent));
    steps.into_iter().find(|&step| step >= value).unwrap_or(value)
}
