//! A look at a file, for whoever prepares the data: what its columns hold, what of it is declared, what a release would do with
//! the rest, and what the schema would say. It is not private.

use posterity::data::{
    Adjacency, Column, Domain, LeftOut, LeftOutColumn, Look, LookedColumn, Looks, OUTSIDE_CELL, Question,
    UnitSizes,
};
use posterity::number::{count, grouped};
use serde::Serialize;
use serde_json::{Map, Value, json};

use crate::words::{counted, listed};

/// What was found in a file, beside what is declared. It is private data, without any noise.
#[derive(Clone, Default, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Looked {
    /// Always false: it shows data.
    pub private: bool,
    /// How many records there are.
    pub records: u64,
    /// How many of them count, or are among those of which a unit's record is chosen; nothing if no column was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub counted: Option<u64>,
    /// The character that separates the fields, if it is another one than was said.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub delimiter: Option<char>,
    /// The columns.
    pub columns: Vec<ShownColumn>,
    /// How many records units have, if there is a unit.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub units: Option<UnitSizes>,
    /// The records that do not count, or count elsewhere, by the reason.
    pub left_out: Vec<LeftPart>,
    /// The most frequent values that are not declared, of all columns.
    pub undeclared: Vec<Undeclared>,
}

/// What one column holds.
#[derive(Clone, Default, PartialEq, Serialize)]
#[non_exhaustive]
pub struct ShownColumn {
    /// Its name.
    pub name: String,
    /// What its values look like, in words.
    pub holds: String,
    /// How many values are missing.
    pub missing: u64,
    /// The least and the greatest number or day.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub range: Option<[String; 2]>,
    /// How many different values there are, if somebody asked and there are not too many.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub different: Option<u64>,
    /// What to know of it before it is released.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
    /// The declared values and how often they occur; nothing of bins, and if nobody asked.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub declared: Vec<Declared>,
    /// The most frequent values that are not declared.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub undeclared: Vec<Undeclared>,
}

/// A declared value.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Declared {
    /// The category.
    pub category: String,
    /// How many records have it, or an alias of it.
    pub records: u64,
    /// The aliases that occur.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub aliases: Vec<String>,
}

/// A value that is not declared.
#[derive(Clone, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Undeclared {
    /// Its column.
    pub column: String,
    /// The value.
    pub value: String,
    /// How many records have it.
    pub records: u64,
    /// The category of which it may be meant as an alias.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub alias_of: Option<String>,
    /// What a release does with it.
    pub becomes: String,
}

/// Records that do not count for one reason, or count elsewhere.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct LeftPart {
    /// The reason.
    pub why: String,
    /// How many records.
    pub records: u64,
    /// The category in which they count, if they do.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub counted_as: Option<String>,
    /// What a release does with them: "would be refused", "would be left out" or "counts as X".
    pub becomes: String,
}

/// What a release does with records that have no category.
fn becomes(counted_as: Option<&str>, adjacency: Adjacency) -> String {
    match (counted_as, adjacency) {
        (Some(category), _) => format!("counts as {category:?}"),
        (None, Adjacency::Replace) => "would be refused".to_owned(),
        (None, Adjacency::AddRemove) => "would be left out".to_owned(),
    }
}

/// What a value looks like, in words.
fn called(looks: Looks) -> &'static str {
    match looks {
        Looks::Whole => "whole numbers",
        Looks::Number => "numbers",
        Looks::DecimalComma => "numbers with a decimal comma",
        Looks::Day => "days",
        Looks::OtherDay => "days as 31.12.2025",
        Looks::Truth => "true or false",
        Looks::Text => "text",
        Looks::Blank => "blanks only",
        _ => "values without an exact name",
    }
}

/// What the values of a column look like: the most frequent first, with how many if there are several.
fn holds(looks: &[(Looks, u64)]) -> String {
    match looks {
        [] => "nothing".to_owned(),
        [(only, _)] => called(*only).to_owned(),
        // Whole numbers are numbers.
        [(Looks::Number, _), (Looks::Whole, _)] | [(Looks::Whole, _), (Looks::Number, _)] => {
            called(Looks::Number).to_owned()
        }
        several => {
            let one = |(looks, times): &(Looks, u64)| {
                format!("{} ({})", called(*looks), grouped(&times.to_string()))
            };
            several.iter().map(one).collect::<Vec<_>>().join(", ")
        }
    }
}

/// What to know of a column before it is released.
fn note(column: &LookedColumn) -> Option<String> {
    let times =
        |wanted: Looks| column.looks.iter().find(|(looks, _)| *looks == wanted).map(|(_, times)| *times);
    if let Some(times) = times(Looks::DecimalComma) {
        return Some(format!(
            "{} with a decimal comma {} no number here: write numbers with a point before they are sorted into bins",
            counted(times, "value"),
            if times == 1 { "is" } else { "are" }
        ));
    }
    times(Looks::OtherDay).map(|_| "days are compared only if they are written as 2025-12-31".to_owned())
}

impl Looked {
    /// What was found, for columns of which something is declared. `left_out` is what a count of the question leaves out.
    #[must_use]
    pub fn new(look: &Look, asked: Option<(&Question, &LeftOut)>) -> Self {
        let question = asked.map(|(question, _)| question);
        let columns: Vec<ShownColumn> = look
            .columns
            .iter()
            .map(|found| {
                let declared = question.into_iter().flat_map(|question| &question.columns);
                let place = declared.clone().position(|column| column.name == found.name);
                let lacks = place.and_then(|place| asked.and_then(|(_, left)| left.columns.get(place)));
                shown(found, declared.clone().find(|column| column.name == found.name), lacks, question)
            })
            .collect();
        Self {
            private: false,
            records: look.records,
            counted: asked.map(|(_, left)| left.counted),
            delimiter: look.delimiter,
            units: look.units,
            left_out: asked.map(|(question, left)| left_parts(question, left)).unwrap_or_default(),
            undeclared: columns.iter().flat_map(|column| column.undeclared.iter().cloned()).collect(),
            columns,
        }
    }

    /// Spellings that would count as a declared value if they were declared as its aliases.
    pub fn offered(&self) -> impl Iterator<Item = &Undeclared> {
        self.undeclared.iter().filter(|one| one.alias_of.is_some())
    }

    /// How the file is written, if it is written in another way than was said.
    #[must_use]
    pub fn written(&self) -> Option<String> {
        let sign = match self.delimiter? {
            ';' => "a semicolon",
            '\t' => "a tab",
            ',' => "a comma",
            '|' => "a bar (|)",
            _ => "another character",
        };
        Some(format!("The fields are separated by {sign}."))
    }

    /// How many records units have, in a sentence.
    #[must_use]
    pub fn of_units(&self, unit: &str) -> Option<String> {
        let UnitSizes { units, several, most, .. } = self.units?;
        let number = |number: u64| grouped(&number.to_string());
        Some(match several {
            0 => format!("Each of {} values of {unit:?} has one record.", number(units)),
            _ => format!(
                "{} values of {unit:?} tell people apart. {} of them have several records, one of them {}: each person counts once.",
                number(units),
                number(several),
                number(most)
            ),
        })
    }

    /// How many records count, in a sentence.
    #[must_use]
    pub fn in_all(&self) -> String {
        match self.counted {
            None => format!("{} records.", count(self.records as f64)),
            Some(counted) => format!(
                "{} of {} records count, or are among those of which a unit's record is chosen.",
                count(counted as f64),
                count(self.records as f64)
            ),
        }
    }
}

/// What a column holds, with what is declared of it and what it lacks.
fn shown(
    found: &LookedColumn,
    column: Option<&Column>,
    lacks: Option<&LeftOutColumn>,
    question: Option<&Question>,
) -> ShownColumn {
    let adjacency = question.map(|question| question.adjacency).unwrap_or_default();
    let undeclared = |column: &Column, value: &str, records: u64, alias_of: Option<String>| Undeclared {
        column: column.name.clone(),
        value: value.to_owned(),
        records,
        alias_of,
        becomes: becomes(column.other.as_deref(), adjacency),
    };
    let of = |column: &Column| -> Vec<Undeclared> {
        let listed = lacks.map(|lacks| lacks.most_frequent.as_slice()).unwrap_or_default();
        listed.iter().map(|one| undeclared(column, &one.value, one.records, one.alias_of.clone())).collect()
    };
    ShownColumn {
        name: found.name.clone(),
        holds: holds(&found.looks),
        missing: found.missing,
        range: found.range.clone(),
        different: found.different,
        note: note(found),
        declared: column.map(|column| declared(column, found)).unwrap_or_default(),
        undeclared: column.map(of).unwrap_or_default(),
    }
}

/// The declared values of a column, and how often each occurs.
fn declared(column: &Column, found: &LookedColumn) -> Vec<Declared> {
    let Domain::Values(values) = &column.domain else { return Vec::new() };
    let records = |name: &str| {
        found.values.iter().find(|(value, _)| value == name).map(|(_, times)| *times).unwrap_or_default()
    };
    let one = |category: &String| {
        let aliases = column.aliases.get(category).map(Vec::as_slice).unwrap_or_default();
        let occurring: Vec<&String> = aliases.iter().filter(|alias| records(alias) > 0).collect();
        let by_alias: u64 = occurring.iter().map(|alias| records(alias)).sum();
        Declared {
            category: category.clone(),
            records: records(category) + by_alias,
            aliases: occurring.into_iter().cloned().collect(),
        }
    };
    values.iter().map(one).collect()
}

/// The records that do not count, or count elsewhere.
fn left_parts(question: &Question, found: &LeftOut) -> Vec<LeftPart> {
    let adjacency = question.adjacency;
    let part = |why: String, records: u64, counted_as: Option<String>| LeftPart {
        becomes: becomes(counted_as.as_deref(), adjacency),
        why,
        records,
        counted_as,
    };
    let outside = question.within.is_some().then(|| OUTSIDE_CELL.to_owned());
    // Under replace a private filter without an answer is an error.
    let unanswered = outside.clone().filter(|_| adjacency == Adjacency::AddRemove);
    let whole = [
        LeftPart {
            becomes: "is not counted, as was asked".to_owned(),
            ..part("the filter is not true".to_owned(), found.filtered, None)
        },
        part("the filter has no answer".to_owned(), found.unanswered, None),
        part("outside the private filter".to_owned(), found.outside - found.within_unanswered, outside),
        part("the private filter has no answer".to_owned(), found.within_unanswered, unanswered),
        part("no unit".to_owned(), found.no_unit, None),
        part("no place in the order of the unit's records".to_owned(), found.no_order, None),
    ];
    let of_column = |(lacks, column): (&LeftOutColumn, &Column)| {
        let why = |what: &str| format!("{}: {what}", lacks.name);
        [
            part(why("not declared"), lacks.undeclared, column.other.clone()),
            part(why("missing"), lacks.missing, column.missing.clone()),
            part(why("no exact name"), lacks.unnamed, None),
        ]
    };
    let columns = found.columns.iter().zip(&question.columns).flat_map(of_column);
    whole.into_iter().chain(columns).filter(|part| part.records > 0).collect()
}

/// What is added to what is declared: spellings of declared values, and values that were known before anyone looked.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Additions {
    /// A column, a category and an alias.
    pub aliases: Vec<[String; 3]>,
    /// A column and a value.
    pub values: Vec<[String; 2]>,
}

impl Additions {
    /// Adds to what is declared of columns.
    ///
    /// # Errors
    /// A sentence about a column of which no values are declared.
    pub fn to(&self, columns: &[Column]) -> Result<Vec<Column>, String> {
        let mut columns = columns.to_vec();
        fn find<'a>(columns: &'a mut [Column], name: &str) -> Result<&'a mut Column, String> {
            let known: Vec<String> = columns.iter().map(|column| format!("{:?}", column.name)).collect();
            columns.iter_mut().find(|column| column.name == name).ok_or_else(|| {
                format!(
                    "no values are declared for the column {name:?}; the declared columns are {}",
                    listed(&known)
                )
            })
        }
        for [name, category, alias] in &self.aliases {
            let column = find(&mut columns, name)?;
            *column = column.clone().with_alias(category, alias);
        }
        for [name, value] in &self.values {
            let column = find(&mut columns, name)?;
            match &mut column.domain {
                Domain::Values(values) if values.contains(value) => {}
                Domain::Values(values) => values.push(value.clone()),
                Domain::Bins(_) => {
                    return Err(format!(
                        "{name:?} has bins, and no value by itself can be added; change its edges"
                    ));
                }
            }
        }
        columns.iter().try_for_each(Column::check_spelling).map_err(|error| error.to_string())?;
        Ok(columns)
    }
}

/// A Table Schema with all columns of a file, and what is declared of them. What another schema says beside is kept.
#[must_use]
pub fn schema(before: Option<&Value>, look: &Look, columns: &[Column]) -> Value {
    let mut schema = before.cloned().unwrap_or_else(|| json!({}));
    let listed = schema.get("fields").and_then(Value::as_array).cloned().unwrap_or_default();
    let named = |field: &Value, name: &str| field.get("name").and_then(Value::as_str) == Some(name);
    let found = look.columns.iter().filter(|found| !listed.iter().any(|field| named(field, &found.name)));
    let added = found.map(|found| json!({ "name": found.name, "type": kind(found) }));
    let with_values = |field: Value| {
        let column = columns.iter().find(|column| named(&field, &column.name));
        column.map_or_else(|| field.clone(), |column| declared_in(field.clone(), column))
    };
    let fields: Vec<Value> = listed.iter().cloned().chain(added).map(with_values).collect();
    if let Some(schema) = schema.as_object_mut() {
        schema.insert("fields".to_owned(), Value::Array(fields));
    }
    schema
}

/// The type of a column in a schema. It is a word for readers: what is counted does not depend on it.
fn kind(found: &LookedColumn) -> &'static str {
    match found.looks.as_slice() {
        [(Looks::Whole, _)] => "integer",
        [(Looks::Number, _)] | [(Looks::Number | Looks::Whole, _), (Looks::Number | Looks::Whole, _)] => {
            "number"
        }
        [(Looks::Day, _)] => "date",
        _ => "string",
    }
}

/// A field with what is declared of its column.
fn declared_in(field: Value, column: &Column) -> Value {
    let Value::Object(mut field) = field else { return field };
    let has = |field: &Map<String, Value>, names: &[String]| {
        let listed = field.get("constraints").and_then(|constraints| constraints.get("enum"));
        let listed = listed.or_else(|| field.get("categories")).and_then(Value::as_array);
        // A value may be listed with its label.
        let text = |value: &Value| {
            let value = value.get("value").unwrap_or(value);
            value.as_str().map_or_else(|| value.to_string(), ToOwned::to_owned)
        };
        listed.is_some_and(|listed| listed.iter().map(text).eq(names.iter().cloned()))
    };
    match &column.domain {
        // A boolean declares its values by its type.
        Domain::Values(values) if has(&field, values) || field.get("type") == Some(&json!("boolean")) => {}
        Domain::Values(values) => {
            field.remove("categories");
            field.insert("constraints".to_owned(), json!({ "enum": values }));
            if field.get("type").is_some_and(|kind| kind != "string" && kind != "integer") {
                field.insert("type".to_owned(), json!("string"));
            }
        }
        Domain::Bins(bins) => {
            let number = |edge: &String| {
                edge.parse::<serde_json::Number>().map_or_else(|_| json!(edge), Value::Number)
            };
            let edges: Vec<Value> = bins.edges().iter().map(number).collect();
            field.insert("bins".to_owned(), Value::Array(edges));
        }
    }
    if !column.aliases.is_empty() {
        field.insert("aliases".to_owned(), json!(column.aliases));
    }
    if !column.labels.is_empty() && field.get("whole").is_none() {
        field.insert("labels".to_owned(), json!(column.labels));
    }
    if column.ordered {
        field.insert("ordered".to_owned(), json!(true));
    }
    for (key, name) in [("other", &column.other), ("missing", &column.missing)] {
        if let Some(name) = name {
            field.insert(key.to_owned(), json!(name));
        }
    }
    Value::Object(field)
}

#[cfg(test)]
mod tests {
    use posterity::data::{Bins, LookedFor, Resources, Source, left_out, look};
    use posterity::plan::declared_columns;
    use std::ops::ControlFlow;

    use super::*;

    const STAYS: &str = "who;ward;age;cured\n1;Geriatrics;71;yes\n1;Geriatrics ;72;no\n2;surgery;40;yes\n3;Surgery;36,5;\n4;Hospice;17;no\n";

    fn columns() -> Vec<Column> {
        let bins = Bins::new(["0", "18", "65", "120"]).expect("bins");
        vec![
            Column::new("ward", ["Geriatrics", "Surgery"]),
            Column::binned("age", bins).of_whole_numbers(),
            Column { missing: Some("unknown".to_owned()), ..Column::new("cured", ["yes", "no"]) },
        ]
    }

    fn looked(question: &Question) -> (Look, Looked) {
        let file = tempfile::Builder::new().suffix(".csv").tempfile().expect("a file");
        std::fs::write(file.path(), STAYS).expect("written");
        let source = Source::files(file.path().to_str().expect("UTF-8")).with_delimiter(';');
        let go_on = |_| ControlFlow::Continue(());
        let values = question.columns.iter().map(|column| column.name.clone()).collect();
        let asked = LookedFor { values, unit: Some("who".to_owned()) };
        let found = look(&source, &asked, &Resources::default(), &go_on).expect("looked at");
        let left = left_out(&source, question, &Resources::default(), &go_on).expect("looked at");
        let shown = Looked::new(&found, Some((question, &left)));
        (found, shown)
    }

    /// If this fails, a steward is told that a release does something else with a value than it does.
    #[test]
    fn it_says_what_a_release_would_do() {
        for (adjacency, becomes) in
            [(Adjacency::Replace, "would be refused"), (Adjacency::AddRemove, "would be left out")]
        {
            let (_, found) = looked(&Question { adjacency, ..Question::new(columns()) });
            let of: Vec<(&str, &str, Option<&str>)> = found
                .undeclared
                .iter()
                .map(|one| (one.value.as_str(), one.becomes.as_str(), one.alias_of.as_deref()))
                .collect();
            assert_eq!(
                of,
                [
                    ("Geriatrics ", becomes, Some("Geriatrics")),
                    ("Hospice", becomes, None),
                    ("surgery", becomes, Some("Surgery")),
                    ("36,5", becomes, None),
                ]
            );
            let missing = found.left_out.iter().find(|part| part.why == "cured: missing").expect("missing");
            assert_eq!((missing.records, missing.becomes.as_str()), (1, "counts as \"unknown\""));
        }
        let (_, found) = looked(&Question::new(columns()));
        assert!(
            found.of_units("who").is_some_and(|said| said.contains("1 of them have several")),
            "{:?}",
            found.of_units("who")
        );
        let age = found.columns.iter().find(|column| column.name == "age").expect("a column");
        assert_eq!(age.holds, "whole numbers (4), numbers with a decimal comma (1)");
        assert!(age.note.as_deref().is_some_and(|note| note.starts_with("1 value with a decimal comma is")));
    }

    /// If this fails, a release by the schema that was written counts something else than was declared.
    #[test]
    fn the_schema_declares_what_was_declared() {
        let (look, found) = looked(&Question::new(columns()));
        let aliases = found
            .offered()
            .map(|one| [one.column.clone(), one.alias_of.clone().unwrap_or_default(), one.value.clone()]);
        let more =
            Additions { aliases: aliases.collect(), values: vec![["ward".to_owned(), "Hospice".to_owned()]] };
        let all = more.to(&columns()).expect("added");
        let written = schema(None, &look, &all);
        assert_eq!(declared_columns(&written.to_string()), Ok(all.clone()));
        assert_eq!(written["fields"][0], json!({ "name": "who", "type": "integer" }), "no values of people");
        // What another schema says is kept.
        let before = json!({ "title": "Stays", "fields": [
            { "name": "cured", "title": "Outcome", "categories": [{ "value": "yes", "label": "cured" }, "no"], "missing": "unknown" }] });
        let again = schema(Some(&before), &look, &declared_columns(&before.to_string()).expect("declared"));
        assert_eq!((&again["title"], &again["fields"][0]["title"]), (&json!("Stays"), &json!("Outcome")));
        assert_eq!(again["fields"][0]["categories"], before["fields"][0]["categories"]);
        let wrong = Additions { values: vec![["who".to_owned(), "5".to_owned()]], ..Additions::default() };
        assert!(
            wrong
                .to(&columns())
                .is_err_and(|why| why.contains("no values are declared for the column \"who\""))
        );
    }
}
