//! The check that one curve falls below another in a range of x.

use super::finding::{Finding, Part};
use super::outcome::{Gap, Outcome, slack};
use super::selection::Partner;
use crate::table::{ResultRow, ResultTable};
use posterity::number::brief;

/// Two series, and the range of x where the first should fall below the second.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Crossing {
    pub(super) left: String,
    pub(super) right: String,
    pub(super) from: f64,
    pub(super) to: f64,
}

impl Crossing {
    /// The rows to compare with.
    pub(super) fn partner(&self) -> Partner {
        Partner { right: Some(self.right.clone()), ..Partner::default() }
    }

    /// Whether left is below right for all x from some x in the range on, and not before. Where sampling leaves a pair
    /// open, the curves may cross on either side of it.
    pub(super) fn decide(&self, of: &str, table: &ResultTable, rows: &[&ResultRow]) -> Finding {
        let Self { left, right, from, to } = self;
        let partner = self.partner();
        let mut pairs: Vec<(f64, Outcome)> =
            rows.iter().filter_map(|row| Some((row.x?, ahead(row, partner.find(table, row)?)))).collect();
        pairs.sort_by(|a, b| a.0.total_cmp(&b.0));
        let Some(&(last, _)) = pairs.last() else {
            return Finding::nothing(format!("nothing to compare the {of} with"));
        };
        let behind = pairs.iter().rposition(|(_, outcome)| *outcome == Outcome::Fails);
        let open = pairs.iter().rposition(|(_, outcome)| *outcome != Outcome::Holds);
        let before = behind.map(|at| pairs[at].0);
        let after = open.map_or(Some(pairs[0].0), |at| pairs.get(at + 1).map(|pair| pair.0));
        let looked_for = format!("(looked for between {} and {})", brief(*from), brief(*to));
        let (outcome, evidence) = match (before, after) {
            (None, Some(_)) if open.is_none() => {
                (Outcome::Fails, format!("the {of} of {left} is below that of {right} everywhere"))
            }
            (Some(before), None) if before == last => {
                let evidence = format!("the {of} of {left} is not below that of {right} at {}", brief(last));
                (Outcome::Fails, evidence)
            }
            (before, after) => {
                let [least, most] = [before.unwrap_or(0.0), after.unwrap_or(f64::INFINITY)];
                let evidence = format!(
                    "the {of} of {left} falls below that of {right} between {} and {}",
                    brief(least),
                    brief(most)
                );
                let adjacent = behind.map(|at| at + 1) == open.map(|at| at + 1) && after.is_some();
                let outcome = match (most >= *from && least <= *to, least >= *from && most <= *to) {
                    (false, _) => Outcome::Fails,
                    (_, inside) if inside || adjacent => Outcome::Holds,
                    _ => Outcome::Undecided,
                };
                (outcome, evidence)
            }
        };
        let found =
            Finding::one(outcome, after.filter(|x| x.is_finite()), format!("{evidence} {looked_for}"));
        let part = rows.first().map(|row| Part { x: None, ..Part::at(row, outcome) });
        found.with(part.into_iter().collect())
    }
}

/// Whether a row is below its partner.
fn ahead(row: &ResultRow, other: &ResultRow) -> Outcome {
    Gap { over: row.value - other.value, slack: slack(row).hypot(slack(other)) }.strict_outcome()
}
