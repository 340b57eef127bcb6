//! From files to counts, and every way in which that can fail.

mod bad_data;
mod bad_question;
mod filters;
mod formats;
mod laws;
mod scratch;
mod sessions;
mod units;
