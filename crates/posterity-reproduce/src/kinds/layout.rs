//! The panels of a figure: the mechanisms in them, their titles and their rows.

use posterity_plot::Panel;

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

/// The title of a panel and of its companion.
pub(crate) fn titles(title: &str, has_companion: bool) -> (String, String) {
    let first = if title.is_empty() && has_companion { "as published" } else { title };
    (first.to_owned(), "beyond".to_owned())
}
