//! The names that a user of the library meets first.

/// How many names the root of the crate may have.
const MOST: usize = 60;

/// The names at the root that documentation shows.
fn names(source: &str) -> Vec<String> {
    let mut names = Vec::new();
    let (mut used, mut hidden) = (None::<String>, false);
    for line in source.lines() {
        // Lines of the root alone, and of the lists that begin there.
        let listed = match used.take() {
            Some(list) => list + line.trim(),
            None if line.starts_with("pub use ") => line.trim_start_matches("pub use ").to_owned(),
            None => {
                let module = line.strip_prefix("pub mod ").or_else(|| line.strip_prefix("pub type "));
                if let (Some(name), false) = (module, hidden) {
                    names.push(name.split([';', ' ', '<']).next().unwrap_or_default().to_owned());
                }
                hidden = line == "#[doc(hidden)]" || hidden && line.starts_with("#[");
                continue;
            }
        };
        match listed.strip_suffix(';') {
            None => used = Some(listed),
            Some(listed) => {
                let list = listed.split_once('{').map(|(_, list)| list.trim_end_matches('}'));
                let list = list.unwrap_or_else(|| listed.rsplit("::").next().unwrap_or_default());
                let name = |one: &str| one.rsplit(" as ").next().unwrap_or_default().trim().to_owned();
                names.extend(list.split(',').map(name).filter(|name| !name.is_empty()));
            }
        }
    }
    names
}

/// If this fails, the root has more names than a user can take in; put what belongs together into a module.
#[test]
fn the_root_has_few_names() {
    let names = names(include_str!("../src/lib.rs"));
    for known in ["Data", "Publisher", "Document", "LedgerError", "margins", "data", "plan"] {
        assert!(names.iter().any(|name| name == known), "{known} is not found: {names:?}");
    }
    assert!(!names.iter().any(|name| name == "number"), "what is hidden counts: {names:?}");
    assert!(names.len() <= MOST, "{}: {names:?}", names.len());
}
