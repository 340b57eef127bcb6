//! The start: what to do first.

use maud::{Markup, html};
use posterity::Ledger;

use crate::ask;
use crate::html;
use crate::layout::{self, Section};
use crate::reply::{Answer, Reply};
use crate::site::Site;

const LEAD: &str = "Posterity answers questions about many people with noise that protects every one of them. Begin with a question.";

/// The first page.
pub(crate) fn page(site: &Site, (): ()) -> Answer {
    let body = html! {
        (html::intro("What do you want to know?", LEAD))
        @if site.folder().is_some() { (ask::kinds()) } @else { (without_data()) }
        h2 { "The way from there" }
        (way(site))
        p {
            "For many questions at once there are " a href="/study" { "studies" } ", and for every pair of many columns "
            a href="/margins" { "tables of many columns" } ". A release that you have as a file is "
            a href="/document" { "opened" } " here. What was released before is in the history of the "
            a href="/budget" { "budget" } ", to be read again at no cost. The words are explained in the "
            a href="/help" { "help" } "."
        }
    };
    Ok(Reply::Html(layout::page("Start", Section::None, &body)))
}

/// The steps to an answer.
fn way(site: &Site) -> Markup {
    html! {
        ol.way {
            li { (first(site)) }
            @if site.folder().is_some() {
                li {
                    strong { a href="/look" { "Look at the file" } }
                    ", and declare what its columns may hold. You alone see that."
                }
            }
            li { strong { "Ask." } " No record is read for that." }
            li { strong { "See what to expect." } " Choose epsilon by the error that you can bear." }
            li {
                strong { "Look at the summary, and release." }
                " One button charges the account and draws the noise, once."
            }
            li {
                strong { "Take the sheet to the committee." }
                " It says in words what was asked, answered and promised, and how to verify it."
            }
        }
    }
}

fn without_data() -> Markup {
    html! {
        p.notice {
            "There is no folder of data yet. Start with " code { "posterity web --data FOLDER" } ", or "
            a href="/plan" { "plan" } " without any data."
        }
    }
}

/// The first step: the account that pays.
fn first(site: &Site) -> Markup {
    let Some(path) = site.ledger() else {
        return html! {
            strong { "Keep a budget." } " Nobody adds up what is released now. Start with " code { "--ledger FILE" } "."
        };
    };
    let accounts = Ledger::open(path).and_then(|ledger| ledger.accounts()).unwrap_or_default();
    let names: Vec<&str> = accounts.iter().map(|account| account.name.as_str()).collect();
    if names.is_empty() {
        return html! {
            strong { a href="/budget" { "Open an account" } }
            " for the people whom the data are about. Everything that is ever released about them is charged to it."
        };
    }
    html! { strong { "An account pays." } " There is " a href="/budget" { (names.join(", ")) } "." }
}
