//! Readings and comparisons.

use posterity::{Contrast, Reading};

/// Reads a text as a reading and as a comparison. What was read is written and read again.
pub fn look(bytes: &[u8]) {
    let Some(text) = crate::text(bytes) else { return };
    if let Ok(reading) = text.parse::<Reading>() {
        assert_eq!(reading.to_string().parse::<Reading>().as_ref(), Ok(&reading), "{text:?}");
    }
    if let Ok(contrast) = text.parse::<Contrast>() {
        assert_eq!(contrast.to_string().parse::<Contrast>().as_ref(), Ok(&contrast), "{text:?}");
    }
}
