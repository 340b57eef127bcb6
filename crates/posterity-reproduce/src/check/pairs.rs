//! Checks that compare pairs of rows.

use super::finding::{Finding, measured, place};
use super::selection::Partner;
use super::word::{EQUAL, SIGMAS};
use crate::table::{ResultRow, ResultTable};
use posterity::number::brief;

/// Whether every row is smaller than `factor` times its partner; by several standard errors if they were sampled.
pub(super) fn below(
    of: &str,
    table: &ResultTable,
    rows: &[&ResultRow],
    partner: &Partner,
    factor: f64,
) -> Finding {
    let excess = |row: &ResultRow, other: &ResultRow| {
        let slack = SIGMAS * error(row).hypot(factor * error(other));
        (row.value + slack) / (factor * other.value)
    };
    let pairs = Pairs::new(table, rows, partner, excess, |excess| excess >= 1.0);
    let times = if factor == 1.0 { String::new() } else { format!("{} times ", brief(factor)) };
    pairs.finding(of, &times, "closest")
}

/// Whether every row is at most its partner, up to rounding, or what sampling explains.
pub(super) fn up_to(of: &str, table: &ResultTable, rows: &[&ResultRow], partner: &Partner) -> Finding {
    let excess = |row: &ResultRow, other: &ResultRow| {
        let slack = SIGMAS * error(row).hypot(error(other)) + EQUAL * other.value.abs();
        row.value - other.value - slack
    };
    let pairs = Pairs::new(table, rows, partner, excess, |excess| excess > 0.0);
    pairs.finding(of, "", "closest to failing")
}

/// Whether every row differs from its partner by at most `tolerance` times the partner, or by what sampling explains.
pub(super) fn near(
    of: &str,
    table: &ResultTable,
    rows: &[&ResultRow],
    partner: &Partner,
    tolerance: f64,
) -> Finding {
    let gap = |row: &ResultRow, other: &ResultRow| {
        let slack = SIGMAS * error(row).hypot(error(other));
        if row.value == other.value {
            return 0.0;
        }
        ((row.value - other.value).abs() - slack) / other.value.abs()
    };
    let pairs = Pairs::new(table, rows, partner, gap, |gap| gap > tolerance);
    pairs.finding(of, "", "closest to failing")
}

/// The standard error of a row, zero if it is exact.
fn error(row: &ResultRow) -> f64 {
    row.error.unwrap_or(0.0)
}

/// All pairs, and the one that decides.
struct Pairs<'t> {
    worst: Option<(f64, &'t ResultRow, &'t ResultRow)>,
    failed: usize,
    count: usize,
}

impl<'t> Pairs<'t> {
    /// Pairs every row that has a partner, and measures how far each pair is from what the check demands.
    fn new(
        table: &'t ResultTable,
        rows: &[&'t ResultRow],
        partner: &Partner,
        excess: impl Fn(&ResultRow, &ResultRow) -> f64,
        fails: impl Fn(f64) -> bool,
    ) -> Self {
        let mut pairs = Self { worst: None, failed: 0, count: 0 };
        for &row in rows {
            let Some(other) = partner.find(table, row) else { continue };
            let excess = excess(row, other);
            pairs.count += 1;
            pairs.failed += usize::from(fails(excess));
            if pairs.worst.is_none_or(|(most, _, _)| excess > most) {
                pairs.worst = Some((excess, row, other));
            }
        }
        pairs
    }

    fn finding(&self, of: &str, times: &str, relation: &str) -> Finding {
        let Some((_, row, other)) = self.worst else {
            return Finding::fails(format!("nothing to compare the {of} with"));
        };
        let right = if other.series == row.series && other.quantity != row.quantity {
            &other.quantity
        } else if other.series == row.series {
            &other.panel
        } else {
            &other.series
        };
        let evidence = format!(
            "{of} of {} {} against {times}{right} {} {}({relation} of {} pairs{})",
            row.series,
            measured(row),
            measured(other),
            place(row),
            self.count,
            if self.failed == 0 { String::new() } else { format!("; {} fail", self.failed) },
        );
        Finding { comparisons: self.count, holding: self.count - self.failed, evidence }
    }
}
