//! The plan of a study, read from TOML.

use std::collections::{BTreeMap, HashMap};
use std::path::{Path, PathBuf};

use posterity::data::{
    Bins, Cells, Column, Domain, Encoding, Format, PerUnit, Question, Relation, Source, open_below,
};
use posterity::table::{IntervalKind, Space, SpaceColumn, Subject};
use posterity::text_file::{read_text, read_text_of};
use posterity::{
    Adjacency, Batch, BatchError, Contrast, Decoder, Epsilon, Prior, Publisher, Reading, ReadingError, Spec,
    Terms,
};
use posterity_core::model::{EpsilonError, MAX_TOTAL, interval_level};
use toml::de::DeTable;

use crate::files::{MANIFEST, REPORT, REQUIREMENTS, file_name, folded, question_files};
use crate::keys::{Item, Keys, Text};
use crate::names::nearest;
use crate::plan_error::{PlanError, PlanProblem};
use crate::requirement::Requirement;
use crate::schema::declared_columns;

/// A plan that passed every check that needs no data. All of it is public.
#[derive(Clone, Debug)]
pub struct Plan {
    title: String,
    about: Option<String>,
    source: Source,
    shown: String,
    epsilon: Epsilon,
    ledger: Option<PathBuf>,
    account: Option<String>,
    edition: Option<String>,
    asked: Vec<Asked>,
    requirements: Vec<Requirement>,
}

/// One question of a plan.
#[derive(Clone, Debug)]
pub struct Asked {
    name: String,
    title: String,
    about: Option<String>,
    question: Question,
    terms: Terms,
    space: Space,
    readings: Vec<Reading>,
    comparisons: Vec<Contrast>,
}

/// What a plan says of all questions, unless a question says otherwise.
struct Common<'a> {
    text: Text<'a>,
    columns: BTreeMap<String, Domain>,
    filter: Option<String>,
    within: Option<String>,
    unit: Option<String>,
    per_unit: PerUnit,
    adjacency: Adjacency,
    most: u64,
    usual: Usual,
}

/// What the plan and each question may say.
#[derive(Clone, Debug, Default)]
struct Usual {
    other: Option<Labels>,
    missing: Option<Labels>,
    prior: Option<PlanPrior>,
    prior_outside: Option<f64>,
    spec: Option<Spec>,
    decoder: Option<Decoder>,
    level: Option<f64>,
    interval: Option<IntervalKind>,
    interval_about: Option<Subject>,
    simultaneous: Option<bool>,
}

/// A category for every column, or for those that are named.
#[derive(Clone, Debug)]
enum Labels {
    Every(String),
    Named(BTreeMap<String, String>),
}

/// The parameter of every cell, or one for each.
#[derive(Clone, Debug)]
enum PlanPrior {
    Same(f64),
    Each(Vec<f64>),
}

/// A question before the budget is divided.
struct Read<'a> {
    item: Item<'a>,
    name: String,
    title: String,
    about: Option<String>,
    question: Question,
    usual: Usual,
    share: Epsilon,
    readings: Vec<(Item<'a>, Reading)>,
    comparisons: Vec<(Item<'a>, Contrast)>,
}

impl Plan {
    /// Reads a plan. Paths in it start from this folder, which is that of the plan.
    ///
    /// # Errors
    /// [`PlanError`] with the line and the remedy.
    pub fn parse(text: &str, folder: &Path) -> Result<Self, PlanError> {
        Self::read(text, folder, None)
    }

    /// Reads a plan whose source and schema must be below a folder once all links are resolved, whatever becomes of
    /// their names until they are opened ([`Source::below`]).
    ///
    /// # Errors
    /// [`PlanError`] with the line and the remedy.
    pub fn parse_below(text: &str, folder: &Path, below: &Path) -> Result<Self, PlanError> {
        Self::read(text, folder, Some(below))
    }

    fn read(text: &str, folder: &Path, below: Option<&Path>) -> Result<Self, PlanError> {
        let lines = Text(text);
        let table = DeTable::parse(text).map_err(|error| {
            lines.error(
                error.span().unwrap_or_default(),
                PlanProblem::Syntax { what: error.message().to_owned() },
            )
        })?;
        let mut keys = Keys::new(lines, "the plan", 0..0, table.get_ref());
        let named = keys.text("title")?;
        let about = keys.text("about")?;
        let source = keys.need("source", "source = \"people.csv\"")?;
        let shown = source.text()?;
        let mut files = Source::files(folder.join(&shown).to_string_lossy());
        if let Some(below) = below {
            files = files.below(below);
        }
        if let Some(item) = keys.take("format") {
            files = files.with_format(item.text()?.parse::<Format>().map_err(|error| item.wrong(error))?);
        }
        if let Some(item) = keys.take("delimiter") {
            let text = item.label()?;
            let mut letters = text.chars();
            files = match (letters.next(), letters.next()) {
                (Some(delimiter), None) => files.with_delimiter(delimiter),
                _ => return Err(item.wrong("write one character")),
            };
        }
        if let Some(item) = keys.take("encoding") {
            files = files.with_encoding(item.text()?.parse::<Encoding>().map_err(|error| item.wrong(error))?);
        }
        if let Some(table) = keys.text("table")? {
            files = files.with_relation(Relation::Table(table));
        }
        let budget = keys.need("epsilon", "epsilon = 1")?;
        let epsilon = positive(&budget)?;
        let ledger = keys.text("ledger")?.map(|path| folder.join(path));
        let account = keys.text("account")?;
        let columns = columns(&mut keys, folder, below)?;
        let unit = keys.text("unit")?;
        let per_unit = keys.take("per-unit").map(|item| {
            if unit.is_none() {
                return Err(item.wrong("this is for units; say with unit which column tells them apart"));
            }
            item.text()?.parse::<PerUnit>().map_err(|error| item.wrong(error))
        });
        let adjacency = keys
            .take("adjacency")
            .map(|item| item.text()?.parse::<Adjacency>().map_err(|error| item.wrong(error)));
        let adjacency = adjacency.transpose()?.unwrap_or_default();
        let most = keys.take("most").map(|item| {
            if adjacency == Adjacency::Replace {
                return Err(item.wrong("n is public here; this is for adjacency = \"add-remove\""));
            }
            match item.number()?.parse() {
                Ok(most) if (1..=MAX_TOTAL).contains(&most) => Ok(most),
                _ => Err(item.wrong(format!("write a whole number from 1 to {MAX_TOTAL}"))),
            }
        });
        let most = most.transpose()?.unwrap_or(Terms::MOST);
        let edition = keys.text("edition")?;
        let usual = Usual::take(&mut keys, Usual::default(), &columns)?;
        let common = Common {
            text: lines,
            columns,
            filter: keys.text("where")?,
            within: keys.text("within")?,
            unit: unit.clone(),
            per_unit: per_unit.transpose()?.unwrap_or_default(),
            adjacency,
            most,
            usual,
        };
        let questions = keys.need("question", "a table [[question]] with columns = [\"ward\"]")?;
        let read: Vec<Read<'_>> =
            questions.list().into_iter().map(|item| common.question(item)).collect::<Result<_, _>>()?;
        if read.is_empty() {
            return Err(questions.wrong("there is no question; add a table [[question]]"));
        }
        let required = keys.take("require").map(|item| item.list()).unwrap_or_default();
        keys.finish()?;
        for (index, question) in read.iter().enumerate() {
            if read[..index].iter().any(|other| other.name == question.name) {
                let name = question.name.clone();
                return Err(question.item.error(PlanProblem::Repeated { name }));
            }
        }
        let title = named.unwrap_or_else(|| format!("A study of {shown}"));
        let asked = divide(&read, &epsilon, &budget, &common)?;
        let epsilon = together(&asked).map_err(|error| budget.wrong(error))?;
        let requirements = required.iter().map(|item| requirement(item, &asked)).collect::<Result<_, _>>()?;
        let plan = Self {
            title,
            about,
            source: files,
            shown,
            epsilon,
            ledger,
            account,
            edition,
            asked,
            requirements,
        };
        plan.check(&read, lines)?;
        plan.check_files(&read)?;
        Ok(plan)
    }

    /// Checks that no two questions would write the same file.
    fn check_files(&self, read: &[Read<'_>]) -> Result<(), PlanError> {
        let mut writers: HashMap<String, Option<&str>> = HashMap::new();
        writers.extend([MANIFEST, REPORT, REQUIREMENTS].map(|file| (folded(file), None)));
        for (asked, read) in self.asked.iter().zip(read) {
            for file in question_files(&asked.name, &asked.readings, !asked.comparisons.is_empty()) {
                if let Some(other) = writers.insert(folded(&file), Some(&asked.name)) {
                    let other = other.map(ToOwned::to_owned);
                    let question = asked.name.clone();
                    return Err(read.item.error(PlanProblem::SameFile { file, question, other }));
                }
            }
        }
        Ok(())
    }

    /// Checks that the questions can be counted together on their terms, and that every reading can be made.
    fn check(&self, read: &[Read<'_>], text: Text<'_>) -> Result<(), PlanError> {
        self.batch().check().map_err(|error| {
            let at = match &error {
                BatchError::Question { question, .. } => read[*question].item.at.clone(),
                _ => 0..0,
            };
            text.error(at, PlanProblem::Batch(error))
        })?;
        for (asked, read) in self.asked.iter().zip(read) {
            for (item, reading) in &read.readings {
                asked.space.check(reading).map_err(|error| item.error(PlanProblem::Reading(error)))?;
            }
            for (item, contrast) in &read.comparisons {
                asked
                    .space
                    .check_contrast(contrast)
                    .map_err(|error| item.error(PlanProblem::Reading(error)))?;
            }
        }
        Ok(())
    }

    /// The questions as they are counted, charged and drawn.
    #[must_use]
    pub fn batch(&self) -> Batch<'static> {
        let batch = Batch::new(self.source.clone()).shown_as(&self.shown);
        let batch = batch.of_edition(self.edition.as_deref());
        self.asked.iter().fold(batch, |batch, asked| {
            let publisher = Publisher::with_terms(asked.terms.clone());
            let publisher = publisher.read(asked.readings.clone(), asked.comparisons.clone());
            batch.ask(asked.question.clone(), publisher)
        })
    }

    /// What the study is called.
    #[must_use]
    pub fn title(&self) -> &str {
        &self.title
    }

    /// What it is about, in the words of its author.
    #[must_use]
    pub fn about(&self) -> Option<&str> {
        self.about.as_deref()
    }

    /// The source, as the plan names it.
    #[must_use]
    pub fn source(&self) -> &str {
        &self.shown
    }

    /// What all answers together promise and cost: the budget that the plan divides, or more if a mechanism promises
    /// more than the epsilon that it is given.
    #[must_use]
    pub fn epsilon(&self) -> &Epsilon {
        &self.epsilon
    }

    /// The ledger that it is charged to.
    #[must_use]
    pub fn ledger(&self) -> Option<&Path> {
        self.ledger.as_deref()
    }

    /// The account that it is charged to.
    #[must_use]
    pub fn account(&self) -> Option<&str> {
        self.account.as_deref()
    }

    /// The questions.
    #[must_use]
    pub fn asked(&self) -> &[Asked] {
        &self.asked
    }

    /// What the answers must be like.
    #[must_use]
    pub fn requirements(&self) -> &[Requirement] {
        &self.requirements
    }
}

impl Asked {
    /// Its name, which is also that of its files.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Its heading.
    #[must_use]
    pub fn title(&self) -> &str {
        &self.title
    }

    /// What it is about, in the words of its author.
    #[must_use]
    pub fn about(&self) -> Option<&str> {
        self.about.as_deref()
    }

    /// Which records it counts, and into which cells.
    #[must_use]
    pub fn question(&self) -> &Question {
        &self.question
    }

    /// The terms of its release.
    #[must_use]
    pub fn terms(&self) -> &Terms {
        &self.terms
    }

    /// What its answer promises and costs.
    #[must_use]
    pub fn epsilon(&self) -> Epsilon {
        // A plan refuses mechanisms that promise nothing.
        self.terms.promised().unwrap_or_else(|| self.terms.epsilon.clone())
    }

    /// The number of its cells, with that of records outside.
    #[must_use]
    pub fn cells(&self) -> usize {
        self.space.all_cells()
    }

    /// Its cells.
    #[must_use]
    pub fn space(&self) -> &Space {
        &self.space
    }

    /// What is read from the release.
    #[must_use]
    pub fn readings(&self) -> &[Reading] {
        &self.readings
    }

    /// What is compared.
    #[must_use]
    pub fn comparisons(&self) -> &[Contrast] {
        &self.comparisons
    }
}

impl Usual {
    /// What a table says, and otherwise what the plan says.
    fn take(keys: &mut Keys<'_>, plan: Self, columns: &BTreeMap<String, Domain>) -> Result<Self, PlanError> {
        let labels = |item: Item<'_>| Labels::new(&item, columns);
        let float = |item: Item<'_>| item.float();
        let decoder = |item: Item<'_>| item.text()?.parse::<Decoder>().map_err(|error| item.wrong(error));
        let spec = |item: Item<'_>| item.text()?.parse::<Spec>().map_err(|error| item.wrong(error));
        let level = |item: Item<'_>| interval_level(item.float()?).map_err(|error| item.wrong(error));
        let interval =
            |item: Item<'_>| item.text()?.parse::<IntervalKind>().map_err(|error| item.wrong(error));
        let subject = |item: Item<'_>| item.text()?.parse::<Subject>().map_err(|error| item.wrong(error));
        let truth = |item: Item<'_>| item.truth();
        let prior = |item: Item<'_>| {
            if !item.is_list() {
                return item.float().map(PlanPrior::Same);
            }
            item.list().iter().map(Item::float).collect::<Result<_, _>>().map(PlanPrior::Each)
        };
        Ok(Self {
            other: keys.take("other").map(labels).transpose()?.or(plan.other),
            missing: keys.take("missing").map(labels).transpose()?.or(plan.missing),
            prior: keys.take("prior").map(prior).transpose()?.or(plan.prior),
            prior_outside: keys.take("prior-outside").map(float).transpose()?.or(plan.prior_outside),
            spec: keys.take("mechanism").map(spec).transpose()?.or(plan.spec),
            decoder: keys.take("decode").map(decoder).transpose()?.or(plan.decoder),
            level: keys.take("level").map(level).transpose()?.or(plan.level),
            interval: keys.take("interval").map(interval).transpose()?.or(plan.interval),
            interval_about: keys.take("interval-about").map(subject).transpose()?.or(plan.interval_about),
            simultaneous: keys.take("simultaneous").map(truth).transpose()?.or(plan.simultaneous),
        })
    }

    /// The prior for so many cells inside, and one outside if there is one.
    fn prior(&self, cells: &Cells) -> Result<Option<Prior>, String> {
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

    fn of(&self, column: &str) -> Option<String> {
        match self {
            Self::Every(label) => Some(label.clone()),
            Self::Named(labels) => labels.get(column).cloned(),
        }
    }
}

impl<'a> Common<'a> {
    /// Reads a question.
    fn question(&self, item: Item<'a>) -> Result<Read<'a>, PlanError> {
        let mut keys = item.keys("a question")?;
        let columns = keys.need("columns", "columns = [\"ward\", \"cured\"]")?;
        let mut columns: Vec<Column> =
            columns.list().iter().map(|item| self.column(item)).collect::<Result<_, _>>()?;
        let names: Vec<&str> = columns.iter().map(|column| column.name.as_str()).collect();
        let name = match keys.take("name") {
            None => file_name(&names.join("-")),
            Some(item) => {
                let name = item.text()?;
                if file_name(&name) != name {
                    return Err(item.wrong(format!(
                        "{name:?} is also the name of files; use letters, digits, hyphens and underscores, and \"title\" for words"
                    )));
                }
                name
            }
        };
        let title = keys.text("title")?.unwrap_or_else(|| names.join(" and "));
        let about = keys.text("about")?;
        let share = keys.take("share").map(|item| positive(&item)).transpose()?;
        let usual = Usual::take(&mut keys, self.usual.clone(), &self.columns)?;
        for column in &mut columns {
            column.other = usual.other.as_ref().and_then(|labels| labels.of(&column.name));
            column.missing = usual.missing.as_ref().and_then(|labels| labels.of(&column.name));
        }
        let readings = parsed(&mut keys, "read")?;
        let comparisons = parsed(&mut keys, "compare")?;
        keys.finish()?;
        let question = Question {
            filter: self.filter.clone(),
            within: self.within.clone(),
            unit: self.unit.clone(),
            per_unit: self.per_unit.clone(),
            adjacency: self.adjacency,
            ..Question::new(columns)
        };
        let share = match share {
            Some(share) => share,
            None => "1".parse().map_err(|error| item.wrong(error))?,
        };
        Ok(Read { item, name, title, about, question, usual, share, readings, comparisons })
    }

    fn column(&self, item: &Item<'_>) -> Result<Column, PlanError> {
        let name = item.text()?;
        match self.columns.get(&name) {
            Some(domain) => Ok(Column::of(name, domain.clone())),
            None => Err(undeclared(item, &name, &self.columns)),
        }
    }
}

fn undeclared(item: &Item<'_>, column: &str, columns: &BTreeMap<String, Domain>) -> PlanError {
    let near = nearest(column, columns.keys().map(String::as_str)).map(ToOwned::to_owned);
    item.error(PlanProblem::Undeclared { column: column.to_owned(), near })
}

/// What all answers together promise.
fn together(asked: &[Asked]) -> Result<Epsilon, EpsilonError> {
    let mut total = asked[0].epsilon().rational().clone();
    for one in &asked[1..] {
        total += one.epsilon().rational();
    }
    Epsilon::from_rational(total)
}

/// Divides the budget by the shares, exactly.
fn divide(
    read: &[Read<'_>],
    epsilon: &Epsilon,
    budget: &Item<'_>,
    common: &Common<'_>,
) -> Result<Vec<Asked>, PlanError> {
    let mut total = read[0].share.rational().clone();
    for question in &read[1..] {
        total += question.share.rational();
    }
    let part = |question: &Read<'_>| {
        let share = question.share.rational() / &total;
        let part = Epsilon::from_rational(epsilon.rational() * share).map_err(|error| budget.wrong(error))?;
        let batch = |error| common.text.error(question.item.at.clone(), PlanProblem::Batch(error));
        let cells = Cells::new(&question.question).map_err(|error| batch(BatchError::Data(error.into())))?;
        let usual = &question.usual;
        let prior = usual.prior(&cells).map_err(|error| question.item.wrong_in("prior", error))?;
        let terms = Terms { prior: prior.map(Into::into), decoder: usual.decoder, ..Terms::new(part) };
        let adjacency = common.adjacency;
        let several = question.question.per_unit.most().get() > 1;
        let subject = if several { Subject::Records } else { Subject::default() };
        let terms = Terms {
            adjacency,
            most: common.most,
            spec: usual.spec.clone().unwrap_or_else(|| Terms::usual_mechanism(adjacency)),
            level: usual.level.unwrap_or(Terms::LEVEL),
            interval: usual.interval.unwrap_or_default(),
            about: usual.interval_about.unwrap_or(subject),
            simultaneous: usual.simultaneous.unwrap_or_default(),
            ..terms
        };
        let drawn = question.question.unit.is_some() && question.question.per_unit == PerUnit::Random;
        let checked = match terms.ways().check() {
            Ok(()) if terms.about == Subject::Records && drawn => Err(ReadingError::RandomRecords),
            checked => checked,
        };
        checked.map_err(|error| question.item.wrong_in("interval-about", error))?;
        let space = space(&question.question);
        let readings = match question.readings.as_slice() {
            [] => Reading::usual(&space, adjacency),
            readings => readings.iter().map(|(_, reading)| reading.clone()).collect(),
        };
        Ok(Asked {
            name: question.name.clone(),
            title: question.title.clone(),
            about: question.about.clone(),
            question: question.question.clone(),
            terms,
            space,
            readings,
            comparisons: question.comparisons.iter().map(|(_, contrast)| contrast.clone()).collect(),
        })
    };
    read.iter().map(part).collect()
}

/// What a reading of some question must be like.
fn requirement(item: &Item<'_>, asked: &[Asked]) -> Result<Requirement, PlanError> {
    let mut keys = item.keys("a requirement")?;
    let read = keys.need("read", "read = \"cured=yes | ward\"")?;
    let reading: Reading = read.text()?.parse().map_err(|error| read.error(PlanProblem::Reading(error)))?;
    let points = keys.take("points").map(|item| match item.float()? {
        _ if reading.is_count() || reading.mean_of().is_some() => {
            Err(item.wrong("points are of shares; this reading has none"))
        }
        points if points > 0.0 && points.is_finite() => Ok(points),
        _ => Err(item.wrong("write a number above zero, such as 5")),
    });
    let group = keys.take("group").map(|item| {
        item.number()?.parse().map_err(|_| item.wrong("write a whole number of records, such as 20"))
    });
    let (points, group) = (points.transpose()?, group.transpose()?);
    keys.finish()?;
    if points.is_none() && group.is_none() {
        return Err(
            item.wrong("say points = 5, the most that an interval may reach, or group = 20, the least size")
        );
    }
    if !asked.iter().any(|asked| asked.readings().contains(&reading)) {
        return Err(read.wrong(format!("no question reads {reading}; add it to the read of one")));
    }
    Ok(Requirement { reading, points, group })
}

/// The cells of a question, as its release will have them.
fn space(question: &Question) -> Space {
    let column = |column: &Column| SpaceColumn { name: column.name.clone(), values: column.names() };
    let space = Space::new(question.columns.iter().map(column).collect());
    if question.within.is_some() { space.with_outside() } else { space }
}

/// The columns that are declared in the plan and in the schema that it names; the plan comes first.
fn columns(
    keys: &mut Keys<'_>,
    folder: &Path,
    below: Option<&Path>,
) -> Result<BTreeMap<String, Domain>, PlanError> {
    let mut columns = BTreeMap::new();
    if let Some(item) = keys.take("schema") {
        let file = item.text()?;
        let wrong = |why: String| item.error(PlanProblem::Schema { file: file.clone(), why });
        let text = schema_text(&folder.join(&file), below)
            .map_err(|error| wrong(format!("cannot be used: {error}")))?;
        columns = declared_columns(&text).map_err(wrong)?;
    }
    if let Some(item) = keys.take("columns") {
        for item in item.keys("[columns]")?.all() {
            columns.insert(item.key.clone(), domain(&item)?);
        }
    }
    Ok(columns)
}

/// The text of a schema, which may have to be below a folder.
fn schema_text(path: &Path, below: Option<&Path>) -> Result<String, String> {
    let Some(below) = below else { return read_text(path).map_err(|error| error.to_string()) };
    match open_below(below, path).map_err(|error| error.to_string())? {
        Some(file) => read_text_of(file, &path.to_string_lossy()).map_err(|error| error.to_string()),
        None => Err("it is not in the folder that may be read; put the file itself there".to_owned()),
    }
}

/// A list of categories, or a table with categories or bins.
fn domain(item: &Item<'_>) -> Result<Domain, PlanError> {
    let categories = |item: &Item<'_>| {
        let labels = item.list().iter().map(Item::label).collect::<Result<Vec<_>, _>>()?;
        Ok::<_, PlanError>(Domain::Values(labels))
    };
    if !item.is_table() {
        return categories(item);
    }
    let mut keys = item.keys(format!("the column {:?}", item.key))?;
    let declared = match (keys.take("categories"), keys.take("bins")) {
        (Some(list), None) => categories(&list)?,
        (None, Some(edges)) => {
            let numbers = edges.list().iter().map(Item::number).collect::<Result<Vec<_>, _>>()?;
            Domain::Bins(Bins::new(numbers).map_err(|error| edges.wrong(error))?)
        }
        _ => return Err(item.wrong("declare either categories = [..] or bins = [..]")),
    };
    keys.finish()?;
    Ok(declared)
}

/// The texts of a key, each read as something.
fn parsed<'a, T: std::str::FromStr<Err = posterity::ReadingError>>(
    keys: &mut Keys<'a>,
    key: &'static str,
) -> Result<Vec<(Item<'a>, T)>, PlanError> {
    let items = keys.take(key).map(|item| item.list()).unwrap_or_default();
    let one = |item: Item<'a>| {
        let read = item.text()?.parse().map_err(|error| item.error(PlanProblem::Reading(error)))?;
        Ok((item, read))
    };
    items.into_iter().map(one).collect()
}

/// A positive number: a decimal as it is written, or a fraction.
fn positive(item: &Item<'_>) -> Result<Epsilon, PlanError> {
    let text = item.number()?;
    let wrong = || item.wrong(format!("{text:?} is no number above zero; write it like 0.5 or \"1/3\""));
    match text.split_once('/') {
        None => text.parse().map_err(|_| wrong()),
        Some((above, below)) => {
            let (above, below): (Epsilon, Epsilon) =
                (above.parse().map_err(|_| wrong())?, below.parse().map_err(|_| wrong())?);
            Epsilon::from_rational(above.rational() / below.rational()).map_err(|_| wrong())
        }
    }
}
