//! What a plan says of all questions, and each question of itself.

use std::collections::BTreeMap;

use posterity::data::{Cells, Column, Domain};
use posterity::table::{IntervalKind, Subject};
use posterity::{Decoder, Prior, Spec};
use posterity_core::model::interval_level;

use crate::keys::{Item, Keys};
use crate::names::nearest;
use crate::plan_error::{PlanError, PlanProblem};

/// What the plan and each question may say.
#[derive(Clone, Debug, Default)]
pub(crate) struct Usual {
    pub(crate) other: Option<Labels>,
    pub(crate) missing: Option<Labels>,
    pub(crate) prior: Option<PlanPrior>,
    pub(crate) prior_outside: Option<f64>,
    pub(crate) spec: Option<Spec>,
    pub(crate) decoder: Option<Decoder>,
    pub(crate) level: Option<f64>,
    pub(crate) interval: Option<IntervalKind>,
    pub(crate) interval_about: Option<Subject>,
    pub(crate) simultaneous: Option<bool>,
}

/// A category for every column, or for those that are named.
#[derive(Clone, Debug)]
pub(crate) enum Labels {
    Every(String),
    Named(BTreeMap<String, String>),
}

/// The parameter of every cell, or one for each.
#[derive(Clone, Debug)]
pub(crate) enum PlanPrior {
    Same(f64),
    Each(Vec<f64>),
}

impl Usual {
    /// What a table says, and otherwise what the plan says.
    pub(crate) fn take(
        keys: &mut Keys<'_>,
        plan: Self,
        columns: &BTreeMap<String, Domain>,
    ) -> Result<Self, PlanError> {
        let plan = Self::take_for_margins(keys, plan, columns)?;
        let float = |item: Item<'_>| item.float();
        let decoder = |item: Item<'_>| item.text()?.parse::<Decoder>().map_err(|error| item.wrong(error));
        let spec = |item: Item<'_>| item.text()?.parse::<Spec>().map_err(|error| item.wrong(error));
        let prior = |item: Item<'_>| {
            if !item.is_list() {
                return item.float().map(PlanPrior::Same);
            }
            item.list().iter().map(Item::float).collect::<Result<_, _>>().map(PlanPrior::Each)
        };
        Ok(Self {
            prior: keys.take("prior").map(prior).transpose()?.or(plan.prior),
            prior_outside: keys.take("prior-outside").map(float).transpose()?.or(plan.prior_outside),
            spec: keys.take("mechanism").map(spec).transpose()?.or(plan.spec),
            decoder: keys.take("decode").map(decoder).transpose()?.or(plan.decoder),
            ..plan
        })
    }

    /// The same of tables of many columns, which have no prior, no mechanism and no decoder to choose.
    pub(crate) fn take_for_margins(
        keys: &mut Keys<'_>,
        plan: Self,
        columns: &BTreeMap<String, Domain>,
    ) -> Result<Self, PlanError> {
        let labels = |item: Item<'_>| Labels::new(&item, columns);
        let level = |item: Item<'_>| interval_level(item.float()?).map_err(|error| item.wrong(error));
        let interval =
            |item: Item<'_>| item.text()?.parse::<IntervalKind>().map_err(|error| item.wrong(error));
        let subject = |item: Item<'_>| item.text()?.parse::<Subject>().map_err(|error| item.wrong(error));
        let truth = |item: Item<'_>| item.truth();
        Ok(Self {
            other: keys.take("other").map(labels).transpose()?.or(plan.other),
            missing: keys.take("missing").map(labels).transpose()?.or(plan.missing),
            level: keys.take("level").map(level).transpose()?.or(plan.level),
            interval: keys.take("interval").map(interval).transpose()?.or(plan.interval),
            interval_about: keys.take("interval-about").map(subject).transpose()?.or(plan.interval_about),
            simultaneous: keys.take("simultaneous").map(truth).transpose()?.or(plan.simultaneous),
            ..plan
        })
    }

    /// Gives columns their categories for other and for missing values.
    pub(crate) fn label(&self, columns: &mut [Column]) {
        for column in columns {
            column.other = self.other.as_ref().and_then(|labels| labels.of(&column.name));
            column.missing = self.missing.as_ref().and_then(|labels| labels.of(&column.name));
        }
    }

    /// The prior for so many cells inside, and one outside if there is one.
    pub(crate) fn prior(&self, cells: &Cells) -> Result<Option<Prior>, String> {
        if self.prior_outside.is_some() && cells.outside().is_none() {
            return Err("prior-outside is for plans with within; leave it out".to_owned());
        }
        let inside = cells.outside().unwrap_or(cells.categories().names().len());
        let mut parameters = match &self.prior {
            None if self.prior_outside.is_none() => return Ok(None),
            None => vec![1.0; inside],
            Some(PlanPrior::Same(parameter)) => vec![*parameter; inside],
            Some(PlanPrior::Each(parameters)) if parameters.len() != inside => {
                return Err(format!(
                    "the prior has {} parameters, and there are {inside} cells; give one for each, or one number for all",
                    parameters.len()
                ));
            }
            Some(PlanPrior::Each(parameters)) => parameters.clone(),
        };
        if cells.outside().is_some() {
            let same = match self.prior {
                Some(PlanPrior::Same(parameter)) => parameter,
                _ => 1.0,
            };
            parameters.push(self.prior_outside.unwrap_or(same));
        }
        Prior::new(parameters).map(Some).map_err(|error| error.to_string())
    }
}

impl Labels {
    fn new(item: &Item<'_>, columns: &BTreeMap<String, Domain>) -> Result<Self, PlanError> {
        if !item.is_table() {
            return item.text().map(Self::Every);
        }
        let label = |item: Item<'_>| match columns.contains_key(&item.key) {
            true => Ok((item.key.clone(), item.text()?)),
            false => Err(undeclared(&item, &item.key, columns)),
        };
        item.keys("a table of columns")?.all().map(label).collect::<Result<_, _>>().map(Self::Named)
    }

    pub(crate) fn of(&self, column: &str) -> Option<String> {
        match self {
            Self::Every(label) => Some(label.clone()),
            Self::Named(labels) => labels.get(column).cloned(),
        }
    }
}

/// The error of a column that is not declared.
pub(crate) fn undeclared(item: &Item<'_>, column: &str, columns: &BTreeMap<String, Domain>) -> PlanError {
    let near = nearest(column, columns.keys().map(String::as_str)).map(ToOwned::to_owned);
    item.error(PlanProblem::Undeclared { column: column.to_owned(), near })
}
