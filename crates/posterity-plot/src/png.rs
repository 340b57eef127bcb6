//! Pictures as PNG files.

use std::error::Error;

use plotters::prelude::{BitMapBackend, IntoDrawingArea};

use crate::canvas::{Canvas, Letters, WIDTH};
use crate::picture::Picture;
use crate::{font, page};

/// Pixels per unit of the page.
const SCALE: u32 = 2;
/// The picture is drawn this much larger and averaged, because plotters leaves thick lines jagged.
const OVERSAMPLING: u32 = 3;
/// Pages that are higher than this, in units, are drawn less large, so that they do not take too much memory.
const TALL: f64 = 1500.0;

/// The picture as a PNG file.
pub(crate) fn encode(picture: &impl Picture) -> Result<Vec<u8>, Box<dyn Error>> {
    font::register()?;
    let [width, height] = [WIDTH, page::height(picture)].map(|length| length as u32 * SCALE);
    let oversampling = if page::height(picture) > TALL { OVERSAMPLING - 1 } else { OVERSAMPLING };
    let (wide, high) = (width * oversampling, height * oversampling);
    let mut pixels = vec![0; 3 * wide as usize * high as usize];
    {
        let area = BitMapBackend::with_buffer(&mut pixels, (wide, high)).into_drawing_area();
        let unit = f64::from(SCALE * oversampling);
        let canvas = Canvas::new(&area, unit, Letters::Bundled);
        page::draw(&canvas, picture).map_err(|error| error.to_string())?;
        area.present().map_err(|error| error.to_string())?;
    }
    let mut bytes = Vec::new();
    let mut encoder = ::png::Encoder::new(&mut bytes, width, height);
    encoder.set_color(::png::ColorType::Rgb);
    encoder.set_depth(::png::BitDepth::Eight);
    encoder.write_header()?.write_image_data(&averaged(&pixels, wide as usize, oversampling))?;
    Ok(bytes)
}

/// The mean of every square of pixels.
fn averaged(pixels: &[u8], wide: usize, oversampling: u32) -> Vec<u8> {
    let side = oversampling as usize;
    let width = wide / side;
    let mut out = Vec::with_capacity(pixels.len() / (side * side));
    let mut sums = vec![0_u32; 3 * width];
    for rows in pixels.chunks_exact(3 * wide * side) {
        sums.fill(0);
        for row in rows.chunks_exact(3 * wide) {
            for (index, &value) in row.iter().enumerate() {
                sums[3 * (index / (3 * side)) + index % 3] += u32::from(value);
            }
        }
        let area = oversampling * oversampling;
        out.extend(sums.iter().map(|sum| ((sum + area / 2) / area) as u8));
    }
    out
}
