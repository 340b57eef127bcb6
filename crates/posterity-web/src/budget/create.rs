//! Creating an account.

use posterity::Ledger;
use posterity::ledger::now_utc;

use super::account_form::AccountForm;
use super::page::{Counting, NO_LEDGER, with};
use crate::extract::Form;
use crate::html;
use crate::reply::{Answer, Reply};
use crate::sentence::sentence;
use crate::site::Site;

/// Creates an account.
pub(crate) fn create(site: &Site, Form(typed): Form<AccountForm>) -> Answer {
    match created(site, &typed) {
        Ok(()) => Ok(Reply::Redirect("/budget".to_owned())),
        Err(why) => Ok(Reply::Html(with(site, &Counting::default(), &typed, &html::wrong(why)))),
    }
}

fn created(site: &Site, typed: &AccountForm) -> Result<(), String> {
    let path = site.ledger().ok_or(NO_LEDGER)?;
    let new = typed.account()?;
    let mut ledger = Ledger::open_or_create(path).map_err(sentence)?;
    ledger.open_account(&new, &now_utc()).map_err(sentence)?;
    Ok(())
}
