//! The mean of a sample, and how well it is known.

/// The mean and the sum of squared differences from it, after Welford (1962).
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Moments {
    number: f64,
    mean: f64,
    squares: f64,
}

/// A mean is precise enough if its standard error is at most this share of it.
const PRECISE: f64 = 0.002;

impl Moments {
    pub(super) fn add(&mut self, value: f64) {
        self.number += 1.0;
        let difference = value - self.mean;
        self.mean += difference / self.number;
        self.squares += difference * (value - self.mean);
    }

    pub(super) fn mean(&self) -> f64 {
        self.mean
    }

    /// The standard error of the mean.
    pub(super) fn error(&self) -> f64 {
        (self.squares / (self.number - 1.0).max(1.0) / self.number.max(1.0)).sqrt()
    }

    pub(super) fn is_precise(&self) -> bool {
        self.error() <= PRECISE * self.mean
    }
}
