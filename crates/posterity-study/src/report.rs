//! The report of a study, for people who have never heard of differential privacy.

use posterity::number::{self, bound, grouped};
use posterity::table::{IntervalKind, ReadingRow};
use posterity::{Adjacency, Contrasted, Document, ReadingTable, meaning};
use posterity_present::html::{self, alone, escaped};
use posterity_present::intervals::{Shown, about, below};
use posterity_present::readings::{compared_in_percent, in_percent, in_words};
use posterity_present::{Bars, Sheet};

use crate::answers::{Answer, Answers, Pictures};
use crate::files::{picture_file, reading_files};
use crate::html::Page;
use crate::outline::{Outline, OutlinedQuestion};
use crate::requirement::{Verdict, verdicts_sheet};

/// The most rows of a table that the report shows. The file of the table has all of them.
const MOST_ROWS: usize = 200;

/// The report as one page that needs nothing else: no scripts, no network, no other files. The pictures are those of
/// the questions ([`Answer::pictures`]).
#[must_use]
pub fn report(outline: &Outline, answers: &Answers, pictures: &[Pictures], verdicts: &[Verdict]) -> String {
    let mut page = Page::default();
    if let Some(about) = &outline.about {
        page.line(format!("<p class=\"lead\">{}</p>", escaped(about)));
    }
    asked_for(&mut page, outline, answers);
    promised(&mut page, outline, answers);
    how_to_read(&mut page, answers);
    required(&mut page, verdicts);
    for ((asked, answer), pictures) in outline.questions.iter().zip(answers.answers()).zip(pictures) {
        question(&mut page, outline, asked, answer, pictures);
    }
    page.line("<h2>The details</h2>");
    details(&mut page, outline, answers);
    alone(&outline.title, "", &page.text())
}

fn first(answers: &Answers) -> Option<&Document> {
    answers.answers().first().map(Answer::document)
}

/// What was asked of what data.
fn asked_for(page: &mut Page, outline: &Outline, answers: &Answers) {
    let Some(document) = first(answers) else { return };
    let (unit, several) = units(document);
    let many = outline.questions.len();
    let asked = if many == 1 { "One question was".to_owned() } else { format!("{many} questions were") };
    let counted = match document.n() {
        Some(n) => format!("{} {several} were counted.", grouped(&n.to_string())),
        None => format!("How many {several} were counted is private."),
    };
    page.say(format!(
        "{asked} asked of {}. {counted}{}{}",
        outline.source,
        document.about().filter.as_ref().map(|filter| format!(" All others were left out: only those for which {filter} are in it.")).unwrap_or_default(),
        document
            .about()
            .within
            .as_ref()
            .map(|within| format!(
                " The answers are about those for which {within}; whether this is true of a {unit} is protected too."
            ))
            .unwrap_or_default(),
    ));
    if many > 1 {
        page.line("<ul>");
        for asked in &outline.questions {
            page.line(format!(
                "<li><a href=\"#{}\">{}</a></li>",
                escaped(&asked.name),
                escaped(&asked.title)
            ));
        }
        page.line("</ul>");
    }
}

/// What is protected: its name, and that of several.
fn units(document: &Document) -> (String, String) {
    match &document.about().unit {
        None => ("record".to_owned(), "records".to_owned()),
        Some(unit) => (unit.clone(), format!("different values of {unit:?}")),
    }
}

/// What is promised, in plain words.
fn promised(page: &mut Page, outline: &Outline, answers: &Answers) {
    let Some(document) = first(answers) else { return };
    if !answers.private() {
        page.line("<div class=\"card alarm\">");
        page.say(match document.seed() {
            Some(seed) => format!(
                "NOT PRIVATE. The noise was drawn from seed {seed}, which anyone can repeat. This is an experiment: do not publish it as \
                 private."
            ),
            None => "NOT PRIVATE. Some of it has no proven guarantee: do not publish it as private.".to_owned(),
        });
        page.line("</div>");
        return;
    }
    let epsilon = outline.epsilon;
    let (unit, _) = units(document);
    page.line("<div class=\"card\">");
    page.line("<h3>What was promised to the people in the data</h3>");
    page.say(format!(
        "The numbers on this page are not exact: noise was added on purpose, so that they say very little about any one {unit}. \
         The promise is {}-differential privacy per {unit}, for all of this page together.",
        bound(epsilon)
    ));
    let adjacency = first(answers).map_or(Adjacency::Replace, |document| document.promise().adjacency());
    page.say(meaning::protects(adjacency, &unit));
    page.say(meaning::under(adjacency, epsilon, 0.0, &unit));
    if let Some(warning) = meaning::warning_under(adjacency, epsilon) {
        page.line(format!("<p class=\"alarm\">Warning: {}.</p>", escaped(&warning)));
    }
    if document.provenance().is_none() {
        page.say(meaning::uncounted());
    }
    page.line("<details><summary>What is not promised</summary><ul>");
    for one in meaning::not_promised(adjacency, &unit) {
        page.line(format!("<li>{}</li>", escaped(&one)));
    }
    page.line("</ul></details>");
    page.line("</div>");
}

fn how_to_read(page: &mut Page, answers: &Answers) {
    let Some(document) = first(answers) else { return };
    let documents = || answers.answers().iter().map(Answer::document);
    let (ways, shown) = (document.request().ways(), Shown::of_cells(document));
    let interval = shown.head().replace(" without noise", "");
    let wide = "Where an interval is wide, the data and the noise do not allow to say more.";
    let all_confidence =
        documents().all(|document| Shown::of_cells(document).kind == IntervalKind::Confidence);
    page.say(if all_confidence {
        format!("Each number comes with a {interval}. {} {} {wide}", ways.promise(), about(ways.about))
    } else if documents().all(|document| document.noise_aware().is_some()) {
        format!(
            "Each number comes with a {interval}. Given the release and the prior, it holds the true share with a probability of {} %. \
             It takes into account both that the data are a sample and that noise was added. {wide}",
            number::percent(shown.level)
        )
    } else {
        format!(
            "Each number comes with a {interval}. For some mechanisms the intervals leave out the noise that was added, and \
             are then too narrow; the details below say where."
        )
    });
}

/// What was required beforehand, and whether it is met.
fn required(page: &mut Page, verdicts: &[Verdict]) {
    if verdicts.is_empty() {
        return;
    }
    page.line("<h2>What was required beforehand</h2>");
    wide(page, verdicts_sheet(verdicts), &[]);
    page.line(
        "<p class=\"soft\">Checked on what was released: intervals as they are below, and of each group the least size that its own \
         interval leaves possible.</p>",
    );
}

fn question(
    page: &mut Page,
    outline: &Outline,
    asked: &OutlinedQuestion,
    answer: &Answer,
    pictures: &Pictures,
) {
    page.line(format!("<h2 id=\"{}\">{}</h2>", escaped(&asked.name), escaped(&asked.title)));
    if let Some(about) = &asked.about {
        page.say(about);
    }
    if !answer.comparisons().is_empty() {
        comparisons(page, answer.comparisons());
    }
    let files = reading_files(answer.name(), answer.tables());
    for ((table, file), picture) in answer.tables().iter().zip(files).zip(&pictures.tables) {
        reading(page, table, &file, picture);
    }
    page.line("<figure>");
    svg(page, &pictures.cells);
    let budget = bound(asked.epsilon);
    let whole = bound(outline.epsilon);
    page.line(format!(
        "<figcaption>All cells of this question. It was given {budget} of the budget of {whole}. Files: <code>{0}.json</code>, \
         <code>{0}.csv</code>, <code>{0}.svg</code>.</figcaption>",
        escaped(&asked.name)
    ));
    page.line("</figure>");
}

/// A picture in the page. A narrow screen shows a part of it, and the reader moves it, because its text would be too
/// small.
fn svg(page: &mut Page, picture: &str) {
    // An XML declaration has no place inside a page.
    let picture = picture.find("<svg").map_or(picture, |start| &picture[start..]);
    page.line(format!("<div class=\"wide\" tabindex=\"0\">{picture}</div>"));
}

/// A reading: its picture if several columns vary, and its numbers.
fn reading(page: &mut Page, table: &ReadingTable, file: &str, picture: &str) {
    page.line(format!("<h3>{}</h3>", escaped(&in_words(table))));
    let grouped = table.given.iter().chain(&table.of).filter(|column| varies(table, column)).count() > 1;
    if grouped {
        page.line("<figure>");
        svg(page, picture);
        page.line("</figure><details><summary>The same numbers as a table</summary>");
    }
    rows(page, table);
    let below = below([table], &[]).into_iter().map(escaped).collect::<Vec<_>>().join("<br>");
    page.line(format!("<p class=\"soft\">{below}</p>"));
    if grouped {
        page.line("</details>");
    }
    let more = table.rows.len().saturating_sub(MOST_ROWS);
    let more = if more > 0 { format!("{more} more rows are in the file. ") } else { String::new() };
    page.line(format!(
        "<p class=\"soft\">{more}Files: <code>{}</code>, <code>{}</code></p>",
        escaped(file),
        escaped(&picture_file(file))
    ));
}

/// Whether a column has more than one value in a table.
fn varies(table: &ReadingTable, column: &str) -> bool {
    let value =
        |row: &ReadingRow| row.given.get(column).or_else(|| row.cell.get(column)).map(ToOwned::to_owned);
    let first = table.rows.first().map(value);
    table.rows.iter().any(|row| Some(value(row)) != first)
}

/// The rows of a table, with a bar for each interval.
fn rows(page: &mut Page, table: &ReadingTable) {
    let scale = Bars::of(table.rows.iter().map(|row| row.interval));
    let shown = table.rows.iter().take(MOST_ROWS);
    let bars: Vec<String> = shown.map(|row| scale.bar(row.shown(), row.interval)).collect();
    let mut sheet = in_percent(table);
    sheet.rows = Box::new(sheet.rows.take(MOST_ROWS));
    wide(page, sheet, &bars);
}

/// A table. A narrow screen shows a part of it, and the reader moves it.
fn wide(page: &mut Page, sheet: Sheet<'_>, bars: &[String]) {
    let rows = html::rows(sheet, usize::MAX, bars);
    page.line(format!("<div class=\"wide\" tabindex=\"0\"><table>{rows}</table></div>"));
}

fn comparisons(page: &mut Page, all: &[Contrasted]) {
    page.line("<h3>Compared</h3>");
    wide(page, compared_in_percent(all), &[]);
}

/// What a specialist wants to know.
fn details(page: &mut Page, outline: &Outline, answers: &Answers) {
    page.line("<dl>");
    let mut entry = |term: &str, text: &str| {
        page.line(format!("<dt>{}</dt><dd>{}</dd>", escaped(term), escaped(text)));
    };
    if let Some(provenance) = first(answers).and_then(Document::provenance) {
        entry("Drawn", &format!("at {}; the data may have changed since.", provenance.drawn));
    }
    if let Some(rule) = first(answers).and_then(Document::per_unit) {
        entry("Units", &format!("{rule}."));
    }
    for (asked, answer) in outline.questions.iter().zip(answers.answers()) {
        let document = answer.document();
        let notes = document.notes().join(" ");
        let text = format!(
            "{} with epsilon {}, {} cells, decoder {}. {} {notes}",
            document.mechanism(),
            bound(asked.epsilon),
            document.categories().names().len(),
            document.decoder(),
            document.guarantee().statement
        );
        entry(&asked.title, &text);
    }
    page.line("</dl>");
    page.line(format!(
        "<p class=\"soft\">Made by posterity {}. The promises of the questions add up to that of the whole.</p>",
        env!("CARGO_PKG_VERSION")
    ));
}
