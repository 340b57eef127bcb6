//! One way to spend a budget on a table.

use posterity::Reading;
use posterity::table::IntervalKind;
use serde::Serialize;

use super::design_error::DesignError;
use super::forecasts::Forecasts;
use super::one_release::OneRelease;
use super::split::Curve;
use super::table::{Set, Table};
use crate::least::sum_in_digits;

/// One way to spend a budget on a table.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Design {
    /// Which tables are released.
    pub name: DesignName,
    /// How the budget is divided.
    pub division: Division,
    /// The releases.
    pub releases: Vec<PlannedRelease>,
    /// What to expect of each reading.
    pub readings: Vec<ExpectedReading>,
    /// The half-width in units of that without privacy, on average over the readings.
    pub times: f64,
}

/// Which tables are released.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum DesignName {
    /// One table of all columns.
    Joint,
    /// One table for each set of columns that is read together.
    Separate,
    /// One table for each such set that is in no larger one.
    Largest,
}

/// How a budget is divided over several releases.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Division {
    /// There is one release.
    Whole,
    /// Each gets the same.
    Equal,
    /// The shares that make the half-widths least, in units of those without privacy, on average over the readings.
    Best,
    /// The shares that were given.
    Given,
}

/// A release of a design.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PlannedRelease {
    /// Its columns.
    pub columns: Vec<String>,
    /// The number of its cells.
    pub cells: usize,
    /// Its share of the budget.
    pub epsilon: f64,
}

/// What to expect of a reading. Half-widths are in units of shares: 0.05 is 5 percentage points. Those of a mean are in
/// the units of its numbers.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ExpectedReading {
    /// The reading.
    pub reading: Reading,
    /// The number of its rows.
    pub rows: usize,
    /// Which intervals they are: confidence, or credible where there are no others.
    pub interval: IntervalKind,
    /// The expected half-width, on average over its rows.
    pub half_width: f64,
    /// The expected half-width of its widest rows.
    pub widest: f64,
    /// The standard error of these, if releases were simulated; otherwise zero.
    pub standard_error: f64,
    /// The half-width without privacy, on average over its rows: what the number of records alone makes.
    pub without_privacy: f64,
    /// The half-width without privacy of its widest rows.
    pub widest_without_privacy: f64,
    /// Whether releases were simulated.
    #[serde(skip)]
    pub simulated: bool,
}

impl Design {
    /// The design with one release for each set of columns, with these shares of the budget.
    pub(super) fn new(
        table: &Table,
        name: DesignName,
        division: Division,
        (sets, releases): (&[Set], &[OneRelease]),
        shares: &[f64],
        forecasts: &Forecasts<'_>,
    ) -> Result<Self, DesignError> {
        let mut readings: Vec<Option<ExpectedReading>> = vec![None; table.readings().len()];
        let mut planned = Vec::new();
        for ((set, release), &epsilon) in sets.iter().zip(releases).zip(shares) {
            let expected = ExpectedReading::all(release, epsilon, forecasts)?;
            for (&reading, expected) in set.readings.iter().zip(expected) {
                readings[reading] = Some(expected);
            }
            planned.push(PlannedRelease {
                columns: table.names(set),
                cells: release.space().all_cells(),
                epsilon,
            });
        }
        let readings: Vec<ExpectedReading> = readings.into_iter().flatten().collect();
        let times = readings.iter().map(ExpectedReading::times).sum::<f64>() / readings.len() as f64;
        Ok(Self { name, division, releases: planned, readings, times })
    }
}

impl Design {
    /// The budget of all its releases together.
    #[must_use]
    pub fn epsilon(&self) -> f64 {
        let shares: Vec<f64> = self.releases.iter().map(|release| release.epsilon).collect();
        match shares.as_slice() {
            [only] => *only,
            _ => sum_in_digits(&shares),
        }
    }

    /// The expected half-width of the widest rows of all its readings.
    #[must_use]
    pub fn widest(&self) -> f64 {
        self.readings.iter().map(|reading| reading.widest).fold(0.0, f64::max)
    }
}

impl ExpectedReading {
    /// What to expect of all readings of a release.
    pub(super) fn all(
        release: &OneRelease,
        epsilon: f64,
        forecasts: &Forecasts<'_>,
    ) -> Result<Vec<Self>, DesignError> {
        let expected = forecasts.at(release, epsilon)?;
        let readings = release.readings().iter().zip(release.without()).zip(expected).enumerate();
        let readings = readings.map(|(index, ((reading, without), expected))| Self {
            reading: reading.clone(),
            rows: release.number_of_rows(index),
            interval: expected.interval,
            half_width: expected.mean,
            widest: expected.widest,
            standard_error: expected.standard_error,
            without_privacy: without.mean,
            widest_without_privacy: without.widest,
            simulated: expected.simulated,
        });
        Ok(readings.collect())
    }

    /// Whether its half-widths are shares, which can be shown as percentage points.
    #[must_use]
    pub fn is_share(&self) -> bool {
        self.reading.statistic() == posterity::table::Statistic::Share
    }

    /// The half-width in units of that without privacy. An interval of no width stays so.
    #[must_use]
    pub fn times(&self) -> f64 {
        if self.without_privacy > 0.0 { self.half_width / self.without_privacy } else { 1.0 }
    }

    /// How its half-width changes near this budget. Before any release nothing is known: a share is between 0 and 1.
    pub(super) fn curve(&self, epsilon: f64) -> Curve {
        let before = if self.is_share() { 0.5 } else { f64::INFINITY };
        Curve::new(self.without_privacy, before, epsilon, self.half_width)
    }
}
