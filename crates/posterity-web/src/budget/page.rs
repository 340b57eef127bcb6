//! The accounts of the ledger.

use std::path::Path;

use maud::{Markup, html};
use posterity::Ledger;
use posterity::ledger::{Account, Amount, HistoryLine};
use posterity::meaning::outside_the_ledger;
use serde::Deserialize;

use posterity_present::describe::beside;
use posterity_present::words::counted;

use super::account::section;
use super::account_form::AccountForm;
use crate::extract::Query;
use crate::html;
use crate::layout::{self, Section};
use crate::reply::{Answer, Reply};
use crate::sentence::sentence;
use crate::site::Site;
use crate::typed::Typed;

/// The epsilon of the releases that are counted unless told otherwise.
const USUAL_RELEASE: &str = "0.1";

/// Said where a ledger is needed.
pub(super) const NO_LEDGER: &str = "There is no ledger. Start with --ledger FILE.";

/// The releases to count: how many more of them fit.
#[derive(Default, Deserialize)]
#[serde(default)]
pub(crate) struct Counting {
    /// The epsilon of each.
    of: Typed<Amount>,
}

impl Counting {
    /// The epsilon of each release, and what is wrong with what was typed.
    fn amount(&self) -> (Amount, Option<String>) {
        let usual = USUAL_RELEASE.parse().unwrap_or(Amount::ZERO);
        match self.of.value() {
            Ok(None) => (usual, None),
            Ok(Some(of)) if !of.is_zero() => (of, None),
            Ok(Some(_)) => (usual, Some("Choose a positive number such as 0.1.".to_owned())),
            Err(wrong) => (usual, Some(wrong)),
        }
    }
}

/// All accounts with their histories.
pub(crate) fn page(site: &Site, Query(counting): Query<Counting>) -> Answer {
    Ok(Reply::Html(with(site, &counting, &AccountForm::default(), &Markup::default())))
}

/// Verifies the chain of entries.
pub(crate) fn verify(site: &Site, Query(counting): Query<Counting>) -> Answer {
    let verified = site
        .ledger()
        .ok_or_else(|| NO_LEDGER.to_owned())
        .and_then(|path| Ledger::open(path).and_then(|ledger| ledger.verify()).map_err(sentence));
    let said = match verified {
        Ok(verified) => html! {
            section.card role="status" {
                h2 { "The chain holds" }
                p {
                    (counted(verified.accounts, "account")) ", " (counted(verified.charges, "charge")) ", "
                    (counted(verified.releases, "release")) ". Nothing was changed after it was written. Note the head \
                     elsewhere: it shows later whether anything before it was changed ("
                    code { "posterity budget verify --head" } ")."
                }
                (html::shell(&verified.head.to_string()))
            }
        },
        Err(why) => html::wrong(why),
    };
    Ok(Reply::Html(with(site, &counting, &AccountForm::default(), &said)))
}

/// The page with something said above the accounts, and what was typed into its forms.
pub(super) fn with(site: &Site, counting: &Counting, typed: &AccountForm, said: &Markup) -> Markup {
    const LEAD: &str = "Every release about the same people spends some of one budget. The ledger adds up what was spent, and \
                        refuses more than was allowed.";
    let intro = html::intro("Budget", LEAD);
    let Some(path) = site.ledger() else {
        let body = html! {
            (intro)
            p {
                "There is no ledger yet. Start Posterity with the file that holds your budgets, or that shall hold them:"
            }
            (html::shell("posterity web --data FOLDER --ledger study.ledger"))
        };
        return layout::page("Budget", Section::Budget, &body);
    };
    let accounts = if path.exists() { read(path) } else { Ok(Vec::new()) };
    let body = html! {
        (intro)
        (said)
        @match &accounts {
            Ok(accounts) => {
                @if !accounts.is_empty() { (sections(accounts, counting)) }
                (typed.shown(&site.token_field(), accounts.is_empty()))
            },
            // A ledger that cannot be read is no place for a new account.
            Err(why) => { (html::wrong(why)) },
        }
    };
    layout::page("Budget", Section::Budget, &body)
}

/// The accounts with their histories, and how many more releases fit.
fn sections(accounts: &[(Account, Vec<HistoryLine>)], counting: &Counting) -> Markup {
    let (of, wrong) = counting.amount();
    let beside = |account: &Account| {
        let others = accounts.iter().map(|(other, _)| other);
        let others: Vec<Account> = others.filter(|other| other.protects_those_of(account)).cloned().collect();
        beside(account, &others)
    };
    html! {
        @for (account, history) in accounts { (section(account, beside(account), history, &of)) }
        (after(&of, wrong))
    }
}

/// What follows the accounts: how many more releases fit, what the accounts do not see, and verification.
fn after(of: &Amount, wrong: Option<String>) -> Markup {
    html! {
        form.inline-form action="/budget" method="get" autocomplete="off" {
            (html::maybe_wrong(wrong))
            label for="of" { "Count how many more releases fit, each of ε =" }
            " "
            input id="of" name="of" value=(of) inputmode="decimal";
            " "
            button { "Count" }
        }
        p.small { (outside_the_ledger()) }
        p { a.button href="/budget/verify" { "Verify the ledger" } }
    }
}

fn read(path: &Path) -> Result<Vec<(Account, Vec<HistoryLine>)>, String> {
    let ledger = Ledger::open(path).map_err(sentence)?;
    let accounts = ledger.accounts().map_err(sentence)?;
    accounts
        .into_iter()
        .map(|account| {
            let history = ledger.history(&account.name).map_err(sentence)?;
            Ok((account, history))
        })
        .collect()
}
