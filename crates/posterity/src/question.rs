//! The question of a release as text, by which a ledger knows it again.

use posterity_core::mechanism::{Ehd, GlobalSensitivity, Spec};
use posterity_ledger::Unit;
use serde_json::{Value, json};

use crate::about::AboutColumn;
use crate::document::{Calibration, score_of};
use crate::facts::Facts;
use crate::terms::Request;

/// What is asked, in one canonical line: all that changes the law of the draw, and where the data comes from. How the draw is
/// read afterwards is no part of it.
pub(crate) fn question(request: &Request, data: &Facts) -> String {
    text(2, request, data, json!({ "mechanism": request.spec() }))
}

/// The same question as version 1 wrote it. A ledger that was used before holds answers to such questions.
pub(crate) fn first_version(request: &Request, data: &Facts) -> String {
    let spec = request.spec();
    let mut mechanism = json!({
        "mechanism": spec.name(),
        "gamma": spec.number("gamma"),
        "delta": spec.number("delta"),
        "consistent": spec.has_flag("consistent"),
        "published_sensitivity": has_published_sensitivity(spec),
        "calibration": Calibration::of(spec),
    });
    // Version 1 knew no other score, so no answer to it may be taken for one with another score.
    if let (Some(score), Value::Object(mechanism)) = (score_of(spec), &mut mechanism) {
        mechanism.insert("score".to_owned(), Value::String(score));
    }
    text(1, request, data, mechanism)
}

/// The text of a question. Its keys are in alphabetical order.
fn text(version: u32, request: &Request, data: &Facts, mechanism: Value) -> String {
    let setting = request.setting();
    let mut question = json!({
        "version": version,
        "data": data.description.as_ref().map_or_else(|| unnamed(data), ToOwned::to_owned),
        "unit": data.unit(),
        "categories": data.categories.names(),
        "n": setting.n(),
        "prior": setting.prior(),
        "epsilon": setting.epsilon().rational().to_string(),
    });
    if let (Value::Object(question), Value::Object(mechanism)) = (&mut question, mechanism) {
        question.extend(mechanism);
    }
    question.to_string()
}

/// Whom a question of a ledger of format 1 protects; nothing if it is not a text that [`question`] or [`first_version`] wrote.
pub(crate) fn unit_of(question: &str) -> Option<Unit> {
    let asked: Value = serde_json::from_str(question).ok()?;
    if !matches!(asked["version"].as_u64(), Some(1 | 2)) {
        return None;
    }
    match asked.get("unit")? {
        Value::Null => Some(Unit::RECORD),
        Value::String(column) => Unit::column(column.as_str()).ok(),
        _ => None,
    }
}

fn has_published_sensitivity(spec: &Spec) -> bool {
    spec.loose() == &Spec::from(Ehd { sensitivity: GlobalSensitivity::Published, ..Ehd::default() })
}

/// Data without a name is described by its columns. It is never taken for the same as other data.
fn unnamed(data: &Facts) -> String {
    let about = &data.about;
    if about.columns.is_empty() {
        return "counts".to_owned();
    }
    // The categories are a part of the question already.
    let columns: Vec<AboutColumn> =
        about.columns.iter().map(|column| AboutColumn { values: None, ..column.clone() }).collect();
    json!({
        "version": 1, "columns": columns, "where": about.filter, "unit": about.unit, "per_unit": about.per_unit
    })
    .to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn units_are_read_from_questions_only() {
        let patient = Unit::column("patient").ok();
        for (question, unit) in [
            (r#"{"version":2,"unit":null}"#, Some(Unit::RECORD)),
            (r#"{"version":1,"unit":"patient"}"#, patient),
            (r#"{"version":3,"unit":null}"#, None),
            (r#"{"version":2}"#, None),
            (r#"{"version":2,"unit":7}"#, None),
            (r#"{"unit":null}"#, None),
            ("geometric; epsilon 1", None),
        ] {
            assert_eq!(unit_of(question), unit, "{question}");
        }
    }
}
