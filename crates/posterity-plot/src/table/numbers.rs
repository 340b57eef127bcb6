//! How the numbers of a table are written, and the scale that holds them.

use std::ops::Range;

use posterity::ReadingTable;
use posterity::number::brief;
use posterity::table::Statistic;
use posterity_present::uncertain;

use super::grid::Cell;

/// Numbers of more letters are written with an exponent.
const LONGEST: usize = 14;

/// How the numbers of a table are written: shares in percent, means as they are.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Numbers {
    /// What they are, for an axis.
    pub(crate) label: String,
    shares: bool,
}

impl Numbers {
    /// Those of a table.
    pub(crate) fn new(table: &ReadingTable) -> Self {
        match table.statistic {
            Statistic::Share => Self { label: "share in percent".to_owned(), shares: true },
            Statistic::Mean => {
                let of = table.reading.mean_of().unwrap_or("the numbers");
                Self { label: format!("mean of {of}"), shares: false }
            }
            Statistic::Count => Self { label: "count".to_owned(), shares: false },
        }
    }

    /// A share or a mean, with its marks.
    pub(crate) fn mean(&self, cell: Cell) -> String {
        let text = if self.shares { uncertain::percent } else { uncertain::number };
        let text = text(cell.mean, cell.interval);
        let text = if text.chars().count() <= LONGEST { text } else { brief(cell.mean) };
        format!("{} {text}", cell.marks).trim_start().to_owned()
    }

    /// An interval.
    pub(crate) fn interval(&self, cell: Cell) -> String {
        let text = if self.shares { uncertain::percents } else { uncertain::numbers };
        let text = text(cell.interval);
        let [low, high] = cell.interval;
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

    /// The value on an axis.
    pub(crate) fn scaled(&self, value: f64) -> f64 {
        if self.shares { 100.0 * value } else { value }
    }

    /// The part of the axis that holds these values. Shares begin at zero and end at 100 percent if that is near.
    pub(crate) fn range(&self, values: impl Iterator<Item = f64>) -> Range<f64> {
        let values = values.filter(|value| value.is_finite()).map(|value| self.scaled(value));
        let (mut low, mut high) = values
            .fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), value| (low.min(value), high.max(value)));
        if low > high {
            (low, high) = (0.0, if self.shares { 100.0 } else { 1.0 });
        }
        let span = (high - low).max(1e-4 * high.abs().max(1e-3));
        let (air, near) = (0.03 * span, 0.4 * span);
        if !self.shares {
            return low - air..high + air;
        }
        let from = if low < near { 0.0 } else { low - air };
        let to = if 100.0 - high < 0.15 * span { 100.0 } else { high + air };
        from..to
    }
}
