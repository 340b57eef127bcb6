//! The query: from a table to one row per code.
//!
//! Values become small integers before anything is grouped, so that memory is bounded by what was declared, whatever
//! the column holds. The expressions are the engine's own; an executor elsewhere needs nothing from this crate.

use datafusion::arrow::datatypes::{DataType, Schema};
use datafusion::common::Column;
use datafusion::datasource::provider_as_source;
use datafusion::error::DataFusionError;
use datafusion::functions_aggregate::expr_fn::{count, min};
use datafusion::logical_expr::expr::Case;
use datafusion::logical_expr::{Expr, LogicalPlan, LogicalPlanBuilder, lit};

use crate::column_type::{NO_UNIT, code, names_categories, names_units};
use crate::error::DataError;
use crate::space::{Axis, Space};
use crate::table::Table;

/// The query over this table. Its rows are a code and the number of records, or units, of that code.
///
/// A code that is not negative is a cell of the space; [`outside_code`](crate::column_type::outside_code) and the
/// others say what the negative ones are.
pub(crate) fn plan(
    table: &Table,
    space: &Space,
    filter: Option<Expr>,
    unit: Option<&str>,
) -> Result<LogicalPlan, DataFusionError> {
    let schema = table.provider.schema();
    let mut builder = records(table, filter)?;
    let mut codes: Vec<Expr> = Vec::new();
    for (position, axis) in space.axes().iter().enumerate() {
        let field = schema.field_with_name(&axis.column)?;
        let expression = code(name(&axis.column), field.data_type(), field.is_nullable(), axis, position);
        codes.push(expression.alias(part(position)));
    }
    let unit = unit.map(|unit| name(unit).alias("unit"));
    codes.extend(unit.clone());
    builder = builder.project(codes)?;
    let mut cell = cell(space.axes());
    if unit.is_some() {
        let nobody = (Box::new(name("unit").is_null()), Box::new(lit(NO_UNIT)));
        cell = Expr::Case(Case::new(None, vec![nobody], Some(Box::new(cell))));
        builder = builder
            .project([name("unit"), cell.alias("record")])?
            .aggregate([name("unit")], [min(name("record")).alias("cell")])?;
    } else {
        builder = builder.project([cell.alias("cell")])?;
    }
    builder.aggregate([name("cell")], [count(lit(1_i64)).alias("records")])?.build()
}

/// The values of one column of the records that pass the filter, for [`LabelCounter`](crate::LabelCounter).
pub(crate) fn values(
    table: &Table,
    axis: &Axis,
    filter: Option<Expr>,
) -> Result<LogicalPlan, DataFusionError> {
    records(table, filter)?.project([name(&axis.column)])?.build()
}

/// The records that pass the filter.
fn records(table: &Table, filter: Option<Expr>) -> Result<LogicalPlanBuilder, DataFusionError> {
    let all = LogicalPlanBuilder::scan("source", provider_as_source(table.provider.clone()), None)?;
    match filter {
        Some(filter) => all.filter(filter),
        None => Ok(all),
    }
}

/// Checks that the columns exist and are of a type that can be told apart by name.
pub(crate) fn check_columns(schema: &Schema, space: &Space, unit: Option<&str>) -> Result<(), DataError> {
    let check = |column: &str, fits: fn(&DataType) -> bool| match schema.field_with_name(column) {
        Ok(field) if fits(field.data_type()) => Ok(()),
        Ok(field) => {
            Err(DataError::UnsupportedType { column: column.into(), kind: field.data_type().to_string() })
        }
        Err(_) => Err(DataError::UnknownColumn {
            column: column.into(),
            columns: schema.fields().iter().map(|field| field.name().clone()).collect(),
        }),
    };
    for axis in space.axes() {
        check(&axis.column, names_categories)?;
    }
    unit.map_or(Ok(()), |unit| check(unit, names_units))
}

/// The number of the cell, or the negative code of the first column that has one.
fn cell(axes: &[Axis]) -> Expr {
    let mut stride = 1_i64;
    let mut sum: Option<Expr> = None;
    for (position, axis) in axes.iter().enumerate().rev() {
        let term = if stride == 1 { name(part(position)) } else { name(part(position)) * lit(stride) };
        sum = Some(match sum {
            Some(sum) => term + sum,
            None => term,
        });
        stride *= axis.len as i64;
    }
    let sum = sum.unwrap_or_else(|| lit(0_i64));
    if axes.len() < 2 {
        return sum;
    }
    let flaws = (0..axes.len())
        .map(|position| (Box::new(name(part(position)).lt(lit(0_i64))), Box::new(name(part(position)))));
    Expr::Case(Case::new(None, flaws.collect(), Some(Box::new(sum))))
}

fn part(position: usize) -> String {
    format!("part{position}")
}

/// A column by its very name: dots and capitals mean nothing.
fn name(column: impl Into<String>) -> Expr {
    Expr::Column(Column::new_unqualified(column))
}
