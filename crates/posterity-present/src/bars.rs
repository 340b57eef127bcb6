//! Intervals as bars in a table of a page.

use maud::{Markup, html};

/// The range on which the bars of a table are drawn.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bars {
    low: f64,
    high: f64,
    /// Where a line marks "no difference", if there is such a place.
    neutral: Option<f64>,
}

impl Bars {
    /// From zero, or from the least interval if there is something below it, to the end of the last.
    #[must_use]
    pub fn of(intervals: impl Iterator<Item = [f64; 2]>) -> Self {
        let ends = intervals.map(|ends| ends.map(|end| if end.is_finite() { end } else { 0.0 }));
        let (low, high) = ends.fold((0.0_f64, 0.0_f64), |(low, high), [a, b]| (low.min(a), high.max(b)));
        Self { low, high: if high > low { high } else { low + 1.0 }, neutral: (low < 0.0).then_some(0.0) }
    }

    /// The interval and the neutral place.
    #[must_use]
    pub fn around(neutral: f64, [low, high]: [f64; 2]) -> Self {
        // An end that is infinite goes to the edge.
        let ends = [high - neutral, neutral - low].map(f64::abs).into_iter().filter(|far| far.is_finite());
        let far = ends.fold(1e-12, f64::max) * 1.1;
        Self { low: neutral - far, high: neutral + far, neutral: Some(neutral) }
    }

    /// A bar for an interval, with a mark at its middle value if that is a number. The numbers stand beside it, so it has
    /// no text.
    #[must_use]
    pub fn bar(self, middle: f64, [low, high]: [f64; 2]) -> Markup {
        let place = |value: f64| 100.0 * ((value - self.low) / (self.high - self.low)).clamp(0.0, 1.0);
        let (from, to) = (place(low), place(high));
        let neutral = self.neutral.map(|at| place(at) - 0.3);
        let mark = (!middle.is_nan()).then(|| (place(middle) - 0.45).clamp(0.0, 99.1));
        let two = |number: f64| format!("{number:.2}");
        html! {
            svg.bar viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true" {
                rect.bar-rail x="0" y="4.5" width="100" height="1" {}
                @if let Some(x) = neutral { rect.bar-neutral x=(two(x)) y="0" width="0.6" height="10" {} }
                rect.bar-range x=(two(from)) y="2.5" width=(two((to - from).max(0.6))) height="5" {}
                @if let Some(x) = mark { rect.bar-middle x=(two(x)) y="1" width="0.9" height="8" {} }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn drawn(bars: Bars, middle: f64, interval: [f64; 2]) -> String {
        bars.bar(middle, interval).into_string()
    }

    #[test]
    fn bars_stay_within_their_scale() {
        let shares = Bars::of([[0.1, 0.4], [0.2, 0.8]].into_iter());
        assert!(
            drawn(shares, 0.2, [0.1, 0.4])
                .contains("class=\"bar-range\" x=\"12.50\" y=\"2.5\" width=\"37.50\"")
        );
        assert!(!drawn(shares, 0.2, [0.1, 0.4]).contains("bar-neutral"));
        assert!(drawn(shares, 0.2, [0.1, 0.4]).contains("bar-middle"));
        assert!(!drawn(shares, f64::NAN, [0.1, 0.4]).contains("bar-middle"));
        let difference = Bars::around(0.0, [-0.1, 0.3]);
        assert!(drawn(difference, 0.1, [-0.1, 0.3]).contains("class=\"bar-neutral\" x=\"49.70\""));
        assert!(!drawn(Bars::around(1.0, [0.5, f64::INFINITY]), 2.0, [0.5, f64::INFINITY]).contains("NaN"));
        assert_eq!(Bars::of(std::iter::empty()), Bars { low: 0.0, high: 1.0, neutral: None });
    }
}
