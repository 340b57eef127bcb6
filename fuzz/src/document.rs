//! Documents of releases, which come from anybody.

use posterity::{Certificate, Publication};

/// Reads a document, or a certificate, and what it promises.
pub fn look(bytes: &[u8]) {
    if let Some(text) = crate::text(bytes) {
        let _ = Certificate::from_json(text);
    }
    let Ok(found) = Publication::parse(bytes, "bytes") else { return };
    let _ = (found.guarantee(), found.promises_what_it_should(), found.n());
}
