//! The account that pays.

use posterity::ledger::Account;
use posterity::number::left;
use posterity::{Amount, Epsilon, Ledger, meaning};

use crate::html;
use crate::sentence::sentence;
use crate::site::Site;
use crate::typed::Typed;

/// The choice of the account, or why there is none to choose. `attributes` are those of the field, and `help` follows
/// it.
pub(crate) fn field(site: &Site, chosen: &Typed, attributes: &str, help: &str) -> String {
    let Some(path) = site.ledger() else {
        let uncounted = html::text(meaning::uncounted());
        return format!("<p class=\"notice\">{uncounted} Start with --ledger FILE to keep a budget.</p>");
    };
    let why = match Ledger::open(path).and_then(|ledger| ledger.accounts()) {
        Ok(accounts) if accounts.is_empty() => "The ledger has no account yet.".to_owned(),
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
        "<option value=\"{0}\"{1}>{0}: {2} left, protects each {3}</option>",
        html::text(&account.name),
        html::attribute("selected", **chosen == *account.name),
        html::text(left(&account.remaining_epsilon)),
        html::text(&account.unit)
    )
}

/// What will be left of an account. `what` is paid for.
pub(crate) fn after(account: &Account, epsilon: &Epsilon, what: &str) -> String {
    let price = Amount::from_rational(epsilon.rational().clone());
    match price.ok().and_then(|price| account.remaining_epsilon.minus(&price)) {
        Some(after) => {
            format!("{} will be left of {}.", html::text(left(&after)), html::text(left(&account.epsilon)))
        }
        None => format!("<strong>That is not enough, and the {what} will be refused.</strong>"),
    }
}
