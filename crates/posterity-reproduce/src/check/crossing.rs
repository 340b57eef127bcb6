//! The check that one curve falls below another in a range of x.

use super::finding::Finding;
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

    /// Whether left is below right for all x from some x in the range on, and not before.
    pub(super) fn decide(&self, of: &str, table: &ResultTable, rows: &[&ResultRow]) -> Finding {
        let Self { left, right, from, to } = self;
        let partner = self.partner();
        let mut pairs: Vec<(f64, bool)> = rows
            .iter()
            .filter_map(|row| Some((row.x?, row.value < partner.find(table, row)?.value)))
            .collect();
        pairs.sort_by(|a, b| a.0.total_cmp(&b.0));
        let behind = pairs.iter().rposition(|(_, ahead)| !ahead);
        let (holds, evidence) = match (behind, pairs.len()) {
            (_, 0) => (false, format!("nothing to compare the {of} with")),
            (None, _) => (false, format!("the {of} of {left} is below that of {right} everywhere")),
            (Some(at), all) if at + 1 == all => {
                (false, format!("the {of} of {left} is not below that of {right} at {}", brief(pairs[at].0)))
            }
            (Some(at), _) => {
                let (before, after) = (pairs[at].0, pairs[at + 1].0);
                let text = format!(
                    "the {of} of {left} falls below that of {right} between {} and {}",
                    brief(before),
                    brief(after)
                );
                (after >= *from && before <= *to, text)
            }
        };
        let evidence = format!("{evidence} (looked for between {} and {})", brief(*from), brief(*to));
        Finding::one(holds, evidence)
    }
}
