//! The names of mechanisms in sentences.

use super::ALL;

/// The names of all mechanisms.
pub(super) fn names() -> String {
    ALL.iter().map(|one| one.name).collect::<Vec<_>>().join(", ")
}

/// The names of the mechanisms whose scale can be set by an audit, in alphabetical order, in a sentence.
#[must_use]
pub fn tunable() -> String {
    let mut names: Vec<&str> = ALL.iter().filter(|one| one.tunable).map(|one| one.name).collect();
    names.sort_unstable();
    in_words(&names, "and")
}

/// Names in a sentence: `ehd, ehdl and mh`, where the last word but one is given.
fn in_words(names: &[&str], before_last: &str) -> String {
    match names.split_last() {
        Some((last, rest)) if !rest.is_empty() => format!("{} {before_last} {last}", rest.join(", ")),
        _ => names.concat(),
    }
}

/// The names of the mechanisms that are private by themselves, in a sentence.
#[must_use]
pub fn private() -> String {
    in_words(&ALL.iter().filter(|one| one.private).map(|one| one.name).collect::<Vec<_>>(), "or")
}
