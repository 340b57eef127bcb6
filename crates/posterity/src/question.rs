//! The question of a release as text, by which a ledger knows it again.

use posterity_core::mechanism::Spec;

use crate::private_data::Data;
use crate::terms::Request;

/// What is asked, in one canonical line: all that changes the law of the draw, and where the data comes from. How the draw is
/// read afterwards is no part of it.
pub(crate) fn question(request: &Request, data: &Data) -> String {
    let setting = request.setting();
    serde_json::json!({
        "version": 2,
        "data": data.description().map_or_else(|| unnamed(data), ToOwned::to_owned),
        "unit": data.unit(),
        "categories": data.categories().names(),
        "n": setting.n(),
        "prior": setting.prior(),
        "mechanism": request.spec(),
        "epsilon": setting.epsilon().rational().to_string(),
    })
    .to_string()
}

/// The same question as version 1 wrote it. A ledger that was used before holds answers to such questions.
pub(crate) fn first_version(request: &Request, data: &Data) -> String {
    let (setting, spec) = (request.setting(), request.spec());
    serde_json::json!({
        "version": 1,
        "data": data.description().map_or_else(|| unnamed(data), ToOwned::to_owned),
        "unit": data.unit(),
        "categories": data.categories().names(),
        "n": setting.n(),
        "prior": setting.prior(),
        "mechanism": spec.name(),
        "gamma": spec.number("gamma"),
        "delta": spec.number("delta"),
        "consistent": spec.has_flag("consistent"),
        "published_sensitivity": has_published_sensitivity(spec),
        "calibration": if spec.is_tight() { "tight" } else { "proven" },
        "epsilon": setting.epsilon().rational().to_string(),
    })
    .to_string()
}

fn has_published_sensitivity(spec: &Spec) -> bool {
    spec.loose()
        == &Spec::from(posterity_core::mechanism::Ehd {
            sensitivity: posterity_core::mechanism::GlobalSensitivity::Published,
        })
}

/// Data without a name is described by its columns. It is never taken for the same as other data.
fn unnamed(data: &Data) -> String {
    let about = data.about();
    if about.columns.is_empty() {
        return "counts".to_owned();
    }
    serde_json::json!({
        "version": 1, "columns": about.columns, "where": about.filter, "unit": about.unit, "per_unit": about.per_unit
    })
    .to_string()
}
