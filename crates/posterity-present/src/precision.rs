//! How precisely the shares of a release are known.

use posterity::Document;
use posterity::number::{percent, points};
use posterity::table::Statistic;

/// The typical and the widest half-width of the intervals of shares, in points: of the readings if there are any, and
/// otherwise of the categories.
#[must_use]
pub fn precision(document: &Document) -> String {
    let shares = document.readings().iter().filter(|table| table.statistic == Statistic::Share);
    let half = |[low, high]: [f64; 2]| 0.5 * (high - low);
    let mut halves: Vec<f64> = shares.flat_map(|table| &table.rows).map(|row| half(row.interval)).collect();
    if halves.is_empty() {
        halves = document.best_summary().1.iter().copied().map(half).collect();
    }
    halves.sort_unstable_by(f64::total_cmp);
    let (typical, widest) = (halves[halves.len() / 2], halves[halves.len() - 1]);
    let level = percent(document.request().level());
    if widest <= 1.05 * typical {
        return format!("Each share is known to about ± {} points (its {level} % interval).", points(widest));
    }
    format!(
        "A share is typically known to ± {} points, the least precise one to ± {} points (half of its {level} % interval).",
        points(typical),
        points(widest)
    )
}
