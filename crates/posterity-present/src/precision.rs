//! How precisely the shares of a release are known.

use posterity::Document;
use posterity::number::{percent, points};
use posterity::table::Statistic;

use crate::intervals::reach;

/// How far the intervals of shares reach from them, typically and at most, in points: those of the readings if there are
/// any, and otherwise of the categories.
#[must_use]
pub fn precision(document: &Document) -> String {
    let shares = document.readings().iter().filter(|table| table.statistic == Statistic::Share);
    let mut found: Vec<f64> = shares.flat_map(|table| &table.rows).filter_map(reach).collect();
    if found.is_empty() {
        let (shares, intervals) = document.best_summary();
        let of = |(share, [low, high]): (&f64, &[f64; 2])| (share - low).max(high - share);
        found = shares.iter().zip(intervals).map(of).filter(|reach| reach.is_finite()).collect();
    }
    found.sort_unstable_by(f64::total_cmp);
    let Some(&widest) = found.last() else { return "Every group may be empty.".to_owned() };
    let (typical, level) = (found[found.len() / 2], percent(document.request().level()));
    if widest <= 1.05 * typical {
        return format!("Each {level} % interval reaches at most {} points from its share.", points(widest));
    }
    format!(
        "A {level} % interval typically reaches {} points from its share, and the widest one {} points.",
        points(typical),
        points(widest)
    )
}
