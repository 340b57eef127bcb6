//! The picture of a comparison.

use plotters::prelude::DrawingBackend;
use posterity_core::accuracy::{DistanceLaw, Metric};
use posterity_core::decode::Decoder;
use posterity_core::mechanism::Name;

use super::canvas::{Canvas, Drawn};
use super::{Picture, PlotFile, boxes, laws, write};
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
    pub(crate) fn write(&self, file: &PlotFile) -> Result<(), Failure> {
        write(self, file)
    }

    /// What is measured, for an axis.
    pub(super) fn distance(&self) -> &'static str {
        match self.metric {
            Metric::Hellinger => "Hellinger distance from the true posterior",
            Metric::L1 => "L1 distance from the true posterior",
            Metric::Kl => "KL divergence from the true posterior",
        }
    }
}

impl Picture for Plot<'_> {
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
