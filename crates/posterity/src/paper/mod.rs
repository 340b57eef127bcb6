//! Documents of other kinds than a posterior: discovered categories and margins of wide tables.
//!
//! All have the same parts: a request, a promise and a draw, what follows from these three, and where the document comes
//! from. Nothing that follows is ever read from a document.

mod charge;
mod record;

use std::fmt;
use std::str::FromStr;

use posterity_core::model::Epsilon;
use posterity_ledger::Amount;
use serde::de::{DeserializeOwned, Error as _};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::json;

use crate::about::About;
use crate::digest::digest_of;
use crate::document::{Document, DocumentError, GuaranteeStatement, Promised};
use crate::provenance::Provenance;
use crate::signature::SecretKey;

pub(crate) use charge::{Asked, charge};
pub(crate) use record::{PaperRecord, kind_of};

/// One kind of answer: what was asked and what was drawn, with all that follows from them.
pub trait Kind: Sized {
    /// The word by which documents of this kind are known.
    const NAME: &'static str;
    /// What such a document holds, for a reader.
    const TITLE: &'static str;
    /// What was asked, as it is written.
    type Request: Serialize + DeserializeOwned + PartialEq + Clone;
    /// What was drawn, as it is written.
    type Drawn: Serialize + DeserializeOwned + PartialEq + Clone;
    /// What follows, as it is written.
    type Derived: Serialize;

    /// The answer with these parts, if they fit each other.
    ///
    /// # Errors
    /// [`DocumentError`] if they do not.
    fn new(request: Self::Request, n: Option<u64>, drawn: Self::Drawn) -> Result<Self, DocumentError>;

    /// What was asked. What can be chosen after the draw, such as the level of intervals, is part of it.
    fn request(&self) -> &Self::Request;

    /// The part of a request that a ledger holds: all that changes the law of the draw, or says what it is about.
    fn charged(request: &Self::Request) -> Self::Request;

    /// The number of records or units, if it is public.
    fn n(&self) -> Option<u64>;

    /// What was drawn.
    fn drawn(&self) -> &Self::Drawn;

    /// What the data is and what was asked of it.
    fn about(&self) -> &About;

    /// What an answer to a request promises.
    fn promised(request: &Self::Request) -> Promised;

    /// The promise in words.
    fn guarantee(&self) -> GuaranteeStatement;

    /// The seed of an experiment.
    fn seed(&self) -> Option<u64>;

    /// What a reader should know. A document that was charged says less about budgets.
    fn notes(&self, charged: bool) -> Vec<String>;

    /// The epsilon and the delta that were asked for. They are promised unless the draw is that of a seed.
    fn budget(&self) -> (Epsilon, Amount);

    /// What follows from the other parts. A document that was charged says less about budgets.
    fn derived(&self, charged: bool) -> Self::Derived;
}

/// A document of a kind. It is read and written as JSON.
#[derive(Clone)]
pub struct Paper<K: Kind> {
    answer: K,
    promise: Promised,
    provenance: Option<Provenance>,
    version: String,
}

impl<K: Kind> Paper<K> {
    /// The document of an answer.
    pub(crate) fn new(answer: K, provenance: Option<Provenance>) -> Self {
        let (promise, version) = (K::promised(answer.request()), env!("CARGO_PKG_VERSION").to_owned());
        Self { answer, promise, provenance, version }
    }

    /// The same with its digest, and signed if there is a key. A document that was not charged has neither.
    pub(crate) fn sealed(mut self, key: Option<&SecretKey>) -> Self {
        let digest = self.digest();
        if let Some(provenance) = &mut self.provenance {
            provenance.signature = key.map(|key| key.sign(&digest));
            provenance.digest = digest;
        }
        self
    }

    /// The same draw under another request, which asks for the same and reads it in another way. A signature is left
    /// out.
    pub(crate) fn read_as(&self, request: K::Request) -> Result<Self, DocumentError> {
        let answer = K::new(request, self.answer.n(), self.answer.drawn().clone())?;
        Ok(Self::new(answer, self.provenance.clone()).sealed(None))
    }

    /// What was asked and drawn, with all that follows.
    #[must_use]
    pub fn answer(&self) -> &K {
        &self.answer
    }

    /// What the data is and what was asked of it.
    #[must_use]
    pub fn about(&self) -> &About {
        self.answer.about()
    }

    /// The promise as numbers.
    #[must_use]
    pub fn promise(&self) -> &Promised {
        &self.promise
    }

    /// The promise in words.
    #[must_use]
    pub fn guarantee(&self) -> GuaranteeStatement {
        self.answer.guarantee()
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

    /// Whether it may be published as private.
    #[must_use]
    pub fn is_private(&self) -> bool {
        self.promise.epsilon().is_some()
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
    pub fn derived(&self) -> K::Derived {
        self.answer.derived(self.provenance.is_some())
    }

    /// The digest of the parts from which the rest is derived.
    pub(crate) fn digest(&self) -> String {
        let mut parts = json!({
            "format": Document::FORMAT,
            "kind": K::NAME,
            "version": self.version,
            "request": self.answer.request(),
            "promise": self.promise,
            "drawn": self.answer.drawn(),
        });
        if let Some(n) = self.answer.n() {
            parts["n"] = json!(n);
        }
        if let Some(provenance) = &self.provenance {
            parts["provenance"] = json!(provenance);
        }
        digest_of(parts)
    }
}

/// All that is written, in this order.
#[derive(Serialize)]
struct Written<'a, R, D, V> {
    format: u32,
    kind: &'static str,
    version: &'a str,
    request: &'a R,
    promise: &'a Promised,
    #[serde(skip_serializing_if = "Option::is_none")]
    n: Option<u64>,
    drawn: &'a D,
    epsilon: f64,
    delta: f64,
    private: bool,
    guarantee: GuaranteeStatement,
    #[serde(flatten)]
    derived: V,
    #[serde(skip_serializing_if = "Option::is_none")]
    provenance: Option<&'a Provenance>,
}

/// What is read of a document. The derived part is passed over: it is computed again.
#[derive(Deserialize)]
struct Given<R, D> {
    format: u32,
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

impl<K: Kind> Serialize for Paper<K> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let (guarantee, (epsilon, delta)) = (self.guarantee(), self.answer.budget());
        let written = Written {
            format: Document::FORMAT,
            kind: K::NAME,
            version: &self.version,
            request: self.answer.request(),
            promise: &self.promise,
            n: self.answer.n(),
            drawn: self.answer.drawn(),
            epsilon: epsilon.to_f64_shown(),
            delta: delta.to_f64_shown(),
            private: self.is_private(),
            guarantee,
            derived: self.derived(),
            provenance: self.provenance.as_ref(),
        };
        written.serialize(serializer)
    }
}

impl<'de, K: Kind> Deserialize<'de> for Paper<K> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let given = Given::<K::Request, K::Drawn>::deserialize(deserializer)?;
        Self::try_from(given).map_err(D::Error::custom)
    }
}

impl<K: Kind> TryFrom<Given<K::Request, K::Drawn>> for Paper<K> {
    type Error = DocumentError;

    fn try_from(given: Given<K::Request, K::Drawn>) -> Result<Self, DocumentError> {
        let Given { format, kind, version, request, promise, n, drawn, provenance } = given;
        if format != Document::FORMAT {
            return Err(DocumentError::Format { found: format });
        }
        if kind != K::NAME {
            return Err(DocumentError::inconsistent(format!(
                "it is a document of the kind {kind:?}, not {:?}",
                K::NAME
            )));
        }
        Ok(Self { answer: K::new(request, n, drawn)?, promise, provenance, version })
    }
}

/// What a field of a form says, or what is wrong with it.
pub(crate) fn parsed<T: FromStr<Err: fmt::Display>>(text: &str) -> Result<T, String> {
    text.parse().map_err(|error: T::Err| error.to_string())
}

/// Two documents are the same if they are of the same draw, and read it alike.
impl<K: Kind> PartialEq for Paper<K> {
    fn eq(&self, other: &Self) -> bool {
        self.answer.request() == other.answer.request()
            && (&self.promise, self.answer.n()) == (&other.promise, other.answer.n())
            && self.answer.drawn() == other.answer.drawn()
            && (&self.provenance, &self.version) == (&other.provenance, &other.version)
    }
}

impl<K: Kind> fmt::Debug for Paper<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Paper")
            .field("kind", &K::NAME)
            .field("promise", &self.promise)
            .finish_non_exhaustive()
    }
}
