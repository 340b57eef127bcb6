//! From files to counts, and every way in which that can fail.

mod bad_data;
mod bad_question;
mod bins;
mod filters;
mod formats;
mod hostile;
mod laws;
mod scratch;
mod sessions;
mod stability;
mod units;
