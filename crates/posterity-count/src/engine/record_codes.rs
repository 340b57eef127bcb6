//! The codes of a record, as columns of the query.

use datafusion::arrow::datatypes::DataType;
use datafusion::functions::expr_fn::random;
use datafusion::logical_expr::{Expr, cast, lit};

use super::columns::name;
use crate::cells::MAX_CELLS;

/// The number of different ranks: 42 random bits, above the bits of a word.
const RANKS: f64 = (1_u64 << 42) as f64;

/// More than the number of any cell and than any word of a record, so that a rank and one of them make one number of at
/// most 62 bits.
pub(super) const BELOW_RANK: i64 = 1 << 20;

const _: () = assert!(MAX_CELLS < BELOW_RANK as usize);

/// For each column, that its code is negative, and that code.
pub(super) fn flaws(columns: usize) -> Vec<(Box<Expr>, Box<Expr>)> {
    let flaw = |position| (Box::new(name(part(position)).lt(lit(0_i64))), Box::new(name(part(position))));
    (0..columns).map(flaw).collect()
}

/// The name of the code of a column.
pub(super) fn part(position: usize) -> String {
    format!("part{position}")
}

/// 42 random bits.
pub(super) fn rank() -> Expr {
    cast(random() * lit(RANKS), DataType::Int64)
}
