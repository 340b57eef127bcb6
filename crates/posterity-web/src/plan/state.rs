//! What a plan is about. The address of the page holds all of it.

use std::collections::BTreeMap;
use std::sync::Arc;

use posterity::number::digits;
use posterity::table::Term;
use posterity::{Adjacency, Epsilon, Prior, Reading, Request, StatedPrior, Terms};
use posterity_advice::Shape;
use posterity_advice::design::{Columns, Table};
use posterity_core::mechanism::Description;
use serde::Deserialize;

use super::found::Found;
use crate::question::{Question, QuestionForm};
use crate::sentence::sentence;
use crate::typed::{Typed, numbers};

/// The most categories, or cells of a table.
const MOST_CATEGORIES: usize = 100;
/// The most records.
const MOST_RECORDS: u64 = 1_000_000_000_000;
/// The most counts that one simulated release may leave possible. More take too long for a page.
const MOST_COUNTS: f64 = 2e5;

/// What a plan is about, as it was typed and as it is meant.
#[derive(Clone, Debug)]
pub(crate) struct State {
    pub(crate) typed: PlanForm,
    /// Whether n is public. If it is not, the plan is of a table, which may have one column, and n is a guess.
    pub(crate) adjacency: Adjacency,
    pub(crate) n: u64,
    pub(crate) k: usize,
    /// The table with what is read of it, if it is one.
    pub(crate) table: Option<Table>,
    pub(crate) prior: Option<Prior>,
    /// The expected shares of the cells; equal ones if none were typed.
    pub(crate) shape: Shape,
    pub(crate) epsilon: Epsilon,
    /// The half-width to bear as a share, if one was typed.
    pub(crate) share: Option<f64>,
    /// What was found for it.
    pub(crate) found: Option<Arc<Found>>,
    /// The question that the plan is for, if one was asked.
    pub(crate) question: Option<Question>,
}

/// The form of a plan.
#[derive(Clone, Debug, Deserialize)]
#[serde(default)]
pub(crate) struct PlanForm {
    pub(crate) n: Typed,
    pub(crate) k: Typed,
    pub(crate) adjacency: Typed<Adjacency>,
    #[serde(rename = "e")]
    pub(crate) epsilon: Typed<Epsilon>,
    pub(crate) prior: Typed<StatedPrior>,
    pub(crate) shape: Typed,
    /// What is read of a table.
    pub(crate) read: Typed<Reading>,
    /// The half-width to bear in percentage points; empty if epsilon is chosen.
    #[serde(rename = "w")]
    pub(crate) width: Typed,
    /// Whether the page draws the curves even if that takes a while, as it does without script.
    pub(crate) curves: Typed,
    /// A button that goes on, to a release or to a study, with what the page said when it was shown.
    #[serde(rename = "use")]
    pub(crate) used: Typed,
    pub(crate) add: Typed,
    /// The question that the plan is for. It takes the place of the categories and of what is read.
    #[serde(flatten)]
    pub(crate) question: QuestionForm,
}

/// What is planned if nothing is typed.
impl Default for PlanForm {
    fn default() -> Self {
        let (n, k, epsilon) = ("1000".into(), "3".into(), "1".into());
        let [shape, width, curves] = Default::default();
        let (adjacency, prior, read) = (Typed::default(), Typed::default(), Typed::default());
        let question = QuestionForm::default();
        let (used, add) = (Typed::default(), Typed::default());
        Self { n, k, adjacency, epsilon, prior, shape, read, width, curves, used, add, question }
    }
}

impl PlanForm {
    /// The part of the address after the question mark.
    pub(crate) fn query(&self) -> String {
        let mut query = form_urlencoded::Serializer::new(String::new());
        let all = [
            ("n", self.n.get()),
            ("k", self.k.get().filter(|_| !self.has_question())),
            ("adjacency", self.adjacency.get()),
            ("e", self.epsilon.get()),
            ("prior", self.prior.get()),
            ("shape", self.shape.get()),
            ("read", self.read.get().filter(|_| !self.has_question())),
            ("w", self.width.get()),
        ];
        query.extend_pairs(all.into_iter().filter_map(|(name, value)| Some((name, value?))));
        query.extend_pairs(self.question_pairs());
        query.finish()
    }

    /// The fields that can be changed on the page, with what they are called there.
    fn visible(&self) -> [(&'static str, &'static str, &str); 9] {
        [
            ("n", "the number of people", &self.n),
            ("k", "the categories", if self.has_question() { "" } else { &self.k }),
            (
                "adjacency",
                "whether the number of people is public",
                self.adjacency.or(Adjacency::default().name()),
            ),
            ("e", "epsilon", &self.epsilon),
            ("prior", "the prior", &self.prior),
            ("shape", "the expected shares", &self.shape),
            ("read", "what you will read", if self.has_question() { "" } else { &self.read }),
            ("w", "the error you can bear", &self.width),
            ("sizes", "the sizes of the groups", &self.question.sizes),
        ]
    }

    /// What the page says, as its buttons send it back.
    pub(super) fn seen(&self) -> String {
        let mut query = form_urlencoded::Serializer::new(String::new());
        query.extend_pairs(self.visible().into_iter().map(|(name, _, value)| (name, value)));
        query.finish()
    }

    /// What the button was pressed on; none if no button was pressed.
    pub(super) fn pressed(&self) -> Option<&str> {
        self.used.get().or(self.add.get())
    }

    /// What differs from what the page said when its button was pressed.
    pub(super) fn differs(&self, seen: &str) -> Vec<String> {
        let seen: BTreeMap<_, _> = form_urlencoded::parse(seen.as_bytes()).collect();
        let value = |value: &str| if value.is_empty() { "empty".to_owned() } else { value.to_owned() };
        let changed = self.visible().into_iter().filter_map(|(name, called, now)| {
            let then = seen.get(name).map(|value| &**value).unwrap_or_default();
            (then != now)
                .then(|| sentence(format!("{called} was {}, and is {} now", value(then), value(now))))
        });
        changed.collect()
    }

    /// Whether the plan is for a question.
    pub(crate) fn has_question(&self) -> bool {
        self.question.kind.get().is_some()
    }

    fn question_pairs(&self) -> Vec<(&str, &str)> {
        if self.has_question() { self.question.pairs() } else { Vec::new() }
    }
}

impl State {
    /// What the fields mean, or what is wrong with them.
    pub(crate) fn new(typed: PlanForm) -> Result<Self, String> {
        let n = whole(&typed.n).filter(|n| (1..=MOST_RECORDS).contains(n)).ok_or_else(|| {
            format!("The number of records is {:?}. Give a whole number from 1 to {MOST_RECORDS}.", typed.n)
        })?;
        let question = Question::new(&typed.question)?;
        let (k, sides) = match &question {
            Some(question) => cells_of(question)?,
            None => cells(&typed.k)?,
        };
        // A side of one value is not a column.
        let sides: Vec<usize> = sides.into_iter().filter(|&side| side > 1).collect();
        let prior = typed.prior.value()?.map(|stated| stated.prior(k)).transpose().map_err(sentence)?;
        let adjacency = typed.adjacency.value()?.unwrap_or_default();
        let is_column = sides.len() < 2;
        if is_column && question.is_none() && typed.read.get().is_some() {
            let wrong = "A reading is for a table. Give its sides, such as 12 x 2, or leave the reading out.";
            return Err(wrong.to_owned());
        }
        let table = if !is_column || adjacency == Adjacency::AddRemove {
            Some(table(&typed, question.as_ref(), &sides, n, adjacency)?)
        } else {
            None
        };
        let parts = if table.is_none() { numbers(&typed.shape)? } else { None };
        let shape = match (&table, parts) {
            (Some(table), _) if table.has_shape() => Shape::new(table.shares()).map_err(sentence)?,
            (_, None) => Shape::even(k),
            (_, Some(parts)) if parts.len() != k => {
                return Err(format!(
                    "There are {} expected shares for {k} categories. Give one for each.",
                    parts.len()
                ));
            }
            (_, Some(parts)) => Shape::new(parts).map_err(sentence)?,
        };
        let epsilon = typed.epsilon.required("Give an epsilon, such as 1.")?;
        let share = share(&typed.width)?;
        let state =
            Self { typed, adjacency, n, k, table, prior, shape, epsilon, share, found: None, question };
        // A search does not simulate releases.
        if state.share.is_none() {
            state.check_size(&state.epsilon)?;
        }
        Ok(state)
    }

    /// The same with the least budget for the half-width that was typed.
    pub(super) fn with_found(mut self, epsilon: f64, found: Arc<Found>) -> Result<Self, String> {
        let epsilon = epsilon.to_string();
        self.epsilon = epsilon.parse().map_err(sentence)?;
        self.typed.epsilon = epsilon.into();
        self.found = Some(found);
        Ok(self)
    }

    fn check_size(&self, epsilon: &Epsilon) -> Result<(), String> {
        let counts = self.k as f64 * (self.n as f64).min(90.0 / epsilon.to_f64());
        if counts <= MOST_COUNTS {
            return Ok(());
        }
        Err("That is too large to be simulated here at once. Take a larger epsilon, or fewer categories."
            .to_owned())
    }

    /// Whether a budget can be simulated quickly.
    pub(crate) fn is_quick_at(&self, epsilon: &Epsilon) -> bool {
        self.check_size(epsilon).is_ok()
    }

    /// The request at a budget, with the mechanism that was found for the plan, or the usual one.
    pub(crate) fn request_at(&self, epsilon: &Epsilon) -> Result<Request, String> {
        let usual = Terms::new(epsilon.clone());
        let found = self.found.as_ref().and_then(|found| found.mechanism);
        let spec = found.map_or_else(|| usual.spec.clone(), Description::spec);
        let terms = Terms { prior: self.prior.clone().map(Into::into), spec, ..usual };
        terms.request(self.k, self.n, &|_| ()).map_err(sentence)
    }

    /// The prior, or the uniform one.
    pub(crate) fn prior_or_uniform(&self) -> Result<Prior, String> {
        self.prior.clone().map_or_else(|| Prior::uniform(self.k), Ok).map_err(sentence)
    }

    /// Whether n is private.
    pub(crate) fn n_is_private(&self) -> bool {
        self.adjacency == Adjacency::AddRemove
    }

    /// Whether expected shares were typed for the categories of one column.
    pub(crate) fn has_shape(&self) -> bool {
        self.table.is_none() && self.typed.shape.get().is_some()
    }

    /// What curves against epsilon depend on.
    pub(crate) fn key(&self) -> String {
        let PlanForm { k, prior, shape, read, .. } = &self.typed;
        let private = if self.n_is_private() { "|private" } else { "" };
        let question = self.typed.question_pairs();
        let question = if question.is_empty() { String::new() } else { format!("|{question:?}") };
        format!("{}|{k}|{prior}|{shape}|{read}{private}{question}", self.n)
    }
}

/// The number of categories that was typed, and the sides of a table of so many cells.
fn cells(typed: &Typed) -> Result<(usize, Vec<usize>), String> {
    let sides = sides(typed);
    let k = sides.as_ref().and_then(|sides| product(sides)).filter(|k| (2..=MOST_CATEGORIES).contains(k));
    k.zip(sides).ok_or_else(|| {
        format!(
            "The number of categories is {typed:?}. Give a whole number from 2 to {MOST_CATEGORIES}, or the sides of a table \
             such as 3 x 4."
        )
    })
}

/// The number of cells of a question, and the number of values of each of its columns.
fn cells_of(question: &Question) -> Result<(usize, Vec<usize>), String> {
    let sides: Vec<usize> = question.columns().iter().map(|column| column.values.len()).collect();
    let k = product(&sides).filter(|k| *k <= MOST_CATEGORIES);
    k.map(|k| (k, sides.clone())).ok_or_else(|| {
        let sides: Vec<String> = sides.iter().map(ToString::to_string).collect();
        format!(
            "The table of {} values is too large to be forecast here: it has more than {MOST_CATEGORIES} cells. Use the command \
             `posterity advise --columns {}`.",
            sides.join(" x "),
            sides.join(",")
        )
    })
}

fn product(sides: &[usize]) -> Option<usize> {
    sides.iter().copied().try_fold(1_usize, usize::checked_mul)
}

/// A table with what is read of it: that of a question, or one of columns that are called a, b, c.
fn table(
    typed: &PlanForm,
    question: Option<&Question>,
    sides: &[usize],
    n: u64,
    adjacency: Adjacency,
) -> Result<Table, String> {
    if typed.prior.get().is_some() {
        let what = if sides.len() > 1 { "a table" } else { "a private n" };
        return Err(format!("The intervals of {what} need no prior. Leave it empty."));
    }
    let columns = match question {
        Some(question) => Columns::new(question.columns().to_vec()).map_err(sentence)?,
        None => numbered(sides)?,
    };
    let readings = match (question, typed.read.value()) {
        (Some(question), _) => readings(question, &columns),
        (None, reading) => reading?.map_or_else(|| usual_readings(&columns), |one| vec![one]),
    };
    let only = columns.sizes()[0].0.to_owned();
    let mut table = Table::new(columns, readings, n).map_err(sentence)?.under(adjacency);
    for shape in shapes(&typed.shape, (sides.len() < 2).then_some(&*only)) {
        table = table.with_shape(shape.parse().map_err(sentence)?).map_err(sentence)?;
    }
    match question.and_then(Question::sizes) {
        Some(sizes) => table.with_shape(sizes.clone()).map_err(sentence),
        None => Ok(table),
    }
}

/// Columns that are called a, b, c, whose values are called 1, 2, 3.
pub(super) fn numbered(sides: &[usize]) -> Result<Columns, String> {
    Columns::numbered(sides.iter().map(|&size| (None, size)).collect()).map_err(sentence)
}

/// What is read for a question, in these columns.
pub(super) fn readings(question: &Question, columns: &Columns) -> Vec<Reading> {
    let readings = question.forecast(columns.as_slice());
    if readings.is_empty() { usual_readings(columns) } else { readings }
}

/// The expected shares of each column, as they were typed. Those of the only column need no name.
pub(super) fn shapes(typed: &str, only: Option<&str>) -> Vec<String> {
    let shapes = typed.split(';').map(str::trim).filter(|shape| !shape.is_empty());
    let named = |shape: &str| match only {
        Some(only) if !shape.contains('=') => format!("{only}={shape}"),
        _ => shape.to_owned(),
    };
    shapes.map(named).collect()
}

/// The cells, each column by itself, and the first and the last column within each value of the other.
fn usual_readings(columns: &Columns) -> Vec<Reading> {
    let terms: Vec<Term> = columns.sizes().into_iter().map(|(name, _)| Term::each(name)).collect();
    let shares = |of: &Term, given: Option<&Term>| {
        Reading::shares(vec![of.clone()], given.into_iter().cloned().collect())
    };
    let mut readings = vec![Reading::shares(terms.clone(), Vec::new())];
    if let [first, .., last] = terms.as_slice() {
        readings.extend(terms.iter().map(|term| shares(term, None)));
        readings.extend([shares(first, Some(last)), shares(last, Some(first))]);
    }
    readings
}

/// Percentage points as a share; none if nothing is typed. It is the number that its digits say, so that a command with
/// these digits means the same.
fn share(points: &Typed) -> Result<Option<f64>, String> {
    let Some(points) = points.get() else { return Ok(None) };
    let wrong = || format!("The error to bear is {points:?}. Give percentage points, such as 5.");
    let number: f64 = points.trim_end_matches(['%', ' ']).parse().map_err(|_| wrong())?;
    if !number.is_finite() {
        return Err(wrong());
    }
    digits(number / 100.0).parse().map(Some).map_err(|_| wrong())
}

/// A whole number, with or without marks between the thousands.
fn whole(text: &str) -> Option<u64> {
    text.replace([',', ' ', '\u{a0}', '_'], "").parse().ok()
}

/// The sides of a table; one if it is a number of categories.
fn sides(text: &str) -> Option<Vec<usize>> {
    text.split(['x', 'X', '×', '*']).map(|side| side.trim().parse().ok()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fields::fields;

    fn form(query: &str) -> PlanForm {
        fields(query.as_bytes()).expect(query)
    }

    fn state(query: &str) -> Result<State, String> {
        State::new(form(query))
    }

    #[test]
    fn accepts() {
        let usual = state("").expect("the usual plan");
        assert_eq!((usual.n, usual.k, usual.epsilon.to_f64()), (1000, 3, 1.0));
        let table = state("n=12,000&k=3+x+4&e=0.5").expect("a table");
        let sizes = table.table.as_ref().expect("a table").columns().sizes();
        assert_eq!((table.n, table.k, sizes), (12_000, 12, vec![("a", 3), ("b", 4)]));
        assert!(state("k=1x5*1").expect("one column").table.is_none());
        let sized = state("k=2x3&shape=b=1,1,2&read=a+|+b").expect("valid");
        let shares = sized.table.as_ref().expect("a table").shares();
        assert_eq!(
            (shares, sized.key()),
            (vec![0.125, 0.125, 0.25, 0.125, 0.125, 0.25], "1000|2x3||b=1,1,2|a | b".into())
        );
        let given = state("n=90&k=3&prior=0.5&shape=6,1,3").expect("valid");
        assert_eq!(given.prior_or_uniform().expect("valid").parameters(), [0.5; 3]);
        let private = state("n=90&k=3&shape=6,1,3&adjacency=add-remove").expect("valid");
        let table = private.table.as_ref().expect("a table of one column");
        assert_eq!((table.columns().sizes(), table.shares()), (vec![("a", 3)], vec![0.6, 0.1, 0.3]));
        assert_eq!(table.readings().iter().map(ToString::to_string).collect::<Vec<_>>(), ["a"]);
        assert_eq!(private.key(), "90|3||6,1,3||private", "another plan than with a public n");
        assert_eq!(state("w=0.3 %").expect("valid").share, Some(0.003));
    }

    /// A question takes the place of the numbers, and its groups have the sizes that were typed.
    #[test]
    fn a_question_is_planned_by_its_own_names() {
        let asked = "kind=rate&column0=ward&categories0=A,B&column1=cured&categories1=yes,no,left&value=yes";
        let rate = state(&format!("k=7&read=x+|+y&{asked}&sizes=3,1")).expect("valid");
        let table = rate.table.as_ref().expect("a table");
        assert_eq!((rate.k, table.columns().sizes()), (6, vec![("ward", 2), ("cured", 3)]));
        let readings: Vec<String> = table.readings().iter().map(ToString::to_string).collect();
        assert_eq!(readings, ["cured=yes | ward=A", "cured=yes | ward=B"]);
        assert_eq!(table.shares(), [0.25, 0.25, 0.25, 1.0 / 12.0, 1.0 / 12.0, 1.0 / 12.0]);
        let share = state("kind=share&column0=cured&categories0=yes,no").expect("valid");
        assert_eq!((share.k, share.table.is_none()), (2, true));
        let private = state("kind=share&column0=cured&categories0=yes,no&shape=1,3&adjacency=add-remove")
            .expect("valid");
        assert_eq!(private.table.as_ref().expect("a table of one column").shares(), [0.25, 0.75]);
        let wrong = state(&format!("{asked}&sizes=1,2,3")).expect_err("three sizes");
        assert!(wrong.contains("3 expected shares for the 2 values of ward"), "{wrong}");
        let many: Vec<String> = (0..60).map(|value| value.to_string()).collect();
        let large = state(&asked.replace("A,B", &many.join(","))).expect_err("too large");
        assert!(large.contains("60 x 3 values is too large") && large.contains("--columns 60,3"), "{large}");
    }

    /// The address says it all: what it says is read again as the same.
    #[test]
    fn an_address_holds_the_whole_plan() {
        for query in [
            "n=90&k=3&e=0.5",
            "n=90&k=3+x+4&e=2&shape=a=1,2,3&read=b+|+a",
            "n=1000&k=2&e=1&w=4",
            "adjacency=add-remove",
            "n=90&kind=rate&column0=ward&categories0=A,B&column1=cured&categories1=yes,no&sizes=2,1&file=x.csv&w=4",
        ] {
            let typed = form(query).query();
            assert_eq!(form(&typed).query(), typed);
        }
    }

    #[test]
    fn rejects() {
        let table = [
            ("n=0", "number of records"),
            ("n=-1", "number of records"),
            ("k=1", "number of categories"),
            ("k=101", "number of categories"),
            ("k=99999999999x99999999999", "number of categories"),
            ("e=0", "Epsilon is 0"),
            ("e=NaN", "Epsilon is"),
            ("k=2&prior=1,1,1", "3 parameters for 2"),
            ("k=2&prior=-1", "Prior parameter 1 is -1"),
            ("k=2&shape=1", "1 expected shares for 2"),
            ("k=2&shape=a,b", "no list of numbers"),
            ("k=2x2&prior=1", "need no prior"),
            ("k=2x2&shape=1,2", "such as ward=0.3"),
            ("k=2x2&shape=c=1,2", "no column"),
            ("k=2x2&shape=a=1,2,3", "3 expected shares for the 2 values of a"),
            ("k=2x2&read=a+|+c", "no column"),
            ("k=4&read=a", "is for a table"),
            ("adjacency=x", "is no adjacency"),
            ("adjacency=add-remove&prior=1", "a private n need no prior"),
            ("adjacency=add-remove&k=4&read=a", "is for a table"),
            ("adjacency=add-remove&k=2&shape=1", "1 expected shares for the 2 values of a"),
            ("w=x", "error to bear"),
            ("w=inf", "error to bear"),
            ("n=1000000&k=100&e=0.001", "too large"),
        ];
        for (query, expected) in table {
            let error = state(query).expect_err(query);
            assert!(error.contains(expected), "{query}: {error}");
        }
    }
}
