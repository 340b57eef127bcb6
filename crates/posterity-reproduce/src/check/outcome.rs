//! What one comparison says, if sampling leaves it open or not.

use super::word::SIGMAS;
use crate::table::ResultRow;

/// What one comparison says, from the worst to the best.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Outcome {
    /// The numbers contradict it.
    Fails,
    /// The numbers were sampled, and the difference is too small to tell.
    Undecided,
    /// The numbers agree with it.
    Holds,
}

/// How far numbers are from what a comparison demands.
#[derive(Clone, Copy, Debug)]
pub(super) struct Gap {
    /// Positive if they miss it, negative if they keep it.
    pub(super) over: f64,
    /// How much of that sampling may explain; zero if all numbers are exact.
    pub(super) slack: f64,
}

impl Gap {
    /// Whether the demand is kept, where meeting it exactly is enough.
    pub(super) fn outcome(self) -> Outcome {
        self.judge(self.over + self.slack <= 0.0)
    }

    /// Whether the demand is kept, where meeting it exactly is not enough.
    pub(super) fn strict_outcome(self) -> Outcome {
        match self.judge(self.over + self.slack < 0.0) {
            Outcome::Undecided if self.slack == 0.0 => Outcome::Fails,
            outcome => outcome,
        }
    }

    fn judge(self, holds: bool) -> Outcome {
        match (holds, self.over - self.slack > 0.0) {
            (true, _) => Outcome::Holds,
            (false, true) => Outcome::Fails,
            (false, false) => Outcome::Undecided,
        }
    }
}

/// How far a sampled number may be from the truth; zero if it is exact.
pub(super) fn slack(row: &ResultRow) -> f64 {
    SIGMAS * row.error.unwrap_or(0.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// If this fails, a difference that sampling explains is taken for a verdict, or an exact one is not.
    #[test]
    fn what_sampling_explains_is_undecided() {
        for (over, slack, outcome, strict) in [
            (-1.0, 0.0, Outcome::Holds, Outcome::Holds),
            (0.0, 0.0, Outcome::Holds, Outcome::Fails),
            (1.0, 0.0, Outcome::Fails, Outcome::Fails),
            (-1.0, 0.5, Outcome::Holds, Outcome::Holds),
            (-1.0, 1.5, Outcome::Undecided, Outcome::Undecided),
            (1.0, 1.5, Outcome::Undecided, Outcome::Undecided),
            (1.0, 0.5, Outcome::Fails, Outcome::Fails),
        ] {
            let gap = Gap { over, slack };
            assert_eq!((gap.outcome(), gap.strict_outcome()), (outcome, strict), "{gap:?}");
        }
    }
}
