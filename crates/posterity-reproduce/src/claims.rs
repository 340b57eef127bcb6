//! All claims with their verdicts, one to a line, for programs that check them.

use posterity::number::digits;
use posterity_present::{Column, Sheet, Value, csv};

use crate::check::Finding;
use crate::claim::Decision;
use crate::run::ExperimentResult;

const COLUMNS: [&str; 10] = [
    "experiment",
    "claim",
    "source",
    "quantifier",
    "law",
    "distance",
    "verdict",
    "region",
    "value",
    "because",
];

/// Comma-separated values with a header (RFC 4180), one line for each claim. `value` is the number that decides the
/// claim, and `because` says what each of its checks found.
#[must_use]
pub fn claims(results: &[ExperimentResult]) -> String {
    let rows = results.iter().flat_map(|one| one.decisions.iter().map(move |decision| line(one, decision)));
    csv::text(Sheet::new(COLUMNS.map(Column::text).into(), rows))
}

fn line<'r>(result: &'r ExperimentResult, decision: &'r Decision) -> Vec<Value<'r>> {
    vec![
        Value::text(&result.name),
        Value::text(&decision.claim.id),
        Value::text(&decision.claim.source),
        Value::text(decision.claim.quantifier.to_string()),
        Value::text(decision.claim.law.to_string()),
        Value::text(decision.claim.distance.to_string()),
        Value::text(decision.verdict.to_string()),
        decision.region.as_deref().map_or(Value::Missing, Value::text),
        decision.value().map_or(Value::Missing, |value| Value::text(digits(value))),
        Value::text(because(decision)),
    ]
}

/// What the checks found, and what is right instead.
fn because(decision: &Decision) -> String {
    let instead = decision.instead.iter().map(|instead| instead.text.clone());
    let found = decision.findings.iter().map(|found| format!("{} [{}]", found.evidence.trim(), sign(found)));
    instead.chain(found).collect::<Vec<_>>().join("; ")
}

/// How many comparisons hold, in a word or two.
pub(crate) fn sign(finding: &Finding) -> String {
    match (finding.holding, finding.undecided, finding.failing()) {
        (_, 0, 0) => "holds".to_owned(),
        (0, 0, _) => "fails".to_owned(),
        (0, _, 0) => "undecided".to_owned(),
        (holding, 0, _) => format!("{holding} of {} hold", finding.comparisons),
        (holding, open, _) => format!("{holding} of {} hold, {open} undecided", finding.comparisons),
    }
}
