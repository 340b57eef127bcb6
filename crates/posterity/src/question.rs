//! The questions of a charge as text, by which a ledger knows them again.

use serde_json::{Value, json};

use posterity_core::model::Adjacency;

use crate::about::{About, AboutColumn};
use crate::facts::Facts;
use crate::terms::{Terms, TermsError};

/// Questions that are charged together, in one canonical line: of each, all that changes the law of its draw, and where
/// the data comes from. The keys are in alphabetical order. How the draws are read afterwards is not part of it, and
/// neither is the number of records, so that questions are known before anything is counted.
pub(crate) fn question(parts: Vec<Value>) -> String {
    json!({ "version": 1, "questions": parts }).to_string()
}

/// One of them.
///
/// # Errors
/// [`TermsError`] if the prior is for another number of categories.
pub(crate) fn part(terms: &Terms, data: &Facts) -> Result<Value, TermsError> {
    let mut part = json!({
        "data": data.description.as_ref().map_or_else(|| unnamed(&data.about), ToOwned::to_owned),
        "epsilon": terms.epsilon.rational().to_string(),
        "mechanism": terms.spec,
    });
    if terms.adjacency != Adjacency::Replace {
        part["adjacency"] = json!(terms.adjacency);
    }
    if let Some(edition) = &data.about.edition {
        part["edition"] = json!(edition);
    }
    // Where the prior does not change the draw, another prior only reads it in another way.
    if terms.spec.description().uses_prior {
        // Any number of records serves to find the prior.
        let setting = terms.setting(data.categories.names().len(), 1)?;
        part["prior"] = json!(setting.prior());
    }
    // A description with columns names their values.
    if data.about.columns.is_empty() {
        part["categories"] = json!(data.categories);
    }
    Ok(part)
}

/// Data without a name is described by its columns. It is never taken for the same as other data.
pub(crate) fn unnamed(about: &About) -> String {
    if about.columns.is_empty() {
        return "counts".to_owned();
    }
    let columns: Vec<_> = about.columns.iter().map(AboutColumn::counted).collect();
    json!({
        "version": 1, "columns": columns, "where": about.filter, "unit": about.unit, "per_unit": about.per_unit
    })
    .to_string()
}
