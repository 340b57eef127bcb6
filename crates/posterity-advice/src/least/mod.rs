//! From the error that one can bear to the least epsilon, without data.

mod answer;
mod budget;
mod forecast;
mod goal;
mod least_error;
mod mechanisms;
mod records;
mod root;
mod search;
mod situation;

pub use answer::{LeastEpsilon, Other, RecordsNeeded};
pub use budget::{HIGHEST, LOWEST};
pub(crate) use budget::{Start, least_budget};
pub use goal::Goal;
pub use least_error::LeastError;
pub(crate) use root::{root, sum_in_digits, three_digits_up};
pub use search::least_epsilon;
pub use situation::Situation;
