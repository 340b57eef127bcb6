//! The account that pays.

use posterity::ledger::{Account, Adjacency};
use posterity::number::left;
use posterity::{Amount, Ledger, LedgerError, meaning};

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

/// Says that an account pays more than the epsilon of a release with a private n; nothing if it does not.
pub(crate) fn dearer(account: &Account, adjacency: posterity::Adjacency) -> &'static str {
    match (adjacency, account.adjacency) {
        (posterity::Adjacency::AddRemove, Adjacency::Replace) => {
            " The account counts n as public (replace), where a release with a private n costs twice its epsilon."
        }
        _ => "",
    }
}

/// What will be left of an account if an answer is drawn. `what` is paid for.
pub(crate) fn after(account: &Account, price: &Amount, what: &str) -> String {
    match account.remaining_epsilon.minus(price) {
        Some(after) => {
            format!("{} will be left of {}.", html::text(left(&after)), html::text(left(&account.epsilon)))
        }
        None => format!(
            "<strong>That is not enough to draw an answer: the {what} will be refused, unless the ledger holds its answer \
             already.</strong>"
        ),
    }
}
