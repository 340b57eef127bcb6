//! Counts on a real cluster, and every way in which that can fail.

mod command;
mod errors;
mod lost_executor;
mod refused;
mod same_counts;
