//! A filter as a condition of SQL, as far as engines give it our meaning.

use std::collections::BTreeMap;

use super::dialect::Dialect;
use super::literal::compared;
use super::stored::Stored;
use crate::filter::{Comparator, Expression, Filter, List, Moment};

/// A condition on a record.
#[derive(Clone, Debug)]
pub(super) struct Condition {
    /// True, false, or unknown. Where it fails it may be any of them.
    pub(super) truth: String,
    /// True where it has no answer, otherwise false; nothing if it always has one.
    pub(super) fails: Option<String>,
}

impl Condition {
    fn new(truth: impl Into<String>) -> Self {
        Self { truth: truth.into(), fails: None }
    }

    /// One where it is true, otherwise zero.
    pub(super) fn as_number(&self) -> String {
        let answered = self.fails.as_ref().map(|fails| format!("WHEN {fails} THEN 0 ")).unwrap_or_default();
        format!("CASE {answered}WHEN {} THEN 1 ELSE 0 END", self.truth)
    }

    /// True where it is true or has no answer.
    pub(super) fn true_or_failing(&self) -> String {
        match &self.fails {
            None => self.truth.clone(),
            Some(fails) => format!("({fails}) OR ({})", self.truth),
        }
    }
}

/// The condition of a filter. The error says what has no translation.
pub(super) fn condition(
    filter: &Filter,
    stored: &BTreeMap<String, Stored>,
    dialect: Dialect,
) -> Result<Condition, String> {
    Writer { filter, stored, dialect }.truth(filter.condition())
}

struct Writer<'a> {
    filter: &'a Filter,
    stored: &'a BTreeMap<String, Stored>,
    dialect: Dialect,
}

/// What a comparison without a column means is known beforehand.
const NO_COLUMN: &str = "a comparison of constants has no column";

impl Writer<'_> {
    fn truth(&self, part: &Expression) -> Result<Condition, String> {
        match part {
            Expression::Truth(truth) => Ok(Condition::new(if *truth { "1 = 1" } else { "1 = 0" })),
            Expression::Not(part) => {
                let part = self.truth(part)?;
                Ok(Condition { truth: format!("NOT ({})", part.truth), ..part })
            }
            Expression::And(parts) => self.joined(parts, "AND"),
            Expression::Or(parts) => self.joined(parts, "OR"),
            Expression::IsNull { operand, negated } => {
                let column = self.column(operand).ok_or("IS NULL of a computed value is not translated")?;
                Ok(Condition::new(format!(
                    "{} IS {}NULL",
                    self.dialect.name(column),
                    if *negated { "NOT " } else { "" }
                )))
            }
            Expression::IsTruth { operand, truth, negated } => {
                let part = self.truth(operand)?;
                let asked = if *truth { part.truth } else { format!("NOT ({})", part.truth) };
                let (yes, no) = if *negated { ("1 = 0", "1 = 1") } else { ("1 = 1", "1 = 0") };
                Ok(Condition {
                    truth: format!("CASE WHEN {asked} THEN {yes} ELSE {no} END"),
                    fails: part.fails,
                })
            }
            Expression::Column(_) => {
                let (name, column) = self.named(part)?;
                match self.type_of(column) {
                    Some(Stored::Boolean) if self.dialect.stores(Stored::Boolean) => Ok(Condition::new(name)),
                    _ => Err(format!(
                        "the column {column:?} stands for a condition, so its type has to be boolean"
                    )),
                }
            }
            Expression::Comparison { comparison, left, right } => self.comparison(*comparison, left, right),
            Expression::Between { operand, low, high, negated } => {
                self.named(operand)?;
                let above = self.comparison(Comparator::AtLeast, operand, low)?;
                let below = self.comparison(Comparator::AtMost, operand, high)?;
                let not = if *negated { "NOT " } else { "" };
                let truth = format!("{not}(({}) AND ({}))", above.truth, below.truth);
                Ok(Condition { truth, fails: above.fails })
            }
            Expression::In { operand, list, negated } => self.listed(operand, list, *negated),
            Expression::Like { .. } => {
                Err("LIKE is not translated, because a value that is a number or a date has no answer to it"
                    .into())
            }
            Expression::Null
            | Expression::Number(_)
            | Expression::Text(_)
            | Expression::TextOf(_)
            | Expression::Moment(_)
            | Expression::Sign { .. }
            | Expression::Chain { .. } => Err("a condition that is computed is not translated".into()),
        }
    }

    /// Conditions joined by `AND` or `OR`, of which those after one that decides are not asked.
    fn joined(&self, parts: &[Expression], word: &str) -> Result<Condition, String> {
        let parts: Vec<Condition> = parts.iter().map(|part| self.truth(part)).collect::<Result<_, _>>()?;
        let truth: Vec<String> = parts.iter().map(|part| format!("({})", part.truth)).collect();
        // From the last part on: it fails, or it decides nothing and what follows fails.
        let fails = parts.iter().rev().fold(None::<String>, |after, part| {
            let not = if word == "OR" { "NOT " } else { "" };
            let after = after.map(|after| format!("(coalesce({not}({}), 1 = 1) AND ({after}))", part.truth));
            match (&part.fails, after) {
                (None, after) => after,
                (Some(fails), None) => Some(fails.clone()),
                (Some(fails), Some(after)) => Some(format!("({fails}) OR {after}")),
            }
        });
        Ok(Condition { truth: truth.join(&format!(" {word} ")), fails })
    }

    fn comparison(
        &self,
        comparator: Comparator,
        left: &Expression,
        right: &Expression,
    ) -> Result<Condition, String> {
        if self.column(left).is_none() {
            if self.column(right).is_none() {
                return Err(NO_COLUMN.into());
            }
            return self.comparison(mirrored(comparator), right, left);
        }
        let (name, column) = self.named(left)?;
        let stored = self.type_of(column);
        let wrong =
            |needs: &str| Err(format!("the column {column:?} is compared with {needs}; say its type"));
        match right {
            Expression::Number(number) => match stored {
                Some(stored @ (Stored::Integer | Stored::Number)) => {
                    let truth = compared(self.dialect, &name, stored, comparator, number);
                    Ok(Condition { truth, fails: self.dialect.is_not_finite(&name, stored) })
                }
                _ => wrong("a number, so it has to be integer or number"),
            },
            Expression::Text(text) => {
                if text.number().is_some() || NOT_FINITE.contains(&text.text()) {
                    return Err(format!(
                        "{:?} in quotes may be a number, and numbers are equal by value",
                        text.text()
                    ));
                }
                if comparator.is_by_order() {
                    return Err(
                        "an order of text is not translated, because a number has no place in it".into()
                    );
                }
                match stored {
                    None | Some(Stored::Text) => Ok(self.text_condition(&name, comparator, text.text())),
                    Some(_) => wrong("text, so it has to be string"),
                }
            }
            Expression::Moment(moment) => match (stored, day(*moment)) {
                (Some(Stored::Day), Some(day)) if self.dialect.stores(Stored::Day) => {
                    Ok(Condition::new(format!("{name} {} DATE '{day}'", comparator.symbol())))
                }
                (Some(Stored::Day), None) => {
                    Err("a time of day is not translated; compare with a DATE of the years 1 to 9999".into())
                }
                _ => wrong("a date, so it has to be date, in an engine that has dates"),
            },
            Expression::Truth(truth) => match stored {
                Some(Stored::Boolean) if self.dialect.stores(Stored::Boolean) => {
                    Ok(Condition::new(format!("{name} {} (1 = {})", comparator.symbol(), u8::from(*truth))))
                }
                _ => wrong("a truth value, so it has to be boolean, in an engine that has them"),
            },
            Expression::Null => Ok(Condition::new("NULL = 1")),
            Expression::Column(_) => {
                let (other, second) = self.named(right)?;
                match (stored, self.type_of(second)) {
                    (Some(Stored::Integer), Some(Stored::Integer))
                    | (Some(Stored::Day), Some(Stored::Day))
                        if self.dialect.has_types() =>
                    {
                        Ok(Condition::new(format!("{name} {} {other}", comparator.symbol())))
                    }
                    _ => Err(format!(
                        "{column:?} is compared with {second:?}, which is translated for two columns of integers or days only"
                    )),
                }
            }
            _ => Err("what is computed in a comparison is not translated".into()),
        }
    }

    fn listed(&self, operand: &Expression, list: &List, negated: bool) -> Result<Condition, String> {
        let conditions: Vec<Condition> = match list {
            List::Texts(texts) => {
                if !texts.numbers().is_empty() {
                    return Err("a text of the list may be a number, and numbers are equal by value".into());
                }
                let quoted = texts.texts().iter().map(|text| {
                    let (name, column) = self.named(operand)?;
                    match self.type_of(column) {
                        None | Some(Stored::Text) if !NOT_FINITE.contains(&text.as_str()) => {
                            Ok(self.text_condition(&name, Comparator::Equal, text))
                        }
                        _ => Err(format!(
                            "the column {column:?} is compared with text, so it has to be string"
                        )),
                    }
                });
                quoted.collect::<Result<_, String>>()?
            }
            List::Numbers(numbers) => {
                let numbers = numbers.iter().map(|number| {
                    self.comparison(Comparator::Equal, operand, &Expression::Number(number.clone()))
                });
                numbers.collect::<Result<_, _>>()?
            }
            List::Mixed(_) => return Err("a list of different things is not translated".into()),
        };
        let parts: Vec<String> =
            conditions.iter().map(|condition| format!("({})", condition.truth)).collect();
        let not = if negated { "NOT " } else { "" };
        // All of them fail for the same values.
        let fails = conditions.into_iter().next().and_then(|condition| condition.fails);
        Ok(Condition { truth: format!("{not}({})", parts.join(" OR ")), fails })
    }

    /// Whether a column equals a text that is no number.
    fn text_condition(&self, name: &str, comparator: Comparator, text: &str) -> Condition {
        let equal = self.dialect.equals_text(name, text);
        let truth = if comparator == Comparator::Unequal { format!("NOT ({equal})") } else { equal };
        Condition { truth, fails: self.dialect.is_bytes(name) }
    }

    fn column(&self, part: &Expression) -> Option<&str> {
        match part {
            Expression::Column(position) => self.filter.columns().get(*position).map(String::as_str),
            _ => None,
        }
    }

    fn named(&self, part: &Expression) -> Result<(String, &str), String> {
        let column = self.column(part).ok_or(NO_COLUMN)?;
        Ok((self.dialect.name(column), column))
    }

    fn type_of(&self, column: &str) -> Option<Stored> {
        self.stored.get(column).copied()
    }
}

/// What numbers print as that are not finite.
const NOT_FINITE: [&str; 3] = ["NaN", "inf", "-inf"];

fn mirrored(comparator: Comparator) -> Comparator {
    match comparator {
        Comparator::Less => Comparator::Greater,
        Comparator::AtMost => Comparator::AtLeast,
        Comparator::Greater => Comparator::Less,
        Comparator::AtLeast => Comparator::AtMost,
        same => same,
    }
}

/// A moment that is a day, as it is written; nothing for others, and for years that engines read differently.
fn day(moment: Moment) -> Option<String> {
    let day = moment.date().filter(|day| !day.starts_with("0000"))?;
    (moment.time() == "00:00:00").then_some(day)
}
