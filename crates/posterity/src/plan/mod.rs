//! Plans: what is asked of a source, on which terms, and how it is read. One description for every front.
//!
//! A plan has three layers. Its **law** is what changes the distribution of what is drawn, or what it is about: only this is
//! the question that a ledger knows. Its **reading** is how the answers are shown, and may be chosen again at no cost. Its
//! **words** are titles and descriptions. All of it is public: counts, paths of this machine, ledgers, keys and seeds are
//! bound to a plan when it is carried out, and are never in it.
//!
//! Every front writes a [`Node`], and [`Plan::read`] reads it by the list [`FIELDS`]. An error says which field is wrong.
//!
//! ```
//! use posterity::plan::{Node, Plan};
//! let text = r#"{
//!     "source": "visits.csv", "epsilon": 0.5, "columns": {"ward": ["A", "B"], "cured": ["yes", "no"]},
//!     "question": [{"columns": ["ward", "cured"], "read": ["cured | ward"], "level": 0.9}]
//! }"#;
//! let node: Node = text.parse()?;
//! let plan = Plan::read(node, &|_| Err("is not here".to_owned()))?;
//! let asked = plan.questions().next().expect("one question");
//! assert_eq!((asked.title(), asked.kind(), asked.cells()), ("ward and cured", "table", Some(4)));
//! let wrong = text.replace("0.5", "-1").parse()?;
//! let error = Plan::read(wrong, &|_| Err("is not here".to_owned())).expect_err("no budget");
//! assert_eq!(error.path().to_string(), "epsilon");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub(crate) mod asking;
pub(crate) mod error;
pub(crate) mod fields;
pub(crate) mod head;
pub(crate) mod keys;
pub(crate) mod names;
mod node;
pub(crate) mod question;
pub(crate) mod said;
mod schema;
pub(crate) mod sizes;
mod stated;

use std::any::Any;

use posterity_core::model::{Adjacency, Epsilon, EpsilonError};
use posterity_count::{Column, Domain, Encoding, Format, Question, Relation, Source};
use posterity_ledger::Amount;
use serde::{Deserialize, Serialize};

use crate::batch::{Batch, BatchError};
use crate::digest::text_digest;
use crate::meaning::{check_delta, warnings};
use crate::publish_error::PublishError;
use crate::table::Reading;

pub use asking::{Asking, FIELDS, NamedColumns, PriceOf, field};
use asking::{ReadQuestion, fields_at};
use error::Path;
pub use error::{PlanError, PlanProblem, Step};
pub use fields::{Field, Form, Layer, OwnField, Place};
use head::{Common, Head};
use keys::Item;
pub use names::file_name;
pub use node::{Node, Value};
pub use question::PlannedQuestion;
use said::{Columns, Said};
pub use schema::{
    declared_columns, declared_field, declared_fields, fields_of_sets, named_fields, needed_columns,
    needed_fields,
};
pub use sizes::GroupSizes;
pub use stated::Stated;

pub use crate::blame::Blame;
pub use crate::kind::discovered::plan::PlannedDiscovery;
pub use crate::kind::margins::PlannedMargins;
pub use crate::kind::table::plan::PlannedTable;

/// A plan that passed every check that needs no data. All of it is public.
#[derive(Clone, Debug)]
pub struct Plan {
    node: Node,
    title: String,
    description: Option<String>,
    source: PlanSource,
    epsilon: Epsilon,
    delta: Option<Amount>,
    edition: Option<String>,
    records: Question,
    questions: Vec<PlannedQuestion>,
    requirements: Vec<Requirement>,
    shape: Vec<GroupSizes>,
}

/// The records that a plan is about, as it names them.
#[derive(Clone, Debug)]
struct PlanSource {
    name: Option<String>,
    format: Option<Format>,
    relation: Option<Relation>,
    delimiter: Option<char>,
    encoding: Option<Encoding>,
}

/// What a reading must be like.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Requirement {
    /// What is read.
    pub reading: Reading,
    /// The percentage points that each of its intervals may reach at most to either side of its share.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub points: Option<f64>,
    /// The records (units, with a unit) that each group within which it is read has at least.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub group: Option<u64>,
}

/// The schema of a plan, which declares columns: its text, by the name of its file.
pub type ReadSchema<'a> = &'a dyn Fn(&str) -> Result<String, String>;

impl Plan {
    /// Reads a plan. It may name a schema, whose text is then asked for.
    ///
    /// # Errors
    /// [`PlanError`], which says what is wrong, where, and what to do.
    pub fn read(node: Node, schema: ReadSchema<'_>) -> Result<Self, PlanError> {
        let root = Item::root(&node);
        let keys = Asking::all().map(|asking| asking.key);
        let beside: Vec<&str> = ["schema", "columns"].into_iter().chain(keys).chain(["require"]).collect();
        let said = Said::default().read(&root, &fields_at(Place::Plan, None), (&beside, "the plan"))?;
        let columns = declared(&root, schema)?;
        columns.check_labels(&root, &said)?;
        let labelled = |item: &Item<'_>, name: &str| Ok(said.label(columns.find(item, name)?));
        let shape = match (root.get("shape"), &said.shape) {
            (Some(item), Some(written)) => GroupSizes::all(&item, written, labelled)?,
            _ => Vec::new(),
        };
        let list = |key: &str| root.get(key).map(|item| item.list()).unwrap_or_default();
        let items: Vec<(&Asking, Item<'_>)> = Asking::all()
            .flat_map(|asking| list(asking.key).into_iter().map(move |item| (asking, item)))
            .collect();
        if items.is_empty() {
            let example = "a table [[question]] with columns = [\"ward\"]";
            let item = root.need("question", "the plan", example)?;
            return Err(item.wrong("there is no question; add a table [[question]]"));
        }
        let adjacency = adjacency(&root, &said, &items)?;
        let common = Common { said: &said, columns: &columns, adjacency };
        let read = read_each(items, |(asking, item)| Ok((asking, (asking.read)(item, &common)?)))?;
        let heads: Vec<&Head<'_>> = read.iter().map(|(_, one)| one.head()).collect();
        refuse_repeated(&heads)?;
        let epsilon = said.epsilon.clone().map_or_else(
            || root.need("epsilon", "the plan", "epsilon = 1").and_then(|item| item.budget()),
            Ok,
        )?;
        let delta = whole_delta(&root, &said, read.iter().any(|(asking, _)| asking.needs_delta()))?;
        let parts = Parts::new(&read, (&epsilon, delta.as_ref()), &root)?;
        let questions = read_each(&read, |(asking, one)| {
            let budget = parts.of(asking, one.head())?;
            Ok(PlannedQuestion::new(one.head(), one.planned(&common, budget)?))
        })?;
        let mut plan = Self {
            title: said.title.clone().unwrap_or_else(|| match &said.source {
                None => "A study".to_owned(),
                Some(source) => format!("A study of {source}"),
            }),
            description: said.description.clone(),
            source: PlanSource {
                name: said.source.clone(),
                format: said.input_format,
                relation: said.relation.clone(),
                delimiter: said.delimiter,
                encoding: said.encoding,
            },
            epsilon,
            delta,
            edition: said.edition.clone(),
            records: said.records(adjacency),
            questions,
            requirements: Vec::new(),
            shape,
            node: Node::list([]),
        };
        plan.epsilon = plan.together().map_err(|error| root.wrong_in("epsilon", error))?;
        let required = list("require");
        plan.requirements = required.iter().map(|item| plan.requirement(item)).collect::<Result<_, _>>()?;
        plan.check(&root, &heads)?;
        plan.node = resolved(&node, &columns);
        Ok(plan)
    }

    /// Refuses mechanisms that promise nothing, which only an experiment may use, or who cites an audit.
    ///
    /// # Errors
    /// [`PlanError`].
    pub fn refuse_unproven(&self) -> Result<(), PlanError> {
        for (question, asked) in self.questions.iter().enumerate() {
            let cells = asked.cells().and_then(|cells| usize::try_from(cells).ok());
            if let Err(error @ PublishError::Unproven { .. }) =
                asked.part(false).check(cells.unwrap_or_default())
            {
                return Err(asked.error(PlanProblem::Batch(BatchError::Question { question, error })));
            }
        }
        Ok(())
    }

    /// Checks that the questions can be counted together on their terms.
    fn check(&self, root: &Item<'_>, heads: &[&Head<'_>]) -> Result<(), PlanError> {
        let batch = Batch::new(Source::files(""));
        let batch = self.questions.iter().fold(batch, |batch, asked| batch.with(asked.part(true)));
        batch.check().map_err(|error| {
            let head = match &error {
                BatchError::Question { question, .. } => heads.get(*question),
                _ => heads.first().filter(|_| heads.len() == 1),
            };
            let asked = head.map_or(root, |head| &head.item);
            let written = |field: &&str| asked.get(field).or_else(|| root.get(field));
            let field = error::blamed(&error).iter().find_map(written);
            field.as_ref().unwrap_or(asked).error(PlanProblem::Batch(error))
        })
    }

    /// What all answers together promise, beside the delta: the epsilons add up.
    fn together(&self) -> Result<Epsilon, EpsilonError> {
        sum(self.questions.iter().map(PlannedQuestion::epsilon))
    }

    /// What a reading of some question must be like.
    fn requirement(&self, item: &Item<'_>) -> Result<Requirement, PlanError> {
        item.refuse_unknown(&["read", "points", "group"], "a requirement")?;
        let read = item.need("read", "a requirement", "read = \"cured=yes | ward\"")?;
        let reading = read.reading()?;
        let points = item.get("points").map(|item| match item.float()? {
            _ if reading.statistic() != crate::table::Statistic::Share => {
                Err(item.wrong("points are of shares; this reading has none"))
            }
            points if points > 0.0 && points <= 100.0 => Ok(points),
            _ => Err(item.wrong("write a number of percentage points above zero and up to 100, such as 5")),
        });
        let group = item.get("group").map(|item| {
            item.digits()?.parse().map_err(|_| item.wrong("write a whole number of records, such as 20"))
        });
        let (points, group) = (points.transpose()?, group.transpose()?);
        if points.is_none() && group.is_none() {
            return Err(item.wrong(
                "say points = 5, the most that an interval may reach, or group = 20, the least size",
            ));
        }
        let mut readings = self.questions.iter().flat_map(PlannedQuestion::readings);
        if !readings.any(|known| *known == reading) {
            return Err(read.wrong(format!("no question reads {reading}; add it to the read of one")));
        }
        Ok(Requirement { reading, points, group })
    }

    /// The questions as they are counted, charged and drawn.
    #[must_use]
    pub fn batch(&self, source: Source) -> Batch<'static> {
        let batch = Batch::new(source);
        self.asked_in(self.source.name.iter().fold(batch, |batch, name| batch.shown_as(name)))
    }

    /// The questions as they are counted, charged and drawn of records in memory, whose name is that of the source.
    #[must_use]
    pub fn batch_in_memory(&self) -> Batch<'static> {
        self.asked_in(Batch::in_memory(self.source.name.as_deref().filter(|name| !name.is_empty())))
    }

    fn asked_in(&self, batch: Batch<'static>) -> Batch<'static> {
        let batch = batch.of_edition(self.edition.as_deref());
        self.questions.iter().fold(batch, |batch, asked| batch.with(asked.part(false)))
    }

    /// A question about the records that names every column of which something is asked, for those who take columns from
    /// memory. Which values it declares makes no difference there.
    #[must_use]
    pub fn needed(&self) -> Question {
        let mut names: Vec<&str> = self.questions.iter().flat_map(|asked| asked.columns()).collect();
        names.sort_unstable();
        names.dedup();
        let columns = names.into_iter().map(|name| Column::new(name, ["yes", "no"]));
        Question { columns: columns.collect(), ..self.records.clone() }
    }

    /// The name by which a plan knows the files at a path: a plan is public, so no path that only this machine has.
    ///
    /// ```
    /// use posterity::plan::Plan;
    /// assert_eq!(Plan::name_of("clinic/visits.csv"), "clinic/visits.csv");
    /// # #[cfg(unix)]
    /// assert_eq!(Plan::name_of("/home/ada/visits.csv"), "visits.csv");
    /// ```
    #[must_use]
    pub fn name_of(path: &str) -> String {
        let name =
            std::path::Path::new(path).file_name().filter(|_| std::path::Path::new(path).is_absolute());
        name.map_or_else(|| path.to_owned(), |name| name.to_string_lossy().into_owned())
    }

    /// The records at a path, read as the plan says.
    #[must_use]
    pub fn files(&self, path: impl Into<String>) -> Source {
        self.open(Source::files(path))
    }

    /// The records of another source, read as the plan says.
    #[must_use]
    pub fn open(&self, source: Source) -> Source {
        let PlanSource { format, relation, delimiter, encoding, .. } = &self.source;
        let source = format.iter().fold(source, |source, format| source.with_format(*format));
        let source = delimiter.iter().fold(source, |source, letter| source.with_delimiter(*letter));
        let source = encoding.iter().fold(source, |source, encoding| source.with_encoding(*encoding));
        relation.iter().fold(source, |source, relation| source.with_relation(relation.clone()))
    }

    /// How large the groups of columns are expected to be; nothing of a column whose groups are taken to be alike.
    #[must_use]
    pub fn shape(&self) -> &[GroupSizes] {
        &self.shape
    }

    /// The plan as it is written, with the columns that its schema declares in the place of the schema.
    #[must_use]
    pub fn node(&self) -> &Node {
        &self.node
    }

    /// What tells it from other plans: the digest of what is written.
    #[must_use]
    pub fn digest(&self) -> String {
        text_digest(&self.node.to_json())
    }

    /// What it is called.
    #[must_use]
    pub fn title(&self) -> &str {
        &self.title
    }

    /// What it is about, in the words of its author.
    #[must_use]
    pub fn description(&self) -> Option<&str> {
        self.description.as_deref()
    }

    /// The source, as the plan names it; empty if it names none.
    #[must_use]
    pub fn source(&self) -> &str {
        self.source.name.as_deref().unwrap_or_default()
    }

    /// What tells this edition of the source from others.
    #[must_use]
    pub fn edition(&self) -> Option<&str> {
        self.edition.as_deref()
    }

    /// What all answers together promise and cost: the budget that the plan divides, or more if a mechanism promises
    /// more than the epsilon that it is given, or a total is paid for besides.
    #[must_use]
    pub fn epsilon(&self) -> &Epsilon {
        &self.epsilon
    }

    /// The delta that goes with it; nothing if nothing needs one.
    #[must_use]
    pub fn delta(&self) -> Option<&Amount> {
        self.delta.as_ref()
    }

    /// Everything to warn of in the budget of the whole plan, before anything is drawn or charged. n is the number of
    /// records or units, if it is public.
    #[must_use]
    pub fn warnings(&self, n: Option<u64>) -> Vec<String> {
        let delta = self.delta.as_ref().map(Amount::to_f64_shown).unwrap_or_default();
        warnings(self.records.adjacency, self.epsilon.to_f64_shown(), delta, n)
    }

    /// The rho that all tables of many columns cost together; nothing if there are none.
    #[must_use]
    pub fn rho(&self) -> Option<Amount> {
        let all: Vec<Amount> = self.questions.iter().filter_map(PlannedQuestion::rho).collect();
        (!all.is_empty()).then(|| all.into_iter().sum())
    }

    /// Which records all questions count, and whom they protect: a question without columns.
    #[must_use]
    pub fn records(&self) -> &Question {
        &self.records
    }

    /// All questions, kind by kind, in the order of the list of kinds.
    pub fn questions(&self) -> impl ExactSizeIterator<Item = &PlannedQuestion> {
        self.questions.iter()
    }

    /// The headings of all questions.
    pub fn titles(&self) -> impl Iterator<Item = &str> {
        self.questions.iter().map(PlannedQuestion::title)
    }

    /// What its questions ask that are of this type, such as [`PlannedTable`].
    pub fn all<T: Any>(&self) -> impl Iterator<Item = &T> {
        self.questions.iter().filter_map(PlannedQuestion::as_a)
    }

    /// What the answers must be like.
    #[must_use]
    pub fn requirements(&self) -> &[Requirement] {
        &self.requirements
    }

    /// Something that a question of the plan does not allow, by its position.
    #[must_use]
    pub fn wrong(&self, question: usize, why: impl ToString) -> PlanError {
        let problem = PlanProblem::Value(why.to_string());
        match self.questions.get(question) {
            Some(asked) => asked.error(problem),
            None => PlanError::new(Path::default(), None, problem),
        }
    }
}

/// The adjacency of the whole plan. Kinds that cannot stand beside each other, or not under it, are refused.
fn adjacency(root: &Item<'_>, said: &Said, items: &[(&Asking, Item<'_>)]) -> Result<Adjacency, PlanError> {
    let only_private = items.iter().all(|(asking, _)| asking.private_n.is_some());
    let usual = if only_private { Adjacency::AddRemove } else { Adjacency::Replace };
    let adjacency = said.adjacency.unwrap_or(usual);
    if let (Some(why), Adjacency::Replace) = (items.iter().find_map(|(one, _)| one.private_n), adjacency) {
        return Err(root.wrong_in("adjacency", why));
    }
    let first = |price| items.iter().find(|(asking, _)| asking.price == price);
    if let (Some((rho, _)), Some((delta, item))) = (first(PriceOf::Rho), first(PriceOf::EpsilonAndDelta)) {
        let (one, other) = (delta.what, rho.what);
        return Err(item.wrong(format!(
            "no account counts {one} beside {other} in one charge; ask it in a plan of its own"
        )));
    }
    Ok(adjacency)
}

/// Reads each of some questions.
fn read_each<A, B>(
    all: impl IntoIterator<Item = A>,
    read: impl FnMut(A) -> Result<B, PlanError>,
) -> Result<Vec<B>, PlanError> {
    all.into_iter().map(read).collect()
}

fn refuse_repeated(heads: &[&Head<'_>]) -> Result<(), PlanError> {
    for (index, head) in heads.iter().enumerate() {
        if heads[..index].iter().any(|other| other.name == head.name) {
            return Err(head.item.error(PlanProblem::Repeated { name: head.name.clone() }));
        }
    }
    Ok(())
}

/// The sum of some shares, of which there is at least one.
fn sum(mut shares: impl Iterator<Item = Epsilon>) -> Result<Epsilon, EpsilonError> {
    let first = shares.next().map_or_else(|| Epsilon::from_f64(1.0), Ok)?;
    shares.try_fold(first, |sum, share| Epsilon::from_rational(sum.rational() + share.rational()))
}

/// The delta of the plan, which questions about declared cells do not need.
fn whole_delta(root: &Item<'_>, said: &Said, is_needed: bool) -> Result<Option<Amount>, PlanError> {
    match (&said.delta, is_needed) {
        (None, false) => Ok(None),
        (None, true) => {
            let why = "tables of many columns and discovered categories need one; write a number far below one part of as many as \
                       there are people, such as 1e-9";
            Err(root.wrong_in("delta", why))
        }
        (Some(_), false) => {
            let why = "this is for many columns and for categories that are discovered; questions about declared cells need no \
                       delta, so leave it out";
            Err(root.wrong_in("delta", why))
        }
        (Some(delta), true) => {
            if delta.is_zero() || delta.to_f64_shown() >= 1.0 {
                return Err(root.wrong_in("delta", fields::NO_DELTA));
            }
            let is_large_allowed = said.allow_large_delta.unwrap_or_default();
            check_delta(delta, is_large_allowed)
                .map_err(|error| root.error_in("delta", PlanProblem::LargeDelta(error)))?;
            Ok(Some(delta.clone()))
        }
    }
}

/// The budget of a plan, divided by the shares of its questions, exactly: epsilon among all, and delta among those that need
/// one.
struct Parts<'a> {
    epsilon: &'a Epsilon,
    delta: Amount,
    shares: Epsilon,
    shares_of_delta: Epsilon,
    root: &'a Item<'a>,
}

impl<'a> Parts<'a> {
    fn new(
        asked: &[(&Asking, Box<dyn ReadQuestion<'_> + '_>)],
        (epsilon, delta): (&'a Epsilon, Option<&Amount>),
        root: &'a Item<'a>,
    ) -> Result<Self, PlanError> {
        let sum = |needs: fn(&Asking) -> bool| {
            let asked = asked.iter().filter(|(asking, _)| needs(asking));
            sum(asked.map(|(_, one)| one.head().share.clone()))
                .map_err(|error| root.wrong_in("epsilon", error))
        };
        let (shares, shares_of_delta) = (sum(|_| true)?, sum(Asking::needs_delta)?);
        Ok(Self { epsilon, delta: delta.cloned().unwrap_or_default(), shares, shares_of_delta, root })
    }

    /// The epsilon of a question, and its delta, which is zero where it needs none.
    fn of(&self, asking: &Asking, head: &Head<'_>) -> Result<(Epsilon, Amount), PlanError> {
        let share = head.share.rational();
        let epsilon = Epsilon::from_rational(self.epsilon.rational() * (share / self.shares.rational()))
            .map_err(|error| self.root.wrong_in("epsilon", error))?;
        if !asking.needs_delta() {
            return Ok((epsilon, Amount::ZERO));
        }
        let delta = self.delta.rational() * (share / self.shares_of_delta.rational());
        let delta = Amount::from_rational(delta).map_err(|error| self.root.wrong_in("delta", error))?;
        Ok((epsilon, delta))
    }
}

/// The columns that are declared in the plan and in the schema that it names; the plan comes first.
fn declared(root: &Item<'_>, schema: ReadSchema<'_>) -> Result<Columns, PlanError> {
    let mut columns = Columns::default();
    let is_declared = root.get("columns").is_some();
    if let Some(item) = root.get("schema") {
        let (file, text) = if item.is_table() {
            ("of the plan".to_owned(), Ok(item.node.to_json()))
        } else {
            let file = item.text()?;
            let text = schema(&file).map_err(|error| format!("cannot be used: {error}"));
            (file, text)
        };
        let wrong = |why: String| item.error(PlanProblem::Schema { file: file.clone(), why });
        let text = text.map_err(wrong)?;
        let declared = if is_declared { schema::declared_columns(&text) } else { needed_columns(&text) };
        declared.map_err(wrong)?.into_iter().for_each(|column| columns.declare(column));
    }
    for item in root.get("columns").map(|item| item.entries()).transpose()?.unwrap_or_default() {
        columns.declare_at(&item, column)?;
    }
    Ok(columns)
}

/// All columns that a plan declares, or the schema that it names, with the categories that hold for all of them.
///
/// # Errors
/// [`PlanError`].
pub fn columns_of(node: &Node, schema: ReadSchema<'_>) -> Result<Vec<Column>, PlanError> {
    let root = Item::root(node);
    let said =
        Said::default().read(&root, &fields_at(Place::Plan, None), (&["schema", "columns"], "the plan"))?;
    let columns = declared(&root, schema)?;
    columns.check_labels(&root, &said)?;
    columns.all().iter().map(|column| columns.asked(&root, &said, column)).collect()
}

/// A list of categories, or a table with categories or bins, their aliases, labels and order, and the categories for other
/// and for missing values. A table without categories and bins adds to what the schema declares.
fn column(item: &Item<'_>, schema: Option<&Column>) -> Result<Column, PlanError> {
    let name = item.key().to_owned();
    if !item.is_table() {
        let labels = item.list().iter().map(Item::label).collect::<Result<Vec<_>, _>>()?;
        return Ok(Column::of(name, Domain::Values(labels)));
    }
    let fields = fields_at(Place::Column, None);
    let said = Said::default().read(item, &fields, (&[], &format!("the column {name:?}")))?;
    said.declared(item, name, schema)
}

/// The plan with the columns of its schema in the place of the schema.
fn resolved(node: &Node, columns: &Columns) -> Node {
    let mut node = node.clone();
    if node.take("schema").is_none() {
        return node;
    }
    let mut declared = node.get("columns").cloned().unwrap_or_else(|| Node::table::<String>([]));
    let is_whole = |node: &Node| {
        !matches!(node.value(), Value::Table(_))
            || node.get("categories").is_some()
            || node.get("bins").is_some()
    };
    for column in columns.all() {
        if !declared.get(&column.name).is_some_and(is_whole) {
            declared.set(&column.name, column_node(column));
        }
    }
    node.set("columns", declared);
    node
}

/// What is declared of a column, as it is written: its values alone, if that is all.
#[must_use]
pub fn column_node(column: &Column) -> Node {
    let texts = |texts: &[String]| Node::list(texts.iter().map(Node::text));
    let domain = match &column.domain {
        Domain::Values(values) => ("categories", texts(values)),
        Domain::Bins(bins) => ("bins", Node::list(bins.edges().iter().map(Node::number))),
    };
    let aliases = column.aliases.iter().map(|(category, aliases)| (category, texts(aliases)));
    let labels = column.labels.iter().map(|(category, label)| (category, Node::text(label)));
    let [other, missing] = [&column.other, &column.missing].map(|name| name.as_ref().map(Node::text));
    let more = [
        ("aliases", (!column.aliases.is_empty()).then(|| Node::table(aliases))),
        ("labels", (!column.labels.is_empty()).then(|| Node::table(labels))),
        ("ordered", column.ordered.then(|| true.into())),
        ("other", other),
        ("missing", missing),
    ];
    let more = more.into_iter().filter_map(|(key, node)| Some((key, node?)));
    let all: Vec<(&str, Node)> = [domain].into_iter().chain(more).collect();
    match <[_; 1]>::try_from(all) {
        Ok([("categories", values)]) => values,
        Ok(bins) => Node::table(bins),
        Err(all) => Node::table(all),
    }
}
