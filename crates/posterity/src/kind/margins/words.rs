//! What a release of many tables promises and what its reader should know, in words.

use posterity_core::model::Adjacency;

use super::request::MarginsRequest;
use crate::kind::table::{budget_notes, warnings};
use crate::number::spent;
use crate::paper::{GuaranteeStatement, Promised, adding, filter_is_protected, replacing};
use crate::table::IntervalKind;

/// The promise in words.
pub(super) fn guarantee(request: &MarginsRequest, n: Option<u64>) -> GuaranteeStatement {
    let promised = request.promised();
    let statement = promised.epsilon().map(|_| statement(request, &promised, n));
    GuaranteeStatement::of(&promised, statement, &request.about, request.seed, String::new)
}

fn statement(request: &MarginsRequest, promised: &Promised, n: Option<u64>) -> String {
    let about = &request.about;
    let unit = about.unit.as_deref().unwrap_or("record");
    let epsilon = &request.terms.epsilon;
    let delta = promised.delta().map_or_else(String::new, spent);
    let rho = promised.rho().map_or_else(String::new, spent);
    let (beside, change, public) = match n {
        Some(n) => (
            String::new(),
            format!("replacing {}", replacing(about)),
            format!(
                "These are assumed to be public and are not protected: n = {n}, which is {}; the categories; the question itself.",
                about.n_in_words()
            ),
        ),
        None => (
            ", with or without it".to_owned(),
            adding(about),
            "How many there are is private. These are assumed to be public and are not protected: the categories; the question \
             itself."
                .to_owned(),
        ),
    };
    let filter = if n.is_none() { filter_is_protected(about) } else { String::new() };
    format!(
        "({epsilon}, {delta})-differential privacy per {unit}{beside}: {change} changes the probability of every set of possible \
         releases by a factor of at most exp({epsilon}), but for a probability of at most {delta}. It follows from \
         zero-concentrated differential privacy with rho = {rho} (rounded), for all tables together. {public}{filter}"
    )
}

/// What a reader should know.
pub(super) fn notes(request: &MarginsRequest, n: Option<u64>, charged: bool) -> Vec<String> {
    let promised = request.promised();
    let epsilon = promised.epsilon().map(posterity_core::model::Epsilon::to_f64_shown);
    let budget = epsilon.map(|epsilon| {
        let delta = request.terms.delta.to_f64_shown();
        budget_notes(request.terms.adjacency, epsilon, delta, n, charged)
    });
    let below = "Estimates of rare combinations may be below zero: the noise is symmetric, and nothing is cut off. Their intervals \
                 are cut to what is possible.";
    let records = (request.terms.adjacency == Adjacency::AddRemove).then_some(
        "The number of records is known with noise only (the reading `count`), and the shares are shares of it.",
    );
    let prior = (request.terms.ways.interval != IntervalKind::Confidence).then_some(
        "Credible intervals follow from the estimates of the groups that a reading or a comparison tells apart, whose noise is taken \
         for normal. Before the release, every cell of the table that it names is as likely as any other.",
    );
    warnings(epsilon.is_some(), request.seed)
        .chain([below.to_owned()])
        .chain(prior.map(ToOwned::to_owned))
        .chain(records.map(ToOwned::to_owned))
        .chain(budget.into_iter().flatten())
        .collect()
}
