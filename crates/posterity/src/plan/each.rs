//! A question of a plan, whatever its kind.

use posterity_core::model::Epsilon;
use posterity_ledger::Amount;

use super::{Asked, AskedDiscovery, AskedMargins};
use crate::kind::discovered::Discovered;
use crate::kind::margins::Margins;
use crate::kind::table::Table;
use crate::paper::Kind;
use crate::table::{Contrast, Reading};

/// A question of a plan, whatever its kind.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub enum AskedOfKind<'a> {
    /// About declared cells.
    Table(&'a Asked),
    /// About tables of many columns.
    Margins(&'a AskedMargins),
    /// About the values of a column.
    Discovered(&'a AskedDiscovery),
}

/// The same of a question, whatever its kind.
macro_rules! each {
    ($asked:expr, $one:ident => $of:expr) => {
        match $asked {
            AskedOfKind::Table($one) => $of,
            AskedOfKind::Margins($one) => $of,
            AskedOfKind::Discovered($one) => $of,
        }
    };
}

impl<'a> AskedOfKind<'a> {
    /// Its name, which is also that of its files.
    #[must_use]
    pub fn name(self) -> &'a str {
        each!(self, one => one.name())
    }

    /// Its heading.
    #[must_use]
    pub fn title(self) -> &'a str {
        each!(self, one => one.title())
    }

    /// What it is about, in the words of its author.
    #[must_use]
    pub fn description(self) -> Option<&'a str> {
        each!(self, one => one.description())
    }

    /// The kind of its answer, by name.
    #[must_use]
    pub fn kind(self) -> &'static str {
        match self {
            Self::Table(_) => Table::NAME,
            Self::Margins(_) => Margins::NAME,
            Self::Discovered(_) => Discovered::NAME,
        }
    }

    /// The part of epsilon that it costs by itself.
    #[must_use]
    pub fn epsilon(self) -> Epsilon {
        match self {
            Self::Table(one) => one.epsilon(),
            Self::Margins(one) => one.terms().epsilon.clone(),
            Self::Discovered(one) => one.terms().whole_epsilon(),
        }
    }

    /// The delta that goes with it, if it has one.
    #[must_use]
    pub fn delta(self) -> Option<&'a Amount> {
        match self {
            Self::Table(_) => None,
            Self::Margins(one) => Some(&one.terms().delta),
            Self::Discovered(one) => Some(&one.terms().delta),
        }
    }

    /// The names of its columns.
    #[must_use]
    pub fn columns(self) -> Vec<&'a str> {
        match self {
            Self::Table(one) => one.question().columns.iter().map(|column| column.name.as_str()).collect(),
            Self::Margins(one) => one.question().columns.iter().map(|column| column.name.as_str()).collect(),
            Self::Discovered(one) => vec![&one.values().column],
        }
    }

    /// How many cells it has, if that is declared.
    #[must_use]
    pub fn cells(self) -> Option<u64> {
        match self {
            Self::Table(one) => Some(one.cells() as u64),
            Self::Margins(one) => Some(one.cells()),
            Self::Discovered(_) => None,
        }
    }

    /// By what it is drawn, by name.
    #[must_use]
    pub fn mechanism(self) -> String {
        match self {
            Self::Table(one) => one.terms().spec.to_string(),
            other => other.kind().to_owned(),
        }
    }

    /// What is read from its answer, if that can be chosen.
    #[must_use]
    pub fn readings(self) -> &'a [Reading] {
        match self {
            Self::Table(one) => one.readings(),
            Self::Margins(one) => one.readings(),
            Self::Discovered(_) => &[],
        }
    }

    /// What is compared in its answer.
    #[must_use]
    pub fn comparisons(self) -> &'a [Contrast] {
        match self {
            Self::Table(one) => one.comparisons(),
            Self::Margins(one) => one.comparisons(),
            Self::Discovered(_) => &[],
        }
    }
}
