//! What a release is about: the source, the columns and the rules of counting.

use std::collections::BTreeMap;
use std::num::NonZeroU64;

use serde::{Deserialize, Serialize};
use serde_json::Value;

/// Where the data comes from and what was asked of it. All of it is public; none of it is learned from the data.
///
/// The categories are those of the release itself.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct About {
    /// The source as it was given, or the name that its owner gave to data in memory; absent for counts and data
    /// without a name.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub source: Option<String>,
    /// Whether the source is a view of a database, whose rows may each depend on many records.
    #[serde(skip_serializing_if = "std::ops::Not::not", default)]
    pub view: bool,
    /// The columns that were counted; none for counts that someone typed.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub columns: Vec<AboutColumn>,
    /// The category of other labels, if there is one and the labels have no column.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub other: Option<String>,
    /// The category of missing labels, if there is one and the labels have no column.
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
    /// What tells this edition of the source from others, such as a year.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub edition: Option<String>,
    /// If another program counted: the SHA-256 of its query, or `unknown`.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub counted_by: Option<String>,
}

/// What is known of a query that nobody handed over.
#[cfg(feature = "data")]
pub(crate) const UNKNOWN_QUERY: &str = "unknown";

/// One column of a question.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AboutColumn {
    /// Its name.
    pub name: String,
    /// The edges between which its numbers were sorted.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub bins: Option<Vec<String>>,
    /// Its categories in their order, with those of other and missing values.
    pub values: Vec<String>,
    /// Other spellings of its categories in the data, which count as these.
    #[serde(skip_serializing_if = "BTreeMap::is_empty", default)]
    pub aliases: BTreeMap<String, Vec<String>>,
    /// What readers see beside a category.
    #[serde(skip_serializing_if = "BTreeMap::is_empty", default)]
    pub labels: BTreeMap<String, String>,
    /// Whether its values were declared to have an order. Bins always have one.
    #[serde(skip_serializing_if = "std::ops::Not::not", default)]
    pub ordered: bool,
    /// The category of other values, if there is one.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub other: Option<String>,
    /// The category of missing values, if there is one.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub missing: Option<String>,
}

impl AboutColumn {
    /// Whether its categories have an order: bins, or values that were declared so.
    #[must_use]
    pub fn is_ordered(&self) -> bool {
        self.ordered || self.bins.is_some()
    }

    /// The same without words and without an order, which change nothing that is counted.
    pub(crate) fn counted(&self) -> Self {
        Self { labels: BTreeMap::new(), ordered: false, ..self.clone() }
    }

    /// The positions of its values that are no answers: see [`unknown_values`].
    pub(crate) fn unknown(&self) -> Vec<usize> {
        unknown_values(&self.values, [self.other.as_deref(), self.missing.as_deref()])
    }
}

/// The positions of the values that are no answers: the categories of other and of missing values.
///
/// Shares need at least two answers. Where these categories would leave fewer, that of other values is an answer, and
/// where even that of missing values would, all are: of `yes` and `no`, with `no` for missing values, both are answers.
pub(crate) fn unknown_values(values: &[String], [other, missing]: [Option<&str>; 2]) -> Vec<usize> {
    let of = |labels: &[Option<&str>]| -> Vec<usize> {
        let is_one = |value: &String| labels.contains(&Some(value.as_str()));
        (0..values.len()).filter(|&position| is_one(&values[position])).collect()
    };
    let choices = [of(&[other, missing]), of(&[missing])];
    choices.into_iter().find(|unknown| unknown.len() + 2 <= values.len()).unwrap_or_default()
}

/// How many columns are named in words; of more, the others are counted.
const MOST_TOLD: usize = 5;

impl About {
    /// What a question asks of a source.
    #[cfg(feature = "data")]
    pub(crate) fn new(question: &posterity_count::Question, source: Option<String>) -> Self {
        use posterity_count::Domain;
        let column = |column: &posterity_count::Column| AboutColumn {
            name: column.name.clone(),
            bins: match &column.domain {
                Domain::Values(_) => None,
                Domain::Bins(bins) => Some(bins.edges().to_vec()),
            },
            values: column.names(),
            aliases: column.aliases.clone(),
            labels: column.labels.clone(),
            ordered: column.ordered,
            other: column.other.clone(),
            missing: column.missing.clone(),
        };
        Self {
            source,
            view: false,
            columns: question.columns.iter().map(column).collect(),
            other: None,
            missing: None,
            filter: question.filter.clone(),
            within: question.within.clone(),
            unit: question.unit.clone(),
            per_unit: question.unit.as_ref().map(|_| question.per_unit.to_string()),
            edition: None,
            counted_by: None,
        }
    }

    /// What is left of it for labels that have no column.
    pub(crate) fn without_columns(mut self) -> Self {
        let column = self.columns.drain(..).next();
        (self.other, self.missing) = column.map(|column| (column.other, column.missing)).unwrap_or_default();
        self
    }

    /// Whether a value of a column is no answer: the category of missing or of other values.
    #[must_use]
    pub fn is_unknown(&self, column: &str, value: &str) -> bool {
        let column = self.columns.iter().find(|one| one.name == column);
        column.is_some_and(|column| column.unknown().iter().any(|&position| column.values[position] == value))
    }

    /// Whether it says nothing.
    pub(crate) fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// The most records by which one unit counts.
    #[must_use]
    pub fn records_per_unit(&self) -> NonZeroU64 {
        let most = self.per_unit.as_deref().and_then(|rule| rule.strip_prefix("all "));
        most.and_then(|most| most.parse().ok()).unwrap_or(NonZeroU64::MIN)
    }

    /// What a promise assumes of the source; nothing unless it is a view. What a view computes for one row may fail, and
    /// then nothing is released, which tells something about that row.
    ///
    /// ```
    /// use posterity::About;
    /// let view = About { view: true, unit: Some("patient".into()), ..About::default() };
    /// let said = "if each row of the view depends on one patient only and never fails";
    /// assert_eq!(view.assumption().as_deref(), Some(said));
    /// ```
    #[must_use]
    pub fn assumption(&self) -> Option<String> {
        let unit = self.unit.as_deref().unwrap_or("record");
        self.view.then(|| format!("if each row of the view depends on one {unit} only and never fails"))
    }

    /// By which of its records each unit counts, in a sentence; nothing where records are counted.
    #[must_use]
    pub fn rule_in_words(&self) -> Option<String> {
        #[cfg(feature = "data")]
        {
            let rule: posterity_count::PerUnit = self.per_unit.as_ref()?.parse().ok()?;
            // There is one text for each rule.
            if Some(&rule.to_string()) != self.per_unit.as_ref() {
                return None;
            }
            let is_declared = |column: &AboutColumn| {
                column.values.iter().any(|value| Some(value) != column.missing.as_ref())
            };
            let unit = self.unit.as_ref()?;
            let declared = self.columns.is_empty() || self.columns.iter().any(is_declared);
            Some(if declared { rule.in_words(unit) } else { rule.in_words_of_values(unit) })
        }
        #[cfg(not(feature = "data"))]
        None
    }

    /// The data and the filter in words: `age (in bins) and cured of "visits.csv", where year = 2025`.
    #[must_use]
    pub fn data_in_words(&self) -> String {
        let binned = |column: &AboutColumn| match column.bins {
            Some(_) => format!("{} (in bins)", column.name),
            None => column.name.clone(),
        };
        let told = if self.columns.len() > MOST_TOLD { MOST_TOLD - 1 } else { MOST_TOLD };
        let more = self.columns.len().saturating_sub(told);
        let more = (more > 0).then(|| format!("{more} more columns"));
        let columns =
            self.columns.iter().take(told).map(binned).chain(more).collect::<Vec<_>>().join(" and ");
        let words = match (columns.as_str(), &self.source) {
            ("", None) => "counts that were given as such".to_owned(),
            ("", Some(source)) => format!("counts of {source:?}"),
            (columns, None) => format!("{columns} of data in memory"),
            (columns, Some(source)) => format!("{columns} of {source:?}"),
        };
        let edition = self.edition.as_ref().map(|edition| format!(" (edition {edition})"));
        let filter = self.filter.as_ref().map(|filter| format!(", where {filter}"));
        let within = self.within.as_ref().map(|within| format!(", within {within}"));
        let elsewhere = self.counted_by.as_ref().map(|_| ", counted by another program");
        let parts = [edition.as_deref(), filter.as_deref(), within.as_deref(), elsewhere];
        words + &parts.into_iter().flatten().collect::<String>()
    }

    /// All of it in words, for a line of text.
    ///
    /// ```
    /// use posterity::About;
    /// use posterity::document::AboutColumn;
    /// let about = About {
    ///     source: Some("visits.csv".into()),
    ///     columns: vec![AboutColumn { name: "cured".into(), ..AboutColumn::default() }],
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

    /// Who counted, in two sentences; nothing where this program did.
    ///
    /// ```
    /// let about = posterity::About { counted_by: Some("unknown".into()), ..Default::default() };
    /// assert!(about.counting_in_words().is_some_and(|words| words.contains("Another program")));
    /// ```
    #[must_use]
    pub fn counting_in_words(&self) -> Option<String> {
        let query = match self.counted_by.as_deref()? {
            "unknown" => "a query that was not handed over".to_owned(),
            digest => format!("the query with the SHA-256 {digest}"),
        };
        Some(format!(
            "Another program counted, by {query}. That its table is complete, that nothing hides records of it, and that the query ran \
             as it is written, is for the owner of the data to know."
        ))
    }

    /// The question of a charge in words, as far as it can be read; for lists of charges.
    ///
    /// ```
    /// let question = r#"{"version":1,"questions":[{"data":"counts","mechanism":"lattice"}]}"#;
    /// assert_eq!(posterity::About::of_charge(question), "counts that were given as such; lattice");
    /// ```
    #[must_use]
    pub fn of_charge(question: &str) -> String {
        /// How many questions of one charge are listed.
        const TOLD: usize = 3;
        let asked: Value = serde_json::from_str(question).unwrap_or_default();
        let parts = match asked["questions"].as_array().map(Vec::as_slice) {
            None | Some([]) => return question.to_owned(),
            Some([only]) => return Self::of_part(only),
            Some(parts) => parts,
        };
        let told = parts.iter().take(TOLD).map(Self::of_part).collect::<Vec<_>>().join("; ");
        let more = parts.len().saturating_sub(TOLD);
        let more = if more > 0 { format!("; and {more} more") } else { String::new() };
        format!("{} questions under one charge: {told}{more}", parts.len())
    }

    /// One question of a charge in words.
    fn of_part(asked: &Value) -> String {
        let described: Value =
            serde_json::from_str(asked["data"].as_str().unwrap_or_default()).unwrap_or_default();
        let text = |value: &Value| value.as_str().map(ToOwned::to_owned);
        // A table of a name holds the description of its question below a key of its own.
        let named = text(&described["memory"]);
        let inner: Option<Value> =
            described["question"].as_str().and_then(|inner| serde_json::from_str(inner).ok());
        let of = inner.as_ref().unwrap_or(&described);
        let column = |column: &Value| AboutColumn {
            name: text(&column["name"]).unwrap_or_default(),
            bins: column["bins"].as_array().map(|edges| edges.iter().filter_map(text).collect()),
            ..AboutColumn::default()
        };
        let about = Self {
            source: named.or_else(|| source_in_words(&of["source"])),
            view: of["source"]["view"].is_string(),
            columns: of["columns"]
                .as_array()
                .map(|columns| columns.iter().map(column).collect())
                .unwrap_or_default(),
            other: None,
            missing: None,
            filter: text(&of["where"]),
            within: text(&of["within"]),
            unit: text(&of["unit"]),
            per_unit: text(&of["per_unit"]),
            edition: text(&asked["edition"]),
            counted_by: None,
        };
        let mechanism = asked["mechanism"].as_str().unwrap_or("unknown mechanism");
        format!("{}; {mechanism}", about.in_words())
    }
}

/// The source of a question, as it is shown elsewhere.
fn source_in_words(source: &Value) -> Option<String> {
    let [files, server, table, view] = ["files", "postgres", "table", "view"].map(|key| source[key].as_str());
    match (files.or(server), table, view) {
        (Some(files), Some(table), _) => Some(format!("{files}, table {table}")),
        (Some(files), None, Some(view)) => Some(format!("{files}, view {view}")),
        (files, table, _) => files.or(table).map(ToOwned::to_owned),
    }
}

#[cfg(all(test, feature = "data"))]
mod tests {
    use posterity_count::{Bins, Column, PerUnit, Question, Relation, Source, describe};

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

    /// If this fails, a discovered document speaks of an order of declaration, and nothing was declared.
    #[test]
    fn where_nothing_is_declared_bytes_are_the_order() {
        let said = |values: &[&str], missing: Option<&str>| {
            let column = Column {
                missing: missing.map(ToOwned::to_owned),
                ..Column::new("cured", values.iter().copied())
            };
            About::new(&Question { columns: vec![column], ..question() }, None)
                .rule_in_words()
                .expect("a rule")
        };
        assert!(said(&["yes", "no"], None).ends_with("the one declared first among equals"));
        for missing in [None, Some("unknown")] {
            assert!(said(&[], missing).ends_with("the one that comes first by its bytes among equals"));
        }
    }

    #[test]
    fn charges_are_read_back() {
        let data = describe(&Source::files("visits.csv"), &question());
        let part = serde_json::json!({ "data": data, "mechanism": "geometric" });
        let charge = |parts: &[Value]| serde_json::json!({ "version": 1, "questions": parts }).to_string();
        let words =
            "age (in bins) and cured of \"visits.csv\", where year = 2025, per patient (mode); geometric";
        assert_eq!(About::of_charge(&charge(std::slice::from_ref(&part))), words);
        let many = About::of_charge(&charge(&vec![part; 5]));
        assert!(
            many.starts_with("5 questions under one charge: age") && many.ends_with("; and 2 more"),
            "{many}"
        );
        assert_eq!(About::of_charge("no JSON"), "no JSON");
        let view = Source::files("visits.sqlite").with_relation(Relation::View("recent".into()));
        let part = serde_json::json!({ "data": describe(&view, &question()), "mechanism": "geometric" });
        assert!(About::of_charge(&charge(&[part])).contains("of \"visits.sqlite, view recent\""));
        let server = "postgres://ada@db/clinic".parse().expect("an address");
        let table = Source::postgres(server).with_relation(Relation::Table("visits".into()));
        let part = serde_json::json!({ "data": describe(&table, &question()), "mechanism": "geometric" });
        let words = format!("of \"{table}\"");
        assert_eq!(words, "of \"postgres://db:5432/clinic, table public.visits\"");
        assert!(About::of_charge(&charge(&[part])).contains(&words));
    }
}
