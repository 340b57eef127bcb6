//! Pieces of a page.

use std::fmt::Write;

use posterity::html::escaped;

/// A page that is written line by line.
#[derive(Debug, Default)]
pub(crate) struct Page(String);

impl Page {
    pub(crate) fn line(&mut self, text: impl AsRef<str>) {
        self.0 += text.as_ref();
        self.0.push('\n');
    }

    /// A paragraph of plain text.
    pub(crate) fn say(&mut self, text: impl AsRef<str>) {
        self.line(format!("<p>{}</p>", escaped(text.as_ref())));
    }

    pub(crate) fn text(self) -> String {
        self.0
    }
}

/// The range of a table's numbers, on which its bars are drawn.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Scale {
    low: f64,
    high: f64,
}

impl Scale {
    /// From zero, or from the least interval if there is something below it, to the greatest.
    pub(crate) fn covering(intervals: impl Iterator<Item = [f64; 2]>) -> Self {
        let (low, high) = intervals.fold((0.0_f64, 0.0_f64), |(low, high), [a, b]| (low.min(a), high.max(b)));
        Self { low, high: if high > low { high } else { low + 1.0 } }
    }

    /// A bar for an interval, with a mark at the mean.
    pub(crate) fn bar(self, mean: f64, [low, high]: [f64; 2]) -> String {
        let place = |value: f64| 100.0 * ((value - self.low) / (self.high - self.low)).clamp(0.0, 1.0);
        let (from, to) = (place(low), place(high));
        let mut svg = String::from(
            "<svg class=\"bar\" viewBox=\"0 0 100 10\" preserveAspectRatio=\"none\" aria-hidden=\"true\">",
        );
        // Writing into a string does not fail.
        let _ = write!(svg, "<rect class=\"rail\" x=\"0\" y=\"4.5\" width=\"100\" height=\"1\"/>");
        if self.low < 0.0 {
            let _ = write!(
                svg,
                "<rect class=\"zero\" x=\"{:.2}\" y=\"0\" width=\"0.5\" height=\"10\"/>",
                place(0.0)
            );
        }
        let _ = write!(
            svg,
            "<rect class=\"band\" x=\"{from:.2}\" y=\"2.5\" width=\"{:.2}\" height=\"5\"/>",
            (to - from).max(0.6)
        );
        let _ = write!(
            svg,
            "<rect class=\"mark\" x=\"{:.2}\" y=\"1\" width=\"0.8\" height=\"8\"/></svg>",
            (place(mean) - 0.4).clamp(0.0, 99.2)
        );
        svg
    }
}

pub(crate) const STYLE: &str = "\
:root { color-scheme: light dark; --ink: #1f2328; --soft: #57606a; --line: #d0d7de; --paper: #fff; --card: #f6f8fa; --accent: #0b62a4; --alarm: #a40e26; }
@media (prefers-color-scheme: dark) { :root { --ink: #e6edf3; --soft: #9da7b1; --line: #3d444d; --paper: #0d1117; --card: #161b22; --accent: #6cb6ff; --alarm: #ff8182; } }
body { font: 16px/1.55 system-ui, sans-serif; color: var(--ink); background: var(--paper); max-width: 58rem; margin: 2rem auto; padding: 0 1rem; }
h1, h2, h3 { line-height: 1.25; }
h2 { margin-top: 3rem; border-top: 1px solid var(--line); padding-top: 1.5rem; }
h3 { margin-top: 2rem; font-size: 1.05rem; }
.lead { font-size: 1.1rem; }
.card { background: var(--card); border: 1px solid var(--line); border-radius: 6px; padding: .2rem 1.2rem; margin: 1.5rem 0; }
.alarm { border-color: var(--alarm); color: var(--alarm); font-weight: 600; }
.soft, figcaption { color: var(--soft); font-size: .92rem; }
.wide { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; font-variant-numeric: tabular-nums; }
caption { text-align: left; color: var(--soft); font-size: .92rem; padding-bottom: .4rem; }
th, td { text-align: left; padding: .3rem .7rem .3rem 0; border-bottom: 1px solid var(--line); vertical-align: middle; }
th { font-weight: 600; }
td.number, th.number { text-align: right; white-space: nowrap; }
td.picture { width: 30%; min-width: 8rem; padding-right: 0; }
svg.bar { display: block; width: 100%; height: 1rem; }
.rail { fill: var(--line); } .zero { fill: var(--soft); } .band { fill: var(--accent); opacity: .45; } .mark { fill: var(--accent); }
figure { margin: 1.5rem 0; }
figure svg { display: block; background: #fff; border: 1px solid var(--line); border-radius: 6px; min-width: 34rem; max-width: 100%; height: auto; }
summary { cursor: pointer; color: var(--accent); margin: .4rem 0; }
code { font-size: .9em; }
dt { font-weight: 600; margin-top: .6rem; } dd { margin-left: 0; }
@media print { body { max-width: none; margin: 0; font-size: 11pt; } h2 { break-after: avoid; } tr, figure, .card { break-inside: avoid; } :root { --ink: #000; --paper: #fff; --card: #fff; --soft: #444; --line: #bbb; --accent: #0b62a4; } }
";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bars_stay_within_their_scale() {
        let scale = Scale::covering([[0.1, 0.4], [0.2, 0.8]].into_iter());
        assert_eq!(scale, Scale { low: 0.0, high: 0.8 });
        assert!(scale.bar(0.2, [0.1, 0.4]).contains("class=\"band\" x=\"12.50\" y=\"2.5\" width=\"37.50\""));
        assert!(Scale::covering([[-0.2, 0.1]].into_iter()).bar(0.0, [-0.2, 0.1]).contains("class=\"zero\""));
    }
}
