//! The table of mechanisms that `compare` and `advise` print.

use posterity::number::percent;
use posterity_advice::{Ranking, Row};
use posterity_core::accuracy::Metric;

use crate::notice::note;
use crate::output::{Column, Page, Paragraph, Sheet, Value};

/// Says what is different from what was asked for.
pub(super) fn write_notes(rows: &[Row]) {
    for text in rows.iter().filter_map(|row| row.note.as_ref()) {
        note(text);
    }
}

/// Whether a mechanism keeps to the epsilon that it was given: yes, or what it promises in its place.
fn promise(row: &Row, epsilon: f64) -> Value<'static> {
    match row.unlike(epsilon) {
        Some(more) if row.private => Value::text(format!("at {more}")),
        _ => Value::Truth(row.private),
    }
}

/// Adds the table of the rows to a page.
pub(super) fn add(page: &mut Page<'_>, rows: &[Row], epsilon: f64, metric: Metric, ranking: Ranking) {
    // A column in which all cells are the same says no more than a word.
    let method = rows.first().map(|row| row.method);
    let method = method.filter(|method| rows.iter().all(|row| row.method == *method));
    let how = method.map(|method| format!(", {method}")).unwrap_or_default();
    let first = match ranking {
        Ranking::Width => "the narrowest interval first",
        Ranking::Distance => "the nearest first",
    };
    page.say(format!("Distance of the released from the true posterior ({metric}{how}), {first}:"));
    let mut columns = vec![Column::text("mechanism"), Column::text("private")];
    // A simulated mean is printed with its standard error.
    let simulated = rows.iter().any(|row| row.standard_error.is_some());
    let bounded = rows.iter().any(|row| row.at_least.is_some());
    if bounded {
        columns.push(Column::number("at least"));
    }
    columns.push(Column::number(if bounded { "mean at most" } else { "mean" }));
    if simulated {
        columns.push(Column::number("error"));
    }
    columns.extend(["q1", "median", "q3"].map(Column::number));
    let wide = rows.iter().any(|row| row.width.is_some());
    if wide {
        columns.push(Column::number("width"));
    }
    columns.push(Column::number("P(exact)"));
    if method.is_none() {
        columns.push(Column::text("how"));
    }
    let limited = rows.iter().any(|row| row.ratio_to_limit.is_some());
    if limited {
        columns.extend(["over the prior", "times the limit"].map(Column::number));
    }
    let rows: Vec<Vec<Value<'static>>> = rows
        .iter()
        .map(|row| {
            let mut values = vec![Value::text(row.label()), promise(row, epsilon)];
            if bounded {
                values.push(Value::optional(row.at_least));
            }
            values.push(Value::Real(row.expected_distance));
            if simulated {
                values.push(Value::optional(row.standard_error));
            }
            values.extend([row.q1, row.median, row.q3].map(Value::Real));
            if wide {
                values.push(Value::optional(row.width));
            }
            values.push(Value::Real(row.probability_exact));
            if method.is_none() {
                values.push(Value::text(row.method.to_string()));
            }
            if limited {
                values.push(Value::optional(row.prior_mean));
                values.push(
                    row.ratio_to_limit.map_or(Value::Missing, |ratio| Value::text(format!("{ratio:.3}"))),
                );
            }
            values
        })
        .collect();
    page.sheet(Sheet::new(columns, rows));
}

/// Explains the columns.
pub(super) fn explain(page: &mut Page<'_>, metric: Metric) {
    let measured = match metric {
        Metric::Hellinger => "the Hellinger distance (0 is equal, 1 is disjoint)",
        Metric::L1 => "the sum of the absolute differences of the parameters",
        Metric::Kl => "the Kullback-Leibler divergence of the released posterior from the true one",
        Metric::Tv => {
            "the total variation distance (0 is equal, 1 is disjoint). For three or more categories it has no closed form: the numbers \
             are those of the upper bound H sqrt(2 - H^2) of the Hellinger distance H, and \"at least\" is the mean of the lower bound H^2"
        }
    };
    page.explain(Paragraph::led("Distance:", format!("{measured}. q1 and q3 are quartiles.")));
    page.explain(Paragraph::led(
        "Private:",
        "yes if the mechanism promises the epsilon that it was given. One that promises more than that is shown with what it promises, \
         and one that promises nothing as a benchmark only.",
    ));
    page.explain(Paragraph::led("P(exact):", "the probability that the true posterior is released."));
    page.explain(Paragraph::led(
        "Method:",
        "exact is computed from all outcomes; simulated comes from seeded releases, and is an estimate.",
    ));
    page.explain(Paragraph::led(
        "+ best:",
        "a decoder that turns noisy counts into a posterior. It uses no data and costs no privacy.",
    ));
}

/// Explains the width of intervals.
pub(super) fn explain_width(page: &mut Page<'_>, level: f64) {
    page.explain(Paragraph::led(
        "Width:",
        format!(
            "the expected width of the {} % interval of a share, of the category whose interval is widest: 0.1 is 10 percentage \
             points, and 1 says nothing. It is empty where no interval has the noise in it, or where it would take too long.",
            percent(level)
        ),
    ));
}
