//! The document as JSON.

use posterity_core::decode::Decoder;
use posterity_core::model::{Drawn, Prior, Released};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::{Value, json};

use super::asked::RequestForm;
use super::draw::Draw;
use super::guarantee::GuaranteeStatement;
use super::load::DocumentError;
use super::promised::Promised;
use super::summary::{Effective, Level, NoiseAwareSummary, Posterior};
use super::{Asked, Document};
use crate::digest::digest_of;
use crate::provenance::Provenance;
use crate::table::{Contrasted, ReadingTable, Subject};

/// All that is written, in this order. Above [`Document::MOST_LISTED`] cells, lists with a number for each cell are
/// left out, but for what was drawn.
#[derive(Serialize)]
struct Written<'a> {
    format: u32,
    version: &'a str,
    request: RequestForm,
    promise: &'a Promised,
    #[serde(skip_serializing_if = "Option::is_none")]
    n: Option<u64>,
    drawn: &'a Drawn,
    #[serde(flatten)]
    derived: Derived<'a>,
    #[serde(skip_serializing_if = "Option::is_none")]
    provenance: Option<&'a Provenance>,
}

/// What follows from the request, the promise, n and the draw.
#[derive(Serialize)]
struct Derived<'a> {
    mechanism: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    prior: Option<&'a Prior>,
    epsilon: f64,
    delta: f64,
    private: bool,
    guarantee: &'a GuaranteeStatement,
    #[serde(skip_serializing_if = "Option::is_none")]
    per_unit: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    released_counts: Option<&'a Released>,
    decoder: Decoder,
    #[serde(skip_serializing_if = "Option::is_none")]
    posterior: Option<&'a Posterior>,
    #[serde(skip_serializing_if = "Option::is_none")]
    effective: Option<&'a Effective>,
    #[serde(skip_serializing_if = "Option::is_none")]
    noise_aware: Option<&'a NoiseAwareSummary>,
    readings: &'a [ReadingTable],
    #[serde(skip_serializing_if = "<[Contrasted]>::is_empty")]
    comparisons: &'a [Contrasted],
    #[serde(skip_serializing_if = "Option::is_none")]
    expected_distance: Option<f64>,
    notes: Vec<String>,
}

/// What is read of a document. The derived part is passed over: it is computed again.
#[derive(Deserialize)]
struct Given {
    format: u32,
    version: String,
    request: RequestForm,
    promise: Promised,
    #[serde(default)]
    n: Option<u64>,
    drawn: Drawn,
    #[serde(default)]
    provenance: Option<Provenance>,
}

impl Document {
    /// The parts from which the rest is derived, as JSON.
    fn parts(&self) -> Value {
        json!({
            "format": Self::FORMAT,
            "version": self.version(),
            "request": self.request_form(),
            "promise": self.promise(),
            "n": self.n(),
            "drawn": self.drawn(),
            "provenance": self.provenance,
        })
    }

    pub(crate) fn request_form(&self) -> RequestForm {
        RequestForm::new(&self.draw.asked, &self.asked)
    }

    /// The digest of the parts from which the rest is derived.
    pub(crate) fn digest(&self) -> String {
        digest_of(self.parts())
    }

    fn derived(&self) -> Derived<'_> {
        let listed = self.is_listed();
        Derived {
            mechanism: self.mechanism(),
            prior: listed.then(|| self.request().setting().prior()),
            epsilon: self.epsilon(),
            delta: 0.0,
            private: self.is_private(),
            guarantee: self.guarantee(),
            per_unit: self.per_unit(),
            released_counts: listed.then(|| self.released_counts()),
            decoder: self.decoder(),
            posterior: listed.then(|| self.posterior()),
            effective: listed.then(|| self.effective()).flatten(),
            // What is about the records themselves says nothing of a population.
            noise_aware: (listed && self.request().ways().about != Subject::Records)
                .then(|| self.aware_summary())
                .flatten(),
            readings: self.readings(),
            comparisons: self.comparisons(),
            expected_distance: self.expected_distance(),
            notes: self.notes(),
        }
    }
}

impl Serialize for Document {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let written = Written {
            format: Self::FORMAT,
            version: self.version(),
            request: self.request_form(),
            promise: self.promise(),
            n: self.n(),
            drawn: self.drawn(),
            derived: self.derived(),
            provenance: self.provenance(),
        };
        written.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Document {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Self::try_from(Given::deserialize(deserializer)?).map_err(serde::de::Error::custom)
    }
}

/// Everything is checked that can be checked without the data: a document that holds together is one that could have
/// been drawn.
impl TryFrom<Given> for Document {
    type Error = DocumentError;

    fn try_from(given: Given) -> Result<Self, DocumentError> {
        let Given { format, version, request, promise, n, drawn, provenance } = given;
        if format != Self::FORMAT {
            return Err(DocumentError::Format { found: format });
        }
        let (asked, readings) = request.asked(n)?;
        let draw = checked(asked, promise, drawn)?;
        Ok(Self::assemble(draw.into(), readings, provenance, version))
    }
}

/// A draw whose parts fit each other.
pub(super) fn checked(asked: Asked, promised: Promised, drawn: Drawn) -> Result<Draw, DocumentError> {
    let k = asked.facts.categories.names().len();
    if drawn.len() != k {
        let found = drawn.len();
        return Err(DocumentError::inconsistent(format!("it has {k} categories and {found} counts")));
    }
    let setting = asked.request.setting();
    asked.request.drawing().check(&drawn, setting.n()).map_err(DocumentError::inconsistent)?;
    if promised.adjacency() != setting.adjacency() {
        return Err(DocumentError::inconsistent("its promise is of another adjacency than was asked for"));
    }
    if promised.unit() != asked.facts.unit().unwrap_or("record") {
        return Err(DocumentError::inconsistent("its promise is to another unit than was asked for"));
    }
    if promised.delta().is_some_and(|delta| !delta.is_zero()) || promised.rho().is_some() {
        return Err(DocumentError::inconsistent(
            "it promises a delta, and no mechanism for declared categories has one",
        ));
    }
    if promised.epsilon().is_some() && asked.seed.is_some() {
        return Err(DocumentError::inconsistent("it promises something, and was drawn from a seed"));
    }
    let level = Level::new(asked.request.level()).map_err(DocumentError::inconsistent)?;
    Ok(Draw::new(asked, promised, drawn, level, None))
}
