//! The question in words, and its answer as tables.

use posterity::table::{IntervalKind, Measurement, ReadingMethod, Selection, Statistic, Term};
use posterity::{Contrasted, Document, Publication, Reading, ReadingTable};

use super::case::Answered;
use super::page::{Block, Table};
use super::words::intervals;
use crate::intervals::{NO_SHARE, below, plus_minus};
use crate::readings::{WITHOUT_NOISE, compared_in_percent, in_percent, in_words};
use crate::sheet::Column;
use crate::words::capital;

/// The most rows of a table on a page for people who decide.
const MOST_ROWS: usize = 60;

/// The most tables of a document there.
const MOST_TABLES: usize = 12;

/// What most people want to know of a release, before its cells: what was asked for; otherwise, of two columns the
/// second within the first, and each column by itself.
#[must_use]
pub fn answer_first(document: &Document) -> Vec<ReadingTable> {
    let usual = document.usual_readings();
    if !document.readings().iter().map(|table| &table.reading).eq(&usual) {
        return document.readings().to_vec();
    }
    let columns = document.space().map(|space| space.columns().to_vec()).unwrap_or_default();
    let within = match columns.as_slice() {
        [first, second] => {
            let reading = Reading::shares(vec![Term::each(&second.name)], vec![Term::each(&first.name)]);
            document.read(&reading).ok()
        }
        _ => None,
    };
    // The joint cells of several columns are what the document lists anyway.
    let single = document.readings().iter().filter(|table| table.of.len() < 2).cloned();
    within.into_iter().chain(single).collect()
}

/// The tables of a document.
pub(super) fn tables(document: &Publication) -> Vec<ReadingTable> {
    match document {
        Publication::Posterior(document) => answer_first(document),
        Publication::Discovered(document) => document.answer().readings(),
        Publication::Margins(document) => document.answer().readings(),
        _ => Vec::new(),
    }
}

/// The questions that a document answers, as far as a page shows them.
pub(super) fn questions(answered: &Answered<'_>, tables: &[ReadingTable]) -> Vec<String> {
    if let Some(title) = answered.title {
        return vec![title.to_owned()];
    }
    let discovered = match answered.document {
        Publication::Discovered(document) => Some(format!(
            "Which values of {:?} do many have, and how many?",
            document.answer().asked().column()
        )),
        _ => None,
    };
    if let Some(asked) = discovered {
        return vec![asked];
    }
    let read = tables.iter().take(MOST_TABLES).map(|table| question(&table.reading));
    let compared = comparisons(answered.document);
    read.chain(compared.iter().map(compared_question)).collect()
}

fn comparisons(document: &Publication) -> Vec<Contrasted> {
    match document {
        Publication::Posterior(document) => document.comparisons().to_vec(),
        Publication::Margins(document) => document.answer().comparisons(),
        _ => Vec::new(),
    }
}

/// A reading as a question.
fn question(reading: &Reading) -> String {
    let all = |terms: &[Term]| terms.iter().map(term).collect::<Vec<_>>().join(" and ");
    let within = match reading.given() {
        [] => String::new(),
        given => format!(" within {}", all(given)),
    };
    let among = if reading.is_of_all() { " among all" } else { "" };
    match reading.mean_of() {
        Some(column) => format!("What is the mean of {column}{among}{within}?"),
        None if reading.is_count() && within.is_empty() => "How many count?".to_owned(),
        None if reading.is_count() => format!("How many count{within}?"),
        None => format!("What is the share of {}{among}{within}?", all(reading.shares_of())),
    }
}

fn term(term: &Term) -> String {
    match term.selection {
        Selection::Each => format!("each {}", term.column),
        Selection::Set(_) => term.to_string(),
    }
}

fn compared_question(one: &Contrasted) -> String {
    let what = one.measures.first().map(|measured| measured.measure);
    match what {
        Some(Measurement::Difference) => format!("By how many points do shares differ ({})?", one.comparison),
        Some(Measurement::MutualInformation | Measurement::CramersV) => {
            format!("Do two columns depend on each other ({})?", one.comparison)
        }
        _ => format!("What is the ratio of two shares ({})?", one.comparison),
    }
}

/// The answer of a document: its tables, and what their intervals mean.
pub(super) fn answer(answered: &Answered<'_>, tables: &[ReadingTable]) -> Vec<Block> {
    let document = answered.document;
    let shown = &tables[..tables.len().min(MOST_TABLES)];
    let mut blocks = Vec::new();
    let compared = comparisons(document);
    if !compared.is_empty() {
        blocks
            .push(Block::Table("Compared".to_owned(), Table::of(compared_in_percent(&compared), MOST_ROWS)));
    }
    for table in shown {
        blocks.push(Block::Table(caption(table, document), numbers(table)));
    }
    blocks.extend(not_shown(document));
    blocks.extend(left_out(tables, answered.file).map(Block::Say));
    let about = below(shown, &compared);
    let meaning = meanings(shown, &compared, document);
    let sides = shown.iter().any(has_plus_minus);
    let sides = sides.then(|| {
        "± points stands where an interval reaches as far below its share as above it, in percentage points.".to_owned()
    });
    blocks.push(Block::List(meaning.into_iter().chain(about).chain(sides).collect()));
    blocks
}

fn caption(table: &ReadingTable, document: &Publication) -> String {
    match document {
        Publication::Discovered(_) if table.statistic == Statistic::Count && !table.given.is_empty() => {
            format!("How many have each value of {}", table.given.join(", "))
        }
        _ => capital(&in_words(table)),
    }
}

/// A table of shares in percent, and of how far their intervals reach where that is as far to either side; or of other
/// numbers.
fn numbers(table: &ReadingTable) -> Table {
    let mut numbers = Table::of(in_percent(table), MOST_ROWS);
    if has_plus_minus(table) {
        numbers.columns.push(Column::number("± points"));
        for (row, read) in numbers.rows.iter_mut().zip(&table.rows) {
            row.push(plus_minus(read).unwrap_or_else(|| NO_SHARE.to_owned()));
        }
    }
    numbers
}

/// Whether some interval of a table of shares reaches as far to either side.
fn has_plus_minus(table: &ReadingTable) -> bool {
    let mut rows = table.rows.iter().take(MOST_ROWS);
    table.statistic == Statistic::Share && rows.any(|row| plus_minus(row).is_some())
}

/// How many have a value that is not named.
fn not_shown(document: &Publication) -> Option<Block> {
    let Publication::Discovered(found) = document else { return None };
    let said = match found.answer().not_shown() {
        Some(rest) => format!(
            "About {} have another value ({}).",
            posterity::number::count(rest.estimate.max(0.0).round()),
            crate::readings::counts(rest.interval)
        ),
        None => "How many have another value is not known: no total was paid for.".to_owned(),
    };
    let tau = posterity::number::count(found.answer().threshold().tau() as f64);
    Some(Block::Say(format!("A value is named if its count with noise is at least {tau}. {said}")))
}

/// That rows or tables are left out here.
fn left_out(tables: &[ReadingTable], file: &str) -> Option<String> {
    let rows: usize =
        tables.iter().take(MOST_TABLES).map(|table| table.rows.len().saturating_sub(MOST_ROWS)).sum();
    let rest = tables.len().saturating_sub(MOST_TABLES);
    (rows + rest > 0).then(|| format!("Left out here: {rows} rows and {rest} tables. {file} has them all."))
}

/// What the intervals of tables and comparisons of a document mean, each sentence once.
#[must_use]
pub fn meanings(tables: &[ReadingTable], compared: &[Contrasted], document: &Publication) -> Vec<String> {
    let mut said: Vec<String> = Vec::new();
    let compared = compared.iter().map(|one| match (one.method, one.interval) {
        (ReadingMethod::WithoutNoise, _) => format!("Comparisons: {WITHOUT_NOISE}."),
        (method, IntervalKind::Confidence) => format!("Comparisons: {}", method.sentence()),
        _ => "Comparisons: their intervals have the probability of their level, given the release and the prior.".to_owned(),
    });
    for one in tables.iter().map(|table| intervals(table, document)).chain(compared) {
        if !said.contains(&one) {
            said.push(one);
        }
    }
    said
}
