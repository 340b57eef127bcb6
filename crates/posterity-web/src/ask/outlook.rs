//! What will come of a question, beside its form: an example of the answer with the intervals to expect, what it costs, and
//! what is left of the accounts. All of it follows from what was typed: no data is read.

use maud::{Markup, html};
use posterity::ledger::{Account, LedgerError, Price};
use posterity::number::{left, points};
use posterity::paying::charge_for;
use posterity::{Amount, Ledger};

use super::form::AskForm;
use crate::html::scroll;
use crate::known::Known;
use crate::payer;
use crate::plan::{Expected, expected};
use crate::question::Question;
use crate::sentence::sentence;
use crate::site::Site;

/// The most rows of the example.
const MOST_ROWS: usize = 8;

/// The most accounts that are told of.
const MOST_ACCOUNTS: usize = 3;

/// What will come, as far as it is known by now.
pub(super) fn outlook(site: &Site, form: &AskForm, known: &Known) -> Markup {
    let said = match form.plan(known).map(|plan| expected(site, plan)) {
        Err(why) => html! {
            p.help {
                "Here you see what the answer will look like, how precise it will be, and what it costs, as soon as the question is \
                 complete. " (why)
            }
        },
        Ok(Err(why)) => html! { p.notice { (why) } },
        Ok(Ok(None)) => html! { p.notice { "Searching for the least epsilon." } },
        Ok(Ok(Some(found))) => shown(site, form, &found),
    };
    html! {
        aside.outlook data-part="outlook" aria-live="polite" aria-label="What will come" {
            h2 { "What will come" }
            (said)
        }
    }
}

fn shown(site: &Site, form: &AskForm, found: &Expected) -> Markup {
    let Expected { question, epsilon, private, without, .. } = found;
    html! {
        p { (question.words()) }
        (example(question, *private))
        p.help {
            "The shares are made up: all values as frequent as each other. Half the width of the intervals is what to expect of the \
             widest: ± " (points(*private)) " points, and ± " (points(*without)) " without privacy."
        }
        dl.facts {
            div {
                dt { "Price" }
                dd {
                    "ε = " (epsilon)
                    @if form.width.is_empty() && form.epsilon.is_empty() { ", which you choose on the next page" }
                }
            }
            (accounts(site, found))
        }
    }
}

/// Rows of an answer with made-up shares, all as wide as the widest.
fn example(question: &Question, half_width: f64) -> Markup {
    let (rows, share) = (question.rows(MOST_ROWS + 1), question.even_share());
    let [low, high] = [(share - half_width).max(0.0), (share + half_width).min(1.0)];
    let percent = |share: f64| format!("{:.1} %", 100.0 * share);
    let table = html! {
        table.read {
            thead {
                tr {
                    @for name in question.row_names() { th scope="col" { (name) } }
                    th scope="col" class="number" { "share" }
                    th scope="col" class="number" { "95 % interval" }
                }
            }
            tbody {
                @for row in rows.iter().take(MOST_ROWS) {
                    tr {
                        @for value in row { td.group { (value) } }
                        td { (percent(share)) }
                        td { (percent(low)) " to " (percent(high)) }
                    }
                }
            }
        }
    };
    html! {
        p.kicker { "An example, made up" }
        (scroll("Example", &table))
        @if rows.len() > MOST_ROWS { p.small { "And so on." } }
    }
}

/// What the accounts pay that protect the people whom the question is about.
fn accounts(site: &Site, found: &Expected) -> Markup {
    let accounts =
        site.ledger().and_then(|path| Ledger::open(path).and_then(|ledger| ledger.accounts()).ok());
    let told = accounts.unwrap_or_default().into_iter().filter_map(|account| {
        let said = pays(&account, found)?;
        Some((account.name, said))
    });
    html! {
        @for (name, said) in told.take(MOST_ACCOUNTS) {
            div { dt { "Account " (name) } dd { (said) } }
        }
    }
}

/// What an account pays and has left then; none if it is not for these people.
fn pays(account: &Account, found: &Expected) -> Option<String> {
    let epsilon = Amount::from_rational(found.epsilon.rational().clone()).ok()?;
    let charge = charge_for("any", [epsilon], None, found.unit.as_deref(), found.adjacency).ok()?;
    match account.affords(&charge) {
        Ok(price) => Some(after(account, &price)),
        Err(LedgerError::Exceeded(_)) => Some(format!(
            "{} is left of {}, which is not enough.",
            left(&account.remaining_epsilon),
            left(&account.epsilon)
        )),
        Err(_) => None,
    }
}

fn after(account: &Account, price: &Price) -> String {
    let after = price.epsilon().and_then(|epsilon| payer::after(account, epsilon));
    let pays = sentence(format!("pays {}", payer::named(price)));
    after.map_or_else(|| pays.clone(), |after| format!("{pays} {after}"))
}
