//! The error of all mechanisms against epsilon.

use maud::{Markup, html};
use posterity_advice::plan::ErrorCurves;

use super::axis::Frame;
use super::{framed, path};

/// One curve for each mechanism, and the limit where it is known.
pub(crate) fn errors(curves: &ErrorCurves, chosen: f64) -> Markup {
    let frame = Frame { height: 280.0, top: 1.0 };
    let at = |(epsilon, distance): (f64, f64)| (frame.x(epsilon), frame.y(distance));
    let body = html! {
        (frame.axes(posterity::number::short, "epsilon", chosen))
        // The default is drawn last, on top of the others.
        @for (index, curve) in curves.curves.iter().enumerate().rev() {
            (path(curve.points.iter().copied().map(at), &format!("curve c{}", index % COLOURS)))
        }
        @if let Some(limit) = &curves.limit { (path(limit.iter().copied().map(at), "limit")) }
    };
    let names: Vec<&str> = curves.curves.iter().map(|curve| curve.mechanism.name).collect();
    let name = format!("Expected distance from the truth against epsilon, for {}.", names.join(", "));
    framed(frame.height, &name, &body)
}

/// How many colours of curves the style has.
pub(crate) const COLOURS: usize = 9;
