//! Readings and comparisons as tables with bars, with the digits of the command.

use std::iter::once;

use posterity::table::{Measured, Measurement, ReadingMethod, ReadingRow};
use posterity::{Contrasted, ReadingTable};
use posterity_present::html::rows;
use posterity_present::readings::{
    WITHOUT_NOISE, bases, comparison as compared, drawn as from_draws, drawn_comparisons, reading as read,
};
use posterity_present::{Bars, Sheet, intervals};

use crate::html;
use crate::sentence::sentence;

/// The most rows of a table on a page. The file has all of them.
const MAX_ROWS: usize = 200;

/// The most tables of a page. The file has all of them.
const MOST_TABLES: usize = 12;

/// Said unless the noise is not modelled.
const IN_INTERVALS: &str = "The noise of the release is in every interval.";

/// What was compared and read, with what is said of how it was computed; nothing if there is nothing.
pub(crate) fn grid(tables: &[ReadingTable], comparisons: &[Contrasted]) -> String {
    if tables.is_empty() && comparisons.is_empty() {
        return String::new();
    }
    let compared: String = comparisons.iter().map(comparison).collect();
    let read: String = tables.iter().take(MOST_TABLES).map(reading).collect();
    let more = tables.len().saturating_sub(MOST_TABLES);
    let more = if more > 0 {
        format!("<p class=\"small\">{more} more tables are in the files.</p>")
    } else {
        String::new()
    };
    format!(
        "<p class=\"small\">These numbers follow from the release alone, so reading them costs nothing. {}</p>\
         <div class=\"reading-grid\">{compared}{read}</div>{}{more}",
        html::text(how(tables, comparisons)),
        below(tables.iter().take(MOST_TABLES), comparisons)
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

/// How the numbers were computed.
fn how(tables: &[ReadingTable], comparisons: &[Contrasted]) -> String {
    let methods = tables.iter().map(|table| table.method).chain(comparisons.iter().map(|one| one.method));
    if methods.into_iter().any(|method| method == ReadingMethod::WithoutNoise) {
        return sentence(WITHOUT_NOISE);
    }
    let said = once(IN_INTERVALS.to_owned()).chain(bases(tables, comparisons));
    let said: Vec<String> = said.chain(drawn(tables, comparisons)).collect();
    said.join(" ")
}

/// How exact is what comes from draws, if anything does.
fn drawn(tables: &[ReadingTable], comparisons: &[Contrasted]) -> Option<String> {
    let drawn = tables.iter().filter(|table| table.method == ReadingMethod::Draws);
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
