//! What a release is about: the source, the columns and the rules of counting.

use serde::{Deserialize, Serialize};

/// Where the data comes from and what was asked of it. All of it is public; none of it is learned from the data.
///
/// The categories are those of the release itself.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct About {
    /// The source as it was given, or the name that its owner gave to data in memory; absent for counts and data without
    /// a name.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub source: Option<String>,
    /// The columns that were counted; none for counts that someone typed.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub columns: Vec<AboutColumn>,
    /// The category of other values, if there is one.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub other: Option<String>,
    /// The category of missing values, if there is one.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub missing: Option<String>,
    /// The condition on records that were counted.
    #[serde(rename = "where", skip_serializing_if = "Option::is_none", default)]
    pub filter: Option<String>,
    /// The condition on records inside; all others were counted in a cell of their own.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub within: Option<String>,
    /// The column of the unit: each of its values counts once.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub unit: Option<String>,
    /// By which of its records a unit counts.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub per_unit: Option<String>,
}

/// One column of a question.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct AboutColumn {
    /// Its name.
    pub name: String,
    /// The edges between which its numbers were sorted.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub bins: Option<Vec<String>>,
    /// Its categories in their order, with those of other and missing values. Absent where they are the categories of the
    /// release, that is, where it is the only column.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub values: Option<Vec<String>>,
}

impl About {
    /// What a question asks of a source.
    #[cfg(feature = "data")]
    pub(crate) fn new(question: &posterity_data::Question, source: Option<String>) -> Self {
        use posterity_data::Domain;
        let column = |column: &posterity_data::Column| AboutColumn {
            name: column.name.clone(),
            bins: match &column.domain {
                Domain::Values(_) => None,
                Domain::Bins(bins) => Some(bins.edges().to_vec()),
            },
            values: (question.columns.len() > 1 || question.within.is_some())
                .then(|| question.names_of(column)),
        };
        Self {
            source,
            columns: question.columns.iter().map(column).collect(),
            other: question.other.clone(),
            missing: question.missing.clone(),
            filter: question.filter.clone(),
            within: question.within.clone(),
            unit: question.unit.clone(),
            per_unit: question.unit.as_ref().map(|_| question.per_unit.to_string()),
        }
    }

    /// The data and the filter in words: `age (in bins) and cured of "visits.csv", where year = 2025`.
    #[must_use]
    pub fn data_in_words(&self) -> String {
        let binned = |column: &AboutColumn| match column.bins {
            Some(_) => format!("{} (in bins)", column.name),
            None => column.name.clone(),
        };
        let columns = self.columns.iter().map(binned).collect::<Vec<_>>().join(" and ");
        let words = match (columns.as_str(), &self.source) {
            ("", None) => "counts that were given as such".to_owned(),
            ("", Some(source)) => format!("counts of {source:?}"),
            (columns, None) => format!("{columns} of data in memory"),
            (columns, Some(source)) => format!("{columns} of {source:?}"),
        };
        let filter = self.filter.as_ref().map(|filter| format!(", where {filter}"));
        let within = self.within.as_ref().map(|within| format!(", within {within}"));
        words + &filter.unwrap_or_default() + &within.unwrap_or_default()
    }

    /// All of it in words, for a line of text.
    ///
    /// ```
    /// use posterity::{About, AboutColumn};
    /// let about = About {
    ///     source: Some("visits.csv".into()),
    ///     columns: vec![AboutColumn { name: "cured".into(), bins: None, values: None }],
    ///     filter: Some("year = 2025".into()),
    ///     unit: Some("patient".into()),
    ///     per_unit: Some("random".into()),
    ///     ..About::default()
    /// };
    /// assert_eq!(about.in_words(), r#"cured of "visits.csv", where year = 2025, per patient (random)"#);
    /// ```
    #[must_use]
    pub fn in_words(&self) -> String {
        let unit = self.unit.as_ref().map(|unit| format!(", per {unit}")).unwrap_or_default();
        let rule = self.per_unit.as_ref().map(|rule| format!(" ({rule})")).unwrap_or_default();
        self.data_in_words() + &unit + &rule
    }

    /// What n is, as the end of a sentence: `the number of records for which age > 30, published exactly`.
    #[must_use]
    pub fn n_in_words(&self) -> String {
        match (&self.unit, &self.filter) {
            (None, None) => "the number of records".to_owned(),
            (None, Some(filter)) => format!("the number of records for which {filter}, published exactly"),
            (Some(unit), None) => format!("the number of different values of {unit:?}"),
            (Some(unit), Some(filter)) => {
                format!(
                    "the number of values of {unit:?} with a record for which {filter}, published exactly"
                )
            }
        }
    }

    /// The question of a charge in words, as far as it can be read; for lists of charges.
    ///
    /// ```
    /// let question = r#"{"version":1,"data":"counts","mechanism":"lattice","n":90}"#;
    /// assert_eq!(posterity::About::of_charge(question), "counts that were given as such; lattice, n 90");
    /// ```
    #[must_use]
    pub fn of_charge(question: &str) -> String {
        let Ok(asked) = serde_json::from_str::<serde_json::Value>(question) else {
            return question.to_owned();
        };
        if let Some(parts) = asked["together"].as_array() {
            const SHOWN: usize = 3;
            let of: Vec<String> =
                parts.iter().take(SHOWN).map(|part| Self::of_charge(&part.to_string())).collect();
            let more = parts.len().saturating_sub(SHOWN);
            let more = if more > 0 { format!("; and {more} more") } else { String::new() };
            let questions = if parts.len() == 1 { "question" } else { "questions" };
            return format!("{} {questions} under one charge: {}{more}", parts.len(), of.join("; "));
        }
        let data = asked["data"].as_str().unwrap_or_default();
        let described: serde_json::Value = serde_json::from_str(data).unwrap_or_default();
        let text = |value: &serde_json::Value| value.as_str().map(ToOwned::to_owned);
        // A table of a name holds the description of its question below a key of its own.
        let named = text(&described["memory"]);
        let inner: Option<serde_json::Value> =
            described["question"].as_str().and_then(|inner| serde_json::from_str(inner).ok());
        let of = inner.as_ref().unwrap_or(&described);
        let column = |column: &serde_json::Value| AboutColumn {
            name: text(&column["name"]).unwrap_or_default(),
            bins: column["bins"].as_array().map(|edges| edges.iter().filter_map(text).collect()),
            values: None,
        };
        let about = Self {
            source: named.or_else(|| text(&of["source"]["files"])).or_else(|| text(&of["source"]["table"])),
            columns: of["columns"]
                .as_array()
                .map(|columns| columns.iter().map(column).collect())
                .unwrap_or_default(),
            other: None,
            missing: None,
            filter: text(&of["where"]),
            within: text(&of["within"]),
            unit: text(&of["unit"]).or_else(|| text(&asked["unit"])),
            per_unit: text(&of["per_unit"]),
        };
        let mechanism = asked["mechanism"].as_str().unwrap_or("unknown mechanism");
        match &asked["n"] {
            serde_json::Value::Null => format!("{}, {mechanism}", about.in_words()),
            n => format!("{}; {mechanism}, n {n}", about.in_words()),
        }
    }
}

#[cfg(all(test, feature = "data"))]
mod tests {
    use posterity_data::{Bins, Column, PerUnit, Question, Source, describe};

    use super::*;

    fn question() -> Question {
        Question {
            filter: Some("year = 2025".into()),
            unit: Some("patient".into()),
            per_unit: PerUnit::Mode,
            ..Question::new(vec![
                Column::binned("age", Bins::new(["0", "18", "65"]).expect("valid")),
                Column::new("cured", ["yes", "no"]),
            ])
        }
    }

    #[test]
    fn questions_in_words() {
        let about = About::new(&question(), Some("visits.csv".into()));
        assert_eq!(
            about.in_words(),
            "age (in bins) and cured of \"visits.csv\", where year = 2025, per patient (mode)"
        );
        assert_eq!(
            about.n_in_words(),
            "the number of values of \"patient\" with a record for which year = 2025, published exactly"
        );
        assert_eq!(About::default().in_words(), "counts that were given as such");
        let text = serde_json::to_string(&about).expect("serialises");
        assert_eq!(serde_json::from_str::<About>(&text).expect("reads back"), about);
    }

    #[test]
    fn charges_are_read_back() {
        let data = describe(&Source::files("visits.csv"), &question());
        let charge =
            serde_json::json!({ "version": 1, "data": data, "mechanism": "geometric", "n": 40 }).to_string();
        let words = "age (in bins) and cured of \"visits.csv\", where year = 2025, per patient (mode); geometric, n 40";
        assert_eq!(About::of_charge(&charge), words);
        assert_eq!(About::of_charge("no JSON"), "no JSON");
    }
}
