//! The form of release documents, as the schemas in docs describe it.

use serde_json::Value;

/// What of the document does not fit the schema: the first place, or nothing. Knows the words that the schema uses, and
/// refuses others.
fn misfit(schema: &Value, value: &Value, place: &str) -> Option<String> {
    let wrong = |what: &str| Some(format!("{place}: {what}"));
    for (word, rule) in schema.as_object()? {
        let fits = match word.as_str() {
            "$schema" | "title" | "description" => true,
            "type" => match rule {
                Value::Array(kinds) => kinds.iter().any(|kind| is(value, kind)),
                kind => is(value, kind),
            },
            "const" => rule == value,
            "enum" => rule.as_array().is_some_and(|all| all.contains(value)),
            "minimum" => value.as_f64() >= rule.as_f64(),
            "maximum" => value.as_f64() <= rule.as_f64(),
            "exclusiveMinimum" => value.as_f64() > rule.as_f64(),
            "required" => rule.as_array().is_some_and(|names| {
                names.iter().all(|name| name.as_str().is_some_and(|name| value.get(name).is_some()))
            }),
            // What has no rule of its own has this one, or may not be there.
            "additionalProperties" => {
                let others = value.as_object().into_iter().flatten();
                let mut others = others.filter(|(key, _)| schema["properties"].get(key).is_none());
                match rule {
                    Value::Bool(_) => others.next().is_none(),
                    rule => {
                        for (key, inner) in others {
                            if let Some(found) = misfit(rule, inner, &format!("{place}.{key}")) {
                                return Some(found);
                            }
                        }
                        true
                    }
                }
            }
            "properties" => {
                let object = value.as_object()?;
                for (key, inner) in object {
                    if let Some(rule) = rule.get(key)
                        && let Some(found) = misfit(rule, inner, &format!("{place}.{key}"))
                    {
                        return Some(found);
                    }
                }
                true
            }
            "items" => {
                for (index, item) in value.as_array()?.iter().enumerate() {
                    if let Some(found) = misfit(rule, item, &format!("{place}[{index}]")) {
                        return Some(found);
                    }
                }
                true
            }
            _ => return wrong(&format!("the schema says {word}, which this test does not know")),
        };
        if !fits {
            return wrong(&format!("{word} does not hold"));
        }
    }
    None
}

fn is(value: &Value, kind: &Value) -> bool {
    match kind.as_str() {
        Some("object") => value.is_object(),
        Some("array") => value.is_array(),
        Some("string") => value.is_string(),
        Some("number") => value.is_number(),
        Some("integer") => value.is_u64() || value.is_i64(),
        Some("boolean") => value.is_boolean(),
        Some("null") => value.is_null(),
        _ => false,
    }
}

fn schema() -> Value {
    serde_json::from_str(include_str!("../../../../docs/release.schema.json")).expect("JSON")
}

/// The form of discovered categories.
fn discovered() -> Value {
    serde_json::from_str(include_str!("../../../../docs/discovered.schema.json")).expect("JSON")
}

/// The form of tables of many columns.
fn margins() -> Value {
    serde_json::from_str(include_str!("../../../../docs/margins.schema.json")).expect("JSON")
}

/// Checks a document that looks like a release.
pub(crate) fn check(document: &Value) {
    if document.get("drawn").is_some() {
        let schema = match document.get("kind").and_then(Value::as_str) {
            Some("table") => schema(),
            Some("discovered") => discovered(),
            _ => margins(),
        };
        assert_eq!(misfit(&schema, document, "release"), None, "{document:#}");
    }
}

/// A test that accepts everything would show nothing.
#[test]
fn the_check_can_fail() {
    let document = crate::document(&["release", "--counts", "48,42", "--epsilon", "1", "--format", "json"]);
    let with = |key: &str, value: Value| {
        let mut changed = document.clone();
        changed[key] = value;
        misfit(&schema(), &changed, "release")
    };
    assert_eq!(misfit(&schema(), &document, "release"), None);
    assert!(with("n", serde_json::json!("90")).is_some());
    assert!(with("n", serde_json::json!(0)).is_some());
    assert!(with("format", serde_json::json!(1)).is_some());
    assert!(with("drawn", serde_json::json!([1.5])).is_some());
    assert!(with("drawn", serde_json::json!([i64::MAX])).is_some());
    assert!(with("surprise", serde_json::json!(1)).is_some());
    assert!(with("guarantee", serde_json::json!({ "kind": "pure" })).is_some());
    let mut cut = document.clone();
    cut.as_object_mut().expect("an object").remove("drawn");
    assert!(misfit(&schema(), &cut, "release").is_some());
}
