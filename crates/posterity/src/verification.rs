//! Whether a document is what it says: everything that is derived is derived again, and compared.

use posterity_ledger::{Amount, Head, Ledger, LedgerError, StoredRelease, Timestamp};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use thiserror::Error;

use crate::agreed::Agreed;
use crate::differences::differences;
use crate::digest::text_digest;
use crate::kind::Publication;
use crate::paper::Record;
use crate::signature::{PublicKey, SignatureError};
use crate::strict_json;

/// A document whose every part follows from its request, its promise and its draw; made by [`verify_document`]. Whether
/// these three are true is what [`Verified::by_ledger`] and [`Verified::by_key`] find out.
#[derive(Clone, Debug)]
pub struct Verified {
    document: Publication,
    checked: Vec<String>,
    not_checked: Vec<String>,
}

/// The charge that a document belongs to.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Verdict {
    /// The account that paid.
    pub account: String,
    /// The number of the charge.
    pub entry: u64,
    /// When it was charged.
    pub charged: Timestamp,
    /// The epsilon that was charged, for all answers of the charge together; beside a rho, for those without a delta.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub epsilon: Option<Amount>,
    /// The delta that was charged, if there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub delta: Option<Amount>,
    /// The rho that was charged, if the price is in rho.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rho: Option<Amount>,
    /// The head of the ledger after the charge.
    pub head: Head,
    /// How many answers were charged together.
    pub answers: usize,
}

/// Why a document is not what it says.
#[derive(Clone, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum VerificationError {
    /// Not a release document.
    #[error("this is not a release document ({reason})")]
    Unreadable {
        /// What is wrong.
        reason: String,
    },
    /// What it says does not follow from its request, its promise and its draw.
    #[error("the document was changed: {}; ask for the original", listed(.fields))]
    Differs {
        /// Where it differs, each with what is wrong.
        fields: Vec<String>,
    },
    /// It promises something else than its mechanism does.
    #[error("the document promises more or less than its mechanism does; ask for the original")]
    OtherPromise,
    /// Its digest does not fit.
    #[error("the document was changed after it was made: its digest does not match; ask for the original")]
    Changed,
    /// It says nothing about where it comes from.
    #[error("the document has no digest: it was not charged to a ledger")]
    NoDigest,
    /// The ledger has no such charge.
    #[error("the ledger holds no such release: this document was not charged there")]
    NotCharged,
    /// It differs from what is recorded.
    #[error("the ledger holds another release for this charge: the part {part:?} differs")]
    NotRecorded {
        /// The first part that differs.
        part: &'static str,
    },
    /// The ledger cannot be read.
    #[error(transparent)]
    Ledger(#[from] LedgerError),
    /// The signature does not hold.
    #[error(transparent)]
    Signature(#[from] SignatureError),
}

/// Derives all of a document again from its request, its promise and its draw, and names every difference. What is
/// promised, whole numbers and words are the same to the letter, other numbers to a billionth of the scale of their
/// field. Words of another version are not compared, which [`Verified::not_checked`] says.
///
/// ```
/// use posterity::verification::{VerificationError, verify_document};
/// use posterity::{Data, Publisher};
/// let data = Data::counts([("yes", 48), ("no", 42)])?;
/// let release = Publisher::new("1".parse()?).publish(&data)?;
/// let text = serde_json::to_string(release.document())?;
/// assert!(verify_document(&text).is_ok());
/// let forged = text.replace("\"private\":true", "\"private\":false");
/// assert!(matches!(verify_document(&forged), Err(VerificationError::Differs { .. })));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// [`VerificationError`] says what it is not.
pub fn verify_document(text: &str) -> Result<Verified, VerificationError> {
    let given = strict_json::parse(text).map_err(unreadable)?;
    let document = Publication::deserialize(given.clone()).map_err(unreadable)?;
    let (mut checked, mut not_checked) =
        (vec!["its numbers follow from its request and its draw".to_owned()], Vec::new());
    let same_version = is_this_version(&document);
    if !same_version {
        let version = document.version();
        not_checked.push(format!(
            "its words: version {version} wrote it, and this is {}",
            env!("CARGO_PKG_VERSION")
        ));
    } else {
        checked.push("its words are those of this version".to_owned());
    }
    let derived: Value = serde_json::to_value(&document).map_err(unreadable)?;
    let fields = differences(&derived, &given, same_version);
    if !fields.is_empty() {
        return Err(VerificationError::Differs { fields });
    }
    match document.promised() {
        Ok(expected) if expected == *document.promise() => {
            checked.push("its promise is that of what drew it".to_owned());
        }
        Ok(_) => return Err(VerificationError::OtherPromise),
        Err(why) => not_checked.push(format!("its promise: {why}")),
    }
    if let Some(provenance) = document.provenance() {
        if provenance.digest != document.digest() {
            return Err(VerificationError::Changed);
        }
        checked.push("its digest is that of its parts".to_owned());
    }
    Ok(Verified { document, checked, not_checked })
}

impl Verdict {
    /// The charge of a document that a ledger holds.
    #[must_use]
    pub fn of(stored: StoredRelease) -> Self {
        let answers = Record::parse(&stored.document).map_or(1, |record| record.answers());
        let StoredRelease { account, entry, charged, price, head, .. } = stored;
        let (epsilon, rho) = (price.sum_epsilon(), price.rho().cloned());
        let delta = price.delta().filter(|delta| !delta.is_zero()).cloned();
        Self { account, entry, charged, epsilon, delta, rho, head, answers }
    }
}

impl Verified {
    /// The document.
    #[must_use]
    pub fn document(&self) -> &Publication {
        &self.document
    }

    /// Whether this version wrote it. The words of another version are not checked.
    #[must_use]
    pub fn is_of_this_version(&self) -> bool {
        is_this_version(&self.document)
    }

    /// What was checked and holds.
    #[must_use]
    pub fn checked(&self) -> &[String] {
        &self.checked
    }

    /// What could not be checked, and why.
    #[must_use]
    pub fn not_checked(&self) -> &[String] {
        &self.not_checked
    }

    /// Finds the charge that the document belongs to. Verify the ledger itself with [`Ledger::verify`].
    ///
    /// # Errors
    /// [`VerificationError`] if the ledger never charged it, or recorded something else.
    pub fn by_ledger(&self, ledger: &Ledger) -> Result<Verdict, VerificationError> {
        let provenance = self.document.provenance().ok_or(VerificationError::NotCharged)?;
        let noted: Head = provenance.head.parse().map_err(|_| VerificationError::NotCharged)?;
        let stored = ledger.release_at(noted.entries)?.filter(|stored| stored.head == noted);
        let stored = stored.ok_or(VerificationError::NotCharged)?;
        let same = [
            ("provenance.question", provenance.question == text_digest(&stored.question)),
            ("provenance.drawn", provenance.drawn == stored.recorded.to_string()),
            ("provenance.agreed", provenance.agreed == Agreed::of(&stored)),
        ];
        if let Some((part, _)) = same.into_iter().find(|(_, same)| !same) {
            return Err(VerificationError::NotRecorded { part });
        }
        let record = Record::parse(&stored.document).map_err(unreadable)?;
        let differs = self.document.difference(&record, provenance.answer).map_err(unreadable)?;
        if let Some(part) = differs {
            return Err(VerificationError::NotRecorded { part });
        }
        Ok(Verdict::of(stored))
    }

    /// Checks that whoever has the secret key to this one signed the document. No ledger is needed.
    ///
    /// # Errors
    /// [`VerificationError`] if it was not signed, or by another key.
    pub fn by_key(&self, key: &PublicKey) -> Result<(), VerificationError> {
        let provenance = self.document.provenance().ok_or(VerificationError::NoDigest)?;
        let signature = provenance.signature.as_ref().ok_or(SignatureError::Unsigned)?;
        Ok(key.verify(&provenance.digest, signature)?)
    }
}

fn is_this_version(document: &Publication) -> bool {
    document.version() == env!("CARGO_PKG_VERSION")
}

fn unreadable(error: impl std::fmt::Display) -> VerificationError {
    VerificationError::Unreadable { reason: error.to_string() }
}

/// The first of the differences, and how many more there are.
fn listed(fields: &[String]) -> String {
    /// How many are listed one by one.
    const TOLD: usize = 5;
    let told = fields.iter().take(TOLD).map(String::as_str).collect::<Vec<_>>().join("; ");
    let more = fields.len().saturating_sub(TOLD);
    if more > 0 { format!("{told}; and {more} more") } else { told }
}
