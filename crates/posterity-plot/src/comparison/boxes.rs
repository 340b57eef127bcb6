//! Notched box plots of simulated distances, one per mechanism.

use plotters::prelude::{BLACK, Color, DrawingBackend, PathElement, Polygon, WHITE};
use plotters::style::text_anchor::HPos;
use posterity_core::decode::Decoder;

use super::ComparisonPlot;
use crate::canvas::{Canvas, Drawn, INK, Margins};
use crate::palette;
use crate::spread::Spread;

/// Half the width of a box, of its waist and of a whisker's end, where boxes are one apart.
const HALF: f64 = 0.32;
const WAIST: f64 = 0.16;
const END: f64 = 0.12;

pub(crate) fn draw<D: DrawingBackend>(
    plot: &ComparisonPlot<'_>,
    canvas: &Canvas<'_, D>,
    runs: usize,
) -> Drawn<D> {
    let boxes: Vec<Spread> = plot.curves.iter().map(|curve| Spread::new(curve.law, runs)).collect();
    let reach = boxes.iter().map(Spread::top);
    let top = reach.filter(|distance| distance.is_finite()).fold(0.0, f64::max);
    let top = if top > 0.0 { 1.05 * top } else { 1.0 };
    // A notch may reach below zero if there are few releases.
    let bottom = boxes.iter().map(|one| one.median - one.notch).fold(0.0, f64::min);

    let margins = Margins { bottom: 66.0, ..Margins::USUAL };
    let mut chart = canvas.axes(&margins, 0.0..boxes.len() as f64, bottom..top)?;
    canvas.styled(&mut chart.configure_mesh()).disable_x_mesh().x_labels(0).y_desc(plot.distance()).draw()?;

    for (index, (curve, one)) in plot.curves.iter().zip(&boxes).enumerate() {
        let x = index as f64 + 0.5;
        let colour = palette::mechanism(curve.mechanism).colour;
        let outline = one.outline(HALF, WAIST).map(|(half, value)| (x + half, value));
        let edge = canvas.stroke(&INK, 1.2);
        let line = |from: (f64, f64), to: (f64, f64)| PathElement::new(vec![from, to], edge);
        chart.draw_series([
            line((x, one.least), (x, one.q1)),
            line((x, one.q3), (x, one.most)),
            line((x - END, one.least), (x + END, one.least)),
            line((x - END, one.most), (x + END, one.most)),
        ])?;
        // A mechanism that does not promise the epsilon of the others is paler.
        let fill = colour.mix(if curve.unlike.is_none() { 0.75 } else { 0.2 });
        chart
            .draw_series([WHITE.to_rgba(), fill].map(|fill| Polygon::new(outline.to_vec(), fill.filled())))?;
        let closed: Vec<_> = outline.iter().chain(outline.first()).copied().collect();
        chart.draw_series([PathElement::new(closed, edge)])?;
        let median = vec![(x - WAIST, one.median), (x + WAIST, one.median)];
        chart.draw_series([PathElement::new(median, canvas.stroke(&BLACK, 2.4))])?;

        let (across, foot) = chart.backend_coord(&(x, bottom));
        let below = |down: f64| (across, foot + canvas.px(down));
        canvas.write(curve.mechanism.name, below(14.0), 11.5, HPos::Center)?;
        if curve.decoder != Decoder::None {
            canvas.write(&format!("+ {}", curve.decoder), below(30.0), 11.0, HPos::Center)?;
        }
        if let Some((first, second)) = curve.unlike.as_deref().and_then(|why| why.split_once(' ')) {
            canvas.write(&format!("({first}"), below(30.0), 11.0, HPos::Center)?;
            canvas.write(&format!("{second})"), below(44.0), 11.0, HPos::Center)?;
        }
    }
    Ok(())
}
