//! The report of a study, for people who have never heard of differential privacy.

use maud::{Markup, PreEscaped, html};
use posterity::document::Promised;
use posterity::ledger::Amount;
use posterity::number::{self, bound, grouped, spent};
use posterity::table::{IntervalKind, ReadingRow, TestResult};
use posterity::{About, Adjacency, Contrasted, Epsilon, Provenance, Publication, ReadingTable, meaning};
use posterity_present::html::{alone, table_rows};
use posterity_present::intervals::{Shown, about, below};
use posterity_present::readings::{compared_in_percent, in_percent, in_words};
use posterity_present::tests::{about_tests, tests};
use posterity_present::{Bars, Sheet};

use crate::answers::{Answer, Answers, Pictures};
use crate::files::{picture_file, reading_files};
use crate::outline::{Outline, OutlinedQuestion};
use crate::requirement::{Verdict, verdicts_sheet};

/// The most rows of a table that the report shows. The file of the table has all of them.
const MOST_ROWS: usize = 200;

/// The report as one page that needs nothing else: no scripts, no network, no other files. The pictures are those of
/// the questions ([`Answer::pictures`]).
#[must_use]
pub fn report(outline: &Outline, answers: &Answers, pictures: &[Pictures], verdicts: &[Verdict]) -> String {
    let questions = outline.all().zip(answers.answers()).zip(pictures);
    let body = html! {
        @if let Some(about) = &outline.description { p.lead { (about) } "\n" }
        @if let Some(common) = Common::of(answers) {
            (asked_for(outline, &common)) "\n"
            (promised(outline, answers, &common)) "\n"
        }
        @if let Some(how) = how_to_read(answers) { p { (how) } "\n" }
        (required(verdicts))
        @for ((asked, answer), pictures) in questions {
            (question(outline, asked, answer, pictures)) "\n"
        }
        h2 { "The details" }
        "\n"
        (details(outline, answers))
    };
    alone(&outline.title, "", &body)
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
fn asked_for(outline: &Outline, common: &Common<'_>) -> Markup {
    let (unit, several) = common.units();
    let many = outline.all().count();
    let asked = if many == 1 { "One question was".to_owned() } else { format!("{many} questions were") };
    html! {
        p {
            (asked) " asked of " (outline.source) ". "
            @match common.n {
                Some(n) => { (grouped(&n.to_string())) " " (several) " were counted." },
                None => { "How many " (several) " were counted is private." },
            }
            @if let Some(filter) = &common.about.filter {
                " All others were left out: only those for which " (filter) " are in it."
            }
            @if let Some(within) = &common.about.within {
                " The answers are about those for which " (within) "; whether this is true of a " (unit)
                " is protected too."
            }
        }
        @if many > 1 {
            ul { @for asked in outline.all() { li { a href={ "#" (asked.name) } { (asked.title) } } "\n" } }
        }
    }
}

/// What is promised, in plain words.
fn promised(outline: &Outline, answers: &Answers, common: &Common<'_>) -> Markup {
    if !answers.private() {
        let line = answers.mark().line();
        return html! { div.card.alarm { @if let Some(line) = line { p { (line) "." } } } };
    }
    let (epsilon, delta) = (outline.epsilon, outline.delta.unwrap_or_default());
    let (adjacency, (unit, _)) = (common.adjacency, common.units());
    let amounts =
        if delta > 0.0 { format!("({}, {})", bound(epsilon), bound(delta)) } else { bound(epsilon) };
    html! {
        div.card {
            h3 { "What was promised to the people in the data" }
            p {
                "The numbers on this page are not exact: noise was added on purpose, so that they say very little about any \
                 one " (unit) ". The promise is " (amounts) "-differential privacy per " (unit) ", for all of this page \
                 together."
            }
            p { (meaning::protects(adjacency, &unit)) }
            p { (meaning::under(adjacency, epsilon, delta, &unit)) }
            @for said in parts(answers).into_iter().chain(meaning::of_delta(delta)) { p { (said) } }
            @for warning in meaning::warnings(adjacency, epsilon, delta, common.n) {
                p.alarm { "Warning: " (warning) "." }
            }
            @if common.provenance.is_none() { p { (meaning::uncounted()) } }
            details {
                summary { "What is not promised" }
                ul { @for one in meaning::not_promised(adjacency, &unit) { li { (one) } } }
            }
        }
    }
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

/// How the intervals are to be read; nothing if there are none.
fn how_to_read(answers: &Answers) -> Option<String> {
    let documents = || answers.answers().iter().map(Answer::document);
    let ways = documents().next().map(Publication::ways)?;
    let shown = documents().find_map(Shown::of_document)?;
    let interval = shown.head().replace(" without noise", "");
    let wide = "Where an interval is wide, the data and the noise do not allow to say more.";
    let kinds = documents().filter_map(Shown::of_document).map(|shown| shown.kind);
    let is_confident = |kind: IntervalKind| kind == IntervalKind::Confidence;
    let (all_confidence, any_confidence) = (kinds.clone().all(is_confident), kinds.clone().any(is_confident));
    Some(if any_confidence && !all_confidence {
        format!(
            "Each number comes with an interval, and the line below its table says of which kind it is. {wide}"
        )
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
    })
}

/// What was required beforehand, and whether it is met.
fn required(verdicts: &[Verdict]) -> Markup {
    html! {
        @if !verdicts.is_empty() {
            h2 { "What was required beforehand" }
            (wide(verdicts_sheet(verdicts), &[]))
            p.soft {
                "Checked on what was released: intervals as they are below, and of each group the least size that its own \
                 interval leaves possible."
            }
            "\n"
        }
    }
}

/// What was compared and read.
fn readings(name: &str, (tables, pictures): (&[ReadingTable], &[String]), compared: &[Contrasted]) -> Markup {
    html! {
        @if !compared.is_empty() {
            h3 { "Compared" }
            (wide(compared_in_percent(compared), &[]))
        }
        @for ((table, file), picture) in tables.iter().zip(reading_files(name, tables)).zip(pictures) {
            (reading(table, &file, picture)) "\n"
        }
    }
}

fn question(outline: &Outline, asked: &OutlinedQuestion, answer: &Answer, pictures: &Pictures) -> Markup {
    html! {
        h2 id=(asked.name) { (asked.title) }
        @if let Some(about) = &asked.description { p { (about) } }
        "\n"
        (readings(answer.name(), (answer.tables(), &pictures.tables), answer.comparisons()))
        (tested(&answer.document().tests()))
        (cells(outline, asked, answer, pictures.cells.as_deref()))
    }
}

/// What tests found, with what is known of it.
fn tested(found: &[TestResult]) -> Markup {
    html! {
        @if !found.is_empty() {
            h3 { "Tested" }
            (wide(tests(found), &[]))
            @for sentence in about_tests(found, false) { p.soft { (sentence) } }
        }
    }
}

/// What the question was given, and its files, with the picture of its cells if it has one.
fn cells(outline: &Outline, asked: &OutlinedQuestion, answer: &Answer, picture: Option<&str>) -> Markup {
    let (budget, whole, name) = (bound(asked.epsilon), bound(outline.epsilon), &asked.name);
    let given = format!("It was given {budget} of the budget of {whole}.");
    let Some(picture) = picture else {
        return html! {
            p.soft {
                (answer.document().holds()) " More can be read from them at no cost: "
                code { "posterity read " (name) ".json" } ". " (given) " File: " code { (name) ".json" } "."
            }
        };
    };
    html! {
        figure {
            (svg(picture))
            figcaption {
                "All cells of this question. " (given) " Files: " code { (name) ".json" } ", " code { (name) ".csv" } ", "
                code { (name) ".svg" } "."
            }
        }
    }
}

/// A picture in the page. A narrow screen shows a part of it, and the reader moves it, because its text would be too
/// small.
fn svg(picture: &str) -> Markup {
    // An XML declaration has no place inside a page.
    let picture = picture.find("<svg").map_or(picture, |start| &picture[start..]);
    html! { div.wide tabindex="0" { (PreEscaped(picture)) } }
}

/// A reading: its picture if several columns vary, and its numbers.
fn reading(table: &ReadingTable, file: &str, picture: &str) -> Markup {
    let grouped = table.given.iter().chain(&table.of).filter(|column| varies(table, column)).count() > 1;
    let numbers = html! {
        (rows(table))
        p.soft {
            @for (index, said) in below([table], &[]).into_iter().enumerate() {
                @if index > 0 { br; }
                (said)
            }
        }
    };
    let more = table.rows.len().saturating_sub(MOST_ROWS);
    html! {
        h3 { (in_words(table)) }
        @if grouped {
            figure { (svg(picture)) }
            details {
                summary { "The same numbers as a table" }
                (numbers)
            }
        } @else {
            (numbers)
        }
        p.soft {
            @if more > 0 { (more) " more rows are in the file. " }
            "Files: " code { (file) } ", " code { (picture_file(file)) }
        }
    }
}

/// Whether a column has more than one value in a table.
fn varies(table: &ReadingTable, column: &str) -> bool {
    let value =
        |row: &ReadingRow| row.given.get(column).or_else(|| row.cell.get(column)).map(ToOwned::to_owned);
    let first = table.rows.first().map(value);
    table.rows.iter().any(|row| Some(value(row)) != first)
}

/// The rows of a table, with a bar for each interval.
fn rows(table: &ReadingTable) -> Markup {
    let scale = Bars::of(table.rows.iter().map(|row| row.interval));
    let shown = table.rows.iter().take(MOST_ROWS);
    let bars: Vec<Markup> =
        shown.map(|row| scale.bar(row.number().unwrap_or(f64::NAN), row.interval)).collect();
    let mut sheet = in_percent(table);
    sheet.rows = Box::new(sheet.rows.take(MOST_ROWS));
    wide(sheet, &bars)
}

/// A table. A narrow screen shows a part of it, and the reader moves it.
fn wide(sheet: Sheet<'_>, bars: &[Markup]) -> Markup {
    html! { div.wide tabindex="0" { table { (table_rows(sheet, usize::MAX, bars)) } } }
}

/// What a specialist wants to know.
fn details(outline: &Outline, answers: &Answers) -> Markup {
    let common = Common::of(answers);
    let provenance = common.as_ref().and_then(|common| common.provenance);
    let rule = common.as_ref().and_then(|common| common.per_unit.as_ref());
    html! {
        dl {
            @if let Some(provenance) = provenance {
                dt { "Drawn" }
                dd { "at " (provenance.drawn) "; the data may have changed since." }
            }
            @if let Some(rule) = rule {
                dt { "Units" }
                // Questions by themselves may each draw a record of a unit.
                dd { (rule) "." @if outline.is_of_same_records() { " The same record counts in all tables." } }
            }
            @for (asked, answer) in outline.all().zip(answers.answers()) {
                dt { (asked.title) }
                dd { (promised_by(asked, answer)) }
                "\n"
            }
        }
        p.soft {
            "Made by posterity " (env!("CARGO_PKG_VERSION")) ". The promises of the questions add up to that of the whole."
        }
    }
}

/// How a question was answered, and what that promises.
fn promised_by(asked: &OutlinedQuestion, answer: &Answer) -> String {
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
    format!("{}{statement} {notes}", drawn.unwrap_or_default())
}
