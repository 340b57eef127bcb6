//! The release document.
//!
//! A document of any kind has the same parts: what was asked, what is promised and what was drawn, all that follows from
//! these three, and where it comes from. Nothing that follows is ever read from a document: it is computed again, so a
//! changed document shows the true values when it is read here.

mod guarantee;
mod kind;
mod load;
mod promised;
mod record;

use std::fmt;
use std::ops::Deref;
use std::str::FromStr;
use std::sync::OnceLock;

use posterity_core::model::Epsilon;
use posterity_ledger::Amount;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::json;

use crate::about::About;
use crate::digest::digest_of;
use crate::provenance::Provenance;
use crate::signature::SecretKey;
use crate::table::ReadingError;

pub use guarantee::{GuaranteeStatement, Promise};
pub(crate) use guarantee::{adding, filter_is_protected, replacing};
pub use kind::Kind;
use load::check_format;
pub(crate) use load::parse_document;
pub use load::{DocumentError, LoadError};
pub use promised::Promised;
pub(crate) use record::{Answer, Record};

/// All that is published of a release. Everyone may see it, if it says that it is private.
///
/// It is read and written as JSON; `docs/release.schema.json` describes the form.
///
/// ```
/// use posterity::{Data, Document, Publisher};
/// let data = Data::counts([("yes", 48), ("no", 42)])?;
/// let release = Publisher::new("1".parse()?).publish(&data)?;
/// let text = serde_json::to_string(release.document())?;
///
/// let document: Document = serde_json::from_str(&text)?;
/// assert!(document.is_private() && document.epsilon() == 1.0);
/// let (mean, intervals) = document.best_summary();
/// assert!(intervals[0][0] <= mean[0] && mean[0] <= intervals[0][1]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// Intervals and what the noise implies take longer to compute than a release takes to draw. They are computed when
/// they are first read, for example when the document is serialised.
#[derive(Clone)]
pub struct Document<K: Kind> {
    answer: K,
    guarantee: OnceLock<GuaranteeStatement>,
    provenance: Option<Provenance>,
    /// The version of posterity that wrote it.
    version: String,
}

/// The version of the form of documents, as `docs/release.schema.json` describes it.
pub const FORMAT: u32 = 6;

impl<K: Kind> Document<K> {
    /// The document of an answer. It has no digest yet.
    pub(crate) fn new(answer: K, provenance: Option<Provenance>) -> Self {
        Self::of_version(answer, provenance, env!("CARGO_PKG_VERSION").to_owned())
    }

    fn of_version(answer: K, provenance: Option<Provenance>, version: String) -> Self {
        Self { answer, guarantee: OnceLock::new(), provenance, version }
    }

    /// Adds its digest, and a signature if there is a key. A document that was not charged has neither.
    pub(crate) fn sealed(mut self, key: Option<&SecretKey>) -> Self {
        let digest = self.digest();
        if let Some(provenance) = &mut self.provenance {
            provenance.signature = key.map(|key| key.sign(&digest));
            provenance.digest = digest;
        }
        self
    }

    /// The same draw, read in another way. A signature is one of the whole request, so it is left out.
    pub(crate) fn read_as(&self, reading: &K::Reading) -> Result<Self, ReadingError> {
        Ok(self.with_answer(self.answer.read_as(reading)?))
    }

    /// The document of the same draw as another answer.
    pub(crate) fn with_answer(&self, answer: K) -> Self {
        Self::new(answer, self.provenance.clone()).sealed(None)
    }

    /// What was asked and drawn, with all that follows.
    #[must_use]
    pub fn answer(&self) -> &K {
        &self.answer
    }

    /// The word by which documents of its kind are known.
    #[must_use]
    pub fn kind(&self) -> &'static str {
        K::NAME
    }

    /// What it holds, for a reader.
    #[must_use]
    pub fn title(&self) -> &'static str {
        K::TITLE
    }

    pub(crate) fn chosen(&self) -> &'static [&'static str] {
        K::CHOSEN
    }

    pub(crate) fn follows(&self) -> &'static str {
        K::FOLLOWS
    }

    pub(crate) fn intervals(&self) -> &'static str {
        K::INTERVALS
    }

    /// What the data is and what was asked of it.
    #[must_use]
    pub fn about(&self) -> &About {
        self.answer.about()
    }

    /// The promise as numbers.
    #[must_use]
    pub fn promise(&self) -> &Promised {
        self.answer.promise()
    }

    /// The promise in words.
    #[must_use]
    pub fn guarantee(&self) -> &GuaranteeStatement {
        self.guarantee.get_or_init(|| self.answer.guarantee())
    }

    /// The epsilon and the delta that were asked for. They are promised unless the draw is that of a seed.
    #[must_use]
    pub fn budget(&self) -> (Epsilon, Amount) {
        self.answer.budget()
    }

    /// The seed of an experiment.
    #[must_use]
    pub fn seed(&self) -> Option<u64> {
        self.answer.seed()
    }

    /// The number of records or units, which is published exactly; none if it is private.
    #[must_use]
    pub fn n(&self) -> Option<u64> {
        self.answer.n()
    }

    /// The number of records or units as it is shown: `90`, or `private`.
    #[must_use]
    pub fn n_text(&self) -> String {
        self.n().map_or_else(|| "private".to_owned(), |n| n.to_string())
    }

    /// By which of its records each unit counts, in words; nothing where records are counted.
    #[must_use]
    pub fn per_unit(&self) -> Option<String> {
        self.about().rule_in_words()
    }

    /// What a reader should know.
    #[must_use]
    pub fn notes(&self) -> Vec<String> {
        self.answer.notes(self.provenance.is_some())
    }

    /// Whether it may be published as private: something is promised, and the randomness was the system's.
    #[must_use]
    pub fn is_private(&self) -> bool {
        self.promise().epsilon().is_some()
    }

    /// Where it comes from; nothing if it was not charged.
    #[must_use]
    pub fn provenance(&self) -> Option<&Provenance> {
        self.provenance.as_ref()
    }

    /// The version of posterity that wrote it.
    #[must_use]
    pub fn version(&self) -> &str {
        &self.version
    }

    /// What follows from the other parts.
    #[must_use]
    pub fn derived(&self) -> K::Derived<'_> {
        self.answer.derived(self.provenance.is_some())
    }

    /// The digest of the parts from which the rest is derived.
    pub(crate) fn digest(&self) -> String {
        digest_of(json!({
            "format": FORMAT,
            "kind": K::NAME,
            "version": self.version,
            "request": self.answer.form(),
            "promise": self.promise(),
            "n": self.n(),
            "drawn": self.answer.drawn(),
            "provenance": self.provenance,
        }))
    }

    /// Whether its promise is in words, so that saying it takes no time.
    pub(crate) fn is_promise_told(&self) -> bool {
        self.guarantee.get().is_some()
    }
}

impl<K: Kind> Deref for Document<K> {
    type Target = K;

    fn deref(&self) -> &K {
        &self.answer
    }
}

/// All that is written, in this order.
#[derive(Serialize)]
struct Written<'a, R, D, V> {
    format: u32,
    kind: &'static str,
    version: &'a str,
    request: R,
    promise: &'a Promised,
    #[serde(skip_serializing_if = "Option::is_none")]
    n: Option<u64>,
    drawn: &'a D,
    epsilon: f64,
    delta: f64,
    private: bool,
    guarantee: &'a GuaranteeStatement,
    #[serde(skip_serializing_if = "Option::is_none")]
    per_unit: Option<String>,
    #[serde(flatten)]
    derived: V,
    notes: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    provenance: Option<&'a Provenance>,
}

/// The version of the form that is read. A document of another version is refused by it, before any other part is read.
struct KnownFormat;

impl<'de> Deserialize<'de> for KnownFormat {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let found = u32::deserialize(deserializer)?;
        check_format(found, FORMAT).map_err(serde::de::Error::custom)?;
        Ok(Self)
    }
}

/// What is read of a document. The derived part is passed over: it is computed again.
#[derive(Deserialize)]
struct Given<R, D> {
    #[serde(rename = "format")]
    _format: KnownFormat,
    kind: String,
    version: String,
    request: R,
    promise: Promised,
    #[serde(default)]
    n: Option<u64>,
    drawn: D,
    #[serde(default)]
    provenance: Option<Provenance>,
}

impl<K: Kind> Serialize for Document<K> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let (epsilon, delta) = self.budget();
        let written = Written {
            format: FORMAT,
            kind: K::NAME,
            version: &self.version,
            request: self.answer.form(),
            promise: self.promise(),
            n: self.n(),
            drawn: self.answer.drawn(),
            epsilon: epsilon.to_f64_shown(),
            delta: delta.to_f64_shown(),
            private: self.is_private(),
            guarantee: self.guarantee(),
            per_unit: self.per_unit(),
            derived: self.derived(),
            notes: self.notes(),
            provenance: self.provenance.as_ref(),
        };
        written.serialize(serializer)
    }
}

impl<'de, K: Kind> Deserialize<'de> for Document<K> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let given = Given::<K::Request, K::Drawn>::deserialize(deserializer)?;
        Self::try_from(given).map_err(serde::de::Error::custom)
    }
}

/// A document that holds together is one that could have been drawn.
impl<K: Kind> TryFrom<Given<K::Request, K::Drawn>> for Document<K> {
    type Error = DocumentError;

    fn try_from(given: Given<K::Request, K::Drawn>) -> Result<Self, DocumentError> {
        let Given { kind, version, request, promise, n, drawn, provenance, .. } = given;
        if kind != K::NAME {
            return Err(DocumentError::inconsistent(format!(
                "it is a document of the kind {kind:?}, not {:?}",
                K::NAME
            )));
        }
        Ok(Self::of_version(K::new(request, n, promise, drawn)?, provenance, version))
    }
}

/// What a field of a form says, or what is wrong with it.
pub(crate) fn parsed<T: FromStr<Err: fmt::Display>>(text: &str) -> Result<T, String> {
    text.parse().map_err(|error: T::Err| error.to_string())
}

/// Two documents are the same if they are of the same draw, and read it alike.
impl<K: Kind> PartialEq for Document<K> {
    fn eq(&self, other: &Self) -> bool {
        let (one, two) = (&self.answer, &other.answer);
        one.form() == two.form()
            && (one.promise(), one.n()) == (two.promise(), two.n())
            && one.drawn() == two.drawn()
            && (&self.provenance, &self.version) == (&other.provenance, &other.version)
    }
}

impl<K: Kind> fmt::Debug for Document<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Document")
            .field("kind", &K::NAME)
            .field("about", self.about())
            .field("promise", self.promise())
            .finish_non_exhaustive()
    }
}
