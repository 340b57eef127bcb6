//! Any document that Posterity writes.

use std::io::Read;
use std::path::Path;

use posterity_ledger::StoredRelease;
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::Value;

use crate::about::About;
use crate::discovery::DiscoveredDocument;
use crate::document::{
    Document, DocumentError, GuaranteeStatement, LoadError, Promised, Record, parse_document,
};
use crate::margins::MarginsDocument;
use crate::paper::{Kind, Paper, kind_of};
use crate::provenance::Provenance;
use crate::text_file::open_file;

/// A document of any kind.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(untagged)]
#[non_exhaustive]
pub enum Publication {
    /// A posterior over declared categories.
    Posterior(Box<Document>),
    /// Categories that nobody declared, with their counts.
    Discovered(Box<DiscoveredDocument>),
    /// Tables of many columns.
    Margins(Box<MarginsDocument>),
}

/// The same of a document, whatever its kind.
macro_rules! each {
    ($publication:expr, $document:ident => $of:expr) => {
        match $publication {
            Publication::Posterior($document) => $of,
            Publication::Discovered($document) => $of,
            Publication::Margins($document) => $of,
        }
    };
}

impl Publication {
    /// Reads a document from a JSON file.
    ///
    /// # Errors
    /// [`LoadError`] if the file cannot be read or is not a release document.
    pub fn load(path: &Path) -> Result<Self, LoadError> {
        let file = open_file(path)?;
        Self::parse(file, &path.display().to_string())
    }

    /// Reads a document in JSON. Errors name it as `name`.
    ///
    /// # Errors
    /// As [`Publication::load`].
    pub fn parse(reader: impl Read, name: &str) -> Result<Self, LoadError> {
        parse_document(reader, name)
    }

    /// The documents that a ledger holds of one charge, in the order of its questions, read as is usual.
    ///
    /// # Errors
    /// [`DocumentError`] if another version recorded them.
    pub fn recorded(stored: &StoredRelease) -> Result<Vec<Self>, DocumentError> {
        match kind_of(&stored.document).as_deref() {
            None => {
                let posteriors = Document::recorded(stored)?.into_iter();
                let posteriors = posteriors.map(|one| Ok(Self::Posterior(Box::new(one))));
                posteriors.chain(papers(stored)?).collect()
            }
            Some(crate::discovery::Discovered::NAME) => {
                Ok(vec![Self::Discovered(Box::new(Paper::recorded(stored, 0, None)?.sealed(None)))])
            }
            Some(crate::margins::Margins::NAME) => {
                Ok(vec![Self::Margins(Box::new(Paper::recorded(stored, 0, None)?.sealed(None)))])
            }
            Some(other) => Err(unknown(other)),
        }
    }

    /// The posterior, if it is one.
    #[must_use]
    pub fn posterior(&self) -> Option<&Document> {
        match self {
            Self::Posterior(document) => Some(document),
            Self::Discovered(_) | Self::Margins(_) => None,
        }
    }

    /// What the data is and what was asked of it.
    #[must_use]
    pub fn about(&self) -> &About {
        each!(self, document => document.about())
    }

    /// The promise as numbers.
    #[must_use]
    pub fn promise(&self) -> &Promised {
        each!(self, document => document.promise())
    }

    /// The promise in words.
    #[must_use]
    pub fn guarantee(&self) -> GuaranteeStatement {
        each!(self, document => document.guarantee().clone())
    }

    /// The number of records or units, which is published exactly; none if it is private.
    #[must_use]
    pub fn n(&self) -> Option<u64> {
        each!(self, document => document.n())
    }

    /// Where it comes from; nothing if it was not charged.
    #[must_use]
    pub fn provenance(&self) -> Option<&Provenance> {
        each!(self, document => document.provenance())
    }

    /// The version of posterity that wrote it.
    #[must_use]
    pub fn version(&self) -> &str {
        each!(self, document => document.version())
    }

    /// What was asked and how the answer is read, as it is written.
    #[must_use]
    pub fn request(&self) -> Value {
        let written = match self {
            Self::Posterior(document) => serde_json::to_value(document.request_form()),
            Self::Discovered(document) => serde_json::to_value(document.answer().request()),
            Self::Margins(document) => serde_json::to_value(document.answer().request()),
        };
        written.unwrap_or_default()
    }

    /// The digest of the parts from which the rest is derived.
    pub(crate) fn digest(&self) -> String {
        each!(self, document => document.digest())
    }

    /// Whether it says what a ledger holds: the first of its parts that differs.
    pub(crate) fn difference(
        &self,
        stored: &str,
        index: usize,
    ) -> Result<Option<&'static str>, DocumentError> {
        each!(self, document => document.difference(stored, index))
    }

    /// Whether the promise follows from the request. A posterior's follows from its mechanism, and is not looked at here:
    /// see [`verify_document`](crate::verify_document).
    #[must_use]
    pub fn promises_what_it_should(&self) -> bool {
        fn same<K: Kind>(paper: &Paper<K>) -> bool {
            K::promised(paper.answer().request()) == *paper.promise()
        }
        match self {
            Self::Posterior(_) => true,
            Self::Discovered(document) => same(document),
            Self::Margins(document) => same(document),
        }
    }
}

impl<'de> Deserialize<'de> for Publication {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let value = Value::deserialize(deserializer)?;
        let read = match value.get("kind").and_then(Value::as_str) {
            None => Document::deserialize(value).map(|found| Self::Posterior(Box::new(found))),
            Some(crate::discovery::Discovered::NAME) => {
                DiscoveredDocument::deserialize(value).map(|found| Self::Discovered(Box::new(found)))
            }
            Some(crate::margins::Margins::NAME) => {
                MarginsDocument::deserialize(value).map(|found| Self::Margins(Box::new(found)))
            }
            Some(other) => return Err(D::Error::custom(unknown(other))),
        };
        read.map_err(D::Error::custom)
    }
}

/// The tables of many columns that a ledger holds beside posteriors.
fn papers(
    stored: &StoredRelease,
) -> Result<impl Iterator<Item = Result<Publication, DocumentError>>, DocumentError> {
    let record = Record::parse(&stored.document)?;
    let positions = record.first_paper()..record.first_paper() + record.papers();
    let paper = |index| Paper::recorded(stored, index, None).map(|paper| paper.sealed(None));
    Ok(positions.map(move |index| Ok(Publication::Margins(Box::new(paper(index)?)))))
}

fn unknown(kind: &str) -> DocumentError {
    DocumentError::inconsistent(format!("it is of the kind {kind:?}, which this version does not know"))
}
