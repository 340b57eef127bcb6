//! `posterity sql`

use std::collections::BTreeMap;
use std::io::Write;
use std::path::Path;

use clap::{Args, Subcommand};
use posterity::Randomness;
use posterity::data::{Dialect, SqlError, SqlSource, Stored, sql as query};
use posterity::plan::PlannedTable;
use posterity::text_file::read_text;

use super::release::ReleaseArgs;
use crate::asked::PlanOfFlags;
use crate::failure::Failure;

const EXAMPLES: &str = "\
Examples:
  # Count in DuckDB, and release what it counted
  posterity sql --dialect duckdb release visits.parquet --column ward --categories A,B,C \\
      --epsilon 1 > ward.sql
  duckdb -csv -f ward.sql > ward.csv
  posterity release visits.parquet --column ward --categories A,B,C --epsilon 1 \\
      --counted ward.csv --query ward.sql

  # In PostgreSQL, with a filter, which needs the type of its column
  posterity sql --dialect postgres --stored year=integer release clinic.visits \\
      --column ward --categories A,B,C --where 'year = 2025' --unit patient --epsilon 1 > ward.sql
  psql --csv -X -f ward.sql clinic > ward.csv";

/// Print the query that counts a release in another program.
///
/// No data is read, and nothing is released. The query counts as `posterity release` does, or is refused. Its result has a row for each cell that occurs, and where n
/// is public a row for each reason why a record has no cell; `posterity release --counted` takes it. What the engine does
/// besides is for you to know: that the table is complete, and that no rule of the database hides records of it.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct SqlArgs {
    /// Which engine runs it: duckdb, postgres, spark, sqlite or datafusion
    #[arg(long, value_name = "ENGINE")]
    dialect: Dialect,

    /// The table, where it is not called as the source of the plan; a schema before it by a flag of its own
    #[arg(long, value_name = "NAME")]
    from: Vec<String>,

    /// How the engine stores a column: string, integer, number (with a floating point), boolean or date. Columns without it
    /// have the type of the schema, or are string where values are declared, and number where bins are
    #[arg(long, value_name = "COLUMN=TYPE")]
    stored: Vec<String>,

    #[command(subcommand)]
    of: SqlOf,
}

/// What the query counts.
#[derive(Debug, Subcommand)]
enum SqlOf {
    Release(Box<ReleaseArgs>),
}

impl SqlArgs {
    /// Brings the declarations of columns into the order in which they were given.
    pub(crate) fn order(&mut self, matches: &clap::ArgMatches) {
        let SqlOf::Release(args) = &mut self.of;
        if let Some((_, matches)) = matches.subcommand() {
            args.data.order(matches);
        }
    }

    /// The table, in its parts.
    fn table(&self, plan: &PlanOfFlags) -> Vec<String> {
        if !self.from.is_empty() {
            return self.from.clone();
        }
        let name = plan.plan.source();
        // DuckDB reads a file that stands in the place of a table.
        let is_file = self.dialect == Dialect::DuckDb && Path::new(name).extension().is_some();
        if is_file { vec![name.to_owned()] } else { name.split('.').map(str::to_owned).collect() }
    }

    /// How columns are stored, by the schema and by flags.
    fn types(&self, schema: Option<&Path>) -> Result<BTreeMap<String, Stored>, Failure> {
        let mut types = schema.map(types_of_schema).transpose()?.unwrap_or_default();
        for said in &self.stored {
            let (column, stored) = said.rsplit_once('=').ok_or_else(|| {
                Failure::usage("--stored", format!("{said:?} is not written as COLUMN=TYPE"))
            })?;
            let stored = stored.parse().map_err(|error| Failure::usage("--stored", error))?;
            types.insert(column.to_owned(), stored);
        }
        Ok(types)
    }
}

/// The types that a Table Schema says and that we know.
fn types_of_schema(path: &Path) -> Result<BTreeMap<String, Stored>, Failure> {
    let text = read_text(path).map_err(|error| Failure::refused(format!("--schema: {error}")))?;
    let schema: serde_json::Value =
        serde_json::from_str(&text).map_err(|error| Failure::refused(format!("--schema: {error}")))?;
    let fields = schema["fields"].as_array().map(Vec::as_slice).unwrap_or_default();
    let typed = fields.iter().filter_map(|field| {
        Some((field["name"].as_str()?.to_owned(), field["type"].as_str()?.parse().ok()?))
    });
    Ok(typed.collect())
}

/// Prints the query.
pub(crate) fn sql(args: &SqlArgs) -> Result<(), Failure> {
    let SqlOf::Release(of) = &args.of;
    let plan = of.plan()?;
    let asked: &PlannedTable = plan.asked()?;
    let source = SqlSource { table: args.table(&plan), stored: args.types(of.data.declared.schema_path())? };
    let mut bits = Randomness::System.bits_of_data();
    let mut salt = [0; 16];
    for half in salt.chunks_exact_mut(8) {
        half.copy_from_slice(&bits.next_u64().map_err(Failure::refused)?.to_le_bytes());
    }
    let text = query(asked.question(), &source, args.dialect, &salt).map_err(|error| match &error {
        SqlError::Order { .. } | SqlError::Bins { .. } | SqlError::Type { .. } | SqlError::Unit { .. } => {
            Failure::usage("--stored", error)
        }
        SqlError::NoTable => Failure::usage("FILE", error),
        _ => Failure::refused(error),
    })?;
    Ok(std::io::stdout().lock().write_all(text.as_bytes())?)
}
