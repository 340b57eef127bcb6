//! The choice of the account that pays.

use posterity::ledger::Account;
use posterity::meaning;
use posterity::number::left;

use crate::fields::Fields;
use crate::html;

/// An option for each account, with the one that was chosen before.
pub(crate) fn options(accounts: &[Account], typed: &Fields) -> String {
    let options = accounts.iter().map(|one| {
        let chosen = if typed.get("account") == Some(&one.name) { " selected" } else { "" };
        format!(
            "<option value=\"{0}\"{chosen}>{0}: {1} left, protects each {2}</option>",
            html::text(&one.name),
            html::text(left(&one.remaining_epsilon)),
            html::text(&one.unit)
        )
    });
    options.collect()
}

/// What is said where nobody counts.
pub(crate) fn no_ledger() -> String {
    format!(
        "<p class=\"notice\">{} Start with --ledger FILE to keep a budget.</p>",
        html::text(meaning::uncounted())
    )
}

/// What is said where no account can pay.
pub(crate) fn no_account(why: &str) -> String {
    format!("<p class=\"notice\">{} <a href=\"/budget\">Create an account</a> first.</p>", html::text(why))
}
