//! Repeated simulated releases around a made-up truth.

use maud::{Markup, html};
use posterity_advice::plan::SimulatedReleases;

use super::axis::round_up;
use super::{WIDTH, dot, framed, label, line, tenths};

/// The rows that there is room for.
pub(crate) const MAX_ROWS: usize = 16;
const ROW: f64 = 13.0;
const ABOVE: f64 = 30.0;
const BELOW: f64 = 30.0;
const SIDE: f64 = 22.0;

/// The intervals of one category. The height does not depend on how many there are.
pub(crate) fn releases(simulated: &SimulatedReleases, category: usize) -> Markup {
    let height = ABOVE + ROW * MAX_ROWS as f64 + BELOW;
    let truth = simulated.shares[category];
    let intervals = || simulated.releases.iter().map(|release| release.intervals[category]);
    let far = intervals().chain([simulated.without[category]]).flatten().map(|end| (end - truth).abs());
    let radius = 0.01 * round_up(100.0 * far.fold(0.0, f64::max));
    let scale =
        Scale { low: (truth - radius).max(0.0), high: (truth + radius).min(1.0), floor: height - BELOW };
    let shown = || simulated.releases.iter().take(MAX_ROWS);
    let holds = |[from, to]: [f64; 2]| from <= truth && truth <= to;
    let body = html! {
        (scale.band(simulated.without[category]))
        (scale.truth(truth))
        (scale.axis())
        @for (row, release) in shown().enumerate() {
            @let [from, to] = release.intervals[category];
            @let (class, mark) =
                if holds([from, to]) { ("interval", "mean") } else { ("interval missed", "mean missed") };
            @let y = ABOVE + ROW * (row as f64 + 0.5);
            (line((scale.x(from), y), (scale.x(to), y), class))
            (dot((scale.x(release.estimates[category]), y), 3.2, mark))
        }
    };
    let held = shown().filter(|release| holds(release.intervals[category])).count();
    let shown = shown().count();
    let name = format!("{shown} simulated releases. The intervals of {held} of them hold the made-up truth.");
    framed(height, &name, &body)
}

/// The axis of shares, and where it stands.
struct Scale {
    low: f64,
    high: f64,
    floor: f64,
}

impl Scale {
    fn x(&self, share: f64) -> f64 {
        SIDE + (WIDTH - 2.0 * SIDE) * (share - self.low) / (self.high - self.low)
    }

    /// The interval without any noise.
    fn band(&self, interval: [f64; 2]) -> Markup {
        let [from, to] = interval.map(|end| self.x(end));
        let height = self.floor - ABOVE;
        html! { rect x=(tenths(from)) y=(ABOVE) width=(tenths(to - from)) height=(tenths(height)) class="band" {} }
    }

    fn truth(&self, truth: f64) -> Markup {
        let x = self.x(truth);
        let beside = if x > 0.8 * WIDTH {
            "tick end"
        } else if x < 0.2 * WIDTH {
            "tick"
        } else {
            "tick middle"
        };
        let words = format!("made-up truth {}", self.percent(truth));
        html! {
            (line((x, ABOVE - 6.0), (x, self.floor), "truth"))
            (label(x, ABOVE - 12.0, beside, &words))
        }
    }

    fn axis(&self) -> Markup {
        let middle = 0.5 * (self.low + self.high);
        let marks = [
            (self.low, "tick", 4.0),
            (middle, "tick middle", self.x(middle)),
            (self.high, "tick end", WIDTH - 4.0),
        ];
        html! {
            (line((SIDE, self.floor), (WIDTH - SIDE, self.floor), "axis"))
            @for (share, anchor, place) in marks {
                (line((self.x(share), self.floor), (self.x(share), self.floor + 5.0), "axis"))
                (label(place, self.floor + 20.0, anchor, &self.percent(share)))
            }
        }
    }

    /// A share in percent, with as many decimals as the width of the axis needs.
    fn percent(&self, share: f64) -> String {
        let width = self.high - self.low;
        let decimals = if width < 0.02 {
            2
        } else if width < 0.2 {
            1
        } else {
            0
        };
        format!("{:.decimals$} %", 100.0 * share)
    }
}
