//! The signs in the picture of a posterior, and their legend: one line above the axes.

use plotters::prelude::{Circle, Color, DrawingBackend, PathElement, Rectangle, WHITE};
use plotters::style::text_anchor::HPos;

use crate::canvas::{Canvas, Drawn, INK, WIDTH};
use crate::palette::{POSTERIOR, RELEASED};

/// How strongly the area below a curve is coloured, inside and outside the interval.
pub(crate) const INSIDE: f64 = 0.35;
pub(crate) const OUTSIDE: f64 = 0.08;
/// Lengths of a dash and of a gap.
pub(crate) const DASH: (f64, f64) = (4.0, 2.5);

const TEXT: f64 = 10.5;
const SIGN: f64 = 20.0;
const GAP: f64 = 5.0;
const APART: f64 = 16.0;

/// A sign in the picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Sign {
    Curve,
    Bar,
    Mean,
    ReleasedCurve,
}

pub(crate) fn draw<D: DrawingBackend>(canvas: &Canvas<'_, D>, signs: &[(Sign, String)], y: f64) -> Drawn<D> {
    let length = |sign: Sign| if sign == Sign::Mean { 8.0 } else { SIGN };
    let widths: Vec<f64> =
        signs.iter().map(|(sign, text)| length(*sign) + GAP + canvas.width(text, TEXT)).collect();
    let apart = APART * signs.len().saturating_sub(1) as f64;
    let mut x = 0.5 * (WIDTH - widths.iter().sum::<f64>() - apart);
    for ((sign, text), width) in signs.iter().zip(widths) {
        // Signs are centred on lower-case letters.
        let at = |x: f64, y: f64| (canvas.px(x), canvas.px(y - 1.2));
        let end = x + length(*sign);
        match sign {
            Sign::Curve => {
                let fill = POSTERIOR.mix(INSIDE).filled();
                canvas.area.draw(&Rectangle::new([at(x, y - 4.5), at(end, y + 4.5)], fill))?;
                let line = canvas.stroke(&POSTERIOR, 1.6);
                canvas.area.draw(&PathElement::new([at(x, y - 4.5), at(end, y - 4.5)], line))?;
            }
            Sign::Bar => bar(canvas, at(x, y), at(end, y))?,
            Sign::Mean => mean(canvas, at(x + 4.0, y))?,
            Sign::ReleasedCurve => {
                let mut from = x;
                while from < end {
                    let dash = [at(from, y), at((from + DASH.0).min(end), y)];
                    canvas.area.draw(&PathElement::new(dash, canvas.stroke(&RELEASED, 1.2)))?;
                    from += DASH.0 + DASH.1;
                }
            }
        }
        canvas.write(text, (canvas.px(end + GAP), canvas.px(y)), TEXT, HPos::Left)?;
        x += width + APART;
    }
    Ok(())
}

/// Draws an interval.
pub(crate) fn bar<D: DrawingBackend>(canvas: &Canvas<'_, D>, from: (i32, i32), to: (i32, i32)) -> Drawn<D> {
    // A narrow interval is widened until it can be seen.
    let wider = (canvas.px(1.5) - (to.0 - from.0)).max(0) / 2;
    let half = canvas.px(1.7);
    let corners = [(from.0 - wider, from.1 - half), (to.0 + wider, to.1 + half)];
    canvas.area.draw(&Rectangle::new(corners, POSTERIOR.filled()))
}

/// Draws a mean.
pub(crate) fn mean<D: DrawingBackend>(canvas: &Canvas<'_, D>, at: (i32, i32)) -> Drawn<D> {
    canvas.area.draw(&Circle::new(at, canvas.px(3.4), INK.filled()))?;
    canvas.area.draw(&Circle::new(at, canvas.px(2.2), WHITE.filled()))
}
