//! What a check found, in words.

use super::outcome::Outcome;
use crate::table::ResultRow;
use posterity::number::{brief, digits};

/// What a check found.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Finding {
    /// How many comparisons it is made of: pairs of numbers, numbers or curves.
    pub comparisons: usize,
    /// How many of them hold.
    pub holding: usize,
    /// How many of them sampling leaves open.
    pub undecided: usize,
    /// The number that decides it, if there is one.
    pub value: Option<f64>,
    /// That number and where it is, in words.
    pub evidence: String,
    /// Where it holds and where not.
    pub parts: Vec<Part>,
}

/// One comparison: where it is, and whether it holds. Nobody knows that where sampling leaves it open.
#[derive(Clone, Debug, PartialEq)]
pub struct Part {
    /// The panel of the figure.
    pub panel: String,
    /// The mechanism or curve.
    pub series: String,
    /// The place on the axis, if the comparison is about one.
    pub x: Option<f64>,
    /// Whether it holds.
    pub holds: Option<bool>,
}

impl Part {
    /// The comparison at a row.
    pub(super) fn at(row: &ResultRow, outcome: Outcome) -> Self {
        let holds = match outcome {
            Outcome::Holds => Some(true),
            Outcome::Fails => Some(false),
            Outcome::Undecided => None,
        };
        Self { panel: row.panel.clone(), series: row.series.clone(), x: row.x, holds }
    }
}

impl Finding {
    /// The finding that there is nothing to decide by.
    pub(super) fn nothing(evidence: String) -> Self {
        Self::one(Outcome::Undecided, None, evidence)
    }

    /// A check that is one comparison.
    pub(super) fn one(outcome: Outcome, value: Option<f64>, evidence: String) -> Self {
        Self::many(&[outcome], value, evidence)
    }

    /// A check of many comparisons.
    pub(super) fn many(outcomes: &[Outcome], value: Option<f64>, evidence: String) -> Self {
        let count = |wanted: Outcome| outcomes.iter().filter(|one| **one == wanted).count();
        let (holding, undecided) = (count(Outcome::Holds), count(Outcome::Undecided));
        Self { comparisons: outcomes.len(), holding, undecided, value, evidence, parts: Vec::new() }
    }

    /// The same with the places of its comparisons.
    pub(super) fn with(self, parts: Vec<Part>) -> Self {
        Self { parts, ..self }
    }

    /// Whether all comparisons hold.
    #[must_use]
    pub fn holds(&self) -> bool {
        self.holding == self.comparisons
    }

    /// How many comparisons fail.
    #[must_use]
    pub fn failing(&self) -> usize {
        self.comparisons - self.holding - self.undecided
    }
}

/// How many comparisons do not hold, in words that end a bracket.
pub(super) fn exceptions(outcomes: &[Outcome]) -> String {
    let mut words = String::new();
    for (wanted, word) in [(Outcome::Fails, "fail"), (Outcome::Undecided, "undecided")] {
        match outcomes.iter().filter(|one| **one == wanted).count() {
            0 => {}
            count => words.push_str(&format!("; {count} {word}")),
        }
    }
    words
}

/// The value of a row, with its standard error if it was sampled.
pub(super) fn measured(row: &ResultRow) -> String {
    match row.error {
        Some(error) => format!("{} ± {}", brief(row.value), brief(error)),
        None => brief(row.value),
    }
}

/// A quantity of a series, which may be the only one and have no name.
pub(super) fn named(of: &str, series: &str) -> String {
    if series.is_empty() { of.to_owned() } else { format!("{of} of {series}") }
}

/// A value with as many digits as a table prints.
pub(super) fn exact(value: f64) -> String {
    digits(value)
}

/// Where a row is, ending in a blank.
pub(super) fn place(row: &ResultRow) -> String {
    match (row.x, row.panel.is_empty()) {
        (None, true) => String::new(),
        (None, false) => format!("in {} ", row.panel),
        (Some(x), true) => format!("at {} ", brief(x)),
        (Some(x), false) => format!("at {} in {} ", brief(x), row.panel),
    }
}
