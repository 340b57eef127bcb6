//! The question in words, and its answer as tables.

use posterity::number;
use posterity::table::{IntervalKind, Measurement, ReadingMethod, ReadingRow, Selection, Statistic, Term};
use posterity::{Contrasted, Publication, Reading, ReadingTable};

use super::case::Answered;
use super::page::{Block, Drawn, Table};
use super::words::{intervals, ways};
use crate::intervals::{NO_SHARE, below, plus_minus};
use crate::readings::{WITHOUT_NOISE, cells, compared_in_percent, counts, in_percent, in_words};
use crate::sheet::Column;
use crate::words::capital;

/// The most rows of a table on a page for people who decide.
const MOST_ROWS: usize = 60;

/// The most tables of a document there.
const MOST_TABLES: usize = 12;

/// The questions that a document answers, as far as a page shows them.
pub(super) fn questions(answered: &Answered<'_>, tables: &[ReadingTable]) -> Vec<String> {
    if let Some(title) = answered.title {
        return vec![title.to_owned()];
    }
    if let Some(asked) = answered.document.question_in_words() {
        return vec![asked];
    }
    let read = tables.iter().take(MOST_TABLES).map(|table| question(&table.reading));
    let compared = answered.document.comparisons();
    read.chain(compared.iter().map(compared_question)).collect()
}

/// A reading as a question.
fn question(reading: &Reading) -> String {
    let all = |terms: &[Term]| terms.iter().map(term).collect::<Vec<_>>().join(" and ");
    let within = match reading.given() {
        [] => String::new(),
        given => format!(" within {}", all(given)),
    };
    let among = if reading.is_of_all() { " among all" } else { "" };
    match reading.number_of() {
        Some((what, column)) => format!("What is the {}{among}{within}?", what.in_words(column)),
        None if reading.is_count() && within.is_empty() => "How many count?".to_owned(),
        None if reading.is_count() => format!("How many count{within}?"),
        None => format!("What is the share of {}{among}{within}?", all(reading.shares_of())),
    }
}

fn term(term: &Term) -> String {
    match term.selection {
        Selection::Each => format!("each {}", term.column),
        Selection::Set(_) | Selection::Range(_) => term.to_string(),
    }
}

fn compared_question(one: &Contrasted) -> String {
    let what = one.measures.first().map(|measured| measured.measure);
    match what {
        Some(Measurement::Difference) => format!("By how many points do shares differ ({})?", one.comparison),
        Some(Measurement::NumberDifference) => {
            format!("By how much do two numbers differ ({})?", one.comparison)
        }
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
    let compared = document.comparisons();
    if !compared.is_empty() {
        blocks
            .push(Block::Table("Compared".to_owned(), Table::of(compared_in_percent(&compared), MOST_ROWS)));
    }
    for table in shown {
        blocks.push(Block::Table(caption(table), numbers(table, document)));
    }
    blocks.extend(document.beside().map(Block::Say));
    blocks.extend(left_out(tables, answered.file).map(Block::Say));
    let about = below(shown, &compared);
    let meaning = meanings(shown, &compared, document);
    let sides = shown.iter().any(has_plus_minus);
    let sizes = shown.iter().any(|table| sizes(table, document).is_some());
    let sizes = sizes
        .then(|| "How many are in a group is not exact either: its interval stands behind it.".to_owned());
    let sides = sides.then(|| {
        "± points stands where an interval reaches as far below its share as above it, in percentage points.".to_owned()
    });
    blocks.push(Block::List(meaning.into_iter().chain(about).chain(sides).chain(sizes).collect()));
    blocks
}

fn caption(table: &ReadingTable) -> String {
    if table.statistic == Statistic::Count && !table.given.is_empty() {
        return format!("How many have each value of {}", table.given.join(", "));
    }
    capital(&in_words(table))
}

/// A table of shares in percent, of how far their intervals reach where that is as far to either side, and of how many each
/// group has; or of other numbers. A picture of each interval is drawn beside it.
fn numbers(table: &ReadingTable, document: &Publication) -> Table {
    let mut numbers = Table::of(in_percent(table), MOST_ROWS);
    // Where a value has words for readers, these are enough.
    let names = table.given.iter().chain(cells(table));
    for (place, name) in names.enumerate() {
        for (row, read) in numbers.rows.iter_mut().zip(&table.rows) {
            let value = read.given.get(name).or_else(|| read.cell.get(name));
            if let (Some(cell), Some(label)) =
                (row.get_mut(place), value.and_then(|value| table.words.label(name, value)))
            {
                label.clone_into(cell);
            }
        }
    }
    if table.statistic != Statistic::Quantile {
        let drawn = |row: &ReadingRow| Drawn { middle: row.number(), interval: row.interval };
        numbers.drawn = table.rows.iter().take(MOST_ROWS).map(drawn).collect();
    }
    if has_plus_minus(table) {
        numbers.columns.push(Column::number("± points"));
        for (row, read) in numbers.rows.iter_mut().zip(&table.rows) {
            row.push(plus_minus(read).unwrap_or_else(|| NO_SHARE.to_owned()));
        }
    }
    if let Some(sizes) = sizes(table, document) {
        numbers.columns.push(Column::number("how many"));
        for (row, read) in numbers.rows.iter_mut().zip(&table.rows) {
            let size = sizes.rows.iter().find(|size| size.given == read.given);
            row.push(size.map(how_many).unwrap_or_default());
        }
    }
    numbers
}

/// How many are in each group of a table of shares, which is a part of what is known of them; nothing if it has no groups, or
/// nobody can tell.
fn sizes(table: &ReadingTable, document: &Publication) -> Option<ReadingTable> {
    let given = table.reading.given();
    if table.statistic != Statistic::Share || given.is_empty() {
        return None;
    }
    document.read(&Reading::count(given.to_vec())).ok()
}

/// A number of people, and its interval.
fn how_many(row: &ReadingRow) -> String {
    format!("{} ({})", number::count(row.shown().round().max(0.0)), counts(row.interval))
}

/// Whether some interval of a table of shares reaches as far to either side.
fn has_plus_minus(table: &ReadingTable) -> bool {
    let mut rows = table.rows.iter().take(MOST_ROWS);
    table.statistic == Statistic::Share && rows.any(|row| plus_minus(row).is_some())
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
    for one in meanings_of_tables(tables, document).into_iter().chain(compared) {
        if !said.contains(&one) {
            said.push(one);
        }
    }
    said
}

/// What the intervals of tables mean. Tables whose intervals are computed in the same way share a sentence; what is known
/// of some of them only is said of these by name.
fn meanings_of_tables(tables: &[ReadingTable], document: &Publication) -> Vec<String> {
    let alike = |one: &ReadingTable, other: &ReadingTable| {
        let noise = |table: &ReadingTable| table.method == ReadingMethod::WithoutNoise;
        ways(one) == ways(other) && noise(one) == noise(other)
    };
    let mut groups: Vec<Vec<&ReadingTable>> = Vec::new();
    for table in tables {
        match groups.iter_mut().find(|group| alike(group[0], table)) {
            Some(group) => group.push(table),
            None => groups.push(vec![table]),
        }
    }
    let mut said = Vec::new();
    for group in groups {
        let mut statistics: Vec<Statistic> = Vec::new();
        for table in &group {
            if !statistics.contains(&table.statistic) {
                statistics.push(table.statistic);
            }
        }
        let meaning = intervals(group[0], &statistics, document);
        let is_measured = |table: &&&ReadingTable| {
            table.method == ReadingMethod::Measured && table.interval == IntervalKind::Confidence
        };
        let measured: Vec<&&ReadingTable> = group.iter().filter(is_measured).collect();
        let known = ReadingMethod::Measured.sentence();
        if measured.is_empty() {
            said.push(meaning);
        } else if measured.len() == group.len() {
            said.push(format!("{meaning} {known}"));
        } else {
            let named: Vec<String> = measured.iter().map(|table| caption(table)).collect();
            said.extend([meaning, format!("{}: {known}", named.join("; "))]);
        }
    }
    said
}
