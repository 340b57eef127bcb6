//! One question through all fronts.
