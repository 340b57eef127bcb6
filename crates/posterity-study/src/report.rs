//! The report of a study, for people who have never heard of differential privacy.

use posterity::document::Promised;
use posterity::ledger::Amount;
use posterity::number::{self, bound, grouped, spent};
use posterity::table::{IntervalKind, ReadingRow};
use posterity::{About, Adjacency, Contrasted, Epsilon, Provenance, Publication, ReadingTable, meaning};
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
    if let Some(about) = &outline.description {
        page.line(format!("<p class=\"lead\">{}</p>", escaped(about)));
    }
    asked_for(&mut page, outline, answers);
    promised(&mut page, outline, answers);
    how_to_read(&mut page, answers);
    required(&mut page, verdicts);
    for ((asked, answer), pictures) in outline.all().zip(answers.answers()).zip(pictures) {
        question(&mut page, outline, asked, answer, pictures);
    }
    page.line("<h2>The details</h2>");
    details(&mut page, outline, answers);
    alone(&outline.title, "", &page.text())
}

/// What all documents of a study say alike.
struct Common<'a> {
    about: &'a About,
    n: Option<u64>,
    adjacency: Adjacency,
    provenance: Option<&'a Provenance>,
    per_unit: Option<String>,
}

impl<'a> Common<'a> {
    fn of(answers: &'a Answers) -> Option<Self> {
        let document = answers.answers().first()?.document();
        Some(Self {
            about: document.about(),
            n: document.n(),
            adjacency: document.promise().adjacency(),
            provenance: document.provenance(),
            per_unit: document.per_unit(),
        })
    }

    /// What is protected: its name, and that of several.
    fn units(&self) -> (String, String) {
        match &self.about.unit {
            None => ("record".to_owned(), "records".to_owned()),
            Some(unit) => (unit.clone(), format!("different values of {unit:?}")),
        }
    }
}

/// What was asked of what data.
fn asked_for(page: &mut Page, outline: &Outline, answers: &Answers) {
    let Some(common) = Common::of(answers) else { return };
    let (unit, several) = common.units();
    let many = outline.all().count();
    let asked = if many == 1 { "One question was".to_owned() } else { format!("{many} questions were") };
    let counted = match common.n {
        Some(n) => format!("{} {several} were counted.", grouped(&n.to_string())),
        None => format!("How many {several} were counted is private."),
    };
    page.say(format!(
        "{asked} asked of {}. {counted}{}{}",
        outline.source,
        common.about.filter.as_ref().map(|filter| format!(" All others were left out: only those for which {filter} are in it.")).unwrap_or_default(),
        common
            .about
            .within
            .as_ref()
            .map(|within| format!(
                " The answers are about those for which {within}; whether this is true of a {unit} is protected too."
            ))
            .unwrap_or_default(),
    ));
    if many > 1 {
        page.line("<ul>");
        for asked in outline.all() {
            page.line(format!(
                "<li><a href=\"#{}\">{}</a></li>",
                escaped(&asked.name),
                escaped(&asked.title)
            ));
        }
        page.line("</ul>");
    }
}

/// What is promised, in plain words.
fn promised(page: &mut Page, outline: &Outline, answers: &Answers) {
    let Some(common) = Common::of(answers) else { return };
    if !answers.private() {
        page.line("<div class=\"card alarm\">");
        if let Some(line) = answers.mark().line() {
            page.say(format!("{line}."));
        }
        page.line("</div>");
        return;
    }
    let (epsilon, delta) = (outline.epsilon, outline.delta.unwrap_or_default());
    let (unit, _) = common.units();
    page.line("<div class=\"card\">");
    page.line("<h3>What was promised to the people in the data</h3>");
    page.say(format!(
        "The numbers on this page are not exact: noise was added on purpose, so that they say very little about any one {unit}. \
         The promise is {}-differential privacy per {unit}, for all of this page together.",
        if delta > 0.0 { format!("({}, {})", bound(epsilon), bound(delta)) } else { bound(epsilon) }
    ));
    let adjacency = common.adjacency;
    page.say(meaning::protects(adjacency, &unit));
    page.say(meaning::under(adjacency, epsilon, delta, &unit));
    if let Some(parts) = parts(answers) {
        page.say(parts);
    }
    if let Some(sentence) = meaning::of_delta(delta) {
        page.say(sentence);
    }
    for warning in meaning::warnings(adjacency, epsilon, delta, common.n) {
        page.line(format!("<p class=\"alarm\">Warning: {}.</p>", escaped(&warning)));
    }
    if common.provenance.is_none() {
        page.say(meaning::uncounted());
    }
    page.line("<details><summary>What is not promised</summary><ul>");
    for one in meaning::not_promised(adjacency, &unit) {
        page.line(format!("<li>{}</li>", escaped(&one)));
    }
    page.line("</ul></details>");
    page.line("</div>");
}

/// Of what a promise with a delta is the sum.
fn parts(answers: &Answers) -> Option<String> {
    let promises = || answers.answers().iter().map(|answer| answer.document().promise());
    let rho: Amount = promises().filter_map(Promised::rho).cloned().sum();
    if rho.is_zero() {
        return None;
    }
    let exact = |epsilon: &Epsilon| Amount::from_rational(epsilon.rational().clone()).unwrap_or_default();
    let pure = promises().filter(|promise| promise.rho().is_none()).filter_map(Promised::epsilon);
    let pure: Amount = pure.map(exact).sum();
    let beside = if pure.is_zero() {
        String::new()
    } else {
        format!("The questions are {}-differentially private together, without any delta. ", spent(&pure))
    };
    Some(format!(
        "{beside}The tables of many columns have noise that is zero-concentrated differentially private with rho = {}.",
        spent(&rho)
    ))
}

fn how_to_read(page: &mut Page, answers: &Answers) {
    let documents = || answers.answers().iter().map(Answer::document);
    let Some(ways) = documents().next().map(Publication::ways) else { return };
    let Some(shown) = documents().find_map(Shown::of_document) else { return };
    let interval = shown.head().replace(" without noise", "");
    let wide = "Where an interval is wide, the data and the noise do not allow to say more.";
    let kinds = documents().filter_map(Shown::of_document).map(|shown| shown.kind);
    let is_confident = |kind: IntervalKind| kind == IntervalKind::Confidence;
    let (all_confidence, any_confidence) = (kinds.clone().all(is_confident), kinds.clone().any(is_confident));
    page.say(if any_confidence && !all_confidence {
        format!("Each number comes with an interval, and the line below its table says of which kind it is. {wide}")
    } else if all_confidence {
        format!("Each number comes with a {interval}. {} {} {wide}", ways.promise(), about(ways.about))
    } else if documents().all(|document| document.posterior().is_none_or(|one| one.noise_aware().is_some())) {
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

fn heading(page: &mut Page, asked: &OutlinedQuestion) {
    page.line(format!("<h2 id=\"{}\">{}</h2>", escaped(&asked.name), escaped(&asked.title)));
    if let Some(about) = &asked.description {
        page.say(about);
    }
}

/// What was compared and read.
fn readings(
    page: &mut Page,
    name: &str,
    (tables, pictures): (&[ReadingTable], &[String]),
    compared: &[Contrasted],
) {
    if !compared.is_empty() {
        comparisons(page, compared);
    }
    for ((table, file), picture) in tables.iter().zip(reading_files(name, tables)).zip(pictures) {
        reading(page, table, &file, picture);
    }
}

fn question(
    page: &mut Page,
    outline: &Outline,
    asked: &OutlinedQuestion,
    answer: &Answer,
    pictures: &Pictures,
) {
    heading(page, asked);
    readings(page, answer.name(), (answer.tables(), &pictures.tables), answer.comparisons());
    let (budget, whole, name) = (bound(asked.epsilon), bound(outline.epsilon), escaped(&asked.name));
    let given = format!("It was given {budget} of the budget of {whole}.");
    let Some(cells) = &pictures.cells else {
        page.line(format!(
            "<p class=\"soft\">{} More can be read from them at no cost: <code>posterity read {name}.json</code>. {given} File: \
             <code>{name}.json</code>.</p>",
            escaped(&answer.document().holds())
        ));
        return;
    };
    page.line("<figure>");
    svg(page, cells);
    page.line(format!(
        "<figcaption>All cells of this question. {given} Files: <code>{name}.json</code>, <code>{name}.csv</code>, \
         <code>{name}.svg</code>.</figcaption>"
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
    let below = below([table], &[]).iter().map(|one| escaped(one)).collect::<Vec<_>>().join("<br>");
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
    let bars: Vec<String> =
        shown.map(|row| scale.bar(row.number().unwrap_or(f64::NAN), row.interval)).collect();
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
    let common = Common::of(answers);
    if let Some(provenance) = common.as_ref().and_then(|common| common.provenance) {
        entry("Drawn", &format!("at {}; the data may have changed since.", provenance.drawn));
    }
    if let Some(rule) = common.as_ref().and_then(|common| common.per_unit.as_ref()) {
        // Questions by themselves may each draw a record of a unit.
        let all = if outline.margins.is_empty() { "" } else { " The same record counts in all tables." };
        entry("Units", &format!("{rule}.{all}"));
    }
    for (asked, answer) in outline.all().zip(answers.answers()) {
        let document = answer.document();
        let drawn = document.posterior().map(|posterior| {
            format!(
                "{} with epsilon {}, {} cells, decoder {}. ",
                posterior.mechanism(),
                bound(asked.epsilon),
                posterior.categories().names().len(),
                posterior.decoder()
            )
        });
        let (statement, notes) = (&document.guarantee().statement, document.notes().join(" "));
        entry(&asked.title, &format!("{}{statement} {notes}", drawn.unwrap_or_default()));
    }
    page.line("</dl>");
    page.line(format!(
        "<p class=\"soft\">Made by posterity {}. The promises of the questions add up to that of the whole.</p>",
        env!("CARGO_PKG_VERSION")
    ));
}
