//! One release of a table, or several? What to expect of each, without data.
//!
//! A [`Table`] has columns, readings and a number of records. [`advise_table`] says which releases to make at
//! a budget and how wide the intervals of each reading will be, and [`least_table_epsilon`] which budget is enough.

mod advice;
mod column_shape;
mod columns;
mod confidence;
#[allow(clippy::module_inception, reason = "it holds the type Design")]
mod design;
mod design_error;
mod forecasts;
mod half_widths;
mod least;
mod moments;
mod numbered;
mod one_release;
mod planned;
mod rows;
mod split;
mod table;
mod typical_noise;
mod words;

pub use advice::{TableAdvice, TableColumn, advise_table};
pub use column_shape::{ColumnShape, assumed, cell_shares, value_shares};
pub use columns::{Columns, MOST_CELLS, MOST_COLUMNS};
pub use design::{Design, DesignName, Division, ExpectedReading, PlannedRelease};
pub use design_error::DesignError;
pub use half_widths::{HalfWidth, HalfWidths, expected_half_widths};
pub use least::{LeastTableEpsilon, least_table_epsilon};
pub(crate) use one_release::OneRelease;
pub use one_release::SEED;
pub use planned::{PlannedDesigns, compare_with_joint, expected_readings, joint_readings};
pub use rows::is_of_unknown;
pub use table::Table;
pub use words::{design_in_words, half_width, releases_in_words, times};
