//! The page of a document of any kind.

use maud::{Markup, html};
use posterity::number::{bound, spent};
use posterity_present::describe::subject;

use super::files;
use super::picture::figure;
use super::shown::Shown;
use crate::html;
use crate::plan::warnings_of;
use crate::readings::{self, ReadingForm, Source};
use crate::site::Site;
use crate::units::how_many;

/// The most readings that are one button each.
const MOST_CHOICES: usize = 200;

/// A release: what was read with its picture, downloads, what only its kind has, a form for other readings with what was
/// typed into it and what is wrong with that, the promise, and how to read all of it.
pub(crate) fn body(
    site: &Site,
    shown: &Shown,
    source: &Source,
    typed: &ReadingForm,
    wrong: Option<&str>,
) -> Markup {
    let Shown { document, own, .. } = shown;
    let token = site.token_field();
    html! {
        (intro(shown))
        (own.before)
        (answer(shown))
        @if let Some(svg) = &shown.picture { (figure(svg, "The intervals of the first table, on one scale")) }
        (files::downloads(shown, &source.address()))
        (own.after)
        (choices(shown, &token, source))
        (typed.shown(&token, source, &shown.space(), wrong))
        (promise(shown))
        section { h2 { "How to read it" } (list(&document.notes())) }
    }
}

/// A list of sentences; nothing if there are none.
fn list(all: &[String]) -> Markup {
    html! { @if !all.is_empty() { ul { (html::items(all)) } } }
}

/// What it is, and what is said above it.
fn intro(shown: &Shown) -> Markup {
    let Shown { document, note, .. } = shown;
    let private = if document.is_private() { "Private release" } else { "Not a private release" };
    let (epsilon, delta) = document.budget();
    html! {
        div.intro {
            p.kicker { (private) ": " (document.title()) }
            h1 { (subject(document.about())) }
            p.lead {
                "ε = " (bound(epsilon.to_f64_shown()))
                @if !delta.is_zero() { ", δ = " (spent(&delta)) }
                ", " (how_many(document.n(), document.per_unit().is_some())) ". " (document.guarantee().protects)
            }
            @if let Some(asked) = document.question_in_words() { p { (asked) } }
            (note.html())
            (warnings_of(shown.mark(), document.promise(), document.n()))
        }
    }
}

fn promise(shown: &Shown) -> Markup {
    let Shown { document, own, .. } = shown;
    let guarantee = document.guarantee();
    let unit = document.per_unit().map(|rule| format!("Units: {rule}."));
    let meaning = Some(&guarantee.meaning).filter(|meaning| !meaning.is_empty());
    let said = [Some(&guarantee.statement), meaning, unit.as_ref(), own.promise.as_ref()];
    html! {
        section.card {
            h2 { "What is promised" }
            @for said in said.into_iter().flatten() { p { (said) } }
        }
    }
}

/// What was read, what stands beside it, and what its intervals mean.
fn answer(shown: &Shown) -> Markup {
    let Shown { document, tables, comparisons, meanings, .. } = shown;
    let tests = document.tests();
    let beside = html! { @if let Some(said) = document.beside() { p { (said) } } };
    html! {
        @if tables.is_empty() && comparisons.is_empty() && tests.is_empty() {
            (beside)
        } @else {
            section.readings id="answer" {
                h2 { "The answer" }
                (readings::grid(tables, comparisons))
                (readings::tested(&tests))
                (beside)
            }
        }
        @if !meanings.is_empty() { ul.small id="meaning" { (html::items(meanings)) } }
    }
}

/// Readings that are one button each.
fn choices(shown: &Shown, token: &Markup, source: &Source) -> Markup {
    let choices = &shown.own.choices;
    let more = choices.len().saturating_sub(MOST_CHOICES);
    html! {
        @if !choices.is_empty() {
            details.cells {
                summary { "Read one of them" }
                ul.plain {
                    @for reading in choices.iter().take(MOST_CHOICES) {
                        li { (choice(&reading.to_string(), token, source)) }
                    }
                }
                @if more > 0 {
                    p.small { (more) " more are read by the menus, or in words of the command." }
                }
            }
        }
    }
}

fn choice(reading: &str, token: &Markup, source: &Source) -> Markup {
    html! {
        form.inline-form action="/reading" method="post" {
            (token)
            (source.fields())
            (html::hidden("read", reading))
            button aria-label={ "Read " (reading) } { "Read" }
            " " (reading)
        }
    }
}
