//! Claims of the research, and what our numbers say about them.

use std::fmt;

use serde::Deserialize;

use crate::check::{Check, Finding};
use crate::table::ResultTable;

/// A sentence of the research, with the checks that decide it.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Claim {
    /// The name by which conclusions refer to it; unique in its file.
    pub id: String,
    /// The claim in a sentence.
    pub text: String,
    /// The file that it is from, and the place in it.
    pub source: String,
    /// The comparisons that decide it.
    pub holds: Vec<Check>,
    /// What is right instead; shown where the claim is not confirmed.
    #[serde(default)]
    pub instead: String,
    /// The checks of that sentence. It is shown only if they hold, and they do not affect the verdict.
    #[serde(default)]
    pub instead_holds: Vec<Check>,
}

/// What the numbers say about a claim.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Verdict {
    /// All of its comparisons hold.
    Confirmed,
    /// Some of its comparisons hold and some do not.
    Refined,
    /// None of its comparisons holds.
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

/// A verdict with the numbers that decided it.
#[derive(Clone, Debug, PartialEq)]
pub struct Decision {
    /// The claim.
    pub claim: Claim,
    /// The verdict.
    pub verdict: Verdict,
    /// What the checks found: those that fail first, then those that are open.
    pub findings: Vec<Finding>,
    /// What is right instead, if the claim is not confirmed and the numbers agree.
    pub instead: Option<Correction>,
}

impl Decision {
    /// The number that decides the claim: that of the first finding, which is one that fails if there is one.
    #[must_use]
    pub fn value(&self) -> Option<f64> {
        self.findings.first().and_then(|finding| finding.value)
    }
}

/// A sentence that is right where a claim is not.
#[derive(Clone, Debug, PartialEq)]
pub struct Correction {
    /// The sentence.
    pub text: String,
    /// What its checks found.
    pub findings: Vec<Finding>,
}

impl Claim {
    /// Decides the claim by the numbers, by one rule for all claims: it is confirmed if all comparisons of all its
    /// checks hold, refuted if all fail, and refined if some hold and some fail. Otherwise it is undecided.
    #[must_use]
    pub fn decide(&self, table: &ResultTable) -> Decision {
        let mut findings: Vec<Finding> = self.holds.iter().map(|check| check.decide(table)).collect();
        let sum = |part: fn(&Finding) -> usize| findings.iter().map(part).sum::<usize>();
        let verdict = Verdict::of(sum(|one| one.holding), sum(Finding::failing), sum(|one| one.undecided));
        findings.sort_by_key(|one| (one.failing() == 0, one.holds()));
        let instead = (verdict != Verdict::Confirmed).then(|| self.correction(table)).flatten();
        Decision { claim: self.clone(), verdict, findings, instead }
    }

    /// The sentence that is right instead, if its checks hold.
    fn correction(&self, table: &ResultTable) -> Option<Correction> {
        let findings: Vec<Finding> = self.instead_holds.iter().map(|check| check.decide(table)).collect();
        let holds = !findings.is_empty() && findings.iter().all(Finding::holds);
        holds.then(|| Correction { text: self.instead.clone(), findings })
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

    /// One rule: all, some or none of the comparisons hold. What was not computed, or is no number, decides nothing.
    #[test]
    fn verdicts_follow_the_numbers() {
        let claim: Claim = toml::from_str(
            "id = 'a'\ntext = 't'\nsource = 's'\n\
             holds = [{ check = 'at-most', of = 'loss', is = 1 }]\n\
             instead = 'At most 2.'\n\
             instead_holds = [{ check = 'at-most', of = 'loss', is = 2 }]",
        )
        .expect("valid");
        for (values, verdict, corrected) in [
            (vec![0.5, 0.7], Verdict::Confirmed, false),
            (vec![0.5, 1.5], Verdict::Refined, true),
            (vec![0.5, 2.5], Verdict::Refined, false),
            (vec![1.2, 1.5], Verdict::Refuted, true),
            (vec![2.5], Verdict::Refuted, false),
            (vec![0.5, f64::NAN], Verdict::Undecided, false),
            (vec![], Verdict::Undecided, false),
        ] {
            let mut table = ResultTable::default();
            for (index, &value) in values.iter().enumerate() {
                table.push("", "s", "loss", Some(index as f64), value);
            }
            let decision = claim.decide(&table);
            assert_eq!((decision.verdict, decision.instead.is_some()), (verdict, corrected), "{values:?}");
            assert!(!decision.findings.is_empty());
        }
    }

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
