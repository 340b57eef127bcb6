//! How the numbers of a table are written, and the scale that holds them.

use std::ops::Range;

use posterity::ReadingTable;
use posterity::number::{brief, count};
use posterity::table::Statistic;
use posterity_present::intervals::NO_SHARE;
use posterity_present::readings::{counts, edges, in_words};
use posterity_present::uncertain;

use super::grid::Cell;

/// Numbers of more letters are written with an exponent.
const LONGEST: usize = 14;

/// How the numbers of a table are written: shares in percent, means as they are, counts as whole numbers.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Numbers {
    /// What they are, for an axis.
    pub(crate) label: String,
    statistic: Statistic,
}

impl Numbers {
    /// Those of a table.
    pub(crate) fn new(table: &ReadingTable) -> Self {
        let statistic = table.statistic;
        let label = match statistic {
            Statistic::Share => "share in percent".to_owned(),
            Statistic::Mean | Statistic::Sum | Statistic::Quantile => in_words(table),
            Statistic::Count => "count".to_owned(),
        };
        Self { label, statistic }
    }

    /// A share or a mean, with its marks.
    pub(crate) fn mean(&self, cell: Cell) -> String {
        let text = match self.statistic {
            _ if cell.mean.is_nan() => NO_SHARE.to_owned(),
            Statistic::Share => uncertain::percent(cell.mean, cell.interval),
            Statistic::Mean | Statistic::Sum => uncertain::number(cell.mean, cell.interval),
            Statistic::Quantile => brief(cell.mean),
            Statistic::Count => count(cell.mean.round()),
        };
        let text = if text.chars().count() <= LONGEST { text } else { brief(cell.mean) };
        format!("{} {text}", cell.marks).trim_start().to_owned()
    }

    /// An interval.
    pub(crate) fn interval(&self, cell: Cell) -> String {
        let [low, high] = cell.interval;
        let text = match self.statistic {
            Statistic::Share => uncertain::percents(cell.interval),
            Statistic::Mean | Statistic::Sum => uncertain::numbers(cell.interval),
            Statistic::Quantile => edges(cell.interval),
            Statistic::Count => counts(cell.interval),
        };
        if text.chars().count() <= 2 * LONGEST { text } else { format!("{} to {}", brief(low), brief(high)) }
    }

    /// An interval, without the sign of percent.
    pub(crate) fn bare_interval(&self, cell: Cell) -> String {
        self.interval(cell).trim_end_matches(" %").to_owned()
    }

    /// A mean with its interval in brackets.
    pub(crate) fn both(&self, cell: Cell) -> String {
        format!("{}  ({})", self.mean(cell), self.bare_interval(cell))
    }

    fn is_of_shares(&self) -> bool {
        self.statistic == Statistic::Share
    }

    /// The value on an axis.
    pub(crate) fn scaled(&self, value: f64) -> f64 {
        if self.is_of_shares() { 100.0 * value } else { value }
    }

    /// The part of the axis that holds these values. Shares begin at zero and end at 100 percent if that is near.
    pub(crate) fn range(&self, values: impl Iterator<Item = f64>) -> Range<f64> {
        let values = values.filter(|value| value.is_finite()).map(|value| self.scaled(value));
        let (mut low, mut high) = values
            .fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), value| (low.min(value), high.max(value)));
        if low > high {
            (low, high) = (0.0, if self.is_of_shares() { 100.0 } else { 1.0 });
        }
        let span = (high - low).max(1e-4 * high.abs().max(1e-3));
        let (air, near) = (0.03 * span, 0.4 * span);
        if !self.is_of_shares() {
            return low - air..high + air;
        }
        let from = if low < near { 0.0 } else { low - air };
        let to = if 100.0 - high < 0.15 * span { 100.0 } else { high + air };
        from..to
    }
}
