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
}

/// A verdict with the numbers that decided it.
#[derive(Clone, Debug, PartialEq)]
pub struct Decision {
    /// The claim.
    pub claim: Claim,
    /// The verdict.
    pub verdict: Verdict,
    /// What the checks found, those that do not hold first.
    pub findings: Vec<Finding>,
    /// What is right instead, if the claim is not confirmed and the numbers agree.
    pub instead: Option<Correction>,
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
    /// checks hold, refuted if none does, and refined otherwise.
    #[must_use]
    pub fn decide(&self, table: &ResultTable) -> Decision {
        let mut findings: Vec<Finding> = self.holds.iter().map(|check| check.decide(table)).collect();
        let comparisons: usize = findings.iter().map(|finding| finding.comparisons).sum();
        let verdict = match findings.iter().map(|finding| finding.holding).sum::<usize>() {
            0 => Verdict::Refuted,
            holding if holding == comparisons => Verdict::Confirmed,
            _ => Verdict::Refined,
        };
        findings.sort_by_key(Finding::holds);
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
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// One rule: all, some or none of the comparisons hold.
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
            (vec![0.5, f64::NAN], Verdict::Refuted, false),
            (vec![], Verdict::Refuted, false),
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
}
