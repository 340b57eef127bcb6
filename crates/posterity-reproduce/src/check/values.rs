//! Checks of every value by itself.

use super::finding::{Finding, Part, exact, exceptions, measured, named, place};
use super::outcome::{Gap, Outcome, slack};
use super::word::last_unit;
use crate::table::ResultRow;
use posterity::number::brief;

/// Whether every value is the printed number `is`, up to a unit of its last digit.
pub(super) fn value(of: &str, rows: &[&ResultRow], is: &str) -> Finding {
    let (number, unit) = (is.parse::<f64>().unwrap_or(f64::NAN), last_unit(is));
    // The last unit itself counts, although rounding may make it a little longer.
    let over = |row: &ResultRow| (row.value - number).abs() - unit * (1.0 + 1e-9);
    each(of, rows, over, &format!("printed {is}"), |row| match row.error {
        Some(_) => measured(row),
        None => exact(row.value),
    })
}

/// Whether every value is at most `is`.
pub(super) fn at_most(of: &str, rows: &[&ResultRow], is: f64) -> Finding {
    each(of, rows, |row| row.value - is, &format!("at most {}", brief(is)), measured)
}

/// Whether every value is at least `is`.
pub(super) fn at_least(of: &str, rows: &[&ResultRow], is: f64) -> Finding {
    each(of, rows, |row| is - row.value, &format!("at least {}", brief(is)), measured)
}

/// Whether some value is at least `is`.
pub(super) fn reaches(of: &str, rows: &[&ResultRow], is: f64) -> Finding {
    let outcome = |row: &ResultRow| Gap { over: is - row.value, slack: slack(row) }.outcome();
    let best = rows.iter().copied().max_by(|a, b| {
        let by_value = a.value.total_cmp(&b.value);
        outcome(a).cmp(&outcome(b)).then(by_value)
    });
    let Some(row) = best else { return Finding::nothing(String::new()) };
    let evidence = format!(
        "largest {} {} {}(to reach {})",
        named(of, &row.series),
        measured(row),
        place(row),
        brief(is)
    );
    Finding::one(outcome(row), Some(row.value), evidence).with(vec![Part::at(row, outcome(row))])
}

/// Judges every value by what it is over the demand.
fn each(
    of: &str,
    rows: &[&ResultRow],
    over: impl Fn(&ResultRow) -> f64,
    limit: &str,
    shown: impl Fn(&ResultRow) -> String,
) -> Finding {
    let judged: Vec<(Outcome, f64)> = rows
        .iter()
        .map(|row| {
            let gap = Gap { over: over(row), slack: slack(row) };
            (gap.outcome(), gap.over)
        })
        .collect();
    let worst = rows.iter().zip(&judged).min_by(|(_, a), (_, b)| a.0.cmp(&b.0).then(b.1.total_cmp(&a.1)));
    let Some((row, _)) = worst else { return Finding::nothing(String::new()) };
    let outcomes: Vec<Outcome> = judged.iter().map(|(outcome, _)| *outcome).collect();
    let evidence = format!(
        "{} {} {}({limit}; the worst of {}{})",
        named(of, &row.series),
        shown(row),
        place(row),
        rows.len(),
        exceptions(&outcomes)
    );
    let parts = rows.iter().zip(&outcomes).map(|(row, &outcome)| Part::at(row, outcome)).collect();
    Finding::many(&outcomes, Some(row.value), evidence).with(parts)
}
