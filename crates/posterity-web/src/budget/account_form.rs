//! The form of a new account.

use posterity::ledger::{Adjacency, NewAccount};
use posterity::meaning::check_delta;
use posterity::{Amount, Unit};
use serde::Deserialize;

use crate::adjacency;
use crate::html;
use crate::large_delta;
use crate::typed::Typed;

/// What follows if the number of people is public, and if it is not.
const FOLLOWS: [&str; 2] = [
    "A release with a private n may be charged too, at twice its epsilon.",
    "Releases that publish n are refused.",
];

/// A new account as it was typed.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct AccountForm {
    name: Typed,
    epsilon: Typed<Amount>,
    delta: Typed<Amount>,
    allow_large_delta: Typed,
    unit: Typed<Unit>,
    adjacency: Typed<Adjacency>,
    population: Typed,
    reason: Typed,
}

impl AccountForm {
    /// The account that is meant, or what is wrong with it.
    pub(super) fn account(&self) -> Result<NewAccount, String> {
        let epsilon = self.epsilon.required("Give the whole budget, such as 2.")?;
        let delta = self.delta.value()?.unwrap_or(Amount::ZERO);
        check_delta(&delta, self.allow_large_delta.get().is_some())
            .map_err(|error| large_delta::remedy(&error))?;
        let unit = self.unit.value()?.unwrap_or(Unit::RECORD);
        let name = self.name.get().ok_or("Give the account a name.")?;
        let adjacency = self.adjacency.value()?.unwrap_or_default();
        let new = NewAccount::new(name, epsilon, delta).unit(unit).adjacency(adjacency);
        let new = self.population.get().into_iter().fold(new, NewAccount::population);
        Ok(self.reason.get().into_iter().fold(new, NewAccount::reason))
    }

    /// The form with what was typed, folded unless it is the first account or something was typed. `token` is the hidden
    /// field of every form.
    pub(super) fn shown(&self, token: &str, is_first: bool) -> String {
        let form = self.form(token);
        if is_first {
            return form;
        }
        let open = html::attribute("open", self.name.get().is_some());
        format!(
            "<details class=\"create-more\"{open}><summary>Create an account for other people</summary>{form}</details>"
        )
    }

    fn form(&self, token: &str) -> String {
        let open = html::attribute("open", self.delta.get().is_some() || self.population.get().is_some());
        format!(
            "<form class=\"create card\" action=\"/budget/create\" method=\"post\" autocomplete=\"off\"><h2>Create an account</h2>{token}\
             <p><label for=\"name\">Name</label><input id=\"name\" name=\"name\" value=\"{}\" required></p>\
             <p><label for=\"epsilon\">Whole budget ε</label><input id=\"epsilon\" name=\"epsilon\" value=\"{}\" inputmode=\"decimal\" required \
             aria-describedby=\"epsilon-help\"><span class=\"help\" id=\"epsilon-help\">It never changes. One account for one group of people.\
             </span></p>\
             <p><label for=\"unit\">Protects each</label><input id=\"unit\" name=\"unit\" value=\"{}\" placeholder=\"record\" \
             aria-describedby=\"unit-help\"><span class=\"help\" id=\"unit-help\">The column that tells people apart, such as patient. Leave it empty \
             if every person has one record.</span></p>{}\
             <details{open}><summary>Population, and a delta</summary>\
             <p><label for=\"population\">Population, in words</label><input id=\"population\" name=\"population\" value=\"{}\" \
             placeholder=\"all patients of 2026\"></p>\
             <p><label for=\"reason\">Why a second account for them</label><input id=\"reason\" name=\"reason\" value=\"{}\" \
             aria-describedby=\"reason-help\"><span class=\"help\" id=\"reason-help\">Only if another account protects the same people. The \
             ledger keeps the reason, and both accounts are shown together from then on.</span></p>\
             <p><label for=\"delta\">Delta δ</label><input id=\"delta\" name=\"delta\" value=\"{}\" placeholder=\"0\" inputmode=\"decimal\" \
             aria-describedby=\"delta-help\"><span class=\"help\" id=\"delta-help\">With a small δ, such as 1e-6, many small releases add up to less \
             than their sum.</span></p>{}</details><p class=\"act\"><button>Create</button></p></form>",
            html::text(&self.name),
            html::text(&self.epsilon),
            html::text(&self.unit),
            adjacency::field(&self.adjacency, FOLLOWS),
            html::text(&self.population),
            html::text(&self.reason),
            html::text(&self.delta),
            large_delta::field(&self.allow_large_delta)
        )
    }
}
