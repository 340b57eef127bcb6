//! What a study will spend and promise, before anything is read.

use axum::extract::Path;
use maud::{Markup, html};
use posterity::ledger::{Account, Price};
use posterity::meaning::uncounted;
use posterity::number::{bound, left, spent};
use posterity::plan::{Plan, PlannedQuestion};
use posterity::{Amount, Ledger};
use posterity_present::words::quoted;

use super::asked::{Asked, StudyForm};
use super::forecast::forecast;
use super::progress::Progress;
use super::{job, page};
use crate::adjacency::in_words;
use crate::drafts::{Confirmation, GONE};
use crate::extract::Form;
use crate::html;
use crate::layout::{self, Section};
use crate::payer;
use crate::people;
use crate::plan::meaning;
use crate::reply::{Answer, Reply};
use crate::site::Site;
use crate::spending::{DraftOf, FOR_GOOD, Promised, Spending};
use crate::units::{changed, protected, published};

/// Checks the plan, and leads to the summary.
pub(crate) fn check(site: &Site, Form(typed): Form<StudyForm>) -> Answer {
    match Asked::new(site.folder(), site.ledger(), typed.clone()) {
        Ok(asked) => Ok(Reply::Redirect(format!("/study/draft/{}", site.studies().add(asked)?))),
        Err(why) => Ok(Reply::Html(page::with(site, &typed, Some(&why)))),
    }
}

/// The summary of a plan.
pub(crate) fn draft(site: &Site, Path(id): Path<String>) -> Answer {
    let (asked, result) = site.studies().draft(&id).ok_or(GONE)?;
    Ok(Reply::Html(shown(site, &id, &asked, result.as_deref(), &[])))
}

/// The summary, with what has changed since it was shown before.
fn shown(site: &Site, id: &str, asked: &Asked, result: Option<&str>, differs: &[String]) -> Markup {
    let spending = spending(site, asked);
    let kicker =
        if result.is_none() { "No data has been read, and nothing charged" } else { "This was confirmed" };
    let back = back(asked);
    let became = result.map(|result| (result, "This was confirmed."));
    let promised = promised(site, asked);
    let draft = DraftOf { section: "/study", id, result: became, back: (&back, "plan"), promised };
    let undo =
        if spending.button == Some(RECALL) { "This draws nothing and costs nothing." } else { FOR_GOOD };
    let plan = asked.study.plan();
    let delta = plan.delta().map(Amount::to_f64_shown).unwrap_or_default();
    let body = html! {
        div.intro {
            p.kicker { (kicker) }
            h1 { (plan.title()) }
            @if let Some(about) = plan.description() { p.lead { (about) } }
        }
        (html::differs(differs))
        (facts(asked))
        (questions(asked))
        (asked.n.map_or_else(people::unknown, |n| forecast(plan, n)))
        section.card { h2 { "What this spends" } (spending.said) }
        section.card {
            h2 { "What is promised" }
            (promise(asked))
            (meaning(asked.adjacency(), plan.epsilon().to_f64(), delta, asked.n, asked.unit()))
        }
        (spending.way_on(&draft, undo, &site.token_field()))
        (command(site, asked))
    };
    layout::page("Carry out this study?", Section::Study, &body)
}

/// What the page of a draft promises: what is asked, and what it costs whom.
fn promised(site: &Site, asked: &Asked) -> Promised {
    let price = |path: &std::path::Path, name: &str| {
        let charge = asked.study.price().map_err(|error| error.to_string())?;
        let account = Ledger::open(path).and_then(|ledger| ledger.account(name));
        let price =
            account.and_then(|account| account.price_of(&charge)).map_err(|error| error.to_string())?;
        Ok::<_, String>(format!("{price} of {name}"))
    };
    let price = match (site.ledger(), &asked.account) {
        (Some(path), Some(name)) => price(path, name).unwrap_or_else(|why| why),
        _ => "nothing that is counted".to_owned(),
    };
    Promised { plan: asked.study.plan().digest(), price }
}

/// Where the plan was chosen or made.
fn back(asked: &Asked) -> String {
    match asked.typed.made.get() {
        Some(made) => format!("/study/make?{made}"),
        None => "/study".to_owned(),
    }
}

fn facts(asked: &Asked) -> Markup {
    let plan = asked.study.plan();
    let mut rows = vec![("Plan", asked.name.clone()), ("Source", plan.source().to_owned())];
    let records = plan.records();
    rows.push(("Number of people", in_words(records.adjacency).to_owned()));
    rows.push(("Protected", protected(records)));
    rows.extend(records.filter.iter().map(|filter| ("Only records where", filter.clone())));
    rows.extend(records.within.iter().map(|within| ("About those for which", within.clone())));
    html::facts(&rows)
}

fn questions(asked: &Asked) -> Markup {
    let table = html! {
        table {
            thead {
                tr {
                    th scope="col" { "question" }
                    th scope="col" { "columns" }
                    th scope="col" class="number" { "cells" }
                    th scope="col" class="number" { "its share, ε" }
                    th scope="col" class="number" { "readings" }
                    th scope="col" { "mechanism" }
                }
            }
            tbody { @for one in asked.study.plan().questions() { (row(one)) } }
        }
    };
    html! { h2 { "What is asked" } (html::scroll("Questions", &table)) }
}

/// A question in the table of all of them.
fn row(asked: &PlannedQuestion) -> Markup {
    html! {
        tr {
            th scope="row" { (asked.title()) }
            td { (columns(asked)) }
            td.number { (asked.cells().map_or_else(|| "private".to_owned(), |cells| cells.to_string())) }
            td.number { (bound(asked.epsilon().to_f64_shown())) }
            td.number { (asked.readings().len() + asked.comparisons().len()) }
            td {
                (asked.mechanism())
                @if let Some(delta) = asked.delta() { ", with δ = " (spent(delta)) }
            }
        }
    }
}

/// The names of the columns, and of many columns also how many tables there are.
fn columns(asked: &PlannedQuestion) -> String {
    let names = asked.columns().join(", ");
    match asked.tables() {
        Some(tables) => format!("{tables} tables of {} columns: {names}", asked.columns().len()),
        None => names,
    }
}

/// What all answers promise together: `ε = 1`, or `ε = 1 and δ = 1e-9`.
pub(super) fn budget(plan: &Plan) -> String {
    let delta = plan.delta().map(|delta| format!(" and δ = {}", spent(delta)));
    format!("ε = {}{}", bound(plan.epsilon().to_f64_shown()), delta.unwrap_or_default())
}

/// The button if the ledger holds the answers.
const RECALL: &str = "Yes, read the answers again";

/// What the account has before and after, or that the ledger holds the answers, or why it cannot pay.
fn spending(site: &Site, asked: &Asked) -> Spending {
    let plan = asked.study.plan();
    let (Some(path), Some(name)) = (site.ledger(), &asked.account) else {
        let rho = plan.rho().map(|rho| format!(" (with ρ = {})", spent(&rho))).unwrap_or_default();
        let said = html! { p { (budget(plan)) (rho) " for all questions together. " (uncounted()) } };
        return Spending { said, button: Some("Yes, carry it out") };
    };
    let charge = match asked.study.price() {
        Ok(charge) => charge,
        Err(error) => return Spending::refused(error),
    };
    let looked = Ledger::open(path)
        .and_then(|ledger| Ok((ledger.account(name)?, ledger.find(name, charge.question())?.is_some())));
    let account = match looked {
        Ok((account, false)) => account,
        Ok((account, true)) => {
            let said = html! {
                p {
                    "Nothing. The ledger holds the answers to this plan, which account " strong { (account.name) }
                    " paid for. They are read again."
                }
            };
            return Spending { said, button: Some(RECALL) };
        }
        Err(error) => return Spending::refused(error),
    };
    match account.affords(&charge) {
        Ok(price) => {
            Spending { said: charged(asked, &account, &price), button: Some("Yes, charge and carry it out") }
        }
        Err(error) => Spending::refused(error),
    }
}

/// What the account pays, and what it has before and after.
fn charged(asked: &Asked, account: &Account, price: &Price) -> Markup {
    let after = price.epsilon().and_then(|epsilon| payer::after(account, epsilon));
    let promise = || format!("It can pay that. All answers together promise {}.", budget(asked.study.plan()));
    html! {
        p {
            (payer::named(price)) " for all questions together, in one charge to account " strong { (account.name) }
            ", which protects each " (asked.unit()) ", has spent " (spent(&account.spent_epsilon)) " and has "
            (left(&account.remaining_epsilon)) " left."
            (payer::dearer(account, asked.adjacency(), payer::how_much_dearer(price)))
            " " (after.unwrap_or_else(promise))
        }
    }
}

fn promise(asked: &Asked) -> Markup {
    let but = if asked.study.plan().delta().is_some() { ", but for a probability of at most δ" } else { "" };
    html! {
        p {
            (changed(asked.adjacency(), asked.unit_column()))
            " changes the probability of every possible set of answers by a factor of at most e" sup { "ε" } (but)
            ", for all questions together. " (published(asked.adjacency(), "filters"))
        }
    }
}

/// The same as a command, where the plan says who pays.
fn command(site: &Site, asked: &Asked) -> Markup {
    if site.ledger().is_some() && asked.study.file().ledger().is_none() {
        return html! {
            p.small {
                "To carry it out by command, add " code { "ledger" } " and " code { "account" } " to the plan."
            }
        };
    }
    match &asked.path {
        Some(path) => html::command(&format!("posterity study {}", quoted(&path.to_string_lossy()))),
        None => Markup::default(),
    }
}

/// Carries out a plan, once, if it is still what its page promised.
pub(crate) fn confirm(site: &Site, Form(confirmation): Form<Confirmation>) -> Answer {
    let Confirmation { draft: id, .. } = &confirmation;
    let (asked, result) = site.studies().draft(id).ok_or(GONE)?;
    if result.is_none() {
        let differs = confirmation.differs(&promised(site, &asked));
        if !differs.is_empty() {
            return Ok(Reply::Html(shown(site, id, &asked, None, &differs)));
        }
    }
    let (ledger, key) = (site.ledger().map(std::path::Path::to_owned), site.key().cloned());
    let run =
        move |asked: &Asked, progress: &Progress| job::run(asked, ledger.as_deref(), key.clone(), progress);
    Ok(Reply::Redirect(format!("/study/result/{}", site.studies().confirm(id, "study", run)?)))
}
