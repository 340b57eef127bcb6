//! A study: a plan of the folder or one that is made here, a summary, a confirmation, progress, and the results.

mod answer;
mod asked;
mod forecast;
mod job;
mod make;
mod outcome;
mod page;
mod progress;
mod summary;

pub(crate) use answer::{answer, answer_file, answered};
pub(crate) use forecast::forecast;
pub(crate) use job::Studies;
pub(crate) use make::{make, plan_file, pressed};
pub(crate) use outcome::{download, progress, report, result};
pub(crate) use page::page;
pub(crate) use summary::{check, confirm, draft};
