//! `posterity study`

use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use clap::Args;
use posterity::Payment;
use posterity::batch::BatchError;
use posterity::ledger::{Amount, Ledger};
use posterity::number::bound;
use posterity::plan::{PlanError, PlannedMargins, PlannedQuestion};
use posterity::text_file::read_text;
use posterity_advice::design::{ExpectedReading, half_width, times};
use posterity_present::{Mark, payment};
use posterity_study::{
    Answers, Folder, PlanFile, PlanForecast, Study, StudyError, Verdict, Watch, check_requirements,
    verdicts_sheet,
};
use serde::Serialize;

use super::advise::wrong_design;
use super::paying::read_key;
use crate::failure::Failure;
use crate::notice::{note, warn};
use crate::output::{self, Column, Page, Paragraph, Printing, Report, Sheet, Value};
use crate::progress::Progress;

const EXAMPLES: &str = "\
Examples:
  # Check a plan and see what it would spend, without any data
  posterity study survey.toml --plan-only

  # The study, into the folder survey
  posterity study survey.toml

  # An experiment, which is not private
  posterity study survey.toml --seed 7 --out trial

A plan:
  title = \"Cured by ward\"
  source = \"visits.csv\"
  epsilon = 1
  ledger = \"study.ledger\"          # leave out both, and nobody keeps account
  account = \"hospital-2026\"
  unit = \"patient\"
  [columns]
  ward = [\"A\", \"B\", \"C\"]
  cured = [\"yes\", \"no\"]
  age = { bins = [0, 18, 65, 120] }
  [[question]]
  columns = [\"ward\", \"cured\"]
  share = 2
  read = [\"cured | ward\"]
  compare = [\"cured=yes | ward: A - B\"]
  [[question]]
  columns = [\"age\"]
  [[margins]]                        # every pair of the columns above; needs delta = 1e-9 in the plan
  sets = 2
  read = [\"cured=yes | age\"]
  [[require]]                        # agreed beforehand, checked afterwards
  read = \"cured | ward\"
  points = 5                         # no interval reaches further than 5 percentage points
  group = 20                         # no ward has fewer than 20 patients";

/// Ask many questions of one source under one budget, and write one report.
///
/// A plan declares the columns with their possible values once, and asks questions as sets of columns with shares of
/// epsilon. All of it is checked before anything is charged; every question is counted in one pass; one charge pays for
/// all; and a folder is written with a document for each question, tables, pictures and report.html for people. A study
/// that died is finished for nothing by running the same plan again. docs/studies.md describes plans.
///
/// [[margins]] are tables of many columns: every pair (sets = 2) or triple, or sets such as "ward, cured; age, cured".
/// They have a share of epsilon like a question, and all of delta; their price is in rho, in the same charge, so the
/// account needs a delta. With them a record counts in all tables or in none, and one record of a unit in all of them.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct StudyArgs {
    /// The plan, a TOML file; paths in it start from its folder
    #[arg(value_name = "PLAN")]
    plan: PathBuf,

    /// The folder to write to: a new one, or one with results of a study [default: the name of the plan without .toml,
    /// here]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,

    /// Check the plan and say what it would spend; reads no data and writes nothing. With --n, also say how wide the
    /// intervals will be, and whether one joint release of all columns would be better
    #[arg(long, conflicts_with_all = ["out", "again", "seed"])]
    plan_only: bool,

    /// The number of records (of units, with a unit) to expect, for --plan-only
    #[arg(long, value_name = "N", requires = "plan_only")]
    n: Option<u64>,

    /// Draw and pay anew even if the ledger holds the answers to this plan
    #[arg(long)]
    again: bool,

    /// Sign the answers and the list of all results with this secret key (posterity budget keygen); for plans with a
    /// ledger
    #[arg(long, value_name = "FILE", conflicts_with_all = ["plan_only", "seed"])]
    sign: Option<PathBuf>,

    /// Draw from this seed instead of the system's randomness: repeatable, and therefore not private
    #[arg(long, value_name = "N")]
    seed: Option<u64>,

    #[command(flatten)]
    printing: Printing,
}

/// Carries out a plan, or says what it would spend.
pub(crate) fn study(args: &StudyArgs) -> Result<(), Failure> {
    let shown = args.plan.display().to_string();
    let text = read_text(&args.plan).map_err(|error| Failure::usage("PLAN", error))?;
    let folder = args.plan.parent().unwrap_or(Path::new(""));
    let plan = PlanFile::parse(&text, folder).map_err(|error| wrong(&shown, &error))?;
    let study = Study::new(plan).map_err(|error| match error {
        StudyError::Plan(error) => wrong(&shown, &error),
        error => Failure::usage(&shown, error),
    })?;
    if args.plan_only {
        study.plan().warnings(args.n).iter().for_each(warn);
        let mut summary = Summary::new(&study, None);
        summary.forecast = args.n.map(|n| forecast(&study, n)).transpose()?;
        return Ok(output::print(&args.printing, &summary)?);
    }
    let key = args.sign.as_deref().map(read_key).transpose()?;
    let study = key.iter().fold(study, |study, key| study.sign(key.clone()));
    let mut account = account(&study, args)?;
    // Nothing is charged if the results could not be written.
    let out = Folder::take(&out(args)?).map_err(Failure::refused)?;
    output::check()?;
    let bar = Bar::new();
    let answers = match (&mut account, args.seed) {
        (_, Some(seed)) => study.experiment(seed, &bar),
        (Some((ledger, account)), None) => study.charge(ledger, account, args.again, &bar),
        (None, None) => study.publish(&bar),
    };
    let answers = answers.map_err(|error| failure(&study, error));
    let answers = answers.inspect_err(|_| bar.bar.clear())?;
    report_payment(&answers, args);
    bar.start("writing", study.plan().questions().count());
    let path = out.write(study.plan(), &answers, key.as_ref(), &bar).map_err(|error| failure(&study, error));
    drop(bar);
    let path = path?;
    note(format!("wrote {}", path.join("report.html").display()));
    Ok(output::print(&args.printing, &Summary::new(&study, Some((&answers, &path))))?)
}

/// What to expect of the answers, for a number of records.
fn forecast(study: &Study, n: u64) -> Result<PlanForecast, Failure> {
    let progress = Progress::spinner("forecasting releases");
    study.file().forecast(n, &|done| progress.add(done)).map_err(wrong_design)
}

/// Says how far the study is.
pub(super) struct Bar {
    bar: Progress,
}

impl Bar {
    pub(super) fn new() -> Self {
        Self { bar: Progress::later() }
    }

    fn start(&self, what: &str, length: usize) {
        self.bar.restart(what.to_owned(), length as u64);
    }
}

impl Watch for Bar {
    fn rows(&self, rows: u64) -> ControlFlow<()> {
        self.bar.rows(rows);
        ControlFlow::Continue(())
    }

    fn results(&self, done: usize, of: usize) {
        if done == 0 {
            self.start("reading the answers", of);
        }
        self.bar.set(done as u64);
    }

    fn warning(&self, question: Option<&str>, text: &str) {
        self.bar.clear();
        match question {
            Some(question) => warn(format!("question {question:?}: {text}")),
            None => warn(text),
        }
    }
}

/// The ledger and the account of the plan, if both can be used.
fn account(study: &Study, args: &StudyArgs) -> Result<Option<(Ledger, String)>, Failure> {
    let (Some(path), Some(account)) = (study.file().ledger(), study.file().account()) else {
        if args.sign.is_some() {
            return Err(Failure::usage(
                "--sign",
                "what nobody charged is not signed; name a ledger and an account in the plan",
            ));
        }
        if args.again {
            return Err(Failure::usage(
                "--again",
                "this is for plans with a ledger; without one every run draws anew",
            ));
        }
        return Ok(None);
    };
    if args.seed.is_some() {
        note("an experiment is not charged: the ledger of the plan is left alone");
        return Ok(None);
    }
    let ledger = Ledger::open(path).map_err(Failure::ledger)?;
    ledger.account(account).map_err(Failure::account)?;
    Ok(Some((ledger, account.to_owned())))
}

/// The folder that was named, or one of the name of the plan.
fn out(args: &StudyArgs) -> Result<PathBuf, Failure> {
    match (&args.out, args.plan.file_stem()) {
        (Some(out), _) => Ok(out.clone()),
        (None, Some(stem)) if args.plan.extension().is_some() => Ok(PathBuf::from(stem)),
        _ => Err(Failure::usage("--out", "the plan has no extension, so name a folder for the results")),
    }
}

/// Says what the study cost.
fn report_payment(answers: &Answers, args: &StudyArgs) {
    if args.seed.is_some() {
        answers.mark().line().iter().for_each(warn);
        return;
    }
    note(payment(answers.payment(), true));
    if matches!(answers.payment(), Payment::Recalled { .. }) {
        note("--again draws and pays anew");
    }
}

fn wrong(plan: &str, error: &PlanError) -> Failure {
    Failure::usage(plan, format!("{error}; nothing was charged or released"))
}

fn failure(study: &Study, error: StudyError) -> Failure {
    match error {
        StudyError::Batch(BatchError::Ledger(error)) => Failure::ledger(error),
        other => Failure::refused(study.told(&other)),
    }
}

/// What a study is, or was, for other programs.
#[derive(Debug, Serialize)]
struct Summary {
    title: String,
    source: String,
    epsilon: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    delta: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    rho: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    n: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    private: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    folder: Option<PathBuf>,
    questions: Vec<SummaryQuestion>,
    #[serde(skip_serializing_if = "Option::is_none")]
    forecast: Option<PlanForecast>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    requirements: Vec<Verdict>,
}

/// A question of any kind.
#[derive(Debug, Serialize)]
struct SummaryQuestion {
    name: String,
    title: String,
    kind: &'static str,
    columns: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    cells: Option<u64>,
    mechanism: String,
    epsilon: f64,
    readings: Vec<String>,
    comparisons: Vec<String>,
    /// What only some kinds have.
    #[serde(flatten)]
    own: SummaryOwn,
}

/// What only some kinds of questions have.
#[derive(Debug, Default, Serialize)]
struct SummaryOwn {
    #[serde(skip_serializing_if = "Option::is_none")]
    sets: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    tables: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    delta: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    rho: Option<f64>,
}

impl SummaryQuestion {
    fn new(asked: &PlannedQuestion) -> Self {
        Self {
            name: asked.name().to_owned(),
            title: asked.title().to_owned(),
            kind: asked.kind(),
            columns: asked.columns().into_iter().map(ToOwned::to_owned).collect(),
            cells: asked.cells(),
            mechanism: asked.mechanism(),
            epsilon: asked.epsilon().to_f64_shown(),
            readings: asked.readings().iter().map(ToString::to_string).collect(),
            comparisons: asked.comparisons().iter().map(ToString::to_string).collect(),
            own: SummaryOwn::new(asked),
        }
    }

    /// Its columns in words: of tables of many columns only how many there are.
    fn columns_in_words(&self) -> String {
        match self.own.tables {
            Some(tables) => {
                let plural = |number: usize| if number == 1 { "" } else { "s" };
                let columns = self.columns.len();
                format!("{tables} table{} of {columns} column{}", plural(tables), plural(columns))
            }
            None => self.columns.join(", "),
        }
    }
}

impl SummaryOwn {
    fn new(asked: &PlannedQuestion) -> Self {
        Self {
            sets: asked.as_a::<PlannedMargins>().map(|asked| asked.terms().which.to_string()),
            tables: asked.tables(),
            delta: asked.delta().map(Amount::to_f64_shown),
            rho: asked.rho().map(|rho| rho.to_f64_shown()),
        }
    }
}

impl Summary {
    fn new(study: &Study, done: Option<(&Answers, &Path)>) -> Self {
        let plan = study.plan();
        let answers = done.map(|(answers, _)| answers);
        Self {
            title: plan.title().to_owned(),
            source: plan.source().to_owned(),
            epsilon: plan.epsilon().to_f64_shown(),
            delta: plan.delta().map(Amount::to_f64_shown),
            rho: plan.rho().map(|rho| rho.to_f64_shown()),
            n: answers.and_then(Answers::n),
            private: answers.map(Answers::private),
            folder: done.map(|(_, path)| path.to_owned()),
            questions: plan.questions().map(SummaryQuestion::new).collect(),
            forecast: None,
            requirements: answers
                .map(|answers| check_requirements(plan.requirements(), answers))
                .unwrap_or_default(),
        }
    }
}

impl Summary {
    /// The budget in words.
    fn budget(&self) -> String {
        let epsilon = format!("epsilon {}", bound(self.epsilon));
        match (self.delta, self.rho) {
            (Some(delta), Some(rho)) => {
                format!("{epsilon} and delta {} (with rho {})", bound(delta), bound(rho))
            }
            (Some(delta), None) => format!("{epsilon} and delta {}", bound(delta)),
            _ => epsilon,
        }
    }
}

impl Report for Summary {
    type Document = Self;

    fn document(&self) -> &Self {
        self
    }

    fn records(&self) -> Sheet<'_> {
        let columns = ["question", "columns", "cells", "mechanism", "epsilon"].map(Column::text);
        let rows = self.questions.iter().map(|question| {
            vec![
                Value::text(&question.name),
                Value::text(question.columns.join(" ")),
                cells(question),
                Value::text(&question.mechanism),
                Value::Real(question.epsilon),
            ]
        });
        let sheet = Sheet::new(columns.into(), rows);
        match self.private {
            Some(private) => Mark::new(private, None).on(sheet),
            None => sheet,
        }
    }

    fn page(&self) -> Page<'_> {
        let columns = vec![
            Column::text("question"),
            Column::text("columns"),
            Column::number("cells"),
            Column::number("epsilon"),
            Column::number("tables"),
        ];
        let rows = self.questions.iter().map(|question| {
            vec![
                Value::text(&question.name),
                Value::text(question.columns_in_words()),
                cells(question),
                Value::text(bound(question.epsilon)),
                Value::Whole((question.readings.len() + question.comparisons.len()) as u64),
            ]
        });
        let mut page = Page::default();
        page.sheet(Sheet::new(columns, rows));
        let (budget, source) = (self.budget(), &self.source);
        match (self.private, &self.folder) {
            (Some(private), Some(folder)) => {
                let begin = Paragraph::from(format!("{}: ", self.title));
                let begin = if private { begin.plain("private") } else { begin.alarm("NOT PRIVATE") };
                page.say(begin.plain(format!(
                    ", {budget} for all together, n {}. Read {}",
                    self.n.map_or_else(|| "private".to_owned(), |n| n.to_string()),
                    folder.join("report.html").display()
                )));
            }
            _ => page.say(Paragraph::from(format!(
                "The plan is valid. It would spend {budget} for all questions together, and count them in one pass over {source}. \
                 No data was read."
            ))),
        }
        add_verdicts(&mut page, &self.requirements);
        match &self.forecast {
            Some(forecast) => add_forecast(&mut page, forecast),
            None if self.folder.is_none() => {
                page.explain("Add --n with the number of records to see how wide the intervals will be.");
            }
            None => {}
        }
        page
    }
}

/// How many cells a question has, if that is declared.
fn cells(question: &SummaryQuestion) -> Value<'_> {
    question.cells.map_or_else(|| Value::text("private"), Value::Whole)
}

/// Whether what the plan requires is met.
fn add_verdicts<'a>(page: &mut Page<'a>, verdicts: &'a [Verdict]) {
    if verdicts.is_empty() {
        return;
    }
    page.pause();
    page.say("Required by the plan:");
    page.sheet(verdicts_sheet(verdicts));
}

/// The half-widths to expect, and whether one joint release would be better.
fn add_forecast<'a>(page: &mut Page<'a>, forecast: &'a PlanForecast) {
    page.pause();
    page.say(format!("Expected intervals, ± percentage points, if {}:", forecast.assumed));
    let columns = vec![
        Column::text("question"),
        Column::text("reading"),
        Column::number("rows"),
        Column::number("as planned"),
        Column::number("without privacy"),
    ];
    let shown = |one: &ExpectedReading, width: f64| Value::text(half_width(one, width));
    let rows = forecast.questions.iter().flat_map(move |question| {
        question.readings.iter().map(move |one| {
            vec![
                Value::text(&question.name),
                Value::text(one.reading.to_string()),
                Value::Whole(one.rows as u64),
                shown(one, one.half_width),
                shown(one, one.without_privacy),
            ]
        })
    });
    page.sheet(Sheet::new(columns, rows.collect::<Vec<_>>()));
    for question in &forecast.questions {
        if let Some(why) = &question.refused {
            page.say(format!("{}: {why}.", question.name));
        }
        if let Some(text) = &question.warning {
            page.say(Paragraph::default().alarm("Warning").plain(format!(": {}: {text}.", question.name)));
        }
    }
    add_verdicts(page, &forecast.requirements);
    if let Some(compared) = &forecast.comparison {
        let (planned, joint) = (compared.planned.times, compared.joint.times);
        let verdict = if joint < 0.98 * planned {
            "would be better"
        } else if joint <= 1.02 * planned {
            "would be about as good, and answer every other question about these columns"
        } else {
            "would be worse"
        };
        page.say(format!(
            "One joint release of all columns {verdict}: its intervals would be {} times as wide as without privacy on average, those \
             of the plan {} times.",
            times(joint),
            times(planned)
        ));
    }
    let seed =
        forecast.seed.map(|seed| format!("; credible intervals of simulated releases with the seed {seed}"));
    page.say(format!("Assumed: {}, n {}{}.", forecast.assumed, forecast.n, seed.unwrap_or_default()));
}
