//! Lines and markers at places of the page.

use plotters::prelude::{Color, DrawingBackend, EmptyElement, PathElement, Polygon, ShapeStyle, WHITE};

use crate::canvas::{Canvas, Drawn, INK};
use crate::palette;
use crate::style::{Line, Style};

/// The width of a curve, and the size of a marker.
const STROKE: f64 = 1.8;
const MARKER: f64 = 3.4;
/// Lengths of dashes and of dots, each with the gap that follows.
const DASHES: (f64, f64) = (7.0, 4.0);
const DOTS: (f64, f64) = (1.8, 3.0);

/// A place on the page in pixels.
pub(crate) fn at<D: DrawingBackend>(canvas: &Canvas<'_, D>, x: f64, y: f64) -> (i32, i32) {
    (canvas.px(x), canvas.px(y))
}

/// Draws a straight line between two places.
pub(crate) fn line<D: DrawingBackend>(
    canvas: &Canvas<'_, D>,
    from: (f64, f64),
    to: (f64, f64),
    style: ShapeStyle,
) -> Drawn<D> {
    canvas.area.draw(&PathElement::new([at(canvas, from.0, from.1), at(canvas, to.0, to.1)], style))
}

/// Draws the dotted line of a bound.
pub(crate) fn across<D: DrawingBackend>(canvas: &Canvas<'_, D>, (from, to): (f64, f64), y: f64) -> Drawn<D> {
    let style = canvas.stroke(&INK, 1.2);
    let mut x = from;
    while x < to {
        line(canvas, (x, y), ((x + 2.5).min(to), y), style)?;
        x += 5.0;
    }
    Ok(())
}

/// Draws a marker at a place.
pub(crate) fn marker<D: DrawingBackend>(
    canvas: &Canvas<'_, D>,
    style: Style,
    (x, y): (f64, f64),
) -> Drawn<D> {
    let Some(look) = style.marker else { return Ok(()) };
    let outline = |radius: f64| palette::marker(look, radius * f64::from(canvas.px(1.0)));
    let place = at(canvas, x, y);
    canvas.area.draw(&(EmptyElement::at(place) + Polygon::new(outline(MARKER), style.colour.filled())))?;
    if style.hollow {
        let inner = Polygon::new(outline(MARKER - 1.4), WHITE.filled());
        canvas.area.draw(&(EmptyElement::at(place) + inner))?;
    }
    Ok(())
}

/// Draws a curve through places on the page.
pub(crate) fn path<D: DrawingBackend>(
    canvas: &Canvas<'_, D>,
    places: &[(f64, f64)],
    style: Style,
) -> Drawn<D> {
    let stroke = canvas.stroke(&style.colour, STROKE);
    let (on, off) = match style.line {
        Line::Solid => {
            // The pieces are drawn one by one, because the joints of a steep path would overshoot.
            for pair in places.windows(2) {
                line(canvas, pair[0], pair[1], stroke)?;
            }
            return Ok(());
        }
        Line::Dashed => DASHES,
        Line::Dotted => DOTS,
    };
    // How far into the pattern the last piece ended.
    let mut phase = 0.0;
    for pair in places.windows(2) {
        let ((x, y), (dx, dy)) = (pair[0], (pair[1].0 - pair[0].0, pair[1].1 - pair[0].1));
        let length = dx.hypot(dy);
        let point = |along: f64| (x + dx * along / length, y + dy * along / length);
        let mut along = 0.0;
        while along < length {
            let drawn = phase < on;
            let next = (along + if drawn { on - phase } else { on + off - phase }).min(length);
            if drawn {
                let (from, to) = (point(along), point(next));
                let ends = [at(canvas, from.0, from.1), at(canvas, to.0, to.1)];
                canvas.area.draw(&PathElement::new(ends, stroke))?;
            }
            phase = (phase + next - along) % (on + off);
            // Rounding may leave a tiny rest of a dash or a gap, which is skipped.
            if on + off - phase < 1e-6 {
                phase = 0.0;
            } else if (phase - on).abs() < 1e-6 {
                phase = on;
            }
            along = next;
        }
    }
    Ok(())
}
