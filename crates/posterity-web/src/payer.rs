//! The account that pays.

use std::path::Path;

use posterity::ledger::{Account, Adjacency, Price};
use posterity::number::{left, spent};
use posterity::{Amount, Ledger, LedgerError, meaning};

use crate::html;
use crate::sentence::sentence;
use crate::typed::Typed;

/// The choice of the account, or why there is none to choose. `attributes` are those of the field, and `help` follows
/// it.
pub(crate) fn field(ledger: Option<&Path>, chosen: &Typed, attributes: &str, help: &str) -> String {
    let Some(path) = ledger else {
        let uncounted = html::text(meaning::uncounted());
        return format!("<p class=\"notice\">{uncounted} Start with --ledger FILE to keep a budget.</p>");
    };
    let why = match Ledger::open(path).and_then(|ledger| ledger.accounts()) {
        Ok(accounts) if accounts.is_empty() => "The ledger has no account yet.".to_owned(),
        // An account helps where there is no ledger yet, and nowhere else.
        Err(error) if !matches!(error, LedgerError::Missing { .. } | LedgerError::Empty { .. }) => {
            return html::wrong(sentence(error));
        }
        Ok(accounts) => {
            let options: String = accounts.iter().map(|one| option(one, chosen)).collect();
            return format!(
                "<p><label for=\"account\">Account that pays</label><select id=\"account\" name=\"account\" {attributes}>{options}</select>\
                 {help}</p>"
            );
        }
        Err(error) => sentence(error),
    };
    format!("<p class=\"notice\">{} <a href=\"/budget\">Create an account</a> first.</p>", html::text(why))
}

fn option(account: &Account, chosen: &Typed) -> String {
    format!(
        "<option value=\"{0}\"{1}>{0}: {2} left, protects each {3}{4}</option>",
        html::text(&account.name),
        html::attribute("selected", **chosen == *account.name),
        html::text(left(&account.remaining_epsilon)),
        html::text(&account.unit),
        if account.adjacency == Adjacency::AddRemove { ", n private" } else { "" }
    )
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

/// What will be left of an account once it has paid; none if it has less, as sums go.
pub(crate) fn after(account: &Account, price: &Amount) -> Option<String> {
    let after = account.remaining_epsilon.minus(price)?;
    Some(format!("{} will be left of {}.", html::text(left(&after)), html::text(left(&account.epsilon))))
}
