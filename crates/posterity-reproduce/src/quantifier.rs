//! What a claim speaks of: everything, something, an average, or the settings that it names.

use std::fmt;

use serde::Deserialize;

use crate::check::Finding;
use crate::verdict::Verdict;

/// What a claim speaks of. One counterexample refutes a statement about everything; a grid that we chose is no part of
/// it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Quantifier {
    /// Everything: one comparison that fails refutes it.
    ForAll,
    /// Something: one comparison of each check that holds confirms it.
    ThereIs,
    /// The average over the settings: each check compares averages.
    OnAverage,
    /// The settings that it names, each for itself.
    InTheseSettings,
}

impl Quantifier {
    /// The verdict on a claim whose checks found this.
    pub(crate) fn verdict(self, findings: &[Finding]) -> Verdict {
        let sum = |part: fn(&Finding) -> usize| findings.iter().map(part).sum::<usize>();
        let parts = (sum(|one| one.holding), sum(Finding::failing), sum(|one| one.undecided));
        match self {
            Self::InTheseSettings => Verdict::of(parts.0, parts.1, parts.2),
            Self::ForAll | Self::OnAverage => all_of(parts),
            Self::ThereIs => {
                let found: Vec<Verdict> = findings.iter().map(some_of).collect();
                let count = |verdict| found.iter().filter(|one| **one == verdict).count();
                all_of((count(Verdict::Confirmed), count(Verdict::Refuted), count(Verdict::Undecided)))
            }
        }
    }
}

/// Refuted by one part that fails, confirmed if all hold.
fn all_of((holding, failing, open): (usize, usize, usize)) -> Verdict {
    match (holding, failing, open) {
        (_, 1.., _) => Verdict::Refuted,
        (1.., 0, 0) => Verdict::Confirmed,
        _ => Verdict::Undecided,
    }
}

/// Confirmed by one part that holds, refuted if all fail.
fn some_of(finding: &Finding) -> Verdict {
    match (finding.holding, finding.failing(), finding.undecided) {
        (1.., _, _) => Verdict::Confirmed,
        (0, 1.., 0) => Verdict::Refuted,
        _ => Verdict::Undecided,
    }
}

impl fmt::Display for Quantifier {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::ForAll => "for all",
            Self::ThereIs => "there is",
            Self::OnAverage => "on average",
            Self::InTheseSettings => "in these settings",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn finding(holding: usize, failing: usize, undecided: usize) -> Finding {
        Finding { comparisons: holding + failing + undecided, holding, undecided, ..Finding::default() }
    }

    /// If this fails, a statement about everything survives a counterexample. All findings of up to two checks with up to
    /// two comparisons of each outcome.
    #[test]
    fn a_counterexample_refutes_what_is_said_of_all() {
        let some: Vec<Finding> = (0..27).map(|i| finding(i % 3, i / 3 % 3, i / 9)).collect();
        for one in &some {
            for other in &some {
                let both = [one.clone(), other.clone()];
                let failing = one.failing() + other.failing();
                for quantifier in [Quantifier::ForAll, Quantifier::OnAverage, Quantifier::ThereIs] {
                    assert_ne!(quantifier.verdict(&both), Verdict::Refined, "{both:?}");
                }
                let found = Quantifier::ForAll.verdict(&both);
                assert_eq!(found == Verdict::Refuted, failing > 0, "{both:?}");
                let holds = one.holding + other.holding > 0 && failing + one.undecided + other.undecided == 0;
                assert_eq!(found == Verdict::Confirmed, holds, "{both:?}");
            }
        }
    }

    /// One example is enough for each check of what is said of something, and nothing else is.
    #[test]
    fn an_example_confirms_what_is_said_of_something() {
        for (findings, verdict) in [
            (vec![finding(1, 5, 2)], Verdict::Confirmed),
            (vec![finding(0, 5, 0)], Verdict::Refuted),
            (vec![finding(0, 5, 1)], Verdict::Undecided),
            (vec![finding(1, 5, 0), finding(0, 2, 0)], Verdict::Refuted),
            (vec![finding(1, 5, 0), finding(0, 0, 2)], Verdict::Undecided),
            (vec![], Verdict::Undecided),
        ] {
            assert_eq!(Quantifier::ThereIs.verdict(&findings), verdict, "{findings:?}");
        }
    }
}
