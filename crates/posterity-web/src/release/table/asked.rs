//! What is asked of declared categories.

use posterity::data::{Column, DataError, Domain, MAX_CELLS, PerUnit, Question, Resources, check_all};
use posterity::ledger::{Account, LedgerError};
use posterity::number::{left, spent};
use posterity::table::Subject;
use posterity::{Adjacency, Data, Publication, Publisher, ReadingError, Terms};

use super::form::{begun, page};
use super::typed::TableForm;
use crate::desk::Desk;
use crate::html;
use crate::payer;
use crate::readings::AskedReadings;
use crate::release::asked::{Asked, Facts, Own, ReleaseForm};
use crate::release::clerk::Clerk;
use crate::release::command::Line;
use crate::sentence::sentence;
use crate::units::price;

impl ReleaseForm for TableForm {
    fn begun(self, desk: &Desk<'_>) -> Self {
        begun(self, desk)
    }

    fn page(&self, desk: &Desk<'_>, wrong: Option<&str>) -> String {
        page(desk, self, wrong)
    }

    fn checked(self, desk: &Desk<'_>) -> Result<Asked, String> {
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
        let terms = terms(&self, &question, &readings)?;
        let nothing = || format!("{} promises nothing. Choose another mechanism.", terms.spec.name());
        let private = terms.spec.description().private;
        let epsilon = terms.promised().filter(|_| private).ok_or_else(nothing)?;
        check_cells(&question, &terms)?;
        Ok(Asked {
            file,
            edition: common.edition(),
            question,
            epsilon,
            delta: None,
            n: None,
            ways: terms.ways(),
            readings,
            account: common.account(desk)?,
            own: Box::new(AskedTable { typed: self, terms }),
        })
    }
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
const NOT_ENOUGH: &str = "<strong>That is not enough to draw an answer: the release will be refused, unless the ledger holds its answer \
                          already.</strong>";

/// A posterior that is asked for.
#[derive(Debug)]
struct AskedTable {
    typed: TableForm,
    terms: Terms,
}

impl Own for AskedTable {
    fn page(&self, desk: &Desk<'_>, wrong: Option<&str>) -> String {
        page(desk, &self.typed, wrong)
    }

    fn address(&self) -> &'static str {
        "/release"
    }

    fn title(&self) -> &'static str {
        "Release this?"
    }

    fn facts(&self, asked: &Asked) -> Facts {
        let column = |column: &Column| format!("{} ({})", column.name, column.domain.names().join(", "));
        let columns: Vec<String> = asked.question.columns.iter().map(column).collect();
        vec![("Question", columns.join(" and "))]
    }

    fn terms(&self) -> Facts {
        let prior = self.typed.prior.or("uniform").to_owned();
        vec![("Prior", prior), ("Mechanism", self.terms.spec.to_string())]
    }

    fn price(&self, asked: &Asked) -> String {
        format!("ε = {}", html::text(&asked.epsilon))
    }

    fn spends(&self, asked: &Asked, account: &Account) -> Result<(String, bool), LedgerError> {
        let adjacency = self.terms.adjacency;
        let price = price(account, asked.question.unit.as_deref(), adjacency, &asked.epsilon)?;
        let after = payer::after(account, &price);
        let said = format!(
            "ε = {} of account <strong>{}</strong>, which has spent {} and has {} left.{} {}",
            html::text(spent(&price)),
            html::text(&account.name),
            html::text(spent(&account.spent_epsilon)),
            html::text(left(&account.remaining_epsilon)),
            payer::dearer(account, adjacency, "twice its epsilon"),
            after.as_deref().unwrap_or(NOT_ENOUGH)
        );
        Ok((said, after.is_some()))
    }

    fn columns(&self, asked: &Asked, line: &mut Line) {
        // Before the columns they are for all of them.
        let all = [self.typed.undeclared.other.get(), self.typed.undeclared.missing.get()];
        line.flag("--other", all[0]);
        line.flag("--missing", all[1]);
        for column in &asked.question.columns {
            line.flag("--column", Some(&column.name));
            match &column.domain {
                Domain::Values(values) => line.flag("--categories", Some(values.join(","))),
                Domain::Bins(bins) => line.flag("--bins", Some(bins.edges().join(","))),
            }
            line.flag("--other", column.other.as_deref().filter(|own| Some(*own) != all[0]));
            line.flag("--missing", column.missing.as_deref().filter(|own| Some(*own) != all[1]));
        }
    }

    fn budget(&self, line: &mut Line) {
        line.flag("--prior", self.typed.prior.get().map(|prior| prior.replace(' ', "")));
        line.flag("--epsilon", Some(self.terms.epsilon.to_string()));
        line.flag("--mechanism", self.typed.mechanism.get().map(|_| self.terms.spec.to_string()));
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
