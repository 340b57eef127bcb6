//! Checks of every value by itself.

use super::finding::{Finding, exact, measured, place};
use super::word::{SIGMAS, last_unit};
use crate::table::ResultRow;
use posterity::number::brief;

/// Whether every value is the printed number `is`, up to a unit of its last digit and what sampling explains.
pub(super) fn value(of: &str, rows: &[&ResultRow], is: &str) -> Finding {
    let (number, unit) = (is.parse::<f64>().unwrap_or(f64::NAN), last_unit(is));
    let badness = |row: &ResultRow| (row.value - number).abs() / (unit + SIGMAS * row.error.unwrap_or(0.0));
    each(of, rows, badness, &format!("printed {is}"), |row| match row.error {
        Some(_) => measured(row),
        None => exact(row.value),
    })
}

/// Whether every value is at most `is`.
pub(super) fn at_most(of: &str, rows: &[&ResultRow], is: f64) -> Finding {
    each(of, rows, |row| ratio(row.value, is), &format!("at most {}", brief(is)), measured)
}

/// Whether every value is at least `is`.
pub(super) fn at_least(of: &str, rows: &[&ResultRow], is: f64) -> Finding {
    each(of, rows, |row| ratio(is, row.value), &format!("at least {}", brief(is)), measured)
}

/// Whether some value is at least `is`.
pub(super) fn reaches(of: &str, rows: &[&ResultRow], is: f64) -> Finding {
    let most = rows.iter().copied().max_by(|a, b| a.value.total_cmp(&b.value));
    let Some(row) = most else { return Finding::fails(String::new()) };
    let evidence =
        format!("largest {of} of {} {} {}(to reach {})", row.series, measured(row), place(row), brief(is));
    Finding::one(row.value >= is, evidence)
}

/// Judges every value by its badness, which is above one if the value fails.
fn each(
    of: &str,
    rows: &[&ResultRow],
    badness: impl Fn(&ResultRow) -> f64,
    limit: &str,
    shown: impl Fn(&ResultRow) -> String,
) -> Finding {
    let mut worst: Option<(f64, &ResultRow)> = None;
    let mut holding = 0;
    for &row in rows {
        let bad = badness(row);
        let bad = if bad.is_nan() { f64::INFINITY } else { bad };
        holding += usize::from(bad <= 1.0);
        if worst.is_none_or(|(most, _)| bad > most) {
            worst = Some((bad, row));
        }
    }
    let Some((_, row)) = worst else { return Finding::fails(String::new()) };
    let failed = rows.len() - holding;
    let evidence = format!(
        "{of} of {} {} {}({limit}; the worst of {}{})",
        row.series,
        shown(row),
        place(row),
        rows.len(),
        if failed == 0 { String::new() } else { format!("; {failed} fail") }
    );
    Finding { comparisons: rows.len(), holding, evidence }
}

/// A number above one exactly if `value` exceeds `limit`, for values of any sign.
fn ratio(value: f64, limit: f64) -> f64 {
    1.0 + (value - limit) / value.abs().max(limit.abs()).max(f64::MIN_POSITIVE)
}
