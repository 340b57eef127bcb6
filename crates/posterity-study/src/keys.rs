//! The keys of a table of a plan, taken one by one, with the lines they stand on.

use std::ops::Range;
use std::str::FromStr;

use posterity::{Epsilon, ReadingError};
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use crate::files::file_name;
use crate::names::nearest;
use crate::plan_error::{PlanError, PlanProblem};

/// The text of a plan, which knows its lines.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Text<'a>(pub(crate) &'a str);

impl Text<'_> {
    /// An error at a place.
    pub(crate) fn error(self, at: Range<usize>, problem: PlanProblem) -> PlanError {
        let before = self.0.get(..at.start).unwrap_or(self.0);
        PlanError { line: 1 + before.matches('\n').count(), problem }
    }
}

/// A value with its key and place.
#[derive(Clone, Debug)]
pub(crate) struct Item<'a> {
    pub(crate) key: String,
    pub(crate) at: Range<usize>,
    value: &'a DeValue<'a>,
    text: Text<'a>,
}

/// A table whose keys are asked for by name. At the end, the others are refused.
#[derive(Debug)]
pub(crate) struct Keys<'a> {
    pub(crate) text: Text<'a>,
    /// The table in words.
    pub(crate) place: String,
    pub(crate) at: Range<usize>,
    table: &'a DeTable<'a>,
    known: Vec<&'static str>,
}

impl<'a> Keys<'a> {
    pub(crate) fn new(
        text: Text<'a>,
        place: impl Into<String>,
        at: Range<usize>,
        table: &'a DeTable<'a>,
    ) -> Self {
        Self { text, place: place.into(), at, table, known: Vec::new() }
    }

    /// The value of a key, if it is there.
    pub(crate) fn take(&mut self, key: &'static str) -> Option<Item<'a>> {
        self.known.push(key);
        let (_, value) = self.table.iter().find(|(name, _)| name.get_ref() == key)?;
        Some(Item::new(key, value, self.text))
    }

    /// The value of a key that must be there; the example says how it is written.
    pub(crate) fn need(&mut self, key: &'static str, example: &'static str) -> Result<Item<'a>, PlanError> {
        self.take(key).ok_or_else(|| {
            let place = self.place.clone();
            self.text.error(self.at.clone(), PlanProblem::Missing { key, place, example })
        })
    }

    /// Text, if the key is there.
    pub(crate) fn text(&mut self, key: &'static str) -> Result<Option<String>, PlanError> {
        self.take(key).map(|item| item.text()).transpose()
    }

    /// The texts of a key, each read as something.
    pub(crate) fn parsed<T: FromStr<Err = ReadingError>>(
        &mut self,
        key: &'static str,
    ) -> Result<Vec<(Item<'a>, T)>, PlanError> {
        let items = self.take(key).map(|item| item.list()).unwrap_or_default();
        let one = |item: Item<'a>| {
            let read = item.text()?.parse().map_err(|error| item.error(PlanProblem::Reading(error)))?;
            Ok((item, read))
        };
        items.into_iter().map(one).collect()
    }

    /// The name of a question, which is also that of its files.
    pub(crate) fn file_name(&mut self, usual: impl FnOnce() -> String) -> Result<String, PlanError> {
        let Some(item) = self.take("name") else { return Ok(usual()) };
        let name = item.text()?;
        if file_name(&name) != name {
            return Err(item.wrong(format!(
                "{name:?} is also the name of files; use letters, digits, hyphens and underscores, and \"title\" for words"
            )));
        }
        Ok(name)
    }

    /// The share of the budget: 1 if nothing is said.
    pub(crate) fn share(&mut self) -> Result<Epsilon, PlanError> {
        match self.take("share") {
            Some(item) => item.positive(),
            None => Epsilon::from_f64(1.0).map_err(|error| {
                self.text.error(
                    self.at.clone(),
                    PlanProblem::Value { key: "share".to_owned(), why: error.to_string() },
                )
            }),
        }
    }

    /// All keys with their values, whatever their names.
    pub(crate) fn all(&self) -> impl Iterator<Item = Item<'a>> {
        let text = self.text;
        self.table.iter().map(move |(key, value)| Item::new(key.get_ref(), value, text))
    }

    /// Refuses keys that nobody asked for.
    pub(crate) fn finish(self) -> Result<(), PlanError> {
        let unknown = self.table.keys().find(|key| !self.known.iter().any(|known| known == key.get_ref()));
        match unknown {
            None => Ok(()),
            Some(key) => {
                let near = nearest(key.get_ref(), self.known.iter().copied()).map(ToOwned::to_owned);
                let (place, known) = (self.place, self.known);
                let problem = PlanProblem::UnknownKey { key: key.get_ref().to_string(), place, near, known };
                Err(self.text.error(key.span(), problem))
            }
        }
    }
}

impl<'a> Item<'a> {
    fn new(key: &str, value: &'a Spanned<DeValue<'a>>, text: Text<'a>) -> Self {
        Self { key: key.to_owned(), at: value.span(), value: value.get_ref(), text }
    }

    /// An error at this value.
    pub(crate) fn error(&self, problem: PlanProblem) -> PlanError {
        self.text.error(self.at.clone(), problem)
    }

    /// A value that is not allowed.
    pub(crate) fn wrong(&self, why: impl ToString) -> PlanError {
        self.error(PlanProblem::Value { key: self.key.clone(), why: why.to_string() })
    }

    /// A value of another key, which belongs to this table, that is not allowed.
    pub(crate) fn wrong_in(&self, key: &str, why: impl ToString) -> PlanError {
        self.error(PlanProblem::Value { key: key.to_owned(), why: why.to_string() })
    }

    fn wrong_type(&self, expected: &'static str) -> PlanError {
        let found = match self.value {
            DeValue::String(_) => "text",
            DeValue::Integer(_) | DeValue::Float(_) => "a number",
            DeValue::Boolean(_) => "a truth value",
            DeValue::Datetime(_) => "a date",
            DeValue::Array(_) => "a list",
            DeValue::Table(_) => "a table",
        };
        self.error(PlanProblem::Type { key: self.key.clone(), found, expected })
    }

    pub(crate) fn is_list(&self) -> bool {
        self.value.is_array()
    }

    pub(crate) fn text(&self) -> Result<String, PlanError> {
        let text = self.value.as_str().ok_or_else(|| self.wrong_type("text in quotes"))?;
        if text.trim().is_empty() {
            return Err(self.wrong("this is empty; write something, or leave out the key"));
        }
        Ok(text.to_owned())
    }

    /// A number as it is written, so that 0.1 is one tenth; or text such as "1/3".
    pub(crate) fn number(&self) -> Result<String, PlanError> {
        self.printed(false)
            .ok_or_else(|| self.wrong_type("a number such as 0.5, or a fraction such as \"1/3\""))
    }

    /// A category: text, or a whole number or a truth value as it is printed.
    pub(crate) fn label(&self) -> Result<String, PlanError> {
        self.printed(true).ok_or_else(|| self.wrong_type("text, a whole number or a truth value"))
    }

    fn printed(&self, truth: bool) -> Option<String> {
        match self.value {
            DeValue::String(text) => Some(text.trim().to_owned()),
            DeValue::Integer(number) if number.radix() == 10 => Some(number.as_str().to_owned()),
            DeValue::Float(number) => Some(number.as_str().to_owned()),
            DeValue::Boolean(value) if truth => Some(value.to_string()),
            _ => None,
        }
    }

    /// A floating-point number.
    pub(crate) fn float(&self) -> Result<f64, PlanError> {
        let number = self.number()?;
        number.parse().map_err(|_| self.wrong(format!("{number:?} is not a number; write it like 0.5")))
    }

    /// A positive number: a decimal as it is written, or a fraction.
    pub(crate) fn positive(&self) -> Result<Epsilon, PlanError> {
        let text = self.number()?;
        let wrong = || self.wrong(format!("{text:?} is no number above zero; write it like 0.5 or \"1/3\""));
        match text.split_once('/') {
            None => text.parse().map_err(|_| wrong()),
            Some((above, below)) => {
                let (above, below): (Epsilon, Epsilon) =
                    (above.parse().map_err(|_| wrong())?, below.parse().map_err(|_| wrong())?);
                Epsilon::from_rational(above.rational() / below.rational()).map_err(|_| wrong())
            }
        }
    }

    /// True or false.
    pub(crate) fn truth(&self) -> Result<bool, PlanError> {
        self.value.as_bool().ok_or_else(|| self.wrong_type("true or false"))
    }

    /// The items of a list; a single value is a list of one.
    pub(crate) fn list(&self) -> Vec<Self> {
        match self.value {
            DeValue::Array(items) => items.iter().map(|item| Item::new(&self.key, item, self.text)).collect(),
            _ => vec![self.clone()],
        }
    }

    /// A table.
    pub(crate) fn keys(&self, place: impl Into<String>) -> Result<Keys<'a>, PlanError> {
        let table = self.value.as_table().ok_or_else(|| self.wrong_type("a table"))?;
        Ok(Keys::new(self.text, place, self.at.clone(), table))
    }

    pub(crate) fn is_table(&self) -> bool {
        self.value.is_table()
    }
}
