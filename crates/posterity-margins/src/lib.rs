//! Many small tables of many columns, released together.
//!
//! A joint table of fifteen columns has more cells than anyone can list. Its tables of one, two or three columns are
//! small, and this crate releases all of them at once: the [`Workload`] says which, the [`Plan`] how much noise each part
//! gets within a budget rho of zero-concentrated privacy, [`draw`] draws it, and [`Estimates`] has every table without
//! bias, with the covariance of its noise and intervals that hold ([`interval`]). [`rows`] fits records to the release, for
//! software that needs records.
//!
//! What is drawn are residuals. `T_A` is the table of counts of the columns A; its residual `r_A` is the table centred
//! along every axis, which is what A adds to its subsets: `T_B = sum over A of r_A / prod of m_i over B without A`
//! (analysis of variance; for private tables Xiao et al. 2023). Like the core, this crate reads no file, clock or ambient
//! randomness. The proofs are in docs/proofs/residuals.md.

mod axes;
mod column_set;
mod components;
mod draw;
mod estimate;
mod forecast;
pub mod interval;
mod optimise;
mod plan;
mod precision;
mod price;
pub mod rows;
mod shape;
mod tables;
mod workload;

pub use column_set::{ColumnSet, RepeatedColumn};
pub use components::Components;
pub use draw::{Released, ReleasedError, Sampler, draw};
pub use estimate::{Estimated, Estimates, NotReleased};
pub use plan::{Plan, PlanError};
pub use precision::{Precision, PrecisionError};
pub use price::{MAX_PATTERNS, Price};
pub use shape::{MAX_COLUMNS, MAX_VALUES, Shape, ShapeError};
pub use tables::{MAX_RECORDS, Tables, TablesError};
pub use workload::{MAX_CELLS, MAX_SETS, MAX_TABLE_CELLS, Workload, WorkloadError};
