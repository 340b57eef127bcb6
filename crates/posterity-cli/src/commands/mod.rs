//! One file per command, with its arguments, its help and its work.

mod advise;
mod asking_args;
mod audit;
mod budget;
mod check;
mod compare;
mod completions;
mod describe;
mod discover;
mod fit;
mod inspect;
mod listed;
mod man;
mod margins;
mod paper;
mod paying;
mod pictures;
mod plan;
mod read;
mod readings;
mod release;
mod reproduce;
mod rows;
mod sql;
mod study;
mod verify;
#[cfg(feature = "web")]
mod web;

pub(crate) use advise::{AdviseArgs, advise};
pub(crate) use audit::{AuditArgs, audit};
pub(crate) use budget::{BudgetCommand, budget};
pub(crate) use check::{CheckArgs, check};
pub(crate) use compare::{CompareArgs, compare};
pub(crate) use completions::{CompletionsArgs, completions};
pub(crate) use describe::{DescribeArgs, describe};
pub(crate) use discover::{DiscoverArgs, discover};
pub(crate) use fit::{FitArgs, fit};
pub(crate) use inspect::{InspectArgs, inspect};
pub(crate) use listed::{ListedArgs, listed};
pub(crate) use man::{ManArgs, man};
pub(crate) use margins::{MarginsArgs, margins};
pub(crate) use plan::{PlanArgs, plan};
pub(crate) use read::{ReadArgs, read};
pub(crate) use release::{ReleaseArgs, release};
pub(crate) use reproduce::{ReproduceArgs, reproduce};
pub(crate) use sql::{SqlArgs, sql};
pub(crate) use study::{StudyArgs, study};
pub(crate) use verify::{VerifyArgs, verify};
#[cfg(feature = "web")]
pub(crate) use web::{WebArgs, web};
