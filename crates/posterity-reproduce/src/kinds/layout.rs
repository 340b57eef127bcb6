//! The panels of a figure: the mechanisms in them, their titles and their rows.

use posterity_plot::{Panel, Series};

use crate::contender::Contender;

/// All mechanisms of a panel and of its companion, each once.
pub(crate) fn united(published: &[Contender], beyond: &[Contender]) -> Vec<Contender> {
    let mut all = published.to_vec();
    all.extend(beyond.iter().filter(|one| !published.contains(one)).cloned());
    all
}

/// One panel to a row, followed by its companion if there is one; panels without companions two by two.
pub(crate) fn arranged(panels: Vec<(Panel, Option<Panel>)>) -> Vec<Vec<Panel>> {
    if panels.iter().any(|(_, companion)| companion.is_some()) {
        return panels
            .into_iter()
            .map(|(panel, companion)| [panel].into_iter().chain(companion).collect())
            .collect();
    }
    let mut rows: Vec<Vec<Panel>> = Vec::new();
    for (panel, _) in panels {
        match rows.last_mut() {
            Some(row) if row.len() < 2 => row.push(panel),
            _ => rows.push(vec![panel]),
        }
    }
    rows
}

/// Curves that coincide are drawn once, with both names: otherwise one would hide the other. In a figure of several
/// panels they are drawn one above the other, because other curves coincide in each panel and the legend is shared.
pub(crate) fn distinguished(series: Vec<Series>, panels: usize) -> Vec<Series> {
    if panels > 1 {
        return series;
    }
    let mut shown: Vec<Series> = Vec::new();
    for one in series {
        match shown.iter_mut().find(|other| coincide(&other.points, &one.points)) {
            Some(other) => other.label = format!("{} = {}", other.label, one.label),
            None => shown.push(one),
        }
    }
    shown
}

/// Whether two curves cannot be told apart in a picture.
fn coincide(a: &[(f64, f64)], b: &[(f64, f64)]) -> bool {
    let same = |a: f64, b: f64| (a - b).abs() <= 1e-4 * a.abs().max(b.abs());
    let negligible = |y: f64| y.abs() < 1e-9;
    let alike = |(a, b): (&(f64, f64), &(f64, f64))| {
        same(a.0, b.0) && (same(a.1, b.1) || (negligible(a.1) && negligible(b.1)))
    };
    !a.is_empty() && a.len() == b.len() && a.iter().zip(b).all(alike)
}

/// The title of a panel and of its companion.
pub(crate) fn titles(title: &str, has_companion: bool) -> (String, String) {
    let first = if title.is_empty() && has_companion { "as published" } else { title };
    (first.to_owned(), "beyond".to_owned())
}

#[cfg(test)]
mod tests {
    use posterity_plot::Style;

    use super::*;

    #[test]
    fn curves_that_coincide_are_drawn_once_with_both_names() {
        let curve = |label: &str, points: &[(f64, f64)]| Series {
            label: label.to_owned(),
            style: Style::plain(0),
            points: points.to_vec(),
        };
        let series = vec![
            curve("a", &[(0.0, 0.5), (1.0, 0.25)]),
            curve("b", &[(0.0, 0.5), (1.0, 0.26)]),
            curve("c", &[(0.0, 0.5), (1.0, 0.25)]),
            curve("d", &[(0.0, 0.5)]),
        ];
        let labels = |panels| -> Vec<String> {
            distinguished(series.clone(), panels).into_iter().map(|one| one.label).collect()
        };
        assert_eq!(labels(1), ["a = c", "b", "d"]);
        assert_eq!(labels(2), ["a", "b", "c", "d"]);
    }
}
