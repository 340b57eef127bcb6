//! The colours of tables: shades that grow darker with the number, and text that can be read on them.

use plotters::style::RGBColor;

/// From light to dark, in one hue: the order of the shades is seen without colours, too.
const SHADES: [RGBColor; 5] = [
    RGBColor(0xf1, 0xf6, 0xfb),
    RGBColor(0xbf, 0xd8, 0xec),
    RGBColor(0x74, 0xb0, 0xd8),
    RGBColor(0x27, 0x74, 0xb5),
    RGBColor(0x08, 0x30, 0x6b),
];

/// Colours of parts that have no order: Okabe and Ito (2008), so that neighbours differ in brightness.
const PARTS: [RGBColor; 8] = [
    RGBColor(0x00, 0x72, 0xb2),
    RGBColor(0xe6, 0x9f, 0x00),
    RGBColor(0x00, 0x9e, 0x73),
    RGBColor(0xf0, 0xe4, 0x42),
    RGBColor(0xd5, 0x5e, 0x00),
    RGBColor(0x56, 0xb4, 0xe9),
    RGBColor(0x6e, 0x6e, 0x6e),
    RGBColor(0xcc, 0x79, 0xa7),
];

/// What is not part of a table.
pub(crate) const REST: RGBColor = RGBColor(0xe8, 0xe8, 0xe8);
pub(crate) const BLACK: RGBColor = RGBColor(0, 0, 0);
pub(crate) const WHITE: RGBColor = RGBColor(0xff, 0xff, 0xff);

/// The shade at a place between 0, light, and 1, dark.
pub(crate) fn shade(place: f64) -> RGBColor {
    let place = if place.is_nan() { 0.0 } else { place.clamp(0.0, 1.0) };
    let along = place * (SHADES.len() - 1) as f64;
    let index = (along.floor() as usize).min(SHADES.len() - 2);
    mixed(SHADES[index], SHADES[index + 1], along - index as f64)
}

/// The colour of one of this many parts.
pub(crate) fn part(index: usize, of: usize) -> RGBColor {
    if of <= PARTS.len() {
        return PARTS[index % PARTS.len()];
    }
    // Too many to be told apart by their hue: they stand in one order everywhere, and become darker along it.
    shade(0.08 + 0.84 * index as f64 / (of - 1) as f64)
}

/// Black or white, whatever is read better on this colour.
pub(crate) fn ink_on(colour: RGBColor) -> RGBColor {
    if contrast(BLACK, colour) >= contrast(WHITE, colour) { BLACK } else { WHITE }
}

/// The ratio of the luminances of two colours, from 1 to 21 (WCAG 2.1, section 1.4.3).
pub(crate) fn contrast(one: RGBColor, other: RGBColor) -> f64 {
    let (one, other) = (luminance(one) + 0.05, luminance(other) + 0.05);
    one.max(other) / one.min(other)
}

/// The relative luminance (WCAG 2.1).
fn luminance(RGBColor(red, green, blue): RGBColor) -> f64 {
    let linear = |value: u8| {
        let value = f64::from(value) / 255.0;
        if value <= 0.040_45 { value / 12.92 } else { ((value + 0.055) / 1.055).powf(2.4) }
    };
    0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue)
}

fn mixed(from: RGBColor, to: RGBColor, share: f64) -> RGBColor {
    let mix = |from: u8, to: u8| (f64::from(from) + share * (f64::from(to) - f64::from(from))).round() as u8;
    RGBColor(mix(from.0, to.0), mix(from.1, to.1), mix(from.2, to.2))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// If this fails, a reader who sees no colours cannot tell which cell has the larger number.
    #[test]
    fn shades_grow_darker() {
        let shades: Vec<RGBColor> = (0..=100).map(|step| shade(f64::from(step) / 100.0)).collect();
        assert!(shades.windows(2).all(|pair| luminance(pair[0]) > luminance(pair[1])));
        assert_eq!((shade(-1.0), shade(2.0), shade(f64::NAN)), (SHADES[0], SHADES[4], SHADES[0]));
    }

    /// The contrast that WCAG 2.1 asks of text, on every colour that text is written on.
    #[test]
    fn text_can_be_read_on_every_colour() {
        let shades = (0..=1000).map(|step| shade(f64::from(step) / 1000.0));
        for colour in shades.chain(PARTS).chain([REST, WHITE]) {
            assert!(contrast(ink_on(colour), colour) >= 4.5, "{colour:?}");
        }
    }

    /// Neighbours in a mosaic are told apart by their brightness.
    #[test]
    fn neighbours_differ() {
        for of in 2..=PARTS.len() {
            for index in 1..of {
                let contrast = contrast(part(index - 1, of), part(index, of));
                assert!(contrast > 1.25, "{index} of {of}: {contrast}");
            }
        }
        assert_ne!(part(0, 20), part(1, 20));
    }
}
