//! What is wrong with a plan, and where.

use posterity::{BatchError, ReadingError};
use thiserror::Error;

/// What is wrong with a plan, and where.
#[derive(Clone, Debug, PartialEq, Error)]
#[error("line {line}: {problem}")]
pub struct PlanError {
    /// The line, from 1.
    pub line: usize,
    /// What is wrong there.
    pub problem: PlanProblem,
}

/// What can be wrong with a plan.
#[derive(Clone, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum PlanProblem {
    /// It is not TOML.
    #[error("this is not TOML: {what}")]
    Syntax {
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
    #[error("{key} is {found}; write {expected}")]
    Type {
        /// The key.
        key: String,
        /// The type that it has.
        found: &'static str,
        /// What it should be.
        expected: &'static str,
    },
    /// A value that is not allowed.
    #[error("{key}: {why}")]
    Value {
        /// The key.
        key: String,
        /// What is wrong, and what to do.
        why: String,
    },
    /// A question about a column that is not declared.
    #[error("no categories are declared for the column {column:?}; {}", declare(column, near.as_deref()))]
    Undeclared {
        /// The column.
        column: String,
        /// A declared column of almost this name.
        near: Option<String>,
    },
    /// Two questions of one name.
    #[error("two questions are named {name:?}; give each a name of its own, which is also that of its files")]
    Repeated {
        /// The name.
        name: String,
    },
    /// Two questions whose files have the same name, or one whose file has a name that every study uses.
    #[error("{}; give {} another name", both(question, other.as_deref(), file), if other.is_some() { "one of them" } else { "it" })]
    SameFile {
        /// The file.
        file: String,
        /// The question.
        question: String,
        /// The question before it that writes the same file.
        other: Option<String>,
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
    #[error("{0}")]
    Batch(BatchError),
}

fn declare(column: &str, near: Option<&str>) -> String {
    match near {
        Some(near) => format!("there is one named {near:?}"),
        None => format!("add them below [columns]: {column} = [\"yes\", \"no\"]"),
    }
}

fn both(question: &str, other: Option<&str>, file: &str) -> String {
    match other {
        Some(other) => format!(
            "the questions {other:?} and {question:?} would both write the file {file:?} (capital letters do not tell files apart \
             everywhere)"
        ),
        None => format!("the question {question:?} would write the file {file:?}, which every study writes"),
    }
}
