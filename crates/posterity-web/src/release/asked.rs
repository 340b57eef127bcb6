//! What a release is asked for.

use std::num::NonZeroU32;

use posterity::data::{Cells, Column, DataError, MAX_CELLS, PerUnit, Question};
use posterity::table::Subject;
use posterity::{Adjacency, Epsilon, Publisher, ReadingError, StatedPrior, Terms};
use posterity_core::mechanism::Spec;
use serde::Deserialize;

use super::undeclared::Undeclared;
use crate::chosen::{self, ChosenFile, FileForm};
use crate::column_fields::ColumnFields;
use crate::folder::Folder;
use crate::readings::{AskedReadings, ReadingForm};
use crate::sentence::sentence;
use crate::typed::Typed;

/// The choice that all records of a unit count, up to a number.
pub(super) const ALL: &str = "all";

/// The form of a release, as it was typed.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct ReleaseForm {
    #[serde(flatten)]
    pub(super) file: FileForm,
    #[serde(flatten)]
    pub(super) columns: ColumnFields,
    pub(super) adjacency: Typed<Adjacency>,
    pub(super) unit: Typed,
    pub(super) per_unit: Typed<PerUnit>,
    /// How many records of a unit count at most, if all of them do.
    pub(super) records: Typed<NonZeroU32>,
    pub(super) filter: Typed,
    #[serde(flatten)]
    pub(super) undeclared: Undeclared,
    pub(super) epsilon: Typed<Epsilon>,
    pub(super) account: Typed,
    pub(super) prior: Typed<StatedPrior>,
    pub(super) mechanism: Typed<Spec>,
    #[serde(flatten)]
    pub(super) readings: ReadingForm,
}

impl ReleaseForm {
    /// By which of its records a unit counts. The choice of all of them has its number in a field of its own.
    fn rule(&self) -> Result<PerUnit, String> {
        if self.per_unit.get() == Some(ALL) {
            let most = "Give the most records of one person that count, such as 3.";
            return Ok(PerUnit::All(self.records.required(most)?));
        }
        Ok(self.per_unit.value()?.unwrap_or_default())
    }
}

/// A checked form. Nothing has been read yet.
#[derive(Clone, Debug)]
pub(crate) struct Asked {
    pub(super) typed: ReleaseForm,
    pub(super) file: ChosenFile,
    pub(super) question: Question,
    pub(super) terms: Terms,
    /// What is promised, and charged to the account.
    pub(super) price: Epsilon,
    pub(super) readings: AskedReadings,
    /// The account to charge; none without a ledger.
    pub(super) account: Option<String>,
}

impl Asked {
    /// What the form means, or what is wrong with it. It does not open the file.
    pub(super) fn new(folder: Option<&Folder>, has_ledger: bool, typed: ReleaseForm) -> Result<Self, String> {
        let file = ChosenFile::new(chosen::folder(folder)?, &typed.file)?;
        let columns = typed.columns.placed()?.into_iter();
        let columns: Vec<Column> = columns.map(|(place, one)| typed.undeclared.of(place, one)).collect();
        if columns.is_empty() {
            return Err("Name the column that holds the categories.".to_owned());
        }
        let adjacency = typed.adjacency.value()?.unwrap_or_default();
        let question = Question {
            filter: typed.filter.get().map(Into::into),
            unit: typed.unit.get().map(Into::into),
            per_unit: typed.rule()?,
            adjacency,
            ..Question::new(columns)
        };
        check_rule(&question)?;
        let readings = AskedReadings::new(&typed.readings)?;
        if !readings.is_empty() {
            readings.check_question(&question)?;
        }
        let mut terms = Terms {
            adjacency,
            prior: typed.prior.value()?,
            spec: typed.mechanism.value()?.unwrap_or_else(|| Terms::usual_mechanism(adjacency)),
            ..Terms::new(typed.epsilon.required("Give an epsilon, such as 1.")?)
        };
        terms = terms.clone().with_ways(readings.ways(terms.ways()));
        terms.ways().check().map_err(sentence)?;
        if terms.about == Subject::Records && question.unit.is_some() && question.per_unit == PerUnit::Random
        {
            return Err(sentence(ReadingError::RandomRecords));
        }
        if question.per_unit.most().get() > 1 {
            // Records of one unit depend on each other, so nothing is said about a population.
            terms.about = Subject::Records;
        }
        if adjacency == Adjacency::AddRemove {
            check_private(&terms, &question)?;
        }
        let nothing = || format!("{} promises nothing. Choose another mechanism.", terms.spec.name());
        let private = terms.spec.description().private;
        let price = terms.promised().filter(|_| private).ok_or_else(nothing)?;
        check_cells(&question, &terms)?;
        let account = chosen::account(has_ledger, &typed.account)?;
        Ok(Self { typed, file, question, terms, price, readings, account })
    }

    /// Whom it protects, in a word.
    pub(super) fn unit(&self) -> &str {
        self.question.unit.as_deref().unwrap_or("record")
    }

    /// The columns in words: "cured (yes, no)".
    pub(super) fn columns_in_words(&self) -> String {
        let column = |column: &Column| format!("{} ({})", column.name, column.domain.names().join(", "));
        self.question.columns.iter().map(column).collect::<Vec<_>>().join(" and ")
    }
}

/// Refuses categories and terms that do not go together: that needs no data.
fn check_cells(question: &Question, terms: &Terms) -> Result<(), String> {
    let cells = Cells::new(question).map_err(sentence)?;
    Publisher::with_terms(terms.clone()).check(cells.categories().names().len()).map_err(sentence)
}

/// Refuses a rule by which a unit counts more than once where n is public, or where there are no units.
fn check_rule(question: &Question) -> Result<(), String> {
    let several = matches!(question.per_unit, PerUnit::All(_));
    if several && (question.unit.is_none() || question.adjacency == Adjacency::Replace) {
        return Err(sentence(DataError::SeveralRecords { rule: question.per_unit.to_string() }));
    }
    Ok(())
}

/// Refuses terms that do not go with a private n, before anything is read: they do not depend on the data.
fn check_private(terms: &Terms, question: &Question) -> Result<(), String> {
    terms.spec.check_adjacency(terms.adjacency).map_err(sentence)?;
    let sizes = question.columns.iter().map(|column| column.names().len());
    let cells = sizes.fold(1, usize::saturating_mul);
    if terms.prior.is_none() || cells > MAX_CELLS {
        // The usual prior goes with any number of cells, and too many are refused when they are counted.
        return Ok(());
    }
    terms.setting(cells, terms.most).map(|_| ()).map_err(sentence)
}
