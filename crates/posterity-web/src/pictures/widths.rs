//! The expected half-width against epsilon.

use maud::{Markup, html};

use super::axis::{Frame, round_up};
use super::{dot, framed, path};

/// Half-widths in percentage points at budgets, the half-width without privacy, and the chosen point.
pub(crate) fn widths(points: &[(f64, f64)], without: f64, chosen: (f64, f64)) -> Markup {
    let most = points.iter().map(|point| point.1).fold(without.max(chosen.1), f64::max);
    let frame = Frame { height: 280.0, top: round_up(100.0 * most) };
    let at = |(epsilon, width): (f64, f64)| (frame.x(epsilon), frame.y(100.0 * width));
    let floor = [points.first(), points.last()].into_iter().flatten().map(|point| at((point.0, without)));
    let body = html! {
        (frame.axes(posterity::number::short, "epsilon", chosen.0))
        (path(floor, "without"))
        (path(points.iter().copied().map(at), "private"))
        (dot(at(chosen), 5.0, "private-dot"))
    };
    let name = format!(
        "Expected half-width in percentage points against epsilon. At epsilon {} it is {:.1}, without privacy {:.1}.",
        chosen.0,
        100.0 * chosen.1,
        100.0 * without
    );
    framed(frame.height, &name, &body)
}
