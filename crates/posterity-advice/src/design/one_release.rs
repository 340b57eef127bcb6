//! What to expect of the readings of one release.

use std::collections::HashMap;
use std::sync::Arc;

use posterity::table::{IntervalKind, Law, Space, SpaceColumn, Term, Ways};
use posterity::{Reader, Reading, Terms};
use posterity_core::confidence::{Listed, Sums};
use posterity_core::decode::noise_aware;
use posterity_core::mechanism::{Drawing, Lattice, Mechanism, Spec};
use posterity_core::model::{Adjacency, Counts, Drawn, Epsilon, Prior, Setting};
use posterity_core::parallelism::Parallelism;
use posterity_core::sampler::SeededBits;

use super::confidence::ConfidenceForecast;
use super::design_error::DesignError;
use super::moments::Moments;
use super::numbered::numbered;
use super::rows::{MadeUp, Rows};
use crate::shape::Shape;

/// The readings of one release of made-up data, as functions of epsilon.
#[derive(Clone, Debug)]
pub(crate) struct OneRelease {
    space: Space,
    readings: Vec<Reading>,
    prior: Prior,
    made_up: MadeUp,
    level: f64,
    spec: Spec,
    adjacency: Adjacency,
    /// The rows of each reading.
    rows: Vec<Vec<Rows>>,
    without: Vec<Widths>,
}

/// The expected half-widths of the rows of one reading.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Widths {
    /// One for each kind of rows, in their order.
    pub(crate) each: Vec<f64>,
    /// The standard error of any of them; zero where nothing was simulated.
    pub(super) standard_error: f64,
    pub(super) interval: IntervalKind,
    /// Whether releases were simulated.
    pub(super) simulated: bool,
}

/// What to expect of one reading.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Expected {
    /// The expected half-width, on average over the rows.
    pub(super) mean: f64,
    /// The expected half-width of the rows that have the widest.
    pub(crate) widest: f64,
    /// The standard error of either; zero where nothing was simulated.
    pub(crate) standard_error: f64,
    pub(super) interval: IntervalKind,
    /// Whether releases were simulated.
    pub(super) simulated: bool,
}

/// The name of the only column of a release of categories.
const COLUMN: &str = "category";

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
        // Without noise all mechanisms are alike. One whose noise adds up has intervals that hold whatever the truth is.
        let mut plain = one.fit(LARGEST);
        if plain.as_ref().map_or(true, |mechanism| mechanism.additive().is_none()) {
            plain = Self { spec: Lattice.into(), ..one.clone() }.fit(LARGEST);
        }
        let plain = plain?;
        let remainder = plain.additive().and_then(|additive| additive.remainder);
        let rows = |reading| Rows::all(reading, &one.space, &one.made_up, remainder);
        one.rows = one.readings.iter().map(rows).collect::<Result<_, _>>()?;
        one.without = one.widths(&*plain)?;
        Ok(one)
    }

    /// The shares of the categories of one column. They are equal unless a shape is given.
    pub(crate) fn of_column(
        by: (Spec, Adjacency),
        prior: &Prior,
        n: u64,
        shape: Option<&Shape>,
        level: f64,
    ) -> Result<Self, DesignError> {
        let k = prior.len();
        let values = (1..=k).map(|value| value.to_string());
        let space = Space::new(vec![SpaceColumn::new(COLUMN, values)]);
        let readings = vec![Reading::shares(vec![Term::each(COLUMN)], Vec::new())];
        let shares = shape.map_or_else(|| vec![1.0 / k as f64; k], Shape::shares);
        Self::new(space, readings, prior.clone(), (shares, n), level, by)
    }

    pub(crate) fn space(&self) -> &Space {
        &self.space
    }

    pub(super) fn readings(&self) -> &[Reading] {
        &self.readings
    }

    pub(super) fn level(&self) -> f64 {
        self.level
    }

    pub(super) fn records(&self) -> u64 {
        self.made_up.n
    }

    /// What to expect of each reading without noise.
    pub(crate) fn without(&self) -> Vec<Expected> {
        self.rows.iter().zip(&self.without).map(|(rows, widths)| Expected::of(rows, widths)).collect()
    }

    /// The kinds of rows of each reading, and their half-widths without noise.
    pub(super) fn rows(&self) -> impl Iterator<Item = (&[Rows], &Widths)> {
        self.rows.iter().map(Vec::as_slice).zip(&self.without)
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

    /// What to expect of each reading at a budget.
    pub(crate) fn at(&self, epsilon: f64) -> Result<Vec<Expected>, DesignError> {
        let widths = self.widths_at(epsilon)?;
        Ok(self.rows.iter().zip(&widths).map(|(rows, widths)| Expected::of(rows, widths)).collect())
    }

    /// The half-widths of each reading at a budget.
    pub(super) fn widths_at(&self, epsilon: f64) -> Result<Vec<Widths>, DesignError> {
        self.widths(&*self.fit(epsilon.min(LARGEST))?)
    }

    /// The half-widths of each reading of what a mechanism releases, in the intervals that its document shows: of shares
    /// the confidence intervals where the noise adds up, of anything else those of simulated releases.
    pub(crate) fn widths(&self, mechanism: &dyn Mechanism) -> Result<Vec<Widths>, DesignError> {
        let cells = self.space.all_cells();
        let confidence = mechanism
            .additive()
            .map(|additive| ConfidenceForecast::new(cells, mechanism.setting(), additive, self.level));
        let one = |(reading, rows): (&Reading, &Vec<Rows>)| match &confidence {
            Some(forecast) if reading.number_of().is_none() => {
                let each = Parallelism::AllCores.map(rows, |rows| forecast.half_width(rows));
                Ok(Widths { each, standard_error: 0.0, interval: IntervalKind::Confidence, simulated: false })
            }
            _ => self.simulated(mechanism, reading, rows),
        };
        Parallelism::AllCores.try_map(self.readings.iter().zip(&self.rows), one)
    }

    /// What the document of a release shows of each row of the first reading: the estimate and the interval.
    pub(crate) fn read(
        &self,
        mechanism: &dyn Mechanism,
        drawn: &Drawn,
    ) -> Result<Vec<(f64, [f64; 2])>, DesignError> {
        let table = self.reader(mechanism, drawn)?.confidence_alone().read(&self.readings[0])?;
        Ok(table.rows.iter().map(|row| (row.shown(), row.interval)).collect())
    }

    /// The intervals of the rows of the first reading, if these counts are released without noise worth mentioning.
    pub(crate) fn without_noise(&self, counts: &Counts) -> Result<Vec<[f64; 2]>, DesignError> {
        let mechanism = Self { spec: Lattice.into(), ..self.clone() }.fit(LARGEST)?;
        let drawn = Drawn::of_counts(counts.as_slice().to_vec());
        Ok(self.read(&*mechanism, &drawn)?.into_iter().map(|(_, interval)| interval).collect())
    }

    fn fit(&self, epsilon: f64) -> Result<Box<dyn Mechanism>, DesignError> {
        let (prior, epsilon) = (self.prior.clone(), Epsilon::from_f64(epsilon)?);
        let setting = match self.adjacency {
            Adjacency::Replace => Setting::new(prior, self.made_up.n, epsilon)?,
            Adjacency::AddRemove => Setting::of_private_n(prior, Terms::MOST, epsilon)?,
        };
        Ok(self.spec.fit(setting)?)
    }

    /// The means of the half-widths over simulated releases. Releases that are drawn again are read once.
    fn simulated(
        &self,
        mechanism: &dyn Mechanism,
        reading: &Reading,
        rows: &[Rows],
    ) -> Result<Widths, DesignError> {
        let shape = Shape::new(self.made_up.shares.clone());
        let counts = Counts::new(shape.map(|shape| shape.counts(self.made_up.n)).unwrap_or_default())?;
        let some = |rows: &Rows| rows.positions.iter().take(ROWS_ALIKE).copied().collect::<Vec<_>>();
        let mut positions: Vec<usize> = rows.iter().flat_map(some).collect();
        positions.sort_unstable();
        let mut moments = vec![Moments::default(); rows.len()];
        let bits = &mut SeededBits::new(SEED);
        let mut known: HashMap<Vec<i64>, Vec<[f64; 2]>> = HashMap::new();
        let mut interval = IntervalKind::Credible;
        for release in 1..=RELEASES.1 {
            let drawn = mechanism.draw(&counts, bits)?;
            let intervals = match known.get(drawn.as_slice()) {
                Some(intervals) => intervals.clone(),
                None => {
                    let (kind, found) = self.intervals(mechanism, &drawn, reading, &positions)?;
                    interval = kind;
                    known.insert(drawn.as_slice().to_vec(), found.clone());
                    found
                }
            };
            for (moments, rows) in moments.iter_mut().zip(rows) {
                let read = positions.iter().zip(&intervals).filter(|(row, _)| rows.positions.contains(row));
                let widths: Vec<f64> = read.map(|(_, [low, high])| 0.5 * (high - low)).collect();
                moments.add(widths.iter().sum::<f64>() / widths.len() as f64);
            }
            if release >= RELEASES.0 && moments.iter().all(Moments::is_precise) {
                break;
            }
        }
        let each = moments.iter().map(Moments::mean).collect();
        let standard_error = moments.iter().map(Moments::error).fold(0.0, f64::max);
        Ok(Widths { each, standard_error, interval, simulated: true })
    }

    /// The intervals of some rows of a simulated release, and which they are.
    fn intervals(
        &self,
        mechanism: &dyn Mechanism,
        drawn: &Drawn,
        reading: &Reading,
        positions: &[usize],
    ) -> Result<(IntervalKind, Vec<[f64; 2]>), DesignError> {
        let reader = self.reader(mechanism, drawn)?;
        if reading.number_of().is_some() {
            let table = reader.confidence_alone().read(reading)?;
            // Of several numbers of a condition the widest counts.
            let each = table.rows.iter().take_while(|row| row.given == table.rows[0].given).count();
            let width = |[low, high]: [f64; 2]| high - low;
            let widest = |&position: &usize| {
                let rows = table.rows[each * position..each * (position + 1)].iter().map(|row| row.interval);
                rows.max_by(|one, other| width(*one).total_cmp(&width(*other))).unwrap_or([0.0; 2])
            };
            return Ok((table.interval, positions.iter().map(widest).collect()));
        }
        let listed = self.is_listed(mechanism);
        let kind = if listed { IntervalKind::Confidence } else { IntervalKind::Credible };
        Ok((kind, reader.intervals_of(reading, positions)?))
    }

    /// Whether the document of a mechanism whose noise does not add up has confidence intervals from a list of all laws.
    fn is_listed(&self, mechanism: &dyn Mechanism) -> bool {
        mechanism.additive().is_none()
            && mechanism.drawing() == Drawing::Candidate
            && Listed::is_for(self.space.all_cells(), self.made_up.n)
    }

    /// Reads one simulated release as its document is read.
    fn reader(&self, mechanism: &dyn Mechanism, drawn: &Drawn) -> Result<Reader, DesignError> {
        let ways = Ways::new(self.level).map_err(posterity::ReadingError::from)?;
        let reader = |law| {
            Ok::<_, DesignError>(Reader::new(self.space.clone(), law, ways)?.draws(DRAWS, Reader::SEED))
        };
        match mechanism.additive() {
            Some(additive) => {
                let sums = Sums::of_setting(drawn.as_slice().to_vec(), mechanism.setting(), additive);
                let law = Law::Plain(self.prior.distribution().clone());
                Ok(reader(law)?.with_sums(Arc::new(sums), false))
            }
            None => {
                let released = mechanism.drawing().released(drawn, self.made_up.n);
                if self.is_listed(mechanism) {
                    let listed = Listed::new(mechanism, released.as_slice()).map(Arc::new);
                    return Ok(reader(Law::Plain(self.prior.distribution().clone()))?.with_listed(listed));
                }
                reader(Law::Aware(Arc::new(noise_aware(mechanism, &released)?)))
            }
        }
    }
}

impl Expected {
    /// From the expected half-width of each kind of rows.
    fn of(rows: &[Rows], widths: &Widths) -> Self {
        let number = |rows: &Rows| rows.positions.len() as f64;
        let all: f64 = rows.iter().map(number).sum();
        let sum: f64 = rows.iter().zip(&widths.each).map(|(rows, width)| number(rows) * width).sum();
        let widest = widths.each.iter().copied().fold(0.0, f64::max);
        let Widths { standard_error, interval, simulated, .. } = *widths;
        Self { mean: sum / all, widest, standard_error, interval, simulated }
    }
}
