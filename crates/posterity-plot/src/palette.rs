//! How each mechanism looks, in every picture.

use std::f64::consts::{FRAC_PI_4, PI};

use plotters::style::RGBColor;
use posterity_core::mechanism::Look;

/// The colour of a mechanism.
pub(crate) fn colour(look: Look) -> RGBColor {
    let [red, green, blue] = look.colour;
    RGBColor(red, green, blue)
}

/// The outline of a mechanism's marker around the origin, so that lines can be told apart without colours too.
pub(crate) fn marker(look: Look, radius: f64) -> Vec<(i32, i32)> {
    let (corners, turn) = (i32::from(look.corners), f64::from(look.eighths) * FRAC_PI_4);
    // Shapes of equal area look equally large.
    let radius = radius * (2.0 * PI / (f64::from(corners) * (2.0 * PI / f64::from(corners)).sin())).sqrt();
    let corner = |index: i32| {
        let angle = turn + 2.0 * PI * f64::from(index) / f64::from(corners);
        ((radius * angle.cos()).round() as i32, (radius * angle.sin()).round() as i32)
    };
    (0..corners).map(corner).collect()
}

/// The posterior of a release, in the picture of it: Okabe and Ito's blue.
pub(crate) const POSTERIOR: RGBColor = RGBColor(0x00, 0x72, 0xb2);
/// The released Dirichlet distribution where it is not that posterior: their vermilion.
pub(crate) const RELEASED: RGBColor = RGBColor(0xd5, 0x5e, 0x00);
