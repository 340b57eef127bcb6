//! A question of a plan, whatever its kind.

use std::any::Any;
use std::fmt;
use std::sync::Arc;

use posterity_core::model::Epsilon;
use posterity_ledger::Amount;

use super::error::{Path, PlanError, PlanProblem};
use super::head::Head;
use crate::part::Part;
use crate::table::{Contrast, Reading, Test};

/// A question of a plan, whatever its kind.
#[derive(Clone, Debug)]
pub struct PlannedQuestion {
    name: String,
    title: String,
    description: Option<String>,
    path: Path,
    line: Option<usize>,
    part: PlannedPart,
}

/// What a question of a plan asks.
pub(crate) type PlannedPart = Arc<dyn Planned>;

/// What a plan asks of a kind, as every front shows it.
pub(crate) trait Planned: Any + fmt::Debug + Send + Sync {
    /// The kind of its answer, by name.
    fn kind(&self) -> &'static str;

    /// What it costs by itself.
    fn epsilon(&self) -> Epsilon;

    /// The delta that goes with it, if it has one.
    fn delta(&self) -> Option<&Amount> {
        None
    }

    /// Its rho, if that is what is counted of it.
    fn rho(&self) -> Option<Amount> {
        None
    }

    /// The names of its columns.
    fn columns(&self) -> Vec<&str>;

    /// How many cells it has, if that is declared.
    fn cells(&self) -> Option<u64> {
        None
    }

    /// By what it is drawn, by name.
    fn mechanism(&self) -> String {
        self.kind().to_owned()
    }

    /// How many tables it has, where that is a number that tells something.
    fn tables(&self) -> Option<usize> {
        None
    }

    /// What is read from its answer, if that can be chosen.
    fn readings(&self) -> &[Reading] {
        &[]
    }

    /// What is compared in its answer.
    fn comparisons(&self) -> &[Contrast] {
        &[]
    }

    /// What is tested by its answer.
    fn tests(&self) -> &[Test] {
        &[]
    }

    /// Why nobody can say beforehand how wide its intervals will be, where nobody can.
    fn unforeseen(&self) -> &'static str {
        "no forecast is known for this kind of release"
    }

    /// The question as it is counted, charged and drawn. Without a proven promise it is refused, unless that is allowed.
    fn part(&self, allow_unproven: bool) -> Arc<dyn Part<'static>>;
}

impl PlannedQuestion {
    pub(super) fn new(head: &Head<'_>, (title, part): (String, PlannedPart)) -> Self {
        Self {
            name: head.name.clone(),
            title: head.title.clone().unwrap_or(title),
            description: head.description.clone(),
            path: head.item.path.clone(),
            line: head.item.line(),
            part,
        }
    }

    /// Its name, which is also that of its files.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Its heading.
    #[must_use]
    pub fn title(&self) -> &str {
        &self.title
    }

    /// What it is about, in the words of its author.
    #[must_use]
    pub fn description(&self) -> Option<&str> {
        self.description.as_deref()
    }

    /// What is asked, if it is of this type, such as [`PlannedTable`](super::PlannedTable).
    #[must_use]
    pub fn as_a<T: Any>(&self) -> Option<&T> {
        (&*self.part as &dyn Any).downcast_ref()
    }

    /// The kind of its answer, by name.
    #[must_use]
    pub fn kind(&self) -> &'static str {
        self.part.kind()
    }

    /// The part of epsilon that it costs by itself.
    #[must_use]
    pub fn epsilon(&self) -> Epsilon {
        self.part.epsilon()
    }

    /// The delta that goes with it, if it has one.
    #[must_use]
    pub fn delta(&self) -> Option<&Amount> {
        self.part.delta()
    }

    /// Its rho, if that is what an account counts of it.
    #[must_use]
    pub fn rho(&self) -> Option<Amount> {
        self.part.rho()
    }

    /// The names of its columns.
    #[must_use]
    pub fn columns(&self) -> Vec<&str> {
        self.part.columns()
    }

    /// How many cells it has, if that is declared.
    #[must_use]
    pub fn cells(&self) -> Option<u64> {
        self.part.cells()
    }

    /// By what it is drawn, by name.
    #[must_use]
    pub fn mechanism(&self) -> String {
        self.part.mechanism()
    }

    /// How many tables it has, of a kind that releases several.
    #[must_use]
    pub fn tables(&self) -> Option<usize> {
        self.part.tables()
    }

    /// What is read from its answer, if that can be chosen.
    #[must_use]
    pub fn readings(&self) -> &[Reading] {
        self.part.readings()
    }

    /// What is compared in its answer.
    #[must_use]
    pub fn comparisons(&self) -> &[Contrast] {
        self.part.comparisons()
    }

    /// What is tested by its answer.
    #[must_use]
    pub fn tests(&self) -> &[Test] {
        self.part.tests()
    }

    /// Why nobody can say beforehand how wide the intervals of such an answer will be, where nobody can.
    #[must_use]
    pub fn unforeseen(&self) -> &'static str {
        self.part.unforeseen()
    }

    /// The question as it is counted, charged and drawn.
    pub(super) fn part(&self, allow_unproven: bool) -> Arc<dyn Part<'static>> {
        self.part.part(allow_unproven)
    }

    /// An error of this question.
    pub(super) fn error(&self, problem: PlanProblem) -> PlanError {
        PlanError::new(self.path.clone(), self.line, problem)
    }
}
