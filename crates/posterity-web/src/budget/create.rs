//! Creating an account.

use std::sync::Arc;

use posterity::ledger::{NewAccount, now_utc};
use posterity::{Amount, Ledger, Unit};

use super::page::with;
use crate::failure::Failure;
use crate::fields::Fields;
use crate::html;
use crate::plan::sentence;
use crate::site::{Reply, Site};

/// Creates an account.
pub(crate) fn create(site: &Arc<Site>, form: &Fields) -> Result<Reply, Failure> {
    match created(site, form) {
        Ok(()) => Ok(Reply::Redirect("/budget".to_owned())),
        Err(why) => {
            let wrong = format!("<p class=\"wrong\" role=\"alert\">{}</p>", html::text(why));
            Ok(Reply::Html(with(site, form, &wrong)))
        }
    }
}

fn created(site: &Site, form: &Fields) -> Result<(), String> {
    let path = site.ledger().ok_or("There is no ledger. Start with --ledger FILE.")?;
    let amount = |text: &str| -> Result<Amount, String> { text.parse().map_err(sentence) };
    let epsilon = amount(form.get("epsilon").ok_or("Give the whole budget, such as 2.")?)?;
    let delta = form.get("delta").map(amount).transpose()?.unwrap_or(Amount::ZERO);
    let unit: Unit = form.get("unit").unwrap_or("record").parse().map_err(sentence)?;
    let name = form.get("name").ok_or("Give the account a name.")?;
    let mut new = NewAccount::new(name, epsilon, delta).unit(unit);
    if let Some(population) = form.get("population") {
        new = new.population(population);
    }
    let mut ledger = Ledger::open_or_create(path).map_err(sentence)?;
    ledger.open_account(&new, &now_utc()).map_err(sentence)?;
    Ok(())
}
