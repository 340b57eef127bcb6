//! The picture of a comparison.

mod boxes;
mod laws;

use plotters::prelude::DrawingBackend;
use posterity_core::accuracy::{DistanceLaw, Metric};
use posterity_core::decode::Decoder;
use posterity_core::mechanism::Description;

use crate::canvas::{Canvas, Drawn};
use crate::error::PlotError;
use crate::file::PlotFile;
use crate::picture::Picture;
use crate::render;

/// A comparison to be drawn.
#[derive(Debug)]
pub struct ComparisonPlot<'a> {
    /// The private counts.
    pub counts: &'a [u64],
    /// The prior's parameters.
    pub prior: &'a [f64],
    /// The privacy budget.
    pub epsilon: f64,
    /// The distance that is measured.
    pub metric: Metric,
    /// The number of releases and the seed, if the laws are not exact.
    pub simulated: Option<(usize, u64)>,
    /// The mechanisms, in the order of the legend.
    pub curves: Vec<Curve<'a>>,
}

/// What is drawn of one mechanism.
#[derive(Debug)]
pub struct Curve<'a> {
    /// The mechanism.
    pub mechanism: &'static Description,
    /// The decoder that follows it.
    pub decoder: Decoder,
    /// Why it cannot be compared with the others, in two words such as "not private"; nothing if it can be.
    pub unlike: Option<String>,
    /// The law of its distance.
    pub law: &'a DistanceLaw,
}

impl ComparisonPlot<'_> {
    /// Writes the picture to a file.
    pub fn write(&self, file: &PlotFile) -> Result<(), PlotError> {
        render::write(self, file)
    }

    /// The label of the axis of distances.
    pub(crate) fn distance(&self) -> &'static str {
        match self.metric {
            Metric::Hellinger => "Hellinger distance from the true posterior",
            Metric::L1 => "L1 distance from the true posterior",
            Metric::Kl => "KL divergence from the true posterior",
            Metric::Tv => "Total variation distance from the true posterior",
        }
    }
}

impl Picture for ComparisonPlot<'_> {
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

    fn draw<D: DrawingBackend>(&self, canvas: &Canvas<'_, D>) -> Drawn<D> {
        match self.simulated {
            Some((runs, _)) => boxes::draw(self, canvas, runs),
            None => laws::draw(self, canvas),
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
