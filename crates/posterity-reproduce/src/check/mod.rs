//! The checks by which a definition says how a claim is decided.

mod crossing;
mod curves;
mod definition;
mod error;
mod finding;
mod keys;
mod outcome;
mod pairs;
mod selection;
mod values;
mod word;

use serde::Deserialize;

pub use self::error::CheckError;
pub use self::finding::{Finding, Part};

use self::crossing::Crossing;
use self::finding::place;
use self::selection::{Partner, Selection};
use crate::table::{ResultRow, ResultTable};

/// One comparison of numbers in an experiment's table.
///
/// The rows are chosen by quantity, series, panel and range of x; a comparison of two series pairs the rows of the same
/// panel and x. A definition writes a check as a table of keys, which docs/reproduce.md explains.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(try_from = "toml::Table")]
pub struct Check {
    rows: Selection,
    condition: Condition,
}

/// What the rows must satisfy.
#[derive(Clone, Debug, PartialEq)]
enum Condition {
    /// Every row is smaller than `factor` times its partner.
    Below { partner: Partner, factor: f64 },
    /// Every row is at most its partner, up to rounding.
    UpTo { partner: Partner },
    /// Every row agrees with its partner, up to `tolerance` of the partner.
    Near { partner: Partner, tolerance: f64 },
    /// Every value is `is`, up to its printed digits.
    Value { is: String },
    /// Every value is at most `is`.
    AtMost { is: f64 },
    /// Every value is at least `is`.
    AtLeast { is: f64 },
    /// Some value is at least `is`.
    Reaches { is: f64 },
    /// The largest value of each panel and series is at the x that its quantity `at_of` says.
    MaximumAt { at_of: String },
    /// Values fall with x.
    Falling,
    /// Values rise with x.
    Rising,
    /// Values agree up to `tolerance` of the largest.
    Constant { tolerance: f64 },
    /// Values are not alike.
    Varies,
    /// One series is smaller than another from some x in a range on, and not before.
    Crossing(Crossing),
}

impl Check {
    /// Decides whether the numbers of a table satisfy the check. It decides nothing if one of them is not
    /// a number.
    #[must_use]
    pub fn decide(&self, table: &ResultTable) -> Finding {
        let of = &self.rows.of;
        let rows = self.rows.rows(table);
        if rows.is_empty() {
            return Finding::nothing(format!("no {of} of {} was computed", self.rows.series()));
        }
        if let Some(row) = self.not_a_number(table, &rows) {
            let evidence = format!("{} of {} is not a number {}", row.quantity, row.series, place(row));
            return Finding::nothing(evidence.trim_end().to_owned());
        }
        match &self.condition {
            Condition::Below { partner, factor } => pairs::below(of, table, &rows, partner, *factor),
            Condition::UpTo { partner } => pairs::up_to(of, table, &rows, partner),
            Condition::Near { partner, tolerance } => pairs::near(of, table, &rows, partner, *tolerance),
            Condition::Value { is } => values::value(of, &rows, is),
            Condition::AtMost { is } => values::at_most(of, &rows, *is),
            Condition::AtLeast { is } => values::at_least(of, &rows, *is),
            Condition::Reaches { is } => values::reaches(of, &rows, *is),
            Condition::MaximumAt { at_of } => curves::maximum_at(of, table, &rows, at_of),
            Condition::Falling => curves::falling(of, &rows),
            Condition::Rising => curves::rising(of, &rows),
            Condition::Constant { tolerance } => curves::constant(of, &rows, *tolerance),
            Condition::Varies => curves::varies(of, &rows),
            Condition::Crossing(crossing) => crossing.decide(of, table, &rows),
        }
    }

    /// Whether it compares numbers one by one, so that it can compare averages too.
    pub(crate) fn compares_numbers(&self) -> bool {
        use Condition::{AtLeast, AtMost, Below, Near, UpTo, Value};
        matches!(
            self.condition,
            Below { .. } | UpTo { .. } | Near { .. } | Value { .. } | AtMost { .. } | AtLeast { .. }
        )
    }

    /// Decides whether the averages of the rows and of their partners satisfy the check.
    pub(crate) fn decide_on_average(&self, table: &ResultTable) -> Finding {
        let partner = self.partner().unwrap_or_default();
        let rows = self.rows.rows(table);
        let pairs: Vec<(&ResultRow, &ResultRow)> =
            rows.into_iter().filter_map(|row| Some((row, partner.find(table, row)?))).collect();
        let mut averages = ResultTable::default();
        let average = |rows: Vec<&ResultRow>| {
            let n = rows.len() as f64;
            let value = rows.iter().map(|row| row.value).sum::<f64>() / n;
            let square: f64 = rows.iter().filter_map(|row| row.error).map(|error| error * error).sum();
            (value, (square > 0.0).then(|| square.sqrt() / n))
        };
        let of = format!("average {}", self.rows.of);
        let right_of = format!("average {}", partner.right_of.as_ref().unwrap_or(&self.rows.of));
        let left = self.rows.series().to_owned();
        let right = partner.right.clone().unwrap_or_else(|| left.clone());
        if !pairs.is_empty() {
            averages.push_sampled("", &left, &of, None, average(pairs.iter().map(|pair| pair.0).collect()));
            if self.partner().is_some() {
                let others = average(pairs.iter().map(|pair| pair.1).collect());
                averages.push_sampled("", &right, &right_of, None, others);
            }
        }
        let rows = Selection { of, left: Some(left), panel: None, from: None, to: None };
        let with = Partner { right: Some(right), right_of: Some(right_of), right_panel: None };
        let condition = match self.condition.clone() {
            Condition::Below { factor, .. } => Condition::Below { partner: with, factor },
            Condition::UpTo { .. } => Condition::UpTo { partner: with },
            Condition::Near { tolerance, .. } => Condition::Near { partner: with, tolerance },
            other => other,
        };
        Self { rows, condition }.decide(&averages)
    }

    /// How rows are paired, if they are.
    fn partner(&self) -> Option<Partner> {
        match &self.condition {
            Condition::Below { partner, .. }
            | Condition::UpTo { partner }
            | Condition::Near { partner, .. } => Some(partner.clone()),
            Condition::Crossing(crossing) => Some(crossing.partner()),
            _ => None,
        }
    }

    /// The first row, or partner of a row, whose value is not a number.
    fn not_a_number<'t>(&self, table: &'t ResultTable, rows: &[&'t ResultRow]) -> Option<&'t ResultRow> {
        let partner = self.partner();
        let partners =
            partner.iter().flat_map(|partner| rows.iter().filter_map(|row| partner.find(table, row)));
        rows.iter().copied().chain(partners).find(|row| row.value.is_nan())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table() -> ResultTable {
        let mut table = ResultTable::default();
        for (x, a, b) in [(1.0, 0.9, 0.5), (2.0, 0.4, 0.45), (3.0, 0.2, 0.4)] {
            table.push("p", "a", "mean", Some(x), a);
            table.push_sampled("p", "b", "mean", Some(x), (b, Some(0.01)));
        }
        table.push("p", "a", "peak", None, 1.0);
        table.push("p", "a", "exact", None, 0.196_734_670_143);
        table
    }

    fn check(text: &str) -> Check {
        toml::from_str(text).expect("valid")
    }

    /// Every word of the vocabulary once where it holds and once where it does not.
    #[test]
    fn vocabulary() {
        let both = "left = 'a'\nright = 'b'\nof = 'mean'";
        let one = "left = 'a'\nof = 'mean'";
        for (text, holds) in [
            (format!("check = 'below'\n{both}"), false),
            (format!("check = 'below'\n{both}\nfrom = 2"), true),
            (format!("check = 'below'\n{both}\nfrom = 3\nby = 'much'"), false),
            (format!("check = 'below'\n{both}\nby = 'order'"), true),
            (format!("check = 'up-to'\n{both}"), false),
            (format!("check = 'up-to'\n{both}\nfrom = 2"), true),
            ("check = 'up-to'\nleft = 'a'\nright = 'a'\nof = 'mean'".to_owned(), true),
            (format!("check = 'varies'\n{one}"), true),
            (format!("check = 'varies'\n{one}\nfrom = 3"), false),
            (format!("check = 'near'\n{both}\nfrom = 2\nto = 2\nwithin = 'alike'"), false),
            ("check = 'near'\nleft = 'a'\nright = 'a'\nof = 'mean'\nwithin = 'alike'".to_owned(), true),
            (format!("check = 'near'\n{both}\nwithin = 'alike'"), false),
            (format!("check = 'crossing'\n{both}\nfrom = 1\nto = 2"), true),
            (format!("check = 'crossing'\n{both}\nfrom = 4\nto = 9"), false),
            ("check = 'value'\nof = 'exact'\nis = 0.19673467".to_owned(), true),
            ("check = 'value'\nof = 'exact'\nis = '0.1970'".to_owned(), false),
            (format!("check = 'at-most'\n{one}\nis = 0.9"), true),
            (format!("check = 'at-most'\n{one}\nis = 0.8"), false),
            (format!("check = 'at-least'\n{one}\nis = 0.2"), true),
            (format!("check = 'at-least'\n{one}\nis = 0.3"), false),
            (format!("check = 'reaches'\n{one}\nis = 0.9"), true),
            (format!("check = 'reaches'\n{one}\nis = 1"), false),
            (format!("check = 'maximum-at'\n{one}\nat_of = 'peak'"), true),
            (format!("check = 'maximum-at'\n{one}\nat_of = 'exact'"), false),
            (format!("check = 'falling'\n{one}"), true),
            (format!("check = 'rising'\n{one}"), false),
            (format!("check = 'constant'\n{one}\nfrom = 3\nwithin = 'alike'"), true),
            (format!("check = 'constant'\n{one}\nwithin = 'alike'"), false),
            ("check = 'at-most'\nof = 'nothing'\nis = 1".to_owned(), false),
        ] {
            let finding = check(&text).decide(&table());
            assert_eq!(finding.holds(), holds, "{text}: {finding:?}");
            assert!(!finding.evidence.is_empty(), "{text}");
        }
    }

    /// If this fails, "not significant" is read as "fails" or as "holds".
    #[test]
    fn sampled_numbers_may_decide_nothing() {
        let mut table = ResultTable::default();
        for (x, a, b) in [(1.0, 0.9, 0.5), (2.0, 0.46, 0.45), (3.0, 0.44, 0.45), (4.0, 0.2, 0.4)] {
            table.push_sampled("p", "a", "mean", Some(x), (a, Some(0.01)));
            table.push_sampled("p", "b", "mean", Some(x), (b, Some(0.01)));
        }
        let both = "left = 'a'\nright = 'b'\nof = 'mean'";
        let one = "left = 'a'\nof = 'mean'";
        for (text, [holding, undecided, failing]) in [
            (format!("check = 'below'\n{both}"), [1, 2, 1]),
            (format!("check = 'below'\n{both}\nfrom = 2\nto = 3"), [0, 2, 0]),
            (format!("check = 'up-to'\n{both}\nfrom = 2"), [1, 2, 0]),
            (format!("check = 'near'\n{both}\nfrom = 2\nto = 3\nwithin = 'alike'"), [0, 2, 0]),
            (format!("check = 'near'\n{both}\nfrom = 2\nto = 3\nwithin = 'equal'"), [2, 0, 0]),
            (format!("check = 'value'\n{one}\nto = 1\nis = '0.9'"), [1, 0, 0]),
            (format!("check = 'value'\n{one}\nto = 1\nis = '0.90'"), [0, 1, 0]),
            (format!("check = 'at-most'\n{one}\nis = 0.45"), [1, 2, 1]),
            (format!("check = 'at-least'\n{one}\nis = 0.45"), [1, 2, 1]),
            (format!("check = 'reaches'\n{one}\nis = 0.91"), [0, 1, 0]),
            (format!("check = 'reaches'\n{one}\nis = 0.8"), [1, 0, 0]),
            (format!("check = 'falling'\n{one}"), [0, 1, 0]),
            (format!("check = 'rising'\n{one}"), [0, 0, 1]),
            (format!("check = 'constant'\n{one}\nfrom = 2\nto = 3\nwithin = 'alike'"), [0, 1, 0]),
            (format!("check = 'varies'\n{one}\nfrom = 2\nto = 3"), [0, 1, 0]),
            (format!("check = 'crossing'\n{both}\nfrom = 1\nto = 4"), [1, 0, 0]),
            (format!("check = 'crossing'\n{both}\nfrom = 2\nto = 3"), [0, 1, 0]),
            (format!("check = 'crossing'\n{both}\nfrom = 5\nto = 9"), [0, 0, 1]),
        ] {
            let found = check(&text).decide(&table);
            let counts = [found.holding, found.undecided, found.failing()];
            assert_eq!(counts, [holding, undecided, failing], "{text}: {found:?}");
        }
    }

    #[test]
    fn what_is_no_number_decides_nothing() {
        let both = "left = 'a'\nright = 'b'\nof = 'mean'";
        let one = "left = 'a'\nof = 'mean'";
        for series in ["a", "b"] {
            let mut table = table();
            table.push("p", "a", "mean", Some(4.0), if series == "a" { f64::NAN } else { 0.1 });
            table.push("p", "b", "mean", Some(4.0), if series == "b" { f64::NAN } else { 0.2 });
            for (text, asks_a) in [
                (format!("check = 'below'\n{both}\nby = 'order'"), false),
                (format!("check = 'near'\n{both}\nwithin = 'alike'"), false),
                (format!("check = 'crossing'\n{both}\nfrom = 1\nto = 2"), false),
                (format!("check = 'at-most'\n{one}\nis = 1"), true),
                (format!("check = 'reaches'\n{one}\nis = 0.9"), true),
                (format!("check = 'falling'\n{one}"), true),
                (format!("check = 'constant'\n{one}\nfrom = 4\nwithin = 'alike'"), true),
            ] {
                let found = check(&text).decide(&table);
                assert_eq!(found.holds(), asks_a && series == "b", "{text}: {found:?}");
                if !found.holds() {
                    assert_eq!((found.undecided, found.value), (1, None));
                    assert_eq!(found.evidence, format!("mean of {series} is not a number at 4 in p"));
                }
            }
        }
    }

    #[test]
    fn evidence_names_the_deciding_numbers() {
        let found = check("check = 'below'\nleft = 'a'\nright = 'b'\nof = 'mean'").decide(&table());
        assert_eq!(
            found.evidence,
            "mean of a 0.9 against b 0.5 ± 0.01 at 1 in p (closest of 3 pairs; 1 fail)"
        );
    }

    fn refusal(text: &str) -> CheckError {
        let table: toml::Table = toml::from_str(text).expect("parses");
        Check::try_from(table).expect_err(text)
    }

    #[test]
    fn keys_that_are_missing_are_named() {
        for (text, name, key, kind) in [
            ("check = 'below'\nof = 'mean'\nright = 'b'", "below", "left", "text"),
            ("check = 'below'\nof = 'mean'\nleft = 'a'", "below", "right or right_of", "text"),
            ("check = 'near'\nof = 'mean'\nleft = 'a'\nright = 'b'", "near", "within", "text"),
            ("check = 'value'\nof = 'mean'", "value", "is", "a number as it is printed"),
            ("check = 'at-most'\nof = 'mean'", "at-most", "is", "a number"),
            ("check = 'at-least'\nof = 'mean'", "at-least", "is", "a number"),
            ("check = 'reaches'\nof = 'mean'", "reaches", "is", "a number"),
            ("check = 'constant'\nof = 'mean'", "constant", "within", "text"),
            (
                "check = 'crossing'\nof = 'mean'\nleft = 'a'\nright = 'b'\nfrom = 1",
                "crossing",
                "to",
                "a number",
            ),
            ("check = 'maximum-at'\nof = 'mean'", "maximum-at", "at_of", "text"),
        ] {
            let check = format!("{name} of \"mean\"");
            let error = refusal(text);
            assert_eq!(error, CheckError::MissingKey { check, key, kind });
            assert!(
                error.to_string().ends_with(&format!("lacks the key {key}; add it as {kind}")),
                "{error}"
            );
        }
        assert_eq!(
            refusal("check = 'falling'").to_string(),
            "the check falling lacks the key of; add it as text"
        );
    }

    #[test]
    fn other_mistakes_say_their_remedy() {
        let names = "below, up-to, near, value, at-most, at-least, reaches, maximum-at, falling, rising, constant, varies, crossing";
        for (text, message) in [
            (
                "of = 'mean'",
                format!("no text under the key check names the check; write check = \"NAME\" with one of {names}"),
            ),
            ("check = 'under'", format!("there is no check \"under\"; choose one of {names}")),
            (
                "check = 'value'\nof = 'mean'\nis = 1\nsigmas = 2",
                "the check value of \"mean\" has no key sigmas; remove it, or choose from of, left, panel, from, to, is"
                    .to_owned(),
            ),
            (
                "check = 'at-most'\nof = 'mean'\nis = '1'",
                "in the check at-most of \"mean\" the key is is of type string; give a number".to_owned(),
            ),
            (
                "check = 'below'\nof = 'mean'\nleft = 'a'\nright = 'b'\nby = 'far'",
                "in the check below of \"mean\" the key by is \"far\"; give much, nearly or order".to_owned(),
            ),
            (
                "check = 'falling'\nof = 'mean'\nleft = 1",
                "in the check falling of \"mean\" the key left is of type integer; give text".to_owned(),
            ),
        ] {
            assert_eq!(refusal(text).to_string(), message);
        }
    }
}
