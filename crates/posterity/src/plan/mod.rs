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
//! assert_eq!((plan.asked()[0].cells(), plan.asked()[0].terms().level), (4, 0.9));
//! let wrong = text.replace("0.5", "-1").parse()?;
//! let error = Plan::read(wrong, &|_| Err("is not here".to_owned())).expect_err("no budget");
//! assert_eq!(error.path().to_string(), "epsilon");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod each;
pub(crate) mod error;
mod fields;
pub(crate) mod head;
pub(crate) mod keys;
pub(crate) mod names;
mod node;
pub(crate) mod said;
mod schema;

use posterity_core::model::{Adjacency, Epsilon, EpsilonError};
use posterity_count::{Column, Domain, Encoding, Format, Question, Relation, Source};
use posterity_ledger::Amount;
use serde::{Deserialize, Serialize};

use crate::batch::{Batch, BatchError};
use crate::kind::discovered::plan::ReadDiscovery;
use crate::kind::margins::plan::ReadMargins;
use crate::kind::table::plan::ReadTable;
use crate::meaning::{check_delta, warnings};
use crate::publish_error::PublishError;
use crate::table::Reading;

pub use each::AskedOfKind;
use error::Path;
pub use error::{PlanError, PlanProblem, Step};
pub use fields::{FIELDS, Field, Form, Layer, Place, field};
use head::{Common, Head};
use keys::Item;
pub use names::file_name;
pub use node::{Node, Value};
use said::{Columns, Said};
pub use schema::{
    declared_columns, declared_field, declared_fields, fields_of_sets, named_fields, needed_columns,
    needed_fields,
};

pub use crate::blame::Blame;
pub use crate::kind::discovered::plan::AskedDiscovery;
pub use crate::kind::margins::plan::AskedMargins;
pub use crate::kind::table::plan::Asked;

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
    asked: Vec<Asked>,
    margins: Vec<AskedMargins>,
    discoveries: Vec<AskedDiscovery>,
    /// Where each question stands, in this order.
    places: Vec<(Path, Option<usize>)>,
    requirements: Vec<Requirement>,
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
        let beside = ["schema", "columns", "question", "margins", "discover", "require"];
        let said = Said::default().read(&root, (Place::Plan, None), (&beside, "the plan"))?;
        let columns = declared(&root, schema)?;
        columns.check_labels(&root, &said)?;
        let list = |key: &str| root.get(key).map(|item| item.list()).unwrap_or_default();
        let [questions, wide, discoveries] = ["question", "margins", "discover"].map(list);
        if questions.is_empty() && wide.is_empty() && discoveries.is_empty() {
            let example = "a table [[question]] with columns = [\"ward\"]";
            let item = root.need("question", "the plan", example)?;
            return Err(item.wrong("there is no question; add a table [[question]]"));
        }
        // Categories are discovered where n is private.
        let usual =
            if questions.is_empty() && wide.is_empty() { Adjacency::AddRemove } else { Adjacency::Replace };
        let adjacency = said.adjacency.unwrap_or(usual);
        if let (false, Adjacency::Replace) = (discoveries.is_empty(), adjacency) {
            let why = "categories are discovered where n is private, which holds for the whole plan: write add-remove";
            return Err(root.wrong_in("adjacency", why));
        }
        if let (false, Some(first)) = (wide.is_empty(), discoveries.first()) {
            let why = "no account counts a discovery beside tables of many columns in one charge; ask it in a plan of its own";
            return Err(first.wrong(why));
        }
        let common = Common { said: &said, columns: &columns, adjacency };
        let questions = read_each(questions, |item| ReadTable::new(item, &common))?;
        let wide = read_each(wide, |item| ReadMargins::new(item, &common))?;
        let discoveries = read_each(discoveries, |item| ReadDiscovery::new(item, &common))?;
        let heads: Vec<&Head<'_>> = (questions.iter().map(|one| &one.head))
            .chain(wide.iter().map(|one| &one.head))
            .chain(discoveries.iter().map(|one| &one.head))
            .collect();
        refuse_repeated(&heads)?;
        let epsilon = said.epsilon.clone().map_or_else(
            || root.need("epsilon", "the plan", "epsilon = 1").and_then(|item| item.budget()),
            Ok,
        )?;
        let with_delta: Vec<&Head<'_>> =
            heads.iter().copied().filter(|head| head.item.path.keys().next() != Some("question")).collect();
        let delta = whole_delta(&root, &said, &with_delta)?;
        let parts = Parts::new(&heads, &with_delta, (&epsilon, delta.as_ref()), &root)?;
        let asked = read_each(&questions, |one| one.ask(&common, parts.epsilon(&one.head)?))?;
        let margins = read_each(&wide, |one| one.ask(&common, parts.both(&one.head)?))?;
        let discovered = read_each(&discoveries, |one| one.ask(&common, parts.both(&one.head)?))?;
        let places = heads.iter().map(|head| (head.item.path.clone(), head.item.line())).collect();
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
            asked,
            margins,
            discoveries: discovered,
            places,
            requirements: Vec::new(),
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
        for (index, asked) in self.asked.iter().enumerate() {
            if let Err(error @ PublishError::Unproven { .. }) = asked.publisher().check(asked.cells()) {
                let (path, line) = self.places.get(index).cloned().unwrap_or_default();
                let problem = PlanProblem::Batch(BatchError::Question { question: index, error });
                return Err(PlanError::new(path, line, problem));
            }
        }
        Ok(())
    }

    /// Checks that the questions can be counted together on their terms.
    fn check(&self, root: &Item<'_>, heads: &[&Head<'_>]) -> Result<(), PlanError> {
        let batch = self.asked.iter().fold(Batch::new(Source::files("")), |batch, asked| {
            batch.ask(asked.question().clone(), asked.publisher().allow_unproven())
        });
        let batch =
            self.margins.iter().fold(batch, |batch, asked| batch.ask_margins(asked.planned().clone()));
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
        let asked = self.asked.iter().map(Asked::epsilon);
        let margins = self.margins.iter().map(|one| one.terms().epsilon.clone());
        let discovered = self.discoveries.iter().map(|one| one.terms().whole_epsilon());
        sum(asked.chain(margins).chain(discovered))
    }

    /// What a reading of some question must be like.
    fn requirement(&self, item: &Item<'_>) -> Result<Requirement, PlanError> {
        item.refuse_unknown(&["read", "points", "group"], "a requirement")?;
        let read = item.need("read", "a requirement", "read = \"cured=yes | ward\"")?;
        let reading = read.reading()?;
        let points = item.get("points").map(|item| match item.float()? {
            _ if reading.is_count() || reading.mean_of().is_some() => {
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
        let mut readings = (self.asked.iter().flat_map(Asked::readings))
            .chain(self.margins.iter().flat_map(AskedMargins::readings));
        if !readings.any(|known| *known == reading) {
            return Err(read.wrong(format!("no question reads {reading}; add it to the read of one")));
        }
        Ok(Requirement { reading, points, group })
    }

    /// The questions as they are counted, charged and drawn.
    #[must_use]
    pub fn batch(&self, source: Source) -> Batch<'static> {
        let batch = Batch::new(source).of_edition(self.edition.as_deref());
        let batch = self.source.name.iter().fold(batch, |batch, name| batch.shown_as(name));
        let batch = self
            .asked
            .iter()
            .fold(batch, |batch, asked| batch.ask(asked.question().clone(), asked.publisher()));
        let batch =
            self.margins.iter().fold(batch, |batch, asked| batch.ask_margins(asked.planned().clone()));
        self.discoveries
            .iter()
            .fold(batch, |batch, asked| batch.ask_values(asked.values().clone(), asked.discovery()))
    }

    /// The records at a path, read as the plan says.
    #[must_use]
    pub fn files(&self, path: impl Into<String>) -> Source {
        self.open(Source::files(path))
    }

    /// The same records as another source has, read as the plan says.
    #[must_use]
    pub fn open(&self, source: Source) -> Source {
        let PlanSource { format, relation, delimiter, encoding, .. } = &self.source;
        let source = format.iter().fold(source, |source, format| source.with_format(*format));
        let source = delimiter.iter().fold(source, |source, letter| source.with_delimiter(*letter));
        let source = encoding.iter().fold(source, |source, encoding| source.with_encoding(*encoding));
        relation.iter().fold(source, |source, relation| source.with_relation(relation.clone()))
    }

    /// The plan as it is written, with the columns that its schema declares in the place of the schema.
    #[must_use]
    pub fn node(&self) -> &Node {
        &self.node
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
        // A plan refuses tables without a rho.
        let all = self.margins.iter().filter_map(|asked| asked.terms().rho().ok());
        (!self.margins.is_empty()).then(|| all.sum())
    }

    /// Which records all questions count, and whom they protect: a question without columns.
    #[must_use]
    pub fn records(&self) -> &Question {
        &self.records
    }

    /// All questions: those about declared cells, those about many columns, and those whose values are discovered.
    pub fn questions(&self) -> impl Iterator<Item = AskedOfKind<'_>> {
        (self.asked.iter().map(AskedOfKind::Table))
            .chain(self.margins.iter().map(AskedOfKind::Margins))
            .chain(self.discoveries.iter().map(AskedOfKind::Discovered))
    }

    /// The headings of all questions.
    pub fn titles(&self) -> impl Iterator<Item = &str> {
        self.questions().map(AskedOfKind::title)
    }

    /// The questions about declared cells.
    #[must_use]
    pub fn asked(&self) -> &[Asked] {
        &self.asked
    }

    /// The tables of many columns.
    #[must_use]
    pub fn margins(&self) -> &[AskedMargins] {
        &self.margins
    }

    /// The columns whose values are discovered.
    #[must_use]
    pub fn discoveries(&self) -> &[AskedDiscovery] {
        &self.discoveries
    }

    /// What the answers must be like.
    #[must_use]
    pub fn requirements(&self) -> &[Requirement] {
        &self.requirements
    }

    /// Something that a question of the plan does not allow, by its position.
    #[must_use]
    pub fn wrong(&self, question: usize, why: impl ToString) -> PlanError {
        let (path, line) = self.places.get(question).cloned().unwrap_or_default();
        PlanError::new(path, line, PlanProblem::Value(why.to_string()))
    }
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
fn whole_delta(root: &Item<'_>, said: &Said, needing: &[&Head<'_>]) -> Result<Option<Amount>, PlanError> {
    match (&said.delta, needing.first()) {
        (None, None) => Ok(None),
        (None, Some(_)) => {
            let why = "tables of many columns and discovered categories need one; write a number far below one part of as many as \
                       there are people, such as 1e-9";
            Err(root.wrong_in("delta", why))
        }
        (Some(_), None) => {
            let why = "this is for many columns and for categories that are discovered; questions about declared cells need no \
                       delta, so leave it out";
            Err(root.wrong_in("delta", why))
        }
        (Some(delta), Some(_)) => {
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
        heads: &[&Head<'_>],
        with_delta: &[&Head<'_>],
        (epsilon, delta): (&'a Epsilon, Option<&Amount>),
        root: &'a Item<'a>,
    ) -> Result<Self, PlanError> {
        let sum = |heads: &[&Head<'_>]| {
            sum(heads.iter().map(|head| head.share.clone())).map_err(|error| root.wrong_in("epsilon", error))
        };
        let (shares, shares_of_delta) = (sum(heads)?, sum(with_delta)?);
        Ok(Self { epsilon, delta: delta.cloned().unwrap_or_default(), shares, shares_of_delta, root })
    }

    /// The epsilon of a question.
    fn epsilon(&self, head: &Head<'_>) -> Result<Epsilon, PlanError> {
        let part = Epsilon::from_rational(
            self.epsilon.rational() * (head.share.rational() / self.shares.rational()),
        );
        part.map_err(|error| self.root.wrong_in("epsilon", error))
    }

    /// Its epsilon and its delta.
    fn both(&self, head: &Head<'_>) -> Result<(Epsilon, Amount), PlanError> {
        let part = head.share.rational() / self.shares_of_delta.rational();
        let delta = Amount::from_rational(self.delta.rational() * part);
        Ok((self.epsilon(head)?, delta.map_err(|error| self.root.wrong_in("delta", error))?))
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
    let said = Said::default().read(&root, (Place::Plan, None), (&["schema", "columns"], "the plan"))?;
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
    let place = (Place::Column, None);
    let said = Said::default().read(item, place, (&[], &format!("the column {name:?}")))?;
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
