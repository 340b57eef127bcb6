//! What a discovery promises and what its reader should know, in words.

use posterity_core::model::Adjacency;

use super::request::DiscoveryRequest;
use crate::kind::table::{budget_notes, warnings};
use crate::number::{count, spent};
use crate::paper::{GuaranteeStatement, adding, filter_is_protected};

/// The promise in words.
pub(super) fn guarantee(request: &DiscoveryRequest, tau: u64) -> GuaranteeStatement {
    let promised = request.promised();
    let statement = promised.epsilon().map(|_| statement(request, tau));
    GuaranteeStatement::of(&promised, statement, &request.about, request.seed, String::new)
}

fn statement(request: &DiscoveryRequest, tau: u64) -> String {
    let about = &request.about;
    let unit = about.unit.as_deref().unwrap_or("record");
    let (adding, filter) = (adding(about), filter_is_protected(about));
    let (epsilon, delta) = (request.terms.whole_epsilon(), spent(&request.terms.delta));
    let person = if request.terms.one_record_per_person {
        " Whoever asked for it stated that each person has at most one record."
    } else {
        ""
    };
    format!(
        "({epsilon}, {delta})-differential privacy per {unit}, with or without it: {adding} changes the probability of \
         every set of possible releases by a factor of at most exp({epsilon}), but for a probability of at most {delta}. How many there \
         are is private, and so is which values occur: a value is named only if its count with noise is at least {}. The question \
         itself is public.{person}{filter}",
        count(tau as f64)
    )
}

/// What a reader should know.
pub(super) fn notes(request: &DiscoveryRequest, tau: u64, charged: bool) -> Vec<String> {
    let promised = request.promised();
    let proven = promised.epsilon().is_some();
    let epsilon = promised.epsilon().map(posterity_core::model::Epsilon::to_f64_shown);
    let budget = epsilon.map(|epsilon| {
        let delta = request.terms.delta.to_f64_shown();
        budget_notes(Adjacency::AddRemove, epsilon, delta, None, charged)
    });
    let rare = format!(
        "Values whose count with noise is below {} are not named. That a value is missing here does not say that nobody has it.",
        count(tau as f64)
    );
    let selected = "Each interval holds as often as its level says among the values that are named: that a value is named because \
                    of its noise is taken into account.";
    let rest = request.terms.total.is_none().then_some(
        "How many have a value that is not named is not known, because no total was asked for (--total-epsilon).",
    );
    warnings(proven, request.seed)
        .chain([rare, selected.to_owned()])
        .chain(rest.map(ToOwned::to_owned))
        .chain(budget.into_iter().flatten())
        .collect()
}
