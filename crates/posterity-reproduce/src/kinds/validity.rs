//! Checks of values that several kinds of experiments share.

use posterity_core::model::{Counts, Epsilon, Prior, Setting};

/// The public inputs of a mechanism.
pub(crate) fn setting(prior: &Prior, n: u64, epsilon: &Epsilon) -> Result<Setting, String> {
    Setting::new(prior.clone(), n, epsilon.clone()).map_err(|error| error.to_string())
}

/// Refuses data and a prior with different numbers of categories.
pub(crate) fn fits(panel: &str, prior: &Prior, counts: &Counts) -> Result<(), String> {
    if prior.len() == counts.len() {
        return Ok(());
    }
    Err(format!(
        "panel {panel:?}: prior has {} parameters and counts {} categories; give one parameter per category",
        prior.len(),
        counts.len()
    ))
}

/// Refuses a prior that does not have two categories, because steps are counted between two.
pub(crate) fn two_categories(prior: &Prior) -> Result<(), String> {
    match prior.len() {
        2 => Ok(()),
        found => Err(format!("prior has {found} parameters; this kind of experiment needs 2")),
    }
}

/// Refuses an empty list.
pub(crate) fn some<T>(key: &str, list: &[T]) -> Result<(), String> {
    if list.is_empty() { Err(format!("{key} is empty; list at least one")) } else { Ok(()) }
}

/// The most repetitions. More would not fit in memory.
const MAX_REPETITIONS: usize = 4_000_000;

/// Refuses zero repetitions and too many, in a full run and in a quick pass.
pub(crate) fn repeated(full: usize, quick: Option<usize>, keys: &str, of: &str) -> Result<(), String> {
    if full == 0 || quick == Some(0) {
        return Err(format!("{keys} are numbers of {of}; give at least 1"));
    }
    if let Some(many) = [Some(full), quick].into_iter().flatten().find(|&one| one > MAX_REPETITIONS) {
        return Err(format!(
            "{keys} are numbers of {of}, and {many} are too many; give at most {MAX_REPETITIONS}"
        ));
    }
    Ok(())
}

/// Refuses two panels with the same title, because checks find rows by title.
pub(crate) fn distinct<'t>(titles: impl Iterator<Item = &'t str>) -> Result<(), String> {
    let mut seen: Vec<&str> = Vec::new();
    for title in titles {
        if seen.contains(&title) {
            return Err(format!("two panels have the title {title:?}; give each its own"));
        }
        seen.push(title);
    }
    Ok(())
}
