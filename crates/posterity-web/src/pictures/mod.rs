//! The pictures of a plan, as SVG whose colours are those of the page. The pictures of releases are posterity-plot's.

use maud::{Markup, html};

mod axis;
mod errors;
mod releases;
mod widths;

pub(crate) use errors::{COLOURS, errors};
pub(crate) use releases::{MAX_ROWS, releases};
pub(crate) use widths::widths;

/// The size of a picture in its own units.
pub(crate) const WIDTH: f64 = 520.0;

/// A picture with a name for those who cannot see it. `height` is fixed for each kind of picture, so that nothing on
/// the page moves when it changes.
fn framed(height: f64, name: &str, body: &Markup) -> Markup {
    let size = format!("0 0 {WIDTH} {height}");
    html! { svg viewBox=(size) width=(WIDTH) height=(height) role="img" aria-label=(name) { (body) } }
}

/// A text at a place; the class says how it looks and where it is anchored.
fn label(x: f64, y: f64, class: &str, text: &str) -> Markup {
    html! { text x=(tenths(x)) y=(tenths(y)) class=(class) { (text) } }
}

fn line(from: (f64, f64), to: (f64, f64), class: &str) -> Markup {
    html! { line x1=(tenths(from.0)) y1=(tenths(from.1)) x2=(tenths(to.0)) y2=(tenths(to.1)) class=(class) {} }
}

fn path(points: impl Iterator<Item = (f64, f64)>, class: &str) -> Markup {
    let points: Vec<String> = points.map(|(x, y)| format!("{x:.1},{y:.1}")).collect();
    html! { polyline points=(points.join(" ")) class=(class) {} }
}

fn dot(at: (f64, f64), radius: f64, class: &str) -> Markup {
    html! { circle cx=(tenths(at.0)) cy=(tenths(at.1)) r=(radius) class=(class) {} }
}

/// A coordinate.
fn tenths(number: f64) -> String {
    format!("{number:.1}")
}
