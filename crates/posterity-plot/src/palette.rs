//! How each mechanism looks, in every picture.

use std::f64::consts::{FRAC_PI_4, PI};

use plotters::style::RGBColor;
use posterity_core::mechanism::{ALL, Description};

/// A colour, and a marker with corners.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Look {
    pub(crate) colour: RGBColor,
    /// The number of corners of the marker.
    pub(crate) corners: u8,
    /// By how many eighths of a full turn the marker's first corner is turned from the right.
    pub(crate) eighths: i8,
}

const fn look(red: u8, green: u8, blue: u8, corners: u8, eighths: i8) -> Look {
    Look { colour: RGBColor(red, green, blue), corners, eighths }
}

/// The looks of mechanisms, by their position in the list of all mechanisms. The last four wait for more mechanisms.
/// After them, the looks begin anew.
const LOOKS: [Look; 16] = [
    look(0x88, 0x22, 0x55, 5, -2),
    look(0x66, 0x99, 0x00, 3, -2),
    look(0x8c, 0x56, 0x4b, 8, 0),
    look(0x00, 0x72, 0xb2, 24, 0),
    look(0xe6, 0x9f, 0x00, 4, 1),
    look(0x00, 0x9e, 0x73, 4, 0),
    look(0xcc, 0x79, 0xa7, 3, -2),
    look(0xd5, 0x5e, 0x00, 3, 2),
    look(0x56, 0xb4, 0xe9, 6, 0),
    look(0x00, 0x00, 0x00, 3, 0),
    look(0x99, 0x99, 0x99, 3, 4),
    look(0xaa, 0x44, 0x99, 4, 1),
    look(0x44, 0xaa, 0x99, 8, 0),
    look(0x33, 0x22, 0x88, 5, 2),
    look(0xdd, 0xcc, 0x77, 6, 0),
    look(0x66, 0x11, 0x00, 24, 0),
];

/// The look with this number.
pub(crate) fn numbered(index: usize) -> Look {
    LOOKS[index % LOOKS.len()]
}

/// The look of a mechanism.
pub(crate) fn mechanism(mechanism: &Description) -> Look {
    numbered(ALL.iter().position(|one| *one == mechanism).unwrap_or(ALL.len()))
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

#[cfg(test)]
mod tests {
    use super::*;

    /// If this fails, two curves of a comparison cannot be told apart.
    #[test]
    fn mechanisms_look_different() {
        for (index, one) in LOOKS.iter().enumerate() {
            assert!(LOOKS[..index].iter().all(|other| other.colour != one.colour), "{one:?}");
        }
        assert_eq!(mechanism(ALL[3]), LOOKS[3]);
        assert_eq!(numbered(LOOKS.len()), LOOKS[0]);
    }
}
