//! Columns as expressions of the engine, and the types of their values.

use datafusion::arrow::datatypes::DataType;
use datafusion::common::Column;
use datafusion::logical_expr::{Expr, cast};

/// A column by its exact name. Dots do not separate names, and capitals are not folded.
pub(crate) fn name(column: impl Into<String>) -> Expr {
    Expr::Column(Column::new_unqualified(column))
}

/// A column of text, as text rather than keys to it.
pub(crate) fn plain_text(column: Expr, kind: &DataType) -> Expr {
    match kind {
        DataType::Dictionary(_, value) => cast(column, value.as_ref().clone()),
        _ => column,
    }
}

/// The type of the values, rather than of keys to them.
pub(crate) fn unkeyed(kind: &DataType) -> &DataType {
    match kind {
        DataType::Dictionary(_, value) => value,
        kind => kind,
    }
}
