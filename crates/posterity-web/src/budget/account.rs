//! One account: what is left of it, what that allows, and what it was spent on.

use maud::{Markup, html};
use posterity::About;
use posterity::ledger::{Account, Adjacency, Amount, HistoryLine, Price, Rule, Status};
use posterity::number::{count, left, spent};
use posterity_present::words::counted;

use crate::html::scroll;
use crate::payer;

/// An account with its history. `beside` says which others protect the same people, and `releases_of` is the epsilon of the releases that are counted.
pub(super) fn section(
    account: &Account,
    beside: Option<String>,
    history: &[HistoryLine],
    releases_of: &Amount,
) -> Markup {
    html! {
        section.account {
            h2 { (account.name) }
            p.small { (protects(account)) }
            (meter(account))
            p {
                strong { (left(&account.remaining_epsilon)) }
                " of ε = " (left(&account.epsilon))
                @if !account.delta.is_zero() { " at δ = " (left(&account.delta)) }
                " is left; " (spent(&account.spent_epsilon)) " is spent on " (counted(account.charges, "charge")) ". "
                (allows(account, releases_of))
            }
            @if let Some(said) = beside { p.notice { (said) } }
            (table(history))
        }
    }
}

/// How much is spent, as a bar.
fn meter(account: &Account) -> Markup {
    let number = |amount: &Amount| amount.rational().to_f64().value();
    let (whole, gone) = (number(&account.epsilon), number(&account.spent_epsilon));
    let share = if whole > 0.0 { (100.0 * gone / whole).min(100.0) } else { 100.0 };
    let label = format!("{share:.0} % of {} is spent", account.name);
    html! {
        svg.meter viewBox="0 0 100 2" preserveAspectRatio="none" role="img" aria-label=(label) {
            rect width="100" height="2" class="meter-all" {}
            rect width=(format!("{share:.1}")) height="2" class="meter-spent" {}
        }
    }
}

/// Whom it protects.
fn protects(account: &Account) -> String {
    let population = match &account.population {
        Some(population) => format!(" Population: {population}."),
        None => String::new(),
    };
    let private = match account.adjacency {
        Adjacency::Replace => "n is public (replace).",
        Adjacency::AddRemove => {
            "n is private (add-remove): whether anyone is in the data at all is protected, and releases that publish n are refused."
        }
    };
    format!("Protects each {}. {private}{population}", account.unit)
}

/// What is left would allow this.
fn allows(account: &Account, releases_of: &Amount) -> Markup {
    if account.remaining_epsilon.is_zero() {
        return html! {
            "Nothing more can be released about these people. Answers that the ledger holds can be read again, at no cost."
        };
    }
    let remaining = left(&account.remaining_epsilon);
    let private = match account.adjacency {
        Adjacency::Replace => "",
        Adjacency::AddRemove => "&adjacency=add-remove",
    };
    html! {
        "That allows one more release of ε = " (remaining) ", or "
        strong { (count(account.releases_of(releases_of) as f64)) } " more of ε = " (releases_of) "."
        @if matches!(account.rule, Rule::Renyi(_)) {
            " Spent is the epsilon at which all releases so far are private at that δ; small releases fit in larger numbers \
             than their sum says."
        }
        " "
        a href={ "/plan?e=" (remaining) (private) } { "Plan with what is left." }
    }
}

fn table(history: &[HistoryLine]) -> Markup {
    if history.is_empty() {
        return Markup::default();
    }
    let table = html! {
        table {
            thead {
                tr { @for name in ["entry", "time", "ε", "document", "question"] { th scope="col" { (name) } } }
            }
            tbody { @for line in history.iter().rev() { (row(line)) } }
        }
    };
    scroll("History", &table)
}

fn row(line: &HistoryLine) -> Markup {
    html! {
        tr {
            td { (line.entry) }
            td.time { (line.at) }
            td { (price(&line.price)) }
            td {
                @if let Status::Released { .. } = line.status {
                    a href={ "/budget/entry/" (line.entry) } {
                        "released"
                        span.unseen { " as entry " (line.entry) }
                    }
                } @else {
                    "not released"
                }
            }
            td.prose { (About::of_charge(&line.question)) (private(line)) }
        }
    }
}

/// Says that n is private in a release, and what its own epsilon is if the account paid more.
fn private(line: &HistoryLine) -> String {
    let own = &line.release.price;
    match line.release.adjacency {
        Adjacency::Replace => String::new(),
        Adjacency::AddRemove if *own == line.price => "; n private".to_owned(),
        Adjacency::AddRemove => format!("; n private, {} by itself", payer::named(own)),
    }
}

/// What a charge cost, in a column of epsilons: a price in rho is named.
fn price(price: &Price) -> String {
    match price {
        Price::Epsilon { epsilon, .. } => spent(epsilon),
        Price::Rho { rho, parts: None } => format!("ρ = {}", spent(rho)),
        Price::Rho { rho, parts: Some(parts) } => format!("ρ = {} and {}", spent(rho), spent(&parts.sum())),
    }
}
