//! Studies: many questions of one source under one budget.
//!
//! A [`PlanFile`] is a TOML file that declares the columns once, and asks questions as sets of columns with shares of
//! epsilon. A [`Study`] checks all of it before anything is charged, counts every question in one pass over the source,
//! charges an account once, and writes a folder: a document for each question, its tables and pictures, and one report
//! for people.
//!
//! ```
//! use posterity_study::{PlanFile, Study};
//! # let folder = tempfile::tempdir()?;
//! # std::fs::write(folder.path().join("people.csv"), "ward,cured\nA,yes\nB,no\nB,yes\n")?;
//! let text = r#"
//!     title = "Cured by ward"
//!     source = "people.csv"
//!     epsilon = 1
//!     columns = { ward = ["A", "B"], cured = ["yes", "no"] }
//!     [[question]]
//!     columns = ["ward", "cured"]
//!     read = ["cured | ward"]
//! "#;
//! let plan = PlanFile::parse(text, folder.path())?;
//! let study = Study::new(plan)?;
//! let answers = study.experiment(7, &())?;
//! assert_eq!(answers.answers()[0].tables().len(), 1);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! The form of a plan is described in docs/studies.md.

mod answers;
mod carried_out;
mod checked;
mod csv;
mod error;
mod files;
mod findings;
mod folder;
mod folder_error;
mod forecast;
mod outline;
mod plan_file;
mod report;
mod requirement;
mod results;
mod scratch;
mod study;
mod verification;
mod watch;
mod written_plan;

pub use answers::{Answer, Answers, Pictures};
pub use carried_out::{CarriedOut, CarryOutError, StudyRun, carry_out};
pub use checked::check_requirements;
pub use error::StudyError;
pub use findings::{Against, Findings, FoundDocument, NotVerified, Results, folder_of};
pub use folder::Folder;
pub use folder_error::FolderError;
pub use forecast::{PlanForecast, QuestionForecast, forecast};
pub use outline::Outline;
pub use plan_file::{PlanFile, read_node};
pub use report::report;
pub use requirement::{Verdict, verdicts_sheet};
pub use scratch::Scratch;
pub use study::Study;
pub use verification::{StudyVerificationError, VerifiedStudy, verify_folder};
pub use watch::Watch;
pub use written_plan::WrittenPlan;
