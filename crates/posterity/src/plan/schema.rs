//! Columns that are declared in a Frictionless Table Schema or Data Package.

use std::collections::BTreeMap;

use posterity_count::{Bins, Column, Domain};
use serde_json::Value;

use crate::kind::margins::Which;

/// The columns whose categories a schema declares, in its order: by `constraints.enum`, by `categories`, by the type
/// `boolean`, or for numbers by `bins`, a list of edges. Columns without any of them are left out.
///
/// The label of a category is one for readers, and `categoriesOrdered` (or `ordered`) says that the values have an order. Table
/// Schema allows other properties, so `bins`, `aliases`, `labels`, `ordered`, `whole`, `other` and `missing` are written as in a
/// plan.
///
/// ```
/// use posterity::plan::declared_columns;
/// let text = r#"{"fields": [{"name": "age", "bins": [0, 18, 65], "whole": true},
///     {"name": "ward", "categories": ["A", "B"], "aliases": {"A": ["a", "A "]}}]}"#;
/// let columns = declared_columns(text)?;
/// assert_eq!(columns[0].names(), ["[0,18)", "[18,65)"]);
/// assert_eq!(columns[0].labels["[18,65)"], "18 to 64");
/// assert_eq!(columns[1].aliases["A"], ["a", "A "]);
/// # Ok::<(), String>(())
/// ```
///
/// # Errors
/// What is wrong with the schema, and what to do.
pub fn declared_columns(text: &str) -> Result<Vec<Column>, String> {
    Ok(named_columns(text)?.into_iter().filter_map(|(_, column)| column).collect())
}

/// The same, if there are any.
///
/// # Errors
/// As [`declared_columns`], or that there are none.
pub fn needed_columns(text: &str) -> Result<Vec<Column>, String> {
    let declared = declared_columns(text)?;
    if declared.is_empty() {
        return Err("declares no values of any column; add constraints.enum or bins to its fields".to_owned());
    }
    Ok(declared)
}

/// The categories of [`declared_columns`] alone.
///
/// # Errors
/// As [`declared_columns`].
pub fn declared_fields(text: &str) -> Result<Vec<(String, Domain)>, String> {
    Ok(declared_columns(text)?.into_iter().map(|column| (column.name, column.domain)).collect())
}

/// All fields in the order of the schema, each with the categories that are declared for it.
///
/// # Errors
/// As [`declared_columns`].
pub fn named_fields(text: &str) -> Result<Vec<(String, Option<Domain>)>, String> {
    let domain = |(name, column): (String, Option<Column>)| (name, column.map(|column| column.domain));
    Ok(named_columns(text)?.into_iter().map(domain).collect())
}

/// All fields in the order of the schema, each with what is declared for it.
fn named_columns(text: &str) -> Result<Vec<(String, Option<Column>)>, String> {
    let schema: Value =
        serde_json::from_str(text).map_err(|error| format!("is not JSON ({error}); check the file"))?;
    let fields = fields(&schema).ok_or(
        "has no list \"fields\"; use a Table Schema (https://datapackage.org/standard/table-schema)",
    )?;
    let mut columns: Vec<(String, Option<Column>)> = Vec::new();
    for (index, field) in fields.iter().enumerate() {
        let name = field.get("name").and_then(Value::as_str);
        let name = name.ok_or_else(|| format!("has no name for field {}; add one", index + 1))?;
        let column = column(name, field)?;
        // Several tables of a package may have the same column, and only one of them declare its values.
        match columns.iter_mut().find(|(known, _)| known == name) {
            Some((_, Some(_))) if column.is_some() => {
                return Err(format!("names the field {name:?} twice; name each field once"));
            }
            Some((_, known)) => *known = known.take().or(column),
            None => columns.push((name.to_owned(), column)),
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
    Ok(needed_columns(text)?.into_iter().map(|column| (column.name, column.domain)).collect())
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

/// What a field declares, if it declares categories.
fn column(name: &str, field: &Value) -> Result<Option<Column>, String> {
    let Some(domain) = domain(name, field)? else { return Ok(None) };
    let wrong = |key: &str, expected: &str| {
        format!("has {key} of the field {name:?} that cannot be used: write them as {expected}")
    };
    let property = |key: &str| field.get(key).filter(|value| !value.is_null());
    let aliases = match property("aliases") {
        None => BTreeMap::new(),
        Some(given) => {
            let of_one = |value: &Value| match value {
                Value::Array(list) => list.iter().map(printed).collect::<Option<Vec<_>>>(),
                value => Some(vec![printed(value)?]),
            };
            by_category(given, of_one).ok_or_else(|| wrong("aliases", "{\"A\": [\"a\", \"A \"]}"))?
        }
    };
    let mut labels = listed_labels(field);
    if let Some(given) = property("labels") {
        let own = by_category(given, printed).ok_or_else(|| wrong("labels", "{\"1\": \"cured\"}"))?;
        labels.extend(own);
    }
    let truth = |key: &str| match property(key) {
        None => Ok(false),
        Some(given) => given
            .as_bool()
            .ok_or_else(|| format!("has {key:?} of the field {name:?} that is neither true nor false")),
    };
    let ordered = truth(if property("ordered").is_some() { "ordered" } else { "categoriesOrdered" })?;
    let extra = |key: &str| match property(key) {
        None => Ok(None),
        Some(Value::String(category)) if !category.trim().is_empty() => Ok(Some(category.clone())),
        Some(_) => Err(format!("has a category {key:?} of the field {name:?} that is no text; write a name")),
    };
    let (other, missing) = (extra("other")?, extra("missing")?);
    let column = Column { aliases, labels, ordered, other, missing, ..Column::of(name, domain) };
    let column = if truth("whole")? { column.of_whole_numbers() } else { column };
    column.check_spelling().map_err(|error| format!("has a field {name:?} that cannot be used: {error}"))?;
    Ok(Some(column))
}

/// The labels of categories that are listed as `{"value": .., "label": ..}`.
fn listed_labels(field: &Value) -> BTreeMap<String, String> {
    let listed = field.get("categories").and_then(Value::as_array);
    let label = |item: &Value| Some((printed(item.get("value")?)?, item.get("label")?.as_str()?.to_owned()));
    listed.into_iter().flatten().filter_map(label).filter(|(_, label)| !label.trim().is_empty()).collect()
}

/// A table from categories to something.
fn by_category<T>(given: &Value, of_one: impl Fn(&Value) -> Option<T>) -> Option<BTreeMap<String, T>> {
    given.as_object()?.iter().map(|(category, value)| Some((category.clone(), of_one(value)?))).collect()
}

/// Which categories a field declares, if it declares any.
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
    let item = |item: &Value| printed(item.get("value").unwrap_or(item)).ok_or_else(wrong);
    list.as_array().ok_or_else(wrong)?.iter().map(item).collect()
}

/// A text, a whole number or a truth value, as it is printed.
fn printed(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()),
        Value::Number(number) if number.is_i64() || number.is_u64() => Some(number.to_string()),
        Value::Bool(truth) => Some(truth.to_string()),
        _ => None,
    }
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
    fn spellings_are_read() {
        let text = r#"{"fields": [
            {"name": "state", "type": "integer", "categories": [{"value": 1, "label": "cured"}, {"value": 2, "label": "ill"}, 3],
             "categoriesOrdered": true, "aliases": {"1": ["yes", 11], "gone": "-9"}, "missing": "gone"},
            {"name": "ward", "constraints": {"enum": ["A", "B"]}, "labels": {"A": "Ward A"}, "other": "else"},
            {"name": "age", "type": "integer", "bins": [0, 18, 40.5], "whole": true, "labels": {"[18,40.5)": "adults"}},
            {"name": "mass", "type": "number", "bins": [0, 18, 40]}]}"#;
        let columns = declared_columns(text).expect("valid");
        let of = |name: &str| columns.iter().find(|column| column.name == name).expect(name).clone();
        let state = of("state");
        assert_eq!(
            (state.aliases["1"].join(" "), state.aliases["gone"].join(" ")),
            ("yes 11".into(), "-9".into())
        );
        assert_eq!(
            (state.labels["1"].as_str(), state.labels["2"].as_str(), state.labels.len()),
            ("cured", "ill", 2)
        );
        assert!(state.ordered && state.is_ordered() && of("age").is_ordered() && !of("ward").is_ordered());
        assert_eq!((of("ward").labels["A"].as_str(), of("ward").other.as_deref()), ("Ward A", Some("else")));
        assert_eq!(of("age").labels.into_values().collect::<Vec<_>>(), ["0 to 17", "adults"]);
        // Nobody says that masses are whole, and 17.5 lies between 0 and 18.
        assert!(of("mass").labels.is_empty());
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
            (
                r#"{"fields": [{"name": "a", "categories": ["x"], "aliases": ["y"]}]}"#,
                "aliases of the field \"a\"",
            ),
            (
                r#"{"fields": [{"name": "a", "categories": ["x"], "aliases": {"y": "z"}}]}"#,
                "the categories are \"x\"",
            ),
            (
                r#"{"fields": [{"name": "a", "categories": ["x", "y"], "aliases": {"y": "x"}}]}"#,
                "is itself a category",
            ),
            (
                r#"{"fields": [{"name": "a", "categories": ["x"], "labels": {"x": 0.5}}]}"#,
                "labels of the field \"a\"",
            ),
            (
                r#"{"fields": [{"name": "a", "categories": ["x"], "ordered": "yes"}]}"#,
                "neither true nor false",
            ),
            (r#"{"fields": [{"name": "a", "categories": ["x"], "missing": true}]}"#, "that is no text"),
            (r#"{"fields": [{"name": "a", "type": "boolean"}, {"name": "a", "type": "boolean"}]}"#, "twice"),
        ];
        for (text, why) in table {
            let error = declared_fields(text).expect_err("refused");
            assert!(error.contains(why), "{text}: {error}");
        }
    }
}
