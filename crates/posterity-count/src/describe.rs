//! A canonical text of a question.

use std::collections::BTreeMap;

use posterity_core::model::Adjacency;
use posterity_formats::{Encoding, Format, Location, Relation, Source};
use serde::Serialize;

use crate::question::{Column, Domain, Question};

/// A text that is the same for the same question of the same source, for use as a key.
///
/// It is JSON with a fixed order of fields. Aliases are a part of it, in the order of their letters; labels and the order
/// of values are not, because they change nothing that is counted. The source stands as it was given: no file is looked at, so neither
/// its size nor its content enters. A table of a server stands there by host, port, database, schema and name, without
/// the user who reads it. Options that were not given are left out.
///
/// ```
/// use posterity_count::{Column, Question, Source, describe};
/// let question = Question::new(vec![Column::new("cured", ["yes", "no"])]);
/// assert_eq!(
///     describe(&Source::files("people.csv"), &question),
///     r#"{"version":1,"source":{"files":"people.csv"},"columns":[{"name":"cured","values":["yes","no"]}]}"#,
/// );
/// ```
#[must_use]
pub fn describe(source: &Source, question: &Question) -> String {
    let (mut files, mut postgres, mut registered, mut input) = (None, None, None, None);
    match source.location() {
        Location::Files(path) => files = Some(path.as_str()),
        Location::Postgres(server) => postgres = Some(server.to_string()),
        Location::Table(table) => registered = Some(table.as_str()),
        Location::StandardInput { name } => input = Some(name.as_deref().unwrap_or_default()),
    }
    let (table, view) = match source.relation() {
        Some(Relation::Table(name)) => (Some(name.as_str()), None),
        Some(Relation::View(name)) => (None, Some(name.as_str())),
        None => (registered, None),
    };
    let (format, delimiter, encoding) = (source.format(), source.delimiter(), source.encoding());
    let description = Description {
        version: 1,
        source: SourceDescription { files, postgres, table, view, input, format, delimiter, encoding },
        columns: question.columns.iter().map(ColumnDescription::new).collect(),
        filter: question.filter.as_deref(),
        within: question.within.as_deref(),
        unit: question.unit.as_deref(),
        per_unit: question.unit.as_ref().map(|_| question.per_unit.to_string()),
        adjacency: (question.adjacency != Adjacency::Replace).then_some(question.adjacency),
    };
    // Text and lists of text: nothing that JSON could not write.
    serde_json::to_string(&description).unwrap_or_default()
}

#[derive(Serialize)]
struct Description<'a> {
    version: u8,
    source: SourceDescription<'a>,
    columns: Vec<ColumnDescription<'a>>,
    #[serde(rename = "where", skip_serializing_if = "Option::is_none")]
    filter: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    within: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    unit: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    per_unit: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    adjacency: Option<Adjacency>,
}

#[derive(Serialize)]
struct SourceDescription<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    files: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    postgres: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    table: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    view: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    input: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    format: Option<Format>,
    #[serde(skip_serializing_if = "Option::is_none")]
    delimiter: Option<char>,
    #[serde(skip_serializing_if = "Option::is_none")]
    encoding: Option<Encoding>,
}

#[derive(Serialize)]
struct ColumnDescription<'a> {
    name: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    values: Option<&'a [String]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    bins: Option<&'a [String]>,
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    aliases: BTreeMap<&'a str, Vec<&'a str>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    other: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    missing: Option<&'a str>,
}

impl<'a> ColumnDescription<'a> {
    fn new(column: &'a Column) -> Self {
        let (values, bins) = match &column.domain {
            Domain::Values(values) => (Some(values.as_slice()), None),
            Domain::Bins(bins) => (None, Some(bins.edges())),
        };
        let (other, missing) = (column.other.as_deref(), column.missing.as_deref());
        let sorted = |(category, aliases): (&'a String, &'a Vec<String>)| {
            let mut aliases: Vec<&str> = aliases.iter().map(String::as_str).collect();
            aliases.sort_unstable();
            (!aliases.is_empty()).then_some((category.as_str(), aliases))
        };
        let aliases = column.aliases.iter().filter_map(sorted).collect();
        Self { name: &column.name, values, bins, aliases, other, missing }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// If this fails, a ledger takes a question with aliases for one without, or charges twice for other words.
    #[test]
    fn aliases_are_asked_and_words_are_not() {
        let of = |column: Column| describe(&Source::files("p.csv"), &Question::new(vec![column]));
        let plain = || Column::new("a", ["x", "y"]);
        let aliased = plain().with_alias("y", "Y").with_alias("x", "X ").with_alias("x", "X");
        let columns = r#""columns":[{"name":"a","values":["x","y"],"aliases":{"x":["X","X "],"y":["Y"]}}]}"#;
        assert!(of(aliased.clone()).ends_with(columns), "{}", of(aliased.clone()));
        let again = plain().with_alias("x", "X").with_alias("y", "Y").with_alias("x", "X ");
        assert_eq!(of(again), of(aliased));
        let worded = Column { ordered: true, ..plain().with_label("x", "first") };
        assert_eq!(of(worded), of(plain()));
    }

    #[test]
    fn everything_that_changes_the_answer_is_named() {
        let column = Column { other: Some("o".into()), ..Column::new("a", ["x", "y"]) };
        let question = Question {
            filter: Some("age > 30".into()),
            unit: Some("id".into()),
            ..Question::new(vec![
                column,
                Column { missing: Some("m".into()), ..Column::new("b", ["u", "v"]) },
            ])
        };
        let source = Source::files("p.txt").with_format(Format::Csv).with_delimiter(';');
        assert_eq!(
            describe(&source, &question),
            concat!(
                r#"{"version":1,"source":{"files":"p.txt","format":"csv","delimiter":";"},"#,
                r#""columns":[{"name":"a","values":["x","y"],"other":"o"},"#,
                r#"{"name":"b","values":["u","v"],"missing":"m"}],"#,
                r#""where":"age > 30","unit":"id","per_unit":"random"}"#
            )
        );
        let encoded = Source::files("p.csv").with_encoding(Encoding::Windows1252);
        assert!(describe(&encoded, &question).contains(r#"{"files":"p.csv","encoding":"windows-1252"}"#));
        for (relation, expected) in [
            (Relation::Table("t".into()), r#"{"files":"p.sqlite","table":"t"}"#),
            (Relation::View("v".into()), r#"{"files":"p.sqlite","view":"v"}"#),
        ] {
            let source = Source::files("p.sqlite").with_relation(relation);
            assert!(describe(&source, &question).contains(expected));
        }
        for address in
            ["postgres://ada@DB.example/clinic", "postgresql://bo@db.example:5432/clinic?sslmode=disable"]
        {
            let server = address.parse().expect(address);
            let source = Source::postgres(server).with_relation(Relation::Table("visits".into()));
            let expected = r#"{"postgres":"postgres://db.example:5432/clinic","table":"public.visits"}"#;
            assert!(describe(&source, &question).contains(expected));
        }
        let within = Question { within: Some("sex = 'f'".into()), filter: None, ..question.clone() };
        assert!(describe(&source, &within).contains(r#"],"within":"sex = 'f'","unit":"id""#));
        assert!(describe(&Source::table("t"), &question).contains(r#""source":{"table":"t"}"#));
        let added = Question { adjacency: Adjacency::AddRemove, ..question };
        let end = r#""unit":"id","per_unit":"random","adjacency":"add-remove"}"#;
        assert!(describe(&source, &added).ends_with(end));
    }
}
