//! What a ledger keeps of a document of another kind: the draw, from which all else follows.

use posterity_ledger::StoredRelease;
use serde::{Deserialize, Serialize};

use super::{Kind, Paper};
use crate::document::{DocumentError, Promised, Record};
use crate::provenance::Provenance;
use crate::strict_json;

/// A draw as a ledger holds it.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct PaperRecord<R, D> {
    format: u32,
    version: String,
    kind: String,
    request: R,
    promise: Promised,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub(super) n: Option<u64>,
    drawn: D,
}

/// The kind of what a ledger holds; none for posteriors.
pub(crate) fn kind_of(text: &str) -> Option<String> {
    #[derive(Deserialize)]
    struct Peek {
        kind: Option<String>,
    }
    serde_json::from_str::<Peek>(text).ok()?.kind
}

impl<R, D> PaperRecord<R, D> {
    /// The record of a draw.
    pub(crate) fn new<K: Kind<Request = R, Drawn = D>>(request: &R, n: Option<u64>, drawn: D) -> Self {
        Self {
            format: Record::FORMAT,
            version: env!("CARGO_PKG_VERSION").to_owned(),
            kind: K::NAME.to_owned(),
            request: K::charged(request),
            promise: K::promised(request),
            n,
            drawn,
        }
    }
}

impl<K: Kind> Paper<K> {
    /// Reads what a ledger holds of an answer: the only one of its charge, or one of several.
    pub(super) fn stored(
        text: &str,
        index: usize,
    ) -> Result<PaperRecord<K::Request, K::Drawn>, DocumentError> {
        let record = if kind_of(text).is_some() {
            strict_json::read(text)
        } else {
            PaperRecord::deserialize(Record::parse(text)?.into_paper(index)?)
        };
        let record: PaperRecord<K::Request, K::Drawn> = record.map_err(DocumentError::inconsistent)?;
        match (record.format, record.kind.as_str()) {
            (Record::FORMAT, kind) if kind == K::NAME => Ok(record),
            (Record::FORMAT, _) => Err(DocumentError::inconsistent("it is of another kind")),
            (found, _) => Err(DocumentError::Format { found }),
        }
    }

    /// The document of a draw that a ledger holds, by its position among the answers of its charge. It is read as is
    /// usual, or under a request that asks for the same.
    pub(crate) fn recorded(
        stored: &StoredRelease,
        index: usize,
        request: Option<&K::Request>,
    ) -> Result<Self, DocumentError> {
        let PaperRecord { request: held, promise, n, drawn, .. } = Self::stored(&stored.document, index)?;
        let request = match request {
            Some(request) if K::charged(request) != held => {
                return Err(DocumentError::inconsistent("it answers another question"));
            }
            Some(request) => request.clone(),
            None => held,
        };
        let paper = Self::new(K::new(request, n, drawn)?, Some(Provenance::charged(stored, index)));
        if paper.promise != promise {
            return Err(DocumentError::inconsistent("it promises something else than its draw does"));
        }
        Ok(paper)
    }

    /// Whether it says what a ledger holds: the first of its parts that differs.
    pub(crate) fn difference(&self, text: &str, index: usize) -> Result<Option<&'static str>, DocumentError> {
        let record = Self::stored(text, index)?;
        let parts = [
            ("provenance.answer", index == 0 || kind_of(text).is_none()),
            ("request", record.request == K::charged(self.answer.request())),
            ("promise", record.promise == self.promise),
            ("n", record.n == self.answer.n()),
            ("drawn", record.drawn == *self.answer.drawn()),
        ];
        Ok(parts.into_iter().find_map(|(part, same)| (!same).then_some(part)))
    }
}
