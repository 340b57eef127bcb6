//! What a plan says, and what each of its questions says of itself.

use std::collections::BTreeMap;

use posterity_core::decode::Decoder;
use posterity_core::mechanism::Spec;
use posterity_core::model::{Adjacency, Epsilon, Prior};
use posterity_count::{Bins, Cells, Column, Domain, Encoding, Format, PerUnit, Question, Relation};
use posterity_ledger::Amount;

use super::error::{Path, PlanError, PlanProblem};
use super::keys::Item;
use super::names::nearest;
use super::sizes::WrittenSizes;
use crate::table::{Contrast, IntervalKind, Reading, Subject, Ways};
use crate::terms::Terms;

/// What is said by the fields of a plan, of a question or of a column. What a plan says holds for all its questions, unless
/// they say otherwise.
#[derive(Clone, Debug, Default)]
pub(crate) struct Said {
    pub(crate) title: Option<String>,
    pub(crate) description: Option<String>,
    pub(crate) name: Option<String>,
    pub(crate) share: Option<Epsilon>,
    pub(crate) source: Option<String>,
    pub(crate) input_format: Option<Format>,
    pub(crate) relation: Option<Relation>,
    pub(crate) delimiter: Option<char>,
    pub(crate) encoding: Option<Encoding>,
    pub(crate) edition: Option<String>,
    pub(crate) filter: Option<String>,
    pub(crate) within: Option<String>,
    pub(crate) unit: Option<String>,
    pub(crate) per_unit: Option<PerUnit>,
    pub(crate) adjacency: Option<Adjacency>,
    pub(crate) most: Option<u64>,
    pub(crate) columns: Option<Vec<String>>,
    pub(crate) categories: Option<Vec<String>>,
    pub(crate) bins: Option<Bins>,
    pub(crate) aliases: Option<BTreeMap<String, Vec<String>>>,
    pub(crate) labels: Option<BTreeMap<String, String>>,
    pub(crate) ordered: Option<bool>,
    pub(crate) whole: Option<bool>,
    pub(crate) other: Option<Labels>,
    pub(crate) missing: Option<Labels>,
    pub(crate) epsilon: Option<Epsilon>,
    pub(crate) delta: Option<Amount>,
    pub(crate) allow_large_delta: Option<bool>,
    pub(crate) prior: Option<PlanPrior>,
    pub(crate) prior_outside: Option<f64>,
    pub(crate) spec: Option<Spec>,
    pub(crate) decoder: Option<Decoder>,
    pub(crate) rate: Option<Reading>,
    pub(crate) readings: Option<Vec<Reading>>,
    pub(crate) comparisons: Option<Vec<Contrast>>,
    pub(crate) level: Option<f64>,
    pub(crate) interval: Option<IntervalKind>,
    pub(crate) about: Option<Subject>,
    pub(crate) simultaneous: Option<bool>,
    pub(crate) shape: Option<Vec<WrittenSizes>>,
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

impl Said {
    /// What it says for every question: all but the words of the plan, which are not those of a question.
    pub(crate) fn of_ask(&self) -> Self {
        Self { title: None, description: None, ..self.clone() }
    }

    /// A column with what is declared of it. What says neither categories nor bins adds to what a schema declares.
    pub(crate) fn declared(
        &self,
        item: &Item<'_>,
        name: String,
        schema: Option<&Column>,
    ) -> Result<Column, PlanError> {
        let column = match (&self.categories, &self.bins, schema) {
            (Some(labels), None, _) => Column::of(name, Domain::Values(labels.clone())),
            (None, Some(bins), _) => Column::of(name, Domain::Bins(bins.clone())),
            (None, None, Some(schema)) => schema.clone(),
            _ => return Err(item.wrong("declare either categories or bins")),
        };
        let column = Column {
            aliases: self.aliases.clone().unwrap_or(column.aliases),
            labels: self.labels.clone().unwrap_or(column.labels),
            ordered: self.ordered.unwrap_or(column.ordered),
            ..column
        };
        // What the plan says of the column comes before what the schema says.
        let own = |labels: &Option<Labels>| labels.as_ref().and_then(|labels| labels.of(&column.name));
        let (other, missing) = (own(&self.other), own(&self.missing));
        let column = Column { other: other.or(column.other), missing: missing.or(column.missing), ..column };
        Ok(if self.whole.unwrap_or_default() { column.of_whole_numbers() } else { column })
    }

    /// A column with its categories for other and for missing values: those that it declares for itself, or else those
    /// that hold for all.
    pub(crate) fn label(&self, column: &Column) -> Column {
        let of = |labels: &Option<Labels>| labels.as_ref().and_then(|labels| labels.of(&column.name));
        Column {
            other: column.other.clone().or_else(|| of(&self.other)),
            missing: column.missing.clone().or_else(|| of(&self.missing)),
            ..column.clone()
        }
    }

    /// Which records are counted, and whom it protects: a question without columns.
    pub(crate) fn records(&self, adjacency: Adjacency) -> Question {
        Question {
            filter: self.filter.clone(),
            within: self.within.clone(),
            unit: self.unit.clone(),
            per_unit: self.per_unit.clone().unwrap_or_default(),
            adjacency,
            ..Question::new(Vec::new())
        }
    }

    /// Which intervals are shown; those that are not said are as usual.
    pub(crate) fn ways(&self, usual: Ways) -> Ways {
        Ways {
            level: self.level.unwrap_or(usual.level),
            interval: self.interval.unwrap_or(usual.interval),
            about: self.about.unwrap_or(usual.about),
            simultaneous: self.simultaneous.unwrap_or(usual.simultaneous),
        }
    }

    /// The names of the columns that a question asks about.
    pub(crate) fn names(&self) -> Vec<String> {
        match (&self.columns, &self.rate) {
            (Some(names), _) => names.clone(),
            (None, Some(rate)) => rate.columns_in_order(),
            (None, None) => Vec::new(),
        }
    }

    /// The categories of data without columns.
    pub(crate) fn categories(&self) -> Option<&[String]> {
        self.categories.as_deref()
    }

    /// What is to be read, a rate first; nothing if that is not said.
    pub(crate) fn readings(&self) -> Vec<Reading> {
        let others = self.readings.iter().flatten().filter(|one| self.rate.as_ref() != Some(*one));
        self.rate.iter().chain(others).cloned().collect()
    }

    /// What is to be compared.
    pub(crate) fn comparisons(&self) -> &[Contrast] {
        self.comparisons.as_deref().unwrap_or_default()
    }

    /// The terms of a release under an adjacency; those that are not said are as usual.
    pub(crate) fn terms(&self, usual: Terms, adjacency: Adjacency) -> Terms {
        let ways = self.ways(usual.ways());
        Terms {
            adjacency,
            most: self.most.unwrap_or(usual.most),
            spec: self.spec.clone().unwrap_or_else(|| Terms::usual_mechanism(adjacency)),
            decoder: self.decoder,
            ..usual
        }
        .with_ways(ways)
    }

    /// The prior of these cells. Several parameters are one for each cell inside, or one more for that outside.
    pub(crate) fn prior(&self, cells: &Cells) -> Result<Option<Prior>, String> {
        if self.prior_outside.is_some() && cells.outside().is_none() {
            return Err(
                "a prior parameter of the records outside is for plans with within; leave it out".to_owned()
            );
        }
        let all = cells.categories().names().len();
        let inside = cells.outside().unwrap_or(all);
        let mut parameters = match &self.prior {
            None if self.prior_outside.is_none() => return Ok(None),
            None => vec![1.0; inside],
            Some(PlanPrior::Same(parameter)) => vec![*parameter; inside],
            Some(PlanPrior::Each(parameters)) => parameters.clone(),
        };
        let is_whole = parameters.len() == all && self.prior_outside.is_none();
        if !is_whole && parameters.len() != inside {
            return Err(format!(
                "the prior has {} parameters for {inside} categories; give one for each, or one number for all",
                parameters.len()
            ));
        }
        if !is_whole {
            let same = match self.prior {
                Some(PlanPrior::Same(parameter)) => parameter,
                _ => 1.0,
            };
            parameters.push(self.prior_outside.unwrap_or(same));
        }
        Prior::new(parameters).map(Some).map_err(|error| error.to_string())
    }
}

impl PlanPrior {
    pub(crate) fn read(item: &Item<'_>) -> Result<Self, PlanError> {
        let parameter = |(index, item): (usize, &Item<'_>)| {
            let digits = item.digits()?;
            digits.parse::<f64>().map_err(|_| {
                let place = index + 1;
                item.wrong(format!("prior parameter {place} is {digits:?}; give a finite number above zero"))
            })
        };
        if !item.is_list() {
            return parameter((0, item)).map(Self::Same);
        }
        item.list().iter().enumerate().map(parameter).collect::<Result<_, _>>().map(Self::Each)
    }
}

impl Labels {
    pub(crate) fn read(item: &Item<'_>) -> Result<Self, PlanError> {
        if !item.is_table() {
            return item.name().map(Self::Every);
        }
        let named = item.entries()?.into_iter().map(|item| Ok((item.key().to_owned(), item.name()?)));
        named.collect::<Result<_, _>>().map(Self::Named)
    }

    /// The columns that are named.
    fn names(&self) -> impl Iterator<Item = &String> {
        match self {
            Self::Every(_) => None,
            Self::Named(labels) => Some(labels.keys()),
        }
        .into_iter()
        .flatten()
    }

    pub(crate) fn of(&self, column: &str) -> Option<String> {
        match self {
            Self::Every(label) => Some(label.clone()),
            Self::Named(labels) => labels.get(column).cloned(),
        }
    }
}

/// The columns of a plan with what is declared for them, in the order in which they are declared.
#[derive(Clone, Debug, Default)]
pub(crate) struct Columns {
    all: Vec<Column>,
    /// Where the plan declares each of them, if it is not the schema that does.
    places: Vec<Option<(Path, Option<usize>)>>,
}

impl Columns {
    /// Declares a column of a schema.
    pub(crate) fn declare(&mut self, column: Column) {
        self.put(column, None);
    }

    /// Declares a column of the plan, in the place of what a schema declares for it, or as more of it.
    pub(crate) fn declare_at(
        &mut self,
        item: &Item<'_>,
        declared: impl FnOnce(&Item<'_>, Option<&Column>) -> Result<Column, PlanError>,
    ) -> Result<(), PlanError> {
        let column = declared(item, self.all.iter().find(|known| known.name == item.key()))?;
        self.put(column, Some((item.path.clone(), item.line())));
        Ok(())
    }

    fn put(&mut self, column: Column, place: Option<(Path, Option<usize>)>) {
        match self.all.iter().position(|known| known.name == column.name) {
            Some(known) => (self.all[known], self.places[known]) = (column, place),
            None => {
                self.all.push(column);
                self.places.push(place);
            }
        }
    }

    /// All columns.
    pub(crate) fn all(&self) -> &[Column] {
        &self.all
    }

    /// A column with the categories that hold for all, as something at this place asks about it.
    pub(crate) fn asked(&self, item: &Item<'_>, said: &Said, column: &Column) -> Result<Column, PlanError> {
        let column = said.label(column);
        column.check_spelling().map_err(|error| {
            let index = self.all.iter().position(|known| known.name == column.name);
            match index.and_then(|index| self.places[index].clone()) {
                Some((path, line)) => {
                    PlanError::new(path.key(error.field()), line, PlanProblem::Value(error.to_string()))
                }
                None => item.wrong(format!("column {:?}: {error}", column.name)),
            }
        })?;
        Ok(column)
    }

    /// A column that something at this place names.
    pub(crate) fn find(&self, item: &Item<'_>, name: &str) -> Result<&Column, PlanError> {
        self.all.iter().find(|column| column.name == name).ok_or_else(|| self.undeclared(item, name))
    }

    /// Refuses categories for columns that are not declared.
    pub(crate) fn check_labels(&self, item: &Item<'_>, said: &Said) -> Result<(), PlanError> {
        for (key, labels) in [("other", &said.other), ("missing", &said.missing)] {
            let Some(item) = item.get(key) else { continue };
            for name in labels.iter().flat_map(Labels::names) {
                self.find(&item.get(name).unwrap_or_else(|| item.clone()), name)?;
            }
        }
        Ok(())
    }

    fn undeclared(&self, item: &Item<'_>, column: &str) -> PlanError {
        let known: Vec<String> = self.all.iter().map(|column| column.name.clone()).collect();
        let near = nearest(column, known.iter().map(String::as_str)).map(ToOwned::to_owned);
        item.error(PlanProblem::Undeclared { column: column.to_owned(), near, known })
    }
}
