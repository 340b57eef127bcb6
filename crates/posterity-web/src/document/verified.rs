//! What can be verified of a document: as `posterity verify` does.

use std::path::Path;

use posterity::number::spent;
use posterity::verification::{Verdict, VerificationError, Verified, verify_document};
use posterity::{Ledger, Publication};

use crate::sentence::sentence;

/// What was verified, with the names of the parts.
pub(super) type Found = Vec<(&'static str, String)>;

/// Derives all of a document again and looks for its charge, or says why the document is not to be trusted.
pub(super) fn verified(text: &str, ledger: Option<&Path>) -> Result<(Publication, Found), String> {
    let verified = verify_document(text).map_err(|error| match error {
        // The reason may hold a piece of the file, which may hold records.
        VerificationError::Unreadable { .. } => {
            "This is no document of a release. Choose one that `posterity release --format json` wrote."
                .to_owned()
        }
        other => sentence(other),
    })?;
    let mut found = vec![("Derived again", derived(verified.document()).to_owned())];
    found.push(("Charged", charged(&verified, ledger)?));
    if verified.document().provenance().is_some_and(|one| one.signature.is_some()) {
        let key = "Whose signature it has was not checked: `posterity verify --key` does that.";
        found.push(("Signed", key.to_owned()));
    }
    found.extend(verified.not_checked().iter().map(|what| ("Not checked", what.clone())));
    Ok((verified.document().clone(), found))
}

fn derived(document: &Publication) -> &'static str {
    match document {
        Publication::Margins(_) => {
            "All that it says follows from what was asked, promised and drawn. What its noise costs was computed again, exactly: it \
             is at most what is promised."
        }
        _ => "All that it says follows from what was asked, promised and drawn.",
    }
}

/// The charge in the ledger of these pages. A document that another ledger charged is none of its business; one that
/// differs from what this ledger drew is refused.
pub(super) fn charged(verified: &Verified, ledger: Option<&Path>) -> Result<String, String> {
    let Some(path) = ledger else {
        return Ok("Not checked: these pages keep no ledger.".to_owned());
    };
    let ledger = Ledger::open(path).and_then(|ledger| ledger.verify().map(|_| ledger)).map_err(sentence)?;
    match verified.by_ledger(&ledger) {
        Ok(verdict) => Ok(paid(&verdict)),
        Err(error @ VerificationError::NotCharged) => Ok(sentence(error)),
        Err(error) => Err(sentence(error)),
    }
}

fn paid(verdict: &Verdict) -> String {
    let prices = [("ε", &verdict.epsilon), ("δ", &verdict.delta), ("ρ", &verdict.rho)];
    let prices = prices.into_iter().filter_map(|(name, amount)| Some((name, amount.as_ref()?)));
    let prices: Vec<String> = prices.map(|(name, amount)| format!("{name} = {}", spent(amount))).collect();
    format!(
        "Entry {} of this ledger says the same: {} of account {}, charged at {}.",
        verdict.entry,
        prices.join(", "),
        verdict.account,
        verdict.charged
    )
}
