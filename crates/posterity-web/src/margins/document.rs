//! A release of many tables as a reader sees it.

use posterity::number::{bound, spent};
use posterity::table::Term;
use posterity::{Contrasted, Reading, ReadingTable};
use posterity_present::Mark;
use posterity_present::describe::subject;

use super::noise::{noise_table, of_columns};
use super::shown::Shown;
use crate::html;
use crate::plan::warnings_of;
use crate::readings::{self, Offered, ReadingForm, Source};
use crate::release::{downloads, labelled};
use crate::site::Site;
use crate::units::how_many;

/// The most readings that a page shows. The file has all of them.
const MOST_TABLES: usize = 12;

/// Said of all readings.
const IN_INTERVALS: &str = "The noise of the release is in every interval.";

/// The most released tables that a page lists.
const MOST_SETS: usize = 200;

/// A release of many tables: what was read, picture, tables and their noise, promise, downloads, and a form for other
/// readings with what was typed into it.
pub(crate) fn body(
    site: &Site,
    shown: &Shown,
    source: &Source,
    typed: &ReadingForm,
    wrong: Option<&str>,
) -> String {
    let document = &shown.document;
    let (token, space) = (site.token_field(), shown.space());
    let ask = typed.shown(&token, source, Some(&space), &OFFERED, wrong);
    let guarantee = document.guarantee();
    let private = if document.is_private() { "Private release" } else { "Not a private release" };
    let (epsilon, delta) = document.budget();
    let meaning = if guarantee.meaning.is_empty() {
        String::new()
    } else {
        format!("<p>{}</p>", html::text(&guarantee.meaning))
    };
    let unit = document.per_unit().map(|rule| format!("<p>Units: {}.</p>", html::text(rule)));
    let notes: String =
        document.notes().iter().map(|note| format!("<li>{}</li>", html::text(note))).collect();
    format!(
        "<div class=\"intro\"><p class=\"kicker\">{private}: tables of many columns</p><h1>{}</h1><p class=\"lead\">ε = {}, δ = {}, {}. {}</p>\
         {}{}</div>{}{}{ask}{}\
         <section class=\"card\"><h2>What is promised</h2><p>{}</p>{meaning}{}</section>\
         <section><h2>How to read it</h2><ul>{notes}</ul></section>",
        html::text(subject(document.about())),
        html::text(bound(epsilon.to_f64_shown())),
        html::text(spent(&delta)),
        how_many(document.n(), document.per_unit().is_some()),
        html::text(&guarantee.protects),
        shown.note.html(),
        warnings_of(Mark::of(document), document.promise(), document.n()),
        answer(shown),
        downloads(&source.address(), &files(shown)),
        tables(shown, &token, source),
        html::text(&guarantee.statement),
        unit.unwrap_or_default(),
    )
}

/// What can be asked of such a release.
pub(super) const OFFERED: Offered = Offered { independence: false };

fn files(shown: &Shown) -> Vec<(&'static str, &'static str)> {
    let picture = shown.picture.as_ref().map(|_| ("release.svg", "Picture (SVG)"));
    [("release.json", "JSON"), ("readings.csv", "Readings (CSV)")].into_iter().chain(picture).collect()
}

/// What was read with its picture, and what its intervals mean.
fn answer(shown: &Shown) -> String {
    let meanings: String =
        shown.meanings.iter().map(|said| format!("<li>{}</li>", html::text(said))).collect();
    let picture = shown.picture.as_ref().map(|svg| {
        let svg = labelled(svg, "The intervals of the first table, on one scale");
        format!("<figure class=\"picture\" tabindex=\"0\">{svg}</figure>")
    });
    format!(
        "{}<ul class=\"small\" id=\"meaning\">{meanings}</ul>{}",
        readings::answer_of(&grid(&shown.tables, &shown.comparisons)),
        picture.unwrap_or_default()
    )
}

/// What was compared and read, as tables.
pub(crate) fn grid(tables: &[ReadingTable], comparisons: &[Contrasted]) -> String {
    let drawn = readings::drawn(&tables.iter().collect::<Vec<_>>(), comparisons);
    let drawn = drawn.map(|said| format!("{IN_INTERVALS} {said}"));
    let more = tables.len().saturating_sub(MOST_TABLES);
    let more = if more > 0 {
        format!("<p class=\"small\">{more} more tables are in the files.</p>")
    } else {
        String::new()
    };
    let shown = tables.iter().take(MOST_TABLES).collect();
    readings::grid_of(shown, comparisons, drawn.as_deref().unwrap_or(IN_INTERVALS)) + &more
}

/// The released tables and their noise.
fn tables(shown: &Shown, token: &str, source: &Source) -> String {
    let answer = shown.document.answer();
    let sizes = answer.tables();
    let all: usize = sizes.iter().map(|size| size.tables).sum();
    let sizes: Vec<String> = sizes.iter().map(|size| of_columns(size.tables, size.columns)).collect();
    let noise = shown.levels.as_deref();
    let level = answer.asked().terms().ways.level;
    let noise = noise.map(|levels| noise_table(levels, level)).unwrap_or_default();
    format!(
        "<section id=\"tables\"><h2>The tables that were released</h2><p>{all} tables: {}. A reading has its columns in one of \
         them.</p>{noise}{}</section>",
        html::text(sizes.join(", ")),
        listed(shown, token, source)
    )
}

/// The released tables, each with a button that reads it.
fn listed(shown: &Shown, token: &str, source: &Source) -> String {
    let workload = shown.document.answer().plan().workload();
    let columns = &shown.document.about().columns;
    let name = |&column: &u16| columns[usize::from(column)].name.as_str();
    let sets: Vec<Vec<&str>> = workload
        .sets()
        .iter()
        .map(|set| set.columns().iter().map(name).collect::<Vec<_>>())
        .filter(|set| !set.is_empty())
        .collect();
    let one = |names: &Vec<&str>| {
        let reading = within(names).to_string();
        format!(
            "<li><form class=\"inline-form\" action=\"/reading\" method=\"post\">{token}{}{}<button aria-label=\"Read {}\">Read</button> {}</form></li>",
            source.fields(),
            html::hidden("read", &reading),
            html::text(&reading),
            html::text(names.join(", ")),
        )
    };
    let more = sets.len().saturating_sub(MOST_SETS);
    let more = if more > 0 {
        format!("<p class=\"small\">{more} more are read by the menus, or in words of the command.</p>")
    } else {
        String::new()
    };
    format!(
        "<details class=\"cells\"><summary>All of them</summary><ul class=\"plain\">{}</ul>{more}</details>",
        sets.iter().take(MOST_SETS).map(one).collect::<String>()
    )
}

/// The last column within each value of the others.
fn within(names: &[&str]) -> Reading {
    let mut terms: Vec<Term> = names.iter().copied().map(Term::each).collect();
    let last = terms.pop();
    Reading::shares(last.into_iter().collect(), terms)
}
