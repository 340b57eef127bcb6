//! What the answers must be like, as people agree before anything is drawn.

use posterity::Reading;
use posterity::number::grouped;
use posterity::plan::Requirement;
use posterity_present::{Column, Sheet, Value};
use serde::Serialize;

/// Whether a requirement is met, or expected to be.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Verdict {
    /// What is read.
    pub reading: Reading,
    /// What was required, in words.
    pub required: String,
    /// What was found or is expected, in words.
    pub found: String,
    /// Whether it is met; nothing if that cannot be said.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub met: Option<bool>,
    /// Whether it was required before anything was drawn; nothing if no ledger recorded that.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub before_the_draw: Option<bool>,
}

impl Verdict {
    /// The verdict in a word.
    #[must_use]
    pub fn word(&self) -> &'static str {
        match self.met {
            Some(true) => "met",
            Some(false) => "not met",
            None => "not known",
        }
    }
}

/// The verdicts as a table. Where a ledger recorded what was required before the draw, it says so of each.
#[must_use]
pub fn verdicts_sheet(verdicts: &[Verdict]) -> Sheet<'_> {
    let recorded = verdicts.iter().any(|verdict| verdict.before_the_draw.is_some());
    let mut columns: Vec<Column> = ["reading", "required", "found", "verdict"].map(Column::text).into();
    columns.extend(recorded.then(|| Column::text("agreed")));
    let row = move |verdict: &Verdict| {
        let word = match verdict.met {
            Some(true) => Value::text(verdict.word()),
            _ => Value::Warning(verdict.word().into()),
        };
        let reading = Value::text(verdict.reading.to_string());
        let mut row =
            vec![reading, Value::text(verdict.required.clone()), Value::text(verdict.found.clone()), word];
        row.extend(verdict.before_the_draw.map(|before| {
            if before { Value::text("before the draw") } else { Value::Warning("afterwards".into()) }
        }));
        row
    };
    Sheet::new(columns, verdicts.iter().map(row))
}

/// What is said where nothing can be.
const UNKNOWN: &str = "cannot be said of this release";

fn verdict(requirement: &Requirement, required: String, found: Option<(String, bool)>) -> Verdict {
    let (found, met) = match found {
        Some((found, met)) => (found, Some(met)),
        None => (UNKNOWN.to_owned(), None),
    };
    Verdict { reading: requirement.reading.clone(), required, found, met, before_the_draw: None }
}

/// The requirement as it is written.
pub(crate) fn written(requirement: &Requirement) -> serde_json::Value {
    serde_json::to_value(requirement).unwrap_or_default()
}

/// What is required of how far intervals reach and of the size of groups, each beside what is found.
pub(crate) fn verdicts(
    requirement: &Requirement,
    reach: impl Fn() -> Option<(String, f64)>,
    group: impl Fn() -> Option<(String, f64)>,
) -> Vec<Verdict> {
    let points = requirement.points.map(|most| {
        let found = reach().map(|(found, reach)| (found, 100.0 * reach <= most));
        verdict(requirement, format!("every interval within {most} points"), found)
    });
    let group = requirement.group.map(|least| {
        let found = group().map(|(found, size)| (found, size >= least as f64));
        verdict(requirement, format!("every group has at least {}", grouped(&least.to_string())), found)
    });
    points.into_iter().chain(group).collect()
}
