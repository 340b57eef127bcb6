//! Digests of documents and texts.

use serde_json::Value;
use sha2::{Digest, Sha256};

use crate::hexadecimal::hex;

/// The digest of the parts of a document from which the rest is derived: the SHA-256 of their JSON without the digest
/// and the signature themselves, written without spaces and with the keys of each object in alphabetical order.
pub(crate) fn digest_of(mut parts: Value) -> String {
    if let Some(provenance) = parts.get_mut("provenance").and_then(Value::as_object_mut) {
        provenance.remove("digest");
        provenance.remove("signature");
    }
    parts.sort_all_objects();
    text_digest(&parts.to_string())
}

/// The digest of a text.
pub(crate) fn text_digest(text: &str) -> String {
    hex(&Sha256::digest(text.as_bytes()))
}
