//! The query: from a table to one row per code.
//!
//! Values become small integers before anything is grouped, so that memory is bounded by what was declared, whatever
//! the column holds. The expressions are the engine's own; an executor elsewhere needs nothing from this crate.

use datafusion::arrow::datatypes::DataType;
use datafusion::datasource::provider_as_source;
use datafusion::error::DataFusionError;
use datafusion::functions_aggregate::expr_fn::{count, min};
use datafusion::logical_expr::expr::Case;
use datafusion::logical_expr::{Expr, LogicalPlan, LogicalPlanBuilder, cast, lit, when};
use posterity_formats::{ValueKind, kind};

use super::codes::{Extra, NO_UNIT};
use super::columns::{name, plain_text, unkeyed};
use super::complaint::Complaint;
use super::numbers::{Exact, read};
use super::record_codes::{BELOW_RANK, flaws, part, rank};
use super::several_tables::keys;
use super::table::EngineTable;
use crate::checked_questions::{CheckedQuestions, Coding};
use crate::error::DataError;
use crate::question::Domain;
use crate::question_group::QuestionGroup;
use crate::unit::PerUnit;

/// The conditions on records.
#[derive(Debug)]
pub(crate) struct Conditions {
    /// The filter.
    pub(crate) filter: Option<Expr>,
    /// The private filter.
    pub(crate) within: Option<Expr>,
}

/// The query over this table. Its rows are a code and the number of records, or units, of that code.
///
/// A code that is not negative is a cell, of all tables one after the other;
/// [`outside_code`](super::codes::outside_code) and the others say what the negative ones are.
///
/// # Guarantee
/// By the rule `random`, each record of a unit draws 42 bits of its own and the one with the least counts. So the
/// record that counts is drawn uniformly, but for ties: two records draw the same with probability 2^-42, and then the
/// one counts whose category is declared first. The draws are those of the engine's `random()`, a generator of
/// cryptographic strength that the system seeds on each machine.
pub(crate) fn plan(
    checked: &CheckedQuestions<'_>,
    groups: &[QuestionGroup],
    table: &EngineTable,
    conditions: Conditions,
) -> Result<LogicalPlan, DataFusionError> {
    let mut builder = LogicalPlanBuilder::scan("source", provider_as_source(table.provider.clone()), None)?;
    if let Some(filter) = conditions.filter {
        builder = builder.filter(filter)?;
    }
    let builder = coded(builder, checked, table, conditions.within)?;
    let builder = match groups {
        [only] if !checked.whole => cells(builder, checked, only)?,
        groups => keys(builder, checked, groups)?,
    };
    builder.aggregate([name("cell")], [count(lit(1_i64)).alias("records")])?.build()
}

/// From the stored values to codes of each column, the unit, and whether the private filter is true.
fn coded(
    builder: LogicalPlanBuilder,
    checked: &CheckedQuestions<'_>,
    table: &EngineTable,
    within: Option<Expr>,
) -> Result<LogicalPlanBuilder, DataFusionError> {
    let schema = table.provider.schema();
    // What several parts of an expression use has a column of its own. The engine may still carry it into each of them;
    // `random()` must therefore be used once, or be kept apart.
    let mut values: Vec<Expr> = Vec::new();
    let mut codes: Vec<Expr> = Vec::new();
    for (position, Coding { dimension, .. }) in checked.codings.iter().enumerate() {
        let field = schema.field_with_name(&dimension.column)?;
        let (stored, value, number) =
            (name(&dimension.column), format!("value{position}"), format!("number{position}"));
        let extra = Extra::of(dimension, position);
        let code = match (&dimension.domain, kind(field.data_type())) {
            (_, ValueKind::Missing) => extra.nothing(),
            (Domain::Values(declared), _) => {
                let names = dimension.names_of(declared);
                extra.declared(name(&value), field.data_type(), field.is_nullable(), names)
            }
            (Domain::Bins(bins), ValueKind::Text) => {
                let text = plain_text(stored.clone(), field.data_type());
                // Text of records outside is not read.
                let text = match &within {
                    Some(within) => when(within.clone(), text).end()?,
                    None => text,
                };
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
    if let Some(within) = within {
        values.push(within.is_true().alias("inside"));
        codes.push(name("inside"));
    }
    if let Some(unit) = &checked.question.unit {
        values.push(name(unit).alias("unit"));
        codes.push(name("unit"));
    }
    builder.project(values)?.project(codes)
}

/// From codes to the cell of each record, or unit, in the only table.
fn cells(
    builder: LogicalPlanBuilder,
    checked: &CheckedQuestions<'_>,
    table: &QuestionGroup,
) -> Result<LogicalPlanBuilder, DataFusionError> {
    let unit = checked.unit.map(|_| name("unit"));
    let mut columns = vec![cell(checked, table).alias("cell")];
    columns.extend(unit.clone());
    let mut builder = builder.project(columns)?;
    if checked.leaves_out() {
        let counts = name("cell").gt_eq(lit(0_i64));
        builder = builder.filter(match &unit {
            Some(unit) => counts.and(unit.clone().is_not_null()),
            None => counts,
        })?;
    }
    let Some(unit) = unit else { return Ok(builder) };
    let drawn = checked.question.per_unit == PerUnit::Random;
    let present = if drawn { rank() * lit(BELOW_RANK) + name("cell") } else { name("cell") };
    let record = when(name("cell").lt(lit(0_i64)), name("cell"))
        .when(unit.clone().is_null(), lit(NO_UNIT))
        .otherwise(present)?;
    let kept = name("kept");
    let counted = if drawn {
        when(kept.clone().lt(lit(0_i64)), kept.clone()).otherwise(kept % lit(BELOW_RANK))?
    } else {
        kept
    };
    builder
        .project([unit.clone(), record.alias("record")])?
        .aggregate([unit], [min(name("record")).alias("kept")])?
        .project([counted.alias("cell")])
}

/// Refuses columns whose bins the query could not find exactly.
pub(crate) fn check(checked: &CheckedQuestions<'_>, table: &EngineTable) -> Result<(), DataError> {
    const REMEDY: &str = "whose bins a cluster cannot find exactly; store it as text, integer or decimal of at most 38 \
                          digits, or count without the cluster";
    let schema = table.provider.schema();
    for Coding { dimension, .. } in &checked.codings {
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

/// The number of the cell, or the negative code of the first column that has one. Records outside the private filter
/// have the last cell.
fn cell(checked: &CheckedQuestions<'_>, table: &QuestionGroup) -> Expr {
    let outside = checked
        .within
        .as_ref()
        .map(|_| (Box::new(Expr::Not(Box::new(name("inside")))), Box::new(lit(table.cells as i64))));
    let columns = checked.codings.len();
    let flaws = if columns > 1 { flaws(columns) } else { Vec::new() };
    let branches: Vec<_> = outside.into_iter().chain(flaws).collect();
    let place = place(checked, table);
    if branches.is_empty() { place } else { Expr::Case(Case::new(None, branches, Some(Box::new(place)))) }
}

/// The place of a record in a table, if all its codes stand for a category.
fn place(checked: &CheckedQuestions<'_>, table: &QuestionGroup) -> Expr {
    let mut stride = 1_i64;
    let mut sum: Option<Expr> = None;
    for &coding in table.codings.iter().rev() {
        let term = if stride == 1 { name(part(coding)) } else { name(part(coding)) * lit(stride) };
        sum = Some(match sum {
            Some(sum) => term + sum,
            None => term,
        });
        stride *= checked.codings[coding].dimension.len as i64;
    }
    sum.unwrap_or_else(|| lit(0_i64))
}
