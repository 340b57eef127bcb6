//! What can be said about differentially private releases before there is any data.
//!
//! | question | answer |
//! |---|---|
//! | Which mechanism? | [`advise`], and with the widths of intervals [`plan::advise_with_widths`] |
//! | How wide will the intervals be? | [`design`] |
//! | Which epsilon is enough? | [`least`] |
//! | One release of a table, or several? | [`design`] |
//! | Tables of many columns: how far off, and what do larger tables cost? | [`margins`] |
//! | How do mechanisms compare at made-up counts? | [`compare`], [`inspect`] |
//! | What does a mechanism really lose? | [`audit`], [`audit_at`] |
//!
//! ```
//! use posterity::Terms;
//! use posterity_advice::advise;
//! let setting = Terms::new("1".parse()?).setting(3, 100)?;
//! println!("{}", advise(&setting, None, &|_| ())?.reason);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! What [`compare`] and [`inspect`] return depends on the counts that they are given, without protection: do not give
//! them private counts.
//!
//! The feature `limit` adds the least distance that any private mechanism can have to [`compare`].

mod advice;
mod audit_report;
mod calibration;
mod comparison;
pub mod design;
mod inspection;
pub mod least;
pub mod margins;
pub mod plan;
mod shape;
mod width;

pub use advice::{Advice, AdviceError, advise, advise_among};
pub use audit_report::{
    AuditReport, ProfileError, ProfilePoint, WitnessView, audit, audit_at, profile_epsilon,
};
pub use calibration::Calibration;
pub use comparison::{
    Comparison, ComparisonError, Contest, Measure, Method, Ranking, Refused, Row, UnknownRanking, compare,
};
pub use inspection::{Inspection, InspectionError, MAX_DECODED, Sensitivity, inspect};
pub use shape::{Shape, ShapeError};
