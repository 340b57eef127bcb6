//! Categories that nobody declared: which values that occur may be named, and what their noisy counts say.
//!
//! Where n is private, the values themselves are private too. Of the values that occur, those whose noisy count reaches
//! a threshold are shown with it ([`Threshold`]). A value that one unit brings in is shown with a probability of at
//! most delta; apart from that, the release is epsilon-differentially private (docs/proofs/discovery.md).
//!
//! - [`Threshold`]: the threshold tau, decided exactly; the draw of one value; the interval and the estimate of the
//!   true count of a value that is shown.
//! - [`Total`]: a noisy number of all units, paid for separately. With it, a value has a [`share`], and what is
//!   [`not_shown`] has a number.
//! - [`audit`]: what a threshold really loses, by enumeration with rigorous bounds.
//!
//! ```
//! use posterity_core::discovery::Threshold;
//! use posterity_core::sampler::SeededBits;
//! let threshold = Threshold::new(&"1".parse()?, &"1e-9".parse::<posterity_core::model::Epsilon>()?.rational())?;
//! assert_eq!(threshold.tau(), 22);
//! let mut bits = SeededBits::new(1); // for the example only: a release takes its bits from the system
//! let shown = threshold.draw(1_000, &mut bits)?.expect("far above the threshold");
//! let (low, high) = threshold.interval(shown, 0.95);
//! assert!(low <= 1_000 && 1_000 <= high);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod audit;
mod coins;
mod gallop;
mod not_shown;
mod share;
mod tail;
mod threshold;
mod total;
mod truncated;

pub use audit::{Audited, Universe, audit};
pub use not_shown::not_shown;
pub use share::share;
pub use threshold::{MOST_TAU, Threshold, ThresholdError};
pub use total::Total;
