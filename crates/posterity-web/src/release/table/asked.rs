//! What is asked of declared categories.

use std::num::NonZeroU32;

use maud::{Markup, html};
use posterity::data::{Column, DataError, Domain, MAX_CELLS, PerUnit, Question, Resources, check_all};
use posterity::ledger::{Account, LedgerError};
use posterity::number::{left, spent};
use posterity::table::Subject;
use posterity::{Adjacency, Data, Epsilon, Publication, Publisher, ReadingError, StatedPrior, Terms};
use posterity_core::mechanism::Spec;
use serde::Deserialize;

use super::undeclared::Undeclared;
use crate::column_fields::ColumnFields;
use crate::desk::Desk;
use crate::payer;
use crate::readings::AskedReadings;
use crate::release::asked::{Asked, Draw, Flags, ReleaseForm};
use crate::release::clerk::Clerk;
use crate::release::common::Common;
use crate::sentence::sentence;
use crate::typed::Typed;
use crate::units::price;

/// The choice that all records of a unit count, up to a number.
pub(super) const ALL: &str = "all";

/// The form of a posterior, as it was typed.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct TableForm {
    #[serde(flatten)]
    pub(super) common: Common,
    #[serde(flatten)]
    pub(super) columns: ColumnFields,
    /// How many records of a unit count at most, if all of them do.
    pub(super) records: Typed<NonZeroU32>,
    #[serde(flatten)]
    pub(super) undeclared: Undeclared,
    pub(super) prior: Typed<StatedPrior>,
    pub(super) mechanism: Typed<Spec>,
    /// A schema, and the column to take from it.
    pub(super) schema: Typed,
    pub(super) take: Typed,
}

impl ReleaseForm for TableForm {
    fn checked(&self, desk: &Desk<'_>) -> Result<Asked, String> {
        let common = &self.common;
        let file = common.file(desk)?;
        let columns = self.columns.placed()?.into_iter();
        let columns: Vec<Column> = columns.map(|(place, one)| self.undeclared.of(place, one)).collect();
        if columns.is_empty() {
            return Err("Name the column that holds the categories.".to_owned());
        }
        let question = common.question(columns, self.rule()?)?;
        check_rule(&question)?;
        let readings = AskedReadings::new(&common.readings)?;
        if !readings.is_empty() {
            readings.check_question(&question)?;
        }
        let terms = terms(self, &question, &readings)?;
        let nothing = || format!("{} promises nothing. Choose another mechanism.", terms.spec.name());
        let private = terms.spec.description().private;
        let epsilon = terms.promised().filter(|_| private).ok_or_else(nothing)?;
        check_cells(&question, &terms)?;
        let (prior, mechanism) = (self.prior.get(), self.mechanism.get());
        let budget = vec![
            ("--prior", prior.map(|prior| prior.replace(' ', ""))),
            ("--epsilon", Some(terms.epsilon.to_string())),
            ("--mechanism", mechanism.map(|_| terms.spec.to_string())),
        ];
        Ok(Asked {
            form: Box::new(self.clone()),
            word: "release",
            title: "Release this?",
            file,
            edition: common.edition(),
            facts: vec![("Question", in_words(&question.columns))],
            terms: vec![
                ("Prior", prior.unwrap_or("uniform").to_owned()),
                ("Mechanism", terms.spec.to_string()),
            ],
            forecast: Markup::default(),
            flags: [flags(&question.columns, &self.undeclared), budget],
            question,
            draw: Box::new(AskedTable { price: epsilon.clone(), terms: terms.clone() }),
            epsilon,
            delta: None,
            n: None,
            ways: terms.ways(),
            readings,
            account: common.account(desk)?,
        })
    }
}

impl TableForm {
    /// By which of its records a unit counts. The choice of all of them has its number in a field of its own.
    fn rule(&self) -> Result<PerUnit, String> {
        if self.common.per_unit.get() == Some(ALL) {
            let most = "Give the most records of one person that count, such as 3.";
            return Ok(PerUnit::All(self.records.required(most)?));
        }
        Ok(self.common.per_unit.value()?.unwrap_or_default())
    }
}

/// The columns in words: "cured (yes, no)".
fn in_words(columns: &[Column]) -> String {
    let column = |column: &Column| format!("{} ({})", column.name, column.domain.names().join(", "));
    columns.iter().map(column).collect::<Vec<_>>().join(" and ")
}

/// What a command says of the columns. Categories before the columns are for all of them.
fn flags(columns: &[Column], undeclared: &Undeclared) -> Flags {
    let all = [&undeclared.other, &undeclared.missing].map(|one| one.get().map(ToOwned::to_owned));
    let mut flags = vec![("--other", all[0].clone()), ("--missing", all[1].clone())];
    for Column { name, domain, other, missing, .. } in columns {
        flags.push(("--column", Some(name.clone())));
        flags.push(match domain {
            Domain::Values(values) => ("--categories", Some(values.join(","))),
            Domain::Bins(bins) => ("--bins", Some(bins.edges().join(","))),
        });
        flags.push(("--other", other.clone().filter(|_| *other != all[0])));
        flags.push(("--missing", missing.clone().filter(|_| *missing != all[1])));
    }
    flags
}

/// The terms that are meant, or what is wrong with them.
fn terms(typed: &TableForm, question: &Question, readings: &AskedReadings) -> Result<Terms, String> {
    let adjacency = question.adjacency;
    let terms = Terms {
        adjacency,
        prior: typed.prior.value()?,
        spec: typed.mechanism.value()?.unwrap_or_else(|| Terms::usual_mechanism(adjacency)),
        ..Terms::new(typed.common.epsilon()?)
    };
    let ways = readings.ways(terms.ways());
    let mut terms = terms.with_ways(ways);
    ways.check().map_err(sentence)?;
    if terms.about == Subject::Records && question.unit.is_some() && question.per_unit == PerUnit::Random {
        return Err(sentence(ReadingError::RandomRecords));
    }
    if question.per_unit.most().get() > 1 {
        // Records of one unit depend on each other, so nothing is said about a population.
        terms.about = Subject::Records;
    }
    if adjacency == Adjacency::AddRemove {
        check_private(&terms, question)?;
    }
    Ok(terms)
}

/// Refuses a question that cannot be counted, and categories and terms that do not go together: that needs no data.
fn check_cells(question: &Question, terms: &Terms) -> Result<(), String> {
    let cells = check_all(std::slice::from_ref(question)).map_err(sentence)?;
    let publisher = Publisher::with_terms(terms.clone());
    cells.iter().try_for_each(|cells| publisher.check(cells.categories().names().len())).map_err(sentence)
}

/// Refuses a rule by which a unit counts more than once where n is public, or where there are no units.
fn check_rule(question: &Question) -> Result<(), String> {
    let several = matches!(question.per_unit, PerUnit::All(_));
    if several && (question.unit.is_none() || question.adjacency == Adjacency::Replace) {
        return Err(sentence(DataError::SeveralRecords { rule: question.per_unit.to_string() }));
    }
    Ok(())
}

/// Refuses terms that do not go with a private n, before anything is read: they do not depend on the data.
fn check_private(terms: &Terms, question: &Question) -> Result<(), String> {
    terms.spec.check_adjacency(terms.adjacency).map_err(sentence)?;
    let sizes = question.columns.iter().map(|column| column.names().len());
    let cells = sizes.fold(1, usize::saturating_mul);
    if terms.prior.is_none() || cells > MAX_CELLS {
        // The usual prior goes with any number of cells, and too many are refused when they are counted.
        return Ok(());
    }
    terms.setting(cells, terms.most).map(|_| ()).map_err(sentence)
}

/// Said of an account that has less than a release costs.
const NOT_ENOUGH: &str = "That is not enough to draw an answer: the release will be refused, unless the ledger holds its answer already.";

/// A posterior that is asked for.
#[derive(Debug)]
struct AskedTable {
    terms: Terms,
    price: Epsilon,
}

impl Draw for AskedTable {
    fn price(&self) -> String {
        format!("ε = {}", self.price)
    }

    fn spends(&self, asked: &Asked, account: &Account) -> Result<(Markup, bool), LedgerError> {
        let adjacency = self.terms.adjacency;
        let price = price(account, asked.question.unit.as_deref(), adjacency, &self.price)?;
        let after = payer::after(account, &price);
        let said = html! {
            "ε = " (spent(&price)) " of account " strong { (account.name) } ", which has spent "
            (spent(&account.spent_epsilon)) " and has " (left(&account.remaining_epsilon)) " left."
            (payer::dearer(account, adjacency, "twice its epsilon"))
            " "
            @match &after {
                Some(after) => { (after) },
                None => { strong { (NOT_ENOUGH) } },
            }
        };
        Ok((said, after.is_some()))
    }

    fn answer(&self, asked: &Asked, clerk: &mut Clerk<'_>) -> Result<(Publication, String), String> {
        let Asked { file, question, readings, .. } = asked;
        let (resources, tell) = (Resources::default(), |rows| clerk.tell(rows));
        let data = Data::read_from(&file.source, question, clerk.randomness(), &resources, &tell);
        let data = data.map_err(Clerk::uncounted)?;
        let data = data.shown_as(&file.name).of_edition(asked.edition.as_deref());
        let publisher = Publisher::with_terms(self.terms.clone());
        let publisher = publisher.read(readings.readings.clone(), readings.comparisons.clone());
        clerk.answer(publisher.ask(&data))
    }
}
