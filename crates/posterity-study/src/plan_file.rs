//! A plan in a file, with what is bound to it there: the records, the ledger and the account.

use std::path::{Path, PathBuf};

use posterity::data::{Source, open_below};
use posterity::plan::{Node, Plan, PlanError, Value};
use posterity::text_file::{read_text, read_text_of};
use posterity_advice::design::DesignError;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use crate::error::StudyError;
use crate::files::check_files;
use crate::forecast::{PlanForecast, forecast};

/// A plan in a file, with what is bound to it there. Paths start from the folder of the file.
///
/// The plan is public. The ledger and the account that the file may name are no part of it, and neither is where the records
/// are.
#[derive(Clone, Debug)]
pub struct PlanFile {
    plan: Plan,
    records: Source,
    ledger: Option<PathBuf>,
    account: Option<String>,
}

impl PlanFile {
    /// Reads a plan: TOML, or JSON if it begins with a brace.
    ///
    /// # Errors
    /// [`PlanError`] with the place and the remedy.
    pub fn parse(text: &str, folder: &Path) -> Result<Self, PlanError> {
        Self::read(read_node(text)?, folder, None)?.with_source()
    }

    /// Reads a plan whose source and schema must be below a folder once all links are resolved, whatever becomes of
    /// their names until they are opened ([`Source::below`]).
    ///
    /// # Errors
    /// [`PlanError`] with the place and the remedy.
    pub fn parse_below(text: &str, folder: &Path, below: &Path) -> Result<Self, PlanError> {
        Self::read(read_node(text)?, folder, Some(below))?.with_source()
    }

    /// Refuses a plan that names no source.
    pub(crate) fn with_source(self) -> Result<Self, PlanError> {
        if self.plan.source().is_empty() {
            return Err(PlanError::missing("source", "source = \"people.csv\""));
        }
        Ok(self)
    }

    pub(crate) fn read(mut node: Node, folder: &Path, below: Option<&Path>) -> Result<Self, PlanError> {
        let ledger = bound(&mut node, "ledger")?.map(|path| folder.join(path));
        let account = bound(&mut node, "account")?;
        let plan = Plan::read(node, &|file| schema_text(&folder.join(file), below))?;
        check_files(&plan)?;
        let files = Source::files(folder.join(plan.source()).to_string_lossy());
        let files = below.iter().fold(files, |files, below| files.below(below));
        Ok(Self { records: plan.open(files), plan, ledger, account })
    }

    /// The same with another plan, which asks the same of records of another name.
    ///
    /// # Errors
    /// [`PlanError`] if there is no such name.
    pub fn of_source(self, name: &str) -> Result<Self, PlanError> {
        let mut node = self.plan.node().clone();
        node.set("source", Node::text(name));
        // Its schema is resolved, so no file is read.
        let plan = Plan::read(node, &|_| Err("is not here".to_owned()))?;
        Ok(Self { plan, ..self })
    }

    /// The same plan about other records.
    #[must_use]
    pub fn with_records(self, records: Source) -> Self {
        Self { records, ..self }
    }

    /// The plan.
    #[must_use]
    pub fn plan(&self) -> &Plan {
        &self.plan
    }

    /// The records.
    #[must_use]
    pub fn records(&self) -> &Source {
        &self.records
    }

    /// The ledger that is charged.
    #[must_use]
    pub fn ledger(&self) -> Option<&Path> {
        self.ledger.as_deref()
    }

    /// The account that is charged.
    #[must_use]
    pub fn account(&self) -> Option<&str> {
        self.account.as_deref()
    }

    /// The ledger and the account that pay, if the file names them.
    ///
    /// # Errors
    /// [`StudyError::HalfLedger`] if it names a ledger and no account, or an account and no ledger.
    pub fn payer(&self) -> Result<Option<(&Path, &str)>, StudyError> {
        match (self.ledger(), self.account()) {
            (Some(ledger), Some(account)) => Ok(Some((ledger, account))),
            (Some(_), None) => Err(StudyError::HalfLedger { has: "a ledger", lacks: "account" }),
            (None, Some(_)) => Err(StudyError::HalfLedger { has: "an account", lacks: "ledger" }),
            (None, None) => Ok(None),
        }
    }

    /// What to expect of the answers for a number of records. No data is read.
    ///
    /// # Errors
    /// [`DesignError`] if there can be no such number of records.
    pub fn forecast(&self, n: u64, progress: &(dyn Fn(u64) + Sync)) -> Result<PlanForecast, DesignError> {
        forecast(&self.plan, n, progress)
    }
}

/// What is bound to a plan by a key that is no part of it.
fn bound(node: &mut Node, key: &str) -> Result<Option<String>, PlanError> {
    let Some(found) = node.take(key) else { return Ok(None) };
    match found.value() {
        Value::Text(text) if !text.trim().is_empty() => Ok(Some(text.clone())),
        _ => Err(PlanError::of_key(key, "write a text in quotes, or leave it out", found.line())),
    }
}

/// The values of a plan: of TOML, or of JSON if it begins with a brace.
///
/// # Errors
/// [`PlanError`] if it is neither.
pub fn read_node(text: &str) -> Result<Node, PlanError> {
    if text.trim_start().starts_with('{') {
        return text.parse().map_err(|error: String| PlanError::syntax("JSON", error, 1));
    }
    let line = |at: usize| 1 + text.get(..at).unwrap_or(text).matches('\n').count();
    let table = DeTable::parse(text).map_err(|error| {
        PlanError::syntax("TOML", error.message(), line(error.span().unwrap_or_default().start))
    })?;
    Ok(table_node(table.get_ref(), &line).on_line(1))
}

/// A table, in the order in which it is written.
fn table_node(table: &DeTable<'_>, line: &dyn Fn(usize) -> usize) -> Node {
    let mut entries: Vec<_> = table.iter().collect();
    entries.sort_by_key(|(key, _)| key.span().start);
    Node::table(entries.into_iter().map(|(key, value)| (key.get_ref().to_string(), value_node(value, line))))
}

fn value_node(value: &Spanned<DeValue<'_>>, line: &dyn Fn(usize) -> usize) -> Node {
    let node = match value.get_ref() {
        DeValue::String(text) => Node::text(text.as_ref()),
        DeValue::Integer(number) if number.radix() == 10 => Node::number(number.as_str()),
        DeValue::Integer(_) => Value::Other("a number that is not decimal").into(),
        DeValue::Float(number) => Node::number(number.as_str()),
        DeValue::Boolean(truth) => (*truth).into(),
        DeValue::Datetime(_) => Value::Other("a date").into(),
        DeValue::Array(items) => Node::list(items.iter().map(|item| value_node(item, line))),
        DeValue::Table(table) => table_node(table, line),
    };
    node.on_line(line(value.span().start))
}

/// The text of a schema, which may have to be below a folder.
fn schema_text(path: &Path, below: Option<&Path>) -> Result<String, String> {
    let Some(below) = below else { return read_text(path).map_err(|error| error.to_string()) };
    match open_below(below, path).map_err(|error| error.to_string())? {
        Some(file) => read_text_of(file, &path.to_string_lossy()).map_err(|error| error.to_string()),
        None => Err("it is not in the folder that may be read; put the file itself there".to_owned()),
    }
}
