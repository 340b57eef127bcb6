//! Readings and comparisons as tables with bars, with the digits of the command.

use posterity::table::{Measured, Measurement, ReadingMethod, ReadingRow, Statistic};
use posterity::{Contrasted, Document, ReadingTable};
use posterity_present::html::rows;
use posterity_present::readings::{
    WITHOUT_NOISE, bases, comparison as compared, drawn as from_draws, drawn_comparisons, reading as read,
};
use posterity_present::{Bars, Sheet, intervals};

use crate::html;
use crate::sentence::sentence;

/// The most rows of a table on a page. The file has all of them.
const MAX_ROWS: usize = 200;

/// The tables of a document under a heading: those that were asked for, or the usual ones but the joint cells, which
/// are shown as categories.
pub(crate) fn tables(document: &Document) -> String {
    let grid = grid(document, false);
    if grid.is_empty() {
        return grid;
    }
    format!("<section class=\"readings\" id=\"readings\"><h2>Readings</h2>{grid}</section>")
}

/// The tables of a document; with `all`, also those that the categories repeat.
pub(crate) fn grid(document: &Document, all: bool) -> String {
    let readings: Vec<&ReadingTable> =
        if all { document.readings().iter().collect() } else { shown(document) };
    let how = how(&readings, document.comparisons());
    grid_of(readings, document.comparisons(), &how)
}

/// These tables under a heading, as the answer of a release.
pub(crate) fn answer(tables: &[ReadingTable], comparisons: &[Contrasted]) -> String {
    let tables: Vec<&ReadingTable> = tables.iter().collect();
    let how = how(&tables, comparisons);
    answer_of(&grid_of(tables, comparisons, &how))
}

/// Tables under the heading of an answer.
pub(crate) fn answer_of(grid: &str) -> String {
    format!("<section class=\"readings\" id=\"answer\"><h2>The answer</h2>{grid}</section>")
}

/// These tables, with what is said of how they were computed.
pub(crate) fn grid_of(readings: Vec<&ReadingTable>, comparisons: &[Contrasted], how: &str) -> String {
    if readings.is_empty() && comparisons.is_empty() {
        return String::new();
    }
    let compared: String = comparisons.iter().map(comparison).collect();
    let read: String = readings.iter().map(|table| reading(table)).collect();
    format!(
        "<p class=\"small\">They follow from the release alone, so they cost nothing. {}</p><div class=\"reading-grid\">{compared}{read}</div>{}",
        html::text(how),
        below(readings, comparisons)
    )
}

/// What stands below tables: what they are about, and what their marks mean.
pub(crate) fn below<'a>(
    tables: impl IntoIterator<Item = &'a ReadingTable>,
    comparisons: &[Contrasted],
) -> String {
    let said = intervals::below(tables, comparisons);
    if said.is_empty() {
        return String::new();
    }
    let lines: Vec<String> = said.into_iter().map(html::text).collect();
    format!("<p class=\"small below\">{}</p>", lines.join("<br>"))
}

/// The readings that tell more than the categories do.
fn shown(document: &Document) -> Vec<&ReadingTable> {
    let joint = document.about().columns.len().max(1);
    let asked = !document.comparisons().is_empty();
    let repeats = |table: &ReadingTable| {
        table.given.is_empty()
            && table.of.len() == joint
            && table.statistic == Statistic::Share
            && !table.reading.is_of_all()
            && document.cells().is_some_and(|cells| cells.rows.len() == table.rows.len())
    };
    document.readings().iter().filter(|table| asked || !repeats(table)).collect()
}

/// How the numbers were computed.
fn how(readings: &[&ReadingTable], comparisons: &[Contrasted]) -> String {
    let methods = readings.iter().map(|table| table.method).chain(comparisons.iter().map(|one| one.method));
    if methods.into_iter().any(|method| method == ReadingMethod::WithoutNoise) {
        return sentence(WITHOUT_NOISE);
    }
    let drawn = drawn(readings, comparisons);
    bases(readings.iter().copied(), comparisons).into_iter().chain(drawn).collect::<Vec<_>>().join(" ")
}

/// How exact is what comes from draws, if anything does.
pub(crate) fn drawn(readings: &[&ReadingTable], comparisons: &[Contrasted]) -> Option<String> {
    let drawn = readings.iter().filter(|table| table.method == ReadingMethod::Draws);
    let drawn = drawn.filter_map(|table| Some((table.draws?, table.seed?, table.error)));
    let worst = drawn.reduce(|a, b| if a.2 < b.2 { b } else { a });
    let read = worst.map(|(draws, seed, error)| {
        from_draws("Intervals of readings that have no exact method", draws, seed, error)
    });
    let said: Vec<String> = read.into_iter().chain(drawn_comparisons(comparisons)).collect();
    (!said.is_empty()).then(|| said.join(" "))
}

fn reading(table: &ReadingTable) -> String {
    let scale = Bars::of(table.rows.iter().map(|row| row.interval));
    let bar = |row: &ReadingRow| scale.bar(row.number().unwrap_or(f64::NAN), row.interval);
    let bars: Vec<String> = table.rows.iter().take(MAX_ROWS).map(bar).collect();
    let more = table.rows.len().saturating_sub(MAX_ROWS);
    let more = if more > 0 {
        format!("<p class=\"small\">{more} more rows are in the file.</p>")
    } else {
        String::new()
    };
    framed(&table.reading.to_string(), read(table), &bars, &more)
}

fn comparison(one: &Contrasted) -> String {
    let operands = || [&one.first, &one.second].into_iter().flatten();
    let scale = Bars::of(operands().map(|operand| operand.interval));
    let measured = |measured: &Measured| {
        let scale = match neutral(measured.measure) {
            Some(neutral) => Bars::around(neutral, measured.interval),
            None => Bars::of(std::iter::once(measured.interval)),
        };
        scale.bar(measured.shown(), measured.interval)
    };
    let bars = operands().map(|operand| scale.bar(operand.shown(), operand.interval));
    let bars: Vec<String> = bars.chain(one.measures.iter().map(measured)).collect();
    framed(&one.comparison.to_string(), compared(one), &bars, "")
}

fn framed(title: &str, sheet: Sheet<'_>, bars: &[String], after: &str) -> String {
    let (title, rows) = (html::text(title), rows(sheet, MAX_ROWS, bars));
    format!(
        "<div class=\"reading\"><h3><code>{title}</code></h3><div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"{title}\">\
         <table class=\"read\">{rows}</table></div>{after}</div>"
    )
}

/// Where a number says that there is no difference, if it may be on either side of that.
fn neutral(measure: Measurement) -> Option<f64> {
    match measure {
        Measurement::Difference => Some(0.0),
        Measurement::Ratio | Measurement::OddsRatio => Some(1.0),
        Measurement::MutualInformation | Measurement::CramersV => None,
    }
}
