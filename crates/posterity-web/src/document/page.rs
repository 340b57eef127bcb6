//! The page of a document of any kind.

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
) -> String {
    let Shown { document, own, .. } = shown;
    let token = site.token_field();
    let private = if document.is_private() { "Private release" } else { "Not a private release" };
    let (epsilon, delta) = document.budget();
    let delta = if delta.is_zero() { String::new() } else { format!(", δ = {}", spent(&delta)) };
    let guarantee = document.guarantee();
    let question = document.question_in_words().map(|asked| format!("<p>{}</p>", html::text(asked)));
    let unit = document.per_unit().map(|rule| format!("Units: {rule}."));
    let meaning = Some(&guarantee.meaning).filter(|meaning| !meaning.is_empty());
    let promise = [Some(&guarantee.statement), meaning, unit.as_ref(), own.promise.as_ref()];
    let promise = promise.into_iter().flatten().map(|said| format!("<p>{}</p>", html::text(said)));
    let figure =
        shown.picture.as_ref().map(|svg| figure(svg, "The intervals of the first table, on one scale"));
    format!(
        "<div class=\"intro\"><p class=\"kicker\">{private}: {}</p><h1>{}</h1><p class=\"lead\">ε = {}{}, {}. {}</p>{}{}{}</div>\
         {}{}{}{}{}{}{}\
         <section class=\"card\"><h2>What is promised</h2>{}</section><section><h2>How to read it</h2>{}</section>",
        document.title(),
        html::text(subject(document.about())),
        html::text(bound(epsilon.to_f64_shown())),
        html::text(delta),
        how_many(document.n(), document.per_unit().is_some()),
        html::text(&guarantee.protects),
        question.unwrap_or_default(),
        shown.note.html(),
        warnings_of(shown.mark(), document.promise(), document.n()),
        own.before,
        answer(shown),
        figure.unwrap_or_default(),
        files::downloads(shown, &source.address()),
        own.after,
        choices(shown, &token, source),
        typed.shown(&token, source, &shown.space(), own.independence, wrong),
        promise.collect::<String>(),
        html::list("", &document.notes())
    )
}

/// What was read, what stands beside it, and what its intervals mean.
fn answer(shown: &Shown) -> String {
    let Shown { document, tables, comparisons, meanings, .. } = shown;
    let grid = readings::grid(tables, comparisons);
    let beside = document.beside().map(|said| format!("<p>{}</p>", html::text(said))).unwrap_or_default();
    let answer = if grid.is_empty() {
        beside
    } else {
        format!("<section class=\"readings\" id=\"answer\"><h2>The answer</h2>{grid}{beside}</section>")
    };
    answer + &html::list(" class=\"small\" id=\"meaning\"", meanings)
}

/// Readings that are one button each.
fn choices(shown: &Shown, token: &str, source: &Source) -> String {
    let choices = &shown.own.choices;
    if choices.is_empty() {
        return String::new();
    }
    let one = |reading: &posterity::Reading| {
        let reading = reading.to_string();
        format!(
            "<li><form class=\"inline-form\" action=\"/reading\" method=\"post\">{token}{}{}<button aria-label=\"Read {2}\">Read</button> \
             {2}</form></li>",
            source.fields(),
            html::hidden("read", &reading),
            html::text(&reading)
        )
    };
    let more = choices.len().saturating_sub(MOST_CHOICES);
    let more = if more > 0 {
        format!("<p class=\"small\">{more} more are read by the menus, or in words of the command.</p>")
    } else {
        String::new()
    };
    format!(
        "<details class=\"cells\"><summary>Read one of them</summary><ul class=\"plain\">{}</ul>{more}</details>",
        choices.iter().take(MOST_CHOICES).map(one).collect::<String>()
    )
}
