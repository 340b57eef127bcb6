//! What to expect of the readings of one release.

use std::sync::Arc;

use posterity::table::{IntervalKind, Law, Space, Ways};
use posterity::{Reader, Reading, Terms};
use posterity_core::confidence::Sums;
use posterity_core::decode::noise_aware;
use posterity_core::mechanism::{Mechanism, Spec};
use posterity_core::model::{Adjacency, Counts, Epsilon, Prior, Setting};
use posterity_core::parallelism::Parallelism;
use posterity_core::sampler::SeededBits;

use super::confidence::ConfidenceForecast;
use super::design_error::DesignError;
use super::moments::Moments;
use super::numbered::numbered;
use super::rows::{MadeUp, Rows};
use crate::advice::Shape;

/// The readings of one release of made-up data, as functions of epsilon.
#[derive(Clone, Debug)]
pub(super) struct OneRelease {
    space: Space,
    readings: Vec<Reading>,
    prior: Prior,
    made_up: MadeUp,
    level: f64,
    spec: Spec,
    adjacency: Adjacency,
    /// The rows of each reading.
    rows: Vec<Vec<Rows>>,
    without: Vec<Expected>,
}

/// What to expect of one reading.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Expected {
    /// The expected half-width, on average over the rows.
    pub(super) mean: f64,
    /// The expected half-width of the rows that have the widest.
    pub(super) widest: f64,
    /// The standard error of either; zero where nothing was simulated.
    pub(super) standard_error: f64,
    pub(super) interval: IntervalKind,
}

/// The seed of simulated releases. It is fixed, so that everybody gets the same advice.
pub const SEED: u64 = 1;

/// Draws for a reading that has no exact method. Means over rows and releases need no more.
const DRAWS: u64 = 4_000;

/// The least and the most simulated releases.
const RELEASES: (usize, usize) = (8, 100);

/// The most rows alike that are read of a simulated release.
const ROWS_ALIKE: usize = 8;

/// A larger budget adds no noise worth mentioning: a record moves once in `exp(60)` releases.
const LARGEST: f64 = 60.0;

impl OneRelease {
    pub(super) fn new(
        space: Space,
        readings: Vec<Reading>,
        prior: Prior,
        (shares, n): (Vec<f64>, u64),
        level: f64,
        (spec, adjacency): (Spec, Adjacency),
    ) -> Result<Self, DesignError> {
        let made_up = MadeUp { shares, n };
        let mut one =
            Self { space, readings, prior, made_up, level, spec, adjacency, rows: vec![], without: vec![] };
        let remainder = one.fit(LARGEST)?.additive().and_then(|additive| additive.remainder);
        let rows = |reading| Rows::all(reading, &one.space, &one.made_up, remainder);
        one.rows = one.readings.iter().map(rows).collect::<Result<_, _>>()?;
        one.without = one.at(LARGEST)?;
        Ok(one)
    }

    pub(super) fn space(&self) -> &Space {
        &self.space
    }

    pub(super) fn readings(&self) -> &[Reading] {
        &self.readings
    }

    pub(super) fn records(&self) -> u64 {
        self.made_up.n
    }

    /// What to expect of each reading without noise.
    pub(super) fn without(&self) -> &[Expected] {
        &self.without
    }

    /// The number of rows of a reading.
    pub(super) fn number_of_rows(&self, reading: usize) -> usize {
        self.rows[reading].iter().map(|rows| rows.positions.len()).sum()
    }

    /// A text that two releases share if the same is to be expected of them.
    pub(super) fn key(&self) -> String {
        let columns: Vec<&str> = self.space.columns().iter().map(|column| column.name.as_str()).collect();
        let readings: Vec<_> = self.readings.iter().map(|one| numbered(one, &columns)).collect();
        let values: Vec<_> = self.space.columns().iter().map(|column| &column.values).collect();
        let by = (&self.made_up, self.adjacency);
        format!("{readings:?} {values:?} {:?} {by:?} {}", self.prior.parameters(), self.spec)
    }

    /// What to expect of each reading at a budget: of shares the confidence intervals where the noise adds up, of
    /// anything else the credible ones of simulated releases.
    pub(super) fn at(&self, epsilon: f64) -> Result<Vec<Expected>, DesignError> {
        let mechanism = self.fit(epsilon.min(LARGEST))?;
        let cells = self.space.all_cells();
        let confidence = mechanism
            .additive()
            .map(|additive| ConfidenceForecast::new(cells, mechanism.setting(), additive, self.level));
        let one = |(reading, rows): (&Reading, &Vec<Rows>)| match &confidence {
            Some(forecast) if reading.mean_of().is_none() => {
                let widths = Parallelism::AllCores.map(rows, |rows| forecast.half_width(rows));
                Ok(Expected::of(rows, &widths, 0.0, IntervalKind::Confidence))
            }
            _ => self.simulated(&*mechanism, reading, rows),
        };
        Parallelism::AllCores.try_map(self.readings.iter().zip(&self.rows), one)
    }

    fn fit(&self, epsilon: f64) -> Result<Box<dyn Mechanism>, DesignError> {
        let (prior, epsilon) = (self.prior.clone(), Epsilon::from_f64(epsilon)?);
        let setting = match self.adjacency {
            Adjacency::Replace => Setting::new(prior, self.made_up.n, epsilon)?,
            Adjacency::AddRemove => Setting::of_private_n(prior, Terms::MOST, epsilon)?,
        };
        Ok(self.spec.fit(setting)?)
    }

    /// The means of the half-widths of credible intervals over simulated releases.
    fn simulated(
        &self,
        mechanism: &dyn Mechanism,
        reading: &Reading,
        rows: &[Rows],
    ) -> Result<Expected, DesignError> {
        let shape = Shape::new(self.made_up.shares.clone());
        let counts = Counts::new(shape.map(|shape| shape.counts(self.made_up.n)).unwrap_or_default())?;
        let some = |rows: &Rows| rows.positions.iter().take(ROWS_ALIKE).copied().collect::<Vec<_>>();
        let mut positions: Vec<usize> = rows.iter().flat_map(some).collect();
        positions.sort_unstable();
        let mut moments = vec![Moments::default(); rows.len()];
        let bits = &mut SeededBits::new(SEED);
        for release in 1..=RELEASES.1 {
            let reader = self.reader(mechanism, &counts, bits)?;
            let intervals = reader.intervals_of(reading, &positions)?;
            for (moments, rows) in moments.iter_mut().zip(rows) {
                let read = positions.iter().zip(&intervals).filter(|(row, _)| rows.positions.contains(row));
                let widths: Vec<f64> = read.map(|(_, [low, high])| 0.5 * (high - low)).collect();
                moments.add(widths.iter().sum::<f64>() / widths.len() as f64);
            }
            if release >= RELEASES.0 && moments.iter().all(Moments::is_precise) {
                break;
            }
        }
        let means: Vec<f64> = moments.iter().map(Moments::mean).collect();
        let error = moments.iter().map(Moments::error).fold(0.0, f64::max);
        Ok(Expected::of(rows, &means, error, IntervalKind::Credible))
    }

    /// Reads one simulated release.
    fn reader(
        &self,
        mechanism: &dyn Mechanism,
        counts: &Counts,
        bits: &mut SeededBits,
    ) -> Result<Reader, DesignError> {
        let ways = Ways::new(self.level).map_err(posterity::ReadingError::from)?;
        let ways = Ways { interval: IntervalKind::Credible, ..ways };
        let reader = |law| {
            Ok::<_, DesignError>(Reader::new(self.space.clone(), law, ways)?.draws(DRAWS, Reader::SEED))
        };
        let drawn = mechanism.draw(counts, bits)?;
        match mechanism.additive() {
            Some(additive) => {
                let sums = Sums::of_setting(drawn.as_slice().to_vec(), mechanism.setting(), additive);
                let law = Law::Plain(self.prior.distribution().clone());
                Ok(reader(law)?.with_sums(Arc::new(sums), false))
            }
            None => {
                let released = mechanism.drawing().released(&drawn, self.made_up.n);
                reader(Law::Aware(Arc::new(noise_aware(mechanism, &released)?)))
            }
        }
    }
}

impl Expected {
    /// From the expected half-width of each kind of rows.
    fn of(rows: &[Rows], widths: &[f64], standard_error: f64, interval: IntervalKind) -> Self {
        let number = |rows: &Rows| rows.positions.len() as f64;
        let all: f64 = rows.iter().map(number).sum();
        let sum: f64 = rows.iter().zip(widths).map(|(rows, width)| number(rows) * width).sum();
        let widest = widths.iter().copied().fold(0.0, f64::max);
        Self { mean: sum / all, widest, standard_error, interval }
    }
}
