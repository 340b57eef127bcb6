//! The bundled font.

use plotters::prelude::FontStyle;
use plotters::style::register_font;

/// The families to try: the bundled font first, then those that an SVG viewer without it may have.
pub(crate) const FAMILY: &str = "DejaVu Sans, Verdana, sans-serif";
static FONT: &[u8] = include_bytes!("../assets/DejaVuSans-subset.ttf");

/// Makes the bundled font known to plotters.
pub(crate) fn register() -> Result<(), &'static str> {
    register_font(FAMILY, FontStyle::Normal, FONT).map_err(|_| "the bundled font cannot be read")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::name::bundled_letters;

    /// The characters of the font: its table `cmap` in format 4 (OpenType specification), segment by segment.
    fn characters() -> Vec<char> {
        let number = |at: usize| usize::from(u16::from_be_bytes([FONT[at], FONT[at + 1]]));
        let long = |at: usize| (number(at) << 16) + number(at + 2);
        let tables = (0..number(4)).map(|index| 12 + 16 * index);
        let cmap =
            tables.filter(|at| &FONT[*at..*at + 4] == b"cmap").map(|at| long(at + 8)).next().expect("a cmap");
        let mut kinds = (0..number(cmap + 2)).map(|index| cmap + long(cmap + 8 + 8 * index));
        let table = kinds.find(|table| number(*table) == 4).expect("format 4");
        let segments = number(table + 6) / 2;
        let ends = |index: usize| number(table + 14 + 2 * index);
        let starts = |index: usize| number(table + 16 + 2 * (segments + index));
        let all = (0..segments).flat_map(|index| starts(index)..=ends(index));
        all.filter_map(|code| char::from_u32(u32::try_from(code).ok()?)).collect()
    }

    /// If this fails, a picture has boxes in the place of letters.
    #[test]
    fn the_font_has_the_letters_that_pictures_use() {
        let known = characters();
        assert!(known.len() > 300 && !known.contains(&'京'));
        let missing: Vec<char> = bundled_letters().filter(|letter| !known.contains(letter)).collect();
        assert!(missing.is_empty(), "{missing:?}");
    }
}
