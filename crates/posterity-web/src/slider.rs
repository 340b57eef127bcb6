//! The range of budgets that the slider and the curves show.

/// The smallest budget.
pub(crate) const SMALLEST: f64 = 0.01;
/// The largest budget.
pub(crate) const LARGEST: f64 = 10.0;
