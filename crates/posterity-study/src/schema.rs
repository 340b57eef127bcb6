//! Columns that are declared in a Frictionless Table Schema or Data Package.

use std::collections::BTreeMap;

use posterity::data::Domain;
use serde_json::Value;

/// The columns whose categories a schema declares, by `constraints.enum`, by `categories`, or by the type `boolean`.
/// Columns without any of them are left out.
///
/// # Errors
/// What is wrong with the schema, and what to do.
pub fn declared_columns(text: &str) -> Result<BTreeMap<String, Domain>, String> {
    Ok(declared_fields(text)?.into_iter().collect())
}

/// The same in the order of the schema.
///
/// # Errors
/// As [`declared_columns`].
pub fn declared_fields(text: &str) -> Result<Vec<(String, Domain)>, String> {
    let schema: Value =
        serde_json::from_str(text).map_err(|error| format!("is not JSON ({error}); check the file"))?;
    let fields = fields(&schema).ok_or(
        "has no list \"fields\"; use a Table Schema (https://datapackage.org/standard/table-schema)",
    )?;
    let mut columns: Vec<(String, Domain)> = Vec::new();
    for (index, field) in fields.iter().enumerate() {
        let name = field.get("name").and_then(Value::as_str);
        let name = name.ok_or_else(|| format!("has no name for field {}; add one", index + 1))?;
        let listed = field.get("constraints").and_then(|constraints| constraints.get("enum"));
        let values = match (listed.or_else(|| field.get("categories")), field.get("type")) {
            (Some(list), _) => values(name, list)?,
            (None, Some(Value::String(kind))) if kind == "boolean" => vec!["true".into(), "false".into()],
            (None, _) => continue,
        };
        if columns.iter().any(|(known, _)| known == name) {
            return Err(format!("names the field {name:?} twice; name each field once"));
        }
        columns.push((name.to_owned(), Domain::Values(values)));
    }
    Ok(columns)
}

/// The fields of a schema, of a resource with a schema, or of all resources of a package.
fn fields(schema: &Value) -> Option<Vec<&Value>> {
    fn listed(schema: &Value) -> Option<&Vec<Value>> {
        schema.get("fields")?.as_array()
    }
    if let Some(fields) = listed(schema).or_else(|| listed(schema.get("schema")?)) {
        return Some(fields.iter().collect());
    }
    let resources = schema.get("resources")?.as_array()?.iter();
    Some(resources.filter_map(|resource| listed(resource.get("schema")?)).flatten().collect())
}

fn values(field: &str, list: &Value) -> Result<Vec<String>, String> {
    let wrong = || {
        format!(
            "has categories of the field {field:?} that are no list of texts, whole numbers or truth values"
        )
    };
    let label = |value: &Value| match value {
        Value::String(text) => Some(text.clone()),
        Value::Number(number) if number.is_i64() || number.is_u64() => Some(number.to_string()),
        Value::Bool(truth) => Some(truth.to_string()),
        _ => None,
    };
    let item = |item: &Value| label(item.get("value").unwrap_or(item)).ok_or_else(wrong);
    list.as_array().ok_or_else(wrong)?.iter().map(item).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn accepts() {
        let text = r#"{"fields": [
            {"name": "gender", "type": "string", "constraints": {"enum": ["male", "female"]}},
            {"name": "grade", "type": "integer", "constraints": {"enum": [1, 2], "required": true}},
            {"name": "size", "categories": [{"value": "s", "label": "small"}, {"value": "l", "label": "large"}]},
            {"name": "member", "type": "boolean"},
            {"name": "age", "type": "integer"}]}"#;
        let found = declared_columns(text).expect("valid");
        let names = |name: &str| found[name].names().join(" ");
        assert_eq!(found.len(), 4);
        assert_eq!(names("gender") + " " + &names("grade"), "male female 1 2");
        assert_eq!(names("size") + " " + &names("member"), "s l true false");
        let resource = format!(r#"{{"name": "x", "schema": {text}}}"#);
        let package = format!(r#"{{"resources": [{{"name": "y"}}, {resource}]}}"#);
        assert_eq!(declared_columns(&resource), Ok(found.clone()));
        assert_eq!(declared_columns(&package), Ok(found));
    }

    #[test]
    fn rejects() {
        let table = [
            ("{", "is not JSON"),
            ("{}", "has no list"),
            (r#"{"fields": [{}]}"#, "no name for field 1"),
            (
                r#"{"fields": [{"name": "a", "constraints": {"enum": [1.5]}}]}"#,
                "categories of the field \"a\"",
            ),
            (r#"{"fields": [{"name": "a", "type": "boolean"}, {"name": "a", "type": "boolean"}]}"#, "twice"),
        ];
        for (text, why) in table {
            let error = declared_columns(text).expect_err("refused");
            assert!(error.contains(why), "{text}: {error}");
        }
    }
}
