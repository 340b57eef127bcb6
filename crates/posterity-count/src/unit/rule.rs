//! The rules that say which of a unit's records counts.

use std::fmt;
use std::num::NonZeroU32;
use std::str::FromStr;

use thiserror::Error;

/// Which of a unit's records counts.
///
/// # Guarantee
/// Every rule looks at the unit's own records, and at random draws that no other unit shares. So replacing all records
/// of one unit moves at most one count, and adding or removing a unit changes at most one count by one
/// (`docs/proofs/units.md`). By [`PerUnit::All`] adding or removing a unit changes the counts by at most that number in
/// sum.
///
/// Records that the filter leaves out take no part in the choice, and neither do records without a category, where
/// those are left out.
///
/// The rules have a textual form:
/// `random`, `first`, `mode`, `latest` with the name of a column after one blank, and `all` with a number.
///
/// ```
/// use posterity_count::PerUnit;
/// let rule: PerUnit = "all 3".parse()?;
/// assert_eq!(rule.most().get(), 3);
/// # Ok::<(), posterity_count::NoSuchRule>(())
/// ```
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
    /// All records, but no more than this many: of a unit with more, as many are drawn uniformly without replacement.
    /// It needs a unit and [`Adjacency::AddRemove`](posterity_core::model::Adjacency::AddRemove): a public n would
    /// tell how many records there are. The records that are drawn of one unit are held in memory, 12 bytes each.
    All(NonZeroU32),
}

/// A text that names no rule.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("there is no rule {text:?}; choose random, first, mode, latest COLUMN or all NUMBER")]
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
            Self::All(most) => {
                let records = if most.get() == 1 { "one" } else { &most.to_string() };
                return format!(
                    "each value of {unit:?} counts with at most {records} of its records, drawn at random"
                );
            }
        };
        format!("each value of {unit:?} counts once, by {by}")
    }

    /// The rule in a sentence, where no values are declared: then their bytes are their order.
    #[must_use]
    pub fn in_words_of_values(&self, unit: &str) -> String {
        let by = match self {
            Self::First => "the one of its records whose value comes first by its bytes",
            Self::Mode => {
                "the value that most of its records have, the one that comes first by its bytes among equals"
            }
            Self::Random | Self::Latest(_) | Self::All(_) => return self.in_words(unit),
        };
        format!("each value of {unit:?} counts once, by {by}")
    }

    /// How many records of a unit count at most.
    #[must_use]
    pub fn most(&self) -> NonZeroU32 {
        match self {
            Self::Random | Self::First | Self::Latest(_) | Self::Mode => NonZeroU32::MIN,
            Self::All(most) => *most,
        }
    }

    /// Whether records are drawn at random, by bits that must stay secret.
    #[must_use]
    pub fn draws(&self) -> bool {
        matches!(self, Self::Random | Self::All(_))
    }
}

impl fmt::Display for PerUnit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Random => f.write_str("random"),
            Self::First => f.write_str("first"),
            Self::Latest(column) => write!(f, "latest {column}"),
            Self::Mode => f.write_str("mode"),
            Self::All(most) => write!(f, "all {most}"),
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
            _ => {
                let latest = text.strip_prefix("latest ").filter(|column| !column.is_empty());
                let all = text.strip_prefix("all ").and_then(number);
                let rule = latest.map(|column| Self::Latest(column.into())).or(all.map(Self::All));
                rule.ok_or_else(|| NoSuchRule { text: text.into() })
            }
        }
    }
}

/// A number as it is printed: without a plus, and without zeros before it.
fn number(text: &str) -> Option<NonZeroU32> {
    text.parse().ok().filter(|number: &NonZeroU32| number.to_string() == text)
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
            ("all 1", PerUnit::All(NonZeroU32::MIN)),
            ("all 4294967295", PerUnit::All(NonZeroU32::MAX)),
        ];
        for (text, rule) in table {
            assert_eq!(text.parse(), Ok(rule.clone()));
            assert_eq!(rule.to_string(), text);
        }
        assert_eq!(PerUnit::default(), PerUnit::Random);
    }

    #[test]
    fn rejects_any_other_text() {
        for text in [
            "",
            "Random",
            " random",
            "random ",
            "latest",
            "latest ",
            "latest\tday",
            "last",
            "mode x",
            "all",
            "all ",
            "all 0",
            "all -1",
            "all +1",
            "all 01",
            "all 3 ",
            "all 1.5",
            "all 4294967296",
        ] {
            assert_eq!(text.parse::<PerUnit>(), Err(NoSuchRule { text: text.into() }));
        }
        let error = NoSuchRule { text: "last".into() };
        assert_eq!(
            error.to_string(),
            r#"there is no rule "last"; choose random, first, mode, latest COLUMN or all NUMBER"#
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
            ("all 3", r#"each value of "id" counts with at most 3 of its records, drawn at random"#),
            ("all 1", r#"each value of "id" counts with at most one of its records, drawn at random"#),
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
