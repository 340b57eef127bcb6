//! Documents and sheets as R values.

use std::fmt;

use extendr_api::prelude::*;
use posterity_present::{Sheet, Value};
use serde::de::{MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize};

use crate::failure::Failure;

/// A document in the order in which it is printed.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Json {
    Nothing,
    Truth(bool),
    Number(f64),
    Text(String),
    List(Vec<Json>),
    Object(Vec<(String, Json)>),
}

impl<'de> Deserialize<'de> for Json {
    fn deserialize<D: Deserializer<'de>>(from: D) -> std::result::Result<Self, D::Error> {
        from.deserialize_any(Reader)
    }
}

struct Reader;

impl<'de> Visitor<'de> for Reader {
    type Value = Json;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a document")
    }

    fn visit_unit<E>(self) -> std::result::Result<Json, E> {
        Ok(Json::Nothing)
    }

    fn visit_bool<E>(self, truth: bool) -> std::result::Result<Json, E> {
        Ok(Json::Truth(truth))
    }

    fn visit_u64<E>(self, number: u64) -> std::result::Result<Json, E> {
        Ok(Json::Number(number as f64))
    }

    fn visit_i64<E>(self, number: i64) -> std::result::Result<Json, E> {
        Ok(Json::Number(number as f64))
    }

    fn visit_f64<E>(self, number: f64) -> std::result::Result<Json, E> {
        Ok(Json::Number(number))
    }

    fn visit_str<E>(self, text: &str) -> std::result::Result<Json, E> {
        Ok(Json::Text(text.to_owned()))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut from: A) -> std::result::Result<Json, A::Error> {
        let mut all = Vec::new();
        while let Some(one) = from.next_element()? {
            all.push(one);
        }
        Ok(Json::List(all))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut from: A) -> std::result::Result<Json, A::Error> {
        let mut all = Vec::new();
        while let Some(one) = from.next_entry()? {
            all.push(one);
        }
        Ok(Json::Object(all))
    }
}

/// A document as it is printed.
pub(crate) fn text(document: &impl Serialize) -> Result<String, Failure> {
    posterity::json::text(document).map_err(|_| Failure::Internal("the document could not be written"))
}

/// A document, read again.
pub(crate) fn parsed(document: &impl Serialize) -> Result<Json, Failure> {
    serde_json::from_str(&text(document)?).map_err(|_| Failure::Internal("the document could not be read"))
}

/// A document as lists, vectors and data frames.
pub(crate) fn object(document: &impl Serialize) -> Result<Robj, Failure> {
    Ok(parsed(document)?.value())
}

impl Json {
    /// As an R value: objects are lists, and lists of one type are vectors. Objects in a list make a data frame.
    pub(crate) fn value(&self) -> Robj {
        match self {
            Self::Nothing => ().into(),
            Self::Truth(truth) => (*truth).into(),
            Self::Number(number) => (*number).into(),
            Self::Text(text) => text.as_str().into(),
            Self::List(all) if !all.is_empty() && all.iter().all(|one| matches!(one, Self::Object(_))) => {
                frame(all)
            }
            Self::List(all) => vector(&all.iter().collect::<Vec<_>>()),
            Self::Object(all) => list(all.iter().map(|(name, one)| (name.as_str(), one.value()))),
        }
    }

    fn field(&self, name: &str) -> &Self {
        let Self::Object(all) = self else { return &Self::Nothing };
        all.iter().find(|(known, _)| known == name).map_or(&Self::Nothing, |(_, value)| value)
    }
}

/// A list with names.
pub(crate) fn list<'a>(pairs: impl IntoIterator<Item = (&'a str, Robj)>) -> Robj {
    List::from_pairs(pairs.into_iter().collect::<Vec<_>>()).into()
}

/// A vector of values of one type, in which nothing is missing; a list of values of several types.
fn vector(all: &[&Json]) -> Robj {
    let is = |kind: fn(&Json) -> bool| all.iter().all(|one| kind(one) || **one == Json::Nothing);
    if is(|one| matches!(one, Json::Number(_))) {
        let numbers = all.iter().map(|one| if let Json::Number(number) = one { Some(*number) } else { None });
        return numbers.collect::<Vec<Option<f64>>>().into();
    }
    if is(|one| matches!(one, Json::Text(_))) {
        let texts = all.iter().map(|one| if let Json::Text(text) = one { Some(text.clone()) } else { None });
        return texts.collect::<Vec<Option<String>>>().into();
    }
    if is(|one| matches!(one, Json::Truth(_))) {
        let truths = all.iter().map(|one| if let Json::Truth(truth) = one { Some(*truth) } else { None });
        return truths.collect::<Vec<Option<bool>>>().into();
    }
    all.iter().map(|one| one.value()).collect::<Vec<Robj>>().into()
}

/// Objects as the rows of a data frame, with a column for each name that one of them has.
fn frame(rows: &[Json]) -> Robj {
    let mut names: Vec<&str> = Vec::new();
    for row in rows {
        let Json::Object(fields) = row else { continue };
        for (name, _) in fields {
            if !names.contains(&name.as_str()) {
                names.push(name);
            }
        }
    }
    let column = |name: &&str| vector(&rows.iter().map(|row| row.field(name)).collect::<Vec<_>>());
    data_frame(&names, names.iter().map(column).collect(), rows.len())
}

/// A data frame of columns.
fn data_frame(names: &[&str], columns: Vec<Robj>, length: usize) -> Robj {
    let mut frame = List::from_values(columns);
    let rows: Vec<i32> = (1..=i32::try_from(length).unwrap_or(i32::MAX)).collect();
    // Attributes of a new list can always be set.
    let _ = frame.set_names(names);
    let _ = frame.set_attrib("row.names", rows);
    let _ = frame.set_class(["data.frame"]);
    frame.into()
}

/// A sheet as a data frame, each column of the type of its values.
pub(crate) fn sheet(sheet: Sheet<'_>) -> Robj {
    let names: Vec<String> = sheet.columns.iter().map(|column| column.name.to_string()).collect();
    let rows: Vec<Vec<Json>> = sheet.rows.map(|row| row.iter().map(cell).collect()).collect();
    let column = |place: usize| vector(&rows.iter().map(|row| &row[place]).collect::<Vec<_>>());
    let columns = (0..names.len()).map(column).collect();
    data_frame(&names.iter().map(String::as_str).collect::<Vec<_>>(), columns, rows.len())
}

fn cell(value: &Value<'_>) -> Json {
    match value {
        Value::Text(text) | Value::Warning(text) => Json::Text(text.to_string()),
        Value::Whole(number) => Json::Number(*number as f64),
        Value::Real(number) => Json::Number(*number),
        Value::Truth(truth) => Json::Truth(*truth),
        Value::Missing => Json::Nothing,
    }
}

/// Numbers with names.
pub(crate) fn numbers<'a>(names: impl IntoIterator<Item = &'a str>, numbers: Vec<f64>) -> Robj {
    let mut vector = Robj::from(numbers);
    // Attributes of a new vector can always be set.
    let _ = vector.set_names(names.into_iter().collect::<Vec<_>>());
    vector
}
