//! Discovered categories, as programs ask for them and see them.

use posterity::ReadingTable;
use posterity::discovery::{DiscoveredDocument, NotShown};
use posterity::document::GuaranteeStatement;
use serde::Serialize;

/// What a document of discovered categories says.
#[derive(Clone, Debug, Serialize)]
pub struct DiscoveredFacts<'a> {
    /// The column.
    pub column: &'a str,
    /// The epsilon, with that of the total.
    pub epsilon: f64,
    /// The delta.
    pub delta: f64,
    /// The least noisy count that is named.
    pub threshold: u64,
    /// The level of the intervals.
    pub level: f64,
    /// Whether it was drawn by the system's randomness.
    pub private: bool,
    /// What is promised.
    pub guarantee: &'a GuaranteeStatement,
    /// The counts; and the shares and the total, if the total was paid for.
    pub readings: Vec<ReadingTable>,
    /// How many have a value that is not named, if the total was paid for.
    pub not_shown: Option<NotShown>,
    /// Notes on how to read it.
    pub notes: Vec<String>,
}

impl<'a> DiscoveredFacts<'a> {
    /// Those of a document.
    #[must_use]
    pub fn of(document: &'a DiscoveredDocument) -> Self {
        let answer = document.answer();
        let terms = answer.asked().terms();
        Self {
            column: answer.asked().column(),
            epsilon: terms.whole_epsilon().to_f64_shown(),
            delta: terms.delta.to_f64_shown(),
            threshold: answer.threshold().tau(),
            level: terms.level,
            private: document.is_private(),
            guarantee: document.guarantee(),
            readings: answer.readings(),
            not_shown: answer.not_shown(),
            notes: document.notes(),
        }
    }
}
