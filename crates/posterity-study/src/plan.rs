//! The plan of a study, read from TOML.

use std::collections::{BTreeMap, HashMap};
use std::path::{Path, PathBuf};

use posterity::data::{
    Bins, Cells, Column, Domain, Encoding, Format, PerUnit, Question, Relation, Source, open_below,
};
use posterity::ledger::Amount;
use posterity::meaning::{check_delta, warnings};
use posterity::table::{Space, SpaceColumn, Subject};
use posterity::text_file::{read_text, read_text_of};
use posterity::{
    Adjacency, Batch, BatchError, Contrast, Epsilon, MarginsError, Publisher, Reading, ReadingError, Terms,
};
use posterity_core::model::{EpsilonError, MAX_TOTAL};
use toml::de::DeTable;

use crate::asked_margins::{AskedMargins, ReadMargins};
use crate::files::{MANIFEST, REPORT, REQUIREMENTS, file_name, folded, margins_files, question_files};
use crate::keys::{Item, Keys, Text};
use crate::plan_error::{PlanError, PlanProblem};
use crate::requirement::Requirement;
use crate::schema::declared_columns;
use crate::usual::{Usual, undeclared};

/// A plan that passed every check that needs no data. All of it is public.
#[derive(Clone, Debug)]
pub struct Plan {
    title: String,
    about: Option<String>,
    source: Source,
    shown: String,
    epsilon: Epsilon,
    delta: Option<Amount>,
    ledger: Option<PathBuf>,
    account: Option<String>,
    edition: Option<String>,
    records: Question,
    asked: Vec<Asked>,
    margins: Vec<AskedMargins>,
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
        let epsilon = budget.positive()?;
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
        let delta = keys.take("delta");
        let is_large_allowed = keys.take("allow-large-delta").map(|item| item.truth()).transpose()?;
        let wide = keys.take("margins").map(|item| item.list()).unwrap_or_default();
        let wide: Vec<ReadMargins<'_>> = wide
            .into_iter()
            .map(|item| ReadMargins::new(item, &common.columns, &common.usual))
            .collect::<Result<_, _>>()?;
        let questions = if wide.is_empty() {
            Some(keys.need("question", "a table [[question]] with columns = [\"ward\"]")?)
        } else {
            keys.take("question")
        };
        let items = questions.as_ref().map(Item::list).unwrap_or_default();
        let read: Vec<Read<'_>> =
            items.into_iter().map(|item| common.question(item)).collect::<Result<_, _>>()?;
        if let (Some(questions), [], []) = (&questions, read.as_slice(), wide.as_slice()) {
            return Err(questions.wrong("there is no question; add a table [[question]]"));
        }
        let required = keys.take("require").map(|item| item.list()).unwrap_or_default();
        keys.finish()?;
        let names: Vec<(&Item<'_>, &str)> = (read.iter().map(|one| (&one.item, one.name.as_str())))
            .chain(wide.iter().map(|one| (&one.item, one.name.as_str())))
            .collect();
        for (index, (item, name)) in names.iter().enumerate() {
            if names[..index].iter().any(|(_, other)| other == name) {
                return Err(item.error(PlanProblem::Repeated { name: (*name).to_owned() }));
            }
        }
        let title = named.unwrap_or_else(|| format!("A study of {shown}"));
        let budget = Budget {
            item: &budget,
            epsilon,
            delta: whole_delta(delta.as_ref(), is_large_allowed.unwrap_or_default(), &wide)?,
        };
        let (asked, margins) = divide(&read, &wide, &budget, &common)?;
        let epsilon = together(&asked, &margins).map_err(|error| budget.item.wrong(error))?;
        let readings: Vec<&Reading> = (asked.iter().flat_map(Asked::readings))
            .chain(margins.iter().flat_map(AskedMargins::readings))
            .collect();
        let requirements =
            required.iter().map(|item| requirement(item, &readings)).collect::<Result<_, _>>()?;
        let plan = Self {
            title,
            about,
            source: files,
            shown,
            epsilon,
            delta: budget.delta,
            ledger,
            account,
            edition,
            records: common.records(),
            asked,
            margins,
            requirements,
        };
        plan.check(&read, lines)?;
        plan.check_files(names.iter().map(|(item, _)| *item))?;
        Ok(plan)
    }

    /// Checks that no two questions would write the same file.
    fn check_files<'i>(&self, items: impl Iterator<Item = &'i Item<'i>>) -> Result<(), PlanError> {
        let mut writers: HashMap<String, Option<&str>> = HashMap::new();
        writers.extend([MANIFEST, REPORT, REQUIREMENTS].map(|file| (folded(file), None)));
        let questions = self.asked.iter().map(|asked| {
            let files = question_files(&asked.name, &asked.readings, !asked.comparisons.is_empty());
            (asked.name.as_str(), files)
        });
        let margins = self.margins.iter().map(|asked| {
            let files = margins_files(asked.name(), asked.readings(), !asked.comparisons().is_empty());
            (asked.name(), files)
        });
        for ((name, files), item) in questions.chain(margins).zip(items) {
            for file in files {
                if let Some(other) = writers.insert(folded(&file), Some(name)) {
                    let (other, question) = (other.map(ToOwned::to_owned), name.to_owned());
                    return Err(item.error(PlanProblem::SameFile { file, question, other }));
                }
            }
        }
        Ok(())
    }

    /// Checks that the questions can be counted together on their terms, and that every reading can be made.
    fn check(&self, read: &[Read<'_>], text: Text<'_>) -> Result<(), PlanError> {
        self.batch().check().map_err(|error| {
            let at = match &error {
                BatchError::Question { question, .. } => {
                    read.get(*question).map_or(0..0, |read| read.item.at.clone())
                }
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
        let batch = self.asked.iter().fold(batch, |batch, asked| {
            let publisher = Publisher::with_terms(asked.terms.clone());
            let publisher = publisher.read(asked.readings.clone(), asked.comparisons.clone());
            batch.ask(asked.question.clone(), publisher)
        });
        self.margins.iter().fold(batch, |batch, asked| batch.ask_margins(asked.planned().clone()))
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

    /// The delta that goes with it; nothing if no tables of many columns are asked for.
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

    /// Which records all questions count, and whom they protect: a question without columns.
    #[must_use]
    pub fn records(&self) -> &Question {
        &self.records
    }

    /// The headings of the questions, and then of the tables of many columns.
    pub fn titles(&self) -> impl Iterator<Item = &str> {
        self.asked.iter().map(Asked::title).chain(self.margins.iter().map(AskedMargins::title))
    }

    /// The questions.
    #[must_use]
    pub fn asked(&self) -> &[Asked] {
        &self.asked
    }

    /// The tables of many columns.
    #[must_use]
    pub fn margins(&self) -> &[AskedMargins] {
        &self.margins
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

impl<'a> Common<'a> {
    /// Reads a question.
    fn question(&self, item: Item<'a>) -> Result<Read<'a>, PlanError> {
        let mut keys = item.keys("a question")?;
        let columns = keys.need("columns", "columns = [\"ward\", \"cured\"]")?;
        let mut columns: Vec<Column> =
            columns.list().iter().map(|item| self.column(item)).collect::<Result<_, _>>()?;
        let names: Vec<&str> = columns.iter().map(|column| column.name.as_str()).collect();
        let name = keys.file_name(|| file_name(&names.join("-")))?;
        let title = keys.text("title")?.unwrap_or_else(|| names.join(" and "));
        let about = keys.text("about")?;
        let share = keys.share()?;
        let usual = Usual::take(&mut keys, self.usual.clone(), &self.columns)?;
        usual.label(&mut columns);
        let readings = keys.parsed("read")?;
        let comparisons = keys.parsed("compare")?;
        keys.finish()?;
        let question = Question { columns, ..self.records() };
        Ok(Read { item, name, title, about, question, usual, share, readings, comparisons })
    }

    /// Which records all questions count.
    fn records(&self) -> Question {
        Question {
            filter: self.filter.clone(),
            within: self.within.clone(),
            unit: self.unit.clone(),
            per_unit: self.per_unit.clone(),
            adjacency: self.adjacency,
            ..Question::new(Vec::new())
        }
    }

    fn column(&self, item: &Item<'_>) -> Result<Column, PlanError> {
        let name = item.text()?;
        match self.columns.get(&name) {
            Some(domain) => Ok(Column::of(name, domain.clone())),
            None => Err(undeclared(item, &name, &self.columns)),
        }
    }
}

/// The sum of some shares, of which there is at least one.
fn sum<'s>(mut shares: impl Iterator<Item = &'s Epsilon>) -> Result<Epsilon, EpsilonError> {
    let first = shares.next().map_or_else(|| Epsilon::from_f64(1.0), |first| Ok(first.clone()))?;
    shares.try_fold(first, |sum, share| Epsilon::from_rational(sum.rational() + share.rational()))
}

/// What all answers together promise, beside the delta: the epsilons add up.
fn together(asked: &[Asked], margins: &[AskedMargins]) -> Result<Epsilon, EpsilonError> {
    let asked: Vec<Epsilon> = asked.iter().map(Asked::epsilon).collect();
    let margins = margins.iter().map(|one| &one.terms().epsilon);
    sum(asked.iter().chain(margins))
}

/// The delta of the plan, which tables of many columns need and nothing else has.
fn whole_delta(
    item: Option<&Item<'_>>,
    is_large_allowed: bool,
    wide: &[ReadMargins<'_>],
) -> Result<Option<Amount>, PlanError> {
    match (item, wide.first()) {
        (None, None) => Ok(None),
        (None, Some(first)) => Err(first.item.wrong(
            "the plan needs a delta for them; add delta = 1e-9, or another number far below one \
             part of as many as there are people",
        )),
        (Some(item), None) => {
            Err(item.wrong("this is for tables [[margins]]; questions need no delta, so leave it out"))
        }
        (Some(item), Some(_)) => {
            let delta = item.number()?.parse::<Amount>().map_err(|_| item.wrong(MarginsError::Delta))?;
            check_delta(&delta, is_large_allowed)
                .map_err(|error| item.wrong(format!("{error} (allow-large-delta = true)")))?;
            Ok(Some(delta))
        }
    }
}

/// The budget of a plan.
struct Budget<'a> {
    item: &'a Item<'a>,
    epsilon: Epsilon,
    delta: Option<Amount>,
}

/// Divides the budget by the shares, exactly: epsilon among all, and delta among the tables of many columns.
fn divide(
    read: &[Read<'_>],
    wide: &[ReadMargins<'_>],
    budget: &Budget<'_>,
    common: &Common<'_>,
) -> Result<(Vec<Asked>, Vec<AskedMargins>), PlanError> {
    let shares = read.iter().map(|one| &one.share).chain(wide.iter().map(|one| &one.share));
    let total = sum(shares).map_err(|error| budget.item.wrong(error))?;
    let of_epsilon = |share: &Epsilon| {
        let part = Epsilon::from_rational(budget.epsilon.rational() * (share.rational() / total.rational()));
        part.map_err(|error| budget.item.wrong(error))
    };
    let deltas = sum(wide.iter().map(|one| &one.share)).map_err(|error| budget.item.wrong(error))?;
    let margins = wide.iter().map(|one| {
        let whole = budget.delta.clone().unwrap_or_default();
        let delta = Amount::from_rational(whole.rational() * (one.share.rational() / deltas.rational()));
        let delta = delta.map_err(|error| one.item.wrong(error))?;
        one.plan(common.records(), of_epsilon(&one.share)?, delta)
    });
    let part = |question: &Read<'_>| {
        let part = of_epsilon(&question.share)?;
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
    Ok((read.iter().map(part).collect::<Result<_, _>>()?, margins.collect::<Result<_, _>>()?))
}

/// What a reading of some question must be like.
fn requirement(item: &Item<'_>, readings: &[&Reading]) -> Result<Requirement, PlanError> {
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
    if !readings.contains(&&reading) {
        return Err(read.wrong(format!("no question reads {reading}; add it to the read of one")));
    }
    Ok(Requirement { reading, points, group })
}

/// The cells of a question, as its release will have them.
fn space(question: &Question) -> Space {
    let space = Space::new(question.columns.iter().map(SpaceColumn::from).collect());
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
