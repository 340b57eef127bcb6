//! The form of a new account.

use maud::{Markup, html};
use posterity::ledger::{Adjacency, NewAccount};
use posterity::meaning::check_delta;
use posterity::{Amount, Unit};
use serde::Deserialize;

use crate::adjacency;
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
    /// Whether its charges add up: a tick box.
    adds_up: Typed,
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
        let new = if self.adds_up.get().is_some() { new.adds_up() } else { new };
        let new = self.population.get().into_iter().fold(new, NewAccount::population);
        Ok(self.reason.get().into_iter().fold(new, NewAccount::reason))
    }

    /// The form with what was typed, folded unless it is the first account or something was typed. `token` is the hidden
    /// field of every form.
    pub(super) fn shown(&self, token: &Markup, is_first: bool) -> Markup {
        let form = self.form(token);
        if is_first {
            return form;
        }
        html! {
            details.create-more open[self.name.get().is_some()] {
                summary { "Create an account for other people" }
                (form)
            }
        }
    }

    fn form(&self, token: &Markup) -> Markup {
        html! {
            form.create.card action="/budget/create" method="post" autocomplete="off" {
                h2 { "Create an account" }
                (token)
                p {
                    label for="name" { "Name" }
                    input id="name" name="name" value=(self.name) required;
                }
                p {
                    label for="epsilon" { "Whole budget ε" }
                    input id="epsilon" name="epsilon" value=(self.epsilon) inputmode="decimal" required
                        aria-describedby="epsilon-help";
                    span.help id="epsilon-help" { "It never changes. One account for one group of people." }
                }
                p {
                    label for="unit" { "Protects each" }
                    input id="unit" name="unit" value=(self.unit) placeholder="record" aria-describedby="unit-help";
                    span.help id="unit-help" {
                        "The column that tells people apart, such as patient. Leave it empty if every person has one record."
                    }
                }
                p {
                    label for="population" { "Population, in words" }
                    input id="population" name="population" value=(self.population)
                        placeholder="all patients of 2026" aria-describedby="population-help";
                    span.help id="population-help" {
                        "Say whether it is for one year's data, or for all that is ever released about these people: a patient who is in the \
                         file of two years costs budget twice."
                    }
                }
                (adjacency::field(&self.adjacency, FOLLOWS))
                (self.more())
                p.act { button { "Create" } }
            }
        }
    }

    /// The fields that few accounts need, folded unless something was typed into them.
    fn more(&self) -> Markup {
        html! {
            details open[[&*self.delta, &*self.reason, &*self.adds_up].iter().any(|typed| !typed.is_empty())] {
                summary { "A second account, and a delta" }
                p {
                    label for="reason" { "Why a second account for them" }
                    input id="reason" name="reason" value=(self.reason) aria-describedby="reason-help";
                    span.help id="reason-help" {
                        "Only if another account protects the same people. The ledger keeps the reason, and both accounts are \
                         shown together from then on."
                    }
                }
                p {
                    label for="delta" { "Delta δ" }
                    input id="delta" name="delta" value=(self.delta) placeholder="0" inputmode="decimal"
                        aria-describedby="delta-help";
                    span.help id="delta-help" {
                        "With a small δ, such as 1e-6, many small releases add up to less than their sum."
                    }
                }
                p.check {
                    label {
                        input type="checkbox" id="adds_up" name="adds_up" value="yes" checked[self.adds_up.get().is_some()]
                            aria-describedby="adds_up-help";
                        " Its charges add up, whatever they are"
                    }
                    span.help id="adds_up-help" { "Discovered values need such an account, and tables of many columns cannot be paid by it." }
                }
                (large_delta::field(&self.allow_large_delta))
            }
        }
    }
}
