//! The density of a proportion as a line.

use std::fmt;
use std::ops::Range;

use posterity_core::model::Beta;
use posterity_core::noise_aware::BetaMixture;
use posterity_core::table::Share;

/// The number of pieces of a line.
const POINTS: u32 = 160;
/// The probability of each tail that an axis leaves out.
const TAIL: f64 = 0.001;
/// The probability of each tail that a line leaves out, because the density is too low to be seen there.
const END: f64 = 1e-5;
/// The least length of an axis. Smaller differences are of no interest.
const LEAST_SPAN: f64 = 1e-4;

/// A density on less than this share of an axis looks like a mere peak.
const NARROW: f64 = 0.12;

/// The distribution of a proportion.
pub(crate) trait Law: fmt::Debug + Send + Sync {
    fn density(&self, x: f64) -> f64;
    fn cdf(&self, x: f64) -> f64;
    fn quantile(&self, p: f64) -> f64;

    /// The range that holds nearly all probability.
    fn bulk(&self) -> [f64; 2] {
        [self.quantile(TAIL), self.quantile(1.0 - TAIL)]
    }

    /// Points of the density over the range where it can be seen. It may be infinite at zero and one.
    fn line(&self) -> Vec<(f64, f64)> {
        let (low, high) = (self.quantile(END), self.quantile(1.0 - END));
        // Near zero or one the line goes to the end, because the density may peak there.
        let low = if low < 0.01 * high { 0.0 } else { low };
        let high = if 1.0 - high < 0.01 * (1.0 - low) { 1.0 } else { high };
        let at = |index: u32| match index {
            0 => low,
            POINTS => high,
            index => low + (high - low) * f64::from(index) / f64::from(POINTS),
        };
        let value = |x: f64| if self.density(x).is_nan() { 0.0 } else { self.density(x) };
        (0..=POINTS).map(|index| (at(index), value(at(index)))).collect()
    }

    /// The height to draw it at: its peak, or, if that is infinite, a little above the highest mean over short pieces
    /// of the axis.
    fn top(&self, axis: &Range<f64>) -> f64 {
        let peak = self.line().iter().map(|point| point.1).fold(0.0, f64::max);
        if peak.is_finite() {
            return peak;
        }
        let width = (0.1 * (self.quantile(0.99) - self.quantile(0.01))).max(0.02 * (axis.end - axis.start));
        let pieces = ((axis.end - axis.start) / width).ceil() as u32;
        let mean = |index: u32| {
            let from = axis.start + f64::from(index) * width;
            (self.cdf(from + width) - self.cdf(from)) / width
        };
        1.2 * (0..pieces).map(mean).fold(0.0, f64::max)
    }
}

impl Law for BetaMixture {
    fn density(&self, x: f64) -> f64 {
        self.density(x)
    }
    fn cdf(&self, x: f64) -> f64 {
        self.cdf(x)
    }
    fn quantile(&self, p: f64) -> f64 {
        self.quantile(p)
    }
}

impl Law for Share {
    fn density(&self, x: f64) -> f64 {
        self.density(x)
    }
    fn cdf(&self, x: f64) -> f64 {
        self.cdf(x)
    }
    fn quantile(&self, p: f64) -> f64 {
        self.quantile(p)
    }
}

impl Law for Beta {
    fn density(&self, x: f64) -> f64 {
        self.density(x)
    }
    fn cdf(&self, x: f64) -> f64 {
        self.cdf(x)
    }
    fn quantile(&self, p: f64) -> f64 {
        self.quantile(p)
    }
}

/// The part of the axis of proportions that holds these ranges. It begins at zero or ends at one if that is near.
pub(crate) fn axis(ranges: impl Iterator<Item = [f64; 2]>) -> Range<f64> {
    let (low, high) =
        ranges.fold((1.0_f64, 0.0_f64), |(low, high), range| (low.min(range[0]), high.max(range[1])));
    let lack = (0.5 * (LEAST_SPAN - (high - low))).max(0.0);
    let (low, high) = (low - lack, high + lack);
    let span = high - low;
    let start = if low < 0.15 * span { 0.0 } else { low - 0.04 * span };
    let end = if 1.0 - high < 0.15 * span { 1.0 } else { high + 0.04 * span };
    start..end
}

/// One part of the axis for each range, all of one length, if on a common axis all of them would be narrow peaks.
pub(crate) fn windows(ranges: &[[f64; 2]]) -> Option<Vec<Range<f64>>> {
    let common = axis(ranges.iter().copied());
    let widest = ranges.iter().map(|[low, high]| high - low).fold(0.0, f64::max);
    if widest > NARROW * (common.end - common.start) {
        return None;
    }
    let length = (1.2 * widest).max(LEAST_SPAN);
    let window = |[low, high]: &[f64; 2]| {
        let start = (0.5 * (low + high - length)).clamp(0.0, 1.0 - length);
        start..start + length
    };
    Some(ranges.iter().map(window).collect())
}

/// The pieces of a line below the top.
pub(crate) fn below(line: &[(f64, f64)], top: f64) -> Vec<Vec<(f64, f64)>> {
    let mut pieces: Vec<Vec<(f64, f64)>> = vec![Vec::new()];
    // Where a line that goes from the first to the second point crosses the top; straight up to an infinite one.
    let crossing = |(x, y): (f64, f64), (over, peak): (f64, f64)| {
        let share = if peak.is_finite() { (top - y) / (peak - y) } else { 1.0 };
        (x + share * (over - x), top)
    };
    for (index, &point) in line.iter().enumerate() {
        let before = index.checked_sub(1).map(|index| line[index]);
        let inside = point.1 <= top;
        match before {
            Some(before) if inside && before.1 > top => pieces.push(vec![crossing(point, before)]),
            Some(before) if !inside && before.1 <= top => {
                if let Some(piece) = pieces.last_mut() {
                    piece.push(crossing(before, point));
                }
            }
            _ => (),
        }
        if let Some(piece) = pieces.last_mut().filter(|_| inside) {
            piece.push(point);
        }
    }
    pieces.retain(|piece| piece.len() > 1);
    pieces
}

#[cfg(test)]
mod tests {
    use posterity_core::model::Dirichlet;

    use super::*;

    fn beta(a: f64, b: f64) -> Beta {
        Dirichlet::new(vec![a, b]).expect("valid").marginal(0).expect("the first")
    }

    #[test]
    fn the_axis_reaches_zero_and_one_only_if_they_are_near() {
        for (range, expected) in [
            ([0.05, 0.95], 0.0..1.0),
            ([0.01, 0.3], 0.0..0.3116),
            ([0.4, 0.5], 0.396..0.504),
            ([0.5, 0.5], 0.499_946..0.500_054),
            ([0.0, 0.0], 0.0..5.4e-5),
        ] {
            let found = axis([range].into_iter());
            assert!((found.start - expected.start).abs() < 1e-12, "{range:?}: {found:?}");
            assert!((found.end - expected.end).abs() < 1e-12, "{range:?}: {found:?}");
        }
    }

    #[test]
    fn narrow_ranges_that_lie_apart_have_windows_of_one_length() {
        assert_eq!(windows(&[[0.1, 0.3], [0.7, 0.9]]), None);
        assert_eq!(windows(&[[0.500, 0.501], [0.499, 0.500]]), None, "narrow, but side by side");
        let found = windows(&[[0.60, 0.61], [0.389, 0.391], [0.0, 0.001]]).expect("windows");
        for (window, expected) in found.iter().zip([0.599..0.611, 0.384..0.396, 0.0..0.012]) {
            assert!((window.start - expected.start).abs() < 1e-12, "{window:?} {expected:?}");
            assert!((window.end - expected.end).abs() < 1e-12, "{window:?} {expected:?}");
        }
    }

    #[test]
    fn a_line_leaves_through_the_top_and_comes_back() {
        let line = [(0.0, f64::INFINITY), (1.0, 1.0), (2.0, 3.0), (3.0, 5.0), (4.0, 1.0)];
        let pieces = below(&line, 2.0);
        assert_eq!(
            pieces,
            [vec![(0.0, 2.0), (1.0, 1.0), (1.5, 2.0)], vec![(3.75, 2.0), (4.0, 1.0)]],
            "{pieces:?}"
        );
        assert_eq!(below(&line[1..], 9.0), [line[1..].to_vec()]);
    }

    /// A finite peak is shown whole. An infinite one is cut where the body of the density can still be seen.
    #[test]
    fn the_top_is_finite() {
        let axis = 0.0..1.0;
        assert!((beta(4.0, 4.0).top(&axis) - 2.1875).abs() < 1e-12, "the density of Beta(4, 4) at its mode");
        assert!((beta(1.0, 20.0).top(&axis) - 20.0).abs() < 1e-12, "the density of Beta(1, 20) at zero");
        for (a, b) in [(0.5, 3.0), (0.05, 0.05), (1e-200, 1e-200), (3.0, 1e-3), (0.999, 40.0)] {
            let law = beta(a, b);
            let top = law.top(&axis);
            assert!(top > 0.0 && top <= 120.0, "{a} {b}: {top}");
            assert!(below(&law.line(), top).iter().flatten().all(|point| point.1 <= top), "{a} {b}");
        }
    }
}
