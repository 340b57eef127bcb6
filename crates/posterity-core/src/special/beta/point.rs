//! A point of the unit interval, moved in log-odds.

/// A point of the unit interval and its distance from one; the smaller of the two is exact.
#[derive(Clone, Copy, Debug)]
pub(super) struct Point {
    pub(super) x: f64,
    pub(super) y: f64,
}

impl Point {
    pub(super) const NAN: Self = Self { x: f64::NAN, y: f64::NAN };
    pub(super) const ZERO: Self = Self { x: 0.0, y: 1.0 };

    pub(super) fn new(x: f64) -> Self {
        Self { x, y: 1.0 - x }
    }

    pub(super) fn mirrored(self) -> Self {
        Self { x: self.y, y: self.x }
    }

    /// This point moved by `step` in log-odds.
    pub(super) fn shifted(self, step: f64) -> Self {
        if step < 0.0 {
            return self.mirrored().shifted(-step).mirrored();
        }
        let Self { x, y } = self;
        if step < 0.5 {
            // Only the change is rounded, so that a short step ends at the nearest f64.
            let change = libm::expm1(step) * x * y / (1.0 + x * libm::expm1(step));
            return if x <= y { Self::new(x + change) } else { Self::new(y - change).mirrored() };
        }
        let shrink = y * libm::exp(-step);
        Self { x: x / (x + shrink), y: shrink / (x + shrink) }
    }
}
