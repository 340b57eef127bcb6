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
