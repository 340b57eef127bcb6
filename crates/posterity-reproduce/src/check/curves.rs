//! Checks of the shape of curves. A curve is the rows of one series in one panel.

use super::finding::{Finding, place};
use crate::table::{ResultRow, ResultTable};
use posterity::number::brief;

/// Whether the largest value of each curve is at the x that its quantity `at_of` says.
pub(super) fn maximum_at(of: &str, table: &ResultTable, rows: &[&ResultRow], at_of: &str) -> Finding {
    let mut worst = Finding { holds: true, evidence: String::new() };
    for curve in curves(rows) {
        let Some(most) = curve.iter().copied().max_by(|a, b| a.value.total_cmp(&b.value)) else {
            continue;
        };
        let wanted = table
            .rows()
            .iter()
            .find(|row| row.quantity == at_of && row.panel == most.panel && row.series == most.series);
        let there = wanted.and_then(|wanted| curve.iter().find(|row| row.x == Some(wanted.value)));
        // Several x may share the maximum.
        let holds = there.is_some_and(|row| row.value >= most.value * (1.0 - 1e-12));
        let evidence = format!(
            "{}: the largest {of} is {} at {}, and {} at the {at_of} {}",
            most.panel,
            brief(most.value),
            most.x.map(brief).unwrap_or_default(),
            there.map(|row| brief(row.value)).unwrap_or_default(),
            wanted.map(|row| brief(row.value)).unwrap_or_default(),
        );
        if worst.evidence.is_empty() || (worst.holds && !holds) {
            worst = Finding { holds, evidence };
        }
    }
    worst
}

/// Whether values fall with x.
pub(super) fn falling(of: &str, rows: &[&ResultRow]) -> Finding {
    monotone(of, rows, -1.0, "falls")
}

/// Whether values rise with x.
pub(super) fn rising(of: &str, rows: &[&ResultRow]) -> Finding {
    monotone(of, rows, 1.0, "rises")
}

/// Whether the values of each curve differ by at most `tolerance` times the largest.
pub(super) fn constant(of: &str, rows: &[&ResultRow], tolerance: f64) -> Finding {
    let mut worst: Option<(f64, String)> = None;
    for curve in curves(rows) {
        let least = curve.iter().copied().min_by(|a, b| a.value.total_cmp(&b.value));
        let most = curve.iter().copied().max_by(|a, b| a.value.total_cmp(&b.value));
        let (Some(least), Some(most)) = (least, most) else { continue };
        let spread = (most.value - least.value) / most.value.abs();
        let text = format!(
            "the {of} of {} lies between {} {}and {} {}",
            most.series,
            brief(least.value),
            place(least),
            brief(most.value),
            place(most).trim_end()
        );
        if worst.as_ref().is_none_or(|(widest, _)| spread > *widest) {
            worst = Some((spread, text));
        }
    }
    let (spread, evidence) = worst.unwrap_or((f64::INFINITY, String::new()));
    Finding { holds: spread <= tolerance, evidence: evidence.trim_end().to_owned() }
}

fn monotone(of: &str, rows: &[&ResultRow], sign: f64, word: &str) -> Finding {
    let mut holds = true;
    let mut evidence = String::new();
    for mut curve in curves(rows) {
        curve.sort_by(|a, b| a.x.unwrap_or(0.0).total_cmp(&b.x.unwrap_or(0.0)));
        // A step in the wrong direction that rounding explains does not count.
        let reversal = curve
            .windows(2)
            .find(|pair| sign * (pair[1].value - pair[0].value) < -1e-9 * pair[0].value.abs());
        let (Some(first), Some(last)) = (curve.first(), curve.last()) else { continue };
        if let Some(pair) = reversal {
            holds = false;
            evidence = format!(
                "the {of} of {} does not: {} {}and {} {}",
                first.series,
                brief(pair[0].value),
                place(pair[0]),
                brief(pair[1].value),
                place(pair[1]).trim_end()
            );
        } else if evidence.is_empty() {
            evidence = format!(
                "the {of} of {} {word} from {} {}to {} {}",
                first.series,
                brief(first.value),
                place(first),
                brief(last.value),
                place(last).trim_end()
            );
        }
    }
    Finding { holds, evidence: evidence.trim_end().to_owned() }
}

/// The rows by panel and series.
fn curves<'t>(rows: &[&'t ResultRow]) -> Vec<Vec<&'t ResultRow>> {
    let mut curves: Vec<Vec<&ResultRow>> = Vec::new();
    for &row in rows {
        let mine =
            |curve: &&mut Vec<&ResultRow>| curve[0].panel == row.panel && curve[0].series == row.series;
        match curves.iter_mut().find(mine) {
            Some(curve) => curve.push(row),
            None => curves.push(vec![row]),
        }
    }
    curves
}
