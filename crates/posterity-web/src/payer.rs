//! The account that pays.

use std::path::Path;

use maud::{Markup, html};
use posterity::ledger::{Account, Adjacency, Price};
use posterity::number::{left, spent};
use posterity::{Amount, Ledger, LedgerError, meaning};

use crate::html;
use crate::sentence::sentence;

/// The choice of the account, with what helps to choose it, or why there is none to choose.
pub(crate) fn field(ledger: Option<&Path>, chosen: &str, is_required: bool, help: Option<&str>) -> Markup {
    let Some(path) = ledger else {
        return html! { p.notice { (meaning::uncounted()) " Start with --ledger FILE to keep a budget." } };
    };
    let why = match Ledger::open(path).and_then(|ledger| ledger.accounts()) {
        Ok(accounts) if accounts.is_empty() => "The ledger has no account yet.".to_owned(),
        // An account helps where there is no ledger yet, and nowhere else.
        Err(error) if !matches!(error, LedgerError::Missing { .. } | LedgerError::Empty { .. }) => {
            return html::wrong(sentence(error));
        }
        Ok(accounts) => return choice(&accounts, chosen, is_required, help),
        Err(error) => sentence(error),
    };
    html! { p.notice { (why) " " a href="/budget" { "Create an account" } " first." } }
}

fn choice(accounts: &[Account], chosen: &str, is_required: bool, help: Option<&str>) -> Markup {
    html! {
        p {
            label for="account" { "Account that pays" }
            select id="account" name="account" required[is_required]
                aria-describedby=[help.map(|_| "account-help")]
            {
                @for one in accounts { (option(one, chosen)) }
            }
            @if let Some(help) = help { span.help id="account-help" { (help) } }
        }
    }
}

fn option(account: &Account, chosen: &str) -> Markup {
    html! {
        option value=(account.name) selected[chosen == account.name] {
            (account.name) ": " (left(&account.remaining_epsilon)) " left, protects each " (account.unit)
            @if account.adjacency == Adjacency::AddRemove { ", n private" }
        }
    }
}

/// A price with the names of its amounts.
pub(crate) fn named(price: &Price) -> String {
    let epsilon = price.sum_epsilon().map(|epsilon| format!("ε = {}", spent(&epsilon)));
    let rho = price.rho().map(|rho| format!("ρ = {}", spent(rho)));
    rho.into_iter().chain(epsilon).collect::<Vec<_>>().join(" and ")
}

/// Says that an account pays more for a release with a private n, such as "twice its epsilon"; nothing if it does not.
pub(crate) fn dearer(account: &Account, adjacency: posterity::Adjacency, costs: &str) -> String {
    match (adjacency, account.adjacency) {
        (posterity::Adjacency::AddRemove, Adjacency::Replace) => format!(
            " The account counts n as public (replace), where a release with a private n costs {costs}."
        ),
        _ => String::new(),
    }
}

/// How much more an account pays for answers with a private n.
pub(crate) fn how_much_dearer(price: &Price) -> &'static str {
    match price {
        Price::Epsilon { .. } => "twice its epsilon",
        Price::Rho { parts: None, .. } => "four times its rho",
        Price::Rho { parts: Some(_), .. } => "twice its epsilon and four times its rho",
    }
}

/// What will be left of an account once it has paid; none if it has less, as sums go.
pub(crate) fn after(account: &Account, price: &Amount) -> Option<String> {
    let after = account.remaining_epsilon.minus(price)?;
    Some(format!("{} will be left of {}.", left(&after), left(&account.epsilon)))
}
