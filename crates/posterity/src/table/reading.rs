//! What is read from a release, as text and as a value.

use std::collections::BTreeSet;
use std::fmt;
use std::str::FromStr;

use posterity_core::model::Adjacency;
use serde::{Deserialize, Serialize};

use super::error::ReadingError;
use super::number_of::NumberOf;
use super::parse::Parser;
use super::space::Space;
use super::statistic::Statistic;
use super::term::{Term, write_terms};

/// What to read from a release: shares of values, perhaps given values of other columns, the mean or another number of a
/// column of numbers or bins, or how many records there are.
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
/// | `age < 65 \| ward`, `age in 18..65` | the share of all bins below an edge, or between two |
/// | `median(age) \| ward`, `quantile(age, 0.9)` | a value of a column of bins, of numbers or of ordered values |
/// | `quartiles(age) \| ward` | the quantiles of 0.25, 0.5 and 0.75 |
/// | `cumulative(age) \| ward` | the share below each edge |
/// | `sum(visits) \| ward` | the sum over the records of each ward |
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
    /// A number of a column of numbers.
    Number(NumberOf, String),
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
        Self::number(NumberOf::Mean, column, given)
    }

    /// A number of a column of numbers, of bins or of ordered values, given others.
    ///
    /// ```
    /// use posterity::Reading;
    /// use posterity::table::{NumberOf, Term};
    /// let reading = Reading::number(NumberOf::median(), "age", vec![Term::each("ward")]);
    /// assert_eq!(reading, "median(age | ward)".parse()?);
    /// # Ok::<(), posterity::ReadingError>(())
    /// ```
    pub fn number(what: NumberOf, column: impl Into<String>, given: Vec<Term>) -> Self {
        Self { of: Of::Number(what, column.into()), of_all: false, given }
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
        terms.chain(self.number_of().map(|(_, column)| column)).collect()
    }

    /// The names of its columns in the order of a table that answers it: those of the condition, then those that are asked
    /// for, each once.
    ///
    /// ```
    /// use posterity::Reading;
    /// let reading: Reading = "cured=yes | ward, age".parse()?;
    /// assert_eq!(reading.columns_in_order(), ["ward", "age", "cured"]);
    /// # Ok::<(), posterity::ReadingError>(())
    /// ```
    #[must_use]
    pub fn columns_in_order(&self) -> Vec<String> {
        let mut names = Term::columns(&self.given);
        for name in self.asked_columns() {
            if !names.contains(&name) {
                names.push(name);
            }
        }
        names
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

    /// The terms whose shares are asked for; none for a number of a column or a count.
    #[must_use]
    pub fn shares_of(&self) -> &[Term] {
        match &self.of {
            Of::Terms(terms) => terms,
            Of::Number(..) | Of::Count => &[],
        }
    }

    /// The column of which a mean or another number is asked for, and which number.
    #[must_use]
    pub fn number_of(&self) -> Option<(&NumberOf, &str)> {
        match &self.of {
            Of::Terms(_) | Of::Count => None,
            Of::Number(what, column) => Some((what, column)),
        }
    }

    /// The column whose mean is asked for.
    #[must_use]
    pub fn mean_of(&self) -> Option<&str> {
        self.number_of().filter(|(what, _)| **what == NumberOf::Mean).map(|(_, column)| column)
    }

    /// The names of the columns that are asked for, without those of the condition.
    #[must_use]
    pub fn asked_columns(&self) -> Vec<String> {
        match &self.of {
            Of::Terms(terms) => Term::columns(terms),
            Of::Number(_, column) => vec![column.clone()],
            Of::Count => Vec::new(),
        }
    }

    /// What the numbers are.
    #[must_use]
    pub fn statistic(&self) -> Statistic {
        match &self.of {
            Of::Terms(_) | Of::Number(NumberOf::Cumulative, _) => Statistic::Share,
            Of::Number(NumberOf::Mean, _) => Statistic::Mean,
            Of::Number(NumberOf::Sum, _) => Statistic::Sum,
            Of::Number(NumberOf::Quantile(_) | NumberOf::Quartiles, _) => Statistic::Quantile,
            Of::Count => Statistic::Count,
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
        let (of, inside) = match parser.number().map_err(wrong)? {
            Some((what, column, inside)) => (Of::Number(what, column), inside),
            None if parser.take_word("count") => (Of::Count, None),
            None => (Of::Terms(parser.terms().map_err(wrong)?), None),
        };
        let of_all = of != Of::Count && parser.of_all().map_err(wrong)?;
        let given = match inside {
            Some(given) => given,
            None if parser.take("|") => parser.terms().map_err(wrong)?,
            None => Vec::new(),
        };
        parser.end().map_err(wrong)?;
        Ok(Self { of, of_all, given })
    }
}

impl fmt::Display for Reading {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.of {
            Of::Terms(of) => write_terms(of, f)?,
            Of::Number(what, column) => f.write_str(&what.of(column))?,
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
            "median(age) | ward",
            "quantile(age, 0.9) | ward, gender=f",
            "quartiles(age)",
            "cumulative(age) | ward",
            "sum(visits) | ward",
            "median | sum=mean2",
            "age < 65 | ward",
            "age >= 18, outcome | ward",
            "outcome=yes | age in 18..65",
            "age in -5.5..1e3",
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
        let inside: Reading = "quantile(age, 0.50 | ward)".parse().expect("valid");
        assert_eq!(inside, "median(age)|ward".parse().expect("valid"));
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
            ("quantile(age)", "`,` is missing before \")\" at character 13"),
            ("quantile(age, 1)", "\"1\" is no number above 0 and below 1, such as 0.9"),
            ("quantile(age, most)", "\"most\" is no number above 0 and below 1, such as 0.9"),
            ("age <= 65", "a bin ends before its upper edge: write `<` without `=`"),
            ("age > 65", "a bin begins with its lower edge: write `>=`"),
            ("age <", "an edge is missing at the end"),
            ("age in 18..", "`{` is missing before \"18..\" at character 8"),
            ("median(age | ward) | ward", "\"|\" is not expected at character 20"),
            ("a, a", "\"a\" is named twice"),
            ("a | b in {x, x}", "\"x\" is named twice"),
        ] {
            let error = text.parse::<Reading>().expect_err(text);
            let expected = ReadingError::Reading { text: text.into(), problem: problem.into() };
            assert_eq!(error, expected);
        }
    }
}
