//! A release as a reader sees it.

use posterity::Document;
use posterity::number::bound;
use posterity_present::cells::categories;
use posterity_present::describe::subject;
use posterity_present::html::rows;
use posterity_present::{Mark, precision};

use super::shown::{Answer, Shown, inline, labelled};
use crate::html;
use crate::plan::warnings_of;
use crate::readings::{self, Offered, ReadingForm, Source};
use crate::site::Site;
use crate::units::how_many;

/// A release: tables, picture, promise, downloads, and a form for other readings with what was typed into it.
pub(crate) fn document_body(
    site: &Site,
    shown: &Shown,
    source: &Source,
    typed: &ReadingForm,
    wrong: Option<&str>,
) -> String {
    let document = &shown.document;
    let space = document.space().ok();
    let ask = typed.shown(&site.token_field(), source, space.as_ref(), &Offered::OF_POSTERIOR, wrong);
    let about = html::text(subject(document.about()));
    let private = if document.is_private() { "Private release" } else { "Not a private release" };
    let precision = format!("<p>{}</p>", html::text(precision(document)));
    let unit = document.per_unit().map(|rule| format!("<p>Units: {}.</p>", html::text(rule)));
    let meaning = &document.guarantee().meaning;
    let meaning = if meaning.is_empty() { String::new() } else { format!("<p>{}</p>", html::text(meaning)) };
    // Of several columns the answer comes first, and the cells are folded.
    let tables = match &shown.answer {
        Some(_) => String::new(),
        None => readings::tables(document),
    };
    let notes: String =
        document.notes().iter().map(|note| format!("<li>{}</li>", html::text(note))).collect();
    let notes = if notes.is_empty() { notes } else { format!("<ul>{notes}</ul>") };
    let readings = if tables.is_empty() && shown.answer.is_none() {
        None
    } else {
        Some(("readings.csv", "Readings (CSV)"))
    };
    let files = [("release.json", "JSON"), ("release.csv", "CSV")].into_iter().chain(readings);
    let files: Vec<_> = files.chain([("release.svg", "Picture (SVG)")]).collect();
    let downloads = downloads(&source.address(), &files);
    let result = result(shown, &downloads);
    format!(
        "<div class=\"intro\"><p class=\"kicker\">{private}</p><h1>{about}</h1><p class=\"lead\">ε = {}, {}. {}</p>{}{}</div>\
         {result}{tables}{ask}\
         <section class=\"card\"><h2>What is promised</h2><p>{}</p>{meaning}{}{}</section>\
         <section><h2>How to read it</h2>{notes}</section>",
        html::text(bound(document.epsilon())),
        how_many(document.n(), document.per_unit().is_some()),
        html::text(&document.guarantee().protects),
        shown.note.html(),
        warnings_of(Mark::of(document), document.promise(), document.n()),
        html::text(&document.guarantee().statement),
        unit.unwrap_or_default(),
        precision,
    )
}

/// Links to files of a release with their names, to its sheet, and a button that prints the page.
pub(crate) fn downloads(address: &str, files: &[(&str, &str)]) -> String {
    let link = |(file, name): &(&str, &str)| {
        format!("<a class=\"button\" href=\"{address}/{file}\" download>{name}</a> ")
    };
    format!(
        "<p class=\"downloads\" id=\"downloads\">{}\
         <a class=\"button\" id=\"sheet\" href=\"{address}/sheet.html\">Sheet for the committee</a> \
         <a class=\"button\" href=\"{address}/sheet.md\" download>Sheet (Markdown)</a> \
         <button type=\"button\" id=\"print\" hidden>Print or save as PDF</button></p>",
        files.iter().map(link).collect::<String>()
    )
}

/// The answer of a release of several columns with its cells folded below it, or the cells of one column.
fn result(shown: &Shown, downloads: &str) -> String {
    let document = &shown.document;
    let cells = |downloads: &str| {
        format!(
            "<div class=\"result\"><div>{}{downloads}</div><figure class=\"picture\" tabindex=\"0\">{}</figure></div>",
            table(document),
            inline(&shown.svg)
        )
    };
    let Some(Answer { tables, forest }) = &shown.answer else { return cells(downloads) };
    let forest = forest.as_ref().map(|svg| labelled(svg, "The intervals of the first table, on one scale"));
    let forest = forest.map(|svg| format!("<figure class=\"picture\" tabindex=\"0\">{svg}</figure>"));
    format!(
        "{}{}{downloads}\
         <details class=\"cells\"><summary>All {} cells, with their parameters and densities</summary>{}</details>",
        readings::answer(tables, document.comparisons()),
        forest.unwrap_or_default(),
        document.categories().names().len(),
        cells("")
    )
}

/// The mean, the interval and the parameter of each category, with the digits of the command.
fn table(document: &Document) -> String {
    format!(
        "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"Categories\"><table class=\"numbers\">{}</table></div>{}",
        rows(categories(document), usize::MAX, &[]),
        readings::below(document.cells(), &[])
    )
}
