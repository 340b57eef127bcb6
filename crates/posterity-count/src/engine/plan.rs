//! The query: from a table to one row per code.
//!
//! Values become small integers before anything is grouped, so that memory is bounded by what was declared, whatever
//! the column holds. The expressions are the engine's own; an executor elsewhere needs nothing from this crate.

use datafusion::arrow::datatypes::DataType;
use datafusion::datasource::provider_as_source;
use datafusion::error::DataFusionError;
use datafusion::functions::expr_fn::random;
use datafusion::functions_aggregate::expr_fn::{count, min};
use datafusion::logical_expr::expr::Case;
use datafusion::logical_expr::{Expr, LogicalPlan, LogicalPlanBuilder, cast, lit, when};
use posterity_formats::{ValueKind, kind};

use super::codes::{Extra, NO_UNIT};
use super::columns::{name, plain_text, unkeyed};
use super::complaint::Complaint;
use super::numbers::{Exact, read};
use super::table::EngineTable;
use crate::cells::{Dimension, MAX_CELLS};
use crate::checked_questions::CheckedQuestions;
use crate::error::DataError;
use crate::question::Domain;
use crate::unit::PerUnit;

/// The number of different ranks: 42 random bits, above the bits of the cell.
const RANKS: f64 = (1_u64 << 42) as f64;

/// More than the number of any cell, so that a rank and a cell make one number of at most 62 bits.
const CELLS: i64 = 1 << 20;

const _: () = assert!(MAX_CELLS < CELLS as usize);

/// The query over this table. Its rows are a code and the number of records, or units, of that code.
///
/// A code that is not negative is a cell; [`outside_code`](super::codes::outside_code) and the others say what the
/// negative ones are.
///
/// # Guarantee
/// By the rule `random`, each record of a unit draws 42 bits of its own and the one with the least counts. So the
/// record that counts is drawn uniformly, but for ties: two records draw the same with probability 2^-42, and then the
/// one counts whose category is declared first. The draws are those of the engine's `random()`, a generator of
/// cryptographic strength that the system seeds on each machine.
pub(crate) fn plan(
    checked: &CheckedQuestions<'_>,
    table: &EngineTable,
    filter: Option<Expr>,
) -> Result<LogicalPlan, DataFusionError> {
    let mut builder = LogicalPlanBuilder::scan("source", provider_as_source(table.provider.clone()), None)?;
    if let Some(filter) = filter {
        builder = builder.filter(filter)?;
    }
    let unit = checked.question.unit.as_deref();
    let dimensions = checked.cells().dimensions();
    let schema = table.provider.schema();
    // What several parts of an expression use has a column of its own. The engine may still carry it into each of them;
    // `random()` must therefore be used once.
    let mut values: Vec<Expr> = Vec::new();
    let mut codes: Vec<Expr> = Vec::new();
    for (position, dimension) in dimensions.iter().enumerate() {
        let field = schema.field_with_name(&dimension.column)?;
        let (stored, value, number) =
            (name(&dimension.column), format!("value{position}"), format!("number{position}"));
        let extra = Extra::of(dimension, position);
        let code = match (&dimension.domain, kind(field.data_type())) {
            (_, ValueKind::Missing) => extra.nothing(),
            (Domain::Values(declared), _) => {
                extra.declared(name(&value), field.data_type(), field.is_nullable(), declared)
            }
            (Domain::Bins(bins), ValueKind::Text) => {
                let text = plain_text(stored.clone(), field.data_type());
                values.push(read(text, Complaint::DimensionNumber(position), None)?.alias(&number));
                extra.binned(name(&value), &Exact::of_read(name(&number)), bins)?
            }
            (Domain::Bins(bins), _) => {
                let exact = Exact::of_column(name(&value), unkeyed(field.data_type()))
                    .ok_or_else(|| DataFusionError::Plan("no exact numbers".into()))?;
                extra.binned(name(&value), &exact, bins)?
            }
        };
        let stored = match (&dimension.domain, field.data_type()) {
            (Domain::Bins(_), DataType::Dictionary(_, value)) => cast(stored, value.as_ref().clone()),
            _ => stored,
        };
        values.push(stored.alias(&value));
        codes.push(code.alias(part(position)));
    }
    values.extend(unit.map(|unit| name(unit).alias("unit")));
    codes.extend(unit.map(|_| name("unit")));
    builder = builder.project(values)?.project(codes)?;
    let cell = cell(dimensions);
    if unit.is_some() {
        let drawn = checked.question.per_unit == PerUnit::Random;
        let kept = name("kept");
        let counted = if drawn {
            when(kept.clone().lt(lit(0_i64)), kept.clone()).otherwise(kept % lit(CELLS))?
        } else {
            kept
        };
        builder = builder
            .project([name("unit"), cell.alias("cell")])?
            .project([name("unit"), record(drawn)?.alias("record")])?
            .aggregate([name("unit")], [min(name("record")).alias("kept")])?
            .project([counted.alias("cell")])?;
    } else {
        builder = builder.project([cell.alias("cell")])?;
    }
    builder.aggregate([name("cell")], [count(lit(1_i64)).alias("records")])?.build()
}

/// Refuses columns whose bins the query could not find exactly.
pub(crate) fn check(checked: &CheckedQuestions<'_>, table: &EngineTable) -> Result<(), DataError> {
    const REMEDY: &str = "whose bins a cluster cannot find exactly; store it as text, integer or decimal of at most 38 \
                          digits, or count without the cluster";
    let schema = table.provider.schema();
    for dimension in checked.cells().dimensions() {
        if let (Domain::Bins(_), Ok(field)) = (&dimension.domain, schema.field_with_name(&dimension.column)) {
            let stored = unkeyed(field.data_type());
            let exact = Exact::of_column(name(&dimension.column), stored).is_some();
            if !exact && !matches!(kind(stored), ValueKind::Text | ValueKind::Missing) {
                let kind = field.data_type().to_string();
                return Err(DataError::UnsupportedType {
                    column: dimension.column.clone(),
                    kind,
                    remedy: REMEDY,
                });
            }
        }
    }
    Ok(())
}

/// The code of a record by which its unit is counted if it is the least of that unit's.
fn record(drawn: bool) -> Result<Expr, DataFusionError> {
    let cell = name("cell");
    let rank = cast(random() * lit(RANKS), DataType::Int64) * lit(CELLS);
    let present = if drawn { rank + cell.clone() } else { cell.clone() };
    when(cell.clone().lt(lit(0_i64)), cell).when(name("unit").is_null(), lit(NO_UNIT)).otherwise(present)
}

/// The number of the cell, or the negative code of the first column that has one.
fn cell(dimensions: &[Dimension]) -> Expr {
    let mut stride = 1_i64;
    let mut sum: Option<Expr> = None;
    for (position, dimension) in dimensions.iter().enumerate().rev() {
        let term = if stride == 1 { name(part(position)) } else { name(part(position)) * lit(stride) };
        sum = Some(match sum {
            Some(sum) => term + sum,
            None => term,
        });
        stride *= dimension.len as i64;
    }
    let sum = sum.unwrap_or_else(|| lit(0_i64));
    if dimensions.len() < 2 {
        return sum;
    }
    let flaws = (0..dimensions.len())
        .map(|position| (Box::new(name(part(position)).lt(lit(0_i64))), Box::new(name(part(position)))));
    Expr::Case(Case::new(None, flaws.collect(), Some(Box::new(sum))))
}

fn part(position: usize) -> String {
    format!("part{position}")
}
