//! What is tested, as text and as a value.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use super::error::ReadingError;
use super::names::name_text;
use super::parse::Parser;
use super::term::{Selection, Term, write_terms};

/// A hypothesis about the population, which a release may speak against.
///
/// | text | hypothesis |
/// |---|---|
/// | `independence: outcome, ward` | the columns are independent |
/// | `equal: outcome=yes \| ward` | the share of yes is the same in all wards |
/// | `trend: outcome=yes \| age` | the same, against a share that rises or falls with an ordered column |
/// | `share: cured=yes = 0.8` | the share of yes is 0.8 |
///
/// Records whose value is unknown are left out, and are a cell of their own with `of all` behind the columns:
/// `independence: outcome, ward of all`.
///
/// After `|`, or a comma there, columns may have values, within which the test is: `independence: outcome, ward | gender=f`.
///
/// ```
/// use posterity::table::Test;
/// let test: Test = "share:cured=yes = 0.80 | ward=A".parse()?;
/// assert_eq!(test.to_string(), "share: cured=yes = 0.8 | ward=A");
/// # Ok::<(), posterity::ReadingError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Test {
    pub(super) kind: TestKind,
    /// The two columns of independence, or what the share is of.
    pub(super) of: Vec<Term>,
    /// Whether unknown values are values like others, and not left out.
    pub(super) of_all: bool,
    pub(super) given: Vec<Term>,
}

/// What is claimed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum TestKind {
    Independence,
    Equal,
    Trend,
    /// The share has this value, as the shortest text of its number.
    Share(String),
}

impl TestKind {
    fn word(&self) -> &'static str {
        match self {
            Self::Independence => "independence",
            Self::Equal => "equal",
            Self::Trend => "trend",
            Self::Share(_) => "share",
        }
    }
}

/// How many columns have no value.
fn free(terms: &[Term]) -> usize {
    terms.iter().filter(|term| term.selection == Selection::Each).count()
}

impl FromStr for Test {
    type Err = ReadingError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        parse(text).map_err(|problem| ReadingError::Test { text: text.to_owned(), problem })
    }
}

fn parse(text: &str) -> Result<Test, String> {
    let (word, rest) = text.split_once(':').ok_or("`:` is missing after what is claimed")?;
    let word = word.trim();
    if !["independence", "equal", "trend", "share"].contains(&word) {
        return Err(format!("{word:?} is none of independence, equal, trend and share"));
    }
    let mut parser = Parser::new(rest)?;
    let of = parser.terms()?;
    let of_all = parser.of_all()?;
    let kind = match word {
        "independence" => TestKind::Independence,
        "equal" => TestKind::Equal,
        "trend" => TestKind::Trend,
        _ => {
            parser.expect("=")?;
            let number = parser.name("a share between 0 and 1")?;
            let share = number.parse::<f64>().ok().filter(|share| (0.0..=1.0).contains(share));
            let share = share.ok_or_else(|| format!("{number:?} is no share between 0 and 1"))?;
            TestKind::Share(share.to_string())
        }
    };
    let given = if parser.take("|") { parser.terms()? } else { Vec::new() };
    parser.end()?;
    let wanted = match &kind {
        TestKind::Independence if of.len() != 2 || free(&of) != 2 => "two columns, such as `outcome, ward`",
        TestKind::Trend | TestKind::Share(_) if free(&of) > 0 => "a value, such as `outcome=yes`",
        TestKind::Equal if of.len() != 1 => "one column, or one with a value, such as `outcome=yes`",
        TestKind::Equal | TestKind::Trend if free(&given) != 1 => "groups, such as `outcome=yes | ward`",
        TestKind::Independence | TestKind::Share(_) if free(&given) > 0 => {
            "values of the condition, such as `| gender=f`"
        }
        _ => return Ok(Test { kind, of, of_all, given }),
    };
    Err(format!("`{word}` needs {wanted}"))
}

impl fmt::Display for Test {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: ", self.kind.word())?;
        write_terms(&self.of, f)?;
        if self.of_all {
            f.write_str(" of all")?;
        }
        if let TestKind::Share(share) = &self.kind {
            write!(f, " = {}", name_text(share))?;
        }
        if !self.given.is_empty() {
            f.write_str(" | ")?;
            write_terms(&self.given, f)?;
        }
        Ok(())
    }
}

impl TryFrom<String> for Test {
    type Error = ReadingError;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        text.parse()
    }
}

impl From<Test> for String {
    fn from(test: Test) -> Self {
        test.to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_read_back() {
        for text in [
            "independence: outcome, ward",
            "independence: outcome, ward | gender=f",
            "independence: outcome, ward of all",
            "share: cured=yes of all = 0.8 | ward=A",
            "equal: outcome=yes | ward",
            "equal: outcome | ward, gender=f",
            "trend: outcome in {yes, maybe} | age",
            "share: cured=yes = 0.8",
            "share: age < 65 = 0.5 | ward=A",
        ] {
            let test: Test = text.parse().expect(text);
            assert_eq!(test.to_string(), text);
        }
    }

    #[test]
    fn rejects() {
        for (text, problem) in [
            ("outcome, ward", "`:` is missing after what is claimed"),
            ("same: outcome, ward", "\"same\" is none of independence, equal, trend and share"),
            ("independence: outcome", "`independence` needs two columns"),
            ("independence: outcome=yes, ward", "`independence` needs two columns"),
            ("independence: outcome, ward | gender", "`independence` needs values of the condition"),
            ("equal: outcome=yes", "`equal` needs groups"),
            ("trend: outcome | age", "`trend` needs a value"),
            ("share: cured=yes", "`=` is missing at the end"),
            ("share: cured=yes = 80", "\"80\" is no share between 0 and 1"),
            ("share: cured=yes = 0.8 | ward", "`share` needs values of the condition"),
        ] {
            let found = match text.parse::<Test>().expect_err(text) {
                ReadingError::Test { problem, .. } => problem,
                other => other.to_string(),
            };
            assert!(found.starts_with(problem), "{text}: {found}");
        }
    }
}
