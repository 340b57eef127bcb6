//! How one curve, box or bar looks.

use plotters::style::RGBColor;
use posterity_core::mechanism::Description;

use crate::palette::{self, Look};

/// A colour, a marker and a line. A mechanism has the same everywhere; a variant of it keeps its colour.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Style {
    pub(crate) colour: RGBColor,
    pub(crate) marker: Option<Look>,
    pub(crate) line: Line,
    pub(crate) hollow: bool,
}

/// How the points of a curve are joined.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Line {
    Solid,
    Dashed,
    Dotted,
}

/// Colours of curves that are not mechanisms: black first, then Okabe and Ito (2008).
const PLAIN: [RGBColor; 7] = [
    RGBColor(0x00, 0x00, 0x00),
    RGBColor(0x00, 0x72, 0xb2),
    RGBColor(0xd5, 0x5e, 0x00),
    RGBColor(0x00, 0x9e, 0x73),
    RGBColor(0xcc, 0x79, 0xa7),
    RGBColor(0xe6, 0x9f, 0x00),
    RGBColor(0x56, 0xb4, 0xe9),
];

/// The numbers of their markers, whose shapes are easily told apart.
const MARKERS: [usize; 7] = [1, 3, 4, 5, 7, 0, 9];

impl Style {
    /// The look of a mechanism.
    #[must_use]
    pub fn mechanism(mechanism: &Description) -> Self {
        let look = palette::mechanism(mechanism);
        Self { colour: look.colour, marker: Some(look), line: Line::Solid, hollow: false }
    }

    /// The look of the curve with this number, where no mechanism is meant.
    #[must_use]
    pub fn plain(index: usize) -> Self {
        let marker = palette::numbered(MARKERS[index % MARKERS.len()]);
        Self { colour: PLAIN[index % PLAIN.len()], marker: Some(marker), line: Line::Solid, hollow: false }
    }

    /// Whether both have one colour.
    #[must_use]
    pub fn has_colour_of(&self, other: &Self) -> bool {
        self.colour == other.colour
    }

    /// Shades it as number `index` of `of` variants: from dark to light.
    #[must_use]
    pub fn shaded(self, index: usize, of: usize) -> Self {
        let share = 0.1 + 0.7 * if of > 1 { index as f64 / (of - 1) as f64 } else { 0.0 };
        // Four tenths black at one end, a third white at the other: still seen on white.
        let tint = |value: u8| {
            let value = f64::from(value);
            let mixed = if share < 0.5 {
                value * (0.5 + share)
            } else {
                value + (255.0 - value) * 1.2 * (share - 0.5)
            };
            mixed.round() as u8
        };
        let RGBColor(red, green, blue) = self.colour;
        Self { colour: RGBColor(tint(red), tint(green), tint(blue)), ..self }
    }

    /// Makes the markers white inside.
    #[must_use]
    pub fn hollow(self) -> Self {
        Self { hollow: true, ..self }
    }

    /// Dashes the line, as mechanisms without a guarantee have.
    #[must_use]
    pub fn dashed(self) -> Self {
        Self { line: Line::Dashed, ..self }
    }

    /// Dots the line.
    #[must_use]
    pub fn dotted(self) -> Self {
        Self { line: Line::Dotted, ..self }
    }

    /// Takes the marker of this number.
    #[must_use]
    pub fn marked(self, index: usize) -> Self {
        Self { marker: Some(palette::numbered(index)), ..self }
    }

    /// Leaves markers out.
    #[must_use]
    pub fn unmarked(self) -> Self {
        Self { marker: None, ..self }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shades_run_from_dark_to_light_and_keep_the_marker() {
        let style = Style::mechanism(&posterity_core::mechanism::Ehds::DESCRIPTION);
        let brightness = |style: Style| {
            let RGBColor(red, green, blue) = style.colour;
            u32::from(red) + u32::from(green) + u32::from(blue)
        };
        let shades: Vec<Style> = (0..5).map(|index| style.shaded(index, 5)).collect();
        assert!(shades.windows(2).all(|pair| brightness(pair[0]) < brightness(pair[1])), "{shades:?}");
        assert!(shades.iter().all(|shade| shade.marker == style.marker));
    }
}
