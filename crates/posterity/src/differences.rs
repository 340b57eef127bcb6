//! How a document differs from what follows from its draw.

use serde_json::{Map, Number, Value};

/// How far a number may be from the one that is derived: other machines round otherwise.
const MAX_RELATIVE_DIFFERENCE: f64 = 1e-9;

/// The fields whose text is for people and may change from version to version.
const WORDS: [&str; 4] = ["notes", "guarantee.statement", "guarantee.meaning", "per_unit"];

/// Every place where `given` differs from `derived`, with what is wrong. Words count if both are of the same version.
pub(crate) fn differences(derived: &Value, given: &Value, same_version: bool) -> Vec<String> {
    let mut found = Vec::new();
    compare("", derived, given, same_version, &mut found);
    found
}

fn compare(path: &str, derived: &Value, given: &Value, words: bool, found: &mut Vec<String>) {
    if !words && WORDS.contains(&path) {
        return;
    }
    match (derived, given) {
        (Value::Object(derived), Value::Object(given)) => compare_objects(path, derived, given, words, found),
        (Value::Array(derived), Value::Array(given)) if derived.len() == given.len() => {
            for (index, (derived, given)) in derived.iter().zip(given).enumerate() {
                compare(&format!("{path}[{index}]"), derived, given, words, found);
            }
        }
        (Value::Array(derived), Value::Array(given)) => {
            found.push(format!("{path} has {} entries, and {} follow", given.len(), derived.len()));
        }
        (Value::Number(derived), Value::Number(given)) if is_near(derived, given) => {}
        _ if derived == given => {}
        _ => found.push(format!("{path} is not what follows from the draw")),
    }
}

fn compare_objects(
    path: &str,
    derived: &Map<String, Value>,
    given: &Map<String, Value>,
    words: bool,
    found: &mut Vec<String>,
) {
    let below = |key: &str| if path.is_empty() { key.to_owned() } else { format!("{path}.{key}") };
    for (key, derived) in derived {
        match given.get(key) {
            Some(given) => compare(&below(key), derived, given, words, found),
            None => found.push(format!("{} is missing", below(key))),
        }
    }
    let unknown = given.keys().filter(|key| !derived.contains_key(*key));
    found.extend(unknown.map(|key| format!("{} does not belong there", below(key))));
}

/// Whole numbers are equal or not; others may differ in the last digits.
fn is_near(derived: &Number, given: &Number) -> bool {
    match (derived.as_f64(), given.as_f64()) {
        _ if derived == given => true,
        (Some(derived_value), Some(given)) if derived.is_f64() => {
            (derived_value - given).abs() <= MAX_RELATIVE_DIFFERENCE * derived_value.abs().max(1.0)
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn every_difference_is_named() {
        let derived =
            json!({ "n": 90, "mean": [0.25, 0.75], "notes": ["a"], "posterior": { "level": 0.95 } });
        let table = [
            (
                json!({ "n": 90, "mean": [0.25 + 1e-12, 0.75], "notes": ["a"], "posterior": { "level": 0.95 } }),
                vec![],
            ),
            (
                json!({ "n": 91, "mean": [0.25, 0.76], "notes": ["b"], "posterior": { "level": 0.95, "x": 1 } }),
                vec!["n is not", "mean[1] is not", "notes[0] is not", "posterior.x does not belong"],
            ),
            (
                json!({ "n": 90.0, "mean": [0.25], "posterior": 3 }),
                vec!["n is not", "mean has 1 entries, and 2 follow", "notes is missing", "posterior is not"],
            ),
        ];
        for (given, expected) in table {
            let mut found = differences(&derived, &given, true);
            found.sort_by_key(|one| expected.iter().position(|start| one.starts_with(start)));
            assert_eq!(found.len(), expected.len(), "{found:?}");
            for (found, expected) in found.iter().zip(expected) {
                assert!(found.starts_with(expected), "{found}");
            }
        }
    }

    #[test]
    fn words_of_another_version_are_not_compared() {
        let (derived, given) = (json!({ "notes": ["a"], "n": 1 }), json!({ "notes": ["b"], "n": 2 }));
        assert_eq!(differences(&derived, &given, false).len(), 1);
        assert_eq!(differences(&derived, &given, true).len(), 2);
    }
}
