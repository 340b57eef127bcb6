//! One account: what is left of it, what that allows, and what it was spent on.

use posterity::About;
use posterity::ledger::{Account, Adjacency, Amount, HistoryLine, Price, Rule, Status};
use posterity::number::{count, left, spent};
use posterity_present::words::counted;

use crate::html;
use crate::payer;

/// An account with its history. `beside` says which others protect the same people, and `releases_of` is the epsilon of the releases that are counted.
pub(super) fn section(
    account: &Account,
    beside: Option<String>,
    history: &[HistoryLine],
    releases_of: &Amount,
) -> String {
    let beside =
        beside.map(|said| format!("<p class=\"notice\">{}</p>", html::text(said))).unwrap_or_default();
    let number = |amount: &Amount| amount.rational().to_f64().value();
    let (whole, gone) = (number(&account.epsilon), number(&account.spent_epsilon));
    let share = if whole > 0.0 { (100.0 * gone / whole).min(100.0) } else { 100.0 };
    let name = html::text(&account.name);
    let delta = if account.delta.is_zero() {
        String::new()
    } else {
        format!(" at δ = {}", html::text(left(&account.delta)))
    };
    format!(
        "<section class=\"account\"><h2>{name}</h2>\
         <p class=\"small\">{}</p>\
         <svg class=\"meter\" viewBox=\"0 0 100 2\" preserveAspectRatio=\"none\" role=\"img\" aria-label=\"{share:.0} % of {name} is spent\">\
         <rect width=\"100\" height=\"2\" class=\"meter-all\"/><rect width=\"{share:.1}\" height=\"2\" class=\"meter-spent\"/></svg>\
         <p><strong>{}</strong> of ε = {}{delta} is left; {} is spent on {}. {}</p>{beside}{}</section>",
        protects(account),
        html::text(left(&account.remaining_epsilon)),
        html::text(left(&account.epsilon)),
        html::text(spent(&account.spent_epsilon)),
        counted(account.charges, "charge"),
        allows(account, releases_of),
        table(history)
    )
}

/// Whom it protects.
fn protects(account: &Account) -> String {
    let population = match &account.population {
        Some(population) => format!(" Population: {}.", html::text(population)),
        None => String::new(),
    };
    let private = match account.adjacency {
        Adjacency::Replace => "n is public (replace).",
        Adjacency::AddRemove => {
            "n is private (add-remove): whether anyone is in the data at all is protected, and releases that publish n are refused."
        }
    };
    format!("Protects each {}. {private}{population}", html::text(&account.unit))
}

/// What is left would allow this.
fn allows(account: &Account, releases_of: &Amount) -> String {
    if account.remaining_epsilon.is_zero() {
        return "Nothing more can be released about these people. Answers that the ledger holds can be read again, at no cost."
            .to_owned();
    }
    let remaining = html::text(left(&account.remaining_epsilon));
    let several = count(account.releases_of(releases_of) as f64);
    let private = match account.adjacency {
        Adjacency::Replace => "",
        Adjacency::AddRemove => "&amp;adjacency=add-remove",
    };
    let filtered = if matches!(account.rule, Rule::Renyi(_)) {
        " Spent is the epsilon at which all releases so far are private at that δ; small releases fit in larger numbers than their sum \
         says."
    } else {
        ""
    };
    format!(
        "That allows one more release of ε = {remaining}, or <strong>{several}</strong> more of ε = {}.{filtered} \
         <a href=\"/plan?e={remaining}{private}\">Plan with what is left.</a>",
        html::text(releases_of)
    )
}

fn table(history: &[HistoryLine]) -> String {
    if history.is_empty() {
        return String::new();
    }
    let rows = history.iter().rev().map(|line| {
        let status = match line.status {
            Status::Released { .. } => format!("<a href=\"/budget/entry/{0}\">released<span class=\"unseen\"> as entry {0}</span></a>", line.entry),
            _ => "not released".to_owned(),
        };
        format!(
            "<tr><td>{}</td><td class=\"time\">{}</td><td>{}</td><td>{status}</td><td class=\"prose\">{}{}</td></tr>",
            line.entry,
            html::text(&line.at),
            html::text(price(&line.price)),
            html::text(About::of_charge(&line.question)),
            private(line)
        )
    });
    format!(
        "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"History\"><table><thead><tr><th scope=\"col\">entry</th>\
         <th scope=\"col\">time</th><th scope=\"col\">ε</th><th scope=\"col\">document</th><th scope=\"col\">question</th></tr></thead>\
         <tbody>{}</tbody></table></div>",
        rows.collect::<String>()
    )
}

/// Says that n is private in a release, and what its own epsilon is if the account paid more.
fn private(line: &HistoryLine) -> String {
    let own = &line.release.price;
    match line.release.adjacency {
        Adjacency::Replace => String::new(),
        Adjacency::AddRemove if *own == line.price => "; n private".to_owned(),
        Adjacency::AddRemove => format!("; n private, {} by itself", html::text(payer::named(own))),
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
