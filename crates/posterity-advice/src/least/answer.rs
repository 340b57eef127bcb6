//! The least epsilon, or why there is none.

use posterity::number::{brief, count, percent, points};
use posterity_core::decode::Decoder;
use posterity_core::mechanism::{Description, Spec};
use serde::Serialize;

use super::budget::HIGHEST;
use super::forecast::Error;
use super::goal::Goal;
use super::situation::Situation;

/// The least epsilon for an error that one can bear, or why there is none.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct LeastEpsilon {
    /// The error that one can bear.
    pub goal: Goal,
    /// The prior's parameters.
    pub prior: Vec<f64>,
    /// The number of records.
    pub n: u64,
    /// The probability of the intervals.
    pub level: f64,
    /// The data set that was assumed.
    pub assumed_counts: Vec<u64>,
    /// The least epsilon, of three significant digits; none if no epsilon up to 20 reaches the goal.
    pub epsilon: Option<f64>,
    /// The mechanism to use.
    pub mechanism: Option<&'static Description>,
    /// The decoder to use with it.
    pub decoder: Option<Decoder>,
    /// The expected error at the least epsilon.
    pub expected: Option<f64>,
    /// The standard error of that number; zero where it is exact.
    pub standard_error: Option<f64>,
    /// The expected error without any noise: what the number of records alone makes.
    pub without_privacy: f64,
    /// How many records it would take, if no epsilon reaches the goal.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub records: Option<RecordsNeeded>,
    /// The other mechanisms at the least epsilon of `lattice`, the one with the smallest error first.
    pub others: Vec<Other>,
    /// Why, in words.
    pub reason: String,
    /// Epsilons with the expected error at each, if they were asked for.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub curve: Vec<[f64; 2]>,
}

/// Another mechanism.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Other {
    /// The mechanism.
    pub mechanism: &'static Description,
    /// The decoder that follows it.
    pub decoder: Decoder,
    /// Its expected error.
    pub expected: f64,
    /// The standard error of that number.
    pub standard_error: f64,
}

/// The least numbers of records for an error, of three significant digits, up to the most that can be handled.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct RecordsNeeded {
    /// Without any noise.
    pub without_privacy: Option<u64>,
    /// At epsilon 1, by the mechanism `lattice`.
    pub at_epsilon_1: Option<u64>,
}

/// The mechanism that needs the least epsilon.
pub(super) struct Found {
    pub(super) spec: Spec,
    pub(super) decoder: Decoder,
    pub(super) epsilon: f64,
    pub(super) expected: Error,
}

/// Whether the goal can be reached.
pub(super) enum Reach {
    /// From this epsilon on.
    At { best: Found, others: Vec<Other> },
    /// By no epsilon.
    Never,
}

impl LeastEpsilon {
    pub(super) fn new(
        situation: &Situation,
        goal: Goal,
        without: f64,
        reach: Reach,
        records: Option<RecordsNeeded>,
        curve: Vec<[f64; 2]>,
    ) -> Self {
        let reason = reason(situation, goal, without, &reach, records);
        let (best, others) = match reach {
            Reach::At { best, others } => (Some(best), others),
            Reach::Never => (None, Vec::new()),
        };
        Self {
            goal,
            prior: situation.prior.parameters().to_vec(),
            n: situation.n,
            level: situation.level,
            assumed_counts: situation.assumed_counts(),
            epsilon: best.as_ref().map(|best| best.epsilon),
            mechanism: best.as_ref().map(|best| best.spec.description()),
            decoder: best.as_ref().map(|best| best.decoder),
            expected: best.as_ref().map(|best| best.expected.value),
            standard_error: best.as_ref().map(|best| best.expected.standard_error),
            without_privacy: without,
            records,
            others,
            reason,
            curve,
        }
    }
}

fn reason(
    situation: &Situation,
    goal: Goal,
    without: f64,
    reach: &Reach,
    records: Option<RecordsNeeded>,
) -> String {
    let over = if situation.shape.is_some() {
        "at the expected shares"
    } else {
        "if all categories are equally large"
    };
    let wanted = match goal {
        Goal::HalfWidth(wanted) => format!("{} points", points(wanted)),
        Goal::Distance(wanted) => format!("a distance of {}", brief(wanted)),
    };
    match (reach, goal) {
        (Reach::At { best, .. }, Goal::HalfWidth(_)) => format!(
            "Its widest {} % confidence interval of a share is expected to reach {} points to each side, {over}. Without any noise it would reach {} \
             points, because there are {} records; the rest is for privacy.",
            percent(situation.level),
            points(best.expected.value),
            points(without),
            count(situation.n as f64)
        ),
        (Reach::At { best, .. }, Goal::Distance(_)) => format!(
            "Its release is expected at a Hellinger distance of {} from the true posterior, {over}.",
            brief(best.expected.value)
        ),
        (Reach::Never, _) => {
            let mut text = if without >= goal.wanted() {
                format!(
                    "The data are too few: even without any noise the widest interval of {} records is expected to reach {} points to \
                     each side, {over}.",
                    count(situation.n as f64),
                    points(without)
                )
            } else {
                format!(
                    "Even at epsilon {HIGHEST}, which protects nobody, the error is above {wanted}, {over}."
                )
            };
            let n = |n: Option<u64>| n.map_or("more than can be handled".to_owned(), |n| count(n as f64));
            if let Some(records) = records {
                let least = n(records.at_epsilon_1);
                text += &format!(" {least} records would do at epsilon 1");
                if matches!(goal, Goal::HalfWidth(_)) {
                    text += &format!(", and {} without privacy", n(records.without_privacy));
                }
                text += ".";
            }
            text
        }
    }
}
