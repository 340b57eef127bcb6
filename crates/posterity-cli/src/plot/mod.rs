//! Pictures of a comparison: the same input gives the same bytes, on a machine without fonts too.

mod boxes;
mod canvas;
mod file;
mod laws;
mod palette;

use plotters::coord::Shift;
use plotters::prelude::{DrawingArea, DrawingBackend};
use posterity_core::accuracy::{DistanceLaw, Metric};
use posterity_core::decode::Decoder;
use posterity_core::mechanism::Name;

use self::canvas::{Canvas, Drawn};
pub(crate) use self::file::PlotFile;
use self::file::PlotFormat;
use crate::failure::Failure;

/// A comparison to be drawn.
#[derive(Debug)]
pub(crate) struct Plot<'a> {
    pub(crate) counts: &'a [u64],
    pub(crate) prior: &'a [f64],
    pub(crate) epsilon: f64,
    pub(crate) metric: Metric,
    /// The number of releases and the seed, if the laws are not exact.
    pub(crate) simulated: Option<(usize, u64)>,
    /// In the order of the legend.
    pub(crate) curves: Vec<Curve<'a>>,
}

/// What is drawn of one mechanism.
#[derive(Debug)]
pub(crate) struct Curve<'a> {
    pub(crate) name: Name,
    pub(crate) decoder: Decoder,
    pub(crate) private: bool,
    pub(crate) law: &'a DistanceLaw,
}

impl Plot<'_> {
    /// Draws into memory first, so that a failure leaves no broken file.
    pub(crate) fn write(&self, file: &PlotFile) -> Result<(), Failure> {
        let bytes = match file.format {
            PlotFormat::Svg => canvas::svg(self),
            PlotFormat::Png => canvas::png(self),
        };
        let bytes =
            bytes.map_err(|error| Failure::refused(format!("--plot: {file} cannot be drawn: {error}")))?;
        std::fs::write(&file.path, bytes)
            .map_err(|error| Failure::refused(format!("--plot: {file} cannot be written: {error}")))
    }

    fn draw<D: DrawingBackend>(&self, area: &DrawingArea<D, Shift>, unit: f64) -> Drawn<D> {
        let canvas = Canvas::new(area, unit);
        canvas.title(&self.title(), &self.subtitle())?;
        match self.simulated {
            Some((runs, _)) => boxes::draw(self, &canvas, runs),
            None => laws::draw(self, &canvas),
        }
    }

    fn title(&self) -> String {
        let (counts, prior) = (short(self.counts), short(self.prior));
        format!("counts {counts} · prior {prior} · epsilon {}", self.epsilon)
    }

    fn subtitle(&self) -> String {
        match self.simulated {
            Some((runs, seed)) => {
                format!("{runs} simulated releases each, seed {seed}; not a private release")
            }
            None => "exact; not a private release".to_owned(),
        }
    }

    /// What is measured, for an axis.
    fn distance(&self) -> &'static str {
        match self.metric {
            Metric::Hellinger => "Hellinger distance from the true posterior",
            Metric::L1 => "L1 distance from the true posterior",
            Metric::Kl => "KL divergence from the true posterior",
        }
    }
}

/// The beginning of a list, as much as fits a title.
fn short<T: ToString>(values: &[T]) -> String {
    const LONGEST: usize = 20;
    let mut text = String::new();
    for (index, value) in values.iter().enumerate() {
        let value = value.to_string();
        if index > 0 && text.len() + value.len() > LONGEST {
            return text + ",…";
        }
        text = if index > 0 { format!("{text},{value}") } else { value };
    }
    text
}
