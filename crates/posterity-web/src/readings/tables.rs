//! Readings and comparisons as tables with bars, with the digits of the command.

use std::iter::once;

use maud::{Markup, html};
use posterity::table::{Measured, Measurement, ReadingMethod, ReadingRow, TestResult};
use posterity::{Contrasted, ReadingTable};
use posterity_present::html::table_rows;
use posterity_present::readings::{
    WITHOUT_NOISE, bases, comparison as compared, drawn as from_draws, drawn_comparisons, reading as read,
};
use posterity_present::tests::{about_tests, tests};
use posterity_present::{Bars, Sheet, intervals};

use crate::html::scroll;
use crate::sentence::sentence;

/// The most rows of a table on a page. The file has all of them.
const MAX_ROWS: usize = 200;

/// The most tables of a page. The file has all of them.
const MOST_TABLES: usize = 12;

/// Said unless the noise is not modelled.
const IN_INTERVALS: &str = "The noise of the release is in every interval.";

/// What was compared and read, with what is said of how it was computed; nothing if there is nothing.
pub(crate) fn grid(tables: &[ReadingTable], comparisons: &[Contrasted]) -> Markup {
    if tables.is_empty() && comparisons.is_empty() {
        return Markup::default();
    }
    let more = tables.len().saturating_sub(MOST_TABLES);
    html! {
        p.small {
            "These numbers follow from the release alone, so reading them costs nothing. " (how(tables, comparisons))
        }
        div.reading-grid {
            @for one in comparisons { (comparison(one)) }
            @for table in tables.iter().take(MOST_TABLES) { (reading(table)) }
        }
        (below(tables.iter().take(MOST_TABLES), comparisons))
        @if more > 0 { p.small { (more) " more tables are in the files." } }
    }
}

/// What tests found, with what is known of it; nothing if there is nothing.
pub(crate) fn tested(found: &[TestResult]) -> Markup {
    html! {
        @if !found.is_empty() {
            h3 { "Tests" }
            (scroll("Tests", &html! { table.numbers { (table_rows(tests(found), MAX_ROWS, &[])) } }))
            @for sentence in about_tests(found, false) { p.small { (sentence) } }
        }
    }
}

/// What stands below tables: what they are about, and what their marks mean.
pub(crate) fn below<'a>(
    tables: impl IntoIterator<Item = &'a ReadingTable>,
    comparisons: &[Contrasted],
) -> Markup {
    let said = intervals::below(tables, comparisons);
    html! {
        @if !said.is_empty() {
            p.small.below {
                @for (index, line) in said.iter().enumerate() {
                    @if index > 0 { br; }
                    (line)
                }
            }
        }
    }
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

fn reading(table: &ReadingTable) -> Markup {
    let scale = Bars::of(table.rows.iter().map(|row| row.interval));
    let bar = |row: &ReadingRow| scale.bar(row.number().unwrap_or(f64::NAN), row.interval);
    let bars: Vec<Markup> = table.rows.iter().take(MAX_ROWS).map(bar).collect();
    let more = table.rows.len().saturating_sub(MAX_ROWS);
    let more = html! { @if more > 0 { p.small { (more) " more rows are in the file." } } };
    framed(&table.reading.to_string(), read(table), &bars, &more)
}

fn comparison(one: &Contrasted) -> Markup {
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
    let bars: Vec<Markup> = bars.chain(one.measures.iter().map(measured)).collect();
    framed(&one.comparison.to_string(), compared(one), &bars, &Markup::default())
}

fn framed(title: &str, sheet: Sheet<'_>, bars: &[Markup], after: &Markup) -> Markup {
    let table = html! { table.read { (table_rows(sheet, MAX_ROWS, bars)) } };
    html! {
        div.reading {
            h3 { code { (title) } }
            (scroll(title, &table))
            (after)
        }
    }
}

/// Where a number says that there is no difference, if it may be on either side of that.
fn neutral(measure: Measurement) -> Option<f64> {
    match measure {
        Measurement::Difference | Measurement::NumberDifference => Some(0.0),
        Measurement::Ratio | Measurement::OddsRatio => Some(1.0),
        Measurement::MutualInformation | Measurement::CramersV => None,
    }
}
