//! Readings and comparisons as tables with bars, with the digits of the command.

use posterity::number::{counted, grouped, interval, narrowest, percent, to_width};
use posterity::{
    Contrasted, Document, Measured, Measurement, Operand, ReadingMethod, ReadingTable, Statistic,
};

use super::bar::Scale;
use crate::html;

/// The most rows of a table on a page. The file has all of them.
const MAX_ROWS: usize = 200;

/// The tables of a document under a heading: those that were asked for, or the usual ones but the joint cells, which
/// are shown as categories.
pub(crate) fn tables(document: &Document) -> String {
    let grid = grid(document, false);
    if grid.is_empty() {
        return grid;
    }
    format!("<section class=\"readings\"><h2>Readings</h2>{grid}</section>")
}

/// The tables of a document; with `all`, also those that the categories repeat.
pub(crate) fn grid(document: &Document, all: bool) -> String {
    let readings: Vec<&ReadingTable> =
        if all { document.readings().iter().collect() } else { shown(document) };
    let comparisons: &[Contrasted] = document.comparisons();
    if readings.is_empty() && comparisons.is_empty() {
        return String::new();
    }
    let compared: String = comparisons.iter().map(comparison).collect();
    let read: String = readings.iter().map(|table| reading(table)).collect();
    format!(
        "<p class=\"small\">They follow from the release alone, so they cost nothing. {}</p><div class=\"reading-grid\">{compared}{read}</div>",
        html::text(how(&readings, comparisons))
    )
}

/// The readings that tell more than the categories do.
fn shown(document: &Document) -> Vec<&ReadingTable> {
    let joint = document.about().columns.len().max(1);
    let asked = !document.comparisons().is_empty();
    let repeats = |table: &ReadingTable| {
        table.given.is_empty()
            && table.of.len() == joint
            && table.statistic == Statistic::Share
            && table.rows.len() == document.categories().names().len()
    };
    document.readings().iter().filter(|table| asked || !repeats(table)).collect()
}

/// How the numbers were computed.
fn how(readings: &[&ReadingTable], comparisons: &[Contrasted]) -> String {
    let methods = readings.iter().map(|table| table.method).chain(comparisons.iter().map(|one| one.method));
    if methods.into_iter().any(|method| method == ReadingMethod::WithoutNoise) {
        return "The noise of this mechanism is not modelled, so the intervals leave it out and are too narrow.".to_owned();
    }
    let drawn = readings.iter().filter(|table| table.method == ReadingMethod::Draws);
    let drawn = drawn.filter_map(|table| Some((table.draws?, table.seed?, table.error)));
    let drawn = drawn.chain(comparisons.iter().map(|one| (one.draws, one.seed, one.error)));
    let worst = drawn.reduce(|a, b| if a.2 < b.2 { b } else { a });
    worst.map_or_else(
        || "Shares are exact, with the privacy noise in them.".to_owned(),
        |(draws, seed, error)| {
            format!(
                "Comparisons, and readings that have no exact method, come from {} draws of seed {seed}, with a standard error of at most {}.",
                grouped(&draws.to_string()),
                if error >= 1e-3 { format!("{error:.4}") } else { format!("{error:.1e}") }
            )
        },
    )
}

fn reading(table: &ReadingTable) -> String {
    let noise = if table.method == ReadingMethod::WithoutNoise { " without noise" } else { "" };
    let what = match table.statistic {
        Statistic::Share => "mean".to_owned(),
        Statistic::Mean => format!("mean of {}", table.of.join(", ")),
    };
    let cells = if table.statistic == Statistic::Mean { &[][..] } else { &table.of };
    let labels: String = table.given.iter().chain(cells).map(|name| heading(name)).collect();
    let scale = Scale::of(table.rows.iter().map(|row| row.interval));
    let width = narrowest(table.rows.iter().map(|row| row.interval));
    let rows = table.rows.iter().take(MAX_ROWS).map(|row| {
        let labels = row
            .given
            .iter()
            .chain(row.cell.iter())
            .map(|(_, value)| format!("<th scope=\"row\">{}</th>", html::text(value)));
        let width = width.unwrap_or(row.interval[1] - row.interval[0]);
        format!(
            "<tr>{}<td>{}</td><td>{}</td><td class=\"bar-cell\">{}</td></tr>",
            labels.collect::<String>(),
            to_width(row.mean, width),
            interval(row.interval, width),
            scale.bar(row.mean, row.interval)
        )
    });
    let rows: String = rows.collect();
    let more = table.rows.len().saturating_sub(MAX_ROWS);
    let more = if more > 0 {
        format!("<p class=\"small\">{more} more rows are in the file.</p>")
    } else {
        String::new()
    };
    framed(
        &table.reading.to_string(),
        &format!(
            "{labels}{}{}<td></td>",
            number_heading(&what),
            number_heading(&format!("{} % interval{noise}", percent(table.level)))
        ),
        &rows,
        &more,
    )
}

fn comparison(one: &Contrasted) -> String {
    let operands = || [&one.first, &one.second].into_iter().flatten();
    let scale = Scale::of(operands().map(|operand| operand.interval));
    let operand = |operand: &Operand| {
        let width = operand.interval[1] - operand.interval[0];
        let name = match (operand.given.is_empty(), operand.cell.is_empty()) {
            (true, _) => operand.cell.to_string(),
            (_, true) => operand.given.to_string(),
            _ => format!("{} | {}", operand.cell, operand.given),
        };
        row(
            &name,
            [&to_width(operand.mean, width), "", &interval(operand.interval, width)],
            &scale.bar(operand.mean, operand.interval),
        )
    };
    let measured = |measured: &Measured| {
        let width = measured.interval[1] - measured.interval[0];
        let scale = match neutral(measured.measure) {
            Some(neutral) => Scale::around(neutral, measured.interval),
            None => Scale::of(std::iter::once(measured.interval)),
        };
        let mean = measured.mean.map(|mean| to_width(mean, width)).unwrap_or_default();
        let numbers = [&*mean, &to_width(measured.median, width), &interval(measured.interval, width)];
        row(measured.measure.with_unit(), numbers, &scale.bar(measured.median, measured.interval))
    };
    let larger = one
        .probability_larger
        .map(|larger| row("P(first is larger)", [&html::text(counted(larger)), "", ""], ""));
    let rows: String =
        operands().map(operand).chain(one.measures.iter().map(measured)).chain(larger).collect();
    let head = format!(
        "<td></td>{}{}{}<td></td>",
        number_heading("mean"),
        number_heading("median"),
        number_heading(&format!("{} % interval", percent(one.level)))
    );
    framed(&one.comparison.to_string(), &head, &rows, "")
}

fn row(name: &str, numbers: [&str; 3], bar: &str) -> String {
    let numbers: String = numbers.iter().map(|number| format!("<td>{number}</td>")).collect();
    format!("<tr><th scope=\"row\">{}</th>{numbers}<td class=\"bar-cell\">{bar}</td></tr>", html::text(name))
}

fn heading(name: &str) -> String {
    format!("<th scope=\"col\">{}</th>", html::text(name))
}

fn number_heading(name: &str) -> String {
    format!("<th scope=\"col\" class=\"number\">{}</th>", html::text(name))
}

fn framed(title: &str, head: &str, rows: &str, after: &str) -> String {
    let title = html::text(title);
    format!(
        "<div class=\"reading\"><h3><code>{title}</code></h3><div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"{title}\">\
         <table class=\"read\"><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table></div>{after}</div>"
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
