//! The rules that say which of a unit's records counts.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

/// Which of a unit's records counts.
///
/// # Guarantee
/// Every rule looks at the unit's own records, and at random draws that no other unit shares. So replacing all records
/// of one unit moves at most one count (`docs/proofs/units.md`).
///
/// The rules have a textual form:
/// `random`, `first`, `mode`, and `latest` with the name of a column after one blank.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum PerUnit {
    /// One of the records, drawn uniformly.
    #[default]
    Random,
    /// The record whose category is declared first.
    First,
    /// The record that comes last by this column. Among equals it is the one whose category is declared first.
    Latest(String),
    /// The category that most of the records have. Among equals it is the one declared first.
    Mode,
}

/// A text that names no rule.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("there is no rule {text:?}; choose random, first, mode or latest COLUMN")]
pub struct NoSuchRule {
    /// The text.
    pub text: String,
}

impl PerUnit {
    /// The rule in a sentence for a document, for units that are the values of a column.
    #[must_use]
    pub fn in_words(&self, unit: &str) -> String {
        let by = match self {
            Self::Random => "one of its records drawn at random".into(),
            Self::First => "the one of its records whose category is declared first".into(),
            Self::Latest(column) => format!("the latest of its records, by {column:?}"),
            Self::Mode => {
                "the category that most of its records have, the one declared first among equals".into()
            }
        };
        format!("each value of {unit:?} counts once, by {by}")
    }
}

impl fmt::Display for PerUnit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Random => f.write_str("random"),
            Self::First => f.write_str("first"),
            Self::Latest(column) => write!(f, "latest {column}"),
            Self::Mode => f.write_str("mode"),
        }
    }
}

impl FromStr for PerUnit {
    type Err = NoSuchRule;

    fn from_str(text: &str) -> Result<Self, NoSuchRule> {
        match text {
            "random" => Ok(Self::Random),
            "first" => Ok(Self::First),
            "mode" => Ok(Self::Mode),
            _ => match text.strip_prefix("latest ") {
                Some(column) if !column.is_empty() => Ok(Self::Latest(column.into())),
                _ => Err(NoSuchRule { text: text.into() }),
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn accepts_its_own_text() {
        let latest = |column: &str| PerUnit::Latest(column.into());
        let table = [
            ("random", PerUnit::Random),
            ("first", PerUnit::First),
            ("mode", PerUnit::Mode),
            ("latest visit_date", latest("visit_date")),
            ("latest  date of visit ", latest(" date of visit ")),
            ("latest random", latest("random")),
        ];
        for (text, rule) in table {
            assert_eq!(text.parse(), Ok(rule.clone()));
            assert_eq!(rule.to_string(), text);
        }
        assert_eq!(PerUnit::default(), PerUnit::Random);
    }

    #[test]
    fn rejects_any_other_text() {
        for text in ["", "Random", " random", "random ", "latest", "latest ", "latest\tday", "last", "mode x"]
        {
            assert_eq!(text.parse::<PerUnit>(), Err(NoSuchRule { text: text.into() }));
        }
        let error = NoSuchRule { text: "last".into() };
        assert_eq!(
            error.to_string(),
            r#"there is no rule "last"; choose random, first, mode or latest COLUMN"#
        );
    }

    #[test]
    fn reads_well_in_a_document() {
        let table = [
            ("random", r#"each value of "id" counts once, by one of its records drawn at random"#),
            (
                "first",
                r#"each value of "id" counts once, by the one of its records whose category is declared first"#,
            ),
            ("latest day", r#"each value of "id" counts once, by the latest of its records, by "day""#),
            (
                "mode",
                "each value of \"id\" counts once, by the category that most of its records have, the one declared \
                 first among equals",
            ),
        ];
        for (text, words) in table {
            assert_eq!(text.parse::<PerUnit>().map(|rule| rule.in_words("id")), Ok(words.into()));
        }
    }

    proptest! {
        /// If this fails, a column's name is changed on its way through a document.
        #[test]
        fn every_column_survives_the_text(column in ".+") {
            let rule = PerUnit::Latest(column);
            prop_assert_eq!(rule.to_string().parse(), Ok(rule));
        }
    }
}
