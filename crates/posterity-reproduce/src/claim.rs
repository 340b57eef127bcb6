//! Claims of the research, and what our numbers say about them.

use std::fmt;

use serde::Deserialize;

use crate::check::{Check, Finding};
use crate::quantifier::Quantifier;
use crate::region;
use crate::table::ResultTable;
use crate::verdict::Verdict;

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
    /// What it speaks of.
    pub quantifier: Quantifier,
    /// Which law of the mechanisms it is about.
    #[serde(default)]
    pub law: LawReading,
    /// Which distance it is about.
    #[serde(default)]
    pub distance: DistanceReading,
    /// The comparisons that decide it.
    pub holds: Vec<Check>,
    /// What is right instead; shown where the claim is not confirmed.
    #[serde(default)]
    pub instead: String,
    /// The checks of that sentence. It is shown only if they hold, and they do not affect the verdict.
    #[serde(default)]
    pub instead_holds: Vec<Check>,
}

/// The laws that the research gives to its exponential mechanisms.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum LawReading {
    /// That of their definitions, `exp(-epsilon H/(2 S))`, or `4 S` for ehds.
    #[default]
    Defined,
    /// `exp(-epsilon H/S)`, as some sections print it and some pictures show it.
    Printed,
    /// Both, each by itself.
    Both,
}

/// The distances that the research uses.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum DistanceReading {
    /// That of its definition.
    #[default]
    Defined,
    /// That of the scripts that drew the pictures, with `BC^(1/ln N)` in place of BC.
    Drawn,
    /// Both, each by itself.
    Both,
}

impl fmt::Display for LawReading {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Defined => "as defined",
            Self::Printed => "as printed",
            Self::Both => "both",
        })
    }
}

impl fmt::Display for DistanceReading {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Defined => "as defined",
            Self::Drawn => "as drawn",
            Self::Both => "both",
        })
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
    /// The largest region where it holds, if it speaks of everything and is refuted.
    pub region: Option<String>,
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
    /// Decides the claim by the numbers, by the rule of its [`Quantifier`]. What is said of everything is refuted by one
    /// comparison that fails, and the region where it holds is named.
    #[must_use]
    pub fn decide(&self, table: &ResultTable) -> Decision {
        let decide = |check: &Check| match self.quantifier {
            Quantifier::OnAverage => check.decide_on_average(table),
            _ => check.decide(table),
        };
        let mut findings: Vec<Finding> = self.holds.iter().map(decide).collect();
        let verdict = self.quantifier.verdict(&findings);
        let everything = self.quantifier == Quantifier::ForAll && verdict == Verdict::Refuted;
        let region = everything.then(|| region::largest(&findings));
        findings.sort_by_key(|one| (one.failing() == 0, one.holds()));
        let instead = (verdict != Verdict::Confirmed).then(|| self.correction(table)).flatten();
        Decision { claim: self.clone(), verdict, findings, region, instead }
    }

    /// The sentence that is right instead, if its checks hold.
    fn correction(&self, table: &ResultTable) -> Option<Correction> {
        let findings: Vec<Finding> = self.instead_holds.iter().map(|check| check.decide(table)).collect();
        let holds = !findings.is_empty() && findings.iter().all(Finding::holds);
        holds.then(|| Correction { text: self.instead.clone(), findings })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// One rule: all, some or none of the comparisons hold. What was not computed, or is no number, decides nothing.
    #[test]
    fn verdicts_follow_the_numbers() {
        let claim: Claim = toml::from_str(
            "id = 'a'\ntext = 't'\nsource = 's'\nquantifier = 'in-these-settings'\n\
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
}
