//! What all forms of releases ask alike.

use posterity::data::{Column, PerUnit, Question};
use posterity::{Adjacency, Epsilon};
use serde::Deserialize;

use crate::chosen::{self, ChosenFile, FileForm};
use crate::desk::Desk;
use crate::readings::ReadingForm;
use crate::typed::Typed;

/// What all forms of releases ask alike, as it was typed.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct Common {
    #[serde(flatten)]
    pub(super) file: FileForm,
    pub(super) adjacency: Typed<Adjacency>,
    pub(super) unit: Typed,
    pub(super) per_unit: Typed<PerUnit>,
    pub(super) filter: Typed,
    pub(super) epsilon: Typed<Epsilon>,
    pub(super) account: Typed,
    #[serde(flatten)]
    pub(super) readings: ReadingForm,
}

impl Common {
    /// The file that was chosen. It has not been opened.
    pub(super) fn file(&self, desk: &Desk<'_>) -> Result<ChosenFile, String> {
        ChosenFile::new(chosen::folder(desk.folder)?, &self.file)
    }

    pub(super) fn edition(&self) -> Option<String> {
        self.file.edition.get().map(ToOwned::to_owned)
    }

    /// The question about these columns, where units count by this rule.
    pub(super) fn question(&self, columns: Vec<Column>, per_unit: PerUnit) -> Result<Question, String> {
        Ok(Question {
            filter: self.filter.get().map(Into::into),
            unit: self.unit.get().map(Into::into),
            per_unit,
            adjacency: self.adjacency.value()?.unwrap_or_default(),
            ..Question::new(columns)
        })
    }

    pub(super) fn epsilon(&self) -> Result<Epsilon, String> {
        self.epsilon.required("Give an epsilon, such as 1.")
    }

    /// The account to charge; none without a ledger.
    pub(super) fn account(&self, desk: &Desk<'_>) -> Result<Option<String>, String> {
        chosen::account(desk.ledger.is_some(), &self.account)
    }
}
