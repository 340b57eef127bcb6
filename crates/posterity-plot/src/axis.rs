//! Axes of panels: what they measure, and where their ticks are.

use std::ops::Range;

use posterity::number::grouped;

/// An axis of a panel.
#[derive(Clone, Debug, PartialEq)]
pub struct Axis {
    /// The quantity, with its unit if it has one.
    pub label: String,
    /// Linear or logarithmic.
    pub scale: Scale,
    /// Values that must be on the axis besides the data.
    pub include: Vec<f64>,
}

/// The scale of an axis.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Scale {
    /// Equal differences have equal lengths.
    #[default]
    Linear,
    /// Equal ratios have equal lengths.
    Log,
}

impl Axis {
    /// A linear axis.
    #[must_use]
    pub fn linear(label: impl Into<String>) -> Self {
        Self { label: label.into(), scale: Scale::Linear, include: Vec::new() }
    }

    /// A logarithmic axis.
    #[must_use]
    pub fn log(label: impl Into<String>) -> Self {
        Self { scale: Scale::Log, ..Self::linear(label) }
    }

    /// Makes the axis show this value, too.
    #[must_use]
    pub fn including(mut self, value: f64) -> Self {
        self.include.push(value);
        self
    }

    /// Whether a value has a place on the axis.
    pub(crate) fn shows(&self, value: f64) -> bool {
        value.is_finite() && (self.scale == Scale::Linear || value > 0.0)
    }
}

/// An axis laid out over a length of the page.
#[derive(Clone, Debug)]
pub(crate) struct Ruler {
    scale: Scale,
    /// In the units of the scale: logarithms for powers of ten.
    from: f64,
    to: f64,
    /// On the page.
    start: f64,
    end: f64,
}

impl Ruler {
    /// Lays an axis out from `start` to `end` on the page, with a margin around these values.
    pub(crate) fn new(axis: &Axis, values: impl Iterator<Item = f64>, (start, end): (f64, f64)) -> Self {
        let all = values.chain(axis.include.iter().copied()).filter(|&value| axis.shows(value));
        let (mut from, mut to) = (f64::INFINITY, f64::NEG_INFINITY);
        for value in all {
            let value = units(axis.scale, value);
            (from, to) = (from.min(value), to.max(value));
        }
        if from > to {
            (from, to) = (0.0, 1.0);
        }
        if to - from < 1e-9 * from.abs().max(1e-3) {
            let half = if axis.scale == Scale::Log { 0.3 } else { 0.1 * from.abs().max(0.1) };
            (from, to) = (from - half, to + half);
        }
        let air = 0.04 * (to - from);
        // An axis that begins at zero begins there exactly.
        let from = if axis.scale == Scale::Linear && from == 0.0 { 0.0 } else { from - air };
        Self { scale: axis.scale, from, to: to + air, start, end }
    }

    /// Lays a range of numbers out from `start` to `end` on the page, without margins.
    pub(crate) fn between(range: Range<f64>, (start, end): (f64, f64)) -> Self {
        Self { scale: Scale::Linear, from: range.start, to: range.end, start, end }
    }

    /// Leaves a margin before zero, so that markers at zero are drawn whole.
    pub(crate) fn with_air(self) -> Self {
        let air = if self.from == 0.0 { 0.03 * self.to } else { 0.0 };
        Self { from: self.from - air, ..self }
    }

    /// Where a value is on the page.
    pub(crate) fn at(&self, value: f64) -> f64 {
        let share = (units(self.scale, value) - self.from) / (self.to - self.from);
        self.start + share * (self.end - self.start)
    }

    /// The values that have a tick, with their labels, about `apart` units of the page from each other.
    pub(crate) fn ticks(&self, apart: f64) -> Vec<(f64, String)> {
        let most = ((self.end - self.start).abs() / apart).max(2.0);
        match self.scale {
            Scale::Linear => self.linear_ticks(most),
            Scale::Log => self.log_ticks(most),
        }
    }

    fn linear_ticks(&self, most: f64) -> Vec<(f64, String)> {
        let least = (self.to - self.from) / most;
        let exponent = least.log10().floor() as i32;
        let step = [1, 2, 5, 10].into_iter().find(|&step| power(step, exponent) >= least * (1.0 - 1e-9));
        let digits = step.unwrap_or(10);
        let step = power(digits, exponent);
        let first = (self.from / step - 1e-9).ceil() as i64;
        let last = (self.to / step + 1e-9).floor() as i64;
        let decimals = usize::try_from(-exponent - i32::from(digits == 10)).unwrap_or(0);
        (first..=last)
            .map(|index| {
                let value = index as f64 * step;
                (value, grouped(&format!("{value:.decimals$}")))
            })
            .collect()
    }

    fn log_ticks(&self, most: f64) -> Vec<(f64, String)> {
        let decades = self.to - self.from;
        let parts: &[u32] = if decades * 3.0 <= most {
            &[1, 2, 5]
        } else if decades * 2.0 <= most {
            &[1, 3]
        } else {
            &[1]
        };
        let every = (decades / most).ceil().max(1.0) as i32;
        let (first, last) = (self.from.floor() as i32, self.to.ceil() as i32);
        let mut ticks = Vec::new();
        for exponent in (first..=last).filter(|exponent| exponent.rem_euclid(every) == 0) {
            for &part in parts {
                let value = power(part, exponent);
                let place = value.log10();
                if (self.from - 1e-9..=self.to + 1e-9).contains(&place) {
                    ticks.push((value, log_label(part, exponent)));
                }
            }
        }
        ticks
    }
}

fn units(scale: Scale, value: f64) -> f64 {
    if scale == Scale::Log { value.log10() } else { value }
}

/// `digit * 10^exponent`. A negative power is a division, which rounds once: 0.05, not 0.05000000000000001.
pub(crate) fn power(digit: u32, exponent: i32) -> f64 {
    let digit = f64::from(digit);
    if exponent < 0 { digit / 10_f64.powi(-exponent) } else { digit * 10_f64.powi(exponent) }
}

fn log_label(digit: u32, exponent: i32) -> String {
    match exponent {
        ..=-5 | 6.. => format!("{digit}e{exponent}"),
        -4..=-1 => format!("{:.*}", usize::try_from(-exponent).unwrap_or(0), power(digit, exponent)),
        0..=5 => grouped(&format!("{:.0}", power(digit, exponent))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn labels(axis: &Axis, values: &[f64], length: f64) -> Vec<String> {
        let ruler = Ruler::new(axis, values.iter().copied(), (0.0, length));
        ruler.ticks(50.0).into_iter().map(|(_, label)| label).collect()
    }

    #[test]
    fn ticks_are_round_numbers() {
        let linear = Axis::linear("x");
        assert_eq!(labels(&linear, &[0.0, 1.0], 250.0), ["0.0", "0.5", "1.0"]);
        assert_eq!(labels(&linear, &[0.0, 15_000.0], 250.0), ["0", "5000", "10,000", "15,000"]);
        assert_eq!(labels(&linear, &[-1.0, 1.0], 250.0), ["−1.0", "−0.5", "0.0", "0.5", "1.0"]);
        assert_eq!(labels(&linear, &[0.0, 0.06], 250.0), ["0.00", "0.02", "0.04", "0.06"]);
        let log = Axis::log("n");
        assert_eq!(labels(&log, &[10.0, 10_000.0], 250.0), ["10", "100", "1000", "10,000"]);
        assert_eq!(labels(&log, &[1.0, 20.0], 250.0), ["1", "2", "5", "10", "20"]);
        assert_eq!(labels(&log, &[0.001, 1.0], 200.0), ["0.001", "0.01", "0.1", "1"]);
    }

    #[test]
    fn a_ruler_holds_all_values_and_survives_a_single_one() {
        for axis in [Axis::linear("x"), Axis::log("x")] {
            for values in [&[3.0, 7.0, 900.0][..], &[5.0], &[], &[0.2, f64::NAN, f64::INFINITY]] {
                let ruler = Ruler::new(&axis, values.iter().copied(), (10.0, 110.0));
                for &value in values.iter().filter(|value| value.is_finite()) {
                    assert!((10.0..=110.0).contains(&ruler.at(value)), "{axis:?} {values:?}");
                }
                assert!(!ruler.ticks(40.0).is_empty());
            }
        }
    }
}
