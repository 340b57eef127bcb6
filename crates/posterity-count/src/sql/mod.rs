//! The query that counts a question where the data is: one statement of SQL, in the dialect of an engine.
//!
//! It means what our own count means, or is refused for that dialect ([`SqlError`]). Its result has a row for each cell
//! that occurs, and a row for each reason for which [`count`](crate::count()) would refuse a record; [`read_counted`]
//! takes it.

mod coded;
mod condition;
mod counted;
mod dialect;
mod error;
mod literal;
mod stored;

use std::collections::BTreeMap;

use posterity_core::model::Adjacency;

pub use counted::{CountedError, read_counted};
pub use dialect::{Dialect, NoSuchDialect};
pub use error::SqlError;
pub use stored::{NoSuchType, Stored};

use crate::cells::Cells;
use crate::filter::Filter;
use crate::question::{Domain, OUTSIDE_CELL, Question};
use crate::unit::PerUnit;
use coded::Coded;
use condition::{Condition, condition};

/// The column that says what a row counts: nothing special for a cell, or why records have none.
pub const STATE_COLUMN: &str = "posterity";

/// The column of the numbers of records.
pub const COUNT_COLUMN: &str = "count";

/// What a row of the result counts, if it is no cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum State {
    /// Records outside the private filter, which have a cell of their own.
    Outside,
    /// A value that is not declared.
    Undeclared,
    /// A missing value.
    Missing,
    /// A value without an exact name.
    Unreadable,
    /// A missing unit.
    NoUnit,
    /// A filter without an answer.
    Unanswered,
    /// A column of another type than was said.
    OtherType,
}

impl State {
    pub(crate) const ALL: [Self; 7] = [
        Self::Outside,
        Self::Undeclared,
        Self::Missing,
        Self::Unreadable,
        Self::NoUnit,
        Self::Unanswered,
        Self::OtherType,
    ];

    /// The word in the column [`STATE_COLUMN`].
    pub(crate) fn word(self) -> &'static str {
        match self {
            Self::Outside => OUTSIDE_CELL,
            Self::Undeclared => "undeclared",
            Self::Missing => "missing",
            Self::Unreadable => "unreadable",
            Self::NoUnit => "no unit",
            Self::Unanswered => "unanswered",
            Self::OtherType => "other type",
        }
    }
}

/// Where the records are, and how an engine stores their columns.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SqlSource {
    /// The name of the table, in its parts: a schema and a table, or a table.
    pub table: Vec<String>,
    /// How columns are stored. Columns that are not named are text where values are declared, and numbers with a floating
    /// point where bins are.
    pub stored: BTreeMap<String, Stored>,
}

/// The query that counts a question. `salt` is secret, random and used once: it decides which records of a unit are drawn,
/// so the query is as private as the data where it draws.
///
/// ```
/// use posterity_count::{Column, Dialect, Question, SqlSource, sql};
/// let question = Question::new(vec![Column::new("cured", ["yes", "no"])]);
/// let source = SqlSource { table: vec!["visits".into()], ..SqlSource::default() };
/// let query = sql(&question, &source, Dialect::DuckDb, &[7; 16])?;
/// assert!(query.contains("FROM \"visits\""));
/// # Ok::<(), posterity_count::SqlError>(())
/// ```
///
/// # Errors
/// [`SqlError`] if the question is wrong, or if the engine would give another meaning to a part of it.
pub fn sql(
    question: &Question,
    source: &SqlSource,
    dialect: Dialect,
    salt: &[u8; 16],
) -> Result<String, SqlError> {
    let cells = Cells::new(question)?;
    Query { question, source, dialect, cells }.text(salt)
}

/// A query that is being written.
struct Query<'a> {
    question: &'a Question,
    source: &'a SqlSource,
    dialect: Dialect,
    cells: Cells,
}

/// The name of what holds the records with their codes.
const RECORDS: &str = "posterity_records";

impl Query<'_> {
    fn text(&self, salt: &[u8; 16]) -> Result<String, SqlError> {
        let question = self.question;
        for column in &question.columns {
            if [STATE_COLUMN, COUNT_COLUMN].contains(&column.name.as_str()) {
                return Err(SqlError::ColumnName { column: column.name.clone() });
            }
        }
        let table = self.table()?;
        let filter =
            self.condition(question.filter.as_deref(), |filter, error| SqlError::Filter { filter, error })?;
        let within =
            self.condition(question.within.as_deref(), |filter, error| SqlError::Within { filter, error })?;
        let coded: Vec<Coded> = self
            .cells
            .dimensions()
            .iter()
            .map(|dimension| {
                Coded::new(dimension, self.stored(&dimension.column, &dimension.domain), self.dialect)
            })
            .collect::<Result<_, _>>()?;
        let unit = question.unit.as_deref().map(|unit| self.unit(unit)).transpose()?;
        let order = match (&question.per_unit, &unit) {
            (PerUnit::Latest(column), Some(_)) => Some(self.order(column)?),
            _ => None,
        };
        let mut parts = vec![self.heading()];
        parts.push(format!(
            "WITH {RECORDS} AS (\n  -- One row for each record that the filter lets pass.\n  SELECT"
        ));
        parts.push(self.columns_of_records(
            &coded,
            filter.as_ref(),
            within.as_ref(),
            unit.as_deref(),
            order.as_deref(),
        ));
        parts.push(format!("  FROM {table}"));
        if let Some(filter) = &filter {
            parts.push(format!("  WHERE {}", filter.true_or_failing()));
        }
        parts.push("),".into());
        parts.push(self.states(coded.len(), unit.is_some()));
        parts.push(self.chosen(salt)?);
        parts.push(self.result());
        if let Some(types) = self.other_types(&table) {
            parts.push(types);
        }
        Ok(parts.join("\n") + ";\n")
    }

    fn heading(&self) -> String {
        let what = match &self.question.unit {
            Some(unit) => format!("-- Units: {}.", commented(&self.question.per_unit.in_words(unit))),
            None => "-- Each record counts by itself.".into(),
        };
        let after = match self.question.adjacency {
            Adjacency::Replace => "-- Rows with a word in \"posterity\" count records that are refused.",
            Adjacency::AddRemove => {
                "-- Records without a cell are left out; nothing tells how many there are."
            }
        };
        let secret = if self.question.unit.is_some() && self.question.per_unit.draws() {
            "\n-- The salt in this text decides which records are drawn: keep the text as private as the data, and use it once."
        } else {
            ""
        };
        format!("-- Counts records in declared cells, for {}.\n{what}\n{after}{secret}", self.dialect)
    }

    /// The codes of each record, its unit, its place in order, and what the filters say.
    fn columns_of_records(
        &self,
        coded: &[Coded],
        filter: Option<&Condition>,
        within: Option<&Condition>,
        unit: Option<&str>,
        order: Option<&str>,
    ) -> String {
        let mut columns: Vec<String> = coded
            .iter()
            .enumerate()
            .map(|(index, coded)| format!("    {} AS c{index}", coded.expression))
            .collect();
        if let Some(within) = within {
            columns.push(format!("    {} AS inside", within.as_number()));
        }
        // Where n is private, a private filter without an answer is one that is not true.
        let within = within.filter(|_| self.question.adjacency == Adjacency::Replace);
        let filters = [filter, within].into_iter().flatten().filter_map(|condition| condition.fails.clone());
        let failing: Vec<String> =
            filters.chain(order.and_then(|order| self.dialect.is_unordered(order))).collect();
        let failing = if failing.is_empty() { "1 = 0".into() } else { failing.join(" OR ") };
        columns.push(format!("    CASE WHEN {failing} THEN 1 ELSE 0 END AS unanswered"));
        if let Some(unit) = unit {
            columns.push(format!("    {unit} AS unit"));
        }
        if let Some(order) = order {
            columns.push(format!("    {order} AS place"));
        }
        columns.join(",\n")
    }

    /// Why each record has no cell, and the cell of the others.
    fn states(&self, columns: usize, has_unit: bool) -> String {
        let any = |code: i64| {
            let parts: Vec<String> = (0..columns).map(|index| format!("c{index} = {code}")).collect();
            parts.join(" OR ")
        };
        let mut cases = vec![format!("WHEN unanswered = 1 THEN '{}'", State::Unanswered.word())];
        if has_unit {
            cases.push(format!("WHEN unit IS NULL THEN '{}'", State::NoUnit.word()));
        }
        if self.question.within.is_some() {
            cases.push("WHEN inside = 0 THEN NULL".into());
        }
        for (code, state) in
            [(UNREADABLE, State::Unreadable), (UNDECLARED, State::Undeclared), (MISSING, State::Missing)]
        {
            cases.push(format!("WHEN {} THEN '{}'", any(code), state.word()));
        }
        let mut cell = String::from("0");
        for (index, dimension) in self.cells.dimensions().iter().enumerate() {
            cell = if index == 0 { "c0".into() } else { format!("({cell}) * {} + c{index}", dimension.len) };
        }
        if let Some(outside) = self.cells.outside() {
            cell = format!("CASE WHEN inside = 0 THEN {outside} ELSE {cell} END");
        }
        let rest = [
            (has_unit, ", unit"),
            (matches!(self.question.per_unit, PerUnit::Latest(_)) && has_unit, ", place"),
        ];
        let rest: String = rest.into_iter().filter_map(|(has, column)| has.then_some(column)).collect();
        format!(
            "posterity_cells AS (\n  -- The cell of each record, or why it has none.\n  SELECT CASE {} ELSE NULL END AS state, {cell} AS \
             cell{rest}\n  FROM {RECORDS}\n),",
            cases.join(" ")
        )
    }

    /// One row for each record that counts.
    fn chosen(&self, salt: &[u8; 16]) -> Result<String, SqlError> {
        let from = "FROM posterity_cells WHERE state IS NULL";
        let said =
            |comment: &str, body: String| Ok(format!("posterity_chosen AS (\n  -- {comment}\n  {body}\n)"));
        let Some(_) = &self.question.unit else {
            return said("Every record counts.", format!("SELECT cell {from}"));
        };
        let first = |rows: &str, order: &str, most: u32| {
            format!(
                "SELECT cell FROM (SELECT cell, row_number() OVER (PARTITION BY unit ORDER BY {order}) AS rank FROM ({rows}) AS of_units) \
                 AS ranked WHERE rank <= {most}"
            )
        };
        match &self.question.per_unit {
            PerUnit::First => said(
                "Of each unit the cell that is declared first.",
                format!("SELECT min(cell) AS cell {from} GROUP BY unit"),
            ),
            PerUnit::Mode => {
                let rows = format!("SELECT unit, cell, count(*) AS times {from} GROUP BY unit, cell");
                said("Of each unit the cell of most of its records.", first(&rows, "times DESC, cell", 1))
            }
            PerUnit::Latest(_) => {
                let rows = format!("SELECT unit, cell, place {from}");
                let order = "CASE WHEN place IS NULL THEN 1 ELSE 0 END, place DESC, cell";
                said("Of each unit its latest record.", first(&rows, order, 1))
            }
            rule @ (PerUnit::Random | PerUnit::All(_)) => {
                let salt: String = salt.iter().map(|byte| format!("{byte:02x}")).collect();
                let (separator, text) = ("'/'", |number: &str| self.dialect.number_as_text(number));
                let input = format!(
                    "'{salt}/' || {} || {separator} || {} || {separator} || unit",
                    text("cell"),
                    text("equal")
                );
                let hash = self.dialect.hash(&input).ok_or(SqlError::Draws { dialect: self.dialect })?;
                let equals = format!(
                    "SELECT unit, cell, row_number() OVER (PARTITION BY unit, cell ORDER BY cell) AS equal {from}"
                );
                let rows = format!("SELECT unit, cell, {hash} AS drawn FROM ({equals}) AS told_apart");
                let comment = "Of each unit the records with the least hashes, each as likely as any other.";
                said(comment, first(&rows, "drawn, cell", rule.most().get()))
            }
        }
    }

    /// The cells by name with their counts, and the records without one.
    fn result(&self) -> String {
        let mut columns = Vec::new();
        let mut below = 1;
        for dimension in self.cells.dimensions().iter().rev() {
            let names = self.names(&dimension.column);
            let cases: Vec<String> = names
                .iter()
                .enumerate()
                .map(|(index, name)| format!("WHEN {index} THEN {}", self.dialect.text(name)))
                .collect();
            let code = self.dialect.quotient("cell", below);
            let case =
                format!("CASE {} {} END", self.dialect.remainder(&code, dimension.len), cases.join(" "));
            let case = match self.cells.outside() {
                Some(outside) => format!("CASE WHEN cell = {outside} THEN NULL ELSE {case} END"),
                None => case,
            };
            columns.push(format!("  {case} AS {}", self.dialect.name(&dimension.column)));
            below *= dimension.len;
        }
        columns.reverse();
        let state = match self.cells.outside() {
            Some(outside) => format!("CASE WHEN cell = {outside} THEN '{OUTSIDE_CELL}' END"),
            None => format!("CAST(NULL AS {})", self.dialect.text_type()),
        };
        let (state_name, count_name) = (self.dialect.name(STATE_COLUMN), self.dialect.name(COUNT_COLUMN));
        let cells = format!(
            "SELECT\n{},\n  {state} AS {state_name},\n  count(*) AS {count_name}\nFROM posterity_chosen\nGROUP BY cell",
            columns.join(",\n")
        );
        match self.question.adjacency {
            Adjacency::AddRemove => cells,
            Adjacency::Replace => format!(
                "{cells}\nUNION ALL\n-- Records that are refused.\nSELECT {}, state, count(*)\nFROM posterity_cells WHERE state IS NOT \
                 NULL GROUP BY state",
                vec!["NULL"; self.cells.dimensions().len()].join(", ")
            ),
        }
    }

    /// A row for columns whose type is another than was said, where types belong to columns and not to values.
    fn other_types(&self, table: &str) -> Option<String> {
        let mut used: BTreeMap<&str, Stored> = BTreeMap::new();
        for dimension in self.cells.dimensions() {
            used.insert(&dimension.column, self.stored(&dimension.column, &dimension.domain));
        }
        let named = self.source.stored.iter().map(|(column, stored)| (column.as_str(), *stored));
        let needed = self.needed_columns();
        used.extend(named.filter(|(column, _)| needed.iter().any(|needed| needed == column)));
        let checks: Vec<String> = used
            .into_iter()
            .filter_map(|(column, stored)| self.dialect.is_other_type(&self.dialect.name(column), stored))
            .collect();
        if checks.is_empty() {
            return None;
        }
        Some(format!(
            "UNION ALL\n-- Columns that are stored otherwise than was said.\nSELECT {}, '{}', count(*)\nFROM (SELECT 1 AS one FROM {table} \
             WHERE {} LIMIT 1) AS types HAVING count(*) > 0",
            vec!["NULL"; self.cells.dimensions().len()].join(", "),
            State::OtherType.word(),
            checks.join(" OR ")
        ))
    }

    /// The columns that are not declared but needed: those of the filters, of the unit and of the order.
    fn needed_columns(&self) -> Vec<String> {
        let of_filter = |text: &Option<String>| {
            let filter = text.as_deref().and_then(|text| Filter::parse(text).ok());
            filter.map(|filter| filter.columns().to_vec()).unwrap_or_default()
        };
        let mut needed = of_filter(&self.question.filter);
        needed.extend(of_filter(&self.question.within));
        if let Some(unit) = &self.question.unit {
            needed.push(unit.clone());
            if let PerUnit::Latest(column) = &self.question.per_unit {
                needed.push(column.clone());
            }
        }
        needed
    }

    /// The names of a column's categories.
    fn names(&self, column: &str) -> Vec<String> {
        let found = self.question.columns.iter().find(|one| one.name == column);
        found.map(crate::question::Column::names).unwrap_or_default()
    }

    fn table(&self) -> Result<String, SqlError> {
        if self.source.table.is_empty() || self.source.table.iter().any(String::is_empty) {
            return Err(SqlError::NoTable);
        }
        let names: Vec<String> = self.source.table.iter().map(|name| self.dialect.name(name)).collect();
        Ok(names.join("."))
    }

    fn stored(&self, column: &str, domain: &Domain) -> Stored {
        self.source.stored.get(column).copied().unwrap_or(match domain {
            Domain::Values(_) => Stored::Text,
            Domain::Bins(_) => Stored::Number,
        })
    }

    fn condition(
        &self,
        text: Option<&str>,
        wrong: fn(String, crate::filter::FilterError) -> SqlError,
    ) -> Result<Option<Condition>, SqlError> {
        let Some(text) = text else { return Ok(None) };
        let filter = Filter::parse(text).map_err(|error| wrong(text.to_owned(), error))?;
        condition(&filter, &self.source.stored, self.dialect).map(Some).map_err(|why| SqlError::Condition {
            filter: text.to_owned(),
            dialect: self.dialect,
            why,
        })
    }

    /// The text that tells units apart.
    fn unit(&self, unit: &str) -> Result<String, SqlError> {
        let stored = self.source.stored.get(unit).copied().unwrap_or(Stored::Text);
        if stored == Stored::Number {
            return Err(SqlError::Unit { column: unit.to_owned() });
        }
        Ok(self.dialect.printed(&self.dialect.name(unit), stored))
    }

    /// What the latest record has most of.
    fn order(&self, column: &str) -> Result<String, SqlError> {
        let stored = self.source.stored.get(column).copied();
        match stored {
            Some(Stored::Integer) => Ok(self.dialect.name(column)),
            Some(Stored::Day) => Ok(self.dialect.printed(&self.dialect.name(column), Stored::Day)),
            _ => Err(SqlError::Order { column: column.to_owned() }),
        }
    }
}

/// The code of a value that is not declared.
const UNDECLARED: i64 = -1;
/// The code of a missing value.
const MISSING: i64 = -2;
/// The code of a value without an exact name.
const UNREADABLE: i64 = -3;

/// Text that stays in its line of a comment.
fn commented(text: &str) -> String {
    text.chars().map(|character| if character.is_control() { ' ' } else { character }).collect()
}
