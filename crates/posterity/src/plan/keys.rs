//! Reading the values of a plan one by one: each error says which value is wrong.

use std::collections::BTreeMap;

use posterity_core::model::{Epsilon, EpsilonError};

use super::error::{Path, PlanError, PlanProblem};
use super::names::nearest;
use super::node::{Node, Value};
use crate::blame::Blame;
use crate::table::{Contrast, Reading, Test};

/// A value with the way to it.
#[derive(Clone, Debug)]
pub(crate) struct Item<'a> {
    pub(super) path: Path,
    pub(super) node: &'a Node,
    /// The line of the nearest value around it that stands on one.
    line: Option<usize>,
}

/// What is said of a category.
enum Written<'a> {
    /// The value of its key.
    Item(Item<'a>),
    /// The text behind its name.
    Behind(String),
}

impl<'a> Item<'a> {
    /// The whole plan.
    pub(super) fn root(node: &'a Node) -> Self {
        Self { path: Path::default(), node, line: node.line() }
    }

    fn inner(&self, path: Path, node: &'a Node) -> Self {
        Self { path, node, line: node.line().or(self.line) }
    }

    /// An error at this value.
    pub(crate) fn error(&self, problem: PlanProblem) -> PlanError {
        PlanError::new(self.path.clone(), self.line, problem)
    }

    /// A value that is not allowed.
    pub(crate) fn wrong(&self, why: impl ToString) -> PlanError {
        self.error(PlanProblem::Value(why.to_string()))
    }

    /// The value of another key of this table is not allowed, or that of the plan, where this table has none.
    pub(crate) fn wrong_in(&self, key: &str, why: impl ToString) -> PlanError {
        self.error_in(key, PlanProblem::Value(why.to_string()))
    }

    /// An error at the value of another key of this table.
    pub(crate) fn error_in(&self, key: &str, problem: PlanProblem) -> PlanError {
        let line = self.node.get(key).and_then(Node::line).or(self.line);
        PlanError::new(self.path.key(key), line, problem)
    }

    /// An error of what this table says, at the first field that it is about.
    pub(crate) fn blamed(&self, blame: Blame, why: impl ToString) -> PlanError {
        match blame {
            Blame::Argument([field, ..]) | Blame::Other([field, ..]) => self.wrong_in(field, why),
            _ => self.wrong(why),
        }
    }

    fn wrong_type(&self, expected: &'static str) -> PlanError {
        self.error(PlanProblem::Type { found: self.node.kind(), expected })
    }

    /// The line of this value, if it stands on one.
    pub(super) fn line(&self) -> Option<usize> {
        self.line
    }

    /// The key of this value.
    pub(crate) fn key(&self) -> &str {
        self.path.keys().next_back().unwrap_or_default()
    }

    /// The value of a key of this table, if it has it.
    pub(crate) fn get(&self, key: &str) -> Option<Self> {
        Some(self.inner(self.path.key(key), self.node.get(key)?))
    }

    /// The value of a key that must be there; the example says how it is written.
    pub(crate) fn need(
        &self,
        key: &'static str,
        place: &str,
        example: &'static str,
    ) -> Result<Self, PlanError> {
        self.get(key).ok_or_else(|| {
            let problem = PlanProblem::Missing { key, place: place.to_owned(), example };
            PlanError::new(self.path.key(key), self.line, problem)
        })
    }

    /// All values of this table with their keys.
    pub(crate) fn entries(&self) -> Result<Vec<Self>, PlanError> {
        let Value::Table(entries) = self.node.value() else { return Err(self.wrong_type("a table")) };
        Ok(entries.iter().map(|(key, node)| self.inner(self.path.key(key), node)).collect())
    }

    /// Refuses keys of this table that are not known; `place` says what it is.
    pub(crate) fn refuse_unknown(&self, known: &[&'static str], place: &str) -> Result<(), PlanError> {
        let unknown = self.entries()?.into_iter().find(|item| !known.contains(&item.key()));
        unknown.map_or(Ok(()), |item| {
            let near = nearest(item.key(), known.iter().copied()).map(ToOwned::to_owned);
            let (key, place) = (item.key().to_owned(), place.to_owned());
            Err(item.error(PlanProblem::UnknownKey { key, place, near, known: known.to_vec() }))
        })
    }

    pub(crate) fn is_list(&self) -> bool {
        matches!(self.node.value(), Value::List(_))
    }

    pub(crate) fn is_table(&self) -> bool {
        matches!(self.node.value(), Value::Table(_))
    }

    /// The items of a list; a single value is a list of one.
    pub(crate) fn list(&self) -> Vec<Self> {
        match self.node.value() {
            Value::List(items) => {
                let inner = |(index, node)| self.inner(self.path.index(index), node);
                items.iter().enumerate().map(inner).collect()
            }
            _ => vec![self.clone()],
        }
    }

    /// Text that is not empty.
    pub(crate) fn text(&self) -> Result<String, PlanError> {
        let Value::Text(text) = self.node.value() else { return Err(self.wrong_type("text in quotes")) };
        if text.trim().is_empty() {
            return Err(self.wrong("this is empty; write something, or leave it out"));
        }
        Ok(text.clone())
    }

    /// A name: text, or a whole number or a truth value as it is printed, and not empty.
    pub(crate) fn name(&self) -> Result<String, PlanError> {
        let name = self.label()?;
        if name.trim().is_empty() {
            return Err(self.wrong("this is empty; write something, or leave it out"));
        }
        Ok(name)
    }

    /// Text that is read as something.
    pub(crate) fn parsed<T: std::str::FromStr<Err: ToString>>(&self) -> Result<T, PlanError> {
        self.text()?.parse().map_err(|error: T::Err| self.wrong(error.to_string()))
    }

    /// One character, which may be a blank.
    pub(crate) fn letter(&self) -> Result<char, PlanError> {
        let text = match self.node.value() {
            Value::Text(text) | Value::Number(text) => text,
            _ => return Err(self.wrong_type("one character in quotes")),
        };
        let mut letters = text.chars();
        match (letters.next(), letters.next()) {
            (Some(letter), None) => Ok(letter),
            _ => Err(self.wrong("this is not one character")),
        }
    }

    /// A reading.
    pub(crate) fn reading(&self) -> Result<Reading, PlanError> {
        self.text()?.parse().map_err(|error| self.error(PlanProblem::Reading(error)))
    }

    /// A comparison.
    pub(crate) fn comparison(&self) -> Result<Contrast, PlanError> {
        self.text()?.parse().map_err(|error| self.error(PlanProblem::Reading(error)))
    }

    /// A test.
    pub(crate) fn test(&self) -> Result<Test, PlanError> {
        self.text()?.parse().map_err(|error| self.error(PlanProblem::Reading(error)))
    }

    /// A number as it is written, so that 0.1 is one tenth; or text such as "1/3".
    pub(crate) fn digits(&self) -> Result<String, PlanError> {
        let printed = self.printed(false).map(|text| text.trim().to_owned());
        printed.ok_or_else(|| self.wrong_type("a number such as 0.5, or a fraction such as \"1/3\""))
    }

    /// A category: text, or a whole number or a truth value as it is printed.
    pub(crate) fn label(&self) -> Result<String, PlanError> {
        self.printed(true).ok_or_else(|| self.wrong_type("text, a whole number or a truth value"))
    }

    /// Other spellings of categories: a table of lists, or texts such as "Geriatrics=GER".
    pub(crate) fn aliases(&self) -> Result<BTreeMap<String, Vec<String>>, PlanError> {
        let mut aliases: BTreeMap<String, Vec<String>> = BTreeMap::new();
        for (category, item) in self.of_categories("Geriatrics=GER")? {
            let listed = match &item {
                Written::Behind(alias) => vec![alias.clone()],
                Written::Item(item) => item.list().iter().map(Self::label).collect::<Result<_, _>>()?,
            };
            aliases.entry(category).or_default().extend(listed);
        }
        Ok(aliases)
    }

    /// Words for categories: a table, or texts such as "1=cured".
    pub(crate) fn labels(&self) -> Result<BTreeMap<String, String>, PlanError> {
        let mut labels = BTreeMap::new();
        for (category, item) in self.of_categories("1=cured")? {
            let label = match &item {
                Written::Behind(label) => label.clone(),
                Written::Item(item) => item.label()?,
            };
            if labels.contains_key(&category) {
                return Err(self.wrong(format!("{category:?} has two labels; keep one of them")));
            }
            labels.insert(category, label);
        }
        Ok(labels)
    }

    /// What is said of each category: in a table by its name, or in texts with the category before the first equals sign.
    fn of_categories(&self, example: &str) -> Result<Vec<(String, Written<'a>)>, PlanError> {
        if self.is_table() {
            let entries = self.entries()?.into_iter();
            return Ok(entries.map(|item| (item.key().to_owned(), Written::Item(item))).collect());
        }
        let split = |item: &Self| {
            let text = item.text()?;
            let (category, behind) = text.split_once('=').ok_or_else(|| {
                item.wrong(format!("write the category before an equals sign, as in {example:?}"))
            })?;
            Ok((category.to_owned(), Written::Behind(behind.to_owned())))
        };
        self.list().iter().map(split).collect()
    }

    fn printed(&self, truth: bool) -> Option<String> {
        match self.node.value() {
            // The values of data may begin or end with blanks.
            Value::Text(text) => Some(text.clone()),
            Value::Number(digits) => Some(digits.clone()),
            Value::Truth(value) if truth => Some(value.to_string()),
            _ => None,
        }
    }

    /// A floating-point number.
    pub(crate) fn float(&self) -> Result<f64, PlanError> {
        let digits = self.digits()?;
        digits
            .parse()
            .map_err(|_| self.wrong(format!("{digits:?} is not a number; write it like 0.5 or 1e-8")))
    }

    /// A positive number: a decimal as it is written, or a fraction.
    pub(crate) fn positive(&self) -> Result<Epsilon, PlanError> {
        let text = self.digits()?;
        let wrong =
            |_| self.wrong(format!("{text:?} is no finite number above zero; write it like 0.5 or \"1/3\""));
        text.parse().map_err(wrong)
    }

    /// A budget: a positive number.
    pub(crate) fn budget(&self) -> Result<Epsilon, PlanError> {
        self.digits()?.parse().map_err(|error: EpsilonError| self.wrong(error))
    }

    /// True or false.
    pub(crate) fn truth(&self) -> Result<bool, PlanError> {
        match self.node.value() {
            Value::Truth(truth) => Ok(*truth),
            _ => Err(self.wrong_type("true or false")),
        }
    }
}
