//! Pictures of releases, comparisons and experiments, as SVG and PNG.
//!
//! The same input gives the same bytes on every machine, because the font is bundled.

mod about;
mod axis;
mod canvas;
mod comparison;
mod error;
mod figure;
mod file;
mod font;
mod measure;
mod name;
mod page;
mod palette;
mod picture;
mod png;
mod posterior;
mod render;
mod spread;
mod style;
mod svg;
mod table;

pub use self::about::Caption;
pub use self::axis::{Axis, Scale};
pub use self::canvas::{Canvas, Drawn};
pub use self::comparison::{ComparisonPlot, Curve};
pub use self::error::PlotError;
pub use self::figure::{
    BarKind, Bars, BoxGroups, CellKind, Cells, Content, Figure, Lines, NotchedBox, Panel, Rule, Series,
};
pub use self::file::{PlotFile, PlotFormat};
pub use self::picture::Picture;
pub use self::posterior::PosteriorPlot;
pub use self::render::{render, svg, write};
pub use self::spread::Spread;
pub use self::style::Style;
pub use self::table::{PictureKind, TablePlot};
