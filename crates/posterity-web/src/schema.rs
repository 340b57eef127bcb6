//! Declared categories from a description of a table: a Frictionless Table Schema or Data Package.

use serde::Deserialize;
use thiserror::Error;

/// One column with the values that are declared for it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct DeclaredColumn {
    pub(crate) name: String,
    pub(crate) values: Vec<String>,
}

/// The file is no description of a table.
#[derive(Debug, PartialEq, Eq, Error)]
pub(crate) enum SchemaError {
    #[error("the schema is no JSON that describes fields; give a Frictionless Table Schema or Data Package")]
    Unreadable,
    #[error(
        "the schema declares no values for any field; add \"constraints\": {{\"enum\": [...]}} to a field"
    )]
    NoValues,
}

#[derive(Deserialize)]
struct Package {
    #[serde(default)]
    resources: Vec<Resource>,
    #[serde(default)]
    fields: Vec<Field>,
}

#[derive(Deserialize)]
struct Resource {
    schema: Option<Table>,
}

#[derive(Deserialize)]
struct Table {
    #[serde(default)]
    fields: Vec<Field>,
}

#[derive(Deserialize)]
struct Field {
    name: String,
    #[serde(default)]
    constraints: Constraints,
    #[serde(default)]
    categories: Vec<Category>,
}

#[derive(Default, Deserialize)]
struct Constraints {
    #[serde(default, rename = "enum")]
    values: Vec<serde_json::Value>,
}

/// A value, or a value with a label.
#[derive(Deserialize)]
#[serde(untagged)]
enum Category {
    Labelled { value: serde_json::Value },
    Plain(serde_json::Value),
}

/// The columns with declared values: `categories`, or else `constraints.enum`.
pub(crate) fn declared(text: &str) -> Result<Vec<DeclaredColumn>, SchemaError> {
    let value: serde_json::Value = serde_json::from_str(text).map_err(|_| SchemaError::Unreadable)?;
    // A list would be read as the fields of a struct in their order.
    let package: Option<Package> = value.is_object().then(|| serde_json::from_value(value).ok()).flatten();
    let package = package.ok_or(SchemaError::Unreadable)?;
    let tables = package.resources.into_iter().filter_map(|resource| resource.schema);
    let fields = package.fields.into_iter().chain(tables.flat_map(|table| table.fields));
    let columns = fields.filter_map(|field| {
        let values: Vec<String> = if field.categories.is_empty() {
            field.constraints.values.iter().filter_map(written).collect()
        } else {
            let value = |category: &Category| match category {
                Category::Labelled { value } | Category::Plain(value) => written(value),
            };
            field.categories.iter().filter_map(value).collect()
        };
        (values.len() >= 2).then_some(DeclaredColumn { name: field.name, values })
    });
    let columns: Vec<DeclaredColumn> = columns.collect();
    if columns.is_empty() { Err(SchemaError::NoValues) } else { Ok(columns) }
}

/// A value as it is written in a file.
fn written(value: &serde_json::Value) -> Option<String> {
    match value {
        serde_json::Value::String(text) => Some(text.clone()),
        serde_json::Value::Number(_) | serde_json::Value::Bool(_) => Some(value.to_string()),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn accepts() {
        let table = r#"{"fields": [{"name": "cured", "type": "string", "constraints": {"enum": ["yes", "no"]}},
            {"name": "age", "type": "integer"},
            {"name": "grade", "type": "integer", "categories": [{"value": 1, "label": "low"}, {"value": 2}, 3]}]}"#;
        let columns = declared(table).expect("declared");
        assert_eq!(
            columns[0],
            DeclaredColumn { name: "cured".into(), values: vec!["yes".into(), "no".into()] }
        );
        assert_eq!(columns[1].values, ["1", "2", "3"]);
        let package = format!(r#"{{"resources": [{{"name": "x", "schema": {table}}}]}}"#);
        assert_eq!(declared(&package), Ok(columns));
    }

    #[test]
    fn rejects() {
        for text in ["", "[]", "{\"fields\": 3}", "yes,no"] {
            assert_eq!(declared(text), Err(SchemaError::Unreadable), "{text}");
        }
        for text in [
            "{}",
            "{\"fields\": [{\"name\": \"a\"}]}",
            "{\"fields\": [{\"name\": \"a\", \"constraints\": {\"enum\": [1]}}]}",
        ] {
            assert_eq!(declared(text), Err(SchemaError::NoValues), "{text}");
        }
    }
}
