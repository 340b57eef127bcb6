//! The width of text, before there is a page.

use std::collections::HashMap;
use std::sync::OnceLock;

use plotters::prelude::{FontFamily, IntoFont};

use crate::font;
use crate::name;

/// The height at which the font is measured, in pixels. Widths are whole numbers of pixels.
const SIZE: f64 = 1000.0;

/// The width of a line of text of this height, in the units of the height.
pub(crate) fn width(text: &str, height: f64) -> f64 {
    static WIDTHS: OnceLock<HashMap<char, f64>> = OnceLock::new();
    let widths = WIDTHS.get_or_init(|| {
        let ready = font::register().is_ok();
        name::bundled_letters().map(|letter| (letter, of_letter(letter, ready))).collect()
    });
    // Letters that the bundled font lacks are drawn by a font of the viewer. Most are as wide as their height at most.
    height * text.chars().map(|letter| widths.get(&letter).copied().unwrap_or(1.0)).sum::<f64>()
}

/// The width of a letter of the bundled font, of height one.
fn of_letter(letter: char, ready: bool) -> f64 {
    // The font takes the height of a line, as everywhere in this crate.
    let font = (FontFamily::Name(font::FAMILY), 1.2 * SIZE).into_font();
    let measured = if ready { font.box_size(letter.encode_utf8(&mut [0; 4])).ok() } else { None };
    // If the font cannot be measured, a letter counts as 0.6 of its height, which is the mean.
    measured.map_or(0.6, |(width, _)| f64::from(width) / SIZE)
}

/// The lines of a text that is at most so wide, cut at blanks and after hyphens, slashes, commas and underscores, and
/// within a word only if that is too long by itself. The last of `most` lines is shortened if there would be more.
pub(crate) fn lines(text: &str, height: f64, wide: f64, most: usize) -> Vec<String> {
    let fits = |line: &str| width(line.trim_end(), height) <= wide;
    let mut lines: Vec<String> = Vec::new();
    let mut line = String::new();
    for piece in pieces(text) {
        if fits(&format!("{line}{piece}")) {
            line += piece;
            continue;
        }
        if !line.is_empty() {
            lines.push(std::mem::take(&mut line));
        }
        for letter in piece.chars() {
            if !line.is_empty() && !fits(&format!("{line}{letter}")) {
                lines.push(std::mem::take(&mut line));
            }
            line.push(letter);
        }
    }
    lines.push(line);
    if lines.len() > most {
        let rest = lines.split_off(most.max(1) - 1).concat();
        lines.push(name::shortened(&rest, fits));
    }
    lines.iter().map(|line| line.trim().to_owned()).collect()
}

/// A text in pieces that may be on different lines.
fn pieces(text: &str) -> impl Iterator<Item = &str> {
    text.split_inclusive([' ', '-', '/', ',', '_', '\u{2013}'])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn widths_grow_with_text_and_height() {
        // DejaVu Sans: "0" is 0.636 of the size of the font wide, and a line of text is 1.164 of it high.
        let expected = 10.0 * 0.636 * 1.2 / 1.164 * 10.0;
        assert!((width("0000000000", 10.0) - expected).abs() < 0.5, "{}", width("0000000000", 10.0));
        assert!((width("0", 20.0) - 2.0 * width("0", 10.0)).abs() < 0.1);
        assert!(width("WWW", 10.0) > 2.0 * width("iii", 10.0));
        assert!((width("東京", 10.0) - 20.0).abs() < 1e-9, "letters of another font count as squares");
        assert_eq!(width("", 10.0), 0.0);
    }

    #[test]
    fn lines_fit_and_nothing_is_lost() {
        let text = "income from 10,000 to 20,000 a year/month, Donaudampfschifffahrtsgesellschaftskapitän";
        for wide in [40.0, 80.0, 200.0, 2000.0] {
            let lines = lines(text, 10.0, wide, 99);
            assert!(lines.iter().all(|line| width(line, 10.0) <= wide), "{wide}: {lines:?}");
            let letters = |text: &str| text.chars().filter(|letter| *letter != ' ').collect::<String>();
            assert_eq!(letters(&lines.concat()), letters(text));
        }
        let short = lines(text, 10.0, 60.0, 2);
        assert!(short.len() == 2 && short[1].contains('…'), "{short:?}");
        assert!(short.iter().all(|line| width(line, 10.0) <= 60.0));
        assert_eq!(lines("", 10.0, 60.0, 2), [""]);
        assert_eq!(lines("x", 10.0, 0.0, 2), ["x"], "one letter is always written");
    }
}
