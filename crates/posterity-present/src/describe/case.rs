//! What is described: one document, or all documents of a study.

use posterity::document::GuaranteeStatement;
use posterity::ledger::Amount;
use posterity::{About, Adjacency, Epsilon, Publication};
use thiserror::Error;

use super::page::Table;
use super::standing::Standing;
use crate::sheet::Sheet;

/// Documents that are described together, all of which protect the same people in the same way.
#[derive(Debug)]
pub struct Case<'a> {
    /// The title of a study, and what its author says about it.
    pub(super) study: Option<(&'a str, Option<&'a str>)>,
    pub(super) answers: Vec<Answered<'a>>,
    /// What readers type to verify it: the document, or the folder of the study.
    pub(super) file: &'a str,
    pub(super) standing: Option<Standing>,
    /// What was required beforehand, and whether it is met; empty if nothing was.
    pub(super) required: Option<Table>,
    /// The promise of all documents together; none if one of them promises nothing.
    pub(super) together: Option<Together>,
}

/// One document of a case.
#[derive(Clone, Copy, Debug)]
pub struct Answered<'a> {
    /// The question in the words of its author, in a study.
    pub title: Option<&'a str>,
    /// The name of its file.
    pub file: &'a str,
    /// The document.
    pub document: &'a Publication,
}

/// Why documents cannot be described together.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum CaseError {
    /// There is no document.
    #[error("there is no document to describe")]
    Empty,
    /// Promises to different units do not add up.
    #[error(
        "the documents protect different people: {first} in one and {other} in another; describe each by itself"
    )]
    Mixed {
        /// What the first protects.
        first: String,
        /// What another one protects.
        other: String,
    },
}

/// What several documents promise together: by basic composition their bounds add up.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Together {
    pub(super) epsilon: Epsilon,
    pub(super) delta: Amount,
    /// The sum of the rhos, if all promises are of zero-concentrated privacy.
    pub(super) rho: Option<Amount>,
}

impl<'a> Case<'a> {
    /// A single document, which readers know by the name of its file.
    ///
    /// # Errors
    /// [`CaseError`].
    pub fn of(document: &'a Publication, file: &'a str) -> Result<Self, CaseError> {
        Self::new(None, vec![Answered { title: None, file, document }], file)
    }

    /// The documents of a study, with its title, what its author says about it, and its folder.
    ///
    /// # Errors
    /// [`CaseError`].
    pub fn of_study(
        title: &'a str,
        about: Option<&'a str>,
        answers: Vec<Answered<'a>>,
        folder: &'a str,
    ) -> Result<Self, CaseError> {
        Self::new(Some((title, about)), answers, folder)
    }

    fn new(
        study: Option<(&'a str, Option<&'a str>)>,
        answers: Vec<Answered<'a>>,
        file: &'a str,
    ) -> Result<Self, CaseError> {
        let protects = |one: &Answered<'_>| {
            let promise = one.document.promise();
            format!("each {} ({})", promise.unit(), promise.adjacency())
        };
        let first = protects(answers.first().ok_or(CaseError::Empty)?);
        if let Some(other) = answers.iter().map(protects).find(|other| *other != first) {
            return Err(CaseError::Mixed { first, other });
        }
        let together = Together::of(&answers);
        Ok(Self { study, answers, file, standing: None, required: None, together })
    }

    /// Tells the account that paid, as it stands.
    #[must_use]
    pub fn with_standing(self, standing: Standing) -> Self {
        Self { standing: Some(standing), ..self }
    }

    /// Tells what was required beforehand and whether it is met. A sheet without rows says nothing.
    #[must_use]
    pub fn with_requirements(self, required: Sheet<'_>) -> Self {
        let required = Table::of(required, usize::MAX);
        Self { required: Some(required).filter(|table| !table.rows.is_empty()), ..self }
    }

    /// The first document. A case has one.
    pub(super) fn first(&self) -> &'a Publication {
        self.answers[0].document
    }

    /// What the documents are about. The unit and the filter are the same in all.
    pub(super) fn about(&self) -> &'a About {
        self.first().about()
    }

    pub(super) fn adjacency(&self) -> Adjacency {
        self.first().promise().adjacency()
    }

    /// What is protected: `record`, or the column of the unit.
    pub(super) fn unit(&self) -> &'a str {
        self.first().promise().unit()
    }

    pub(super) fn is_private(&self) -> bool {
        self.together.is_some()
    }

    /// The guarantee of the first document that promises nothing, or else of the first.
    pub(super) fn guarantee(&self) -> &'a GuaranteeStatement {
        let nothing = self.answers.iter().find(|one| one.document.promise().epsilon().is_none());
        nothing.map_or_else(|| self.first(), |one| one.document).guarantee()
    }

    /// The number of records or units, if it is public.
    pub(super) fn n(&self) -> Option<u64> {
        self.first().n()
    }

    /// When the documents were drawn, from the first moment on; nothing if they were not charged.
    pub(super) fn drawn(&self) -> Option<&'a str> {
        // Times are written so that they sort as texts.
        self.answers.iter().filter_map(|one| Some(one.document.provenance()?.drawn.as_str())).min()
    }
}

impl Together {
    fn of(answers: &[Answered<'_>]) -> Option<Self> {
        let promise = |one: &Answered<'_>| {
            let promise = one.document.promise();
            let (epsilon, delta) = (promise.epsilon()?.clone(), promise.delta()?.clone());
            Some(Self { epsilon, delta, rho: promise.rho().cloned() })
        };
        let mut all = answers.iter().map(promise);
        let first = all.next()??;
        all.try_fold(first, |sum, next| sum.and(&next?))
    }

    fn and(self, other: &Self) -> Option<Self> {
        let sum =
            |one: &Amount, other: &Amount| Amount::from_rational(one.rational() + other.rational()).ok();
        Some(Self {
            epsilon: Epsilon::from_rational(self.epsilon.rational() + other.epsilon.rational()).ok()?,
            delta: sum(&self.delta, &other.delta)?,
            rho: match (&self.rho, &other.rho) {
                (Some(one), Some(other)) => Some(sum(one, other)?),
                _ => None,
            },
        })
    }
}
