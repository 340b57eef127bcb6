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
    /// If all of these hold, the claim is confirmed.
    pub holds: Vec<Check>,
    /// If the claim is not confirmed but all of these hold, it is refined: true after a correction.
    #[serde(default)]
    pub refined: Vec<Check>,
    /// What the correction is; shown where the verdict is refined.
    #[serde(default)]
    pub refinement: String,
}

/// What the numbers say about a claim.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Verdict {
    /// It holds as stated.
    Confirmed,
    /// It holds after a correction, or in part.
    Refined,
    /// It does not hold.
    Refuted,
}

/// A verdict with the numbers that decided it.
#[derive(Clone, Debug, PartialEq)]
pub struct Decision {
    /// The claim.
    pub claim: Claim,
    /// The verdict.
    pub verdict: Verdict,
    /// What the checks found, those that decided it first.
    pub findings: Vec<Finding>,
}

impl Claim {
    /// Decides the claim by the numbers.
    #[must_use]
    pub fn decide(&self, table: &ResultTable) -> Decision {
        let found: Vec<Finding> = self.holds.iter().map(|check| check.decide(table)).collect();
        if found.iter().all(|finding| finding.holds) {
            return Decision { claim: self.clone(), verdict: Verdict::Confirmed, findings: found };
        }
        let mut findings: Vec<Finding> = found.into_iter().filter(|finding| !finding.holds).collect();
        let refined: Vec<Finding> = self.refined.iter().map(|check| check.decide(table)).collect();
        let holds = !refined.is_empty() && refined.iter().all(|finding| finding.holds);
        let verdict = if holds { Verdict::Refined } else { Verdict::Refuted };
        findings.extend(refined);
        Decision { claim: self.clone(), verdict, findings }
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

    #[test]
    fn verdicts_follow_the_numbers() {
        let claim: Claim = toml::from_str(
            "id = 'a'\ntext = 't'\nsource = 's'\n\
             holds = [{ check = 'at-most', of = 'loss', is = 1 }]\n\
             refined = [{ check = 'at-most', of = 'loss', is = 2 }]",
        )
        .expect("valid");
        for (value, verdict) in [
            (0.5, Verdict::Confirmed),
            (1.5, Verdict::Refined),
            (2.5, Verdict::Refuted),
            (f64::NAN, Verdict::Refuted),
        ] {
            let mut table = ResultTable::default();
            table.push("", "s", "loss", None, value);
            let decision = claim.decide(&table);
            assert_eq!(decision.verdict, verdict, "{value}");
            assert!(!decision.findings.is_empty());
        }
    }
}
