//! What is read from a release, as text and as a value.

use std::collections::BTreeSet;
use std::fmt;
use std::str::FromStr;

use posterity_core::model::Adjacency;
use serde::{Deserialize, Serialize};

use super::error::ReadingError;
use super::names::name_text;
use super::parse::Parser;
use super::space::Space;
use super::term::{Term, write_terms};

/// What to read from a release: shares of values, perhaps given values of other columns, the mean of a column of
/// numbers, or how many records there are.
///
/// | text | meaning |
/// |---|---|
/// | `outcome` | the share of each outcome |
/// | `outcome, gender` | the share of each combination |
/// | `outcome \| ward` | the share of each outcome within each ward |
/// | `ward in {A, B}` | the share of both wards together |
/// | `outcome \| ward in {A, B}` | the share of each outcome within both wards together |
/// | `outcome=yes \| ward` | the share of one outcome within each ward |
/// | `mean(score) \| ward` | the expected score within each ward |
/// | `outcome=yes of all \| ward` | the share among all records of each ward, those whose outcome is unknown among them |
/// | `count` | the number of records |
/// | `count \| ward` | the number of records of each ward |
///
/// Where missing or other values are counted as a category, that category is no answer. Shares and means are among the
/// records whose value is known in each column that is asked for, and `of all` gives those among all records.
///
/// Names and values of other characters than letters, digits and a few signs are quoted: `"blood type"="0, negative"`.
///
/// ```
/// use posterity::Reading;
/// let reading: Reading = "outcome,gender|ward in {A,B}".parse()?;
/// assert_eq!(reading.to_string(), "outcome, gender | ward in {A, B}");
/// # Ok::<(), posterity::ReadingError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Reading {
    /// What is asked.
    of: Of,
    /// Whether records whose value is unknown are among those that the shares are of.
    of_all: bool,
    /// The condition.
    given: Vec<Term>,
}

/// What a reading asks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Of {
    /// Shares.
    Terms(Vec<Term>),
    /// The mean of a column of numbers.
    Mean(String),
    /// The number of records.
    Count,
}

impl Reading {
    /// Shares of values, given others. Nothing given means the whole table.
    #[must_use]
    pub fn shares(of: Vec<Term>, given: Vec<Term>) -> Self {
        Self { of: Of::Terms(of), of_all: false, given }
    }

    /// The mean of a column of numbers, given others.
    pub fn mean(column: impl Into<String>, given: Vec<Term>) -> Self {
        Self { of: Of::Mean(column.into()), of_all: false, given }
    }

    /// The number of records, given others.
    #[must_use]
    pub fn count(given: Vec<Term>) -> Self {
        Self { of: Of::Count, of_all: false, given }
    }

    /// The names of the columns that it asks for or that its condition is on, each once.
    ///
    /// ```
    /// use posterity::Reading;
    /// let reading: Reading = "outcome | ward, outcome in {yes, no}".parse()?;
    /// assert_eq!(reading.columns().into_iter().collect::<Vec<_>>(), ["outcome", "ward"]);
    /// # Ok::<(), posterity::ReadingError>(())
    /// ```
    #[must_use]
    pub fn columns(&self) -> BTreeSet<&str> {
        let terms = self.shares_of().iter().chain(self.given()).map(|term| term.column.as_str());
        terms.chain(self.mean_of()).collect()
    }

    /// Reads shares of all records, with those whose value is unknown among them. A count is of all records anyway.
    ///
    /// ```
    /// use posterity::Reading;
    /// use posterity::table::Term;
    /// let reading = Reading::shares(vec![Term::set("outcome", ["yes"])], vec![Term::each("ward")]).of_all();
    /// assert_eq!(reading.to_string(), "outcome=yes of all | ward");
    /// ```
    #[must_use]
    pub fn of_all(self) -> Self {
        Self { of_all: self.of != Of::Count, ..self }
    }

    /// What is shown of a release unless something else is asked for: the joint cells and the shares of each column.
    /// Tables of more than [`Space::MOST_LISTED`] rows are left out. A private number of records is read last.
    #[must_use]
    pub fn usual(space: &Space, adjacency: Adjacency) -> Vec<Self> {
        let columns = space.columns();
        let joint = (columns.len() > 1 && space.cells() <= Space::MOST_LISTED).then(|| Self::joint(space));
        let single = columns.iter().filter(|column| column.values.len() <= Space::MOST_LISTED);
        let single = single.map(|column| Self::shares(vec![Term::each(&column.name)], Vec::new()));
        let count = (adjacency == Adjacency::AddRemove).then(|| Self::count(Vec::new()));
        joint.into_iter().chain(single).chain(count).collect()
    }

    /// The shares of all cells.
    #[must_use]
    pub fn joint(space: &Space) -> Self {
        Self::shares(space.columns().iter().map(|column| Term::each(&column.name)).collect(), Vec::new())
    }

    /// The terms whose shares are asked for; none for a mean or a count.
    #[must_use]
    pub fn shares_of(&self) -> &[Term] {
        match &self.of {
            Of::Terms(terms) => terms,
            Of::Mean(_) | Of::Count => &[],
        }
    }

    /// The column whose mean is asked for.
    #[must_use]
    pub fn mean_of(&self) -> Option<&str> {
        match &self.of {
            Of::Terms(_) | Of::Count => None,
            Of::Mean(column) => Some(column),
        }
    }

    /// Whether records whose value is unknown are among those that the shares or means are of.
    #[must_use]
    pub fn is_of_all(&self) -> bool {
        self.of_all
    }

    /// Whether the number of records is asked for.
    #[must_use]
    pub fn is_count(&self) -> bool {
        self.of == Of::Count
    }

    /// The condition.
    #[must_use]
    pub fn given(&self) -> &[Term] {
        &self.given
    }
}

impl FromStr for Reading {
    type Err = ReadingError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let wrong = |problem| ReadingError::Reading { text: text.to_owned(), problem };
        let mut parser = Parser::new(text).map_err(wrong)?;
        let of = match parser.mean().map_err(wrong)? {
            Some(column) => Of::Mean(column),
            None if parser.take_word("count") => Of::Count,
            None => Of::Terms(parser.terms().map_err(wrong)?),
        };
        let of_all = of != Of::Count && parser.of_all().map_err(wrong)?;
        let given = if parser.take("|") { parser.terms().map_err(wrong)? } else { Vec::new() };
        parser.end().map_err(wrong)?;
        Ok(Self { of, of_all, given })
    }
}

impl fmt::Display for Reading {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.of {
            Of::Terms(of) => write_terms(of, f)?,
            Of::Mean(column) => write!(f, "mean({})", name_text(column))?,
            Of::Count => f.write_str("count")?,
        }
        if self.of_all {
            f.write_str(" of all")?;
        }
        if !self.given.is_empty() {
            f.write_str(" | ")?;
            write_terms(&self.given, f)?;
        }
        Ok(())
    }
}

impl TryFrom<String> for Reading {
    type Error = ReadingError;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        text.parse()
    }
}

impl From<Reading> for String {
    fn from(reading: Reading) -> Self {
        reading.to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_read_back() {
        for text in [
            "outcome",
            "outcome, gender | ward",
            "ward in {A, B}",
            "outcome | ward in {A, B}, gender=f",
            "outcome=yes | ward",
            "mean(score) | ward",
            "mean(score)",
            "outcome=yes of all | ward",
            "mean(score) of all",
            "of in {of, all} of all | of=all",
            "count",
            "count | ward, gender=f",
            "\"count\" | ward",
            "\"blood type\"=\"0, negative\" | \"in\"",
            "\"say \\\"so\\\"\"",
            "größe | 2-3=x-1",
            "age=\"[0, 18)\"",
        ] {
            let reading: Reading = text.parse().expect(text);
            assert_eq!(reading.to_string(), text);
        }
        let mean: Reading = " mean ( score )|ward={ A,B } ".parse().expect("valid");
        assert_eq!(mean, Reading::mean("score", vec![Term::set("ward", ["A", "B"])]));
        let quoted: Reading = "'mean', 'it''s'".parse().expect("valid");
        assert_eq!(quoted, Reading::shares(vec![Term::each("mean"), Term::each("it's")], vec![]));
    }

    #[test]
    fn rejects() {
        for (text, problem) in [
            ("", "a name is missing at the end"),
            ("outcome |", "a name is missing at the end"),
            (
                "outcome gender",
                "\"gender\" is not expected at character 9; if it is a part of one name, quote the name: \"outcome gender\"",
            ),
            ("outcome of | ward", "`all` is missing before \"|\" at character 12"),
            ("outcome of none", "`all` is missing before \"none\" at character 12"),
            (
                "count of all",
                "\"of\" is not expected at character 7; if it is a part of one name, quote the name: \"count of\"",
            ),
            ("outcome | ward | year", "\"|\" is not expected at character 16"),
            ("ward in A", "`{` is missing before \"A\" at character 9"),
            ("ward in {}", "a value is missing before \"}\" at character 10"),
            ("ward in {A", "`}` is missing at the end"),
            ("ward=", "a value is missing at the end"),
            ("\"ward", "the quote that begins at character 1 does not end"),
            ("mean(score", "`)` is missing at the end"),
            ("a, a", "\"a\" is named twice"),
            ("a | b in {x, x}", "\"x\" is named twice"),
        ] {
            let error = text.parse::<Reading>().expect_err(text);
            let expected = ReadingError::Reading { text: text.into(), problem: problem.into() };
            assert_eq!(error, expected);
        }
    }
}
