//! Where a statement about everything holds, if it does not hold everywhere.

use posterity::number::brief;

use crate::check::{Finding, Part};

/// No more parts than this are named.
const MOST: usize = 6;

/// The largest region of what was computed in which all comparisons hold: whole panels, and in the others the longest
/// stretch of x. Where there is none, the series for which all hold.
pub(crate) fn largest(findings: &[Finding]) -> String {
    let parts: Vec<&Part> = findings.iter().flat_map(|finding| &finding.parts).collect();
    let panels = distinct(parts.iter().map(|part| part.panel.as_str()));
    let mut whole = Vec::new();
    let mut stretches = Vec::new();
    for panel in &panels {
        let mine: Vec<&Part> = parts.iter().copied().filter(|part| part.panel == *panel).collect();
        if mine.iter().all(|part| part.holds == Some(true)) {
            whole.push((*panel).to_owned());
        } else if let Some((first, last)) = stretch(&mine) {
            let range = if first == last {
                format!("at {}", brief(first))
            } else {
                format!("from {} to {}", brief(first), brief(last))
            };
            stretches.push(if panel.is_empty() { range } else { format!("{range} in {panel}") });
        }
    }
    if whole.is_empty() && stretches.is_empty() {
        let series = distinct(parts.iter().map(|part| part.series.as_str()));
        let holding = series.into_iter().filter(|name| {
            parts.iter().filter(|part| part.series == **name).all(|part| part.holds == Some(true))
        });
        let holding: Vec<String> = holding.map(|name| format!("for {name}")).collect();
        return if holding.is_empty() { "nowhere that was computed".to_owned() } else { listed(holding) };
    }
    listed(whole.into_iter().map(|panel| format!("in {panel}")).chain(stretches).collect())
}

/// The longest run of x at which all comparisons hold.
fn stretch(parts: &[&Part]) -> Option<(f64, f64)> {
    let mut places: Vec<f64> = parts.iter().filter_map(|part| part.x).collect();
    places.sort_by(f64::total_cmp);
    places.dedup();
    let holds = |x: f64| {
        parts.iter().filter(|part| part.x.is_none_or(|at| at == x)).all(|part| part.holds == Some(true))
    };
    let runs = places.chunk_by(|&a, &b| holds(a) == holds(b)).filter(|run| holds(run[0]));
    let longest = runs.max_by_key(|run| run.len())?;
    Some((*longest.first()?, *longest.last()?))
}

/// Each once, in their order.
fn distinct<'n>(names: impl Iterator<Item = &'n str>) -> Vec<&'n str> {
    let mut all = Vec::new();
    for name in names {
        if !all.contains(&name) {
            all.push(name);
        }
    }
    all
}

fn listed(mut all: Vec<String>) -> String {
    let more = all.len().saturating_sub(MOST);
    all.truncate(MOST);
    let text = all.join("; ");
    if more > 0 { format!("{text}; and {more} more") } else { text }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn part(panel: &str, series: &str, x: Option<f64>, holds: bool) -> Part {
        Part { panel: panel.to_owned(), series: series.to_owned(), x, holds: Some(holds) }
    }

    fn found(parts: Vec<Part>) -> String {
        largest(&[Finding { parts, ..Finding::default() }])
    }

    #[test]
    fn panels_and_stretches_are_named() {
        let curve = |panel: &str, holds: [bool; 5]| -> Vec<Part> {
            holds.iter().enumerate().map(|(x, &holds)| part(panel, "a", Some(x as f64), holds)).collect()
        };
        let all = [true; 5];
        let some = [true, false, true, true, false];
        assert_eq!(found([curve("p", all), curve("q", some)].concat()), "in p; from 2 to 3 in q");
        assert_eq!(found(curve("", [false, true, false, false, false])), "at 1");
        assert_eq!(found(curve("q", [false; 5])), "nowhere that was computed");
        assert_eq!(found(vec![part("p", "a", None, true), part("p", "b", None, false)]), "for a");
        let many = (0..8).flat_map(|i| curve(&format!("p{i}"), all)).collect();
        assert_eq!(found(many), "in p0; in p1; in p2; in p3; in p4; in p5; and 2 more");
    }
}
