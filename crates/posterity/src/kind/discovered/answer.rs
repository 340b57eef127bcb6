//! The answer: the values that passed the threshold, with all that follows from them.

use std::borrow::Cow;
use std::collections::HashMap;

use posterity_core::discovery::{Threshold, Total, not_shown, share};
use posterity_core::model::{Epsilon, interval_level};
use posterity_ledger::Amount;
use serde::{Deserialize, Serialize};

use super::request::DiscoveryRequest;
use super::words;
use crate::about::About;
use crate::number::{count, grouped};
use crate::paper::Kind;
use crate::paper::{DocumentError, GuaranteeStatement, Promised};
use crate::table::{
    Contrast, IntervalKind, Labels, Reading, ReadingError, ReadingMethod, ReadingRow, ReadingTable,
    Statistic, Subject, Term, Ways,
};
use crate::terms::Terms;

/// What was drawn: the values that passed the threshold in the order of their names, each with its noisy count, and the
/// noisy total if it was paid for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DrawnValues {
    pub(super) shown: Vec<(String, u64)>,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub(super) total: Option<i64>,
}

/// Discovered categories.
#[derive(Clone, Debug)]
pub struct Discovered {
    request: DiscoveryRequest,
    promise: Promised,
    drawn: DrawnValues,
    threshold: Threshold,
}

/// What follows from the request and the draw.
#[derive(Clone, Debug, Serialize)]
pub struct DiscoveredDerived {
    mechanism: &'static str,
    /// The least noisy count of a value that is named.
    threshold: u64,
    readings: Vec<ReadingTable>,
    /// How many have another value than the named ones, where the total was paid for.
    #[serde(skip_serializing_if = "Option::is_none")]
    not_shown: Option<NotShown>,
}

/// How many have a value that is not named.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct NotShown {
    /// The noisy total without the estimates of the named values; it may be negative.
    pub estimate: f64,
    /// Its confidence interval.
    pub interval: [f64; 2],
}

impl DrawnValues {
    /// The values that are named, each with its noisy count.
    #[must_use]
    pub fn shown(&self) -> &[(String, u64)] {
        &self.shown
    }

    /// The noisy total, if it was paid for.
    #[must_use]
    pub fn total(&self) -> Option<i64> {
        self.total
    }
}

impl Discovered {
    /// The threshold of the noisy counts.
    #[must_use]
    pub fn threshold(&self) -> &Threshold {
        &self.threshold
    }

    /// What was asked.
    #[must_use]
    pub fn asked(&self) -> &DiscoveryRequest {
        &self.request
    }

    /// What was drawn.
    #[must_use]
    pub fn values(&self) -> &DrawnValues {
        &self.drawn
    }

    /// What is read: how many have each named value, and with a paid total also the shares and the total itself. Values
    /// are in the order of their names.
    #[must_use]
    pub fn readings(&self) -> Vec<ReadingTable> {
        let each = || vec![Term::each(self.request.column())];
        let counts = self.table(Reading::count(each()), Statistic::Count, self.counts());
        let share = Reading::shares(each(), Vec::new());
        // The total has the records in it whose value is missing, if they have a category.
        let counts_missing = self.request.about.columns.iter().any(|column| column.missing.is_some());
        let share = if counts_missing { share.of_all() } else { share };
        let shares = self.shares().map(|rows| self.table(share, Statistic::Share, rows));
        let total =
            self.total().map(|row| self.table(Reading::count(Vec::new()), Statistic::Count, vec![row]));
        [Some(counts), shares, total].into_iter().flatten().collect()
    }

    /// How many have a value that is not named, if the total was paid for.
    #[must_use]
    pub fn not_shown(&self) -> Option<NotShown> {
        let total = self.paid_total()?;
        let shown: Vec<u64> = self.drawn.shown.iter().map(|(_, count)| *count).collect();
        let (low, high) = not_shown(&self.threshold, &total, &shown, self.request.terms.level);
        let estimates: f64 = shown.iter().map(|&count| self.threshold.estimate(count) as f64).sum();
        Some(NotShown { estimate: total.noisy() as f64 - estimates, interval: [low as f64, high as f64] })
    }

    /// How many have each named value.
    fn counts(&self) -> Vec<ReadingRow> {
        let level = self.request.terms.level;
        let mut known: HashMap<u64, (f64, [f64; 2])> = HashMap::new();
        let mut numbers = |count: u64| {
            *known.entry(count).or_insert_with(|| {
                let (low, high) = self.threshold.interval(count, level);
                (self.threshold.estimate(count) as f64, [low as f64, high as f64])
            })
        };
        let shown = self.drawn.shown.iter();
        shown
            .map(|(name, count)| {
                let (estimate, ends) = numbers(*count);
                row(self.labels(name), Labels::default(), estimate, ends)
            })
            .collect()
    }

    /// The share of each named value in the total, if that was paid for.
    fn shares(&self) -> Option<Vec<ReadingRow>> {
        let (total, level) = (self.paid_total()?, self.request.terms.level);
        let mut known: HashMap<u64, (f64, [f64; 2])> = HashMap::new();
        let mut numbers = |count: u64| {
            *known.entry(count).or_insert_with(|| {
                let (low, high) = share(&self.threshold, &total, count, level);
                let share = self.threshold.estimate(count) as f64 / total.estimate().max(1) as f64;
                (share.clamp(low, high), [low, high])
            })
        };
        let shown = self.drawn.shown.iter();
        let rows = shown.map(|(name, count)| {
            let (estimate, ends) = numbers(*count);
            row(Labels::default(), self.labels(name), estimate, ends)
        });
        Some(rows.collect())
    }

    /// How many there are, if that was paid for.
    fn total(&self) -> Option<ReadingRow> {
        let total = self.paid_total()?;
        let (low, high) = total.interval(self.request.terms.level);
        Some(row(Labels::default(), Labels::default(), total.noisy() as f64, [low as f64, high as f64]))
    }

    fn paid_total(&self) -> Option<Total> {
        Some(Total::of(self.request.terms.total.as_ref()?, self.drawn.total?))
    }

    fn labels(&self, name: &str) -> Labels {
        [(self.request.column().to_owned(), name.to_owned())].into_iter().collect()
    }

    fn table(&self, reading: Reading, statistic: Statistic, rows: Vec<ReadingRow>) -> ReadingTable {
        ReadingTable {
            of: Term::columns(reading.shares_of()),
            given: Term::columns(reading.given()),
            reading,
            statistic,
            method: ReadingMethod::Proven,
            error: 0.0,
            draws: None,
            seed: None,
            level: self.request.terms.level,
            interval: IntervalKind::Confidence,
            about: Subject::Records,
            simultaneous: false,
            unknown: None,
            words: Default::default(),
            rows,
        }
    }
}

/// A row with a confidence interval of records.
fn row(given: Labels, cell: Labels, estimate: f64, ends: [f64; 2]) -> ReadingRow {
    ReadingRow { cell, ..ReadingRow::confident(given, Some(estimate), ends) }
}

impl Kind for Discovered {
    const NAME: &'static str = "discovered";
    const TITLE: &'static str = "discovered categories";
    const CHOSEN: &'static [&'static str] = &[];
    const FOLLOWS: &'static str =
        "From the noisy counts follow the numbers of those with each named value, with intervals.";
    const INTERVALS: &'static str =
        "That a value is named only if its noisy count is large enough is taken into account.";
    type Request = DiscoveryRequest;
    type Drawn = DrawnValues;
    type Derived<'a> = DiscoveredDerived;
    /// The level of the intervals.
    type Reading = f64;

    fn new(
        request: DiscoveryRequest,
        n: Option<u64>,
        promise: Promised,
        drawn: DrawnValues,
    ) -> Result<Self, DocumentError> {
        let threshold = request.terms.threshold().map_err(DocumentError::inconsistent)?;
        if n.is_some() {
            return Err(DocumentError::inconsistent("it has an n, which is private"));
        }
        if promise != request.promised() {
            return Err(DocumentError::other_promise());
        }
        if drawn.total.is_some() != request.terms.total.is_some() {
            return Err(DocumentError::inconsistent(
                "it has a total that was not asked for, or lacks one that was",
            ));
        }
        if !drawn.shown.is_sorted_by(|(first, _), (second, _)| first < second) {
            return Err(DocumentError::inconsistent("its values are not in the order of their names"));
        }
        if drawn.shown.iter().any(|(_, count)| *count < threshold.tau()) {
            return Err(DocumentError::inconsistent(
                "it names a value whose noisy count is below the threshold",
            ));
        }
        Ok(Self { request, promise, drawn, threshold })
    }

    fn read_as(&self, level: &f64) -> Result<Self, ReadingError> {
        let mut answer = self.clone();
        answer.request.terms.level = interval_level(*level)?;
        Ok(answer)
    }

    fn reread(
        &self,
        ways: Ways,
        readings: Vec<Reading>,
        comparisons: Vec<Contrast>,
    ) -> Result<Self, ReadingError> {
        let others = Ways { level: ways.level, ..self.ways() } != ways;
        if others || !readings.is_empty() || !comparisons.is_empty() {
            return Err(ReadingError::Fixed);
        }
        self.read_as(&ways.level)
    }

    fn form(&self) -> Cow<'_, DiscoveryRequest> {
        Cow::Borrowed(&self.request)
    }

    fn charged(&self) -> DiscoveryRequest {
        let mut charged = self.request.clone();
        charged.terms.level = Terms::LEVEL;
        charged
    }

    fn n(&self) -> Option<u64> {
        None
    }

    fn drawn(&self) -> &DrawnValues {
        &self.drawn
    }

    fn about(&self) -> &About {
        &self.request.about
    }

    fn promise(&self) -> &Promised {
        &self.promise
    }

    fn guarantee(&self) -> GuaranteeStatement {
        words::guarantee(&self.request, self.threshold.tau())
    }

    fn seed(&self) -> Option<u64> {
        self.request.seed
    }

    fn notes(&self, charged: bool) -> Vec<String> {
        words::notes(&self.request, self.threshold.tau(), charged)
    }

    fn budget(&self) -> (Epsilon, Amount) {
        let terms = &self.request.terms;
        (terms.whole_epsilon(), terms.delta.clone())
    }

    fn holds(&self) -> String {
        format!("Named are values with a noisy count of at least {}.", count(self.threshold.tau() as f64))
    }

    fn mechanism_in_words(&self) -> String {
        let tau = self.threshold.tau();
        format!("geometric noise on the count of every value; named are those with at least {tau}")
    }

    fn composition(&self) -> &'static str {
        match self.request.terms.total {
            Some(_) => "The names with their counts and the total are two draws, whose epsilons add up.",
            None => "One mechanism, used once.",
        }
    }

    fn promise_in_short(&self) -> &'static str {
        ", with or without it: n is private, and so is which values occur"
    }

    fn question_in_words(&self) -> Option<String> {
        Some(format!("Which values of {:?} do many have, and how many?", self.request.column()))
    }

    fn beside(&self) -> Option<String> {
        let none = if self.drawn.shown.is_empty() { "No value passed the threshold. " } else { "" };
        let said = match self.not_shown() {
            Some(NotShown { estimate, interval: [low, high] }) => {
                let [low, high] = [low, high].map(|end| grouped(&format!("{end:.0}")));
                format!("About {} have another value ({low} to {high}).", count(estimate.max(0.0).round()))
            }
            None => "How many have another value is not known: no total was paid for.".to_owned(),
        };
        let tau = count(self.threshold.tau() as f64);
        Some(format!("{none}A value is named if its count with noise is at least {tau}. {said}"))
    }

    /// The largest numbers first.
    fn first(&self) -> Cow<'_, [ReadingTable]> {
        self.readings().into_iter().map(ReadingTable::largest_first).collect()
    }

    /// The counts, the largest first.
    fn pictured(&self) -> Cow<'_, [ReadingTable]> {
        self.readings().into_iter().take(1).map(ReadingTable::largest_first).collect()
    }

    fn ways(&self) -> Ways {
        let level = self.request.terms.level;
        Ways { level, interval: IntervalKind::Confidence, about: Subject::Records, simultaneous: false }
    }

    /// Only what is there anyway can be read: the counts, and the shares and the total where that was paid for.
    fn read(&self, reading: &Reading) -> Result<ReadingTable, ReadingError> {
        let readings = self.readings();
        let known: Vec<String> = readings.iter().map(|table| table.reading.to_string()).collect();
        let found = readings.into_iter().find(|table| table.reading == *reading);
        found.ok_or(ReadingError::NotDiscovered { known })
    }

    fn readings(&self) -> Cow<'_, [ReadingTable]> {
        Cow::Owned(self.readings())
    }

    fn derived(&self, _: bool) -> DiscoveredDerived {
        DiscoveredDerived {
            mechanism: "discover",
            threshold: self.threshold.tau(),
            readings: self.readings(),
            not_shown: self.not_shown(),
        }
    }
}
