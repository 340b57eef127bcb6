//! The accuracy formulas of the research, each beside the exact value that it stands for.
//!
//! Use [`Mechanism::law`](posterity_core::mechanism::Mechanism::law) to find out how accurate a mechanism is: it is
//! exact. The formulas are kept because they were published. Where one is wrong or holds only in part, its test in
//! `tests/bounds.rs` asserts so, and `docs/fidelity.md` lists the numbers. The step formulas and everything built on
//! them need two categories.

mod constant;
mod crossing;
mod error;
mod event;
mod noise;
mod radius;
mod steps;
mod tail;
mod within;

pub use self::constant::scaled_limit;
pub use self::crossing::{
    ehd_overtakes_lshist, exact_crossing, lshist_overtakes_ehd, lshist_overtakes_ehd_within_local,
};
pub use self::error::BoundsError;
pub use self::noise::l1_tail;
pub use self::radius::{ErrorRadius, error_radius};
pub use self::steps::{ExactStep, exact_step, lsdim_step, lshist_step, step_probability};
pub use self::tail::TailBounds;
pub use self::within::{
    PublishedBound, StepCount, Within, ehd_within, ehdl_within, lshist_within, lszhang_within, within,
};
