//! Readings and comparisons of a release of several columns. They follow from the document alone and cost nothing.

mod columns;
mod compare;
mod contrast;
mod contrasted;
mod error;
mod grouped;
mod labels;
mod names;
mod parse;
mod read;
mod reader;
mod reading;
mod rows;
mod some_rows;
mod space;
mod statistic;
mod term;
mod trial;
mod ways;

pub(crate) use compare::Side;
pub use contrast::{Contrast, ContrastKind};
pub use contrasted::{Contrasted, Measured, Measurement, Operand};
pub use error::ReadingError;
pub use labels::Labels;
pub(crate) use names::name_text;
pub(crate) use parse::Parser;
pub(crate) use read::{Layout, numbers, refuse_same};
pub use reader::{Law, Reader};
pub use reading::Reading;
pub(crate) use rows::NO_INTERVAL;
pub use rows::{ReadingMethod, ReadingRow, ReadingTable};
pub use space::{Space, SpaceColumn};
pub use statistic::Statistic;
pub use term::{Selection, Term};
pub use ways::{IntervalKind, Subject, Ways, WaysError};
