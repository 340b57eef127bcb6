//! The search for windows that are deep enough.

use super::NoiseAware;
use super::joint::Joint;

/// Where a search for windows stands.
#[derive(Clone, Copy, Debug)]
pub(super) struct Search {
    /// Windows hold every count whose weight is at least `exp(-depth)` of the largest.
    pub(super) depth: f64,
    /// The tilt for which the next windows are made.
    pub(super) tilt: f64,
    /// The number of the attempt.
    pub(super) tries: usize,
}

/// Why an attempt gave no posterior.
pub(super) enum Missed<E> {
    /// No counts within the windows sum to n.
    NoSum,
    /// The windows for the tilt `start` cut off `excess` times too much at the tilt that was found.
    CutOff { excess: f64, start: f64, found: f64 },
    /// Other windows would not help.
    GivenUp(E),
}

impl<E> Missed<E> {
    /// What a joint law misses if its windows are not deep enough.
    pub(super) fn check(joint: &Joint, start: f64, found: f64) -> Result<(), Self> {
        let excess = joint.excess();
        if excess > 1.0 { Err(Self::CutOff { excess, start, found }) } else { Ok(()) }
    }
}

impl Search {
    /// Makes attempts with ever deeper windows until one succeeds or gives up.
    pub(super) fn run<E>(
        mut self,
        attempt: impl Fn(Self) -> Result<NoiseAware, Missed<E>>,
    ) -> Result<NoiseAware, E> {
        loop {
            match attempt(self) {
                Ok(aware) => return Ok(aware),
                Err(Missed::GivenUp(error)) => return Err(error),
                Err(Missed::NoSum) => self.depth *= 2.0,
                Err(Missed::CutOff { excess, start, found }) => {
                    self.depth = self.deeper(excess, start, found);
                    self.tilt = found;
                }
            }
            self.tries += 1;
        }
    }

    /// The depth of the next windows. What windows cut off falls as the exponential of their depth; if it does not
    /// after some tries, they are made twice as deep. At another tilt, windows that are hardly deeper may do.
    fn deeper(self, excess: f64, start: f64, found: f64) -> f64 {
        if start != found {
            return 1.1 * self.depth;
        }
        let more = libm::log(excess).max(1.0) + 1.0;
        if self.tries < 4 && more < self.depth { self.depth + more } else { 2.0 * self.depth }
    }
}
