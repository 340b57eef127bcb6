//! Checks of every value by itself.

use super::finding::{Finding, exact, measured, place};
use crate::table::ResultRow;
use posterity::number::brief;

/// Whether every value is `is`, up to `tolerance`.
pub(super) fn value(of: &str, rows: &[&ResultRow], is: f64, tolerance: f64) -> Finding {
    let limit = format!("is {} ± {}", exact(is), brief(tolerance));
    each(of, rows, |value| (value - is).abs() / tolerance, &limit, |row| exact(row.value))
}

/// Whether every value is at most `is`.
pub(super) fn at_most(of: &str, rows: &[&ResultRow], is: f64) -> Finding {
    each(of, rows, |value| ratio(value, is), &format!("at most {}", brief(is)), measured)
}

/// Whether every value is at least `is`.
pub(super) fn at_least(of: &str, rows: &[&ResultRow], is: f64) -> Finding {
    each(of, rows, |value| ratio(is, value), &format!("at least {}", brief(is)), measured)
}

/// Whether some value is at least `is`.
pub(super) fn reaches(of: &str, rows: &[&ResultRow], is: f64) -> Finding {
    let most = rows.iter().copied().max_by(|a, b| a.value.total_cmp(&b.value));
    let Some(row) = most else { return Finding::fails(String::new()) };
    let evidence =
        format!("largest {of} of {} {} {}(to reach {})", row.series, measured(row), place(row), brief(is));
    Finding { holds: row.value >= is, evidence }
}

/// Judges every value by its badness, which is above one if the value fails.
fn each(
    of: &str,
    rows: &[&ResultRow],
    badness: impl Fn(f64) -> f64,
    limit: &str,
    shown: impl Fn(&ResultRow) -> String,
) -> Finding {
    let mut worst: Option<(f64, &ResultRow)> = None;
    for &row in rows {
        // With tolerance zero the badness of an equal value is 0/0. The check fails then.
        let bad = badness(row.value);
        let bad = if bad.is_nan() { f64::INFINITY } else { bad };
        if worst.is_none_or(|(most, _)| bad > most) {
            worst = Some((bad, row));
        }
    }
    let Some((bad, row)) = worst else { return Finding::fails(String::new()) };
    let evidence =
        format!("{of} of {} {} {}({limit}; the worst of {})", row.series, shown(row), place(row), rows.len());
    Finding { holds: bad <= 1.0, evidence }
}

/// A number above one exactly if `value` exceeds `limit`, for values of any sign.
fn ratio(value: f64, limit: f64) -> f64 {
    1.0 + (value - limit) / value.abs().max(limit.abs()).max(f64::MIN_POSITIVE)
}
