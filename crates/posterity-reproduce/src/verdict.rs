//! What the numbers say about a claim.

use std::fmt;

/// What the numbers say about a claim.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Verdict {
    /// The numbers agree with it.
    Confirmed,
    /// Of several settings or parts that it names, it holds for some and not for others.
    Refined,
    /// The numbers contradict it.
    Refuted,
    /// Sampling leaves open whether it is one of these, or nothing was computed to decide it by.
    Undecided,
}

impl Verdict {
    /// All verdicts, in the order of a report.
    pub const ALL: [Self; 4] = [Self::Confirmed, Self::Refined, Self::Refuted, Self::Undecided];

    /// The verdict on what has so many parts that hold, that fail and that are open. A part may do both of the former.
    pub(crate) fn of(holding: usize, failing: usize, open: usize) -> Self {
        match (holding, failing, open) {
            (1.., 0, 0) => Self::Confirmed,
            (0, 1.., 0) => Self::Refuted,
            (1.., 1.., _) => Self::Refined,
            _ => Self::Undecided,
        }
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Confirmed => "confirmed",
            Self::Refined => "refined",
            Self::Refuted => "refuted",
            Self::Undecided => "undecided",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// If this fails, a claim is refuted or confirmed although a part of it is open.
    #[test]
    fn open_parts_leave_a_claim_open_unless_others_decide() {
        for (parts, verdict) in [
            ((2, 0, 0), Verdict::Confirmed),
            ((0, 2, 0), Verdict::Refuted),
            ((1, 1, 0), Verdict::Refined),
            ((1, 1, 1), Verdict::Refined),
            ((1, 0, 1), Verdict::Undecided),
            ((0, 1, 1), Verdict::Undecided),
            ((0, 0, 1), Verdict::Undecided),
            ((0, 0, 0), Verdict::Undecided),
        ] {
            assert_eq!(Verdict::of(parts.0, parts.1, parts.2), verdict, "{parts:?}");
        }
    }
}
