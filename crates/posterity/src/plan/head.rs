//! What every question of a plan begins with, whatever its kind.

use posterity_core::model::{Adjacency, Epsilon};
use posterity_count::{Column, Question};

use super::error::{PlanError, PlanProblem};
use super::fields::Field;
use super::keys::Item;
use super::names::file_name;
use super::said::{Columns, Said};
use crate::table::{Contrast, Reading, ReadingError};

/// What each question of a plan begins with.
pub(crate) struct Common<'a> {
    pub(crate) said: &'a Said,
    pub(crate) columns: &'a Columns,
    pub(crate) adjacency: Adjacency,
}

/// What every question says of itself, whatever its kind.
pub(crate) struct Head<'a> {
    pub(crate) item: Item<'a>,
    pub(crate) name: String,
    pub(crate) title: Option<String>,
    pub(crate) description: Option<String>,
    pub(crate) share: Epsilon,
    pub(crate) said: Said,
}

impl Common<'_> {
    /// Which records all questions count, and whom they protect: a question without columns.
    pub(crate) fn records(&self) -> Question {
        self.said.records(self.adjacency)
    }
}

impl<'a> Head<'a> {
    /// Reads these fields of a question, which is called so; `name` is that of its files if it has none.
    pub(crate) fn read(
        item: Item<'a>,
        common: &Common<'_>,
        (fields, called): (&[&'static Field], &str),
        name: impl FnOnce(&Said) -> String,
    ) -> Result<Self, PlanError> {
        let said = common.said.of_ask().read(&item, fields, (&[], called))?;
        common.columns.check_labels(&item, &said)?;
        let name = match &said.name {
            Some(name) if file_name(name) != *name => {
                return Err(item.wrong_in(
                    "name",
                    format!(
                        "{name:?} is also the name of files; use letters, digits, hyphens and underscores, and \"title\" for words"
                    ),
                ));
            }
            Some(name) => name.clone(),
            None => name(&said),
        };
        let one = || Epsilon::from_f64(1.0).map_err(|error| item.wrong_in("share", error));
        let share = said.share.clone().map_or_else(one, Ok)?;
        let (title, description) = (said.title.clone(), said.description.clone());
        Ok(Self { item, name, title, description, share, said })
    }

    /// The columns that the question names.
    pub(crate) fn columns(&self, declared: &Columns) -> Result<Option<Vec<Column>>, PlanError> {
        let named =
            |item: &Item<'_>, name: &str| declared.asked(item, &self.said, declared.find(item, name)?);
        let columns: Result<Vec<Column>, PlanError> =
            match (self.item.get("columns"), self.item.get("rate"), &self.said.rate) {
                (Some(_), Some(rate), _) => {
                    return Err(rate.wrong(
                    "this names the columns that are counted; leave their names out, or write this as `read`",
                ));
                }
                (None, Some(item), Some(rate)) => {
                    rate.columns_in_order().iter().map(|name| named(&item, name)).collect()
                }
                (Some(item), ..) => item.list().iter().map(|item| named(item, &item.text()?)).collect(),
                (None, ..) => return Ok(None),
            };
        columns.map(Some)
    }

    /// Checks each reading and each comparison by itself, so that an error names the one that is wrong.
    pub(crate) fn check<E: Into<ReadingError>>(
        &self,
        reading: impl Fn(&Reading) -> Result<(), E>,
        comparison: impl Fn(&Contrast) -> Result<(), E>,
    ) -> Result<(), PlanError> {
        let wrong = |key: &str, index: usize, error: E| {
            let item = self.item.get(key).and_then(|item| item.list().into_iter().nth(index));
            item.unwrap_or_else(|| self.item.clone()).error(PlanProblem::Reading(error.into()))
        };
        if let Some(rate) = &self.said.rate {
            let item = self.item.get("rate").unwrap_or_else(|| self.item.clone());
            reading(rate).map_err(|error| item.error(PlanProblem::Reading(error.into())))?;
        }
        for (index, one) in self.said.readings.iter().flatten().enumerate() {
            reading(one).map_err(|error| wrong("read", index, error))?;
        }
        for (index, one) in self.said.comparisons.iter().flatten().enumerate() {
            comparison(one).map_err(|error| wrong("compare", index, error))?;
        }
        Ok(())
    }
}
