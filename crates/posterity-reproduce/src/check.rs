//! The small vocabulary in which a definition says how a claim is decided.

use serde::Deserialize;

use crate::table::{Row, Table};
use posterity::number::brief;

/// One comparison of numbers in an experiment's table.
///
/// Rows are chosen by quantity (`of`), series (`left`), panel and range of x; a comparison of two series pairs the rows of
/// the same panel and x. docs/reproduce.md explains every key.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Check {
    check: Kind,
    of: String,
    left: Option<String>,
    right: Option<String>,
    right_of: Option<String>,
    panel: Option<String>,
    right_panel: Option<String>,
    from: Option<f64>,
    to: Option<f64>,
    is: Option<f64>,
    tolerance: Option<f64>,
    factor: Option<f64>,
    sigmas: Option<f64>,
    at_of: Option<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Kind {
    /// Left is smaller than right, times `factor`, in every pair; by `sigmas` standard errors if given.
    Below,
    /// Left and right agree in every pair, up to `tolerance` of the right.
    Near,
    /// Every value is `is`, up to `tolerance`.
    Value,
    /// Every value is at most `is`.
    AtMost,
    /// Every value is at least `is`.
    AtLeast,
    /// Some value is at least `is`.
    Reaches,
    /// The largest value of each panel is at the x that the quantity `at_of` says.
    MaximumAt,
    /// Values fall with x.
    Falling,
    /// Values rise with x.
    Rising,
    /// Values agree up to `tolerance` of the largest.
    Constant,
    /// Left is smaller than right for all x from some x between `from` and `to` on, and not before.
    Crossing,
}

/// What a check found.
#[derive(Clone, Debug, PartialEq)]
pub struct Finding {
    /// Whether it holds.
    pub holds: bool,
    /// The number that decides it.
    pub evidence: String,
}

impl Check {
    /// Whether all keys that it needs are there.
    pub(crate) fn complete(&self) -> Result<(), String> {
        let needs: &[(&str, bool)] = match self.check {
            Kind::Below => &[("left", self.left.is_some()), ("right or right_of", self.has_right())],
            Kind::Near => &[
                ("left", self.left.is_some()),
                ("right or right_of", self.has_right()),
                ("tolerance", self.tolerance.is_some()),
            ],
            Kind::Crossing => &[
                ("left", self.left.is_some()),
                ("right", self.right.is_some()),
                ("from", self.from.is_some()),
                ("to", self.to.is_some()),
            ],
            Kind::Value => &[("is", self.is.is_some()), ("tolerance", self.tolerance.is_some())],
            Kind::AtMost | Kind::AtLeast | Kind::Reaches => &[("is", self.is.is_some())],
            Kind::MaximumAt => &[("at_of", self.at_of.is_some())],
            Kind::Constant => &[("tolerance", self.tolerance.is_some())],
            Kind::Falling | Kind::Rising => &[],
        };
        match needs.iter().find(|(_, given)| !given) {
            None => Ok(()),
            Some((key, _)) => Err(format!("the check {} of {:?} lacks the key {key}", self.name(), self.of)),
        }
    }

    fn has_right(&self) -> bool {
        self.right.is_some() || self.right_of.is_some() || self.right_panel.is_some()
    }

    /// As it is written.
    fn name(&self) -> &'static str {
        match self.check {
            Kind::Below => "below",
            Kind::Near => "near",
            Kind::Value => "value",
            Kind::AtMost => "at-most",
            Kind::AtLeast => "at-least",
            Kind::Reaches => "reaches",
            Kind::MaximumAt => "maximum-at",
            Kind::Falling => "falling",
            Kind::Rising => "rising",
            Kind::Constant => "constant",
            Kind::Crossing => "crossing",
        }
    }

    /// Decides it.
    #[must_use]
    pub fn decide(&self, table: &Table) -> Finding {
        let left = self.rows(table);
        if left.is_empty() {
            let series = self.left.as_deref().unwrap_or("any series");
            return Finding { holds: false, evidence: format!("no {} of {series} was computed", self.of) };
        }
        // What is no number decides nothing.
        let partners = left.iter().filter_map(|row| self.partner(table, row));
        if let Some(row) = left.iter().copied().chain(partners).find(|row| row.value.is_nan()) {
            let evidence = format!("{} of {} is not a number {}", row.quantity, row.series, place(row));
            return Finding { holds: false, evidence: evidence.trim_end().to_owned() };
        }
        match self.check {
            Kind::Below | Kind::Near => self.compare(table, &left),
            Kind::Crossing => self.crossing(table, &left),
            Kind::Value => {
                self.each(&left, |value, is| (value - is).abs() / self.tolerance.unwrap_or(0.0), "is")
            }
            Kind::AtMost => self.each(&left, ratio, "at most"),
            Kind::AtLeast => self.each(&left, |value, is| ratio(is, value), "at least"),
            Kind::Reaches => self.reaches(&left),
            Kind::MaximumAt => self.maximum_at(table, &left),
            Kind::Falling => self.monotone(&left, -1.0, "falls"),
            Kind::Rising => self.monotone(&left, 1.0, "rises"),
            Kind::Constant => self.constant(&left),
        }
    }

    fn in_range(&self, x: Option<f64>) -> bool {
        let inside = |x: f64| self.from.is_none_or(|from| x >= from) && self.to.is_none_or(|to| x <= to);
        x.map_or(self.from.is_none() && self.to.is_none(), inside)
    }

    fn rows<'t>(&self, table: &'t Table) -> Vec<&'t Row> {
        let mine = |row: &&Row| {
            row.quantity == self.of
                && self.left.as_ref().is_none_or(|left| row.series == *left)
                && self.panel.as_ref().is_none_or(|panel| row.panel == *panel)
                // A crossing is looked for everywhere.
                && (self.check == Kind::Crossing || self.in_range(row.x))
        };
        table.rows().iter().filter(mine).collect()
    }

    /// The row that a row is compared with.
    fn partner<'t>(&self, table: &'t Table, row: &Row) -> Option<&'t Row> {
        let panel = self.right_panel.as_ref().unwrap_or(&row.panel);
        let series = self.right.as_ref().unwrap_or(&row.series);
        let quantity = self.right_of.as_ref().unwrap_or(&row.quantity);
        table.rows().iter().find(|other| {
            other.panel == *panel
                && other.series == *series
                && other.quantity == *quantity
                && other.x == row.x
        })
    }

    fn compare(&self, table: &Table, left: &[&Row]) -> Finding {
        let factor = self.factor.unwrap_or(1.0);
        let mut worst: Option<(f64, &Row, &Row)> = None;
        let (mut failed, mut pairs) = (0, 0);
        for &row in left {
            let Some(other) = self.partner(table, row) else { continue };
            pairs += 1;
            let (excess, fails) = if self.check == Kind::Near {
                let gap = (row.value - other.value).abs() / other.value.abs();
                (gap, gap > self.tolerance.unwrap_or(0.0))
            } else {
                let slack = self.sigmas.map_or(0.0, |sigmas| {
                    let part = |error: Option<f64>| error.unwrap_or(0.0);
                    sigmas * part(row.error).hypot(factor * part(other.error))
                });
                let excess = (row.value + slack) / (factor * other.value);
                (excess, excess >= 1.0)
            };
            failed += usize::from(fails);
            if worst.is_none_or(|(most, _, _)| excess > most) {
                worst = Some((excess, row, other));
            }
        }
        let Some((_, row, other)) = worst else {
            return Finding { holds: false, evidence: format!("nothing to compare the {} with", self.of) };
        };
        let right = if other.series == row.series && other.quantity != row.quantity {
            &other.quantity
        } else if other.series == row.series {
            &other.panel
        } else {
            &other.series
        };
        let times = if factor == 1.0 { String::new() } else { format!("{} times ", brief(factor)) };
        let relation = if self.check == Kind::Near { "closest to failing" } else { "closest" };
        let evidence = format!(
            "{} of {} {} against {times}{right} {} {}({relation} of {pairs} pairs{})",
            self.of,
            row.series,
            measured(row),
            measured(other),
            place(row),
            if failed == 0 { String::new() } else { format!("; {failed} fail") },
        );
        Finding { holds: failed == 0, evidence }
    }

    fn crossing(&self, table: &Table, left: &[&Row]) -> Finding {
        let (from, to) = (self.from.unwrap_or(0.0), self.to.unwrap_or(f64::INFINITY));
        let mut pairs: Vec<(f64, bool)> = left
            .iter()
            .filter_map(|row| Some((row.x?, row.value < self.partner(table, row)?.value)))
            .collect();
        pairs.sort_by(|a, b| a.0.total_cmp(&b.0));
        let (first, last) = (self.left.as_deref().unwrap_or(""), self.right.as_deref().unwrap_or(""));
        let behind = pairs.iter().rposition(|(_, ahead)| !ahead);
        let (holds, evidence) = match (behind, pairs.len()) {
            (_, 0) => (false, format!("nothing to compare the {} with", self.of)),
            (None, _) => (false, format!("the {} of {first} is below that of {last} everywhere", self.of)),
            (Some(at), all) if at + 1 == all => (
                false,
                format!("the {} of {first} is not below that of {last} at {}", self.of, brief(pairs[at].0)),
            ),
            (Some(at), _) => {
                let (below, above) = (pairs[at].0, pairs[at + 1].0);
                let text = format!(
                    "the {} of {first} falls below that of {last} between {} and {}",
                    self.of,
                    brief(below),
                    brief(above)
                );
                (above >= from && below <= to, text)
            }
        };
        Finding {
            holds,
            evidence: format!("{evidence} (looked for between {} and {})", brief(from), brief(to)),
        }
    }

    /// Every value against `is`; `badness` is above one where it fails.
    fn each(&self, left: &[&Row], badness: impl Fn(f64, f64) -> f64, words: &str) -> Finding {
        let is = self.is.unwrap_or(0.0);
        let mut worst: Option<(f64, &Row)> = None;
        for &row in left {
            // No tolerance holds nothing.
            let bad = badness(row.value, is);
            let bad = if bad.is_nan() { f64::INFINITY } else { bad };
            if worst.is_none_or(|(most, _)| bad > most) {
                worst = Some((bad, row));
            }
        }
        let Some((bad, row)) = worst else { return Finding { holds: false, evidence: String::new() } };
        let limit = match (self.check, self.tolerance) {
            (Kind::Value, Some(tolerance)) => format!("{} ± {}", exact(is), brief(tolerance)),
            _ => brief(is),
        };
        let value = if self.check == Kind::Value { exact(row.value) } else { measured(row) };
        let evidence = format!(
            "{} of {} {value} {}({words} {limit}; the worst of {})",
            self.of,
            row.series,
            place(row),
            left.len()
        );
        Finding { holds: bad <= 1.0, evidence }
    }

    fn reaches(&self, left: &[&Row]) -> Finding {
        let is = self.is.unwrap_or(0.0);
        let most = left.iter().copied().max_by(|a, b| a.value.total_cmp(&b.value));
        let Some(row) = most else { return Finding { holds: false, evidence: String::new() } };
        let evidence = format!(
            "largest {} of {} {} {}(to reach {})",
            self.of,
            row.series,
            measured(row),
            place(row),
            brief(is)
        );
        Finding { holds: row.value >= is, evidence }
    }

    fn maximum_at(&self, table: &Table, left: &[&Row]) -> Finding {
        let quantity = self.at_of.as_deref().unwrap_or("");
        let mut worst = Finding { holds: true, evidence: String::new() };
        for group in groups(left) {
            let Some(most) = group.iter().copied().max_by(|a, b| a.value.total_cmp(&b.value)) else {
                continue;
            };
            let wanted = table
                .rows()
                .iter()
                .find(|row| row.quantity == quantity && row.panel == most.panel && row.series == most.series);
            let there = wanted.and_then(|wanted| group.iter().find(|row| row.x == Some(wanted.value)));
            // A maximum that is shared is a maximum.
            let holds = there.is_some_and(|row| row.value >= most.value * (1.0 - 1e-12));
            let evidence = format!(
                "{}: the largest {} is {} at {}, and {} at the {quantity} {}",
                most.panel,
                self.of,
                brief(most.value),
                most.x.map(brief).unwrap_or_default(),
                there.map(|row| brief(row.value)).unwrap_or_default(),
                wanted.map(|row| brief(row.value)).unwrap_or_default(),
            );
            if worst.evidence.is_empty() || (worst.holds && !holds) {
                worst = Finding { holds, evidence };
            }
        }
        worst
    }

    fn monotone(&self, left: &[&Row], sign: f64, word: &str) -> Finding {
        let mut holds = true;
        let mut evidence = String::new();
        for group in groups(left) {
            let mut group = group.clone();
            group.sort_by(|a, b| a.x.unwrap_or(0.0).total_cmp(&b.x.unwrap_or(0.0)));
            // Rounding is no reversal.
            let reversal = group
                .windows(2)
                .find(|pair| sign * (pair[1].value - pair[0].value) < -1e-9 * pair[0].value.abs());
            let (Some(first), Some(last)) = (group.first(), group.last()) else { continue };
            if let Some(pair) = reversal {
                holds = false;
                evidence = format!(
                    "the {} of {} does not: {} {}and {} {}",
                    self.of,
                    first.series,
                    brief(pair[0].value),
                    place(pair[0]),
                    brief(pair[1].value),
                    place(pair[1]).trim_end()
                );
            } else if evidence.is_empty() {
                evidence = format!(
                    "the {} of {} {word} from {} {}to {} {}",
                    self.of,
                    first.series,
                    brief(first.value),
                    place(first),
                    brief(last.value),
                    place(last).trim_end()
                );
            }
        }
        Finding { holds, evidence: evidence.trim_end().to_owned() }
    }

    fn constant(&self, left: &[&Row]) -> Finding {
        let mut worst: Option<(f64, String)> = None;
        for group in groups(left) {
            let least = group.iter().copied().min_by(|a, b| a.value.total_cmp(&b.value));
            let most = group.iter().copied().max_by(|a, b| a.value.total_cmp(&b.value));
            let (Some(least), Some(most)) = (least, most) else { continue };
            let spread = (most.value - least.value) / most.value.abs();
            let text = format!(
                "the {} of {} lies between {} {}and {} {}",
                self.of,
                most.series,
                brief(least.value),
                place(least),
                brief(most.value),
                place(most).trim_end()
            );
            if worst.as_ref().is_none_or(|(widest, _)| spread > *widest) {
                worst = Some((spread, text));
            }
        }
        let (spread, evidence) = worst.unwrap_or((f64::INFINITY, String::new()));
        Finding { holds: spread <= self.tolerance.unwrap_or(0.0), evidence: evidence.trim_end().to_owned() }
    }
}

/// Above one if `value` exceeds `limit`, whatever their signs.
fn ratio(value: f64, limit: f64) -> f64 {
    1.0 + (value - limit) / value.abs().max(limit.abs()).max(f64::MIN_POSITIVE)
}

/// Rows of the same panel and series together.
fn groups<'t>(rows: &[&'t Row]) -> Vec<Vec<&'t Row>> {
    let mut groups: Vec<Vec<&Row>> = Vec::new();
    for &row in rows {
        let mine = |group: &&mut Vec<&Row>| group[0].panel == row.panel && group[0].series == row.series;
        match groups.iter_mut().find(mine) {
            Some(group) => group.push(row),
            None => groups.push(vec![row]),
        }
    }
    groups
}

fn measured(row: &Row) -> String {
    match row.error {
        Some(error) => format!("{} ± {}", brief(row.value), brief(error)),
        None => brief(row.value),
    }
}

/// With the digits that a printed number has.
fn exact(value: f64) -> String {
    posterity::number::digits(value)
}

/// Where a row is, ending in a blank.
fn place(row: &Row) -> String {
    match (row.x, row.panel.is_empty()) {
        (None, true) => String::new(),
        (None, false) => format!("in {} ", row.panel),
        (Some(x), true) => format!("at {} ", brief(x)),
        (Some(x), false) => format!("at {} in {} ", brief(x), row.panel),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table() -> Table {
        let mut table = Table::default();
        for (x, a, b) in [(1.0, 0.9, 0.5), (2.0, 0.4, 0.45), (3.0, 0.2, 0.4)] {
            table.push("p", "a", "mean", Some(x), a);
            table.push_sampled("p", "b", "mean", Some(x), (b, Some(0.01)));
        }
        table.push("p", "a", "peak", None, 1.0);
        table.push("p", "a", "exact", None, 0.196_734_670_143);
        table
    }

    fn check(text: &str) -> Check {
        let check: Check = toml::from_str(text).expect("valid");
        check.complete().expect("complete");
        check
    }

    /// Every word of the vocabulary once where it holds and once where it does not.
    #[test]
    fn vocabulary() {
        let both = "left = 'a'\nright = 'b'\nof = 'mean'";
        let one = "left = 'a'\nof = 'mean'";
        for (text, holds) in [
            (format!("check = 'below'\n{both}"), false),
            (format!("check = 'below'\n{both}\nfrom = 2"), true),
            (format!("check = 'below'\n{both}\nfrom = 2\nsigmas = 6"), false),
            (format!("check = 'below'\n{both}\nfactor = 2"), true),
            (format!("check = 'near'\n{both}\nfrom = 2\nto = 2\ntolerance = 0.2"), true),
            (format!("check = 'near'\n{both}\ntolerance = 0.2"), false),
            (format!("check = 'crossing'\n{both}\nfrom = 1\nto = 2"), true),
            (format!("check = 'crossing'\n{both}\nfrom = 4\nto = 9"), false),
            ("check = 'value'\nof = 'exact'\nis = 0.19673467\ntolerance = 1e-9".to_owned(), true),
            ("check = 'value'\nof = 'exact'\nis = 0.197\ntolerance = 1e-9".to_owned(), false),
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
            (format!("check = 'constant'\n{one}\ntolerance = 0.9"), true),
            (format!("check = 'constant'\n{one}\ntolerance = 0.5"), false),
            ("check = 'at-most'\nof = 'nothing'\nis = 1".to_owned(), false),
        ] {
            let finding = check(&text).decide(&table());
            assert_eq!(finding.holds, holds, "{text}: {finding:?}");
            assert!(!finding.evidence.is_empty(), "{text}");
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
                (format!("check = 'below'\n{both}\nfactor = 2"), false),
                (format!("check = 'near'\n{both}\ntolerance = 9"), false),
                (format!("check = 'crossing'\n{both}\nfrom = 1\nto = 2"), false),
                (format!("check = 'at-most'\n{one}\nis = 1"), true),
                (format!("check = 'reaches'\n{one}\nis = 0.9"), true),
                (format!("check = 'falling'\n{one}"), true),
                (format!("check = 'constant'\n{one}\ntolerance = 9"), true),
            ] {
                let found = check(&text).decide(&table);
                assert_eq!(found.holds, asks_a && series == "b", "{text}: {found:?}");
                if !found.holds {
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

    #[test]
    fn keys_that_are_missing_are_named() {
        for (text, key) in [
            ("check = 'below'\nof = 'mean'\nright = 'b'", "left"),
            ("check = 'near'\nof = 'mean'\nleft = 'a'\nright = 'b'", "tolerance"),
            ("check = 'value'\nof = 'mean'\ntolerance = 1", "is"),
            ("check = 'crossing'\nof = 'mean'\nleft = 'a'\nright = 'b'\nfrom = 1", "to"),
            ("check = 'maximum-at'\nof = 'mean'", "at_of"),
        ] {
            let check: Check = toml::from_str(text).expect("parses");
            let error = check.complete().expect_err(text);
            assert!(error.ends_with(&format!("lacks the key {key}")), "{error}");
        }
    }
}
