//! Where a document comes from: its digest, its question and its place in a ledger.

use posterity_ledger::Head;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use sha2::{Digest, Sha256};

use crate::hexadecimal::hex;
use crate::signature::Signature;

/// By what a reader can find out whether a document is the one that was charged and recorded.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Provenance {
    /// The SHA-256 of the question that was charged, as the ledger holds it.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub question: Option<String>,
    /// The head of the ledger after the charge: the number of its entry and its hash.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub head: Option<String>,
    /// The digest of the recorded document, if this one is another reading of the same draw.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub reading_of: Option<String>,
    /// The SHA-256 of this document without its readings; see [`digest`].
    pub digest: String,
    /// A signature of the digest.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub signature: Option<Signature>,
}

/// What follows from the rest of a document.
const FOLLOWING: [&str; 2] = ["readings", "comparisons"];

/// The digest of a document: the SHA-256 of its JSON without the digest and the signature themselves, written without spaces and with the
/// keys of each object in alphabetical order. Readings and comparisons are left out: they follow from the rest, and anyone can compute them
/// from the document.
///
/// # Errors
/// If the text is not JSON.
pub fn digest(text: &str) -> Result<String, serde_json::Error> {
    Ok(digest_of(serde_json::from_str(text)?))
}

/// The digest of a document that was read.
pub(crate) fn digest_of(mut value: Value) -> String {
    if let Some(provenance) = value.get_mut("provenance").and_then(Value::as_object_mut) {
        provenance.remove("digest");
        provenance.remove("signature");
    }
    if let Some(document) = value.as_object_mut() {
        FOLLOWING.iter().for_each(|field| drop(document.remove(*field)));
    }
    value.sort_all_objects();
    hex(&Sha256::digest(value.to_string().as_bytes()))
}

/// The digest of a text.
pub(crate) fn text_digest(text: &str) -> String {
    hex(&Sha256::digest(text.as_bytes()))
}

impl Provenance {
    /// The provenance of a charged document, before its digest is known.
    pub(crate) fn charged(question: &str, head: Head, reading_of: Option<String>) -> Self {
        let (question, head) = (Some(text_digest(question)), Some(head.to_string()));
        Self { question, head, reading_of, digest: String::new(), signature: None }
    }
}
