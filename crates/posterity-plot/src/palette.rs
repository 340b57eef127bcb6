//! How each mechanism looks, in every picture.

use std::f64::consts::{FRAC_PI_2, FRAC_PI_4, PI};

use plotters::style::RGBColor;
use posterity_core::mechanism::Name;

/// The colour of a mechanism: Okabe and Ito (2008), with a dark red and a grey for the yellow, which is too faint for a line
/// on white. What is not private is black or grey.
pub(crate) fn colour(name: Name) -> RGBColor {
    match name {
        Name::Lattice => RGBColor(0x88, 0x22, 0x55),
        Name::Geometric => RGBColor(0x00, 0x72, 0xb2),
        Name::Lshist => RGBColor(0xe6, 0x9f, 0x00),
        Name::Lsdim => RGBColor(0x00, 0x9e, 0x73),
        Name::Lszhang => RGBColor(0xcc, 0x79, 0xa7),
        Name::Ehds => RGBColor(0xd5, 0x5e, 0x00),
        Name::Ehd => RGBColor(0x56, 0xb4, 0xe9),
        Name::Ehdl => RGBColor(0x00, 0x00, 0x00),
        Name::Mh => RGBColor(0x99, 0x99, 0x99),
    }
}

/// The outline of its marker around the origin, so that lines can be told apart without colours too.
pub(crate) fn marker(name: Name, radius: f64) -> Vec<(i32, i32)> {
    let (corners, turn) = match name {
        Name::Lattice => (5, -FRAC_PI_2),
        Name::Geometric => (24, 0.0),
        Name::Lshist => (4, FRAC_PI_4),
        Name::Lsdim => (4, 0.0),
        Name::Lszhang => (3, -FRAC_PI_2),
        Name::Ehds => (3, FRAC_PI_2),
        Name::Ehd => (6, 0.0),
        Name::Ehdl => (3, 0.0),
        Name::Mh => (3, PI),
    };
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
