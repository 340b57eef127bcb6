//! The axes of curves against epsilon.

use maud::{Markup, html};

use super::{WIDTH, label, line};
use crate::slider::{LARGEST, SMALLEST};

/// The frame of a picture of curves against epsilon.
pub(super) struct Frame {
    pub(super) height: f64,
    /// The largest value of the upright axis; it starts at zero.
    pub(super) top: f64,
}

const LEFT: f64 = 48.0;
const RIGHT: f64 = 12.0;
const ABOVE: f64 = 14.0;
const BELOW: f64 = 44.0;

impl Frame {
    pub(super) fn x(&self, epsilon: f64) -> f64 {
        let share = (epsilon / SMALLEST).ln() / (LARGEST / SMALLEST).ln();
        LEFT + (WIDTH - LEFT - RIGHT) * share.clamp(0.0, 1.0)
    }

    pub(super) fn y(&self, value: f64) -> f64 {
        let floor = self.height - BELOW;
        floor - (floor - ABOVE) * (value / self.top).clamp(0.0, 1.0)
    }

    /// Both axes, and the upright line at the chosen budget.
    pub(super) fn axes(&self, written: impl Fn(f64) -> String, below: &str, chosen: f64) -> Markup {
        let floor = self.height - BELOW;
        let x = self.x(chosen);
        html! {
            @for part in 0..=4 {
                @let value = self.top * f64::from(part) / 4.0;
                @let y = self.y(value);
                (line((LEFT, y), (WIDTH - RIGHT, y), if part == 0 { "axis" } else { "grid" }))
                (label(LEFT - 6.0, y + 4.0, "tick end", &written(value)))
            }
            @for (epsilon, text) in [(0.01, "0.01"), (0.1, "0.1"), (1.0, "1"), (10.0, "10")] {
                @let x = self.x(epsilon);
                @let (place, anchor) = if epsilon == 10.0 { (x + 4.0, "tick end") } else { (x, "tick middle") };
                (line((x, floor), (x, floor + 5.0), "axis"))
                (label(place, floor + 19.0, anchor, text))
            }
            (label(0.5 * (LEFT + WIDTH - RIGHT), floor + 38.0, "tick middle", below))
            (line((x, ABOVE), (x, floor), "chosen"))
        }
    }
}

/// The next round number above: 1, 2, 4, 5 or 8 times a power of ten. A quarter of it is round, too.
pub(super) fn round_up(value: f64) -> f64 {
    let power = 10_f64.powf(value.max(1e-9).log10().floor());
    [1.0, 2.0, 4.0, 5.0, 8.0, 10.0]
        .map(|digit| digit * power)
        .into_iter()
        .find(|one| *one >= value)
        .unwrap_or(value)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn round_numbers() {
        for (value, expected) in
            [(0.9, 1.0), (1.0, 1.0), (1.1, 2.0), (23.0, 40.0), (47.3, 50.0), (0.031, 0.04)]
        {
            assert!((round_up(value) / expected - 1.0).abs() < 1e-12, "{value}: {}", round_up(value));
        }
    }

    #[test]
    fn the_scale_is_logarithmic() {
        let frame = Frame { height: 300.0, top: 1.0 };
        let steps = [0.01, 0.1, 1.0, 10.0].map(|epsilon| frame.x(epsilon));
        assert!(steps.windows(2).all(|pair| (pair[1] - pair[0] - (steps[1] - steps[0])).abs() < 1e-9));
        assert_eq!(frame.x(1e-9), steps[0]);
    }
}
