//! How a document differs from what follows from its draw.

use serde_json::{Map, Number, Value};

/// How far a number may be from the one that is derived, in parts of the scale of its field: other machines round
/// otherwise.
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
        (Value::Number(derived), Value::Number(given)) if is_near(Scale::of(path), derived, given) => {}
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

/// How exactly a number is compared.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Scale {
    /// To the last digit: it is asked for or promised, and nothing is computed.
    Exact,
    /// Beside one, or beside its own size if that is larger: shares, probabilities, distances, means of scores.
    One,
    /// Beside its own size: what may be tiny and still counts, such as errors. Zero is zero, and signs are the same.
    Itself,
}

impl Scale {
    /// The parts of a document that say what was asked and promised.
    const STATED: [&str; 4] = ["request", "promise", "guarantee", "provenance"];
    /// Fields that repeat what was asked and promised, wherever they stand.
    const REPEATED: [&str; 6] = ["epsilon", "delta", "rho", "level", "prior", "seed"];
    /// Fields whose numbers are shares, probabilities, distances or means, which have a scale of their own.
    const SHARES: [&str; 11] = [
        "estimate",
        "mean",
        "median",
        "deviation",
        "confidence",
        "credible",
        "interval",
        "intervals",
        "share",
        "probability_larger",
        "expected_distance",
    ];

    /// The scale of the field at a path such as `readings[0].rows[2].interval[1]`.
    fn of(path: &str) -> Self {
        let mut names = path.split('.').map(|name| name.split('[').next().unwrap_or(name));
        let first = names.next().unwrap_or_default();
        let last = names.next_back().unwrap_or(first);
        if Self::STATED.contains(&first) || Self::REPEATED.contains(&last) {
            Self::Exact
        } else if Self::SHARES.contains(&last) {
            Self::One
        } else {
            Self::Itself
        }
    }
}

/// Whole numbers are equal or not; others may differ in the last digits.
fn is_near(scale: Scale, derived: &Number, given: &Number) -> bool {
    let (Some(value), Some(other)) = (derived.as_f64(), given.as_f64()) else { return derived == given };
    if !derived.is_f64() {
        return derived == given;
    }
    let scale = match scale {
        Scale::Exact => return value == other,
        Scale::One => value.abs().max(1.0),
        Scale::Itself => value.abs(),
    };
    (value - other).abs() <= MAX_RELATIVE_DIFFERENCE * scale
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

    /// If this fails, a delta of a billionth passes for none at all.
    #[test]
    fn each_field_has_its_scale() {
        let table = [
            ("delta", 1e-9, 0.0, false),
            ("guarantee.delta", 1e-9, 1.000_000_000_1e-9, false),
            ("request.epsilon", 0.1, 0.1 + 1e-12, false),
            ("readings[0].level", 0.95, 0.95 + 1e-12, false),
            ("readings[0].error", 1e-13, -1e-13, false),
            ("readings[0].error", 1e-13, 1e-13 * (1.0 + 1e-10), true),
            ("readings[0].error", 0.0, 1e-300, false),
            ("posterior.parameters[1]", 1e-6, 1e-6 + 1e-12, false),
            ("readings[0].rows[1].interval[0]", 1e-6, 1e-6 + 1e-12, true),
            ("readings[0].rows[1].interval[0]", 1e-6, 1e-6 + 1e-8, false),
            ("readings[0].rows[1].mean", 1e6, 1e6 + 1e-4, true),
        ];
        for (path, derived, given, same) in table {
            let number = |value| Number::from_f64(value).expect("finite");
            assert_eq!(
                is_near(Scale::of(path), &number(derived), &number(given)),
                same,
                "{path}: {derived} and {given}"
            );
        }
    }

    #[test]
    fn words_of_another_version_are_not_compared() {
        let (derived, given) = (json!({ "notes": ["a"], "n": 1 }), json!({ "notes": ["b"], "n": 2 }));
        assert_eq!(differences(&derived, &given, false).len(), 1);
        assert_eq!(differences(&derived, &given, true).len(), 2);
    }
}
