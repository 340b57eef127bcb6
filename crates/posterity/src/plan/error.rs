//! What is wrong with a plan, and where.

use std::fmt;

use thiserror::Error;

use crate::batch::BatchError;
use crate::blame::Blame;
use crate::meaning::LargeDelta;
use crate::table::ReadingError;

/// A step on the way to a value of a plan.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Step {
    /// The value of a key.
    Key(String),
    /// A value of a list, from 0.
    Index(usize),
}

/// The way to a value of a plan, such as `question[0].columns`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Path(Vec<Step>);

/// What is wrong with a plan, and where.
#[derive(Clone, Debug, PartialEq)]
pub struct PlanError(Box<Found>);

#[derive(Clone, Debug, PartialEq)]
struct Found {
    path: Path,
    line: Option<usize>,
    problem: PlanProblem,
}

/// What can be wrong with a plan.
#[derive(Clone, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum PlanProblem {
    /// It cannot be read as a plan at all.
    #[error("this is not {spelling}: {what}")]
    Syntax {
        /// How it should be written, such as TOML.
        spelling: &'static str,
        /// What the parser says.
        what: String,
    },
    /// An unknown key.
    #[error(
        "there is no key {key:?} in {place}; {}",
        near.as_ref().map_or_else(|| format!("the keys are {}", known.join(", ")), |near| format!("write {near:?}"))
    )]
    UnknownKey {
        /// The key.
        key: String,
        /// The table that it stands in.
        place: String,
        /// A key that is almost the same.
        near: Option<String>,
        /// The keys that there are.
        known: Vec<&'static str>,
    },
    /// A key that must be there.
    #[error("{place} has no {key:?}; add {example}")]
    Missing {
        /// The key.
        key: &'static str,
        /// The table that lacks it.
        place: String,
        /// How it is written.
        example: &'static str,
    },
    /// A value of another type.
    #[error("this is {found}; write {expected}")]
    Type {
        /// The type that it has.
        found: &'static str,
        /// What it should be.
        expected: &'static str,
    },
    /// A value that is not allowed: what is wrong, and what to do.
    #[error("{0}")]
    Value(String),
    /// A delta that is so large that it must be said that it is meant.
    #[error("{0} (allow-large-delta)")]
    LargeDelta(LargeDelta),
    /// A question about a column that is not declared.
    #[error("no categories are declared for the column {column:?}; {}", declare(near.as_deref(), known))]
    Undeclared {
        /// The column.
        column: String,
        /// A declared column of almost this name.
        near: Option<String>,
        /// The declared columns.
        known: Vec<String>,
    },
    /// Two questions of one name.
    #[error("two questions are named {name:?}; give each a name of its own, which is also that of its files")]
    Repeated {
        /// The name.
        name: String,
    },
    /// The schema cannot be used.
    #[error("the schema {file:?} {why}")]
    Schema {
        /// The file.
        file: String,
        /// What is wrong with it, and what to do.
        why: String,
    },
    /// A reading or a comparison that cannot be made.
    #[error("{0}")]
    Reading(ReadingError),
    /// Questions or terms that do not go together.
    #[error("{}", without_number(.0))]
    Batch(BatchError),
}

impl Path {
    /// The way to the value of a key from here.
    pub(super) fn key(&self, key: impl Into<String>) -> Self {
        let mut steps = self.0.clone();
        steps.push(Step::Key(key.into()));
        Self(steps)
    }

    /// The way to a value of a list from here.
    pub(super) fn index(&self, index: usize) -> Self {
        let mut steps = self.0.clone();
        steps.push(Step::Index(index));
        Self(steps)
    }

    /// The steps, from the plan on.
    #[must_use]
    pub fn steps(&self) -> &[Step] {
        &self.0
    }

    /// The keys on the way, from the plan on.
    pub fn keys(&self) -> impl DoubleEndedIterator<Item = &str> {
        self.0.iter().filter_map(|step| match step {
            Step::Key(key) => Some(key.as_str()),
            Step::Index(_) => None,
        })
    }
}

impl fmt::Display for Path {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, step) in self.0.iter().enumerate() {
            match step {
                Step::Key(key) if index == 0 => f.write_str(key)?,
                Step::Key(key) => write!(f, ".{key}")?,
                Step::Index(index) => write!(f, "[{index}]")?,
            }
        }
        Ok(())
    }
}

impl PlanError {
    pub(super) fn new(path: Path, line: Option<usize>, problem: PlanProblem) -> Self {
        Self(Box::new(Found { path, line, problem }))
    }

    /// A text that is no plan in this spelling.
    #[must_use]
    pub fn syntax(spelling: &'static str, what: impl Into<String>, line: usize) -> Self {
        let problem = PlanProblem::Syntax { spelling, what: what.into() };
        Self::new(Path::default(), Some(line), problem)
    }

    /// A key of the plan that must be there.
    #[must_use]
    pub fn missing(key: &'static str, example: &'static str) -> Self {
        let place = "the plan".to_owned();
        Self::new(Path::default().key(key), Some(1), PlanProblem::Missing { key, place, example })
    }

    /// A value of the plan that is not allowed, by the key of the plan that has it.
    #[must_use]
    pub fn of_key(key: &str, why: impl ToString, line: Option<usize>) -> Self {
        Self::new(Path::default().key(key), line, PlanProblem::Value(why.to_string()))
    }

    /// The way to the value that is wrong.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.0.path
    }

    /// What is wrong there.
    #[must_use]
    pub fn problem(&self) -> &PlanProblem {
        &self.0.problem
    }

    /// The line of that value, if it stands on one.
    #[must_use]
    pub fn line(&self) -> Option<usize> {
        self.0.line
    }

    /// The field that is wrong, by its name: the last key on the way that names one. Nothing if it is the whole plan.
    #[must_use]
    pub fn field(&self) -> Option<&str> {
        let named = match self.problem() {
            PlanProblem::Batch(error) => blamed(error).first().copied(),
            _ => None,
        };
        named.or_else(|| self.path().keys().next_back())
    }

    /// The fields that it is about, if several may be, or others can change it.
    #[must_use]
    pub fn blame(&self) -> Option<Blame> {
        match self.problem() {
            PlanProblem::Batch(error) => Some(blame(error)),
            _ => None,
        }
    }

    /// What is wrong, without the place, for a front that has no keys.
    #[must_use]
    pub fn why(&self) -> String {
        match self.problem() {
            PlanProblem::Missing { .. } => "this is required".to_owned(),
            problem => problem.to_string(),
        }
    }
}

/// An error of a question in words. Which question it is, its place says.
fn without_number(error: &BatchError) -> String {
    match error {
        BatchError::Question { error, .. } => error.to_string(),
        error => error.to_string(),
    }
}

/// What an error of questions is about.
fn blame(error: &BatchError) -> Blame {
    match error {
        BatchError::Data(error) => Blame::data(error),
        BatchError::Question { error, .. } => Blame::publish(error),
        BatchError::Ledger(error) => Blame::ledger(error),
        _ => Blame::Other(&[]),
    }
}

/// The fields that an error of questions is about.
pub(super) fn blamed(error: &BatchError) -> &'static [&'static str] {
    let (Blame::Argument(fields) | Blame::Other(fields)) = blame(error);
    fields
}

impl fmt::Display for PlanError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        use PlanProblem::{Missing, Repeated, Syntax, Undeclared, UnknownKey};
        if let Some(line) = self.line() {
            write!(f, "line {line}: ")?;
        }
        let says_where =
            matches!(self.problem(), Missing { .. } | Repeated { .. } | Syntax { .. } | UnknownKey { .. });
        if says_where || matches!(self.problem(), Undeclared { .. }) && self.line().is_some() {
            return write!(f, "{}", self.problem());
        }
        match (self.line(), self.field()) {
            (None, _) if !self.path().0.is_empty() => write!(f, "{}: {}", self.path(), self.problem()),
            // The line says which question it is.
            (_, Some(field)) if !matches!(self.path().0.last(), Some(Step::Index(_))) => {
                write!(f, "{field}: {}", self.problem())
            }
            _ => write!(f, "{}", self.problem()),
        }
    }
}

impl std::error::Error for PlanError {}

fn declare(near: Option<&str>, known: &[String]) -> String {
    match (near, known) {
        (Some(near), _) => format!("there is one named {near:?}"),
        (None, []) => {
            "declare them; they are never read from the data, because that would reveal which ones occur"
                .to_owned()
        }
        (None, known) => {
            let known: Vec<String> = known.iter().map(|name| format!("{name:?}")).collect();
            format!("the declared columns are {}", known.join(", "))
        }
    }
}
