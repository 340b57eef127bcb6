//! Checks that compare pairs of rows.

use super::finding::{Finding, Part, exceptions, measured, named, place};
use super::outcome::{Gap, Outcome, slack};
use super::selection::Partner;
use super::word::EQUAL;
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
    let gap = |row: &ResultRow, other: &ResultRow| Gap {
        over: row.value - factor * other.value,
        slack: slack(row).hypot(factor * slack(other)),
    };
    let pairs = Pairs::new(table, rows, partner, gap, Gap::strict_outcome);
    let times = if factor == 1.0 { String::new() } else { format!("{} times ", brief(factor)) };
    pairs.finding(of, &times, "closest")
}

/// Whether every row is at most its partner, up to rounding.
pub(super) fn up_to(of: &str, table: &ResultTable, rows: &[&ResultRow], partner: &Partner) -> Finding {
    let gap = |row: &ResultRow, other: &ResultRow| Gap {
        over: row.value - other.value - EQUAL * other.value.abs(),
        slack: slack(row).hypot(slack(other)),
    };
    let pairs = Pairs::new(table, rows, partner, gap, Gap::outcome);
    pairs.finding(of, "", "closest to failing")
}

/// Whether every row differs from its partner by at most `tolerance` times the partner. Sampled numbers are equal if
/// sampling explains their difference: nothing else can be asked of them.
pub(super) fn near(
    of: &str,
    table: &ResultTable,
    rows: &[&ResultRow],
    partner: &Partner,
    tolerance: f64,
) -> Finding {
    let gap = |row: &ResultRow, other: &ResultRow| {
        let over = (row.value - other.value).abs() - tolerance * other.value.abs();
        let slack = slack(row).hypot(slack(other));
        if tolerance == EQUAL { Gap { over: over - slack, slack: 0.0 } } else { Gap { over, slack } }
    };
    let pairs = Pairs::new(table, rows, partner, gap, Gap::outcome);
    pairs.finding(of, "", "closest to failing")
}

/// All pairs, and the one that decides.
struct Pairs<'t> {
    outcomes: Vec<Outcome>,
    parts: Vec<Part>,
    worst: Option<(Outcome, f64, &'t ResultRow, &'t ResultRow)>,
}

impl<'t> Pairs<'t> {
    /// Pairs every row that has a partner, and measures how far each pair is from what the check demands.
    fn new(
        table: &'t ResultTable,
        rows: &[&'t ResultRow],
        partner: &Partner,
        gap: impl Fn(&ResultRow, &ResultRow) -> Gap,
        judge: impl Fn(Gap) -> Outcome,
    ) -> Self {
        let mut pairs = Self { outcomes: Vec::new(), parts: Vec::new(), worst: None };
        for &row in rows {
            let Some(other) = partner.find(table, row) else { continue };
            let gap = gap(row, other);
            let outcome = judge(gap);
            // Large numbers may miss by more than small ones.
            let share = gap.over / other.value.abs().max(f64::MIN_POSITIVE);
            let worse = |(least, most, _, _)| outcome < least || (outcome == least && share > most);
            if pairs.worst.is_none_or(worse) {
                pairs.worst = Some((outcome, share, row, other));
            }
            pairs.outcomes.push(outcome);
            pairs.parts.push(Part::at(row, outcome));
        }
        pairs
    }

    fn finding(&self, of: &str, times: &str, relation: &str) -> Finding {
        let Some((_, _, row, other)) = self.worst else {
            return Finding::nothing(format!("nothing to compare the {of} with"));
        };
        let right = if other.series == row.series && other.quantity != row.quantity {
            &other.quantity
        } else if other.series == row.series {
            &other.panel
        } else {
            &other.series
        };
        let evidence = format!(
            "{} {} against {times}{right} {} {}({relation} of {} pairs{})",
            named(of, &row.series),
            measured(row),
            measured(other),
            place(row),
            self.outcomes.len(),
            exceptions(&self.outcomes),
        );
        Finding::many(&self.outcomes, Some(row.value), evidence).with(self.parts.clone())
    }
}
