//! Where a document comes from: its digest, its question and its place in a ledger.

use posterity_ledger::StoredRelease;
use serde::{Deserialize, Serialize};

use crate::agreed::Agreed;
use crate::digest::text_digest;
use crate::signature::Signature;

/// By what a reader can find out whether a document is the one that was charged and recorded.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct Provenance {
    /// The SHA-256 of the question that was charged, as the ledger holds it.
    pub question: String,
    /// The head of the ledger after the charge: the number of its entry and its hash.
    pub head: String,
    /// Which answer of the charge it is, from 0, where several questions were charged together.
    #[serde(skip_serializing_if = "is_zero", default)]
    pub answer: usize,
    /// When it was drawn. The data may have changed since.
    pub drawn: String,
    /// The plan that it belongs to, as it was when the ledger charged it.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub agreed: Option<Agreed>,
    /// The SHA-256 of the parts of the document from which the rest is derived.
    pub digest: String,
    /// A signature of the digest.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub signature: Option<Signature>,
}

fn is_zero(number: &usize) -> bool {
    *number == 0
}

impl Provenance {
    /// The provenance of one answer of a charge, before its digest is known.
    pub(crate) fn charged(stored: &StoredRelease, answer: usize) -> Self {
        Self {
            question: text_digest(&stored.question),
            head: stored.head.to_string(),
            answer,
            drawn: stored.recorded.to_string(),
            agreed: Agreed::of(stored),
            digest: String::new(),
            signature: None,
        }
    }
}
