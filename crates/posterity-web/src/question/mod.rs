//! A question in words: a share, a rate within groups, a difference between two groups, or a table.

mod asked;
mod form;
mod kind;

pub(crate) use asked::Question;
pub(crate) use form::QuestionForm;
pub(crate) use kind::Kind;
