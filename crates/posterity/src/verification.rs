//! Whether a document is the one that was charged and recorded, or signed.

use posterity_ledger::{Amount, Head, Ledger, LedgerError, StoredRelease, Timestamp};
use serde::Serialize;
use serde_json::Value;
use thiserror::Error;

use crate::document::Document;
use crate::provenance::{Provenance, digest_of, text_digest};
use crate::signature::{PublicKey, SignatureError};

/// What a document turned out to be.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Verdict {
    /// Whether it is the recorded document itself, or another reading of it.
    pub kind: Kind,
    /// The account that paid.
    pub account: String,
    /// The number of the charge.
    pub entry: u64,
    /// When it was charged.
    pub charged: Timestamp,
    /// The epsilon that was charged.
    pub epsilon: Amount,
    /// The head of the ledger after the charge.
    pub head: Head,
}

/// How a document relates to what a ledger holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    /// It is the document that was charged and recorded, in every field.
    Recorded,
    /// It reads the recorded draw: with another level or decoder than the recorded document, or as one answer of a batch, of which only the
    /// draws are recorded. The draw and the promise are the recorded ones; its posterior and its intervals are not on file.
    Reading,
}

/// Why a document is not what it should be.
#[derive(Clone, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum VerificationError {
    /// Not a release document.
    #[error("this is not a release document ({reason})")]
    Unreadable {
        /// What is wrong.
        reason: String,
    },
    /// Its digest does not fit.
    #[error("the document was changed after it was made: its digest does not match; ask for the original")]
    Changed,
    /// It says nothing about where it comes from.
    #[error("the document has no digest: it was not charged to a ledger, or an earlier version made it")]
    NoDigest,
    /// The ledger has no such charge.
    #[error("the ledger holds no such release: this document was not charged there")]
    NotCharged,
    /// It differs from the recorded document where all readings of a draw agree.
    #[error("the ledger holds another document for this charge: the field {field:?} differs")]
    Differs {
        /// The first field that differs.
        field: String,
    },
    /// The ledger cannot be read.
    #[error(transparent)]
    Ledger(#[from] LedgerError),
    /// The signature does not hold.
    #[error(transparent)]
    Signature(#[from] SignatureError),
}

/// Where all readings of one draw agree. What is said in words may change from version to version.
const DRAWN: [&str; 20] = [
    "/about",
    "/mechanism",
    "/specification",
    "/score",
    "/prior",
    "/n",
    "/epsilon",
    "/epsilon_parameter",
    "/delta",
    "/gamma",
    "/calibration",
    "/certificate",
    "/guarantee/kind",
    "/guarantee/epsilon",
    "/guarantee/delta",
    "/guarantee/unit",
    "/posterior/categories",
    "/released_counts",
    "/private",
    "/seed",
];

/// Computes the digest of a document and puts it in. Everything in the document is computed for it but readings.
pub(crate) fn seal(document: &mut Document, provenance: Provenance) -> Result<(), serde_json::Error> {
    document.provenance = Some(Provenance { digest: String::new(), ..provenance });
    let without = Document { readings: Vec::new().into(), ..document.clone() };
    let digest = digest_of(serde_json::to_value(&without)?);
    if let Some(provenance) = &mut document.provenance {
        provenance.digest = digest;
    }
    Ok(())
}

/// Finds out whether a document is the one that a ledger charged and recorded, or another reading of it. Verify the ledger itself with
/// [`Ledger::verify`].
///
/// # Errors
/// [`VerificationError`] says what it is not.
pub fn verify_release(text: &str, ledger: &Ledger) -> Result<Verdict, VerificationError> {
    let (value, document) = read(text)?;
    let found = match &document.provenance {
        Some(provenance) => {
            check_digest(&value, provenance)?;
            let noted: Option<Head> = provenance.head.as_deref().and_then(|head| head.parse().ok());
            let noted = noted.ok_or(VerificationError::NotCharged)?;
            let release = ledger.release_at(noted.entries)?.filter(|release| release.head == noted);
            let release = release.ok_or(VerificationError::NotCharged)?;
            if provenance.question.as_deref() != Some(&text_digest(&release.question)) {
                return Err(VerificationError::Differs { field: "provenance".into() });
            }
            let kind = compare(&value, &release)?;
            (kind, release)
        }
        None => search(&value, ledger)?,
    };
    let (kind, release) = found;
    let StoredRelease { account, entry, charged, epsilon, head, .. } = release;
    Ok(Verdict { kind, account, entry, charged, epsilon, head })
}

/// Finds out whether a document is as it was signed, by this key. No ledger is needed.
///
/// # Errors
/// [`VerificationError`] says what it is not.
pub fn verify_signature(text: &str, key: &PublicKey) -> Result<(), VerificationError> {
    let (value, document) = read(text)?;
    let provenance = document.provenance.ok_or(VerificationError::NoDigest)?;
    check_digest(&value, &provenance)?;
    let signature = provenance.signature.ok_or(SignatureError::Unsigned)?;
    Ok(key.verify(&provenance.digest, &signature)?)
}

fn read(text: &str) -> Result<(Value, Document), VerificationError> {
    let document = serde_json::from_str(text).map_err(unreadable)?;
    Ok((serde_json::from_str(text).map_err(unreadable)?, document))
}

fn check_digest(value: &Value, provenance: &Provenance) -> Result<(), VerificationError> {
    if digest_of(value.clone()) == provenance.digest { Ok(()) } else { Err(VerificationError::Changed) }
}

/// Compares a document with the recorded one.
fn compare(value: &Value, release: &StoredRelease) -> Result<Kind, VerificationError> {
    let recorded: Value = serde_json::from_str(&release.document).map_err(unreadable)?;
    if digest_of(value.clone()) == digest_of(recorded.clone()) {
        return Ok(Kind::Recorded);
    }
    if let Some(together) = recorded.get("together").and_then(Value::as_array) {
        return one_of(value, together);
    }
    if let Some(field) = difference(value, &recorded) {
        return Err(VerificationError::Differs { field });
    }
    // A reading says that it is one. The recorded document with another text would not.
    if value.get("recalled").is_none() {
        return Err(VerificationError::Differs { field: "recalled".to_owned() });
    }
    Ok(Kind::Reading)
}

/// Compares a document with draws that were charged and recorded together.
fn one_of(value: &Value, together: &[Value]) -> Result<Kind, VerificationError> {
    let same_draw =
        |recorded: &&Value| value.pointer("/released_counts") == recorded.pointer("/released_counts");
    let differences: Vec<Option<String>> =
        together.iter().filter(same_draw).map(|recorded| difference_from_draw(value, recorded)).collect();
    if differences.contains(&None) {
        return Ok(Kind::Reading);
    }
    let field = differences.into_iter().flatten().next().unwrap_or_else(|| "released_counts".to_owned());
    Err(VerificationError::Differs { field })
}

/// The first field in which a document differs from a recorded one.
fn difference(value: &Value, recorded: &Value) -> Option<String> {
    first(|field| value.pointer(field) != recorded.pointer(field))
}

/// The first field of a recorded draw in which a document differs from it.
fn difference_from_draw(value: &Value, recorded: &Value) -> Option<String> {
    first(|field| recorded.pointer(field).is_some_and(|recorded| value.pointer(field) != Some(recorded)))
}

fn first(differs: impl Fn(&str) -> bool) -> Option<String> {
    DRAWN.iter().find(|field| differs(field)).map(|field| field.trim_start_matches('/').replace('/', "."))
}

/// Looks for a document of an earlier version, which does not say where it was charged.
fn search(value: &Value, ledger: &Ledger) -> Result<(Kind, StoredRelease), VerificationError> {
    let mut reading = None;
    for account in ledger.accounts()? {
        for line in ledger.history(&account.name)? {
            let Some(release) = ledger.release_at(line.entry)? else { continue };
            match compare(value, &release) {
                Ok(Kind::Recorded) => return Ok((Kind::Recorded, release)),
                Ok(Kind::Reading) => reading = Some((Kind::Reading, release)),
                Err(_) => (),
            }
        }
    }
    reading.ok_or(VerificationError::NotCharged)
}

fn unreadable(error: serde_json::Error) -> VerificationError {
    VerificationError::Unreadable { reason: error.to_string() }
}
