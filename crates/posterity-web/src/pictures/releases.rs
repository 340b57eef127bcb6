//! Repeated simulated releases around a made-up truth.

use posterity_advice::plan::SimulatedReleases;

use super::axis::round_up;
use super::{WIDTH, dot, framed, label, line};

/// The rows that there is room for.
pub(crate) const MAX_ROWS: usize = 16;
const ROW: f64 = 13.0;
const ABOVE: f64 = 30.0;
const BELOW: f64 = 30.0;
const SIDE: f64 = 22.0;

/// The intervals of one category. The height does not depend on how many there are.
pub(crate) fn releases(simulated: &SimulatedReleases, category: usize) -> String {
    let height = ABOVE + ROW * MAX_ROWS as f64 + BELOW;
    let truth = simulated.shares[category];
    let intervals = || simulated.releases.iter().map(|release| release.intervals[category]);
    let far = intervals().chain([simulated.without[category]]).flatten().map(|end| (end - truth).abs());
    let radius = 0.01 * round_up(100.0 * far.fold(0.0, f64::max));
    let (low, high) = ((truth - radius).max(0.0), (truth + radius).min(1.0));
    let x = |share: f64| SIDE + (WIDTH - 2.0 * SIDE) * (share - low) / (high - low);
    let floor = height - BELOW;
    let [from, to] = simulated.without[category].map(x);
    let mut body = format!(
        "<rect x=\"{from:.1}\" y=\"{ABOVE}\" width=\"{:.1}\" height=\"{:.1}\" class=\"band\"/>",
        to - from,
        floor - ABOVE
    );
    body += &line((x(truth), ABOVE - 6.0), (x(truth), floor), "truth");
    let beside = if x(truth) > 0.8 * WIDTH {
        "tick end"
    } else if x(truth) < 0.2 * WIDTH {
        "tick"
    } else {
        "tick middle"
    };
    body += &label(x(truth), ABOVE - 12.0, beside, &format!("made-up truth {}", percent(truth, high - low)));
    body += &line((SIDE, floor), (WIDTH - SIDE, floor), "axis");
    for (share, anchor) in [(low, "tick"), (0.5 * (low + high), "tick middle"), (high, "tick end")] {
        body += &line((x(share), floor), (x(share), floor + 5.0), "axis");
        let place = match anchor {
            "tick" => 4.0,
            "tick end" => WIDTH - 4.0,
            _ => x(share),
        };
        body += &label(place, floor + 20.0, anchor, &percent(share, high - low));
    }
    let mut held = 0;
    for (row, release) in simulated.releases.iter().take(MAX_ROWS).enumerate() {
        let [from, to] = release.intervals[category];
        let holds = from <= truth && truth <= to;
        held += usize::from(holds);
        let y = ABOVE + ROW * (row as f64 + 0.5);
        let (class, mark) = if holds { ("interval", "mean") } else { ("interval missed", "mean missed") };
        body += &line((x(from), y), (x(to), y), class);
        body += &dot((x(release.estimates[category]), y), 3.2, mark);
    }
    let shown = simulated.releases.len().min(MAX_ROWS);
    let name = format!("{shown} simulated releases. The intervals of {held} of them hold the made-up truth.");
    framed(height, &name, &body)
}

/// A share in percent, with as many decimals as the width of the axis needs.
fn percent(share: f64, width: f64) -> String {
    let decimals = if width < 0.02 {
        2
    } else if width < 0.2 {
        1
    } else {
        0
    };
    format!("{:.decimals$} %", 100.0 * share)
}
