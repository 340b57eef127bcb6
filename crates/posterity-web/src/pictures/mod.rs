//! The pictures of a plan, as SVG whose colours are those of the page. The pictures of releases are posterity-plot's.

mod axis;
mod errors;
mod releases;
mod widths;

pub(crate) use errors::{COLOURS, errors};
pub(crate) use releases::{MAX_ROWS, releases};
pub(crate) use widths::widths;

use crate::html;

/// The size of a picture in its own units.
pub(crate) const WIDTH: f64 = 520.0;

/// A picture with a name for those who cannot see it. `height` is fixed for each kind of picture, so that nothing on
/// the page moves when it changes.
fn framed(height: f64, name: &str, body: &str) -> String {
    format!(
        "<svg viewBox=\"0 0 {WIDTH} {height}\" width=\"{WIDTH}\" height=\"{height}\" role=\"img\" aria-label=\"{}\">{body}</svg>",
        html::text(name)
    )
}

/// A text at a place; the class says how it looks and where it is anchored.
fn label(x: f64, y: f64, class: &str, text: &str) -> String {
    format!("<text x=\"{x:.1}\" y=\"{y:.1}\" class=\"{class}\">{}</text>", html::text(text))
}

fn line(from: (f64, f64), to: (f64, f64), class: &str) -> String {
    format!(
        "<line x1=\"{:.1}\" y1=\"{:.1}\" x2=\"{:.1}\" y2=\"{:.1}\" class=\"{class}\"/>",
        from.0, from.1, to.0, to.1
    )
}

fn path(points: impl Iterator<Item = (f64, f64)>, class: &str) -> String {
    let points: Vec<String> = points.map(|(x, y)| format!("{x:.1},{y:.1}")).collect();
    format!("<polyline points=\"{}\" class=\"{class}\"/>", points.join(" "))
}

fn dot(at: (f64, f64), radius: f64, class: &str) -> String {
    format!("<circle cx=\"{:.1}\" cy=\"{:.1}\" r=\"{radius}\" class=\"{class}\"/>", at.0, at.1)
}
