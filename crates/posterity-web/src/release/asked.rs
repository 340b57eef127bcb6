//! A release that was asked for: a plan, the file that it is about, and who pays.

use maud::Markup;
use posterity::Publication;
use posterity::batch::BatchError;
use posterity::data::Resources;
use posterity::ledger::Charge;
use posterity::plan::{Node, Plan, PlannedMargins, PlannedQuestion};

use super::clerk::Clerk;
use super::kinds::FormOf;
use super::nodes;
use crate::answers::Answers;
use crate::chosen::{self, ChosenFile};
use crate::desk::Desk;
use crate::folder::Folder;
use crate::inputs::Wrong;
use crate::known::usual_schema;
use crate::typed::Typed;

/// A checked form. Nothing has been read yet.
#[derive(Debug)]
pub(crate) struct Asked {
    pub(super) of: &'static FormOf,
    pub(super) answers: Answers,
    /// What is asked, as it was typed, and as it is meant.
    pub(super) node: Node,
    pub(super) plan: Plan,
    pub(super) file: ChosenFile,
    /// How many people there are, as was typed; for forecasts.
    pub(super) n: Option<u64>,
    /// The account to charge; none without a ledger.
    pub(super) account: Option<String>,
}

impl Asked {
    /// What a form means, or what is wrong with it. No data is opened for that.
    pub(super) fn new(of: &'static FormOf, desk: &Desk<'_>, answers: Answers) -> Result<Self, Wrong> {
        let folder = chosen::folder(desk.folder)?;
        let file = ChosenFile::new(folder, answers.text("file")).map_err(|why| Wrong::at("file", why))?;
        let schema = schema(of, folder, &answers)?;
        let read = |name: &str| folder.text(name);
        let node = nodes::plan(of, &answers, schema.as_deref())?;
        let wrong = |error| nodes::wrong(&error, &answers);
        let plan = Plan::read(node.clone(), &read).map_err(wrong)?;
        plan.refuse_unproven().map_err(wrong)?;
        let account = Typed::from(answers.text("account"));
        let account =
            chosen::account(desk.ledger.is_some(), &account).map_err(|why| Wrong::at("account", why))?;
        let n = Typed::<u64>::from(answers.text("n")).value().map_err(|why| Wrong::at("n", why))?;
        let file = file.read_as(&plan);
        Ok(Self { of, node, plan, file, n, account, answers })
    }

    /// The only question of the plan.
    pub(super) fn question(&self) -> Option<&PlannedQuestion> {
        self.plan.questions().next()
    }

    /// What it costs by itself.
    pub(super) fn price(&self) -> Result<Charge, BatchError> {
        self.plan.batch(self.file.source.clone()).price()
    }

    /// The plan as a file: what `posterity release --plan` takes.
    pub(super) fn text(&self) -> String {
        self.plan.node().to_string()
    }

    /// Counts, charges and draws: the document, and what is said of the payment. All kinds are answered alike.
    pub(super) fn answer(&self, clerk: &mut Clerk<'_>) -> Result<(Publication, String), String> {
        let batch = self.plan.batch(self.file.source.clone()).shown_as(&self.file.name);
        let data = batch.count(clerk.randomness(), &Resources::default(), &|rows| clerk.tell(rows));
        clerk.answer(batch, &data.map_err(Clerk::refused)?)
    }
}

/// The schema that declares columns: the one that was chosen, or else the one that belongs to the file by its name, if it is
/// needed.
fn schema(of: &FormOf, folder: &Folder, answers: &Answers) -> Result<Option<String>, Wrong> {
    let schemas = folder.schemas();
    let schema = match answers.get("schema") {
        Some(chosen) => Some(chosen.to_owned()),
        None if of.takes_all_columns() || nodes::needs_schema(answers) => {
            usual_schema(answers.text("file"), &schemas)
        }
        None => None,
    };
    match schema {
        Some(schema) if !schemas.contains(&schema) => {
            Err(Wrong::at("schema", "there is no such schema in the folder"))
        }
        None if of.takes_all_columns() && nodes::named(answers).is_empty() => {
            Err(Wrong::at("schema", "choose the schema that declares the values of the columns"))
        }
        schema => Ok(schema),
    }
}

/// What is expected of the answer.
pub(super) fn forecast(asked: &Asked) -> Markup {
    match asked.question().and_then(PlannedQuestion::as_a::<PlannedMargins>) {
        Some(margins) => super::forecast::of_margins(margins, asked.n),
        None => super::forecast::of_plan(&asked.plan, asked.n),
    }
}
