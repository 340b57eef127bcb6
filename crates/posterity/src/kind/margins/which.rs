//! Which tables are released, as text and as a value.

use std::fmt;
use std::str::FromStr;

use posterity_margins::{ColumnSet, Shape, Workload, WorkloadError};
use serde::{Deserialize, Serialize};

use super::error::MarginsError;
use crate::about::AboutColumn;
use crate::table::{Parser, name_text};

/// Which tables are released: all of up to this many columns, or sets of columns that are named, or both. With a set all
/// its subsets are released. A set that matters more than others has a larger weight. Names with blanks or with any of
/// `,` `;` `=` are quoted, as in readings.
///
/// ```
/// use posterity::margins::Which;
/// let which: Which = "2; income, education = 5".parse()?;
/// assert_eq!((which.order, which.sets[0].weight), (Some(2), 5.0));
/// let which: Which = "'blood type',ward; ward , age".parse()?;
/// assert_eq!(which.to_string(), "\"blood type\", ward; ward, age");
/// # Ok::<(), posterity::margins::MarginsError>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Which {
    /// All tables of up to this many columns.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub order: Option<usize>,
    /// Sets of columns.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub sets: Vec<WeightedSet>,
}

/// A set of columns by their names, and how much its table matters beside others.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct WeightedSet {
    /// The names.
    pub columns: Vec<String>,
    /// The weight: 1 unless something else is stated.
    #[serde(with = "exact", skip_serializing_if = "is_one", default = "one")]
    pub weight: f64,
}

fn one() -> f64 {
    1.0
}

fn is_one(weight: &f64) -> bool {
    *weight == 1.0
}

/// Numbers as texts, so that every reader has the same one.
mod exact {
    use serde::de::Error as _;
    use serde::{Deserialize, Deserializer, Serializer};

    pub(super) fn serialize<S: Serializer>(value: &f64, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&value.to_string())
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<f64, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(D::Error::custom)
    }
}

/// What separates names, sets and weights.
const SIGNS: &str = ",;=";

impl FromStr for Which {
    type Err = MarginsError;

    fn from_str(text: &str) -> Result<Self, MarginsError> {
        read(text).map_err(|problem| MarginsError::Which { text: text.to_owned(), problem })
    }
}

/// Numbers and sets with `;` between them.
fn read(text: &str) -> Result<Which, String> {
    let mut parser = Parser::with_signs(text, SIGNS)?;
    let mut which = Which::default();
    loop {
        match parser.take_number_before(";") {
            Some(number) => {
                let order = number.parse().map_err(|_| format!("{number} is too large"))?;
                if which.order.replace(order).is_some() {
                    return Err("there are two numbers of columns".to_owned());
                }
            }
            None => which.sets.push(read_set(&mut parser)?),
        }
        if !parser.take(";") {
            return parser.end().map(|()| which);
        }
    }
}

/// Names with commas between them, and perhaps a weight.
fn read_set(parser: &mut Parser) -> Result<WeightedSet, String> {
    let mut columns = vec![parser.name("a name")?];
    while parser.take(",") {
        columns.push(parser.name("a name")?);
    }
    if !parser.take("=") {
        return Ok(WeightedSet { columns, weight: 1.0 });
    }
    let weight = parser.name("a weight")?;
    let weight = weight.parse().map_err(|_| format!("the weight {weight:?} is no number"))?;
    Ok(WeightedSet { columns, weight })
}

/// A text that reads back.
impl fmt::Display for Which {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let order = self.order.map(|order| order.to_string());
        let parts: Vec<String> = order.into_iter().chain(self.sets.iter().map(ToString::to_string)).collect();
        f.write_str(&parts.join("; "))
    }
}

impl fmt::Display for WeightedSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let one = |name: &String| {
            // A number by itself is a number of columns.
            let number = !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_digit());
            if number { format!("\"{name}\"") } else { name_text(name) }
        };
        f.write_str(&self.columns.iter().map(one).collect::<Vec<_>>().join(", "))?;
        if is_one(&self.weight) { Ok(()) } else { write!(f, "={}", self.weight) }
    }
}

impl Which {
    /// All tables of up to this many columns.
    #[must_use]
    pub fn all(order: usize) -> Self {
        Self { order: Some(order), sets: Vec::new() }
    }

    /// The columns that are named.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.sets.iter().flat_map(|set| &set.columns).map(String::as_str)
    }

    /// Brings sets and their columns into one order, so that a ledger knows them again.
    pub(super) fn canonical(mut self, columns: &[AboutColumn]) -> Result<Self, MarginsError> {
        let mut named = Vec::with_capacity(self.sets.len());
        for set in &self.sets {
            named.push((numbers(set, columns)?, set.weight));
        }
        named.sort_by(|(one, a), (other, b)| one.cmp(other).then(b.total_cmp(a)));
        // The larger weight of a set that is named twice comes first, and stays.
        named.dedup_by(|later, first| later.0 == first.0);
        let name = |&column: &u16| columns[usize::from(column)].name.clone();
        self.sets = named
            .into_iter()
            .map(|(set, weight)| WeightedSet { columns: set.columns().iter().map(name).collect(), weight })
            .collect();
        Ok(self)
    }

    /// The tables of these columns.
    pub(super) fn workload(&self, columns: &[AboutColumn]) -> Result<Workload, MarginsError> {
        let sizes = columns.iter().map(|column| u32::try_from(column.values.len()).unwrap_or(u32::MAX));
        if let Some(column) = columns.iter().find(|column| column.values.len() < 2) {
            return Err(MarginsError::OneValue { column: column.name.clone() });
        }
        let shape = Shape::new(sizes.collect())?;
        let named = |error: WorkloadError| match error {
            WorkloadError::LargeTable { set } => MarginsError::LargeTable { columns: names(&set, columns) },
            other => other.into(),
        };
        let workload = match (self.order, self.sets.as_slice()) {
            (Some(order), []) => Workload::all(shape, order).map_err(named)?,
            _ => Workload::of(shape.clone(), self.listed(shape, columns)?).map_err(named)?,
        };
        match (0..columns.len()).find(|&column| {
            ColumnSet::new([column as u16]).is_ok_and(|single| workload.find(&single).is_none())
        }) {
            Some(unused) => Err(MarginsError::UnusedColumn { column: columns[unused].name.clone() }),
            None => Ok(workload),
        }
    }

    /// All sets with their weights. Those that are named have the stated ones.
    fn listed(&self, shape: Shape, columns: &[AboutColumn]) -> Result<Vec<(ColumnSet, f64)>, MarginsError> {
        let mut named = Vec::with_capacity(self.sets.len());
        for set in &self.sets {
            named.push((numbers(set, columns)?, set.weight));
        }
        if let Some(order) = self.order {
            let all = Workload::all(shape, order)?;
            let others: Vec<_> = all
                .sets()
                .iter()
                .filter(|set| !set.is_empty() && !named.iter().any(|(known, _)| known == *set))
                .map(|set| (set.clone(), 1.0))
                .collect();
            named.extend(others);
        }
        Ok(named)
    }
}

/// A set by the numbers of its columns.
fn numbers(set: &WeightedSet, columns: &[AboutColumn]) -> Result<ColumnSet, MarginsError> {
    let number = |name: &String| {
        let found = columns.iter().position(|column| column.name == *name);
        found.map(|found| found as u16).ok_or_else(|| MarginsError::UnknownColumn {
            column: name.clone(),
            columns: columns.iter().map(|column| column.name.clone()).collect(),
        })
    };
    let all = set.columns.iter().map(number).collect::<Result<Vec<_>, _>>()?;
    ColumnSet::new(all)
        .map_err(|error| MarginsError::Twice { column: columns[usize::from(error.column)].name.clone() })
}

/// The names of the columns of a set: `age, ward`.
pub(super) fn names(set: &ColumnSet, columns: &[AboutColumn]) -> String {
    let names = set.columns().iter().map(|&column| columns[usize::from(column)].name.as_str());
    names.collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn columns() -> Vec<AboutColumn> {
        let column = |name: &str, values: &[&str]| AboutColumn {
            name: name.into(),
            values: values.iter().map(|value| (*value).to_owned()).collect(),
            ..AboutColumn::default()
        };
        vec![column("a", &["x", "y"]), column("b", &["u", "v", "w"]), column("c", &["p", "q"])]
    }

    fn sets(text: &str) -> Result<Vec<String>, MarginsError> {
        let which = text.parse::<Which>()?.canonical(&columns())?;
        let workload = which.workload(&columns())?;
        let shown = |(index, set): (usize, &ColumnSet)| {
            format!("{}={}", names(set, &columns()), workload.weight(index))
        };
        Ok(workload.sets().iter().enumerate().skip(1).map(shown).collect())
    }

    #[test]
    fn accepts() {
        let all = ["a=1", "b=1", "c=1", "a, b=1", "a, c=1", "b, c=1"];
        assert_eq!(sets("2").expect("valid"), all);
        assert_eq!(sets("c, a; b").expect("valid"), ["a=1", "b=1", "c=1", "a, c=1"]);
        let weighted = sets("2; c,a = 0.5; b=3").expect("valid");
        assert_eq!(weighted, ["a=1", "b=3", "c=1", "a, b=1", "a, c=0.5", "b, c=1"]);
    }

    /// If this fails, a ledger takes one question for two.
    #[test]
    fn one_question_has_one_form() {
        let form = |text: &str| text.parse::<Which>().expect("valid").canonical(&columns()).expect("known");
        assert_eq!(form("b,a; c=2; c=3"), form("c=3;a,b"));
        let text = serde_json::to_string(&form("2; b,a=0.1")).expect("serialises");
        assert_eq!(text, r#"{"order":2,"sets":[{"columns":["a","b"],"weight":"0.1"}]}"#);
        assert_eq!(serde_json::from_str::<Which>(&text).expect("reads"), form("2; a,b=0.1"));
    }

    /// If this fails, a column with such a name cannot be asked for, or a text means other tables when it is read back.
    #[test]
    fn names_are_quoted() {
        for text in [
            "2",
            "2; a, b=5",
            "\"blood type\", \"a,b\"; \"x;y\", \"p=q\"=0.5",
            "\"2\"; a, \"3\"",
            "a:b, x(y)",
        ] {
            let which: Which = text.parse().expect(text);
            assert_eq!(which.to_string().parse::<Which>().expect(text), which);
        }
        let quoted: Which = "'blood type' , \"a,b\"=2;\"2\" ; 3".parse().expect("valid");
        assert_eq!(quoted.to_string(), "3; \"blood type\", \"a,b\"=2; \"2\"");
        assert_eq!(quoted.sets[0].columns, ["blood type", "a,b"]);
    }

    #[test]
    fn rejects() {
        let table = [
            ("", "a name is missing at the end"),
            ("a,,b", "a name is missing before \",\" at character 3"),
            ("2; 3", "there are two numbers of columns"),
            ("a=x", "the weight \"x\" is no number"),
            ("a=", "a weight is missing at the end"),
            ("2;", "a name is missing at the end"),
            ("2;;a", "a name is missing before \";\" at character 3"),
            (
                "blood type, ward",
                "\"type\" is not expected at character 7; if it is a part of one name, quote the name: \"blood type\"",
            ),
            ("'a,b", "the quote that begins at character 1 does not end"),
            ("99999999999999999999", "99999999999999999999 is too large"),
        ];
        for (text, problem) in table {
            assert_eq!(sets(text), Err(MarginsError::Which { text: text.into(), problem: problem.into() }));
        }
        assert!(matches!(sets("a,z"), Err(MarginsError::UnknownColumn { .. })));
        assert!(matches!(sets("a,b,a; c"), Err(MarginsError::Twice { .. })));
        assert!(matches!(sets("a,b"), Err(MarginsError::UnusedColumn { .. })));
        assert!(matches!(sets("4"), Err(MarginsError::Workload(WorkloadError::Order { .. }))));
        assert!(matches!(sets("2; a=0"), Err(MarginsError::Workload(WorkloadError::Weight { .. }))));
    }
}
