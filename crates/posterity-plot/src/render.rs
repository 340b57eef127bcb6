//! Pictures as bytes, text and files.

use crate::error::PlotError;
use crate::file::{PlotFile, PlotFormat};
use crate::picture::Picture;

/// The picture as the bytes of a file. An error calls the file `name`.
pub fn render(picture: &impl Picture, format: PlotFormat, name: &str) -> Result<Vec<u8>, PlotError> {
    let bytes = match format {
        PlotFormat::Svg => crate::svg::encode(picture),
        PlotFormat::Png => crate::png::encode(picture),
    };
    bytes.map_err(|error| PlotError::Drawing { file: name.to_owned(), why: error.to_string() })
}

/// The text of an SVG picture.
pub fn svg(picture: &impl Picture) -> Result<String, PlotError> {
    let bytes = render(picture, PlotFormat::Svg, "the picture")?;
    String::from_utf8(bytes)
        .map_err(|error| PlotError::Drawing { file: "the picture".to_owned(), why: error.to_string() })
}

/// Writes the picture to a file. It is drawn in memory first, so that a failure leaves no broken file.
pub fn write(picture: &impl Picture, file: &PlotFile) -> Result<(), PlotError> {
    let bytes = render(picture, file.format, &file.to_string())?;
    Ok(posterity::new_file::write(&file.path, &bytes, file.overwrite)?)
}
