//! Columns that are declared in a Frictionless Table Schema or Data Package.

use posterity_count::{Bins, Domain};
use serde_json::Value;

use crate::kind::margins::Which;

/// The columns whose categories a schema declares, in its order: by `constraints.enum`, by `categories`, by the type
/// `boolean`, or for numbers by `bins`, a list of edges. Table Schema has no bins of its own and allows other properties, so
/// they are one. Columns without any of them are left out.
///
/// ```
/// use posterity::plan::declared_fields;
/// let fields = declared_fields(r#"{"fields": [{"name": "age", "type": "integer", "bins": [0, 18, 65]}]}"#)?;
/// assert_eq!(fields[0].1.names(), ["[0,18)", "[18,65)"]);
/// # Ok::<(), String>(())
/// ```
///
/// # Errors
/// What is wrong with the schema, and what to do.
pub fn declared_fields(text: &str) -> Result<Vec<(String, Domain)>, String> {
    let declared = |(name, domain): (String, Option<Domain>)| Some((name, domain?));
    Ok(named_fields(text)?.into_iter().filter_map(declared).collect())
}

/// All fields in the order of the schema, each with what is declared for it.
///
/// # Errors
/// As [`declared_fields`].
pub fn named_fields(text: &str) -> Result<Vec<(String, Option<Domain>)>, String> {
    let schema: Value =
        serde_json::from_str(text).map_err(|error| format!("is not JSON ({error}); check the file"))?;
    let fields = fields(&schema).ok_or(
        "has no list \"fields\"; use a Table Schema (https://datapackage.org/standard/table-schema)",
    )?;
    let mut columns: Vec<(String, Option<Domain>)> = Vec::new();
    for (index, field) in fields.iter().enumerate() {
        let name = field.get("name").and_then(Value::as_str);
        let name = name.ok_or_else(|| format!("has no name for field {}; add one", index + 1))?;
        let domain = domain(name, field)?;
        // Several tables of a package may have the same column, and only one of them declare its values.
        match columns.iter_mut().find(|(known, _)| known == name) {
            Some((_, Some(_))) if domain.is_some() => {
                return Err(format!("names the field {name:?} twice; name each field once"));
            }
            Some((_, known)) => *known = known.take().or(domain),
            None => columns.push((name.to_owned(), domain)),
        }
    }
    Ok(columns)
}

/// What a schema declares for a column.
///
/// # Errors
/// For which columns it does, if not for this one.
pub fn declared_field<'a>(fields: &'a [(String, Domain)], name: &str) -> Result<&'a Domain, String> {
    let found = fields.iter().find(|(known, _)| known == name).map(|(_, domain)| domain);
    found.ok_or_else(|| {
        let known = fields.iter().map(|(name, _)| format!("{name:?}")).collect::<Vec<_>>().join(", ");
        format!("the schema declares no values of {name:?}; it does of {known}")
    })
}

/// What a schema declares, if that is anything.
///
/// # Errors
/// What is wrong with it, behind a word for the schema.
pub fn needed_fields(text: &str) -> Result<Vec<(String, Domain)>, String> {
    let declared = declared_fields(text)?;
    if declared.is_empty() {
        return Err("declares no values of any column; add constraints.enum or bins to its fields".to_owned());
    }
    Ok(declared)
}

/// The declared columns that tables of many columns need: those of sets alone, or else all.
///
/// # Errors
/// Which of the sets' columns is not declared.
pub fn fields_of_sets(
    declared: Vec<(String, Domain)>,
    which: &Which,
) -> Result<Vec<(String, Domain)>, String> {
    if which.order.is_some() {
        return Ok(declared);
    }
    which.names().try_for_each(|name| declared_field(&declared, name).map(|_| ()))?;
    Ok(declared.into_iter().filter(|(name, _)| which.names().any(|known| known == name)).collect())
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

/// What a field declares, if it declares anything.
fn domain(name: &str, field: &Value) -> Result<Option<Domain>, String> {
    let listed = field.get("constraints").and_then(|constraints| constraints.get("enum"));
    let listed = listed.or_else(|| field.get("categories"));
    let boolean = field.get("type").and_then(Value::as_str) == Some("boolean");
    Ok(Some(match (listed, field.get("bins")) {
        (Some(_), Some(_)) => {
            return Err(format!("declares categories and bins of the field {name:?}; keep one of them"));
        }
        (Some(list), None) => Domain::Values(values(name, list)?),
        (None, Some(edges)) => Domain::Bins(bins(name, edges)?),
        (None, None) if boolean => Domain::Values(vec!["true".into(), "false".into()]),
        (None, None) => return Ok(None),
    }))
}

/// Bins between edges, which are numbers, or texts where all digits of a number matter.
fn bins(field: &str, edges: &Value) -> Result<Bins, String> {
    let wrong = |why: String| format!("has bins of the field {field:?} that cannot be used: {why}");
    let edge = |edge: &Value| match edge {
        Value::Number(number) => Some(number.to_string()),
        Value::String(text) => Some(text.clone()),
        _ => None,
    };
    let edges = edges.as_array().and_then(|list| list.iter().map(edge).collect::<Option<Vec<_>>>());
    let edges =
        edges.ok_or_else(|| wrong("they are no list of edges; write them as [0, 18, 65]".to_owned()))?;
    Bins::new(edges).map_err(|error| wrong(error.to_string()))
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
            {"name": "age", "type": "integer", "bins": [0, 18, 65.5, "120"]},
            {"name": "id", "type": "integer"}]}"#;
        let found = declared_fields(text).expect("valid");
        let names = |name: &str| declared_field(&found, name).expect("declared").names().join(" ");
        assert_eq!(found.len(), 5);
        let all = named_fields(text).expect("valid");
        assert_eq!((all.len(), all.last()), (6, Some(&("id".to_owned(), None))));
        assert_eq!(names("age"), "[0,18) [18,65.5) [65.5,120)");
        assert_eq!(names("gender") + " " + &names("grade"), "male female 1 2");
        assert_eq!(names("size") + " " + &names("member"), "s l true false");
        let resource = format!(r#"{{"name": "x", "schema": {text}}}"#);
        let package = format!(r#"{{"resources": [{{"name": "y"}}, {resource}]}}"#);
        assert_eq!(declared_fields(&resource), Ok(found.clone()));
        assert_eq!(declared_fields(&package), Ok(found));
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
            (r#"{"fields": [{"name": "a", "bins": 5}]}"#, "bins of the field \"a\" that cannot be used"),
            (r#"{"fields": [{"name": "a", "bins": [0, true]}]}"#, "write them as [0, 18, 65]"),
            (r#"{"fields": [{"name": "a", "bins": [0, 18, 18]}]}"#, "is not larger than the one before"),
            (r#"{"fields": [{"name": "a", "bins": [0]}]}"#, "need at least two"),
            (r#"{"fields": [{"name": "a", "bins": [0, 1], "categories": ["x"]}]}"#, "keep one of them"),
            (r#"{"fields": [{"name": "a", "type": "boolean"}, {"name": "a", "type": "boolean"}]}"#, "twice"),
        ];
        for (text, why) in table {
            let error = declared_fields(text).expect_err("refused");
            assert!(error.contains(why), "{text}: {error}");
        }
    }
}
